"""Positions that several tests of the solver look at."""

from __future__ import annotations

from jminesweeper.core.grid import Cell, Grid
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.notation import parse_position
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.solver.knowledge import Knowledge

# One or more mines in the corner: either the cell that the 2s see, or the two beside it, and the
# corner itself is seen by nobody. The mine south-east of it keeps its numbers apart. The large part
# on the right is no safer.
CORNER = """\
? ? 1 . . . . ? ? ? ? ?
? ? 2 1 . . 1 ? ? ? ? ?
1 2 ? 1 . . 1 ? ? ? ? ?
. 1 1 1 . . 2 ? ? ? ? ?
. . . . . . 1 ? ? ? ? ?
. . . . . . 1 ? ? ? ? ?"""


def known(text: str, mines: int) -> Knowledge:
    """What the two rules find out about a position."""
    knowledge = Knowledge.of(parse_position(text, mines))
    knowledge.deduce_all()
    return knowledge


def statuses(knowledge: Knowledge) -> str:
    """The board as the solver knows it: `?` unknown, `s` safe, `m` mine, `.` shown."""
    terrain = knowledge.terrain
    rows = [
        "".join(
            "?sm."[knowledge.status[terrain.grid.index(Cell(column, row))]]
            for column in range(terrain.size.columns)
        )
        for row in range(terrain.size.rows)
    ]
    return "\n".join(rows)


def view_of(field: Minefield, visible: list[Cell]) -> PlayerView:
    """What a player sees of a board with these cells visible."""
    grid = Grid.of(field.size)
    shown = sum(grid.bit(cell) for cell in visible)
    ones, twos, fours, eights = field.clue_planes
    planes = (ones & shown, twos & shown, fours & shown, eights & shown)
    return PlayerView(field.size, field.mine_count, Status.ONGOING, shown, 0, planes, None, None)
