"""The whole of a large board at a glance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.grid import Cell, Size
from jminesweeper.screen.layout import Layout, Window, arrange
from jminesweeper.screen.models import CellSize
from jminesweeper.screen.overview import OverviewComposer
from jminesweeper.screen.styles import BASE, SELECTED, Style
from tests.unit.core.boards import play
from tests.unit.screen.examples import ASCII_CANVAS, covered, screen_of

LARGEST = Size(255, 255)


def overview(size: Size, columns: int = 80, rows: int = 24) -> tuple[OverviewComposer, Layout]:
    layout = arrange(columns, rows, size, CellSize.AUTO)
    return OverviewComposer(ASCII_CANVAS, layout, size), layout


@given(st.builds(Size, st.integers(60, 255), st.integers(25, 255)), st.data())
def test_every_cell_has_a_block_that_is_found_where_it_is_painted(
    size: Size, data: st.DataObject
) -> None:
    composer, layout = overview(size)
    lines = composer.compose(screen_of(covered(size)), Window(0, 0))
    assert len(lines) == layout.field_rows + 2
    cell = Cell(
        data.draw(st.integers(0, size.columns - 1)), data.draw(st.integers(0, size.rows - 1))
    )
    row, column = composer.place_of(cell)
    assert lines[row - layout.frame_row].text[column] == "#"
    found = composer.cell_at(row, column)
    assert found is not None
    assert size.has(found)
    assert composer.place_of(found) == (row, column)


def test_the_part_on_the_screen_is_highlighted() -> None:
    composer, layout = overview(LARGEST)
    window = Window(100, 120)
    lines = composer.compose(screen_of(covered(LARGEST), (110, 125)), window)
    bright = {
        (layout.frame_row + row, column)
        for row, line in enumerate(lines)
        for column, style in enumerate(line.styles)
        if style & SELECTED
    }
    assert composer.place_of(Cell(110, 125)) in bright
    assert composer.place_of(Cell(0, 0)) not in bright
    assert composer.place_of(Cell(254, 254)) not in bright


def signs(*moves: str) -> list[str]:
    """The first row of blocks of a board with a mine in its corner, and their styles."""
    size = Size(200, 100)
    rows = ["*" + "." * (size.columns - 1), *["." * size.columns] * (size.rows - 1)]
    composer, _ = overview(size)
    game = play("\n".join(rows), "classic", *moves)
    line = composer.compose(screen_of(game), Window(190, 90))[1]
    return [
        f"{character} {Style(style & BASE).name}"
        for character, style in zip(line.text, line.styles, strict=True)
        if style not in {Style.PLAIN, Style.FRAME}
    ]


@pytest.mark.parametrize(
    ("moves", "first", "last"),
    [
        ((), "# COVERED", "# COVERED"),
        (("reveal 1 0",), ": COVERED", "# COVERED"),
        (("flag 0 0",), "F FLAG", "# COVERED"),
        (("reveal 150 50",), "F FLAG", ". ZERO"),
        (("reveal 1 0", "reveal 0 0"), "* FATAL", "# COVERED"),
    ],
)
def test_a_block_says_what_its_cells_have_in_common(
    moves: tuple[str, ...], first: str, last: str
) -> None:
    shown = signs(*moves)
    assert (shown[0], shown[-1]) == (first, last)


def test_nothing_is_composed_anew_while_nothing_changes() -> None:
    composer, _ = overview(LARGEST)
    model = screen_of(covered(LARGEST))
    lines = composer.compose(model, Window(0, 0))
    assert composer.compose(model, Window(0, 0)) is lines
    assert composer.compose(model, Window(50, 0)) is not lines
