"""Playing version 1 of the wire as people do: by looking at the screen and moving a cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from jminesweeper.client.bot.glass import Glass
from jminesweeper.client.bot.line import Line
from jminesweeper.client.bot.outcome import BotError, Outcome
from jminesweeper.client.bot.sight import Field, find_field
from jminesweeper.core import ActionKind, Cell, Grid, Level, PlayerView, Size, Status, Victory
from jminesweeper.protocol import Command, Packet, Start
from jminesweeper.solver import ImpossiblePositionError, Move, NoMoveError, Player

Watch = Callable[[Move, PlayerView], None]

_DOES: Final = {ActionKind.REVEAL: Command.REVEAL, ActionKind.FLAG: Command.TOGGLE_BOMB_MARK}


def play_wire_1(line: Line, size: Size, level: Level, watch: Watch | None = None) -> Outcome:
    """Play one game of document J's rules against any server of the protocol."""
    glass = Glass()
    for screen in line.ask(Start(size.columns, size.rows, level.value)):
        glass.paint(screen)
    game = _Game(line, glass, find_field(glass, size), level.mines(size))
    while (status := game.step(watch)) is Status.ONGOING:
        pass
    return Outcome(status, game.moves, game.guesses)


class _Game:
    """One game and what the bot remembers of it: its own marks and where the cursor is."""

    def __init__(self, line: Line, glass: Glass, field: Field, mine_count: int) -> None:
        self.moves = 0
        self.guesses = 0
        self._line = line
        self._glass = glass
        self._field = field
        self._mine_count = mine_count
        self._player = Player(field.size, mine_count)
        self._cursor = Cell(0, 0)
        self._flagged = 0

    def step(self, watch: Watch | None) -> Status:
        """Do one thing, and say how the game stands."""
        view = self._field.read(self._glass, self._mine_count, self._flagged)
        if view is None:
            return Status.LOST
        self._flagged &= ~view.visible
        if self._flagged.bit_count() == self._mine_count:
            return Status.WON
        try:
            move = self._player.choose(view, Victory.FLAGS)
        except (ImpossiblePositionError, NoMoveError) as error:
            raise BotError(f"This board does not hold {self._mine_count} mines.") from error
        if watch is not None:
            watch(move, view)
        self._do(move)
        return Status.ONGOING

    def _do(self, move: Move) -> None:
        self.moves += 1
        self.guesses += move.risk > 0
        for screen in self._line.ask(*_way(self._cursor, move.cell), _DOES[move.kind]):
            self._glass.paint(screen)
        self._cursor = move.cell
        if move.kind is ActionKind.FLAG:
            self._flagged ^= Grid.of(self._field.size).bit(move.cell)


def _way(here: Cell, there: Cell) -> Sequence[Packet]:
    """Return the cursor keys that lead from one cell to another."""
    across, down = there.column - here.column, there.row - here.row
    sideways = Command.MOVE_RIGHT if across > 0 else Command.MOVE_LEFT
    upright = Command.MOVE_DOWN if down > 0 else Command.MOVE_UP
    return [sideways] * abs(across) + [upright] * abs(down)
