"""The odds around a place, and the next cell that simple rules settle."""

from __future__ import annotations

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import parse_position
from jminesweeper.solver.hints import Solved, next_solved, odds_near
from jminesweeper.solver.position import analyse

CORNER = Cell(0, 0)


def test_certain_cells_are_0_or_100_and_no_other_is() -> None:
    odds = odds_near(parse_position("? 1 ? ?\n1 1 ? ?", mine_count=2), CORNER)
    assert odds.is_exact
    assert odds.percents == {0: 100, 2: 0, 7: 0, 3: 50, 8: 50}


def test_what_the_mine_count_alone_makes_a_mine_is_100() -> None:
    odds = odds_near(parse_position("1 1\n? ?\n? ?", mine_count=3), CORNER)
    assert odds.percents == {3: 50, 4: 50, 6: 100, 7: 100}


def test_almost_certain_is_not_certain() -> None:
    wide = "1 ? " + "? " * 250
    percents = odds_near(parse_position(wide, mine_count=2), CORNER).percents
    assert percents[1] == 100
    assert {percents[index] for index in range(2, 252)} == {1}


@pytest.mark.parametrize("seed", range(5))
def test_they_are_those_of_the_analysis(seed: int) -> None:
    game = Game(Setup.of("intermediate", seed=seed))
    game.reveal(Cell(8, 8), 0)
    view = game.view
    chances = analyse(view).chances
    percents = odds_near(view, Cell(8, 8)).percents
    assert {view.grid.cell(index) for index in percents} == chances.keys()
    for index, percent in percents.items():
        chance = chances[view.grid.cell(index)]
        assert percent == pytest.approx(100 * chance, abs=1)
        assert (percent in {0, 100}) == (chance in {0, 1})


def test_a_large_board_is_looked_at_around_the_cursor() -> None:
    game = Game(Setup.of(Size(200, 200), 8_000, "classic", seed=1))
    game.reveal(Cell(100, 100), 0)
    odds = odds_near(game.view, Cell(100, 100))
    cells = [*map(game.grid.cell, odds.percents)]
    assert not odds.is_exact
    assert {cell.column for cell in cells} <= {*range(80, 121)}
    assert len(cells) > 1_000


def test_the_next_safe_cell_is_found_in_reading_order_and_around_the_end() -> None:
    view = parse_position("? 1 ? ?\n1 1 ? ?", mine_count=2)
    assert next_solved(view, Cell(0, 0)) == Solved(Cell(2, 0), is_mine=False)
    assert next_solved(view, Cell(2, 0)) == Solved(Cell(2, 1), is_mine=False)
    assert next_solved(view, Cell(2, 1)) == Solved(Cell(2, 0), is_mine=False)


def test_a_mine_without_a_flag_comes_once_nothing_is_safe() -> None:
    assert next_solved(parse_position("? 1\n1 1", mine_count=1), CORNER) == Solved(CORNER, True)
    assert next_solved(parse_position("F 1\n1 1", mine_count=1), CORNER) is None
