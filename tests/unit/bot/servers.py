"""Servers without a network: our own session, and recorded answers."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Protocol

from jminesweeper.client.events import Viewed
from jminesweeper.core.minefield import seeded_bits
from jminesweeper.protocol.packets import Packet, View
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Matches
from jminesweeper.session.session import Session
from tests.integration.scripted_server import Peer, Script


class PacketServer(Protocol):
    """Anything that answers packets."""

    def ask(self, *packets: Packet) -> Packet:
        """Return the last reply."""


class OwnServer:
    """Our own session; keeps count of what it was asked."""

    def __init__(self, seed: int = 1) -> None:
        self.received: list[Packet] = []
        self._session = Session(SessionConfig(), seeded_bits(seed), Matches())
        self._reader = PacketReader(Direction.FROM_SERVER)

    def ask(self, *packets: Packet) -> Packet:
        screens: list[Packet] = []
        for packet in packets:
            self.received.append(packet)
            reply, _ = self._session.receive(packet, len(self.received))
            screens += self._reader.feed(reply)
        return screens[-1]


class Recorded:
    """Answers with these screens in their order, and with the last one from then on."""

    def __init__(self, *screens: Packet) -> None:
        self._screens = list(screens)

    def ask(self, *_packets: Packet) -> Packet:
        return self._screens.pop(0) if len(self._screens) > 1 else self._screens[0]


class FakeLink:
    """A link to a server in this process."""

    def __init__(self, server: PacketServer) -> None:
        self._server = server
        self._shown: list[Viewed] = []

    async def ask(self, *packets: Packet) -> None:
        answer = self._server.ask(*packets)
        if isinstance(answer, View):
            self._shown.append(Viewed(answer.members(), answer.cells, packets[-1]))

    def take_shown(self) -> Sequence[Viewed]:
        shown, self._shown = self._shown, []
        return shown


def served(server: PacketServer) -> Script:
    """Serve one connection."""

    def script(peer: Peer) -> None:
        peer.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while (packet := peer.receive()) is not None and packet is not Command.QUIT:
            peer.send(server.ask(packet))

    return script
