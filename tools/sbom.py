"""Write the software bill of materials of a release: CycloneDX 1.6 as JSON, from the pins.

    python -m tools.sbom FILE

It lists what runs with a server: the dependencies of the package with the extras `fast` and
`postgresql`, in the versions of constraints.txt, and the libraries in the browser client.
"""

from __future__ import annotations

import argparse
import base64
import datetime
import importlib.metadata
import json
import re
import sys
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import archipel
from tools.reproducible import commit_time

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = ("fast", "postgresql")
#: The namespace of serial numbers: equal content has the same number.
_SERIALS = uuid.uuid5(uuid.NAMESPACE_DNS, "archipel.example")

Component = dict[str, Any]


class WrongVersion(Exception):
    """An installed library does not have the pinned version."""


def sbom(epoch: int) -> dict[str, Any]:
    """Return the bill of materials, with a time in seconds since 1970; raises `WrongVersion`."""
    needs = dict(_python_needs())
    python = [_python_component(name) for name in sorted(needs)]
    client = list(_client_components())
    own = f"pkg:pypi/archipel@{archipel.__version__}"
    refs = {each["name"]: each["bom-ref"] for each in python}
    direct = [refs[name] for name in _direct("archipel", EXTRAS)]
    document: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(epoch, datetime.UTC).isoformat(),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "archipel",
                "version": archipel.__version__,
                "purl": own,
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": [*python, *client],
        "dependencies": [
            {"ref": own, "dependsOn": [*direct, *(each["bom-ref"] for each in client)]},
            *(
                {"ref": refs[name], "dependsOn": [refs[each] for each in needed]}
                for name, needed in sorted(needs.items())
            ),
        ],
    }
    serial = uuid.uuid5(_SERIALS, json.dumps(document, sort_keys=True))
    return {**document, "serialNumber": serial.urn}


def pins() -> dict[str, str]:
    """The versions of constraints.txt, by name."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    found = (re.match(r"([A-Za-z0-9._-]+)==([^\s;]+)", line) for line in lines)
    return {canonicalize_name(each[1]): each[2] for each in found if each}


def _python_needs() -> Iterator[tuple[str, list[str]]]:
    """Every library that a server runs with, and those that it needs itself."""
    waiting, seen = _direct("archipel", EXTRAS), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            needed = _direct(name, ())
            waiting += needed
            yield name, needed


def _direct(name: str, extras: Iterable[str]) -> list[str]:
    """The requirements of an installed distribution, with some extras, on this system."""
    wanted = set()
    for text in importlib.metadata.requires(name) or ():
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            wanted.add(str(canonicalize_name(requirement.name)))
    return sorted(wanted)


def _python_component(name: str) -> Component:
    found = importlib.metadata.distribution(name)
    pinned = pins().get(name)
    if found.version != pinned:
        raise WrongVersion(f"{name} {found.version} is installed, constraints.txt has {pinned}")
    return _component("pypi", name, found.version, _license(found.metadata))


def _license(metadata: importlib.metadata.PackageMetadata) -> str | None:
    found = metadata.json.get("license_expression")
    return found if isinstance(found, str) else None


def _client_components() -> Iterator[Component]:
    """The libraries that the build puts into the client, with their hashes from the lock file."""
    lock = json.loads((ROOT / "client" / "package-lock.json").read_text("utf-8"))
    for path, package in sorted(lock["packages"].items()):
        if not path or package.get("dev") or package.get("optional") or package.get("peer"):
            continue
        name = path.rpartition("node_modules/")[2]
        component = _component("npm", name, package["version"], package.get("license"))
        kind, _, digest = package.get("integrity", "").partition("-")
        if kind == "sha512":
            content = base64.b64decode(digest).hex()
            component["hashes"] = [{"alg": "SHA-512", "content": content}]
        yield component


def _component(kind: str, name: str, version: str, license_text: str | None) -> Component:
    purl = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
    told = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    return {**told, **({"licenses": [{"expression": license_text}]} if license_text else {})}


def write_sbom(file: Path) -> None:
    """Write the bill of materials, dated by the last commit."""
    file.write_text(json.dumps(sbom(int(commit_time())), indent=2) + "\n", "utf-8")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.sbom",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path)
    try:
        write_sbom(parser.parse_args(arguments).file)
    except WrongVersion as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
