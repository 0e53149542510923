"""A player of version 1: a connection, packets for keys, and a look at the field.

Each reply holds the whole screen, so each is looked at by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from jminesweeper.check.connection import Connection
from jminesweeper.check.suite import DeviationError
from jminesweeper.check.wire import DOWN, LEFT, REVEAL, RIGHT, UP, Packet, start
from jminesweeper.core.grid import Cell, Size
from jminesweeper.painted import HIDDEN, FieldPlace, Look, PaintedScreen, find_field

MINE: Final = "B"
EMPTY: Final = "."
OPENED: Final = f"{EMPTY}12345678"
TURNED: Final[Mapping[Packet, Packet]] = {LEFT: UP, UP: LEFT, RIGHT: DOWN, DOWN: RIGHT}
"""What goes where on a server that swaps columns and rows throughout."""

Picture: TypeAlias = tuple[tuple[Look, ...], ...]

_MOST_LINES: Final = 40


@dataclass(frozen=True, slots=True)
class Habits:
    """What servers do differently; None is what could not be learnt."""

    version: int = 1
    cell_step: tuple[int, int] | None = None
    """Columns and rows of the screen from one cell to the next."""
    mark: str | None = None
    keys_at_once: int = 1
    swaps_sizes: bool = False
    """START 9x4 shows 4x9: a fault that has a check, and is made up for in all others."""
    swaps_moves: bool = False
    """MOVE_RIGHT goes down, and so on."""
    keeps_cursor: bool = False
    """A new game begins where the cursor was in the last one."""

    def facts(self) -> dict[str, str]:
        """Return what was learnt, in words."""
        facts = {"version": str(self.version)}
        if self.cell_step:
            facts["cell_step"] = "{}x{}".format(*self.cell_step)
        if self.mark:
            facts["mark"] = self.mark
        return facts


@dataclass(frozen=True, slots=True)
class Shot:
    """What was on the screen at one time."""

    picture: Picture
    cursor: Cell
    text: str

    def is_like(self, other: Shot) -> bool:
        """Whether the field and the cursor look the same; what is around them does not count."""
        return self.picture == other.picture and self.cursor == other.cursor

    def beside(self, other: Shot) -> tuple[str, str]:
        """Describe two shots that differ, so that one can see it."""
        if self.text != other.text:
            return self.text, other.text
        if self.cursor != other.cursor:
            return _with_cursor(self), _with_cursor(other)
        return f"in other colours:\n{self.text}", other.text


def _with_cursor(shot: Shot) -> str:
    """Write the screen with a marker on the cursor of the terminal."""
    column, row = shot.cursor
    lines = shot.text.splitlines()
    lines += [""] * (row + 1 - len(lines))
    lines[row] = f"{lines[row]:<{column}}"
    lines[row] = (
        f"{lines[row][:column]}[{lines[row][column : column + 1]}]{lines[row][column + 1 :]}"
    )
    return "(the cursor between brackets)\n" + "\n".join(lines)


class ScreenPlayer:
    """Plays by what the screen shows; sends so many keys before it reads the answers."""

    def __init__(self, connection: Connection[Packet], habits: Habits) -> None:
        self.connection = connection
        self.screen = PaintedScreen()
        self._habits = habits
        self._field: FieldPlace | None = None
        self._size = Size(20, 20)

    @property
    def field(self) -> FieldPlace:
        if self._field is None:
            raise DeviationError("no field", "a game that was started")
        return self._field

    def do(self, *packets: Packet) -> bytes:
        """Send packets, and look at the last of their screens."""
        *_, frame = self._frames(packets)
        self.show(frame)
        return frame

    def send(self, *packets: Packet) -> None:
        """Send packets together, moves in the directions that this server gives them."""
        turned = TURNED if self._habits.swaps_moves else {}
        self.connection.send(*[turned.get(packet, packet) for packet in packets])

    def show(self, frame: bytes) -> None:
        """Look at a screen that came otherwise."""
        self.screen = PaintedScreen.showing(frame, self._size)

    def watch(self, *packets: Packet) -> Iterator[None]:
        """Send packets, and look at each of their screens in turn."""
        for frame in self._frames(packets):
            self.show(frame)
            yield

    def _frames(self, packets: Sequence[Packet]) -> Iterator[bytes]:
        at_once = self._habits.keys_at_once
        for first in range(0, len(packets), at_once):
            together = packets[first : first + at_once]
            self.connection.expect_nothing_unasked()
            self.send(*together)
            for packet in together:
                yield self.connection.receive_screen(f"one SCREEN_CONTENT for {packet}")

    def start(self, columns: int, rows: int, level: int) -> bytes:
        """Start a game; its field must be on the screen, all hidden."""
        self._size = Size(columns, rows)
        asked = (rows, columns) if self._habits.swaps_sizes else (columns, rows)
        frame = self.do(start(*asked, level))
        if not self.find_field(Size(columns, rows)):
            raise DeviationError(
                f"this screen:\n{self.screen_text}", f"a field of {columns}x{rows} `?`"
            )
        if self._habits.keeps_cursor:
            self.do(*[LEFT] * columns, *[UP] * rows)
        return frame

    def find_field(self, size: Size) -> bool:
        """Find a covered field of this size on the screen."""
        self._field = find_field(self.screen.lines, size)
        return self._field is not None

    def marked(self) -> list[Cell]:
        """Return the cells of a running game that look neither hidden nor opened."""
        return [
            Cell(column, row)
            for row, letters in enumerate(self.cells)
            for column, letter in enumerate(letters)
            if letter not in f"{HIDDEN}{OPENED}"
        ]

    @property
    def screen_text(self) -> str:
        lines = self.screen.text.splitlines()
        return "\n".join(lines[:_MOST_LINES])

    @property
    def cells(self) -> list[str]:
        """The first character of every cell, a string for each row of the field."""
        return list(self.field.rows(self.screen.lines))

    def letter(self, cell: Cell) -> str:
        return self.cells[cell.row][cell.column]

    @property
    def has_lost(self) -> bool:
        return any(MINE in row for row in self.cells)

    @property
    def picture(self) -> Picture:
        """The field as it looks, its colours and what is around its cells included."""
        field = self.field
        first = max(field.left - 1, 0)
        columns = range(first, field.left + field.size.columns * field.across + 1)
        end = field.top + field.size.rows * field.down
        return tuple(self.screen.look(row, columns) for row in range(field.top, end))

    @property
    def shot(self) -> Shot:
        lines = list(self.screen.lines)
        return Shot(self.picture, self.screen.cursor, "\n".join(lines[:_MOST_LINES]))

    def look(self, cell: Cell) -> tuple[Look, ...]:
        """Return everything that is painted for one cell."""
        column, row = self.field.at(cell)
        return self.screen.look(row, range(column, column + self.field.across))

    def rows_of_walk(self) -> Iterator[Sequence[tuple[Cell, Sequence[Packet]]]]:
        """Take the cursor from the top-left over every cell, to and fro.

        For each row its cells, each with the packets that take the cursor there from the last one.
        """
        size = self.field.size
        for row in range(size.rows):
            columns = range(size.columns)[:: -1 if row % 2 else 1]
            aside = LEFT if row % 2 else RIGHT
            first: Sequence[Packet] = [DOWN] if row else []
            yield [
                (Cell(column, row), [aside] if at else first) for at, column in enumerate(columns)
            ]

    def reveal_until_lost(self) -> None:
        """Reveal row after row; what comes after the first mine changes nothing."""
        for row in self.rows_of_walk():
            self.do(*[packet for _, path in row for packet in (*path, REVEAL)])
            if self.has_lost:
                return
        raise DeviationError(
            f"every cell was revealed, and no {MINE} appears:\n{self.screen_text}",
            f"a lost game that shows its mines as {MINE}",
        )
