"""Games and bots of other packages that could not be used: a line each, where somebody looks."""

from __future__ import annotations

import sys

import archipel.bots  # noqa: F401 (so that bots have been looked for, too)
from archipel.rules.catalogue import Catalogue
from archipel.rules.plugins import left_out


def report_left_out(words: Catalogue) -> None:
    for one in left_out():
        reason = one.tell(words.language)
        said = words.say("games.left_out", entry=one.entry, package=one.package, reason=reason)
        print(f"archipel: {said}", file=sys.stderr)
