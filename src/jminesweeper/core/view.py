"""A player's knowledge of a board, the look of each cell of it, and boards read from text.

A view is a value made from copies: it holds no reference to the game or its mines, so nothing
that is done with it - attributes, `repr`, pickling, an exception's text - reaches the truth.

A *face* is the look of a cell as one byte, a sum: a clue in the low four bits and a bit for each
thing on top of it. The faces of many cells are made from bitboards by operations on big integers,
never by a loop over cells.

`str` of a `Minefield` and of a `PlayerView` writes a board and a position, and both can be read
again. A *board* is the truth: ``*`` a mine, ``.`` none. A *position* is what the player sees: ``?``
covered, ``F`` flagged, ``.`` a visible zero, a digit a clue; and once the game is over ``B`` an
unflagged mine, ``X`` the one that went off, ``!`` a flag where no mine was. ``*`` is a mine that
was hit and did not end the game. Rows are lines; blanks between cells are ignored.
"""

from __future__ import annotations

from codecs import charmap_decode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from operator import or_, xor
from typing import Final, NamedTuple

from jminesweeper.core.errors import HiddenError, NotationError, check_kind
from jminesweeper.core.grid import Cell, Grid, Place, Size, not_a_set
from jminesweeper.core.minefield import Minefield, Planes, read_clue


class Status(StrEnum):
    """The state of a game: running, or its end."""

    ONGOING = "ongoing"
    WON = "won"
    LOST = "lost"
    TERMINATED = "terminated"

    @property
    def is_over(self) -> bool:
        """True once the game has ended."""
        return self is not Status.ONGOING


ONGOING: Final = Status.ONGOING
"""Nearly every key asks for it, and looking a member up in its class takes longer than that."""

DIGITS: Final = ".12345678"
"""The symbols of the numbers on visible cells."""

_COLOURS: Final = {
    "1": "#00c",
    "2": "#070",
    "3": "#c00",
    "4": "#007",
    "5": "#700",
    "6": "#077",
    "8": "#555",
    "?": "#bcc",
    "F": "#c00",
    "X": "#c00",
}
_SHADED: Final = "?F"


@dataclass(frozen=True, slots=True, repr=False)
class PlayerView:
    """One moment of a game as its player sees it. Sets of cells are bitboards of `grid`.

    It is a collection of its cells in reading order, ``view[cell]`` is the number on one, and
    ``print(view)`` draws them all.
    """

    size: Size
    mine_count: int
    status: Status
    visible: int
    flagged: int
    clue_planes: Planes
    """The clues, bit-sliced, of visible cells only."""
    shown_mines: int | None = None
    """The mines once the game is over; none before."""
    exploded: Cell | None = None
    questioned: int = 0
    """Covered cells with a question mark, which only their player gives a meaning."""
    known: int = 0
    """Mines that were hit and did not end the game: neither visible nor flagged."""

    def __iter__(self) -> Iterator[Cell]:
        return self.grid.cells(self.grid.mask)

    def __len__(self) -> int:
        return self.size.cells

    def __contains__(self, cell: object) -> bool:
        match cell:
            case (int(column), int(row)):
                return self.size.has((column, row))
            case _:
                return False

    def __getitem__(self, cell: Place) -> int | None:
        """Read the number on a cell; None on one that shows no number."""
        index = self.grid.index(cell)
        if not self.visible >> index & 1 or cell == self.exploded:
            return None
        return read_clue(self.clue_planes, index)

    def __str__(self) -> str:
        """Draw the board, in the symbols of the notation."""
        ones, twos, fours, eights = self.clue_planes
        shown = self.visible
        sets = {
            digit: shown
            & (ones if number & 1 else ~ones)
            & (twos if number & 2 else ~twos)
            & (fours if number & 4 else ~fours)
            & (eights if number & 8 else ~eights)
            for number, digit in enumerate(DIGITS)
        }
        sets["F"] = self.flagged
        sets["*"] = self.known
        if self.shown_mines is not None:
            exploded = self.grid.bit(self.exploded) if self.exploded else 0
            sets["F"] &= self.mines
            sets["!"] = self.flagged & ~self.mines
            sets["B"] = self.mines & ~self.flagged & ~self.known & ~exploded
            sets["X"] = exploded
            sets["."] &= ~exploded
        return self.grid.draw(sets, "?")

    def __repr__(self) -> str:
        seen = f"{self.visible_count} visible, {self.flag_count} flagged"
        return f"<PlayerView {self.size}, {self.mine_count} mines, {self.status.value}, {seen}>"

    def _repr_html_(self) -> str:
        """Draw the board in a notebook."""
        rows = "".join([f"<tr>{''.join(map(_html, row))}</tr>" for row in str(self).splitlines()])
        return f'<table style="font: bold 1em monospace">{rows}</table>'

    @property
    def grid(self) -> Grid:
        """The geometry of the board."""
        return Grid.of(self.size)

    @property
    def covered(self) -> int:
        """The cells that are neither visible nor flagged, nor known mines."""
        return self.grid.mask & ~(self.visible | self.flagged | self.known)

    @property
    def visible_count(self) -> int:
        """Number of visible cells."""
        return self.visible.bit_count()

    @property
    def flag_count(self) -> int:
        """Number of flagged cells."""
        return self.flagged.bit_count()

    @property
    def mines_left(self) -> int:
        """Mines less flags and known ones; below zero when there are more of those than mines."""
        return self.mine_count - (self.flagged | self.known).bit_count()

    @property
    def mines(self) -> int:
        """The mines, which are known only once the game is over."""
        if self.shown_mines is None:
            raise HiddenError("where the mines are is known once the game is over")
        return self.shown_mines

    def before_the_end(self) -> PlayerView:
        """Return what the player knew before the mine went off."""
        if self.shown_mines is None:
            return self
        visible = self.visible & ~self.shown_mines
        return replace(
            self, status=Status.ONGOING, visible=visible, shown_mines=None, exploded=None
        )

    def cells(self, among: int | None = None) -> list[Cell]:
        """List the cells of a set, or of the whole board, in reading order.

        A set may be a complement, such as ``~view.visible``: cells beyond the board do not count.
        """
        try:
            mask = self.grid.mask if among is None else among & self.grid.mask
        except TypeError:
            raise not_a_set("among", among) from None
        return list(self.grid.cells(mask))

    def clue(self, cell: Place) -> int:
        """Read the number on a visible cell."""
        index = self.grid.index(cell)
        if not self.visible >> index & 1:
            column, row = cell
            raise HiddenError(f"the cell at column {column}, row {row} is not visible")
        return read_clue(self.clue_planes, index)

    def is_visible(self, cell: Place) -> bool:
        """Return True if a cell was opened."""
        return bool(self.visible & self.grid.bit(cell))

    def is_flagged(self, cell: Place) -> bool:
        """Return True if a cell carries a flag."""
        return bool(self.flagged & self.grid.bit(cell))


def _html(symbol: str) -> str:
    ground = "#bcc" if symbol in _SHADED else "#fff"
    colours = f"color: {_COLOURS.get(symbol, '#000')}; background: {ground}"
    return f'<td style="{colours}; width: 1.4em; text-align: center">{symbol}</td>'


# Faces


CLUE: Final = 0x0F
COVERED: Final = 0x10
FLAGGED: Final = 0x20
MINED: Final = 0x40
EXPLODED: Final = 0x80
QUESTIONED: Final = 0x0F
"""The clue of a covered cell with a question mark: not a number of mines."""


def digit_of(face: int) -> str:
    """Write a clue; no cell has the faces of more mines than it can touch."""
    clue = face & CLUE
    return DIGITS[clue] if clue < len(DIGITS) else "."


class Layers(NamedTuple):
    """The bitboards that faces are made of, each the bits of one worth, the lowest first."""

    ones: int
    twos: int
    fours: int
    eights: int
    covered: int
    flagged: int
    mined: int
    exploded: int

    def differences(self, other: Layers) -> int:
        """Return the cells that differ."""
        changed: int = reduce(or_, map(xor, self, other))
        return changed


def covered_layers(grid: Grid) -> Layers:
    """Return the layers of a board before the first action."""
    return Layers(0, 0, 0, 0, grid.mask, 0, 0, 0)


def layers_of(grid: Grid, view: PlayerView, debug_mines: int = 0) -> Layers:
    """Sort a view into layers; at the end the mines show, also in cells that were never opened."""
    if view.shown_mines is None:
        covered = grid.mask ^ (view.visible | view.known)
        ones, twos, fours, eights = view.clue_planes
        if marks := view.questioned:
            # A covered cell has no clue; the highest one that can be written is its question mark.
            ones, twos, fours, eights = ones | marks, twos | marks, fours | marks, eights | marks
        mines = debug_mines & covered | view.known
        return Layers(ones, twos, fours, eights, covered, view.flagged, mines, 0)
    field = Minefield(view.size, view.mines)
    ones, twos, fours, eights = (plane & field.safe for plane in field.clue_planes)
    exploded = 0 if view.exploded is None else grid.bit(view.exploded)
    covered = grid.mask ^ view.visible
    return Layers(ones, twos, fours, eights, covered, view.flagged, view.mines, exploded)


_ZERO_OR: Final = [bytes.maketrans(b"01", bytes((0, 1 << place))) for place in range(8)]


def face_of(layers: Layers, bit: int) -> int:
    """Return the face of one cell, given by its bit."""
    face = 0
    for place, layer in enumerate(layers):
        if layer & bit:
            face |= 1 << place
    return face


def faces_of(grid: Grid, layers: Layers, rows: range) -> bytes:
    """Return the faces of some rows; each is one stride long."""
    shift, length = rows.start * grid.stride, len(rows) * grid.stride
    within = (1 << length) - 1
    faces = 0
    for layer, table in zip(layers, _ZERO_OR, strict=True):
        # Its binary digits are a byte for each cell, the last one first.
        digits = format(layer >> shift & within, "b").encode()
        faces |= int.from_bytes(digits.translate(table), "big")
    return faces.to_bytes(length, "little")


def all_faces(view: PlayerView, debug_mines: int = 0) -> bytes:
    """Return the faces of all cells, in reading order."""
    grid = view.grid
    layers = layers_of(grid, view, debug_mines)
    faces, columns = faces_of(grid, layers, range(view.size.rows)), view.size.columns
    return b"".join(faces[start : start + columns] for start in range(0, len(faces), grid.stride))


# From text

_OVER = frozenset("BX!")
_MINED = frozenset("BXF*")


def parse_board(text: str) -> Minefield:
    r"""Read a board, for instance ``parse_board("* . .\n. . .")``."""
    size, sets = _parse_cells(text, "*.")
    return Minefield(size, sets.get("*", 0))


def parse_position(text: str, mine_count: int, status: Status | None = None) -> PlayerView:
    """Read what a player sees. A position that shows mines is over; the status says how."""
    size, sets = _parse_cells(text, "?FBX!*" + DIGITS)
    exploded = sets.get("X", 0)
    if exploded.bit_count() > 1:
        raise NotationError("only one mine goes off in a game")
    over = bool(_OVER & sets.keys()) or status not in (None, Status.ONGOING)
    if status is None:
        status = (Status.LOST if exploded else Status.WON) if over else Status.ONGOING
    clues = [sets.get(digit, 0) for digit in DIGITS]
    grid = Grid.of(size)
    ones, twos, fours, eights = (
        _union(cells for number, cells in enumerate(clues) if number & 1 << plane)
        for plane in range(4)
    )
    return PlayerView(
        size,
        mine_count,
        status,
        exploded | _union(clues),
        sets.get("F", 0) | sets.get("!", 0),
        (ones, twos, fours, eights),
        _union(sets.get(symbol, 0) for symbol in _MINED) if over else None,
        grid.cell(exploded.bit_length() - 1) if exploded else None,
        known=sets.get("*", 0),
    )


def _parse_cells(text: str, symbols: str) -> tuple[Size, dict[str, int]]:
    """Read rows of symbols into one set of cells for each symbol."""
    check_kind("text", text, str, "a text")
    rows = ["".join(line.split()) for line in text.strip().splitlines()]
    if len({len(row) for row in rows}) != 1:
        raise NotationError("a board needs rows of one length")
    for number, row in enumerate(rows):
        if unknown := row.strip(symbols):
            column = row.index(unknown[0])
            raise NotationError(f"{unknown[0]!r} at column {column}, row {number} is no cell")
    size = Size(len(rows[0]), len(rows))
    # A padding column after each row, the first cell last: the digits of a number in base 2.
    digits = "".join(row + " " for row in rows)[::-1]
    present = set(digits) - {" "}
    return size, {symbol: _select(digits, symbol) for symbol in sorted(present)}


def _select(digits: str, symbol: str) -> int:
    table = dict.fromkeys(map(ord, set(digits)), "0") | {ord(symbol): "1"}
    return int(digits.translate(table), 2)


def _union(sets: Iterable[int]) -> int:
    union = 0
    for cells in sets:
        union |= cells
    return union


# From faces


def read_faces(faces: bytes | bytearray, size: Size, mine_count: int, status: Status) -> PlayerView:
    """Read what a player sees from the faces of all cells, in reading order.

    What only debug mode shows is left out; NotationError if they make no sense.
    """
    symbols = SYMBOLS_AFTER if status.is_over else _SYMBOLS_BEFORE
    text = charmap_decode(bytes(faces), "strict", symbols)[0]
    rows = (text[start : start + size.columns] for start in range(0, len(text), size.columns))
    return parse_position("\n".join(rows), mine_count, status)


def _symbol_before(face: int) -> str:
    """Write a cell of a running game."""
    if face & COVERED:
        return "F" if face & FLAGGED else "?"
    return "*" if face & MINED else digit_of(face)


def _symbol_after(face: int) -> str:
    """Write a cell of a game that has ended."""
    if face & EXPLODED:
        return "X"
    if face & FLAGGED:
        return "F" if face & MINED else "!"
    if face & MINED:
        return "B"
    return "?" if face & COVERED else digit_of(face)


_SYMBOLS_BEFORE: Final = "".join(map(_symbol_before, range(256)))
SYMBOLS_AFTER: Final = "".join(map(_symbol_after, range(256)))
