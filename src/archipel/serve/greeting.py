"""What the host reads in the terminal: where the page is, for this machine and for others."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import TextIO

import segno

from archipel.rules.catalogue import Catalogue


def greeting(here: str, elsewhere: Sequence[str], database: str, words: Catalogue) -> list[str]:
    """The lines to print once the server listens."""
    on_this, on_others = words.say("serve.on_this_machine"), words.say("serve.on_other_devices")
    width = max(len(on_this), len(on_others))
    lines = ["", words.say("serve.ready"), "", f"  {on_this:{width}}  {here}"]
    lines += [f"  {on_others:{width}}  {address}" for address in elsewhere]
    if not elsewhere:
        lines.append(f"  {words.say('serve.this_machine_only')}")
    kept = words.say("serve.kept_in", database=database)
    return [*lines, "", f"  {kept}", f"  {words.say('serve.to_stop')}", ""]


def qr_code(address: str, stream: TextIO) -> list[str]:
    """The address as a code for a phone's camera; no lines where the terminal cannot show it.

    Drawn in characters, light on dark as most terminals are, so it needs no colour.
    """
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, border=2, compact=True)
    try:
        drawn.getvalue().encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return []
    return [f"  {line}" for line in drawn.getvalue().splitlines()]


def has_display() -> bool:
    """Whether a browser opened here would be seen by whoever started the server."""
    if not sys.stdout.isatty() or os.environ.get("SSH_CONNECTION") or os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
