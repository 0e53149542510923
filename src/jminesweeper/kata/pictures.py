"""The kata's two pictures of what a player sees, as text and back, and where its bombs are.

Both pictures show ``_`` for no bomb around, digits, ``*`` for a flag and ``X`` for the bomb that
went off. A hidden square is ``-`` in the compact picture and blank in the one with a grid. Bombs
stay hidden after the end. Rows are lines, or separated by slashes.
"""

from __future__ import annotations

import re
from enum import Enum

from jminesweeper.core.minefield import Minefield
from jminesweeper.core.notation import parse_board, parse_position
from jminesweeper.core.view import PlayerView
from jminesweeper.kata.messages import KataError
from jminesweeper.kata.moves import SANDBOX

_RULER = "+-+-+-+"
_GRID_ROW = re.compile(r"\|([^|])\|([^|])\|([^|])\|")
_COMPACT_ROW = re.compile(r"[-_*X1-8]{3}")
_BOMB_ROW = re.compile(r"[-b]{3}")

_TO_POSITION = str.maketrans("-_*", "?.F")
# A flag where no bomb was looks like any flag, a bomb nobody stepped on like any hidden square.
_FROM_POSITION = str.maketrans("?.F!B", "-_**-")
_TO_BOARD = str.maketrans("-b", ".*")
_HIDDEN_TO_BLANK = str.maketrans("-", " ")
_BLANK_TO_HIDDEN = str.maketrans(" -", "-?")


class PictureStyle(Enum):
    """The pictures of one board that the kata draws."""

    GRID = "grid"
    COMPACT = "compact"


def format_picture(view: PlayerView, style: PictureStyle) -> str:
    compact = str(view).translate(_FROM_POSITION)
    return compact if style is PictureStyle.COMPACT else _draw_grid(compact)


def parse_picture(text: str, bomb_count: int) -> PlayerView:
    """Read either picture."""
    rows = _rows(text)
    if rows[:1] == [_RULER]:
        rows = _read_grid(rows)
    _check(rows, _COMPACT_ROW, "a picture has three rows of three among - _ * X and 1 to 8")
    if sum(row.count("X") for row in rows) > 1:
        raise KataError("only one bomb goes off in a game")
    return parse_position("\n".join(rows).translate(_TO_POSITION), bomb_count)


def parse_bombs(text: str) -> Minefield:
    """Read where the bombs are: rows of ``b`` and ``-``."""
    rows = _rows(text)
    _check(rows, _BOMB_ROW, "bombs are written as three rows of three among b and -")
    return parse_board("\n".join(rows).translate(_TO_BOARD))


def _rows(text: str) -> list[str]:
    return [row.strip() for row in text.replace("/", "\n").strip().splitlines()]


def _draw_grid(compact: str) -> str:
    rows = compact.translate(_HIDDEN_TO_BLANK).splitlines()
    return "\n".join([_RULER, *(f"|{'|'.join(row)}|\n{_RULER}" for row in rows)])


def _read_grid(rows: list[str]) -> list[str]:
    """Turn the rows of a grid into those of the compact picture, a wrong one into a wrong one."""
    matches = [_GRID_ROW.fullmatch(row) for row in rows[1::2]]
    if any(ruler != _RULER for ruler in rows[::2]) or len(rows) != 2 * SANDBOX.rows + 1:
        raise KataError(f"a grid has three rows, each between two lines {_RULER}")
    return [
        "".join(match.groups()).translate(_BLANK_TO_HIDDEN) if match else "" for match in matches
    ]


def _check(rows: list[str], shape: re.Pattern[str], complaint: str) -> None:
    if len(rows) != SANDBOX.rows or not all(map(shape.fullmatch, rows)):
        raise KataError(complaint)
