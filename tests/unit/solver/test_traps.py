import pytest

from jminesweeper.core import Cell, parse_position
from jminesweeper.solver.analysis import assess
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.risks import Risks
from jminesweeper.solver.traps import Traps


def relief(
    text: str, mines: int, cell: Cell, counter: Counter | None = None
) -> tuple[float, float]:
    """What a trap spares at a cell, and the cell's whole risk."""
    knowledge = Knowledge.of(parse_position(text, mines))
    knowledge.deduce_all()
    risks = Risks(knowledge, assess(knowledge, Frontier(knowledge), counter or Counter()))
    index = knowledge.terrain.index(cell)
    return Traps(risks).relief(index), risks.chance[index]


def test_all_the_risk_of_a_pair_that_nothing_can_tell_apart_is_due_anyway() -> None:
    spared, risk = relief("? 1\n? 1", 1, Cell(0, 0))
    assert spared == pytest.approx(risk) == pytest.approx(0.5)


def test_a_lying_pair_is_a_trap_as_well() -> None:
    spared, risk = relief("? ?\n1 1", 1, Cell(1, 0))
    assert spared == pytest.approx(risk) == pytest.approx(0.5)


def test_a_square_with_two_mines_is_one() -> None:
    spared, risk = relief("? ? 1\n? ? 2\n1 2 ?", 3, Cell(0, 0))
    assert 0.2 < spared <= risk


def test_a_pair_beside_an_unknown_cell_is_a_trap_only_if_that_is_a_mine() -> None:
    # The pair in the corner is a trap with a mine below it; with none there a number tells.
    text = "? ? 1 .\n? ? 2 1\n? ? ? ?\n? ? ? ?"
    spared, risk = relief(text, 4, Cell(0, 0))
    assert 0 < spared < risk


def test_a_cell_that_numbers_will_reach_is_spared_next_to_nothing() -> None:
    spared, _ = relief("? ? ? ? ? ?\n? 1 ? ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?", 3, Cell(4, 2))
    assert spared < 0.01


def test_estimated_components_have_no_traps() -> None:
    spared, _ = relief("? 1 ?\n? 1 ?", 1, Cell(0, 0), Counter(state_limit=0))
    assert spared == 0
