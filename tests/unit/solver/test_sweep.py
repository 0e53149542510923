"""The sweeps over one component, in both kinds of numbers."""

import pytest

from jminesweeper.solver import ImpossiblePositionError
from jminesweeper.solver.component import Box, compile_component
from jminesweeper.solver.sweep import (
    TooManyStatesError,
    mined_weight,
    odds_factors,
    packed_factors,
    sweep_backward,
    sweep_forward,
    unpack,
)

NO_LIMIT = 1 << 30
BOXES = [Box((1, 2), (10,)), Box((3,), (10, 11)), Box((4, 5, 6), (11,))]
NEED = [0] * 10 + [1, 2]


def test_a_sweep_counts_the_layouts_by_their_mines() -> None:
    component = compile_component(BOXES, NEED)
    tables = sweep_forward(component.start, component.steps, packed_factors(10), NO_LIMIT)
    # One mine in cell 3 and one in three cells; or one in two cells and two in three.
    assert unpack(tables[-1][component.end], 10) == [0, 0, 3, 6]


def test_both_directions_count_the_same() -> None:
    component = compile_component(BOXES, NEED)
    factors = packed_factors(10)
    tables = sweep_forward(component.start, component.steps, factors, NO_LIMIT)
    ahead = sweep_backward(tables, component.steps, {component.end: 1}, factors)
    assert ahead[0][component.start] == tables[-1][component.end]


def test_the_two_directions_meet_in_the_mines_of_a_box() -> None:
    component = compile_component(BOXES, NEED)
    factors = packed_factors(10)
    tables = sweep_forward(component.start, component.steps, factors, NO_LIMIT)
    ahead = sweep_backward(tables, component.steps, {component.end: 1}, factors)
    mined = [
        unpack(mined_weight(tables[at], step, ahead[at + 1], factors), 10)
        for at, step in enumerate(component.steps)
    ]
    assert mined == [[0, 0, 0, 3], [0, 0, 3], [0, 0, 1, 4]]


def test_floats_weigh_every_mine_by_its_odds() -> None:
    component = compile_component(BOXES, NEED)
    tables = sweep_forward(component.start, component.steps, odds_factors(0.5), NO_LIMIT)
    assert tables[-1][component.end] == pytest.approx(3 * 0.5**2 + 6 * 0.5**3)


def test_numbers_that_contradict_each_other_have_no_layout() -> None:
    boxes = [Box((1, 2), (10, 11)), Box((3,), (11, 12)), Box((4,), (12, 13))]
    component = compile_component(boxes, [0] * 10 + [2, 2, 1, 0])
    with pytest.raises(ImpossiblePositionError):
        sweep_forward(component.start, component.steps, packed_factors(10), NO_LIMIT)


def test_too_many_states_are_refused() -> None:
    component = compile_component(BOXES, NEED)
    with pytest.raises(TooManyStatesError):
        sweep_forward(component.start, component.steps, packed_factors(10), 1)


def test_a_packed_polynomial_is_taken_apart() -> None:
    assert unpack(5 | 7 << 16, 8) == [5, 0, 7]
    assert unpack(0, 8) == []
