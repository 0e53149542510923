"""A connection of a browser, until it ends or becomes a WebSocket.

Bytes go in, bytes come out; afterwards the caller looks at the result.
"""

from __future__ import annotations

from typing import Final

from jminesweeper.web.request import HttpError, Request, read_request
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
