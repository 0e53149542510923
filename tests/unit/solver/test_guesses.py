import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import parse_position
from jminesweeper.solver.guess import Guess, Reason, Strategy
from jminesweeper.solver.playing import decide
from jminesweeper.solver.position import DEFAULT_STATE_LIMIT, Position

RING = "? ? ? ? ? ?\n? ? ? ? ? ?\n? ? 3 ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?"


def guess(
    text: str,
    mines: int,
    strategy: Strategy = Strategy.FULL,
    state_limit: int = DEFAULT_STATE_LIMIT,
) -> Guess:
    position = Position.of(parse_position(text, mines), state_limit)
    # What is certain is left as it is: a guess is asked for beside it.
    while (plan := decide(position, strategy)).cells:
        pass
    assert plan.guess is not None
    return plan.guess


def test_the_lowest_risk_is_taken_and_of_equal_ones_the_least_surrounded() -> None:
    chosen = guess("? ? ? ?\n? ? ? ?\n? ? ? ?", 3, Strategy.RISK)
    assert (chosen.index, chosen.reason) == (0, Reason.LOWEST_RISK)
    assert chosen.risk == pytest.approx(0.25)


PAIR, ROWS = "? 1\n? 1", "\n".join(["? ? ? ? ? ? ? ?"] * 2)


@pytest.mark.parametrize(
    ("text", "mines", "strategy", "reason"),
    [
        (PAIR, 1, Strategy.FULL, Reason.ENDGAME),
        ("? ? ? ? ? ?\n? ? ? ? ? ?", 3, Strategy.FULL, Reason.ENDGAME),
        # A search that grows too large leaves it to the other parts, and a deep one finishes.
        (ROWS, 3, Strategy.FULL, Reason.PROGRESS),
        (ROWS, 3, Strategy.DEEP, Reason.ENDGAME),
        # The endgame is switched off.
        (PAIR, 1, Strategy.PROGRESS, Reason.LOWEST_RISK),
    ],
)
def test_few_layouts_are_searched_to_the_end(
    text: str, mines: int, strategy: Strategy, reason: Reason
) -> None:
    chosen = guess(text, mines, strategy)
    assert chosen.reason is reason
    assert chosen.risk == 0.5 or text != PAIR


def test_near_equal_risks_are_distinguished_by_what_they_lead_to() -> None:
    chosen = guess(RING, 6)
    assert chosen.reason is Reason.PROGRESS
    # A corner is the most likely zero of all the cells that no number sees.
    assert chosen.index in (0, 5, 28, 33)


def test_where_components_are_estimated_a_guess_is_found_all_the_same() -> None:
    chosen = guess(RING, 6, state_limit=0)
    assert 0 < chosen.risk < 1


@pytest.mark.parametrize("strategy", Strategy)
def test_every_strategy_finds_a_guess(strategy: Strategy) -> None:
    chosen = guess("? ? ? ?\n? 2 ? ?\n? ? ? ?", 3, strategy)
    assert 0 < chosen.risk < 1
    assert chosen.index != Cell(1, 1).row * 5 + 1


def test_a_guess_is_found_where_there_are_more_layouts_than_a_float_can_hold() -> None:
    # Every cell is seen by a number, so that the parts alone share the mines.
    island = ["? ? ? " * 12, "? 4 ? " * 12, "? ? ? " * 12]
    chosen = guess("\n".join(island * 15), 720)
    assert 0 < chosen.risk < 1
