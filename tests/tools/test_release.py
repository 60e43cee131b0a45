"""The checks of a release."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

import archipel
from tools import release


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src" / "archipel").mkdir(parents=True)
    (tmp_path / "src" / "archipel" / "__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 1.2.3\n")
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [1.2.3] - 2030-01-31\n")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    return tmp_path


def test_version_and_changelog_agree(checkout: Path) -> None:
    release.check_version("1.2.3")
    release.check_changelog("1.2.3")
    with pytest.raises(release.Failed, match=r"has version 1\.2\.3: set it to 1\.3\.0"):
        release.check_version("1.3.0")
    with pytest.raises(release.Failed, match=r"no section '## \[1\.3\.0\]"):
        release.check_changelog("1.3.0")
    (checkout / "CHANGELOG.md").write_text("## [1.2.3] - soon\n")
    with pytest.raises(release.Failed, match="soon is not a date"):
        release.check_changelog("1.2.3")


def test_preparing_writes_the_version_and_the_section_of_the_changelog(checkout: Path) -> None:
    changelog = checkout / "CHANGELOG.md"
    changelog.write_text(
        "# Log\n\n## [Unreleased]\n\n* New.\n\n## [1.2.3] - 2030-01-31\n\n* Old.\n"
    )
    release.prepare("1.3.0", datetime.date(2030, 2, 1))
    release.check_version("1.3.0")
    release.check_changelog("1.3.0")
    assert changelog.read_text() == (
        "# Log\n\n## [Unreleased]\n\n## [1.3.0] - 2030-02-01\n\n* New.\n\n"
        "## [1.2.3] - 2030-01-31\n\n* Old.\n"
    )
    with pytest.raises(release.Failed, match=r"none of 1\.3\.0"):
        release.prepare("1.3.0", datetime.date(2030, 2, 1))
    with pytest.raises(release.Failed, match="nothing under"):
        release.prepare("1.4.0", datetime.date(2030, 2, 1))


def test_the_citation_has_the_version_of_the_package() -> None:
    release.check_version(archipel.__version__)


def test_a_failed_or_skipped_check_prevents_the_tag(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(version: str) -> None:
        raise release.Failed("it rains")

    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr(release, "_run", lambda *command: ran.append(command))
    monkeypatch.setattr(release, "CHECKS", {"weather": fail, "version": release.check_version})
    assert release.main(["1.2.3", "--tag"]) == 1
    assert release.main(["1.2.3", "--tag", "--skip", "weather"]) == 1
    assert not ran
    assert "FAILED   weather: it rains\nok       version\n" in capsys.readouterr().out
    monkeypatch.setattr(release, "CHECKS", {"version": release.check_version})
    assert release.main(["1.2.3"]) == 0
    assert not ran
    assert release.main(["1.2.3", "--tag"]) == 0
    assert ran[0][:3] == ("git", "tag", "--annotate")
