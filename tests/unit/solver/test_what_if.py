"""What-ifs on one component against analysing the position after the reveal."""

import pytest

from jminesweeper.solver.endgame import component_layouts
from jminesweeper.solver.knowledge import UNKNOWN, Knowledge
from jminesweeper.solver.what_if import WhatIf, local_odds, unseen_shares
from tests.unit.solver.positions import component_of, known

# Every unknown cell is seen, so the odds of other cells play no part and what-ifs are exact.
TEXT = "? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?"
MINES = 3


def what_if() -> tuple[Knowledge, WhatIf]:
    return known(TEXT, MINES), WhatIf(component_of(TEXT, MINES), 1.0)


def share_mined(*cells: int) -> float:
    """The share of the layouts in which all these cells hold mines."""
    by_mines = component_layouts(component_of(TEXT, MINES))
    layouts = [set(layout) for same in by_mines.values() for layout in same]
    return sum(layout.issuperset(cells) for layout in layouts) / len(layouts)


def around(knowledge: Knowledge, index: int) -> set[int]:
    near = knowledge.terrain.neighbours[index]
    return {each for each in near if knowledge.status[each] == UNKNOWN}


def test_possibilities_share_out_the_chance_to_be_safe() -> None:
    knowledge, it = what_if()
    for index in it.position_of:
        _, _, possibilities = it.possibilities(index, around(knowledge, index))
        safe = 1 - share_mined(index)
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


def test_what_lies_beyond_the_span_is_weighed_as_well() -> None:
    text = "? ? ? ? ? ? ? ? ?\n? 1 1 1 1 1 1 1 ?\n? ? ? ? ? ? ? ? ?"
    knowledge, component = known(text, 4), component_of(text, 4)
    it = WhatIf(component, 0.3)
    first, last, possibilities = it.possibilities(0, around(knowledge, 0))
    inside = {cell for at in range(first, last + 1) for cell in component.boxes[at].cells}
    for possibility in possibilities:
        found = it.elsewhere(first, last, possibility)
        outside = {cell for cells, _ in found for cell in cells}
        assert outside == set(it.position_of) - inside
        assert all(-1e-12 <= chance <= 1 + 1e-12 for _, chance in found)


def test_the_chances_beyond_the_span_add_up_to_those_of_the_component() -> None:
    knowledge, it = what_if()
    for candidate in it.position_of:
        first, last, possibilities = it.possibilities(candidate, around(knowledge, candidate))
        for cells, _ in it.elsewhere(first, last, possibilities[0]):
            after = [dict(it.elsewhere(first, last, each))[cells] for each in possibilities]
            while_safe = sum(
                each.share * chance for each, chance in zip(possibilities, after, strict=True)
            )
            both = share_mined(candidate, cells[0])
            assert while_safe + both == pytest.approx(share_mined(cells[0]))


def test_the_odds_follow_the_weights() -> None:
    assert local_odds((15, 50), (8.0, 2.0)) == pytest.approx(0.25)
    assert local_odds((15, 50), (8.0, 0.0)) == 1.0


def test_mines_among_unseen_cells_follow_the_density() -> None:
    assert unseen_shares(2, 0.25) == pytest.approx([0.5625, 0.375, 0.0625])
