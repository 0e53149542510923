from jminesweeper.solver.component import Box, build, compile_component, gather, line_up
from tests.unit.solver.positions import known


def test_cells_seen_by_the_same_numbers_form_a_box() -> None:
    knowledge = known("? ? ?\n? 2 ?\n? ? ?", 3)
    component = build(knowledge, 5)
    assert [len(box.cells) for box in component.boxes] == [8]
    assert component.numbers == (5,)
    assert component.cell_count == 8


def test_numbers_that_share_cells_belong_together() -> None:
    knowledge = known("? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?", 4)
    numbers, boxes = gather(knowledge, 7)
    assert sorted(numbers) == [7, 9]
    assert sorted(map(len, boxes.values())) == [3, 5, 5]


def test_numbers_that_share_none_do_not() -> None:
    knowledge = known("? ? ? ? ? ?\n? 1 ? ? 2 ?\n? ? ? ? ? ?", 4)
    assert gather(knowledge, 8)[0] == [8]


def test_boxes_stand_where_few_numbers_are_open_at_once() -> None:
    numbers = list(range(6))
    boxes: list[tuple[int, ...]] = [(number, number + 1) for number in range(5)]
    order = line_up(numbers, boxes[::2] + boxes[1::2])
    assert order in (boxes, boxes[::-1])


def test_fields_of_closed_numbers_are_used_again() -> None:
    boxes = [Box((number,), (number, number + 1)) for number in range(20)]
    component = compile_component(boxes, [1] * 21)
    assert component.fields == 2


def test_components_of_the_same_shape_and_needs_have_one_key() -> None:
    knowledge = known("? ? ? ? ? ?\n? 2 ? ? 2 ?\n? ? ? ? ? ?", 4)
    assert build(knowledge, 8).key == build(knowledge, 11).key
    assert build(knowledge, 8).key != build(known("? ? ?\n? 3 ?\n? ? ?", 4), 5).key
