"""Build the wheel, the source archive and the static site twice, and compare them byte by byte.

    python -m tools.reproducible FOLDER      keeps wheel, archive and checksums in FOLDER

Builds the last commit, with its time as SOURCE_DATE_EPOCH. The two builds differ in their folder,
time zone, hash seed, umask and compile cache. Anyone who builds a release from its tag with the
pinned libraries gets these bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHECKSUMS = "SHA256SUMS"
#: What is different in the second build; the output must not depend on it.
VARIED = (
    {"TZ": "UTC", "PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8"},
    {"TZ": "Pacific/Chatham", "PYTHONHASHSEED": "2", "LC_ALL": "C"},
)
UMASKS = (0o022, 0o077)
BUILD = "import sys, build_backend as b; b.build_sdist(sys.argv[1]); b.build_wheel(sys.argv[1])"
SITE = "site"


class NotReproducible(Exception):
    """The two builds differ; the message names the files."""


def build_twice(folder: Path) -> list[Path]:
    """Build the last commit twice and put one copy with its checksums into the folder.

    Raises `NotReproducible`, or `subprocess.CalledProcessError` if a build fails.
    """
    commit = _git(
        "rev-parse", "HEAD"
    )  # both builds are of this one, whatever is committed meanwhile
    with tempfile.TemporaryDirectory() as place:
        builds = [
            _build(commit, Path(place, name), varied, umask)
            for name, varied, umask in zip(("one", "the-other-one"), VARIED, UMASKS, strict=True)
        ]
        if found := list(differences(*builds)):
            raise NotReproducible("two builds differ: " + "; ".join(found))
        folder.mkdir(parents=True, exist_ok=True)
        files = sorted(path for path in builds[0].iterdir() if path.name != SITE)
        built = [Path(shutil.copy(path, folder)) for path in files]
    write_checksums(folder, built)
    return built


def _build(commit: str, place: Path, varied: dict[str, str], umask: int) -> Path:
    sources, made = place / "archipel", place / "dist"
    sources.mkdir(parents=True)
    made.mkdir()
    archive = subprocess.run(
        ["git", "archive", "--format=tar", commit], cwd=ROOT, capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(sources, filter="data")
    variables = {
        **os.environ,
        **varied,
        "ARCHIPEL_CACHE": str(place / "cache"),
        "SOURCE_DATE_EPOCH": commit_time(commit),
    }
    build = [sys.executable, "-c", BUILD, str(made)]
    subprocess.run(build, cwd=sources, env=variables, umask=umask, check=True)
    variables["PYTHONPATH"] = str(sources / "src")
    site = [sys.executable, "-m", "archipel", "site", "build", "--to", str(made / SITE)]
    subprocess.run(site, cwd=sources, env=variables, umask=umask, check=True)
    return made


def commit_time(commit: str = "HEAD") -> str:
    """The time of a commit, in seconds since 1970."""
    return _git("log", "-1", "--format=%ct", commit)


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def differences(one: Path, other: Path) -> Iterator[str]:
    """The files in two folders that differ; of archives also the members."""
    files = [(path, folder) for folder in (one, other) for path in folder.rglob("*")]
    names = {path.relative_to(folder).as_posix() for path, folder in files if path.is_file()}
    for name in sorted(names):
        left, right = one / name, other / name
        if not (left.is_file() and right.is_file()):
            yield f"{name} (only in one)"
        elif left.read_bytes() != right.read_bytes():
            members = sorted(set(_members(left)) ^ set(_members(right)))
            inside = dict.fromkeys(member for member, _ in members)
            yield f"{name} ({', '.join(inside)})" if inside else name


def _members(archive: Path) -> Iterator[tuple[str, str]]:
    """The name of each member, and a digest of its content."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as whole:
            for entry in whole.infolist():
                yield entry.filename, hashlib.sha256(whole.read(entry)).hexdigest()
    if archive.suffixes[-2:] != [".tar", ".gz"]:
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            file = tar.extractfile(member)
            yield member.name, hashlib.sha256(b"" if file is None else file.read()).hexdigest()


def write_checksums(folder: Path, files: list[Path]) -> Path:
    """Write the checksums of some files as `sha256sum --check` reads them."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    target = folder / CHECKSUMS
    target.write_text("".join(sorted(lines, key=lambda line: line[66:])), "ascii")
    return target


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.reproducible",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="where to put what was built")
    given = parser.parse_args(arguments)
    try:
        for path in build_twice(given.folder):
            print(f"two equal builds: {path}")
    except NotReproducible as error:
        print(error, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(f"a build failed: {error}", file=sys.stderr)
        return 1
    print((given.folder / CHECKSUMS).read_text("ascii"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
