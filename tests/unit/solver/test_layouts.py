from itertools import combinations

from jminesweeper.solver.component import build
from jminesweeper.solver.counting import count_layouts
from jminesweeper.solver.layouts import all_layouts, component_layouts
from tests.unit.solver.positions import known


def test_every_layout_of_a_component_is_written_once() -> None:
    component = build(known("? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?", 4), 7)
    by_mines = component_layouts(component)
    counts = count_layouts(component, 1000)
    assert {mines: len(found) for mines, found in by_mines.items()} == {2: 15, 3: 50}
    assert counts.layouts == (15, 50)
    assert len({frozenset(layout) for found in by_mines.values() for layout in found}) == 65


def test_a_position_has_exactly_its_mines_in_every_layout() -> None:
    component = build(known("? ? ?\n? 2 ?\n? ? ?", 3), 5)
    layouts = all_layouts([component], (100, 101, 102), 4)
    assert len({frozenset(layout) for layout in layouts}) == len(layouts) == 28 * 3
    assert all(len(layout) == 4 for layout in layouts)


def test_a_component_that_takes_too_many_mines_leaves_no_layout() -> None:
    component = build(known("? ? ?\n? 2 ?\n? ? ?", 3), 5)
    assert all_layouts([component], (), 1) == []


def test_without_components_the_unseen_cells_take_all() -> None:
    assert all_layouts([], (1, 2, 3), 2) == list(combinations((1, 2, 3), 2))
