"""When the client must be built again."""

from pathlib import Path

import pytest

from archipel.serve.client_build import BuildFailed, ClientBuild, find_node


@pytest.fixture
def build(tmp_path: Path) -> ClientBuild:
    build = ClientBuild(tmp_path)
    (build.sources / "src").mkdir(parents=True)
    (build.sources / "package-lock.json").write_text("{}")
    (build.sources / "src" / "main.ts").write_text("let a = 1;")
    return build


def finish(build: ClientBuild) -> None:
    build.built.mkdir(parents=True, exist_ok=True)
    (build.built / "index.html").write_text("<!doctype html>")
    build.stamp.write_text(build.hash() + "\n")


def test_without_sources_nothing_is_stale(tmp_path: Path) -> None:
    assert not ClientBuild(tmp_path).is_stale()


def test_sources_without_a_build_are_stale(build: ClientBuild) -> None:
    assert build.is_stale()
    finish(build)
    assert not build.is_stale()


def test_a_changed_source_makes_the_build_stale(build: ClientBuild) -> None:
    finish(build)
    main = build.sources / "src" / "main.ts"
    main.write_text("let a = 2;")
    assert build.is_stale()
    finish(build)
    main.rename(build.sources / "src" / "other.ts")
    assert build.is_stale()
    finish(build)
    (build.sources / "src" / "new.ts").write_text("")
    assert build.is_stale()
    finish(build)
    (build.sources / "src" / "new.ts").unlink()
    assert build.is_stale()
    finish(build)
    messages = build.package / "serve" / "api" / "messages.py"
    messages.parent.mkdir(parents=True)
    messages.write_text("")
    assert build.is_stale(), "TypeScript is generated from it"


def test_libraries_and_hidden_files_are_not_sources(build: ClientBuild) -> None:
    finish(build)
    for name in ("node_modules/svelte/index.js", ".cache/thing", "src/generated/messages.ts"):
        path = build.sources / name
        path.parent.mkdir(parents=True)
        path.write_text("x")
    assert not build.is_stale()


def test_a_build_without_stamp_or_page_is_stale(build: ClientBuild) -> None:
    finish(build)
    build.stamp.unlink()
    assert build.is_stale()
    finish(build)
    (build.built / "index.html").unlink()
    assert build.is_stale()


def test_a_failed_build_gives_the_reason_and_leaves_no_stamp(
    build: ClientBuild, tmp_path: Path
) -> None:
    node = tmp_path / "bin" / "node"
    script = tmp_path / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    script.parent.mkdir(parents=True)
    script.write_text("")
    node.parent.mkdir()
    node.write_text("#!/bin/sh\necho no network; exit 3\n")
    node.chmod(0o755)
    with pytest.raises(BuildFailed, match=r"(?s)ci.*failed.*no network"):
        build.build(node)
    assert not build.stamp.exists()


def test_a_node_that_is_too_old_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = tmp_path / "node"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("archipel.serve.client_build._node_of_wheel", lambda: None)
    for version, found in (("v18.20.0", None), ("v20.19.1", node), ("nonsense", None)):
        node.write_text(f"#!/bin/sh\necho {version}\n")
        node.chmod(0o755)
        assert find_node() == found
