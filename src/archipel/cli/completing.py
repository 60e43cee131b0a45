"""Completing what is typed, where the terminal's line editor can do it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

_editor: Any = None
with suppress(ImportError):  # there is none on some systems
    import readline as _editor


def complete_with(texts: Sequence[str]) -> None:
    """From now on the tab key completes a line to one of these."""
    if _editor is None:
        return
    _editor.set_completer_delims("\n")
    _editor.set_completer(lambda typed, number: nth_beginning(texts, typed, number))
    is_libedit = "libedit" in (_editor.__doc__ or "")
    _editor.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")


def nth_beginning(texts: Sequence[str], typed: str, number: int) -> str | None:
    """The n-th of the texts that begin with what is typed, however it is cased."""
    begun = " ".join(typed.casefold().split())
    found = [text for text in texts if text.casefold().startswith(begun)]
    return found[number] if number < len(found) else None


def unprinted(code: str) -> str:
    """A code in a prompt that takes no room on the line; the editor has to know."""
    return code if _editor is None else f"\x01{code}\x02"
