"""Boards and positions read from text, as `str` of a `Minefield` and of a `PlayerView` writes them.

A *board* is the truth: ``*`` a mine, ``.`` none. A *position* is what the player sees: ``?``
covered, ``F`` flagged, ``.`` a visible zero, a digit a clue; and once the game is over ``B`` an
unflagged mine, ``X`` the one that went off, ``!`` a flag where no mine was. ``*`` is a mine that
was hit and did not end the game. Rows are lines; blanks between cells are ignored.
"""

from __future__ import annotations

from codecs import charmap_decode
from collections.abc import Iterable
from typing import Final

from jminesweeper.core.errors import NotationError, check_kind
from jminesweeper.core.grid import Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.view import (
    COVERED,
    DIGITS,
    EXPLODED,
    FLAGGED,
    MINED,
    PlayerView,
    Status,
    digit_of,
)

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
