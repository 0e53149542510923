"""A game on a server of version 1, played as people do: by its screen and a cursor.

Of all the screens on the cursor's way only the last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from jminesweeper.bot.link import BotError, PacketLink
from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import ActionError
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.notation import parse_position
from jminesweeper.core.rules import Level
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.painted import FieldPlace, PaintedScreen, find_field
from jminesweeper.protocol.packets import Packet, ScreenContent, Start
from jminesweeper.protocol.vocabulary import Command

_MARK = re.compile("[^?.1-8\n]")

_COMMANDS: Final[Mapping[ActionKind, Command]] = MappingProxyType(
    {ActionKind.REVEAL: Command.REVEAL, ActionKind.FLAG: Command.TOGGLE_BOMB_MARK}
)


class PaintedGame:
    """A game on a screen, and what its player remembers: its own marks and where the cursor is."""

    def __init__(self, link: PacketLink, size: Size, level: Level) -> None:
        self._link = link
        self._grid = Grid.of(size)
        self._start = Start(size.columns, size.rows, level.value)
        self._mine_count = level.mines(size)
        self._field: FieldPlace
        self.view: PlayerView
        """What the player sees now."""

    async def begin(self) -> None:
        """Start a game, and find its field."""
        self._cursor = Cell(0, 0)
        self._marked = 0
        screen = await self._ask(self._start)
        field = find_field(screen.lines, self._grid.size)
        if field is None:
            raise BotError(f"The first screen shows no field of {self._grid.size} covered cells.")
        self._field = field
        self._look(screen)

    async def apply(self, action: Action) -> bool:
        """Move the cursor to a cell and act there."""
        kind, cell = action
        if cell is None or kind not in _COMMANDS:
            raise ActionError(f"version 1 has no {kind.name.lower()}")
        path, self._cursor = _path(self._cursor, cell), cell
        screen = await self._ask(*path, _COMMANDS[kind])
        if kind is ActionKind.FLAG:
            self._marked ^= self._grid.bit(cell)
        before = self.view
        self._look(screen)
        return self.view != before

    async def _ask(self, *packets: Packet) -> PaintedScreen:
        await self._link.ask(*packets)
        match self._link.take_shown():
            case [*_, ScreenContent(text)]:
                return PaintedScreen.showing(text, self._grid.size)
            case _:
                raise BotError("The server sent something that is not a screen.")

    def _look(self, screen: PaintedScreen) -> None:
        """Read the screen: a game is won by its marks, and lost when others appear.

        Servers paint marks as they like, and show what they like at the end. But in a running
        game a mark can only be where the bot has set one.
        """
        view = read_field(self._field, screen, self._mine_count)
        is_readable = not view.flagged & ~self._marked
        if self._marked.bit_count() == self._mine_count:
            if is_readable and view.flagged != self._marked:
                raise BotError("The screen does not show the marks that were set.")
            status = Status.WON
        else:
            status = Status.ONGOING if is_readable else Status.LOST
        self.view = replace(view, status=status)


def read_field(field: FieldPlace, screen: PaintedScreen, mine_count: int) -> PlayerView:
    """Return what is visible; a character that no cell can show counts as a mark."""
    cells = _MARK.sub("F", "\n".join(field.rows(screen.lines)))
    return parse_position(cells, mine_count, Status.ONGOING)


def _path(here: Cell, there: Cell) -> Sequence[Packet]:
    """Return the moves of the cursor from one cell to another."""
    across, down = there.column - here.column, there.row - here.row
    sideways = Command.MOVE_RIGHT if across > 0 else Command.MOVE_LEFT
    upright = Command.MOVE_DOWN if down > 0 else Command.MOVE_UP
    return [sideways] * abs(across) + [upright] * abs(down)
