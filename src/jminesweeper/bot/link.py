"""A bot's connection to a server: it sends packets, and keeps their replies until asked.

It is a program like the terminal's, with the client's conversation, and the driver that runs all of
them runs it, beside the bot. Its player is the bot: what that wants to send comes as an event, and
where a terminal would paint, the bot's `ask` returns. It never resumes a game that was cut off. Any
failure becomes a BotError of one sentence.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, Protocol

from jminesweeper.client import ClientError, events
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Backoff, ClientConversation, ClientState, Profile
from jminesweeper.client.driver import Driver
from jminesweeper.client.events import (
    ClientEvent,
    ConnectionRequest,
    Deliver,
    Effect,
    Event,
    OutletEffect,
    Viewed,
)
from jminesweeper.client.transport import Link, Network, connect, trusting
from jminesweeper.protocol.packets import Packet
from jminesweeper.terminal.view import GameView, ViewError


class BotError(ClientError):
    """The server has no game that a program can play, or is not there."""

    __module__ = "jminesweeper"


TIMEOUT_S: Final = 30.0
_MOST_UNANSWERED: Final = 64


class PacketLink(Protocol):
    """Anything that answers packets."""

    async def ask(self, *packets: Packet) -> None:
        """Send packets, and wait until each of them is answered."""

    def take_shown(self) -> Sequence[Viewed]:
        """Return the views that came since the last call."""


class ServerLink:
    """A connection that is open and greeted; `link_to` makes one.

    It is the program of a driver, and its outlet, too: nothing is painted.
    """

    is_ready = False

    def __init__(self, address: Address, profile: Profile, timeout_s: float) -> None:
        self._address = address
        self._timeout_s = timeout_s
        self._conversation = ClientConversation(profile, Backoff(random.random))
        self._driver = Driver(self)
        self._network = Network(self._driver.deliver, self._dial)
        self._turn = asyncio.Lock()
        self._answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._running: asyncio.Task[object] | None = None
        self._shown: list[Viewed] = []
        self.deadline: float | None = None
        """The server has to send something until then."""

    # To the bot

    async def open(self) -> None:
        """Connect, and greet the server."""
        self._running = asyncio.create_task(self._driver.run(self, self._network))
        await self._answered

    async def ask(self, *packets: Packet) -> None:
        async with self._turn:
            for start in range(0, len(packets), _MOST_UNANSWERED):
                if not self._conversation.is_connected:
                    raise self._failure("The connection has ended.")
                self._answered = asyncio.get_running_loop().create_future()
                self._driver.deliver(events.Submitted(packets[start : start + _MOST_UNANSWERED]))
                await self._answered

    def take_shown(self) -> Sequence[Viewed]:
        shown, self._shown = self._shown, []
        return shown

    def send(self, packet: Packet) -> None:
        """Send a packet whose reply nobody waits for, if the connection still exists."""
        if self._conversation.is_connected:
            self._driver.deliver(events.Submitted([packet]))

    async def close(self) -> None:
        """Send QUIT, if the connection still exists."""
        if self._running is not None:
            self._driver.deliver(events.Stopped(0))
            await self._running
            await self._network.finish()

    # To the driver

    def begin(self, now_s: float, /) -> list[Effect]:
        """Connect for the first time; how long that may take the connection knows itself."""
        return [ConnectionRequest.DIAL]

    def handle(self, event: Event, now_s: float, /) -> list[Effect]:
        """Send and receive; once no reply is owed the bot continues."""
        conversation, failure = self._conversation, None
        match event:
            case events.Connected():
                conversation.connected(now_s)
            case events.Submitted(packets):
                conversation.send(packets, now_s)
            case events.Received(data):
                failure = self._follow(conversation.receive(data, now_s))
            case events.Lost(reason) if conversation.state is ClientState.DIALLING:
                failure = BotError(reason)
            case events.Lost(reason):
                failure = self._follow(conversation.lose(reason, now_s))
            case events.Expired():
                failure = self._failure("The server does not answer.")
            case _:
                conversation.quit()
                return [events.Send(conversation.data_to_send()), events.Leave(0)]
        if failure is not None:
            if not self._answered.done():
                self._answered.set_exception(failure)
            conversation.quit()
            return [ConnectionRequest.HANG_UP, events.Leave(1)]
        is_owed = conversation.owed > 0 or not conversation.is_playing
        self.deadline = now_s + self._timeout_s if is_owed else None
        if not (is_owed or self._answered.done()):
            self._answered.set_result(None)
        return [events.Send(conversation.data_to_send())]

    def paint(self, _now_s: float, /) -> str:
        """Return nothing: a bot reads views."""
        return ""

    def perform(self, effect: OutletEffect, /) -> None:
        """Carry nothing out: a conversation alone asks for no such thing."""

    def write(self, text: str, /) -> None:
        """Show nothing."""

    async def _dial(self, deliver: Deliver) -> Link:
        trust = trusting(None) if self._address.has_tls else None
        return Link(
            await connect(self._address, "The server", deliver, self._timeout_s, trust=trust)
        )

    def _follow(self, happened: Sequence[ClientEvent]) -> BotError | None:
        """Keep the views; return why there will be no more of them, if so."""
        for event in happened:
            match event:
                case Viewed():
                    self._shown.append(event)
                case events.FrameReceived():
                    return self._failure("The server sent something that is not a view.")
                case events.Interrupted(reason) | events.Over(reason):
                    return self._failure(reason)
                case events.Dismissed():
                    # What was shown last says why.
                    view, members = GameView(), self._shown[-1].members if self._shown else {}
                    with suppress(ViewError):
                        view.update({"message": members.get("message")}, b"")
                    return self._failure(view.message.text or "The server ended the game.")
                case _:
                    # Requests to dial or to hang up: the end of the connection ends the bot.
                    pass
        return None

    def _failure(self, sentence: str) -> BotError:
        return BotError(f"{self._address}: {sentence}")


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
