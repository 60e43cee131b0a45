"""Echo server: the same web server with an application that only broadcasts.

A message goes to all sockets of the same path, and once more to its sender as an acknowledgement.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from starlette.types import Receive, Scope, Send

from archipel.serve.logs import set_up_logging
from archipel.serve.settings import Settings
from archipel.serve.transport.listening import LOOPBACK, allow_many_sockets, listen
from archipel.serve.transport.web_server import WebServer

_GROUPS: dict[str, list[Send]] = {}


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _live(receive, send)
        return
    await receive()
    await send({"type": "websocket.accept"})
    group = _GROUPS.setdefault(scope["path"], [])
    group.append(send)
    while (message := await receive())["type"] == "websocket.receive":
        for listener in (*group, send):
            await listener({"type": "websocket.send", "text": message["text"]})
    group.remove(send)


async def _live(receive: Receive, send: Send) -> None:
    for stage in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{stage}.complete"})


async def _drain() -> None:
    pass


def main() -> None:
    set_up_logging("error")
    allow_many_sockets(10_000)
    settings = Settings(connections_per_address=100_000)
    server = WebServer(echo, settings, _drain)
    listener = listen(LOOPBACK, 0)
    server.when_started = lambda: print(listener.getsockname()[1], flush=True)
    threading.Thread(target=_stop_at_end_of_input, daemon=True).start()
    server.run(sockets=[listener])


def _stop_at_end_of_input() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
