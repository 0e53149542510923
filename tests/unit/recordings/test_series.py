"""Figures of many games, added up."""

from __future__ import annotations

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import parse_board
from jminesweeper.recordings.figures import Figures, Series, wilson_interval

FIELD = parse_board("* . .\n. . .\n. . .")


def game(*cells: Cell, at_ms: int = 0) -> Game:
    played = Game(Setup.of(FIELD.size, layout=FIELD.mines))
    for cell in cells:
        played.reveal(cell, at_ms)
    return played


@pytest.mark.requirement("E:Statistics", "F:games_played", "F:games_won")
def test_games_are_counted_once_something_was_done_in_them() -> None:
    games = [game(Cell(2, 2)), game(Cell(0, 0)), game(Cell(1, 0)), game()]
    series = Series.of(games)
    assert (series.games_played, series.games_won) == (3, 1)
    assert series.win_rate == pytest.approx(1 / 3)


@pytest.mark.requirement("E:Statistics")
def test_ratios_are_those_of_all_games_together() -> None:
    games = [game(Cell(2, 2), at_ms=500), game(Cell(1, 0), Cell(1, 0), at_ms=1500)]
    figures = [Figures.of(each) for each in games]
    series = Series.of(games)
    assert series.solved == sum(each.solved for each in figures)
    assert series.clicks == sum(each.clicks for each in figures)
    assert series.efficiency == series.solved / series.clicks
    assert series.correctness == series.effective_clicks / series.clicks
    assert series.throughput == series.solved / series.effective_clicks
    assert series.bbbv_per_second == series.solved / 2


def test_no_games_have_no_ratios() -> None:
    series = Series()
    assert (series.win_rate, series.win_interval, series.efficiency) == (None, None, None)
    assert (series.correctness, series.throughput, series.bbbv_per_second) == (None, None, None)


def test_the_interval_of_a_win_rate_is_wilsons() -> None:
    low, high = wilson_interval(40, 100)
    assert low == pytest.approx(0.3094, abs=1e-4)
    assert high == pytest.approx(0.4980, abs=1e-4)
    assert wilson_interval(0, 10)[0] == pytest.approx(0)
    assert Series(100, 40).win_interval == (low, high)


def test_any_number_of_series_is_added_up_by_sum() -> None:
    games = [game(Cell(2, 2)), game(Cell(0, 0)), game(Cell(1, 0))]
    assert sum(Series.of([each]) for each in games) == Series.of(games)
