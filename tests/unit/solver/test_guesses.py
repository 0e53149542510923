from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.notation import parse_position
from jminesweeper.solver.counting import DEFAULT_STATE_LIMIT
from jminesweeper.solver.guess import Guess
from jminesweeper.solver.playing import decide
from jminesweeper.solver.position import Position
from jminesweeper.solver.strategy import FULL, PARTS, Reason, Strategy

RING = "? ? ? ? ? ?\n? ? ? ? ? ?\n? ? 3 ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?"


def guess(
    text: str, mines: int, strategy: Strategy = FULL, state_limit: int = DEFAULT_STATE_LIMIT
) -> Guess:
    position = Position.of(parse_position(text, mines), state_limit)
    # What is certain is left as it is: a guess is asked for beside it.
    while (plan := decide(position, strategy)).cells:
        pass
    assert plan.guess is not None
    return plan.guess


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


def test_a_region_that_the_mine_count_may_solve_later_is_left_to_the_end() -> None:
    strategy = replace(FULL, endgame_layouts=0)
    assert guess(CORNER, 7, strategy).index == 8
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


@pytest.mark.parametrize("text", ["? 1 . 1 ?\n? 1 . 1 ?", "1 ? ? 1 . 1 ?\n1 ? ? 1 . 1 ?"])
def test_a_region_whose_own_mines_are_known_is_played_out_at_once(text: str) -> None:
    # In the second one the 1s on either side of the left pocket share no cell, but their cells
    # are side by side.
    chosen = guess(text, 2 + text.startswith("1"), replace(FULL, endgame_layouts=4))
    assert (chosen.reason, chosen.risk) == (Reason.ENDGAME, 0.5)
    without = replace(FULL, endgame_layouts=4, endgame_nodes=0)
    assert guess(text, 2 + text.startswith("1"), without).risk == 0.5


def test_what_is_too_large_to_count_is_no_region() -> None:
    # On the left one number by itself, on the right two that share cells.
    text = "? ? ? ? ? ? ? ? ?\n? 1 ? ? 3 ? 3 ? ?\n? ? ? ? ? ? ? ? ?"
    chosen = guess(text, 6, replace(FULL, endgame_layouts=0), 4)
    assert 0 < chosen.risk < 1


def test_near_equal_risks_are_distinguished_by_what_they_lead_to() -> None:
    chosen = guess(RING, 6)
    assert chosen.reason is Reason.PROGRESS
    # A corner is the most likely zero of all the cells that no number sees.
    assert chosen.index in (0, 5, 28, 33)


def test_where_components_are_estimated_a_guess_is_found_all_the_same() -> None:
    chosen = guess(RING, 6, state_limit=0)
    assert 0 < chosen.risk < 1


@pytest.mark.parametrize("strategy", PARTS.values(), ids=PARTS.keys())
def test_every_strategy_finds_a_guess(strategy: Strategy) -> None:
    chosen = guess("? ? ? ?\n? 2 ? ?\n? ? ? ?", 3, strategy)
    assert 0 < chosen.risk < 1
    assert chosen.index != Cell(1, 1).row * 5 + 1


def test_the_ladder_of_strategies_ends_in_the_strongest() -> None:
    assert list(PARTS.values())[-1] is FULL
    assert Strategy() == FULL
    assert len(set(PARTS.values())) == len(PARTS)


def test_a_guess_is_found_where_there_are_more_layouts_than_a_float_can_hold() -> None:
    # Every cell is seen by a number, so that the parts alone share the mines.
    island = ["? ? ? " * 12, "? 4 ? " * 12, "? ? ? " * 12]
    chosen = guess("\n".join(island * 15), 720)
    assert 0 < chosen.risk < 1
