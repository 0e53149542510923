"""Playing version 1 of the wire as people do: by looking at the screen and moving a cursor."""

from __future__ import annotations

from collections.abc import Sequence

from jminesweeper.client.bot.game import Watch, play_out
from jminesweeper.client.bot.glass import Glass
from jminesweeper.client.bot.line import Server
from jminesweeper.client.bot.outcome import DOES, BotError, Outcome
from jminesweeper.client.bot.sight import Reader, find_field
from jminesweeper.core import ActionKind, Cell, Grid, Level, PlayerView, Size, Status, Victory
from jminesweeper.protocol import Command, Packet, Start
from jminesweeper.solver import Move


def play_wire_1(server: Server, size: Size, level: Level, watch: Watch | None = None) -> Outcome:
    """Play one game of document J's rules against any server of the protocol."""
    return play_out(_Screen(server, size, level), Victory.FLAGS, watch)


class _Screen:
    """A game on a screen, and what its player remembers: the own marks, and where the cursor is."""

    def __init__(self, server: Server, size: Size, level: Level) -> None:
        self._server = server
        self._grid = Grid.of(size)
        self._mine_count = level.mines(size)
        self._glass = Glass.showing(server.ask(Start(size.columns, size.rows, level.value)))
        self._reader = Reader(find_field(self._glass, size), self._mine_count)
        self._cursor = Cell(0, 0)
        self._marked = 0

    def look(self) -> PlayerView:
        """Return what is seen: a won game by its marks, a lost one by what no running game shows.

        How a server paints its marks is its own affair, and so is what it shows at the end; but
        only a mark may stand where the bot has put one.
        """
        view = self._reader.read(self._glass)
        is_readable = not view.flagged & ~self._marked
        if self._marked.bit_count() == self._mine_count:
            if is_readable and view.flagged != self._marked:
                raise BotError("The server's screen does not show the marks that were set.")
            return view._replace(status=Status.WON)
        return view if is_readable else view._replace(status=Status.LOST)

    def act(self, move: Move) -> None:
        """Go to a cell and do something; of all the screens on the way only the last one counts."""
        way = _way(self._cursor, move.cell)
        self._glass = Glass.showing(self._server.ask(*way, DOES[move.kind]))
        self._cursor = move.cell
        if move.kind is ActionKind.FLAG:
            self._marked ^= self._grid.bit(move.cell)


def _way(here: Cell, there: Cell) -> Sequence[Packet]:
    """Return the cursor keys that lead from one cell to another."""
    across, down = there.column - here.column, there.row - here.row
    sideways = Command.MOVE_RIGHT if across > 0 else Command.MOVE_LEFT
    upright = Command.MOVE_DOWN if down > 0 else Command.MOVE_UP
    return [sideways] * abs(across) + [upright] * abs(down)
