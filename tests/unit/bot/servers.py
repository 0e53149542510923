"""Servers without a network: our own session, and one that paints everything otherwise."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from typing import Protocol

from jminesweeper.bot.link import Shown
from jminesweeper.client.events import Viewed
from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.generator import seeded_bits
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, Level
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView
from jminesweeper.protocol.packets import Packet, ScreenContent, Start, View
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


class OtherServer:
    """Plays document J's game and shows it in a way of its own.

    Its cells stand three columns and two lines apart, under a heading that asks a question. Marks
    are a flag of two columns, bombs an `@`; marked bombs at the end are a `+`.
    """

    _MOVES: Mapping[Packet, tuple[int, int]] = {
        Command.MOVE_LEFT: (-1, 0),
        Command.MOVE_RIGHT: (1, 0),
        Command.MOVE_UP: (0, -1),
        Command.MOVE_DOWN: (0, 1),
    }
    _ACTIONS: Mapping[Packet, ActionKind] = {
        Command.REVEAL: ActionKind.REVEAL,
        Command.TOGGLE_BOMB_MARK: ActionKind.FLAG,
    }
    _MARKS: Mapping[str, str] = {"F": "🚩", "B": "@", "X": "@"}

    def __init__(self, seed: int = 1) -> None:
        self._seed = seed
        self._game = self._deal(Size(1, 1), Level.EASY)
        self._cursor = Cell(0, 0)

    def ask(self, *packets: Packet) -> ScreenContent:
        for packet in packets:
            self.receive(packet)
        return ScreenContent(self.screen())

    def receive(self, packet: Packet) -> None:
        if isinstance(packet, Start):
            self._game = self._deal(Size(packet.columns, packet.rows), Level(packet.level))
            self._cursor = Cell(0, 0)
        elif packet in self._MOVES:
            across, down = self._MOVES[packet]
            self._cursor = Cell(self._cursor.column + across, self._cursor.row + down)
        elif packet in self._ACTIONS:
            self._game.apply(Action(self._ACTIONS[packet], self._cursor), 0)

    def screen(self) -> bytes:
        lines = ["\x1b[2J\x1b[HMines? All yours!", "\x1b[31m--------\x1b[0m", ""]
        for row in str(self._game.view).splitlines():
            cells = (self._MARKS.get(letter, letter) for letter in row)
            lines += ["".join(f"  {cell}" if cell != "🚩" else f" {cell}" for cell in cells), ""]
        return "\n".join([*lines, "Help? Press nothing."]).encode()

    @property
    def view(self) -> PlayerView:
        return self._game.view

    def _deal(self, size: Size, level: Level) -> Game:
        self._seed += 1
        return Game(Setup.of(size, level.mines(size), PRESETS["jminesweeper"], seed=self._seed))


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
        self._shown: list[Shown] = []

    async def ask(self, *packets: Packet) -> None:
        answer = self._server.ask(*packets)
        if isinstance(answer, View):
            self._shown.append(Viewed(answer.members(), answer.cells, packets[-1]))
        elif isinstance(answer, ScreenContent):
            self._shown.append(answer)

    def take_shown(self) -> Sequence[Shown]:
        shown, self._shown = self._shown, []
        return shown


def served(server: PacketServer) -> Script:
    """Serve one connection."""

    def script(peer: Peer) -> None:
        peer.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while (packet := peer.receive()) is not None and packet is not Command.QUIT:
            peer.send(server.ask(packet))

    return script
