"""Bitboards against one cell at a time, and texts that are read as they were written."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.actions import (
    MAX_AT_MS,
    MAX_AUTHOR,
    ActionKind,
    Log,
    pack_entry,
    unpack_entry,
)
from jminesweeper.core.errors import CoreError, NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size, flood
from jminesweeper.core.minefield import Minefield, place_mines, protect, read_clue, seeded_bits
from jminesweeper.core.rules import FirstReveal, Rules, Spread
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import PlayerView, parse_board, parse_position
from jminesweeper.recordings.text import format_game, parse_action, parse_game
from tests.property.core_oracle import EIGHT, FOUR, NaiveGame, Place
from tests.property.core_strategies import (
    any_rules,
    cells,
    examples,
    masks,
    minefields,
    own_rules,
    seeds,
    setups,
    sizes,
)

RULES = Rules("plain")
STEPS = {Spread.FOUR: FOUR, Spread.EIGHT: EIGHT}
TEXT = st.text(alphabet="*.?F12 \n\r/x=yesno-ab", max_size=60) | st.text(max_size=40)


def places(grid: Grid, mask: int) -> set[Place]:
    return {(cell.column, cell.row) for cell in grid.cells(mask)}


@pytest.mark.requirement("E:174c1320", "F:adjacent_mines")
@given(minefields(14))
def test_every_clue_is_what_counting_one_by_one_finds(field: Minefield) -> None:
    naive = NaiveGame(field.size.columns, field.size.rows, places(field.grid, field.mines), RULES)
    for x, y in naive.places():
        index = field.grid.index(Cell(x, y))
        assert read_clue(field.clue_planes, index) == naive.clue(x, y) == field.clue(Cell(x, y))
        is_zero = naive.clue(x, y) == 0 and not naive.mined[y][x]
        assert bool(field.zeros >> index & 1) == is_zero


@pytest.mark.requirement("F:is_adjacent")
@given(st.data(), sizes(20))
def test_neighbours_of_any_set_are_those_of_its_cells(data: st.DataObject, size: Size) -> None:
    grid, mask = Grid.of(size), data.draw(masks(size))
    naive = NaiveGame(size.columns, size.rows, set(), RULES)
    for steps, found in [(EIGHT, grid.neighbours(mask)), (FOUR, grid.beside(mask))]:
        around = {place for x, y in places(grid, mask) for place in naive.around(x, y, steps)}
        assert places(grid, found) == around


@given(st.data(), sizes(20))
def test_a_set_is_made_of_its_cells(data: st.DataObject, size: Size) -> None:
    grid, mask = Grid.of(size), data.draw(masks(size))
    listed = list(grid.cells(mask))
    assert sum(map(grid.bit, listed)) == mask
    assert listed == sorted(listed, key=lambda cell: (cell.row, cell.column))
    assert [grid.cell(grid.index(cell)) for cell in listed] == listed
    rows = [cell.row for cell in listed]
    assert grid.rows_spanned(mask) == (range(rows[0], rows[-1] + 1) if rows else range(0))


@pytest.mark.requirement("J:flood fill", "E:b9c080c6")
@given(st.data(), sizes(40), st.sampled_from(Spread))
def test_a_flood_reaches_what_walking_reaches(
    data: st.DataObject, size: Size, spread: Spread
) -> None:
    grid = Grid.of(size)
    within, seeds_ = data.draw(masks(size)), grid.bit(data.draw(cells(size)))
    seeds_ |= data.draw(masks(size)) if data.draw(st.booleans()) else 0
    naive = NaiveGame(size.columns, size.rows, set(), RULES)
    allowed = places(grid, within)
    waiting = list(places(grid, seeds_) & allowed)
    reached = set(waiting)
    while waiting:
        x, y = waiting.pop()
        new = set(naive.around(x, y, STEPS[spread])) & allowed - reached
        reached |= new
        waiting += new
    assert places(grid, flood(grid, seeds_, within, diagonal=spread is Spread.EIGHT)) == reached


@examples(0.1)
@given(st.integers(2, 90), st.integers(2, 90), st.randoms(), st.sampled_from(Spread))
def test_a_flood_walks_every_maze_to_its_last_corner(
    columns: int, rows: int, random: Random, spread: Spread
) -> None:
    """A spanning tree of passages with walls between is as winding as it gets."""
    size = Size(2 * columns + 1, 2 * rows + 1)
    grid = Grid.of(size)
    path, here, within = [(0, 0)], (0, 0), 1
    seen = {here}
    while path:
        x, y = path[-1]
        ways = [
            (x + dx, y + dy)
            for dx, dy in FOUR
            if 0 <= x + dx <= columns and 0 <= y + dy <= rows and (x + dx, y + dy) not in seen
        ]
        if not ways:
            path.pop()
            continue
        nx, ny = random.choice(ways)
        seen.add((nx, ny))
        path.append((nx, ny))
        within |= grid.bit(Cell(2 * nx, 2 * ny)) | grid.bit(Cell(x + nx, y + ny))
    seed = grid.bit(Cell(2 * random.randint(0, columns), 2 * random.randint(0, rows)))
    assert flood(grid, seed, within, diagonal=spread is Spread.EIGHT) == within


@pytest.mark.requirement("E:Generator", "E:bab9887f")
@given(st.data(), sizes(30), seeds)
def test_a_layout_always_has_exactly_its_mines(data: st.DataObject, size: Size, seed: int) -> None:
    count = data.draw(st.integers(0, size.cells))
    mines = place_mines(size, count, seeded_bits(seed))
    assert mines.bit_count() == count
    assert not mines & ~Grid.of(size).mask


@pytest.mark.requirement("C:First-Click Safety")
@given(st.data(), sizes(12), seeds, st.sampled_from(FirstReveal))
def test_protection_keeps_the_count_and_makes_all_the_room_there_is(
    data: st.DataObject, size: Size, seed: int, kind: FirstReveal
) -> None:
    grid = Grid.of(size)
    count = data.draw(st.integers(0, size.cells))
    first = data.draw(cells(size))
    random_bits = seeded_bits(seed)
    mines = place_mines(size, count, random_bits)
    moved = protect(grid, mines, first, kind, random_bits)
    assert moved.bit_count() == count
    assert not moved & ~grid.mask
    here = grid.bit(first)
    zone = {
        FirstReveal.OFF: 0,
        FirstReveal.SAFE: here,
        FirstReveal.ZERO: here | grid.neighbours(here),
    }[kind]
    if zone:
        assert (moved & zone).bit_count() == max(0, count - size.cells + zone.bit_count())
        assert not moved & here or count == size.cells
    if not mines & zone:
        assert moved == mines


@given(minefields(20))
def test_a_board_is_read_as_it_is_written(field: Minefield) -> None:
    assert parse_board(str(field)) == field


@given(setups(255))
def test_a_seeded_setup_is_read_as_it_is_written(setup: Setup) -> None:
    assert Setup.parse(setup.text) == setup


@given(minefields(12), any_rules | own_rules)
def test_a_setup_of_a_layout_is_read_as_it_is_written(field: Minefield, rules: Rules) -> None:
    if field.mines:
        setup = Setup.of(field.size, rules=rules, layout=field.mines)
        assert Setup.parse(setup.text) == setup
        assert parse_game(format_game(Game(setup))).setup == setup


@given(
    st.integers(0, MAX_AT_MS),
    st.sampled_from(ActionKind),
    st.integers(0, 255 * 256 - 1),
    st.integers(0, MAX_AUTHOR),
)
def test_an_entry_of_the_log_is_read_as_it_is_written(
    at_ms: int, kind: int, index: int, author: int
) -> None:
    entry = pack_entry(at_ms, kind, index, author)
    assert unpack_entry(entry) == (at_ms, kind, index, author)
    assert entry < 1 << 64


@given(st.data(), sizes(255))
def test_a_log_reads_back_what_was_done(data: st.DataObject, size: Size) -> None:
    grid, cell = Grid.of(size), data.draw(cells(size))
    log = Log(grid, [pack_entry(5, ActionKind.FLAG, grid.index(cell))])
    assert log[0].action.cell == cell


def read_position(text: str) -> PlayerView:
    return parse_position(text, 1)


@given(TEXT)
def test_any_text_is_read_or_is_an_error_of_the_engine(text: str) -> None:
    for parse in (
        *(parse_board, parse_game, parse_action, read_position),
        *(Size.parse, Rules.parse, Variant.parse, Setup.parse),
    ):
        with suppress(CoreError):
            parse(text)


@given(st.data(), setups(6))
def test_a_game_with_a_mistake_in_its_text_is_read_or_is_one_error(
    data: st.DataObject, setup: Setup
) -> None:
    game = Game(setup)
    game.reveal(Cell(0, 0), 3)
    text = format_game(game)
    at = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 5))
    wrong = text[:at] + data.draw(TEXT) + text[at + length :]
    try:
        again = parse_game(wrong)
    except NotationError:
        return
    assert parse_game(format_game(again)).view == again.view
