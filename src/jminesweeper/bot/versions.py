"""One game on a server, in either version of the protocol.

Version 1 is played as people do: by looking at the screen and moving a cursor. Of all the screens
on the cursor's way only the last one counts. Version 2 is played by its plain text, a packet for
each move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from jminesweeper.bot.blocking import Server
from jminesweeper.bot.field import FieldReader
from jminesweeper.bot.playing import BotError, GameOutcome, Watch, play_out
from jminesweeper.client.character_screen import CharacterScreen
from jminesweeper.client.field_place import find_field
from jminesweeper.core import (
    ActionKind,
    Cell,
    CoreError,
    Grid,
    Level,
    PlayerView,
    Size,
    Status,
    Victory,
)
from jminesweeper.protocol import Act, Button, Command, NewGame, Packet, Start
from jminesweeper.screen import parse_plain_field
from jminesweeper.solver import Decision

_COMMANDS: Final[Mapping[ActionKind, Command]] = MappingProxyType(
    {ActionKind.REVEAL: Command.REVEAL, ActionKind.FLAG: Command.TOGGLE_BOMB_MARK}
)
_BUTTONS: Final[Mapping[ActionKind, Button]] = MappingProxyType(
    {ActionKind.REVEAL: Button.REVEAL, ActionKind.FLAG: Button.FLAG}
)


def play_version_1(
    server: Server, size: Size, level: Level, watch: Watch | None = None
) -> GameOutcome:
    """Play one game of document J's rules on any server of the protocol."""
    return play_out(_PaintedGame(server, size, level), Victory.FLAGS, watch)


def play_version_2(
    server: Server,
    game: NewGame,
    victory: Victory,
    *,
    first: Cell | None = None,
    watch: Watch | None = None,
) -> GameOutcome:
    """Play one game, beginning with a reveal of the first cell; HELLO asked for plain text."""
    opening = () if first is None else (Act(*first, Button.REVEAL),)
    near = Cell(0, 0) if first is None else first
    return play_out(_TextGame(server, server.ask(game, *opening)), victory, watch, near=near)


class _PaintedGame:
    """A game on a screen, and what its player remembers: its own marks and where the cursor is."""

    def __init__(self, server: Server, size: Size, level: Level) -> None:
        self._server = server
        self._grid = Grid.of(size)
        self._mine_count = level.mines(size)
        self._screen = CharacterScreen.showing(
            server.ask(Start(size.columns, size.rows, level.value))
        )
        field = find_field(self._screen, size)
        if field is None:
            raise BotError(f"The first screen shows no field of {size} covered cells.")
        self._reader = FieldReader(field, self._mine_count)
        self._cursor = Cell(0, 0)
        self._marked = 0

    def look(self) -> PlayerView:
        """Return what is visible: a game is won by its marks, and lost when others appear.

        Servers paint marks as they like, and show what they like at the end. But in a running
        game a mark can only be where the bot has set one.
        """
        view = self._reader.read(self._screen)
        is_readable = not view.flagged & ~self._marked
        if self._marked.bit_count() == self._mine_count:
            if is_readable and view.flagged != self._marked:
                raise BotError("The screen does not show the marks that were set.")
            return view._replace(status=Status.WON)
        return view if is_readable else view._replace(status=Status.LOST)

    def act(self, move: Decision) -> None:
        """Move the cursor to a cell and act there."""
        path = _path(self._cursor, move.cell)
        self._screen = CharacterScreen.showing(self._server.ask(*path, _COMMANDS[move.kind]))
        self._cursor = move.cell
        if move.kind is ActionKind.FLAG:
            self._marked ^= self._grid.bit(move.cell)


class _TextGame:
    """A game in the lines of plain text."""

    def __init__(self, server: Server, text: bytes) -> None:
        self._server = server
        self._text = text

    def look(self) -> PlayerView:
        """Return what is visible."""
        try:
            view = parse_plain_field(self._text.decode(errors="replace"))
        except CoreError as error:
            raise BotError(f"The screen shows no field: {error}.") from error
        if view is None:
            raise BotError("The screen shows no field.")
        return view

    def act(self, move: Decision) -> None:
        """Press a button on a cell."""
        self._text = self._server.ask(Act(*move.cell, _BUTTONS[move.kind]))


def _path(here: Cell, there: Cell) -> Sequence[Packet]:
    """Return the moves of the cursor from one cell to another."""
    across, down = there.column - here.column, there.row - here.row
    sideways = Command.MOVE_RIGHT if across > 0 else Command.MOVE_LEFT
    upright = Command.MOVE_DOWN if down > 0 else Command.MOVE_UP
    return [sideways] * abs(across) + [upright] * abs(down)
