"""A player of version 2 who remembers everything, also what a store has to remember of it.

The game is played along on the engine: so what a server shows and stores after a crash can be
compared with what was acknowledged before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Final, NamedTuple

from jminesweeper.check.suite import ServerClosedError
from jminesweeper.core.actions import Action, ActionKind, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import MoveTo, NewGame, Packet, Undo
from jminesweeper.protocol.vocabulary import Command
from tests.integration.view_player import ViewPlayer

SIZE: Final = Size(9, 9)
MINES: Final = 10
MOVES: Final[Mapping[Packet, tuple[int, int]]] = {
    Command.MOVE_LEFT: (-1, 0),
    Command.MOVE_RIGHT: (1, 0),
    Command.MOVE_UP: (0, -1),
    Command.MOVE_DOWN: (0, 1),
}
ACTIONS: Final[Mapping[Packet, ActionKind]] = {
    Command.REVEAL: ActionKind.REVEAL,
    Command.TOGGLE_BOMB_MARK: ActionKind.FLAG,
}
_USUAL: Final[Sequence[Packet]] = [
    *MOVES,
    *[Command.REVEAL] * 4,
    *[Command.TOGGLE_BOMB_MARK] * 3,
]


class Snapshot(NamedTuple):
    """A game as it is kept: which one, every action in order, the cursor, and the pause."""

    seed: int
    actions: tuple[tuple[int, int], ...]
    cursor: Cell
    is_paused: bool

    def is_as_far_as(self, other: Snapshot | None) -> bool:
        return other is not None and self[:2] == other[:2]


def actions_of(entries: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Kinds and cells of a log, without their times."""
    return tuple((kind, index) for _, kind, index, _ in map(unpack_entry, entries))


def new_game(seed: int) -> Game:
    return Game(Setup.of(SIZE, MINES, PRESETS["classic"], seed=seed))


class PlayedGame:
    """One game as the session has to play it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.game = new_game(seed)
        self.cursor = self.game.setup.start
        self.is_paused = False

    @classmethod
    def resumed(cls, snapshot: Snapshot) -> PlayedGame:
        played = cls(snapshot.seed)
        grid = played.game.grid
        for number, index in snapshot.actions:
            kind = ActionKind(number)
            is_on_a_cell = kind in ACTIONS.values()
            played.game.apply(Action(kind, grid.cell(index) if is_on_a_cell else None), 0)
        played.cursor, played.is_paused = snapshot.cursor, snapshot.is_paused
        return played

    @property
    def is_over(self) -> bool:
        return self.game.status is not Status.ONGOING

    def snapshot(self) -> Snapshot:
        actions = actions_of(self.game.log.entries)
        return Snapshot(self.seed, actions, self.cursor, self.is_paused)

    def left(self) -> Snapshot | None:
        """Return what is left of it as the current game when another begins."""
        if self.game.visible | self.game.flagged:
            return None  # it is set aside
        self.game.terminate()
        return self.snapshot()

    def play(self, packet: Packet) -> None:
        if packet is Command.PAUSE and not self.is_over:
            self.is_paused = not self.is_paused
        elif isinstance(packet, Undo) and not self.is_paused:
            for _ in range(packet.steps):
                self.game.apply(Action(ActionKind.UNDO), 0)
        elif not (self.is_over or self.is_paused):
            self._play_on(packet)

    def _play_on(self, packet: Packet) -> None:
        if packet in ACTIONS:
            self.game.apply(Action(ACTIONS[packet], self.cursor), 0)
        elif isinstance(packet, MoveTo):
            self.cursor = Cell(packet.column, packet.row)
        elif packet in MOVES:
            columns, rows = MOVES[packet]
            self.cursor = Cell(
                min(max(self.cursor.column + columns, 0), SIZE.columns - 1),
                min(max(self.cursor.row + rows, 0), SIZE.rows - 1),
            )


class Moment(NamedTuple):
    """The content that a store must have after a packet, if it was answered."""

    running: Snapshot | None
    ended: frozenset[int]
    """Seeds of games that have ended, or were given up for another one."""
    is_awaited: bool = True
    """The answer waits until it is stored."""
    counted: frozenset[int] = frozenset()
    """Of those that have ended all but one that was taken up again."""


class DurablePlayer:
    """Plays at random on one connection after the other, always with the same key."""

    def __init__(self, key: bytes, random: Random) -> None:
        self.key = key
        self.random = random
        self.played: PlayedGame | None = None
        self.moments = [Moment(None, frozenset())]
        """Before the first packet of this connection, and after each."""
        self.answered = 0
        """Number of packets of this connection that were answered, without HELLO."""
        self._peer: ViewPlayer | None = None

    @property
    def peer(self) -> ViewPlayer:
        assert self._peer is not None
        return self._peer

    def connect(self, port: int) -> ViewPlayer:
        """Say HELLO; the screen then is that of the game that goes on."""
        self._peer = ViewPlayer(port, self.key)
        return self._peer

    def go_on_from(self, kept: Snapshot | None) -> None:
        """Play the game that was kept, unless it has ended."""
        self.played = None if kept is None else PlayedGame.resumed(kept)
        if self.played is not None and self.played.is_over:
            self.played = None
        ended = self.moments[-1].ended
        self.moments = [Moment(kept, ended, counted=self._counted(ended))]
        self.answered = 0

    def send_some(self) -> int:
        """Send a few packets in one segment; how many."""
        packets = [self._choose() for _ in range(self.random.choice([1, 1, 2, 5, 9]))]
        self.peer.send(*packets)
        return len(packets)

    def read(self, count: int) -> None:
        for _ in range(count):
            self.peer.read()
            self.answered += 1

    def read_the_rest(self) -> None:
        """Take the replies that a killed server had sent: those count as acknowledged, too."""
        with suppress(ServerClosedError):
            while True:
                self.read(1)
        self.peer.close()

    def kept_at_least(self) -> range:
        """Return the moments that the store may be at.

        Where the cursor is, a pause, and that a game was set aside for another one is stored soon,
        but nobody waits for that: so they may be lost back to the action before them.
        """
        first = self.answered
        while first and not self.moments[first].is_awaited:
            first -= 1
        return range(first, len(self.moments))

    def may_have_counted(self, games: frozenset[int], possible: range) -> bool:
        """Return True if these games had ended, each of which counts at its last end."""
        counted = frozenset.intersection(*(self.moments[number].counted for number in possible))
        return counted <= games <= self.moments[possible[-1]].ended

    def may_be_at(self, kept: Snapshot | None, possible: range) -> bool:
        """Return True if the store has the game as it was at one of these moments."""
        running = [self.moments[number].running for number in possible]
        return kept in running or (
            kept is not None and any(kept.is_as_far_as(each) for each in running)
        )

    def _choose(self) -> Packet:
        packet = self._draw()
        running, ended, *_ = self.moments[-1]
        is_awaited = False
        if isinstance(packet, NewGame):
            played = self.played
            if played is not None and not played.is_over and played.game.was_played:
                running, ended = played.left(), ended | {played.seed}
            self.played = PlayedGame(Setup.parse(packet.board).seed or 0)
        elif self.played is not None:
            length = len(self.played.game.log)
            self.played.play(packet)
            if self.played.game.was_played:
                running = self.played.snapshot()
            if self.played.is_over:
                ended |= {self.played.seed}
            is_awaited = len(self.played.game.log) > length
        self.moments.append(Moment(running, ended, is_awaited, self._counted(ended)))
        return packet

    def _counted(self, ended: frozenset[int]) -> frozenset[int]:
        played = self.played
        return ended if played is None or played.is_over else ended - {played.seed}

    def _draw(self) -> Packet:
        chance = self.random.random()
        if self.played is None or chance < 0.03 or (self.played.is_over and chance < 0.3):
            seed = self.random.getrandbits(SEED_BITS)
            return NewGame(f"beginner seed={seed}")
        if self.played.is_over or chance < 0.07:
            return Undo(self.random.randint(1, 3))
        if chance < 0.09 or self.played.is_paused:
            return Command.PAUSE
        if chance < 0.4:
            return MoveTo(self.random.randrange(SIZE.columns), self.random.randrange(SIZE.rows))
        return self.random.choice(_USUAL)
