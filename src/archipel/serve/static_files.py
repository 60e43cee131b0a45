"""Static files: the browser client, documents under ``/docs``, a static site under ``/offline``."""

from __future__ import annotations

import base64
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

CLIENT_FOLDER = Path(__file__).parent / "static"

#: The file by which a folder is known to be a static site (see `archipel.site`).
SITE_MARK = "archipel-site.json"
SITE_ADDRESS = "/offline"
#: The pages of a site have a policy themselves, which cannot forbid frames.
_SITE_POLICY = "frame-ancestors 'none'"
#: Files in these folders have a hash of their content in their addresses, so they never change.
_SITE_HASHED = ("assets/", "python/")

#: Files in this folder have a hash of their content in their name, so they never change.
_HASHED = "assets/"
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

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

_NOTICE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Archipel</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">{head}</head>
<body>{body}</body></html>
"""
_CLIENT_NOT_BUILT = """<h1>Archipel</h1>
<p>The server runs, but its pages have not been built.</p>
<p lang="fr">Le serveur fonctionne, mais ses pages n’ont pas été construites.</p>
"""
_NO_DOCUMENTS = """<p>This server has no documents. <a href="/">To the games</a></p>
<p lang="fr">Ce serveur n’a pas de documents. <a href="/">Vers les jeux</a></p>
"""
_DOCUMENTS_COMING = """<h1>Archipel</h1>
<p>The documents are being built, which takes a few seconds. This page then opens by itself.</p>
<p>If it takes longer than a minute, <code>python -m tools.documents</code> says why.</p>
<div lang="fr">
<p>Les documents sont en cours de construction, pour quelques secondes. Cette page s’ouvrira ensuite
d’elle-même.</p>
<p>Si cela dure plus d’une minute, <code>python -m tools.documents</code> dit pourquoi.</p>
</div>
"""
_NOT_THERE = """<p>There is no such page. <a href="/docs/">To the documents</a></p>
<p lang="fr">Cette page n’existe pas. <a href="/docs/">Vers les documents</a></p>
"""


def _notice(body: str, status: int, *, reload: int | None = None) -> Response:
    """A page with a notice; ``reload``: the seconds until the browser loads it again."""
    headers, head = {"Cache-Control": "no-store"}, ""
    if reload is not None:
        headers["Retry-After"] = str(reload)
        head = f'<meta http-equiv="refresh" content="{reload}">'
    return HTMLResponse(_NOTICE.format(head=head, body=body), status, headers=headers)


@dataclass(frozen=True)
class File:
    """A file, its compressed content and its headers."""

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
    """The client's files by path, and the hashes of its inline scripts and styles."""

    files: Mapping[str, File]
    inline_scripts: tuple[str, ...]
    inline_styles: tuple[str, ...]

    @property
    def built(self) -> bool:
        return "index.html" in self.files

    def page(self, request: Request, status: int = 200) -> Response:
        """The client's only page, which reads the address itself."""
        if not self.built:
            return _notice(_CLIENT_NOT_BUILT, 503)
        return self.files["index.html"].answer(request, status)

    def find(self, path: str) -> File | None:
        return self.files.get(path)

    def naming_site(self) -> ClientFiles:
        """The same files; the page tells that there is a static site."""
        if not self.built:
            return self
        page = self.files["index.html"]
        content = page.content.replace(
            b"<html ", f'<html data-offline="{SITE_ADDRESS}/" '.encode(), 1
        )
        changed = packed_file(content, page.type, page.cache)
        return replace(self, files={**self.files, "index.html": changed})


def load_client(folder: Path = CLIENT_FOLDER) -> ClientFiles:
    """Read the client's files; there are none if it has not been built."""
    files: dict[str, File] = {}
    scripts: list[str] = []
    styles: list[str] = []
    for name in _names_in(folder):
        files[name] = load_file(folder / name, forever=name.startswith(_HASHED))
        if name.endswith(".html"):
            _collect_inline(files[name].content, scripts, styles)
    return ClientFiles(files, tuple(dict.fromkeys(scripts)), tuple(dict.fromkeys(styles)))


def load_file(path: Path, *, forever: bool) -> File:
    """Read a file; ``forever``: browsers may cache it without asking again."""
    guessed = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return packed_file(
        path.read_bytes(),
        _TYPES.get(path.suffix, guessed),
        FOREVER if forever else ASK_AGAIN,
        pack=path.suffix not in _PACKED_ALREADY,
    )


def packed_file(content: bytes, kind: str, cache: str, *, pack: bool = True) -> File:
    """A file of media type ``kind``, compressed unless ``pack`` is false."""
    packed = gzip.compress(content, 9, mtime=0) if pack else content
    tag = f'"{hashlib.sha256(content).hexdigest()[:24]}"'
    return File(content, packed if len(packed) < len(content) else None, kind, tag, cache)


def _collect_inline(page: bytes, scripts: list[str], styles: list[str]) -> None:
    """Collect the hashes of a page's inline scripts and styles for the security policy."""
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


DOCUMENTS_FOLDER = Path(__file__).parent / "documents"
DOCUMENTS_ADDRESS = "/docs"

#: Files in this folder have a hash of their content in their name, so they never change.
_DOCUMENT_HASHED = "look/"
_STAMP = ".sources"


class DocumentFiles:
    """The document site in a folder, read on demand.

    A wheel contains the site. In a checkout the first request starts ``build``, which updates the
    site in the background, so each request checks whether the site was replaced.
    """

    def __init__(
        self, folder: Path = DOCUMENTS_FOLDER, build: Callable[[], None] | None = None
    ) -> None:
        self._folder = folder
        self._build = build
        self._build_started = False
        self._known: tuple[int, int] | None = None
        self._names: frozenset[str] = frozenset()
        self._files: dict[str, File] = {}

    def answer(self, request: Request, path: str) -> Response:
        if self._build is not None and not self._build_started:
            self._build_started = True
            self._build()
        self._refresh()
        if not self._names and self._build is not None:
            return _notice(_DOCUMENTS_COMING, 503, reload=2)
        if not self._names:
            return _notice(_NO_DOCUMENTS, 404)
        if request.url.path == DOCUMENTS_ADDRESS:  # links are relative to the folder
            return RedirectResponse(f"{DOCUMENTS_ADDRESS}/", 307)
        file = self._find(path or "index.html")
        if file is None:
            return _notice(_NOT_THERE, 404)
        return file.answer(request)

    def _find(self, name: str) -> File | None:
        # Only names found in the folder: no path from a request reaches the disk.
        if name not in self._names:
            return None
        if name not in self._files:
            try:
                found = load_file(self._folder / name, forever=name.startswith(_DOCUMENT_HASHED))
            except OSError:  # the site is being replaced
                return None
            self._files[name] = found
        return self._files[name]

    def _refresh(self) -> None:
        """Drop the cache if the site was replaced or removed."""
        try:
            status = (self._folder / _STAMP).stat()
        except OSError:
            stamp = None
        else:
            stamp = (status.st_ino, status.st_mtime_ns)
        if stamp == self._known:
            return
        self._known, self._files = stamp, {}
        self._names = frozenset(() if stamp is None else _names_in(self._folder))


class SiteFiles:
    """A static site in a folder, read on demand. A newer one is served after the next start."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = frozenset(_names_in(folder))
        self._files: dict[str, File] = {}

    def answer(self, request: Request, path: str) -> Response | None:
        """The response to a request, or None if there is no such file."""
        if request.url.path == SITE_ADDRESS:  # links are relative to the folder
            return RedirectResponse(f"{SITE_ADDRESS}/", 307)
        name = f"{path}index.html" if path == "" or path.endswith("/") else path
        # Only names found in the folder: no path from a request reaches the disk.
        if name not in self._names:
            return None
        if name not in self._files:
            forever = name.startswith(_SITE_HASHED)
            self._files[name] = load_file(self._folder / name, forever=forever)
        response = self._files[name].answer(request)
        response.headers["Content-Security-Policy"] = _SITE_POLICY
        return response


def _names_in(folder: Path) -> list[str]:
    """The paths of all files in a folder, if it exists, except hidden ones."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.relative_to(folder).as_posix() for path in paths]
    return [name for name in names if not any(part.startswith(".") for part in name.split("/"))]
