"""The client's conversation over a blocking socket: packets out, and the last of their screens in.

It blocks because the bot has nothing to do but wait for its screen. It does not return to a game
that was cut off. Anything that goes wrong becomes a BotError of one sentence.
"""

from __future__ import annotations

import random
import socket
from collections.abc import Iterable
from contextlib import suppress
from types import TracebackType
from typing import Final, Protocol, Self

from jminesweeper.bot.playing import BotError
from jminesweeper.client import events
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import ClientConversation
from jminesweeper.client.escapes import plain_text
from jminesweeper.client.events import ClientEvent
from jminesweeper.client.profile import Profile, TerminalSize
from jminesweeper.client.timers import Backoff
from jminesweeper.client.tls import explain_tls, trusting
from jminesweeper.protocol import Packet, ScreenContent

TIMEOUT_S: Final = 30.0
_MOST_UNANSWERED: Final = 64
_CHUNK: Final = 1 << 16
_SIZE: Final = TerminalSize(80, 24)
# The socket has a timeout of its own, so the conversation's deadlines do not matter.
_NOW_S: Final = 0.0


class Server(Protocol):
    """Anything that answers packets with screens."""

    def ask(self, *packets: Packet) -> bytes:
        """Return the screen after the last of these packets."""


class BlockingClient:
    """A connection to a server, greeted in the version that the profile asks for."""

    def __init__(self, address: Address, profile: Profile, timeout_s: float = TIMEOUT_S) -> None:
        self._address = address
        self._conversation = ClientConversation(profile, _SIZE, Backoff(random.random))
        self._screen = b""
        try:
            self._socket = socket.create_connection((address.host, address.port), timeout_s)
        except OSError as error:
            raise BotError(f"Cannot connect to {address}: {_reason(error)}.") from error
        if address.has_tls:
            self._begin_tls()
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._conversation.connected(_NOW_S)

    def _begin_tls(self) -> None:
        host = self._address.host
        try:
            self._socket = trusting(None).wrap_socket(self._socket, server_hostname=host)
        except OSError as error:
            self._socket.close()
            raise BotError(explain_tls(self._address, error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._conversation.quit()
        # A server that has hung up already needs no goodbye.
        with suppress(OSError):
            self._socket.sendall(self._conversation.data_to_send())
        self._socket.close()

    def greet(self) -> int:
        """Return the version of the protocol that this connection speaks."""
        self._exchange()
        return self._conversation.version

    def ask(self, *packets: Packet) -> bytes:
        """Send packets, and return the screen after the last of them."""
        self.greet()
        for start in range(0, len(packets), _MOST_UNANSWERED):
            self._conversation.send(packets[start : start + _MOST_UNANSWERED], _NOW_S)
            self._exchange()
        return self._screen

    def _exchange(self) -> None:
        """Send and receive until no reply is owed."""
        conversation = self._conversation
        while conversation.owed or not conversation.is_playing:
            try:
                self._socket.sendall(conversation.data_to_send())
                data = self._socket.recv(_CHUNK)
            except OSError as error:
                raise self._failure(f"The server does not answer: {_reason(error)}.") from error
            if data:
                self._follow(conversation.receive(data, _NOW_S))
            else:
                self._follow(conversation.lose("The server hung up.", _NOW_S))

    def _follow(self, happened: Iterable[ClientEvent]) -> None:
        for event in happened:
            match event:
                case events.FirstScreen(text=text) | events.Shown(packet=ScreenContent(text)):
                    self._screen = text
                case events.Shown():
                    raise self._failure("The server sent something that is no screen.")
                case events.Interrupted(reason) | events.Over(reason):
                    raise self._failure(reason)
                case events.Dismissed(text=text):
                    raise self._failure(" ".join(plain_text(text)))
                case _:
                    # Requests to dial or to hang up: the end of the connection ends the bot.
                    pass

    def _failure(self, sentence: str) -> BotError:
        return BotError(f"{self._address}: {sentence}")


def _reason(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__
