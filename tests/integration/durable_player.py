"""A player of version 2 who remembers everything, also what a store has to remember of it.

The game is played along on the engine: so what a server shows and stores after a crash can be
compared with what was acknowledged before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Final, NamedTuple

from jminesweeper.check.deviation import ServerClosedError
from jminesweeper.core.actions import Action, ActionKind, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import MoveTo, NewGame, Packet, Undo
from jminesweeper.protocol.vocabulary import Command, GameKind, NewGameFlag, RulesCode
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
    """What is kept of a game: which one, every action in order, the cursor, and the pause."""

    seed: int
    actions: tuple[tuple[int, int], ...]
    cursor: Cell
    is_paused: bool

    def is_as_far_as(self, other: Snapshot | None) -> bool:
        return other is not None and self[:2] == other[:2]


def actions_of(entries: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Kinds and cells of a log, without their times."""
    return tuple((kind, index) for _, kind, index in map(unpack_entry, entries))


def new_game(seed: int) -> Game:
    return Game(Setup.of(SIZE, MINES, PRESETS["classic"], seed=seed))


class PlayedGame:
    """One game as the session has to play it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.game = new_game(seed)
        self.cursor = Cell(0, 0)
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
    """What a store has to have after a packet, if it was answered."""

    running: Snapshot | None
    ended: frozenset[int]
    """Seeds of games that have ended."""


class DurablePlayer:
    """Plays at random on one connection after the other, always with the same key."""

    def __init__(self, key: bytes, random: Random) -> None:
        self.key = key
        self.random = random
        self.played: PlayedGame | None = None
        self.moments = [Moment(None, frozenset())]
        """Before the first packet of this connection, and after each."""
        self.answered = 0
        """How many packets of this connection were answered, HELLO apart."""
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
        self.moments = [Moment(kept, self.moments[-1].ended)]
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

        Moves of the cursor are stored soon, but nobody waits for that: so they may be lost back to
        the action before them.
        """
        first, running = self.answered, self.moments[self.answered].running
        while (
            first and running is not None and running.is_as_far_as(self.moments[first - 1].running)
        ):
            first -= 1
        return range(first, len(self.moments))

    def _choose(self) -> Packet:
        packet = self._draw()
        ended = self.moments[-1].ended
        running = self.moments[-1].running
        if isinstance(packet, NewGame):
            if (gave_up := self._give_up()) is not None:
                running, ended = gave_up, ended | {gave_up.seed}
            self.played = PlayedGame(packet.seed)
        elif self.played is not None:
            self.played.play(packet)
            if self.played.game.was_played:
                running = self.played.snapshot()
            if self.played.is_over:
                ended |= {self.played.seed}
        self.moments.append(Moment(running, ended))
        return packet

    def _draw(self) -> Packet:
        chance = self.random.random()
        if self.played is None or chance < 0.03 or (self.played.is_over and chance < 0.3):
            seed = self.random.getrandbits(SEED_BITS)
            flags = NewGameFlag.SEEDED
            return NewGame(GameKind.BEGINNER, rules=RulesCode.CLASSIC, flags=flags, seed=seed)
        if self.played.is_over or chance < 0.07:
            return Undo(self.random.randint(1, 3))
        if chance < 0.09 or self.played.is_paused:
            return Command.PAUSE
        if chance < 0.4:
            return MoveTo(self.random.randrange(SIZE.columns), self.random.randrange(SIZE.rows))
        return self.random.choice(_USUAL)

    def _give_up(self) -> Snapshot | None:
        played = self.played
        if played is None or played.is_over or not played.game.was_played:
            return None
        played.game.terminate()
        return played.snapshot()
