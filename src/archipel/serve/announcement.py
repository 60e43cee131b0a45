"""The addresses of the page, and their announcement in the terminal."""

import io
import logging
import os
import socket
import sys
import threading
import webbrowser
from typing import TextIO

import segno

from archipel.rules.catalogue import Catalogue
from archipel.serve.static_files import ClientFiles
from archipel.serve.transport.listening import ANY, LOOPBACKS, addresses_elsewhere, web_address


class Page:
    """The page of a server; ``open_browser`` None: only if there is a display."""

    def __init__(
        self,
        host: str,
        listener: socket.socket,
        database: str,
        client: ClientFiles,
        words: Catalogue,
        *,
        open_browser: bool | None,
    ) -> None:
        self.client = client
        self._host = host
        self._port = int(listener.getsockname()[1])
        self._database = database
        self._words = words
        self._open_browser = open_browser
        self._announced = False

    def announce(self) -> None:
        """Print the addresses and open a browser, the first time only."""
        if self._announced:
            return
        self._announced = True
        name = "localhost" if self._host in (*LOOPBACKS, *ANY) else self._host
        here, elsewhere = web_address(name, self._port), self.elsewhere()
        print("\n".join(self._lines(here, elsewhere)), flush=True)
        if not self.client.built:
            print(self._words.say("serve.not_built"), file=sys.stderr, flush=True)
        elif self._open_browser or (self._open_browser is None and has_display()):
            # In a thread: on some systems this waits until the browser is closed.
            threading.Thread(target=_open, args=(here,), daemon=True).start()

    def elsewhere(self) -> list[str]:
        """The page's addresses for other devices."""
        return addresses_elsewhere(self._host, self._port)

    def _lines(self, here: str, elsewhere: list[str]) -> list[str]:
        say = self._words.say
        on_this, on_others = say("serve.on_this_machine"), say("serve.on_other_devices")
        width = max(len(on_this), len(on_others))
        lines = ["", say("serve.ready"), "", f"  {on_this:{width}}  {here}"]
        lines += [f"  {on_others:{width}}  {address}" for address in elsewhere]
        if not elsewhere:
            lines.append(f"  {say('serve.this_machine_only')}")
        kept = say("serve.kept_in", database=self._database)
        lines += ["", f"  {kept}", f"  {say('serve.to_stop')}", ""]
        return lines + (qr_code(elsewhere[0], sys.stdout) if elsewhere else [])


def _open(address: str) -> None:
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        logging.getLogger("archipel.serve").info("no browser could be opened")


def qr_code(address: str, stream: TextIO) -> list[str]:
    """The address as a QR code in block characters; empty if the terminal cannot show them.

    Light on dark, as most terminals are, so it needs no colours.
    """
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, border=2, compact=True)
    try:
        drawn.getvalue().encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return []
    return [f"  {line}" for line in drawn.getvalue().splitlines()]


def has_display() -> bool:
    """Whether the user who started the server would see a browser opened here."""
    if not sys.stdout.isatty() or os.environ.get("SSH_CONNECTION") or os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
