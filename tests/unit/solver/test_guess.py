from dataclasses import replace

import pytest

from jminesweeper.core import Cell, parse_position
from jminesweeper.solver import FULL, PARTS, Counter, Guess, Reason, Strategy
from jminesweeper.solver.analysis import assess
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.guess import choose_guess
from jminesweeper.solver.knowledge import Knowledge
from tests.unit.solver.positions import CORNER

RING = "? ? ? ? ? ?\n? ? ? ? ? ?\n? ? 3 ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?"


def guess(
    text: str, mines: int, strategy: Strategy = FULL, counter: Counter | None = None
) -> Guess:
    knowledge = Knowledge.of(parse_position(text, mines))
    knowledge.deduce_all()
    assessment = assess(knowledge, Frontier(knowledge), counter or Counter())
    return choose_guess(knowledge, assessment, strategy)


def test_the_lowest_risk_is_taken_and_of_equal_ones_the_least_surrounded() -> None:
    chosen = guess("? ? ? ?\n? ? ? ?\n? ? ? ?", 3, PARTS["risk"])
    assert (chosen.index, chosen.reason) == (0, Reason.LOWEST_RISK)
    assert chosen.risk == pytest.approx(0.25)


def test_few_layouts_are_searched_to_the_end() -> None:
    assert guess("? 1\n? 1", 1).reason is Reason.ENDGAME


def test_a_search_that_grows_too_large_leaves_it_to_the_other_parts() -> None:
    strategy = replace(FULL, endgame_layouts=10**9, endgame_nodes=2)
    assert guess(RING, 6, strategy).reason is Reason.PROGRESS


def test_the_endgame_can_be_switched_off() -> None:
    chosen = guess("? 1\n? 1", 1, PARTS["progress"])
    assert chosen.reason is Reason.LOWEST_RISK
    assert chosen.risk == 0.5


def test_a_coin_toss_that_nothing_can_spare_is_taken_at_once() -> None:
    strategy = replace(FULL, endgame_layouts=2)
    chosen = guess("? 1 . 1 ?\n? 1 . 1 ?", 2, strategy)
    assert chosen.reason is Reason.FIFTY_FIFTY
    assert chosen.risk == 0.5


def test_a_pocket_whose_search_grows_too_large_is_left_for_later() -> None:
    strategy = replace(FULL, endgame_layouts=2, endgame_nodes=0)
    chosen = guess("? 1 . 1 ?\n? 1 . 1 ?", 2, strategy)
    assert chosen.risk == 0.5


def test_a_region_that_the_mine_count_may_solve_later_is_left_to_the_end() -> None:
    strategy = replace(FULL, endgame_layouts=0)
    assert guess(CORNER, 7, strategy).index == 11
    assert guess(CORNER, 7, replace(strategy, regions=False)).index == 0
    # Nor is it left where it is larger than what is worth waiting for.
    assert guess(CORNER, 7, replace(strategy, most_postponed=3)).index == 0


def test_a_region_is_not_left_for_a_cell_that_tells_nothing() -> None:
    # The cell at the top right is shut in by mines: its number would be no news.
    text = """\
? ? 1 . . 2 ? ?
? ? 2 1 . 2 ? ?
1 2 ? 1 . 1 2 2
. 1 1 1 . . . ."""
    chosen = guess(text, 6, replace(FULL, endgame_layouts=0))
    assert chosen.reason is Reason.PROGRESS
    assert chosen.index in (0, 1, 9, 10)


def test_near_equal_risks_are_told_apart_by_what_they_lead_to() -> None:
    chosen = guess(RING, 6)
    assert chosen.reason is Reason.PROGRESS
    # A corner is the most likely zero of all the cells that no number sees.
    assert chosen.index in (0, 5, 28, 33)


def test_where_components_are_estimated_a_guess_is_found_all_the_same() -> None:
    chosen = guess(RING, 6, counter=Counter(state_limit=0))
    assert 0 < chosen.risk < 1


@pytest.mark.parametrize("strategy", PARTS.values(), ids=PARTS.keys())
def test_every_strategy_finds_a_guess(strategy: Strategy) -> None:
    chosen = guess("? ? ? ?\n? 2 ? ?\n? ? ? ?", 3, strategy)
    assert 0 < chosen.risk < 1
    assert chosen.index != Cell(1, 1).row * 5 + 1
