import pytest

from jminesweeper.core import PlayerView, parse_position
from jminesweeper.solver.analysis import analyse, assess
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.risks import ESTIMATED, UNSEEN, Risks

TEXT = "? ? ? ? ? ?\n? 2 ? ? ? ?\n? ? ? ? ? ?"


def risks_of(view: PlayerView, counter: Counter) -> Risks:
    knowledge = Knowledge.of(view)
    knowledge.deduce_all()
    return Risks(knowledge, assess(knowledge, Frontier(knowledge), counter))


def test_every_unknown_cell_has_its_exact_chance() -> None:
    view = parse_position(TEXT, 5)
    risks = risks_of(view, Counter())
    exact = analyse(view).chances
    assert len(risks.chance) == len(exact)
    for cell, chance in exact.items():
        assert risks.chance[view.grid.index(cell)] == pytest.approx(float(chance))
    assert risks.lowest == pytest.approx(float(min(exact.values())))


def test_unseen_cells_are_told_apart() -> None:
    risks = risks_of(parse_position(TEXT, 5), Counter())
    assert len(risks.unseen) == 9
    assert {risks.owner[cell] for cell in risks.unseen} == {UNSEEN}


def test_cells_of_a_component_too_large_to_count_are_marked() -> None:
    risks = risks_of(parse_position(TEXT, 5), Counter(state_limit=0))
    assert {risks.owner[cell] for cell in risks.chance} == {ESTIMATED, UNSEEN}
    assert all(0 < chance < 1 for chance in risks.chance.values())


def test_neighbours_are_counted_while_unknown() -> None:
    risks = risks_of(parse_position(TEXT, 5), Counter())
    assert risks.unknown_neighbours(0) == 2
    assert risks.unknown_neighbours(1) == 4


def test_a_landscape_is_made_once() -> None:
    risks = risks_of(parse_position(TEXT, 5), Counter())
    assert risks.landscape(0) is risks.landscape(0)
