"""What-ifs on one component against analysing the position after the reveal."""

import pytest

from jminesweeper.solver.counting import Components
from jminesweeper.solver.knowledge import UNKNOWN, Knowledge
from jminesweeper.solver.what_if import WhatIf, local_odds, unseen_shares
from tests.unit.solver.positions import known

# Every unknown cell is seen, so the odds of other cells play no part and what-ifs are exact.
TEXT = "? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?"
MINES = 3


def what_if() -> tuple[Knowledge, WhatIf]:
    knowledge = known(TEXT, MINES)
    (component,) = Components(knowledge).refresh()
    return knowledge, WhatIf(component, 1.0)


def around(knowledge: Knowledge, index: int) -> set[int]:
    near = knowledge.terrain.neighbours[index]
    return {each for each in near if knowledge.status[each] == UNKNOWN}


def test_possibilities_share_out_the_chance_to_be_safe() -> None:
    knowledge, it = what_if()
    for index in it.position_of:
        _, _, possibilities = it.possibilities(index, around(knowledge, index))
        safe = 1 - it.joint({index}, set())
        assert sum(possibility.share for possibility in possibilities) == pytest.approx(safe)


def test_an_possibility_says_how_likely_the_cells_around_are_mines() -> None:
    knowledge, it = what_if()
    for index in it.position_of:
        _, _, possibilities = it.possibilities(index, around(knowledge, index))
        for possibility in possibilities:
            expected = sum(
                len(cells) * chance
                for cells, chance in possibility.near
                if set(cells) & around(knowledge, index)
            )
            assert expected == pytest.approx(possibility.mines)


def test_joint_chances_of_both_cases_add_up() -> None:
    _, it = what_if()
    first, second, *_ = it.position_of
    both = it.joint({first, second}, set()) + it.joint({first}, {second})
    assert both == pytest.approx(it.joint({first}, set()))


def test_a_joint_chance_of_too_many_mines_is_none() -> None:
    _, it = what_if()
    assert it.joint(set(it.position_of), set()) == 0


def test_what_lies_beyond_the_span_is_weighed_as_well() -> None:
    text = "? ? ? ? ? ? ? ? ?\n? 1 1 1 1 1 1 1 ?\n? ? ? ? ? ? ? ? ?"
    knowledge = known(text, 4)
    (component,) = Components(knowledge).refresh()
    it = WhatIf(component, 0.3)
    index = 0
    first, last, possibilities = it.possibilities(index, around(knowledge, index))
    inside = {cell for at in range(first, last + 1) for cell in component.boxes[at].cells}
    for possibility in possibilities:
        found = it.elsewhere(first, last, possibility)
        outside = {cell for cells, _ in found for cell in cells}
        assert outside == set(it.position_of) - inside
        for cells, chance in found:
            shares = sum(
                each.share * dict(it.elsewhere(first, last, each))[cells] for each in possibilities
            )
            cell = cells[0]
            assert shares == pytest.approx(it.joint({cell}, {index}))
            assert -1e-12 <= chance <= 1 + 1e-12


def test_the_odds_follow_the_weights() -> None:
    assert local_odds((15, 50), (8.0, 2.0)) == pytest.approx(0.25)
    assert local_odds((15, 50), (8.0, 0.0)) == 1.0


def test_mines_among_unseen_cells_follow_the_density() -> None:
    assert unseen_shares(2, 0.25) == pytest.approx([0.5625, 0.375, 0.0625])
