"""3BV, clicks and what follows from them."""

from __future__ import annotations

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.core.minefield import Minefield, place_mines, seeded_bits
from jminesweeper.core.rules import PRESETS, Rules, Spread
from jminesweeper.core.view import Status, parse_board
from jminesweeper.recordings.figures import BoardFigures, Figures, count_solved, measure_board
from tests.unit.core.boards import make, play

CLASSIC, STOCK = PRESETS["classic"], PRESETS["jminesweeper"]

# Two openings of one zero each in the top corners, a number between them that neither opens.
TWO_OPENINGS = """
. . . . .
. . * . .
"""


def test_each_opening_and_each_number_that_none_opens_is_one_3bv() -> None:
    assert measure_board(parse_board(TWO_OPENINGS), CLASSIC) == BoardFigures(Spread.EIGHT, 2, 1, 1)
    assert measure_board(parse_board(TWO_OPENINGS), CLASSIC).bbbv == 3


@pytest.mark.parametrize(("rules", "mean"), [(CLASSIC, 174), (STOCK, 220)])
def test_the_mean_3bv_of_expert_boards_is_what_players_know(rules: Rules, mean: int) -> None:
    size = Size(30, 16)
    random_bits = seeded_bits(1)
    fields = [Minefield(size, place_mines(size, 99, random_bits)) for _ in range(400)]
    assert sum(measure_board(field, rules).bbbv for field in fields) / 400 == pytest.approx(
        mean, abs=4
    )


def test_a_board_is_solved_by_and_by() -> None:
    field = parse_board(TWO_OPENINGS)
    game = play(TWO_OPENINGS, "classic")
    solved = [count_solved(field, game.visible, CLASSIC)]
    for move in ["reveal 0 0", "reveal 1 0", "reveal 2 0", "reveal 4 1"]:
        make(game, move)
        solved.append(count_solved(field, game.visible, CLASSIC))
    assert solved == [0, 1, 1, 2, 3]
    assert game.status is Status.WON


def test_ratios_are_those_that_players_compare() -> None:
    game = play(TWO_OPENINGS, "classic", "reveal 0 0", "reveal 0 0", "reveal 2 0", "reveal 4 0")
    figures = Figures.of(game)
    assert figures.elapsed_ms == 3000
    assert figures.efficiency == pytest.approx(3 / 4)
    assert figures.correctness == pytest.approx(3 / 4)
    assert figures.throughput == pytest.approx(1)
    assert figures.bbbv_per_second == pytest.approx(1)
    assert figures.estimated_ms == pytest.approx(3000)
    assert figures.rqp == pytest.approx(9 / 3)
    assert figures.qg == pytest.approx(3**1.7 / 3)


def test_an_unfinished_game_has_an_estimate_and_no_score() -> None:
    figures = Figures.of(play(TWO_OPENINGS, "classic", "reveal 2 0", "reveal 0 0"))
    assert (figures.solved, figures.bbbv, figures.elapsed_ms) == (2, 3, 1000)
    assert figures.estimated_ms == pytest.approx(1500)
    assert (figures.rqp, figures.qg) == (None, None)


def test_a_game_without_a_click_has_no_ratios() -> None:
    figures = Figures.of(play(TWO_OPENINGS, "classic"))
    assert (figures.clicks, figures.solved) == (0, 0)
    ratios = [figures.efficiency, figures.correctness, figures.throughput]
    assert ratios == [None] * 3
    assert (figures.bbbv_per_second, figures.estimated_ms) == (None, None)


def test_a_win_by_flags_alone_solved_nothing_and_has_no_score() -> None:
    figures = Figures.of(play("*", "jminesweeper", "flag 0 0"))
    assert (figures.status, figures.bbbv, figures.rqp) == (Status.WON, 0, None)
    assert figures.correctness == 1
