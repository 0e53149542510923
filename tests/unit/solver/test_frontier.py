from jminesweeper.core import parse_position
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.knowledge import Knowledge

BEFORE = "? ? ? ? ? ? ? ?\n? 1 ? ? ? ? 2 ?\n? ? ? ? ? ? ? ?"
NEAR_THE_LEFT = "? ? ? ? ? ? ? ?\n? 1 1 ? ? ? 2 ?\n? ? ? ? ? ? ? ?"
JOINED = "? ? ? ? ? ? ? ?\n? 1 1 ? 1 ? 2 ?\n? ? ? ? ? ? ? ?"


def test_a_component_that_did_not_change_is_kept() -> None:
    knowledge = Knowledge.of(parse_position(BEFORE, 6))
    knowledge.deduce_all()
    frontier = Frontier(knowledge)
    before = {component.numbers: component for component in frontier.refresh()}
    knowledge.update(parse_position(NEAR_THE_LEFT, 6))
    knowledge.deduce_all()
    after = {component.numbers: component for component in frontier.refresh()}
    assert after[15,] is before[15,]
    assert (10,) in before
    assert (10,) not in after


def test_components_that_meet_become_one() -> None:
    knowledge = Knowledge.of(parse_position(NEAR_THE_LEFT, 6))
    knowledge.deduce_all()
    frontier = Frontier(knowledge)
    assert len(frontier.refresh()) == 2
    knowledge.update(parse_position(JOINED, 6))
    knowledge.deduce_all()
    assert [set(component.numbers) for component in frontier.refresh()] == [{10, 11, 13, 15}]


def test_without_news_nothing_is_built_again() -> None:
    knowledge = Knowledge.of(parse_position(BEFORE, 6))
    knowledge.deduce_all()
    frontier = Frontier(knowledge)
    assert list(map(id, frontier.refresh())) == list(map(id, frontier.refresh()))
