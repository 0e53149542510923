from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core import Cell, Size
from jminesweeper.screen import CellWidth, GameScreen, Message
from jminesweeper.screen.canvas import Canvas
from jminesweeper.screen.game import GameComposer
from jminesweeper.screen.symbols import ASCII
from tests.unit.core.boards import play
from tests.unit.screen.examples import ASCII_CANVAS, covered, screen_of

CROWDED = Canvas(40, 12, ASCII, CellWidth.AUTO)


def playing(columns: int = 9, rows: int = 9, cursor: tuple[int, int] = (0, 0)) -> GameScreen:
    return screen_of(covered(Size(columns, rows)), cursor)


def lost(columns: int, rows: int) -> GameScreen:
    game = covered(Size(columns, rows))
    game.reveal(Cell(1, 0), 0)
    game.reveal(Cell(0, 0), 0)
    return screen_of(game, summary=("A figure",) * 8, message=Message("Lost"))


def test_a_screen_has_every_line_of_the_terminal() -> None:
    assert len(GameComposer(ASCII_CANVAS).compose(playing()).lines) == 24


def test_a_move_composes_nothing_anew() -> None:
    composer = GameComposer(ASCII_CANVAS)
    before = composer.compose(playing())
    after = composer.compose(playing(cursor=(1, 0)))
    assert after.lines is before.lines
    assert (after.cursor_row, after.cursor_column) == (before.cursor_row, before.cursor_column + 2)


def test_a_tick_composes_the_header_alone() -> None:
    composer = GameComposer(ASCII_CANVAS)
    before = composer.compose(playing())
    after = composer.compose(replace(playing(), elapsed_ms=1_000))
    fresh = [old is not new for old, new in zip(before.lines, after.lines, strict=True)]
    assert fresh.count(True) == 1


@pytest.mark.parametrize(
    ("model", "is_marked"),
    [
        (playing(), True),
        (replace(playing(), debug_mines=1), False),
        (replace(playing(), hint_cells=1), False),
        (playing(70, 16), False),
    ],
    ids=["two columns", "debug", "hint", "one column"],
)
def test_the_client_marks_the_cursor_where_its_marks_hide_nothing(
    model: GameScreen, is_marked: bool
) -> None:
    screen = GameComposer(ASCII_CANVAS).compose(model)
    assert screen.cursor_shown
    assert screen.cursor_marked == is_marked


@pytest.mark.parametrize("model", [replace(playing(), is_paused=True), lost(9, 9)])
def test_there_is_no_cursor_where_there_is_nothing_to_select(model: GameScreen) -> None:
    screen = GameComposer(ASCII_CANVAS).compose(model)
    assert not screen.cursor_shown
    assert not screen.cursor_marked


def test_a_running_clock_is_passed_on() -> None:
    screen = GameComposer(ASCII_CANVAS).compose(replace(playing(), clock_runs=True))
    assert screen.clock_runs


def test_a_cell_is_found_where_it_is() -> None:
    composer = GameComposer(ASCII_CANVAS)
    assert composer.locate(0, 0) is None
    screen = composer.compose(playing(cursor=(3, 4)))
    assert composer.locate(screen.cursor_column, screen.cursor_row) == Cell(3, 4)
    assert composer.locate(0, 0) is None


def test_no_cell_is_found_while_the_board_is_hidden() -> None:
    composer = GameComposer(ASCII_CANVAS)
    screen = composer.compose(replace(playing(), is_paused=True))
    assert composer.locate(screen.cursor_column, screen.cursor_row) is None


def test_no_cell_is_found_under_the_figures() -> None:
    composer = GameComposer(CROWDED)
    composer.compose(lost(18, 7))
    found = {composer.locate(20, row) for row in range(12)} - {None}
    assert 0 < len(found) < 7


def test_figures_beside_the_field_leave_it_where_it_was() -> None:
    composer = GameComposer(ASCII_CANVAS)
    model = lost(9, 9)
    alone = composer.compose(replace(model, summary=())).lines
    beside = composer.compose(model).lines
    starts = [line.text.startswith(before.text) for line, before in zip(beside, alone, strict=True)]
    assert all(starts)
    assert sum("A figure" in line.text for line in beside) == 8


def test_another_size_is_laid_out_anew() -> None:
    composer = GameComposer(ASCII_CANVAS)
    composer.compose(playing(60, 10))
    lines = composer.compose(playing(9, 9)).lines
    assert sum("| ? ? ?" in line.text for line in lines) == 9


@pytest.mark.parametrize("cursor", [(0, 0), (127, 127), (254, 254)])
def test_the_largest_field_is_played_through_a_window(cursor: tuple[int, int]) -> None:
    composer = GameComposer(ASCII_CANVAS)
    screen = composer.compose(playing(255, 255, cursor))
    assert composer.locate(screen.cursor_column, screen.cursor_row) == Cell(*cursor)
    assert screen.lines[0].text.startswith("{:>3},{}".format(*cursor))


def test_the_window_starts_where_the_cursor_is_in_another_game_of_the_size() -> None:
    game = play("\n".join(["." * 99] * 50 + ["*" * 99]), "classic")
    composer = GameComposer(ASCII_CANVAS)
    for cursor in ((0, 0), (98, 50), (0, 0)):
        screen = composer.compose(screen_of(game, cursor))
        assert composer.locate(screen.cursor_column, screen.cursor_row) == Cell(*cursor)
