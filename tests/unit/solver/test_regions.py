import pytest

from jminesweeper.core import Cell, parse_position
from jminesweeper.solver.analysis import assess
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.regions import MOST_CELLS, Region, find_regions
from jminesweeper.solver.risks import Risks
from tests.unit.solver.positions import CORNER


def regions_of(text: str, mines: int, counter: Counter | None = None) -> list[Region]:
    knowledge = Knowledge.of(parse_position(text, mines))
    knowledge.deduce_all()
    return find_regions(
        Risks(knowledge, assess(knowledge, Frontier(knowledge), counter or Counter()))
    )


def cells(region: Region, text: str, mines: int) -> set[Cell]:
    terrain = Knowledge.of(parse_position(text, mines)).terrain
    return {terrain.cell(index) for index in region.cells}


def test_what_nothing_else_touches_is_a_region() -> None:
    (region,) = regions_of(CORNER, 7)
    assert region.has_unseen
    assert cells(region, CORNER, 7) == {Cell(0, 0), Cell(1, 0), Cell(0, 1), Cell(1, 1)}


def test_pockets_on_both_sides_are_two_regions() -> None:
    pockets = "? 1 . 1 ?\n? 1 . 1 ?"
    first, second = regions_of(pockets, 2)
    assert not first.has_unseen
    assert cells(first, pockets, 2) | cells(second, pockets, 2) == {
        Cell(0, 0),
        Cell(0, 1),
        Cell(4, 0),
        Cell(4, 1),
    }


def test_components_that_touch_are_one_region() -> None:
    # The 1s on either side of the left pocket share no cell, but their cells stand side by side.
    regions = regions_of("1 ? ? 1 . 1 ?\n1 ? ? 1 . 1 ?", 3)
    assert sorted(len(region.components) for region in regions) == [1, 2]


def test_the_whole_of_what_is_left_is_not_beside_anything() -> None:
    assert regions_of("? 1\n? 1", 1) == []


def test_what_is_too_large_to_count_is_no_region() -> None:
    assert regions_of("? 1 . 1 ?\n? 1 . 1 ?", 2, Counter(state_limit=0)) == []


def test_what_touches_something_too_large_to_count_is_no_region() -> None:
    # On the left one number by itself, on the right two that share cells.
    text = "? ? ? ? ? ? ? ? ?\n? 1 ? ? 3 ? 3 ? ?\n? ? ? ? ? ? ? ? ?"
    assert regions_of(text, 6, Counter(state_limit=4)) == []


@pytest.mark.parametrize(("columns", "found"), [(MOST_CELLS // 2, 2), (MOST_CELLS // 2 + 1, 1)])
def test_a_region_is_small(columns: int, found: int) -> None:
    row = "? " * columns + "1 . 1 ?"
    assert len(regions_of(f"{row}\n{row}", 12)) == found
