"""A bot's connection to a server: it sends packets, and keeps their replies until asked.

It drives the client's conversation, as a terminal does, but never resumes a game that was cut off.
Any failure becomes a BotError of one sentence.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, Protocol

from jminesweeper.client import events
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Backoff, ClientConversation, Profile
from jminesweeper.client.errors import ClientError
from jminesweeper.client.events import ClientEvent, Event, Viewed
from jminesweeper.client.transport import ServerConnection, connect, trusting
from jminesweeper.protocol.packets import Packet
from jminesweeper.terminal.view import GameView, ViewError


class BotError(ClientError):
    """The server has no game that a program can play, or is not there."""

    __module__ = "jminesweeper"


TIMEOUT_S: Final = 30.0
_GOODBYE_S: Final = 1.0
_MOST_UNANSWERED: Final = 64
# Each wait has a timeout of its own, so the conversation's deadlines do not matter.
_NOW_S: Final = 0.0


class PacketLink(Protocol):
    """Anything that answers packets."""

    async def ask(self, *packets: Packet) -> None:
        """Send packets, and wait until each of them is answered."""

    def take_shown(self) -> Sequence[Viewed]:
        """Return the views that came since the last call."""


class ServerLink:
    """A connection that is open and greeted; `link_to` makes one."""

    def __init__(self, address: Address, profile: Profile, timeout_s: float) -> None:
        self._address = address
        self._timeout_s = timeout_s
        self._conversation = ClientConversation(profile, Backoff(random.random))
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._turn = asyncio.Lock()
        self._shown: list[Viewed] = []
        self._connection: ServerConnection | None = None

    async def open(self) -> None:
        """Connect, and greet the server."""
        try:
            self._connection = await connect(
                self._address,
                "The server",
                self._events.put_nowait,
                self._timeout_s,
                trust=trusting(None) if self._address.has_tls else None,
            )
        except ClientError as error:
            raise BotError(str(error)) from error
        self._conversation.connected(_NOW_S)
        await self._exchange(self._connection)

    async def ask(self, *packets: Packet) -> None:
        async with self._turn:
            if self._connection is None or not self._conversation.is_connected:
                raise self._failure("The connection has ended.")
            for start in range(0, len(packets), _MOST_UNANSWERED):
                self._conversation.send(packets[start : start + _MOST_UNANSWERED], _NOW_S)
                await self._exchange(self._connection)

    def take_shown(self) -> Sequence[Viewed]:
        shown, self._shown = self._shown, []
        return shown

    def send(self, packet: Packet) -> None:
        """Send a packet whose reply nobody waits for, if the connection still exists."""
        if self._connection is not None and self._conversation.is_connected:
            self._conversation.send([packet], _NOW_S)
            self._connection.send(self._conversation.data_to_send())

    async def close(self) -> None:
        """Send QUIT, if the connection still exists."""
        if self._connection is not None:
            self._conversation.quit()
            self._connection.send(self._conversation.data_to_send())
            await self._connection.finish(_GOODBYE_S)
            await self._connection.closed.wait()

    async def _exchange(self, connection: ServerConnection) -> None:
        """Send and receive until no reply is owed."""
        conversation = self._conversation
        while conversation.owed or not conversation.is_playing:
            connection.send(conversation.data_to_send())
            try:
                async with asyncio.timeout(self._timeout_s):
                    event = await self._events.get()
            except TimeoutError:
                raise self._failure("The server does not answer.") from None
            match event:
                case events.Received(data):
                    self._follow(conversation.receive(data, _NOW_S))
                    connection.resume()
                case events.Lost(reason):
                    self._follow(conversation.lose(reason, _NOW_S))
                case _:
                    # Nothing else is reported of a connection.
                    pass

    def _follow(self, happened: Iterable[ClientEvent]) -> None:
        for event in happened:
            match event:
                case Viewed():
                    self._shown.append(event)
                case events.FrameReceived():
                    raise self._failure("The server sent something that is not a view.")
                case events.Interrupted(reason) | events.Over(reason):
                    raise self._failure(reason)
                case events.Dismissed():
                    raise self._failure(_last_words(self._shown))
                case _:
                    # Requests to dial or to hang up: the end of the connection ends the bot.
                    pass

    def _failure(self, sentence: str) -> BotError:
        return BotError(f"{self._address}: {sentence}")


def _last_words(shown: Sequence[Viewed]) -> str:
    """Return what a server says when it ends the game."""
    view = GameView()
    if shown and "message" in shown[-1].members:
        with suppress(ViewError):
            view.update({"message": shown[-1].members["message"]}, b"")
    return view.message.text or "The server ended the game."


@asynccontextmanager
async def link_to(
    address: Address, profile: Profile, timeout_s: float = TIMEOUT_S
) -> AsyncIterator[ServerLink]:
    """Connect to a server for as long as a block lasts; BotError if that fails."""
    link = ServerLink(address, profile, timeout_s)
    try:
        await link.open()
        yield link
    finally:
        await link.close()
