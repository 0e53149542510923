"""The geometry of a board whose sets of cells are integers.

A set of cells is one `int`: bit ``row * stride + column`` is a cell, bit 0 for the
top-left one. Each row has one padding column that is never set, so a shift by one cannot carry
a cell from the end of a row into the next: neighbours of a whole set are eight shifts and a mask.

**Flood fill.** A fill grows by doubling: along a line with shifts of 1, 2, 4, 8 cells and so on,
and one step sideways for the diagonals, pass after pass until nothing changes. To the right no
shifts are needed: added to a run of open cells, a reached cell carries through to the run's end,
and what the carry cleared is what it reached. The masks that say where a shift may land depend on
the open cells only, and are made once. Single steps alone take three times as long on a large
board.

**Counting connected parts.** Parts are counted all at once by Levialdi's shrinking: every step
takes the bottom-right corners off all parts and fills their inner corners, so that each part
shrinks towards its top left without breaking up or meeting another, becomes a single cell, and
vanishes. Counting the single cells of every step counts the parts, and a step is a few shifts of
the whole board, however many there are. Only the largest take many steps, so now and then one of
those left is filled and removed whole.

``a ^ (a & b)`` is ``a & ~b``, which takes three times as long: Python's integers are kept by sign
and magnitude, so a complement is negative, and each use of it is a conversion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from jminesweeper.core.errors import (
    MOST_QUOTED,
    ArgumentError,
    CellError,
    NotationError,
    SizeError,
    check_kind,
    reading,
)

MAX_SIDE = 255
_SIDES = range(1, MAX_SIDE + 1)
_DIGITS = frozenset("0123456789")
_MOST_DIGITS = 20


class Cell(NamedTuple):
    """A place on the board, counted from 0 at the top-left."""

    column: int
    row: int


Place: TypeAlias = tuple[int, int]
"""A column and a row: a `Cell`, or a plain pair."""


@dataclass(frozen=True, slots=True)
class Size:
    """The columns and rows of a board."""

    columns: int
    rows: int

    def __post_init__(self) -> None:
        for name, side in (("columns", self.columns), ("rows", self.rows)):
            check_kind(name, side, int, "a number")
            if side not in _SIDES:
                raise SizeError(f"{name} must be 1 to {MAX_SIDE}, not {side!r}")

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.columns * self.rows

    @property
    def most_mines(self) -> int:
        """The most mines a chosen board may have: one cell stays safe if there are two."""
        return max(1, self.cells - 1)

    def refuse_mines(self, count: int, most: int | None = None) -> str:
        """Say how many mines the board holds, for somebody who asked for another number."""
        most = self.most_mines if most is None else most
        held = "1 mine" if most == 1 else f"1 to {most} mines"
        return f"a board of {self} holds {held}, not {count}"

    def has(self, cell: Place) -> bool:
        """Return True if a cell is on the board."""
        column, row = cell
        return 0 <= column < self.columns and 0 <= row < self.rows

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"

    @staticmethod
    def parse(text: str) -> Size:
        """Read a size such as 30x16."""
        columns, x, rows = text.partition("x")
        if not x:
            raise NotationError(f"a size is written like 30x16, not {text[:MOST_QUOTED]!r}")
        with reading():
            return Size(parse_number(columns), parse_number(rows))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Grid:
    """The bit layout of one size; get it with `Grid.of`, which shares them."""

    size: Size
    stride: int
    row_mask: int
    mask: int
    ring: int
    """The neighbours of the cell at column 1, row 1, if the board is large enough."""

    @staticmethod
    @lru_cache(maxsize=256)
    def of(size: Size) -> Grid:
        """Return the grid of a size; it is made once."""
        stride = size.columns + 1
        row_mask = (1 << size.columns) - 1
        mask = int((format(row_mask, f"0{stride}b")) * size.rows, 2)
        ring = 0b111 | 0b101 << stride | 0b111 << 2 * stride
        return Grid(size, stride, row_mask, mask, ring)

    def __reduce__(self) -> tuple[Callable[[Size], Grid], tuple[Size]]:
        # What another process gets is the one that it shares there.
        return Grid.of, (self.size,)

    def index(self, cell: Place) -> int:
        """Find the number of the cell's bit."""
        size = self.size
        try:
            column, row = cell
            # Negative numbers stay negative, and what is no whole number raises.
            is_on_board = column | row >= 0 and column < size.columns and row < size.rows
        except (TypeError, ValueError):
            words = f"cell must be a column and a row, not {repr(cell)[:MOST_QUOTED]}"
            raise ArgumentError(words) from None
        if is_on_board:
            return row * self.stride + column
        raise CellError(f"column {column}, row {row} is not on a board of {self.size}")

    def bit(self, cell: Place) -> int:
        """Return the set of one cell."""
        return 1 << self.index(cell)

    def cell(self, index: int) -> Cell:
        """Find the cell of a bit's number."""
        row, column = divmod(index, self.stride)
        return Cell(column, row)

    def cells(self, mask: int) -> Iterator[Cell]:
        """List the cells of a set in reading order."""
        return map(self.cell, indices(mask))

    def rows_spanned(self, mask: int) -> range:
        """Find the rows from the first to the last in which the set has a cell."""
        if not mask:
            return range(0)
        # Taking one away flips the lowest bit and those below; quicker here than `lowest`.
        first = ((mask ^ mask - 1).bit_length() - 1) // self.stride
        return range(first, (mask.bit_length() - 1) // self.stride + 1)

    def neighbours_of(self, cell: Place) -> list[Cell]:
        """List the up to eight neighbours of a cell in reading order."""
        return list(self.cells(self.around(self.index(cell))))

    def around(self, index: int) -> int:
        """Return the up to eight neighbours of one cell."""
        shift = index - self.stride - 1
        return (self.ring << shift if shift >= 0 else self.ring >> -shift) & self.mask

    def neighbours(self, mask: int) -> int:
        """Return every cell that has one of its up to eight neighbours in the set."""
        try:
            sideways = mask << 1 | mask >> 1
        except TypeError:
            raise not_a_set("mask", mask) from None
        column = mask | sideways
        return (sideways | column << self.stride | column >> self.stride) & self.mask

    def beside(self, mask: int) -> int:
        """Return every cell directly above, below, left or right of one in the set."""
        return (mask << 1 | mask >> 1 | mask << self.stride | mask >> self.stride) & self.mask

    def square(self, middle: Place, reach: int) -> int:
        """Return the cells within a number of king's moves."""
        column, row = middle
        left, right = max(0, column - reach), min(self.size.columns, column + reach + 1)
        line = (1 << right) - (1 << left)
        rows = range(max(0, row - reach), min(self.size.rows, row + reach + 1))
        return sum([line << each * self.stride for each in rows])

    def draw(self, sets: Mapping[str, int], other: str) -> str:
        """Draw the board, a line for each row: a symbol for each set, another for the rest."""
        line = [other] * (self.stride * self.size.rows)
        for symbol, cells in sets.items():
            for index in indices(cells):
                line[index] = symbol
        text = "".join(line)
        starts = range(0, len(text), self.stride)
        return "\n".join([text[start : start + self.size.columns] for start in starts])

    def __repr__(self) -> str:
        return f"<Grid {self.size}>"


def parse_number(text: str) -> int:
    """Read plain digits: no sign, blanks, underscores or other alphabets, which `int` takes."""
    if not 0 < len(text) <= _MOST_DIGITS or not _DIGITS.issuperset(text):
        raise NotationError(f"not a number: {text[:_MOST_DIGITS]!r}")
    return int(text)


def not_a_set(name: str, value: object) -> ArgumentError:
    return ArgumentError(
        f"{name} must be a set of cells as a number, not {repr(value)[:MOST_QUOTED]}"
    )


def place_of(place: object, name: str) -> Cell:
    """Return the cell of a pair; ArgumentError if it is none."""
    match place:
        case (int(column), int(row)):
            return Cell(column, row)
        case _:
            words = f"{name} must be a column and a row, not {repr(place)[:MOST_QUOTED]}"
            raise ArgumentError(words)


def is_adjacent(one: Place, other: Place) -> bool:
    """Return True if two cells are neighbours: beside each other, or touching at a corner."""
    (column, row), (others_column, others_row) = place_of(one, "one"), place_of(other, "other")
    return one != other and abs(column - others_column) <= 1 >= abs(row - others_row)


def lowest(mask: int) -> int:
    """Keep only the first cell of a set in reading order."""
    return mask & -mask


def bits(numbers: Iterable[int]) -> int:
    """Return the set of these numbers in one pass: adding them up takes one for each."""
    found = bytearray(MAX_SIDE * (MAX_SIDE + 1) // 8 + 1)
    for number in numbers:
        found[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(found, "little")


def indices(mask: int) -> list[int]:
    """List the numbers of the bits that are set, lowest first.

    The time depends on the span of the set, not on the board: a few neighbours are quick anywhere.
    """
    if not mask:
        return []
    start = lowest(mask).bit_length() - 1
    mask >>= start
    if mask == 1:
        return [start]
    digits = format(mask, "b")[::-1]
    found = []
    at = 0
    while at >= 0:
        found.append(start + at)
        at = digits.find("1", at + 1)
    return found


# Measured on 255x255 boards of every density: the slowest takes 2 ms.
_STEPS_BETWEEN_FILLS = 16

Jumps = list[tuple[int, int, int]]


def flood(grid: Grid, seeds: int, within: int, *, diagonal: bool) -> int:
    """Return the cells of `within` that `seeds` reach by steps to neighbours inside it."""
    stride, reached = grid.stride, seeds & within
    along_rows, along_columns = _jumps(within, 1), _jumps(within, stride)
    before = 0
    while reached != before:
        before = reached
        reached |= within ^ (within & (within + reached))
        for shift, _, down in along_rows:
            reached |= reached >> shift & down
        for shift, up, down in along_columns:
            reached |= (reached << shift & up) | (reached >> shift & down)
        if diagonal:
            sideways = reached << 1 | reached >> 1
            reached |= (sideways << stride | sideways >> stride) & within
    return reached


def _jumps(within: int, unit: int) -> Jumps:
    """List shifts of 1, 2, 4, ... units, each with the cells to land on going up, and down.

    A jump needs every cell on its way open, both ends included.
    """
    jumps = []
    up = within & within << unit
    shift = unit
    while up and shift <= unit * MAX_SIDE:
        jumps.append((shift, up, up >> shift))
        up &= up << shift
        shift *= 2
    return jumps


def count_components(grid: Grid, cells: int, *, diagonal: bool) -> int:
    """Count the parts of a set whose cells are joined by steps to neighbours."""
    count, stride = 0, grid.stride
    step = grid.neighbours if diagonal else grid.beside
    while cells:
        for _ in range(_STEPS_BETWEEN_FILLS):
            joined = cells & step(cells)
            count += (cells ^ joined).bit_count()
            right, below = joined >> 1, joined >> stride
            if diagonal:
                # A cell stays with a neighbour right, below or between; a gap that has both fills.
                cells = joined & (right | below | right >> stride) | right & below
            else:
                # Gaps shrink as if joined on eight sides: so do parts that are joined on four.
                cells = (joined | right & below & right >> stride) & (right | below)
        if cells:
            count += 1
            cells ^= flood(grid, lowest(cells), cells, diagonal=diagonal)
    return count
