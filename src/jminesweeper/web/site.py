"""The page over HTTP: a browser's requests, and the page and its parts by their paths.

An `Exchange` is a connection until it ends or becomes a WebSocket: bytes go in, bytes come out;
afterwards the caller looks at the result. Only requests without a body are read. What is unclear is
refused rather than guessed: two readers of one request who disagree about its end are how requests
are smuggled through proxies.

The page is one answer, with its style, script and icon in it: together they are compressed better
than each by itself, and need one head. It is asked for each time. What comes later are files; a
file's name holds a hash of its content, so browsers keep it forever and ask for a new one as soon
as the page names it. The policy lets nothing run or load but these, by their hashes or addresses.
There is no state, so another site can forge nothing except the WebSocket, which a page of another
origin may not open.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from ipaddress import IPv4Address
from pkgutil import get_data
from typing import Final
from urllib.parse import quote, urlsplit
from zlib import DEFLATED, MAX_WBITS, compressobj

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.web.scripts import join, shrink

# Requests

LONGEST_HEAD: Final = 8 * 1024

_END: Final = b"\r\n\r\n"
_FIRST_LINE: Final = re.compile(r"([A-Z]{1,16}) (/[!-~]*) HTTP/1\.([01])")
_HEADER: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")


class HttpError(JMinesweeperError):
    """Bytes that cannot be answered as a request; `status` says why."""

    def __init__(self, status: int) -> None:
        super().__init__(f"a request that deserves status {status}")
        self.status = status


@dataclass(frozen=True, slots=True)
class Request:
    """A request of a browser; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    is_last: bool = False
    """The connection ends with the answer."""

    @property
    def wants_web_socket(self) -> bool:
        return self.headers.get("upgrade", "").lower() == "websocket"


def read_request(data: bytes) -> tuple[Request, int] | None:
    """Read the request at the start of `data`, and its length; None if it is incomplete."""
    end = data.find(_END, 0, LONGEST_HEAD)
    if end < 0:
        if len(data) >= LONGEST_HEAD:
            raise HttpError(431)
        return None
    first, *lines = data[:end].decode("latin-1").split("\r\n")
    match = _FIRST_LINE.fullmatch(first)
    if match is None:
        raise HttpError(400)
    headers: dict[str, str] = {}
    for line in lines:
        header = _HEADER.fullmatch(line)
        if header is None:
            raise HttpError(400)
        name, value = header[1].lower(), header[2].rstrip()
        if name == "host" and name in headers:
            raise HttpError(400)
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    method, path, minor = match.groups()
    if minor == "1" and "host" not in headers:
        raise HttpError(400)
    if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
        raise HttpError(413)
    is_last = minor == "0" or "close" in headers.get("connection", "").lower()
    return Request(method, path.partition("?")[0], headers, is_last), end + len(_END)


# A connection

_CLOSE: Final = b"Connection: close\r\n\r\n"
_KEEP: Final = b"\r\n"


class Exchange:
    """Requests and their answers, in their order."""

    def __init__(self, *, has_page: bool = True, public_url: str = "") -> None:
        self._data = b""
        self._has_page = has_page
        self._public_url = public_url
        self.is_over = False
        """Nothing more is answered: send the rest, then close."""
        self.upgrade = b""
        """The bytes with which the stream of a WebSocket begins, once one was asked for."""

    def receive(self, data: bytes) -> bytes:
        """Take in bytes; return the answer to the request that they complete."""
        if self.is_over:
            return b""
        self._data += data
        try:
            found = read_request(self._data)
        except HttpError as error:
            return self._finish(refuse(error.status))
        return b"" if found is None else self._answer(*found)

    def _answer(self, request: Request, length: int) -> bytes:
        if not self._has_page:
            return self._finish(respond_without_page(request.method))
        if not accepts_host(request.headers, self._public_url):
            return self._finish(refuse_host())
        path = own_path(request.path, self._public_url)
        if not path:
            return self._finish(refuse(308, {"Location": f"{request.path}/"}))
        if path == SOCKET_PATH:
            return self._open_socket(request)
        self._data = self._data[length:]
        response = respond(request.method, path, request.headers, self._public_url)
        # Browsers wait for each answer. Others could request far more than they send.
        if request.is_last or self._data:
            return self._finish(response)
        return response.head + _KEEP + response.body

    def _open_socket(self, request: Request) -> bytes:
        if request.method != "GET":
            return self._finish(refuse(405, {"Allow": "GET"}, method=request.method))
        if not request.wants_web_socket:
            return self._finish(refuse(426, {"Upgrade": "websocket"}))
        if not accepts_origin(request.headers, self._public_url):
            return self._finish(refuse(403))
        self.upgrade, self._data = self._data, b""
        return b""

    def _finish(self, response: Response) -> bytes:
        self.is_over = True
        return response.head + _CLOSE + response.body


# Answers

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
_STYLE_LINK: Final = '<link rel="stylesheet" href="page.css">'
_SCRIPT_LINK: Final = '<script type="module" src="page.js"></script>'
_SAFE: Final = " <>/=:;,.'"
"""Characters that an address in an attribute may have as they are."""
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
    "together",
    "page",
)
"""In an order in which each imports only those before it."""
STYLES: Final = ("page.css", "together.css")
_PARTS: Final = (
    "icon.svg",
    "icon.png",
    "icon512.png",
    "picture.png",
    "palettes.css",
    "later.css",
    "manifest.webmanifest",
    "after.js",
    "map.js",
    "own.js",
    "replay.js",
    "sounds.js",
    "worker.js",
)
"""In an order in which each names only those before it."""
_PLAIN: Final = "text/plain; charset=utf-8"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'{script}; style-src 'self'{style}; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_OF_PARTS: Final[Mapping[str, str]] = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
_OF_DOCUMENTS: Final[Mapping[str, str]] = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": _POLICY.format(script="", style=""),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
"""Parts need none of these, which would double what small ones weigh."""
_FOR_EVER: Final = "max-age=31536000, immutable"
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
    tag: str
    headers: Mapping[str, str]


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
    cached = {"ETag": file.tag, "Vary": "Accept-Encoding"}
    if file.tag in headers.get("if-none-match", ""):
        return Response(304, {**cached, "Cache-Control": file.headers["Cache-Control"]})
    fields = {**file.headers, **cached}
    content = file.content
    if file.packed and re.search(r"\bgzip\b(?!;q=0)", headers.get("accept-encoding", "")):
        content, fields["Content-Encoding"] = file.packed, "gzip"
    return _respond(200, fields, content, method)


def refuse(status: int, more: Mapping[str, str] | None = None, *, method: str = "GET") -> Response:
    """Answer with nothing but a status, in words."""
    return _say(status, f"{status} {HTTPStatus(status).phrase}\n", more or {}, method)


def respond_without_page(method: str) -> Response:
    """Answer any request where WebSockets are not installed."""
    return _say(503, _NO_PAGE, {}, method)


def refuse_host() -> Response:
    """Answer a request that names this server as nobody at home would."""
    return _say(421, _UNKNOWN_HOST, {}, "GET")


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


def _say(status: int, text: str, more: Mapping[str, str], method: str) -> Response:
    fields = {**_OF_DOCUMENTS, "Cache-Control": "no-store", "Content-Type": _PLAIN, **more}
    return _respond(status, fields, text.encode(), method)


def _respond(status: int, fields: Mapping[str, str], body: bytes, method: str) -> Response:
    headers = {**fields, "Content-Length": str(len(body))}
    return Response(status, headers, b"" if method == "HEAD" else body)


def load(public_url: str) -> None:
    """Read, shrink and compress the page, which takes a tenth of a second."""
    _site(public_url)


@cache
def _site(public_url: str) -> Mapping[str, _File]:
    """Read the files, and replace names of files by those with hashes."""
    names: dict[str, str] = {}
    files: dict[str, _File] = {}
    for name in _PARTS:
        content, kind = _read(name), name.rpartition(".")[2]
        if kind != "png":
            text = _SHRINKERS.get(kind, str)(content.decode())
            content = _name_parts(text, names).encode()
        names[name] = f"{_hash(content)}.{name}"
        headers = {**_OF_PARTS, "Cache-Control": _FOR_EVER, "Content-Type": _TYPES[kind]}
        files[f"/{names[name]}"] = _file(content, headers)
    return {**files, "/": _page(names, public_url)}


def _page(names: Mapping[str, str], public_url: str) -> _File:
    """Put the page together, and say in its policy which script and style are in it.

    Pictures for links are fetched by programs that know no relative addresses.
    """
    modules = {module: _read(f"{module}.js").decode() for module in MODULES}
    script = _name_parts(shrink(join(modules)), names)
    style = "".join(_shrink_style(_read(name).decode()) for name in STYLES)
    picture = f"{public_url.rstrip('/')}/{names['picture.png']}" if public_url else None
    icon = f"data:{_TYPES['svg']},{quote(_read('icon.svg'), safe=_SAFE)}"
    named = {**names, "icon.svg": icon} | ({"picture.png": picture} if picture else {})
    text = _name_parts(re.sub(r">\s+<", "><", _read(_PAGE).decode()), named)
    text = text.replace(_STYLE_LINK, f"<style>{style}</style>")
    text = text.replace(_SCRIPT_LINK, f'<script type="module">{script}</script>')
    policy = _POLICY.format(script=_permit(script), style=_permit(style))
    fields = {"Content-Security-Policy": policy, "Cache-Control": "no-cache"}
    return _file(text.encode(), {**_OF_DOCUMENTS, **fields, "Content-Type": _TYPES["html"]})


def _permit(text: str) -> str:
    """Name a script or style that is in the page, for its policy."""
    return f" 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _name_parts(text: str, names: Mapping[str, str]) -> str:
    """Replace names of files where they stand for an address."""

    def name(found: re.Match[str]) -> str:
        return f"{found[1]}{names.get(found[2], found[2])}"

    return re.sub(r"""(["'](?:\./)?)([\w.]+)(?=["'])""", name, text)


def _read(name: str) -> bytes:
    return get_data(__package__, f"assets/{name}") or b""


def _shrink_style(text: str) -> str:
    text = re.sub(r"\s+", " ", re.sub(r"(?s)/\*.*?\*/", "", text))
    return re.sub(r" ?([{};,>/!]) ?", r"\1", text).replace(": ", ":").replace(";}", "}")


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()[:8]


def _file(content: bytes, headers: Mapping[str, str]) -> _File:
    # Where zlib begins another table of codes depends on its memory; only trying shows the best.
    packed = min((_pack(content, level) for level in range(5, 10)), key=len)
    if len(packed) > 0.9 * len(content):
        packed = b""
    return _File(content, packed, f'"{_hash(content)}"', headers)


def _pack(content: bytes, memory_level: int) -> bytes:
    packer = compressobj(9, DEFLATED, MAX_WBITS | _GZIP, memory_level)
    return packer.compress(content) + packer.flush()


_SHRINKERS: Final[Mapping[str, Callable[[str], str]]] = {"js": shrink, "css": _shrink_style}
