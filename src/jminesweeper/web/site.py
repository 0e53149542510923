"""The answers to a browser: the page and its parts by their paths, and nothing else.

A file's name holds a hash of its content, so browsers keep it forever and ask for a new one as
soon as the page names it; only the page itself is asked for each time. The policy lets nothing run
or load but these files. There is no state, so another site can forge nothing except the
WebSocket, which a page of another origin may not open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from ipaddress import IPv4Address
from pkgutil import get_data
from typing import Final
from urllib.parse import urlsplit
from zlib import MAX_WBITS, compress

from jminesweeper.web.scripts import join, shrink

SUBPROTOCOL: Final = "jminesweeper.2"
SOCKET_PATH: Final = "/play"

_TYPES: Final[Mapping[str, str]] = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "webmanifest": "application/manifest+json",
    "html": "text/html; charset=utf-8",
}
_PAGE: Final = "index.html"
MODULES: Final = (
    "dom",
    "device",
    "wire",
    "connection",
    "game",
    "layout",
    "board",
    "gestures",
    "panels",
    "sheets",
    "page",
)
"""In an order in which each imports only those before it."""
_SCRIPT: Final = "page.js"
_ASSETS: Final = (
    "icon.svg",
    "icon.png",
    "icon512.png",
    "picture.png",
    "page.css",
    "palettes.css",
    "manifest.webmanifest",
    "worker.js",
    "after.js",
    "map.js",
    "own.js",
    "replay.js",
    "sounds.js",
    "together.css",
    "together.js",
    _SCRIPT,
    _PAGE,
)
"""In an order in which each names only those before it."""
_PLAIN: Final = "text/plain; charset=utf-8"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_ALWAYS: Final[Mapping[str, str]] = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
_OF_DOCUMENTS: Final[Mapping[str, str]] = {
    **_ALWAYS,
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
_PARTS: Final = ("text/css", "text/javascript", "application/manifest+json", "image/")
"""Parts of the page need no document headers, which would double what small ones weigh."""
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_GZIP: Final = 16
_LOCAL_NAMES: Final = (
    ".localhost",
    ".local",
    ".localdomain",
    ".lan",
    ".home",
    ".home.arpa",
    ".internal",
    ".fritz.box",
)
_UNKNOWN_HOST: Final = (
    "This JMinesweeper server does not know this name for itself. Open it by its address, or start "
    "it with --public-url and the address that browsers use.\n"
)
_NO_PAGE: Final = (
    "This is JMinesweeper. Its server was installed without the page: to play in a browser, "
    "install it with the extra 'web'. To play in a terminal, run ./run_client.sh HOST:PORT\n"
)


@dataclass(frozen=True, slots=True)
class Response:
    """The answer, without the headers that only the connection decides."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def head(self) -> bytes:
        reason = HTTPStatus(self.status).phrase
        lines = [f"HTTP/1.1 {self.status} {reason}", *map(": ".join, self.headers.items())]
        return "".join(f"{line}\r\n" for line in lines).encode("latin-1")


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    packed: bytes
    """Compressed, or empty where that saves nothing."""
    content_type: str
    tag: str
    caching: str


def own_path(path: str, public_url: str) -> str:
    """Return the path on this server, where a proxy may have left its own in front.

    It is empty for the proxy's path without its last slash.
    """
    ours = urlsplit(public_url).path.rstrip("/")
    is_under = bool(ours) and (path == ours or path.startswith(f"{ours}/"))
    return path.removeprefix(ours) if is_under else path


def respond(method: str, path: str, headers: Mapping[str, str], public_url: str = "") -> Response:
    """Answer a request for a file; header names are in lower case."""
    if method not in {"GET", "HEAD"}:
        return refuse(405, {"Allow": "GET, HEAD"})
    file = _site(public_url).get(path)
    if file is None:
        return refuse(404, method=method)
    fields = {"Cache-Control": file.caching, "ETag": file.tag, "Vary": "Accept-Encoding"}
    if file.tag in headers.get("if-none-match", ""):
        return Response(304, fields)
    fields["Content-Type"] = file.content_type
    content = file.content
    if file.packed and re.search(r"\bgzip\b(?!;q=0)", headers.get("accept-encoding", "")):
        content, fields["Content-Encoding"] = file.packed, "gzip"
    return _respond(200, fields, content, method)


def refuse(status: int, more: Mapping[str, str] | None = None, *, method: str = "GET") -> Response:
    """Answer with nothing but a status, in words."""
    fields = {"Cache-Control": "no-store", "Content-Type": _PLAIN, **(more or {})}
    return _respond(status, fields, f"{status} {HTTPStatus(status).phrase}\n".encode(), method)


def respond_without_page(method: str) -> Response:
    """Answer any request where WebSockets are not installed."""
    fields = {"Cache-Control": "no-store", "Content-Type": _PLAIN}
    return _respond(503, fields, _NO_PAGE.encode(), method)


def refuse_host() -> Response:
    """Answer a request that names this server as nobody at home would."""
    fields = {"Cache-Control": "no-store", "Content-Type": _PLAIN}
    return _respond(421, fields, _UNKNOWN_HOST.encode())


def accepts_host(headers: Mapping[str, str], public_url: str = "") -> bool:
    """Return True if a browser may know this server by the name that it asks for.

    Anybody can have a name of their own resolve to an address in somebody's home, and their page
    is then of one origin with ours. So only addresses are taken, and names that cannot be bought:
    those without a dot (as IPv6 addresses have none), and those of local networks. With a public
    URL the origin alone counts: a proxy may name any host.
    """
    name = headers.get("host", "").lower().partition(":")[0].rstrip(".")
    if public_url or "." not in name or name.endswith(_LOCAL_NAMES):
        return True
    try:
        IPv4Address(name)
    except ValueError:
        return False
    return True


def accepts_origin(headers: Mapping[str, str], public_url: str = "") -> bool:
    """Return True if our own page opens a WebSocket.

    Browsers keep the keys of players, so a page of another site must not get at them. Only
    browsers name an origin, and they all do. With a public URL no other host is ours.
    """
    origin = headers.get("origin")
    if origin is None:
        return True
    host = origin.partition("://")[2]
    return bool(host) and host == (urlsplit(public_url).netloc or headers.get("host"))


def _respond(status: int, fields: Mapping[str, str], body: bytes, method: str = "GET") -> Response:
    protection = _ALWAYS if fields["Content-Type"].startswith(_PARTS) else _OF_DOCUMENTS
    headers = {**protection, **fields, "Content-Length": str(len(body))}
    return Response(status, headers, b"" if method == "HEAD" else body)


@cache
def _site(public_url: str) -> Mapping[str, _File]:
    """Read the files, and replace names of files by those with hashes.

    Pictures for links are fetched by programs that know no relative addresses.
    """
    contents = {name: _script(name) if name.endswith(".js") else _read(name) for name in _ASSETS}
    names: dict[str, str] = {}
    for name in _ASSETS:
        for plain, hashed in names.items():
            contents[name] = re.sub(
                rf"""(["'](?:\./)?){re.escape(plain)}(?=["'])""".encode(),
                rf"\g<1>{hashed}".encode(),
                contents[name],
            )
        names[name] = f"{_hash(contents[name])}.{name}"
    parts = {f"/{hashed}": _file(name, contents[name], _FOR_EVER) for name, hashed in names.items()}
    if public_url:
        named = f'content="{names["picture.png"]}"'.encode()
        whole = f'content="{public_url.rstrip("/")}/{names["picture.png"]}"'.encode()
        contents[_PAGE] = contents[_PAGE].replace(named, whole)
    page = _file(_PAGE, contents[_PAGE], "no-cache")
    return {**parts, "/": page}


def _read(name: str) -> bytes:
    content = get_data(__package__, f"assets/{name}") or b""
    if name.endswith(".html"):
        return re.sub(rb"(?m)^[ \t]*\n?", b"", content)
    if name.endswith(".css"):
        content = re.sub(rb"\s+", b" ", re.sub(rb"(?s)/\*.*?\*/", b"", content))
        return re.sub(rb" ?([{};,]) ?", rb"\1", content).replace(b": ", b":").replace(b";}", b"}")
    return content


def _script(name: str) -> bytes:
    if name != _SCRIPT:
        return shrink(_read(name).decode()).encode()
    modules = {module: _read(f"{module}.js").decode() for module in MODULES}
    return shrink(join(modules)).encode()


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()[:8]


def _file(name: str, content: bytes, caching: str) -> _File:
    packed = compress(content, level=9, wbits=MAX_WBITS | _GZIP)
    if len(packed) > 0.9 * len(content):
        packed = b""
    content_type = _TYPES[name.rpartition(".")[2]]
    return _File(content, packed, content_type, f'"{_hash(content)}"', caching)
