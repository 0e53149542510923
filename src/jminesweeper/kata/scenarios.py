"""The kata's six scenarios and twelve numbered examples, as data.

A board that is printed is one `Beat`: the moves that lead to it, its picture and its message.
Where a title names other squares than the pictures show, the pictures were followed; how each
such oddity was read is in docs/kata.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from jminesweeper.kata.sandbox import PictureStyle


class Beat(NamedTuple):
    """One printed board; rows are separated by slashes, the message has no prefix."""

    moves: str
    picture: str
    message: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """A game told board by board, drawn in the style of the kata's own text."""

    name: str
    title: str
    style: PictureStyle
    bombs: str
    beats: tuple[Beat, ...]


_GRID, _COMPACT = PictureStyle.GRID, PictureStyle.COMPACT

_BOOM = "BOOM! \N{EN DASH} Game Over."
_CLEARED = "the land is cleared! GOOD JOB!"
_FLAGGED = "Square flagged as bomb."
_UNFLAGGED = "Square unflagged as bomb."
_NONE = "No bomb around your square."
_ONE = "1 bomb around your square."
_TWO = "2 bombs around your square."
_THREE = "3 bombs around your square."

_EMPTY = Beat("", "---/---/---", "Game created")
_THREE_MARKED = "step 0;0, mark 1;0, mark 1;1, mark 0;1"
# The squares of "[2;0 + 2;1 + 2;2 + 1;2 + 1;2]": the picture shows 0;2 open, so the last is 0;2.
_FIVE_CLEARED = "step 2;0, step 2;1, step 2;2, step 1;2, step 0;2"

SCENARIOS: tuple[Scenario, ...] = (
    Scenario("Scenario 1", "Game Board Creation phase", _GRID, "---/bb-/-b-", (_EMPTY,)),
    Scenario(
        "Scenario 2",
        "Game Over - Step on a bomb on 1;1",
        _GRID,
        "---/bb-/-b-",
        (Beat("step 1;1", "---/-X-/---", _BOOM),),
    ),
    Scenario(
        "Scenario 3",
        "Clean square 0;0 and get the number of bombs around",
        _GRID,
        "---/bb-/-b-",
        (Beat("step 0;0", "---/---/3--", _THREE),),
    ),
    Scenario(
        "Scenario 4",
        "Mark the bombs around",
        _GRID,
        "---/bb-/-b-",
        (Beat(_THREE_MARKED, "---/**-/3*-", _FLAGGED),),
    ),
    Scenario(
        "Scenario 5",
        "Game Victory - After all the squares are cleared",
        _GRID,
        "---/bb-/-b-",
        (Beat(f"{_THREE_MARKED}, {_FIVE_CLEARED}", "221/**2/3*2", _CLEARED),),
    ),
    Scenario(
        "Scenario 6",
        "Massive cleaning and victory clicking on 0;0",
        _GRID,
        "--b/---/---",
        (Beat("step 0;0", "_1-/_11/___", _CLEARED),),
    ),
    Scenario("Example 1", "Creating an empty 3x3 game board", _GRID, "---/-b-/---", (_EMPTY,)),
    Scenario(
        "Example 2",
        "Game Over - Step on a bomb on 1;1",
        _COMPACT,
        "---/-b-/---",
        (Beat("step 1;1", "---/-X-/---", _BOOM),),
    ),
    Scenario(
        "Example 3",
        "Game Over - Step on a bomb on 0;0",
        _COMPACT,
        "---/---/b--",
        (Beat("step 0;0", "---/---/X--", _BOOM),),
    ),
    Scenario(
        "Example 4",
        "Game Over - Step on a bomb on 2;0",
        _COMPACT,
        "---/---/--b",
        (Beat("step 2;0", "---/---/--X", _BOOM),),
    ),
    Scenario(
        "Example 5",
        "Game Over - Step on a bomb on 0;1",
        _COMPACT,
        "--b/b--/b--",
        (
            Beat("step 2;1", "---/--1/---", _ONE),
            Beat("step 0;1", "---/X-1/---", _BOOM),
        ),
    ),
    Scenario(
        "Example 6",
        "Game Over - Step on a bomb on 0;2",
        _COMPACT,
        "b--/--b/-b-",
        (
            Beat("step 2;0", "---/---/--2", _TWO),
            Beat("step 2;2", "--1/---/--2", _ONE),
            Beat("step 0;2", "X-1/---/--2", _BOOM),
        ),
    ),
    Scenario(
        "Example 7",
        "Game Victory - With every bomb marked",
        _COMPACT,
        "b-b/---/--b",
        (
            Beat("step 1;2", "-2-/---/---", _TWO),
            Beat("mark 0;2", "*2-/---/---", _FLAGGED),
            Beat("mark 2;2", "*2*/---/---", _FLAGGED),
            Beat("step 0;1", "*2*/1--/---", _ONE),
            Beat("step 1;1", "*2*/13-/---", _THREE),
            Beat("step 2;1", "*2*/132/---", _TWO),
            Beat("step 1;0", "*2*/132/-1-", _ONE),
            Beat("mark 2;0", "*2*/132/-1*", _FLAGGED),
            Beat("step 0;0", "*2*/132/_1*", _CLEARED),
        ),
    ),
    Scenario(
        "Example 8",
        "Game Victory - After all the squares are cleared",
        _COMPACT,
        "---/bb-/-b-",
        (
            Beat("step 0;0", "---/---/3--", _THREE),
            Beat("mark 0;1", "---/*--/3--", _FLAGGED),
            Beat("mark 1;1", "---/**-/3--", _FLAGGED),
            Beat("mark 1;0", "---/**-/3*-", _FLAGGED),
            Beat("step 2;0", "---/**-/3*2", _TWO),
            Beat("step 2;1", "---/**2/3*2", _TWO),
            Beat("step 0;2", "2--/**2/3*2", _TWO),
            Beat("step 1;2", "22-/**2/3*2", _TWO),
            Beat("step 2;2", "221/**2/3*2", _CLEARED),
        ),
    ),
    Scenario(
        "Example 9",
        "Game Victory - Without a mark",
        _COMPACT,
        "-b-/--b/b--",
        (
            Beat("step 0;2", "1--/---/---", _ONE),
            Beat("step 1;1", "1--/-3-/---", _THREE),
            Beat("step 0;1", "1--/23-/---", _TWO),
            Beat("step 2;0", "1--/23-/--1", _ONE),
            Beat("step 1;0", "1--/23-/-21", _TWO),
            Beat("step 2;2", "1-2/23-/-21", _CLEARED),
        ),
    ),
    Scenario(
        "Example 10",
        "Massive cleaning and victory clicking on 0;0",
        _COMPACT,
        "--b/---/---",
        (Beat("step 0;0", "_1-/_11/___", _CLEARED),),
    ),
    Scenario(
        "Example 11",
        "Massive cleaning and victory clicking on 0;2",
        _COMPACT,
        "--b/--b/--b",
        (Beat("step 0;2", "_2-/_3-/_2-", _CLEARED),),
    ),
    Scenario(
        "Example 12",
        "Game Victory - After a mark is taken back",
        _COMPACT,
        "-bb/---/b--",
        (
            Beat("step 2;0", "---/-32/-1_", _NONE),
            Beat("step 0;2", "1--/-32/-1_", _ONE),
            Beat("mark 0;1", "1--/*32/-1_", _FLAGGED),
            Beat("unmark 0;1", "1--/-32/-1_", _UNFLAGGED),
            Beat("step 0;1", "1--/232/-1_", _CLEARED),
        ),
    ),
)
