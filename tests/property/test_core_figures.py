"""Figures of random boards and games, against counting in the most obvious way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size, count_components
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import Rules, Spread
from jminesweeper.core.setup import Setup
from jminesweeper.recordings.figures import Figures, count_solved, measure_board
from tests.property.core_oracle import EIGHT, FOUR, NaiveGame, Place
from tests.property.core_strategies import actions, any_rules, masks, minefields, setups, sizes
from tests.property.test_core_game import Duel


def parts(naive: NaiveGame, places: set[Place], steps: list[Place]) -> list[set[Place]]:
    """Collect the connected parts of some places by walking."""
    found = []
    left = set(places)
    while left:
        waiting = [left.pop()]
        part = set(waiting)
        while waiting:
            x, y = waiting.pop()
            new = set(naive.around(x, y, steps)) & left
            left -= new
            part |= new
            waiting += new
        found.append(part)
    return found


def naive_game(field: Minefield, rules: Rules) -> NaiveGame:
    mines = {(cell.column, cell.row) for cell in field.grid.cells(field.mines)}
    return NaiveGame(field.size.columns, field.size.rows, mines, rules)


@given(st.data(), sizes(40), st.sampled_from(Spread))
def test_parts_are_what_walking_finds(data: st.DataObject, size: Size, spread: Spread) -> None:
    grid, mask = Grid.of(size), data.draw(masks(size))
    naive = NaiveGame(size.columns, size.rows, set(), Rules("plain"))
    places = {(cell.column, cell.row) for cell in grid.cells(mask)}
    steps = FOUR if spread is Spread.FOUR else EIGHT
    assert count_components(grid, mask, diagonal=spread is Spread.EIGHT) == len(
        parts(naive, places, steps)
    )


@given(minefields(14), any_rules)
def test_3bv_is_the_number_of_clicks_that_open_a_board(field: Minefield, rules: Rules) -> None:
    naive = naive_game(field, rules)
    safe = [(x, y) for x, y in naive.places() if not naive.mined[y][x]]
    zeros_first = sorted(safe, key=lambda place: naive.clue(*place) > 0)
    clicks, lone = 0, set()
    for x, y in zeros_first:
        if not naive.visible[y][x]:
            naive.status = "ongoing"
            naive.reveal(x, y)
            clicks += 1
            if naive.clue(x, y) > 0 or not rules.auto_open:
                lone.add((x, y))
    figures = measure_board(field, rules)
    assert figures.bbbv == clicks
    assert figures.lone_cells == len(lone)
    assert figures.islands == len(parts(naive, lone, EIGHT))
    assert count_solved(field, field.safe, rules) == clicks
    assert count_solved(field, 0, rules) == 0


@given(st.data(), setups(9))
def test_the_figures_of_a_game_are_what_counting_along_gives(
    data: st.DataObject, setup: Setup
) -> None:
    duel = Duel(setup)
    clicked: list[ActionKind] = []
    effective = 0
    for action in data.draw(st.lists(actions(setup.size), max_size=30)):
        if action.kind is ActionKind.TERMINATE:
            continue
        was_chord = is_chord(duel.naive, action)
        depth, logged = len(duel.naive.past), len(duel.game.log)
        duel.do(action)
        if len(duel.game.log) > logged and action.cell is not None:
            changed = len(duel.naive.past) > depth
            clicked.append(ActionKind.CHORD if was_chord and changed else action.kind)
        effective = len(duel.naive.past)
    figures = Figures.of(duel.game)
    assert figures.clicks == len(clicked)
    assert figures.right_clicks == clicked.count(ActionKind.FLAG) + clicked.count(
        ActionKind.QUESTION
    )
    assert figures.effective_clicks == effective
    if not duel.game.assisted:
        assert figures.chords == clicked.count(ActionKind.CHORD)
        assert figures.left_clicks == clicked.count(ActionKind.REVEAL)
    assert 0 <= figures.solved <= figures.bbbv
    if duel.game.visible & duel.game.reveal_truth().safe == duel.game.reveal_truth().safe:
        assert figures.solved == figures.bbbv


def is_chord(naive: NaiveGame, action: Action) -> bool:
    return action.cell is not None and naive.visible[action.cell.row][action.cell.column]


@given(setups(9))
def test_solved_3bv_never_falls_as_cells_open(setup: Setup) -> None:
    game = Game(setup)
    solved = 0
    for cell in Grid.of(setup.size).cells(Grid.of(setup.size).mask):
        if not game.reveal_truth().mines & Grid.of(setup.size).bit(cell):
            game.reveal(Cell(*cell), 0)
            now = Figures.of(game).solved
            assert now >= solved
            solved = now
