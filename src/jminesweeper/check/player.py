"""A player of version 1: a connection, packets for keys, and a look at the field.

Each reply holds the whole screen, so each is looked at by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from jminesweeper.check.connection import Connection
from jminesweeper.check.painted import HIDDEN, FieldPlace, Look, PaintedScreen, find_field
from jminesweeper.check.suite import DeviationError, ServerClosedError, expect
from jminesweeper.check.wire import DOWN, LEFT, REVEAL, RIGHT, UP, Packet, start
from jminesweeper.core.grid import Cell, Grid, Size

MINE: Final = "B"
EMPTY: Final = "."
OPENED: Final = f"{EMPTY}12345678"
TURNED: Final[Mapping[Packet, Packet]] = {LEFT: UP, UP: LEFT, RIGHT: DOWN, DOWN: RIGHT}
"""What goes where on a server that swaps columns and rows throughout."""

Picture: TypeAlias = tuple[tuple[Look, ...], ...]

_MOST_LINES: Final = 40


def place_of(cell: Cell) -> str:
    """Name a cell as a person counts."""
    return f"column {cell.column + 1}, row {cell.row + 1}"


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

    def expect_like(self, other: Shot, came: str, expected: str) -> None:
        """Expect this to be like another one; else both are described, so that one can see it."""
        shown, wanted = self.text, other.text
        if shown == wanted:
            if self.cursor != other.cursor:
                shown, wanted = self._with_cursor(), other._with_cursor()
            else:
                shown = f"in other colours:\n{shown}"
        expect(self.is_like(other), f"{came}:\n{shown}", f"{expected}:\n{wanted}")

    def _with_cursor(self) -> str:
        """Write the screen with brackets around the cursor of the terminal."""
        column, row = self.cursor
        lines = self.text.splitlines()
        lines += [""] * (row + 1 - len(lines))
        line = f"{lines[row]:<{column + 1}}"
        lines[row] = f"{line[:column]}[{line[column]}]{line[column + 1 :]}"
        return "\n".join(["(the cursor between brackets)", *lines])


class ScreenPlayer:
    """Plays by what the screen shows; sends so many keys before it reads the answers."""

    def __init__(self, connection: Connection[Packet], habits: Habits) -> None:
        self.connection = connection
        self.screen = PaintedScreen()
        self._habits = habits
        self._field: FieldPlace | None = None
        self._size = Size(20, 20)

    def expect(self, holds: bool, came: str, expected: str) -> None:
        """Raise a deviation with the screen unless a condition holds."""
        expect(holds, f"{came}:\n{self.screen_text}", expected)

    # What it does

    def do(self, *packets: Packet) -> bytes:
        """Send packets, and look at the last of their screens."""
        frames: list[bytes] = []
        try:
            frames.extend(self._frames(packets))
        finally:
            if frames:
                self.show(frames[-1])
        return frames[-1]

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

    def start(self, columns: int, rows: int, level: int) -> None:
        """Start a game; its field must be on the screen, all hidden."""
        self._size = Size(columns, rows)
        asked = (rows, columns) if self._habits.swaps_sizes else (columns, rows)
        self.do(start(*asked, level))
        is_found = self.find_field(self._size)
        self.expect(is_found, "this screen", f"a field of {columns}x{rows} `?`")
        if self._habits.keeps_cursor:
            self.go_home()

    def find_field(self, size: Size) -> bool:
        """Find a covered field of this size on the screen."""
        self._field = find_field(self.screen.lines, size)
        return self._field is not None

    def go_home(self) -> None:
        """Take the cursor to the top left, from wherever it is."""
        self.do(*[LEFT] * self._size.columns, *[UP] * self._size.rows)

    def go(self, here: Cell, there: Cell) -> None:
        """Take the cursor from one cell to another."""
        right, down = there.column - here.column, there.row - here.row
        # A list that is taken less than once is empty.
        if moves := [RIGHT] * right + [LEFT] * -right + [DOWN] * down + [UP] * -down:
            self.do(*moves)

    def lose(self) -> None:
        """Reveal row after row until a mine is met; what a server does after it does not count."""
        if self.has_lost():
            return
        self.go_home()
        walk, columns = self.walk(), self._size.columns
        for first in range(0, len(walk), columns):
            row = walk[first : first + columns]
            try:
                self.do(*[packet for _, path in row for packet in (*path, REVEAL)])
            except ServerClosedError:
                if not self.has_lost():
                    raise
            if self.has_lost():
                return
        came = f"every cell was revealed, and no {MINE} appears"
        self.expect(False, came, f"a lost game that shows its mines as {MINE}")

    # What it sees

    @property
    def field(self) -> FieldPlace:
        if self._field is None:
            raise DeviationError("no field", "a game that was started")
        return self._field

    @property
    def screen_text(self) -> str:
        return "\n".join(self.screen.text.splitlines()[:_MOST_LINES])

    @property
    def cells(self) -> list[str]:
        """The first character of every cell, a string for each row of the field."""
        return list(self.field.rows(self.screen.lines))

    def letter(self, cell: Cell) -> str:
        return self.cells[cell.row][cell.column]

    def letters(self) -> Sequence[tuple[Cell, str]]:
        """Return all cells in reading order, each with its first character."""
        return [
            (Cell(column, row), letter)
            for row, letters in enumerate(self.cells)
            for column, letter in enumerate(letters)
        ]

    def marked(self) -> list[Cell]:
        """Return the cells of a running game that look neither hidden nor opened."""
        return [cell for cell, letter in self.letters() if letter not in f"{HIDDEN}{OPENED}"]

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

    # Where its cells are

    def walk(self) -> Sequence[tuple[Cell, Sequence[Packet]]]:
        """Take the cursor from the top left over every cell, to and fro.

        Each cell comes with the packets that take the cursor there from the last one.
        """
        steps: list[tuple[Cell, Sequence[Packet]]] = []
        for row in range(self._size.rows):
            columns = range(self._size.columns)[:: -1 if row % 2 else 1]
            aside = LEFT if row % 2 else RIGHT
            steps.append((Cell(columns[0], row), [DOWN] if row else []))
            steps += [(Cell(column, row), [aside]) for column in columns[1:]]
        return steps

    def around(self, cell: Cell) -> Sequence[Cell]:
        """Return the up to eight neighbours of a cell."""
        return Grid.of(self._size).neighbours_of(cell)

    def beside(self, cell: Cell) -> Iterator[Cell]:
        """Return the up to four cells above, below, left and right of a cell."""
        grid = Grid.of(self._size)
        return grid.cells(grid.beside(grid.bit(cell)))
