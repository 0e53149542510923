from __future__ import annotations

import pytest

from jminesweeper.core.grid import Cell, Size
from jminesweeper.screen.game import GameComposer
from jminesweeper.screen.layout import Canvas
from jminesweeper.screen.lines import CellLine
from jminesweeper.screen.models import CellSize, GameScreen, Message
from jminesweeper.screen.symbols import ASCII
from tests.unit.core.boards import play
from tests.unit.screen.examples import ASCII_CANVAS, covered, screen_of

BEGINNER = Size(9, 9)
CROWDED = Canvas(40, 12, ASCII, CellSize.AUTO)


def composer(size: Size = BEGINNER) -> GameComposer:
    return GameComposer(ASCII_CANVAS, size)


def playing(columns: int = 9, rows: int = 9, cursor: tuple[int, int] = (0, 0)) -> GameScreen:
    return screen_of(covered(Size(columns, rows)), cursor)


def lost(columns: int, rows: int) -> GameScreen:
    game = covered(Size(columns, rows))
    game.reveal(Cell(1, 0), 0)
    game.reveal(Cell(0, 0), 0)
    return screen_of(game, summary=("A figure",) * 8, message=Message("Lost"))


def test_a_screen_has_every_line_of_the_terminal() -> None:
    assert len(composer().compose(playing()).lines) == 24


def test_a_move_composes_nothing_anew() -> None:
    game = composer()
    before = game.compose(playing())
    after = game.compose(playing(cursor=(1, 0)))
    assert after.lines is before.lines
    assert (after.cursor_row, after.cursor_column) == (before.cursor_row, before.cursor_column + 2)


def test_a_tick_composes_the_header_alone() -> None:
    game = composer()
    before = game.compose(playing())
    after = game.compose(playing()._replace(elapsed_ms=1_000))
    fresh = [old is not new for old, new in zip(before.lines, after.lines, strict=True)]
    assert fresh.count(True) == 1


@pytest.mark.parametrize(
    ("model", "is_marked"),
    [
        (playing(), True),
        (playing()._replace(debug_mines=1), False),
        (playing()._replace(hint_cells=1), False),
        (playing(70, 16), False),
    ],
    ids=["two columns", "debug", "hint", "one column"],
)
def test_the_client_marks_the_cursor_where_its_marks_hide_nothing(
    model: GameScreen, is_marked: bool
) -> None:
    screen = composer(model.view.size).compose(model)
    assert screen.cursor_shown
    assert screen.cursor_marked == is_marked


@pytest.mark.parametrize("model", [playing()._replace(is_paused=True), lost(9, 9)])
def test_there_is_no_cursor_where_there_is_nothing_to_select(model: GameScreen) -> None:
    screen = composer(model.view.size).compose(model)
    assert not screen.cursor_shown
    assert not screen.cursor_marked


def test_a_running_clock_is_passed_on() -> None:
    screen = composer().compose(playing()._replace(clock_runs=True))
    assert screen.clock_runs


def test_a_cell_is_found_where_it_is() -> None:
    game = composer()
    assert game.locate(0, 0) is None
    screen = game.compose(playing(cursor=(3, 4)))
    assert game.locate(screen.cursor_column, screen.cursor_row) == Cell(3, 4)
    assert game.locate(0, 0) is None


def test_no_cell_is_found_while_the_board_is_hidden() -> None:
    game = composer()
    screen = game.compose(playing()._replace(is_paused=True))
    assert game.locate(screen.cursor_column, screen.cursor_row) is None


def test_every_cell_of_a_game_that_has_ended_is_seen() -> None:
    composer = GameComposer(CROWDED, Size(18, 7))
    screen = composer.compose(lost(18, 7))
    found = {composer.locate(20, row) for row in range(12)} - {None}
    assert len(found) == 7
    assert sum(isinstance(line, CellLine) for line in screen.lines) == 7


def test_figures_beside_the_field_leave_it_where_it_was() -> None:
    game = composer()
    model = lost(9, 9)
    alone = game.compose(model._replace(summary=())).lines
    beside = game.compose(model).lines
    starts = [line.text.startswith(before.text) for line, before in zip(beside, alone, strict=True)]
    assert all(starts)
    assert sum("A figure" in line.text for line in beside) == 8


@pytest.mark.parametrize("cursor", [(0, 0), (127, 127), (254, 254)])
def test_the_largest_field_is_played_through_a_window(cursor: tuple[int, int]) -> None:
    largest = composer(Size(255, 255))
    screen = largest.compose(playing(255, 255, cursor))
    assert largest.locate(screen.cursor_column, screen.cursor_row) == Cell(*cursor)
    assert screen.lines[0].text.startswith("{:>3},{}".format(*cursor))


def test_the_window_starts_where_the_cursor_is_in_another_game_of_the_size() -> None:
    game = play("\n".join(["." * 99] * 50 + ["*" * 99]), "classic")
    games = composer(Size(99, 51))
    for cursor in ((0, 0), (98, 50), (0, 0)):
        screen = games.compose(screen_of(game, cursor))
        assert games.locate(screen.cursor_column, screen.cursor_row) == Cell(*cursor)


def test_a_larger_field_that_has_ended_is_looked_at_part_by_part() -> None:
    game = GameComposer(CROWDED, Size(99, 51))
    model = lost(99, 51)
    seen: set[Cell | str | None] = set()
    game.compose(model)
    for columns, rows in ((0, 0), (-5, -5), *[(1, 0)] * 99, (255, 255)):
        game.pan(columns, rows)
        game.compose(model)
        seen |= {game.locate(column, row) for column in range(40) for row in range(12)}
    assert {Cell(column, 0) for column in range(99)} <= seen
    assert Cell(98, 50) in seen


def test_who_plays_on_sees_the_cursor_again() -> None:
    games = composer(Size(99, 51))
    game = covered(Size(99, 51))
    game.reveal(Cell(0, 0), 0)
    games.compose(screen_of(game))
    games.pan(50, 40)
    assert not games.compose(screen_of(game)).cursor_shown
    screen = games.compose(playing(99, 51))
    assert games.locate(screen.cursor_column, screen.cursor_row) == Cell(0, 0)


def test_an_overview_takes_the_place_of_a_field_that_is_larger_than_the_screen() -> None:
    largest = composer(Size(255, 255))
    part = largest.compose(playing(255, 255, (100, 100)))
    whole = largest.compose(playing(255, 255, (100, 100))._replace(is_overview=True))
    assert whole.cursor_shown
    assert not whole.cursor_marked
    assert len(whole.lines) == len(part.lines) == 24
    assert largest.compose(playing(255, 255, (100, 100))).lines == part.lines


def test_in_an_overview_a_place_is_the_middle_of_a_block_of_cells() -> None:
    largest = composer(Size(255, 255))
    screen = largest.compose(playing(255, 255, (100, 100))._replace(is_overview=True))
    found = largest.locate(screen.cursor_column, screen.cursor_row)
    assert isinstance(found, Cell)
    assert abs(found.column - 100) <= 7
    assert abs(found.row - 100) <= 14
    assert largest.locate(0, 0) is None


def test_a_field_that_fits_has_no_overview() -> None:
    game = composer()
    before = game.compose(playing())
    assert game.compose(playing()._replace(is_overview=True)).lines is before.lines


def test_a_pause_hides_the_overview_too() -> None:
    paused = playing(255, 255)._replace(is_overview=True, is_paused=True)
    assert any("paused" in line.text for line in composer(Size(255, 255)).compose(paused).lines)
