"""The page: the game in a browser, and what a browser gets for each path.

It knows neither a socket nor a game: bytes go in, bytes come out, and the page's script speaks
the protocol of the game by itself, through a WebSocket.
"""

from jminesweeper.web.exchange import Exchange
from jminesweeper.web.request import HttpError, Request, read_request
from jminesweeper.web.site import SUBPROTOCOL, Response, respond

__all__ = [
    "SUBPROTOCOL",
    "Exchange",
    "HttpError",
    "Request",
    "Response",
    "read_request",
    "respond",
]
