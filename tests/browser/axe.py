"""Checks a page with axe."""

from __future__ import annotations

from pathlib import Path

from tests.browser.user_page import UserPage

AXE = Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js"

_RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\\n` +
    nodes.slice(0, 5).map(({ html, failureSummary }) =>
      `    ${html.slice(0, 200)}\\n    ${failureSummary.replaceAll("\\n", " ")}`).join("\\n"));
}"""


def expect_accessible(user: UserPage, where: str) -> None:
    page = user.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(_RUN)
    assert not found, "\n".join([f"on {where}:", *found])
