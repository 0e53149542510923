"""HTTP with a browser, as much of it as a site of a few files needs.

An `Exchange` is a connection until it ends or becomes a WebSocket: bytes go in, bytes come out;
afterwards the caller looks at the result.

Only requests without a body are read. What is unclear is refused rather than guessed: two readers
of one request who disagree about its end are how requests are smuggled through proxies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.web.site import (
    SOCKET_PATH,
    Response,
    accepts_host,
    accepts_origin,
    own_path,
    refuse,
    refuse_host,
    respond,
    respond_without_page,
)

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
