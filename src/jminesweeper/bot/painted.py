"""A game on a server of version 1, played as people do: by its screen and a cursor.

Of all the screens on the cursor's way only the last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final, TypeAlias

from jminesweeper.bot.link import PacketLink
from jminesweeper.bot.playing import BotError
from jminesweeper.client.character_screen import CharacterScreen
from jminesweeper.client.field_place import COVERED, FieldPlace, find_field
from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import ActionError
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.notation import parse_position
from jminesweeper.core.rules import Level
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.protocol.packets import Packet, ScreenContent, Start
from jminesweeper.protocol.vocabulary import Command

_MARK = re.compile("[^?.1-8]")

RowSets: TypeAlias = tuple[int, int, int, int, int, int]
"""Visible cells, flagged cells, and the four planes of the clues."""
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
        self._reader: FieldReader
        self.view: PlayerView
        """What the player sees now."""

    async def begin(self) -> None:
        """Start a game, and find its field."""
        self._cursor = Cell(0, 0)
        self._marked = 0
        screen = await self._ask(self._start)
        field = find_field(screen.rows, self._grid.size)
        if field is None:
            raise BotError(f"The first screen shows no field of {self._grid.size} covered cells.")
        self._reader = FieldReader(field, self._mine_count)
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

    async def _ask(self, *packets: Packet) -> CharacterScreen:
        await self._link.ask(*packets)
        match self._link.take_shown():
            case [*_, ScreenContent(text)]:
                return CharacterScreen.showing(text)
            case _:
                raise BotError("The server sent something that is not a screen.")

    def _look(self, screen: CharacterScreen) -> None:
        """Read the screen: a game is won by its marks, and lost when others appear.

        Servers paint marks as they like, and show what they like at the end. But in a running
        game a mark can only be where the bot has set one.
        """
        view = self._reader.read(screen)
        is_readable = not view.flagged & ~self._marked
        if self._marked.bit_count() == self._mine_count:
            if is_readable and view.flagged != self._marked:
                raise BotError("The screen does not show the marks that were set.")
            status = Status.WON
        else:
            status = Status.ONGOING if is_readable else Status.LOST
        self.view = replace(view, status=status)


def _path(here: Cell, there: Cell) -> Sequence[Packet]:
    """Return the moves of the cursor from one cell to another."""
    across, down = there.column - here.column, there.row - here.row
    sideways = Command.MOVE_RIGHT if across > 0 else Command.MOVE_LEFT
    upright = Command.MOVE_DOWN if down > 0 else Command.MOVE_UP
    return [sideways] * abs(across) + [upright] * abs(down)


class FieldReader:
    """Reads a field again and again; only rows that changed cost anything."""

    def __init__(self, field: FieldPlace, mine_count: int) -> None:
        self._field = field
        self._mine_count = mine_count
        self._rows = [COVERED * field.size.columns] * field.size.rows
        self._sets = [0] * 6

    def read(self, screen: CharacterScreen) -> PlayerView:
        """Return what is visible; a character that no cell can show counts as a mark."""
        size = self._field.size
        stride = Grid.of(size).stride
        for number, row in enumerate(self._field.rows(screen.rows)):
            if row != self._rows[number]:
                self._replace(number * stride, self._rows[number], row)
                self._rows[number] = row
        visible, flagged, ones, twos, fours, eights = self._sets
        return PlayerView(
            size,
            self._mine_count,
            Status.ONGOING,
            visible,
            flagged,
            (ones, twos, fours, eights),
            shown_mines=None,
            exploded=None,
        )

    def _replace(self, start: int, old: str, new: str) -> None:
        changes = zip(_read_row(old), _read_row(new), strict=True)
        self._sets = [
            cells ^ (was ^ now) << start
            for cells, (was, now) in zip(self._sets, changes, strict=True)
        ]


@lru_cache(maxsize=1024)
def _read_row(row: str) -> RowSets:
    view = parse_position(_MARK.sub("F", row), 1, Status.ONGOING)
    return view.visible, view.flagged, *view.clue_planes
