"""The solver's figures against counting every layout one by one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jminesweeper.core.grid import indices
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.endgame import Endgame
from jminesweeper.solver.knowledge import (
    MINE,
    SAFE,
    ImpossiblePositionError,
    Knowledge,
    neighbour_table,
)
from jminesweeper.solver.playing import decide
from jminesweeper.solver.position import analyse
from tests.property import solver_oracle as oracle
from tests.unit.solver.positions import seen

Position = tuple[PlayerView, Minefield]


@pytest.mark.requirement("E:Algorithm")
@settings(max_examples=300, deadline=None)
@given(oracle.positions())
def test_every_chance_is_what_counting_all_layouts_gives(position: Position) -> None:
    view, _ = position
    analysis = analyse(view)
    assert analysis.exact
    assert analysis.layouts == len(list(oracle.layouts(view)))
    assert analysis.chances == oracle.chances(view)


@settings(max_examples=100, deadline=None)
@given(oracle.positions(), st.integers(-3, 3), st.integers(-1, 34))
def test_a_position_is_impossible_exactly_if_no_layout_agrees(
    position: Position, change: int, spoilt: int
) -> None:
    view, _ = position
    count = view.mine_count + change
    assume(0 <= count <= view.size.cells)
    visible = list(view.grid.cells(view.visible))
    planes = view.clue_planes
    if 0 <= spoilt < len(visible):
        bit = view.grid.bit(visible[spoilt])
        planes = (planes[0] ^ bit, *planes[1:])
    changed = replace(view, mine_count=count, clue_planes=planes)
    if any(True for _ in oracle.layouts(changed)):
        assert analyse(changed).chances == oracle.chances(changed)
    else:
        with pytest.raises(ImpossiblePositionError):
            analyse(changed)


@settings(max_examples=100, deadline=None)
@given(oracle.positions())
def test_flags_change_nothing(position: Position) -> None:
    view, _ = position
    assert analyse(view).chances == analyse(replace(view, flagged=0)).chances


@settings(max_examples=100, deadline=None)
@given(oracle.positions(most_covered=16))
def test_the_rules_of_numbers_and_pairs_conclude_nothing_wrong(position: Position) -> None:
    view, field = position
    knowledge = seen(view).knowledge
    knowledge.deduce_all()
    mines = set(indices(field.mines))
    for index in indices(view.grid.mask):
        assert knowledge.status[index] != (SAFE if index in mines else MINE)


@settings(max_examples=60, deadline=None)
@given(oracle.positions(most_covered=16), st.data())
def test_a_player_that_saw_the_game_grow_knows_what_one_does_that_sees_it_at_once(
    position: Position, data: st.DataObject
) -> None:
    view, field = position
    growing = Knowledge(view.size, view.mine_count)
    visible = 0
    for cell in data.draw(st.permutations(list(view.grid.cells(view.visible)))):
        visible |= view.grid.bit(cell)
        growing.update(oracle.shown(field, visible))
        growing.deduce_all()
    at_once = seen(view).knowledge
    at_once.deduce_all()
    assert growing.mines_left == at_once.mines_left
    assert growing.unknown_left == at_once.unknown_left


@pytest.mark.requirement("E:Solver")
@settings(max_examples=300, deadline=None)
@given(oracle.positions(most_covered=6))
def test_the_end_of_a_game_is_played_perfectly(position: Position) -> None:
    view, field = position
    # The search is for positions in which nothing is safe.
    while safe := [cell for cell, chance in oracle.chances(view).items() if not chance]:
        view = oracle.shown(field, view.visible | oracle.mask(view.grid, safe))
    boards = list(oracle.layouts(view))
    if len(boards) == 1:
        return
    cells = indices(view.grid.mask & ~view.visible)
    neighbours = neighbour_table(view.grid)
    search = Endgame([indices(mines) for mines in boards], cells, neighbours, 10**6)
    assert search.best().wins == oracle.wins(view, frozenset(boards))


@settings(max_examples=100, deadline=None)
@given(oracle.positions(most_covered=16))
def test_a_player_never_reveals_a_mine_it_calls_safe(position: Position) -> None:
    view, field = position
    assume(view.visible != field.safe)
    plan = decide(seen(view))
    mines = set(indices(field.mines))
    assert not mines & set(plan.cells)
    if plan.guess is not None:
        cell = view.grid.cell(plan.guess.index)
        chances = oracle.chances(view)
        assert Fraction(0) < chances[cell] < 1
        assert min(chances.values()) > 0
        assert plan.guess.risk == pytest.approx(float(chances[cell]), abs=1e-9)
