"""Two builds of one commit are compared byte by byte, and a difference is named."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from tools import reproducible


def archives(folder: Path, content: bytes) -> Path:
    folder.mkdir()
    with zipfile.ZipFile(folder / "a.whl", "w") as wheel:
        wheel.writestr(zipfile.ZipInfo("same.py"), b"1")
        wheel.writestr(zipfile.ZipInfo("engine.wasm"), content)
    with tarfile.open(folder / "a.tar.gz", "w:gz") as tar:
        member = tarfile.TarInfo("a/engine.wasm")
        member.size = len(content)
        tar.addfile(member, io.BytesIO(content))
    (folder / "site" / "docs").mkdir(parents=True)
    (folder / "site" / "docs" / "page.html.gz").write_bytes(content)
    return folder


def test_differences_are_named_down_to_the_member(tmp_path: Path) -> None:
    one, other = archives(tmp_path / "one", b"x"), archives(tmp_path / "other", b"y")
    (one / "more").touch()
    assert list(reproducible.differences(one, other)) == [
        "a.tar.gz (a/engine.wasm)",
        "a.whl (engine.wasm)",
        "more (only in one)",
        "site/docs/page.html.gz",
    ]
    (other / "more").touch()
    for name in ("a.whl", "a.tar.gz", "site/docs/page.html.gz"):
        (other / name).write_bytes((one / name).read_bytes())
    assert list(reproducible.differences(one, other)) == []


def test_checksums_are_in_the_usual_form(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("b.whl", "a.tar.gz")]
    for file in files:
        file.write_bytes(file.name.encode())
    text = reproducible.write_checksums(tmp_path, files).read_text()
    assert text.splitlines() == [
        f"{hashlib.sha256(name.encode()).hexdigest()}  {name}" for name in ("a.tar.gz", "b.whl")
    ]
    subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, check=True)


@pytest.mark.soak
@pytest.mark.promise("release")
def test_two_builds_of_this_commit_are_equal(tmp_path: Path) -> None:
    """Wheel and source archive, with the client, the documents and the engines, and the site."""
    built = reproducible.build_twice(tmp_path)
    assert sorted(path.suffix for path in built) == [".gz", ".whl"]
