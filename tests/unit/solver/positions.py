"""Positions that several tests of the solver look at."""

from __future__ import annotations

from jminesweeper.core.grid import Cell, Grid
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.view import PlayerView, Status, parse_position
from jminesweeper.solver.components import Component
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.position import Position


def known(text: str, mines: int) -> Knowledge:
    """Return the two rules' knowledge of a position."""
    return Position.of(parse_position(text, mines)).knowledge


def seen(view: PlayerView) -> Position:
    """A position in which nothing was concluded yet."""
    position = Position(view.size, view.mine_count)
    position.update(view)
    return position


def component_of(text: str, mines: int) -> Component:
    """The only component of a position."""
    (component,) = Position.of(parse_position(text, mines)).components()
    return component


def statuses(knowledge: Knowledge) -> str:
    """The board as the solver knows it: `?` unknown, `s` safe, `m` mine, `.` shown."""
    statuses = {symbol: knowledge.cells_that_are(each) for each, symbol in enumerate("?sm")}
    return knowledge.grid.draw(statuses, ".")


def view_of(field: Minefield, visible: list[Cell]) -> PlayerView:
    """Return a player's view of a board with these cells visible."""
    grid = Grid.of(field.size)
    shown = sum(grid.bit(cell) for cell in visible)
    ones, twos, fours, eights = field.clue_planes
    planes = (ones & shown, twos & shown, fours & shown, eights & shown)
    return PlayerView(field.size, field.mine_count, Status.ONGOING, shown, 0, planes)
