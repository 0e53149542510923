"""The head of an HTTP request, as much of it as a site of a few files needs.

Only requests without a body are read. What is unclear is refused rather than guessed: two readers
of one request who disagree about its end are how requests are smuggled through proxies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from jminesweeper.core.errors import JMinesweeperError

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
