"""The built browser client, kept in memory: a handful of small files, asked for all the time."""

from __future__ import annotations

import base64
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

FOLDER = Path(__file__).parent / "static"

#: Files in here carry a hash of their content in their name, so they never change.
_HASHED = "assets/"
FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_PACKED_ALREADY = (".png", ".woff2", ".ico", ".gz", ".br")

_INLINE = re.compile(rb"<(script|style)\b([^>]*)>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)

_NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Archipel</title></head>
<body><h1>Archipel</h1>
<p>The server runs, but its pages have not been built.</p>
<p lang="fr">Le serveur fonctionne, mais ses pages n’ont pas été construites.</p>
</body></html>
"""


@dataclass(frozen=True)
class File:
    """One file, ready to send."""

    content: bytes
    packed: bytes | None
    type: str
    tag: str
    cache: str

    def answer(self, request: Request, status: int = 200) -> Response:
        headers = {"ETag": self.tag, "Cache-Control": self.cache, "Vary": "Accept-Encoding"}
        if status == 200 and _knows(request, self.tag):
            return Response(status_code=304, headers=headers)
        packed = self.packed is not None and _takes_gzip(request)
        if packed:
            headers["Content-Encoding"] = "gzip"
        content = self.packed if packed else self.content
        return Response(content, status, headers=headers, media_type=self.type)


@dataclass(frozen=True)
class ClientFiles:
    """All files of the client by path, and what its pages may run inline."""

    files: Mapping[str, File]
    inline_scripts: tuple[str, ...]
    inline_styles: tuple[str, ...]

    @property
    def built(self) -> bool:
        return "index.html" in self.files

    def page(self, request: Request, status: int = 200) -> Response:
        """The one page of the client, which looks at the address by itself."""
        if not self.built:
            return HTMLResponse(_NOT_BUILT, 503, headers={"Cache-Control": "no-store"})
        return self.files["index.html"].answer(request, status)

    def find(self, path: str) -> File | None:
        return self.files.get(path)


def load_client(folder: Path = FOLDER) -> ClientFiles:
    """Read the client; without one there are no files, and pages say so."""
    files: dict[str, File] = {}
    scripts: list[str] = []
    styles: list[str] = []
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not any(part.startswith(".") for part in name.split("/")):
            files[name] = load_file(path, forever=name.startswith(_HASHED))
            if path.suffix == ".html":
                _collect_inline(files[name].content, scripts, styles)
    return ClientFiles(files, tuple(dict.fromkeys(scripts)), tuple(dict.fromkeys(styles)))


def load_file(path: Path, *, forever: bool) -> File:
    """Read a file; one that never changes may be kept for good by whoever has it."""
    guessed = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return packed_file(
        path.read_bytes(),
        _TYPES.get(path.suffix, guessed),
        FOREVER if forever else _ASK_AGAIN,
        pack=path.suffix not in _PACKED_ALREADY,
    )


def packed_file(content: bytes, kind: str, cache: str, *, pack: bool = True) -> File:
    """A file of that media type, ready to send."""
    packed = gzip.compress(content, 9, mtime=0) if pack else content
    tag = f'"{hashlib.sha256(content).hexdigest()[:24]}"'
    return File(content, packed if len(packed) < len(content) else None, kind, tag, cache)


def _collect_inline(page: bytes, scripts: list[str], styles: list[str]) -> None:
    """The hashes by which the security policy allows what the page itself holds."""
    for kind, attributes, body in _INLINE.findall(page):
        if b"src=" in attributes.lower():
            continue
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        (scripts if kind.lower() == b"script" else styles).append(f"'sha256-{digest}'")


def _knows(request: Request, tag: str) -> bool:
    return tag in (
        known.strip().removeprefix("W/")
        for known in request.headers.get("if-none-match", "").split(",")
    )


def _takes_gzip(request: Request) -> bool:
    for offer in request.headers.get("accept-encoding", "").split(","):
        name, _, quality = offer.strip().partition(";")
        if name.strip().lower() == "gzip":
            return quality.strip().replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
