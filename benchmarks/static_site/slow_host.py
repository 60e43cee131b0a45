"""A file server behind a slow line, which counts what it sends."""

from __future__ import annotations

import gzip
import mimetypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

#: Hosts compress these; the rest is compressed in the site.
_COMPRESSED = (".css", ".html", ".js", ".json", ".svg", ".txt", ".wasm", ".webmanifest")
_PIECE = 16_384


class SlowLine:
    """A line that all connections share: bits per second, and seconds per round trip."""

    def __init__(self, rate: float, round_trip: float) -> None:
        self._rate = rate / 8
        self.round_trip = round_trip
        self._lock = threading.Lock()
        self._free_at = 0.0
        self.sent: dict[str, int] = {}

    def send(self, path: str, size: int) -> None:
        """Wait for as long as the bytes take."""
        with self._lock:
            self.sent[path] = self.sent.get(path, 0) + size
            self._free_at = max(self._free_at, time.monotonic()) + size / self._rate
            wait = self._free_at - time.monotonic()
        time.sleep(max(0.0, wait))

    @property
    def total(self) -> int:
        return sum(self.sent.values())


@contextmanager
def slow_host(folder: Path, line: SlowLine) -> Iterator[str]:
    """Serve the files of a folder; yields the address."""
    files = {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }
    #: Compressed before anything is measured.
    contents = {
        name: (gzip.compress(path.read_bytes(), 6, mtime=0), True)
        if path.suffix in _COMPRESSED
        else (path.read_bytes(), False)
        for name, path in files.items()
    }
    changed = {name: formatdate(path.stat().st_mtime, usegmt=True) for name, path in files.items()}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            time.sleep(line.round_trip)  # for the connection

        def do_GET(self) -> None:
            time.sleep(line.round_trip)
            name = unquote(urlsplit(self.path).path).lstrip("/")
            name += "index.html" if not name or name.endswith("/") else ""
            if name not in contents:
                self._head(404, {"Content-Length": "0"})
                return
            if self.headers.get("If-Modified-Since") == changed[name]:
                self._head(304, {"Last-Modified": changed[name]})
                return
            content, packed = contents[name]
            self._head(
                200,
                {
                    "Content-Type": mimetypes.guess_type(name)[0] or "application/octet-stream",
                    "Content-Length": str(len(content)),
                    "Last-Modified": changed[name],
                    **({"Content-Encoding": "gzip"} if packed else {}),
                },
            )
            for at in range(0, len(content), _PIECE):
                piece = content[at : at + _PIECE]
                line.send(name, len(piece))
                with suppress(BrokenPipeError, ConnectionResetError):  # a page that was closed
                    self.wfile.write(piece)

        def _head(self, status: int, headers: dict[str, str]) -> None:
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
