"""What-ifs on one component against analysing the position after the reveal."""

import pytest

from jminesweeper.solver.analysis import assess
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.knowledge import UNKNOWN, Knowledge
from jminesweeper.solver.outlook import Landscape, local_odds, unseen_outcomes
from tests.unit.solver.positions import known

# Every unknown cell is seen, so the odds of other cells play no part and what-ifs are exact.
TEXT = "? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?"
MINES = 3


def landscape() -> tuple[Knowledge, Landscape]:
    knowledge = known(TEXT, MINES)
    (component,) = Frontier(knowledge).refresh()
    return knowledge, Landscape(component, 1.0)


def around(knowledge: Knowledge, index: int) -> set[int]:
    near = knowledge.terrain.neighbours[index]
    return {each for each in near if knowledge.status[each] == UNKNOWN}


def test_outcomes_share_out_the_chance_to_be_safe() -> None:
    knowledge, land = landscape()
    for index in land.position_of:
        _, _, outcomes = land.outcomes(index, around(knowledge, index))
        safe = 1 - land.joint({index}, set())
        assert sum(outcome.share for outcome in outcomes) == pytest.approx(safe)


def test_an_outcome_says_how_likely_the_cells_around_are_mines() -> None:
    knowledge, land = landscape()
    for index in land.position_of:
        _, _, outcomes = land.outcomes(index, around(knowledge, index))
        for outcome in outcomes:
            expected = sum(
                len(cells) * chance
                for cells, chance in outcome.near
                if set(cells) & around(knowledge, index)
            )
            assert expected == pytest.approx(outcome.mines)


def test_joint_chances_of_both_cases_add_up() -> None:
    _, land = landscape()
    first, second, *_ = land.position_of
    both = land.joint({first, second}, set()) + land.joint({first}, {second})
    assert both == pytest.approx(land.joint({first}, set()))


def test_a_joint_chance_of_too_many_mines_is_none() -> None:
    _, land = landscape()
    assert land.joint(set(land.position_of), set()) == 0


def test_what_lies_beyond_the_span_is_weighed_as_well() -> None:
    text = "? ? ? ? ? ? ? ? ?\n? 1 1 1 1 1 1 1 ?\n? ? ? ? ? ? ? ? ?"
    knowledge = known(text, 4)
    (component,) = Frontier(knowledge).refresh()
    land = Landscape(component, 0.3)
    index = 0
    first, last, outcomes = land.outcomes(index, around(knowledge, index))
    inside = {cell for at in range(first, last + 1) for cell in component.boxes[at].cells}
    for outcome in outcomes:
        found = land.elsewhere(first, last, outcome)
        outside = {cell for cells, _ in found for cell in cells}
        assert outside == set(land.position_of) - inside
        for cells, chance in found:
            shares = sum(
                each.share * dict(land.elsewhere(first, last, each))[cells] for each in outcomes
            )
            cell = cells[0]
            assert shares == pytest.approx(land.joint({cell}, {index}))
            assert -1e-12 <= chance <= 1 + 1e-12


def test_the_odds_follow_the_weights() -> None:
    knowledge = known(TEXT, MINES)
    assessment = assess(knowledge, Frontier(knowledge), Counter())
    _, counts = assessment.counted[0]
    assert local_odds(counts, (8.0, 2.0)) == pytest.approx(0.25)
    assert local_odds(counts, (8.0, 0.0)) == 1.0


def test_mines_among_unseen_cells_follow_the_density() -> None:
    assert unseen_outcomes(2, 0.25) == pytest.approx([0.5625, 0.375, 0.0625])
