"""``archipel site build``: make a static site that plays without a server.

The builder's libraries are imported inside the function, so that other commands start without them.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from archipel.cli.errors import CommandFailed, UserError
from archipel.cli.output import print_result
from archipel.rules.catalogue import Catalogue

_BASE = re.compile(r"/([A-Za-z0-9._~-]+/)*")


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    if arguments.action != "build":
        raise UserError("site.action", action=arguments.action or "")
    if arguments.to is None:
        raise UserError("site.no_folder")
    if arguments.base is not None and not _BASE.fullmatch(arguments.base):
        raise UserError("site.base", base=arguments.base)
    from archipel.serve.client_build import BuildFailed
    from archipel.site.build import build_site
    from archipel.site.meeting import NotAnAddress, read_meeting

    def report(step: str) -> None:
        print(words.say(step), file=sys.stderr, flush=True)

    try:
        meeting = read_meeting(
            arguments.signalling, arguments.stun, arguments.turn, arguments.continue_on
        )
    except NotAnAddress as wrong:
        raise UserError(f"site.{wrong.option}", address=wrong.value) from None
    folder = Path(arguments.to).absolute()
    try:
        site = build_site(folder, arguments.base, report, meeting)
    except (BuildFailed, OSError) as failure:
        raise CommandFailed(words.say("site.failed", why=failure)) from None
    megabytes = f"{site.size / 1e6:.1f}"
    result = {"folder": str(folder), "files": site.files, "bytes": site.size, "games": site.games}
    lines = words.say("site.done", folder=folder, files=site.files, megabytes=megabytes)
    return print_result(arguments.json, result, [lines])
