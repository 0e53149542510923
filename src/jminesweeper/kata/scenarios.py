"""The kata's six scenarios and twelve numbered examples, as data.

A board that is printed is one `Beat`: the moves that lead to it, its picture and its message.
Where a title names other squares than the pictures show, the pictures were followed; how each
such oddity was read is in docs/kata.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

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


def _parse(text: str) -> Scenario:
    """Read a scenario: its title, its style and bombs, then a line for each board."""
    title, setup, *beats = text.strip().splitlines()
    style, bombs = setup.split()
    told = (map(str.strip, beat.split("|")) for beat in beats)
    name, _, subject = title.partition(": ")
    return Scenario(name, subject, PictureStyle(style), bombs, tuple(Beat(*each) for each in told))


# In Scenario 5 the kata writes "[2;0 + 2;1 + 2;2 + 1;2 + 1;2]": its picture shows 0;2 open, so the
# last of these is 0;2.
_TEXT: Final = """
Scenario 1: Game Board Creation phase
grid ---/bb-/-b-
| ---/---/--- | Game created

Scenario 2: Game Over - Step on a bomb on 1;1
grid ---/bb-/-b-
step 1;1 | ---/-X-/--- | BOOM! \N{EN DASH} Game Over.

Scenario 3: Clean square 0;0 and get the number of bombs around
grid ---/bb-/-b-
step 0;0 | ---/---/3-- | 3 bombs around your square.

Scenario 4: Mark the bombs around
grid ---/bb-/-b-
step 0;0, mark 1;0, mark 1;1, mark 0;1 | ---/**-/3*- | Square flagged as bomb.

Scenario 5: Game Victory - After all the squares are cleared
grid ---/bb-/-b-
step 0;0, mark 1;0, mark 1;1, mark 0;1, step 2;0, step 2;1, step 2;2, step 1;2, \
step 0;2 | 221/**2/3*2 | the land is cleared! GOOD JOB!

Scenario 6: Massive cleaning and victory clicking on 0;0
grid --b/---/---
step 0;0 | _1-/_11/___ | the land is cleared! GOOD JOB!

Example 1: Creating an empty 3x3 game board
grid ---/-b-/---
| ---/---/--- | Game created

Example 2: Game Over - Step on a bomb on 1;1
compact ---/-b-/---
step 1;1 | ---/-X-/--- | BOOM! \N{EN DASH} Game Over.

Example 3: Game Over - Step on a bomb on 0;0
compact ---/---/b--
step 0;0 | ---/---/X-- | BOOM! \N{EN DASH} Game Over.

Example 4: Game Over - Step on a bomb on 2;0
compact ---/---/--b
step 2;0 | ---/---/--X | BOOM! \N{EN DASH} Game Over.

Example 5: Game Over - Step on a bomb on 0;1
compact --b/b--/b--
step 2;1 | ---/--1/--- | 1 bomb around your square.
step 0;1 | ---/X-1/--- | BOOM! \N{EN DASH} Game Over.

Example 6: Game Over - Step on a bomb on 0;2
compact b--/--b/-b-
step 2;0 | ---/---/--2 | 2 bombs around your square.
step 2;2 | --1/---/--2 | 1 bomb around your square.
step 0;2 | X-1/---/--2 | BOOM! \N{EN DASH} Game Over.

Example 7: Game Victory - With every bomb marked
compact b-b/---/--b
step 1;2 | -2-/---/--- | 2 bombs around your square.
mark 0;2 | *2-/---/--- | Square flagged as bomb.
mark 2;2 | *2*/---/--- | Square flagged as bomb.
step 0;1 | *2*/1--/--- | 1 bomb around your square.
step 1;1 | *2*/13-/--- | 3 bombs around your square.
step 2;1 | *2*/132/--- | 2 bombs around your square.
step 1;0 | *2*/132/-1- | 1 bomb around your square.
mark 2;0 | *2*/132/-1* | Square flagged as bomb.
step 0;0 | *2*/132/_1* | the land is cleared! GOOD JOB!

Example 8: Game Victory - After all the squares are cleared
compact ---/bb-/-b-
step 0;0 | ---/---/3-- | 3 bombs around your square.
mark 0;1 | ---/*--/3-- | Square flagged as bomb.
mark 1;1 | ---/**-/3-- | Square flagged as bomb.
mark 1;0 | ---/**-/3*- | Square flagged as bomb.
step 2;0 | ---/**-/3*2 | 2 bombs around your square.
step 2;1 | ---/**2/3*2 | 2 bombs around your square.
step 0;2 | 2--/**2/3*2 | 2 bombs around your square.
step 1;2 | 22-/**2/3*2 | 2 bombs around your square.
step 2;2 | 221/**2/3*2 | the land is cleared! GOOD JOB!

Example 9: Game Victory - Without a mark
compact -b-/--b/b--
step 0;2 | 1--/---/--- | 1 bomb around your square.
step 1;1 | 1--/-3-/--- | 3 bombs around your square.
step 0;1 | 1--/23-/--- | 2 bombs around your square.
step 2;0 | 1--/23-/--1 | 1 bomb around your square.
step 1;0 | 1--/23-/-21 | 2 bombs around your square.
step 2;2 | 1-2/23-/-21 | the land is cleared! GOOD JOB!

Example 10: Massive cleaning and victory clicking on 0;0
compact --b/---/---
step 0;0 | _1-/_11/___ | the land is cleared! GOOD JOB!

Example 11: Massive cleaning and victory clicking on 0;2
compact --b/--b/--b
step 0;2 | _2-/_3-/_2- | the land is cleared! GOOD JOB!

Example 12: Game Victory - After a mark is taken back
compact -bb/---/b--
step 2;0 | ---/-32/-1_ | No bomb around your square.
step 0;2 | 1--/-32/-1_ | 1 bomb around your square.
mark 0;1 | 1--/*32/-1_ | Square flagged as bomb.
unmark 0;1 | 1--/-32/-1_ | Square unflagged as bomb.
step 0;1 | 1--/232/-1_ | the land is cleared! GOOD JOB!
"""
SCENARIOS: Final[tuple[Scenario, ...]] = tuple(map(_parse, _TEXT.strip().split("\n\n")))
