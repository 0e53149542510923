import pytest

from jminesweeper.core import Spread, parse_board
from jminesweeper.solver import Counter
from jminesweeper.solver.draft import Draft
from jminesweeper.solver.knowledge import SHOWN
from jminesweeper.solver.proof import Proof

PLAIN = "* . . .\n. . . .\n. . . ."
COIN = "* . .\n. . ."
# With the count of its mines alone can the corner of this one be settled.
BY_COUNT = "* * . .\n* . . .\n. . . ."


def shows_every_safe_cell(attempt: Proof, text: str) -> bool:
    field = parse_board(text)
    status, grid = attempt.knowledge.status, field.grid
    return all(status[grid.index(cell)] == SHOWN for cell in grid.cells(field.safe))


def proof(text: str, start: int, counter: Counter | None = None) -> Proof:
    field = parse_board(text)
    return Proof(Draft(field.size, field.mines, Spread.EIGHT), start, counter or Counter())


@pytest.mark.requirement("E:Generator")
def test_a_board_that_certain_steps_finish_is_proved() -> None:
    attempt = proof(PLAIN, 3)
    assert attempt.run()
    assert shows_every_safe_cell(attempt, PLAIN)


def test_a_fifty_fifty_is_not() -> None:
    coin = proof(COIN, 2)
    assert not coin.run()
    assert not shows_every_safe_cell(coin, COIN)
    assert coin.stuck


def test_the_mine_count_settles_what_numbers_cannot_reach() -> None:
    attempt = proof(BY_COUNT, 3)
    assert attempt.run() == shows_every_safe_cell(attempt, BY_COUNT)


def test_a_board_of_mines_but_one_is_finished_by_its_first_reveal() -> None:
    assert proof("* * .", 2).run()


def test_a_component_too_large_to_count_leaves_the_proof_stuck() -> None:
    attempt = proof(COIN, 2, Counter(state_limit=0))
    assert not attempt.run()
