from __future__ import annotations

import itertools
import random
import re
from operator import is_

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.rules import PRESETS, Level
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import COVERED, EXPLODED, FLAGGED, MINED
from jminesweeper.frames import (
    LARGEST_FRAME_BYTES,
    ONE_SEGMENT_BYTES,
    ClassicFrame,
    is_wide,
    look_of,
    move_to,
    paint_cells,
)
from tests.painted import PaintedTerminal
from tests.unit.core.boards import play
from tests.unit.terminal.contrast import BLACK, LEAST_CONTRAST, WHITE, contrast

KEYS = "wasd move  RETURN reveal  SPACE mark  TAB new  # debug  X quit"
STATUS = "JMinesweeper  medium 20x10  mines left 50  12:34  LOST DEBUG"
MESSAGE = "You lost: * went off, # marked mine, o a-h wrong mark on . 1-8. TAB: again."
LARGEST = Size(255, 255)
DEFAULT = Size(20, 10)
ORIGIN = Cell(0, 0)


def covered(size: Size) -> Game:
    """Start a game with a mine in the corner."""
    rows = ["*" + "." * (size.columns - 1), *["." * size.columns] * (size.rows - 1)]
    return play("\n".join(rows), "classic")


class Painted:
    """A game and its frame, painted after every action."""

    def __init__(self, game: Game, columns: int = 80, rows: int = 24) -> None:
        self.game = game
        self.frame = ClassicFrame(game.grid, KEYS)
        self.terminal = PaintedTerminal(columns, rows)

    def text(self, cursor: Cell = ORIGIN, *, is_debugged: bool = False) -> bytes:
        mines = self.game.reveal_truth().mines if is_debugged else 0
        self.frame.show(self.game, mines)
        return self.frame.without_cursor(STATUS, MESSAGE) + self.frame.cursor_tail(cursor)

    def show(self, cursor: Cell = ORIGIN, *, is_debugged: bool = False) -> None:
        self.terminal.show(self.text(cursor, is_debugged=is_debugged))

    def rows(self) -> list[str]:
        """Return the rows of the field."""
        return self.terminal.lines[2 : 2 + self.game.setup.size.rows]


def whole_game(game: Game, seed: int) -> list[Cell]:
    """Every cell in some order, mines among them."""
    chosen = list(game.grid.cells(game.grid.mask))
    random.Random(seed).shuffle(chosen)
    return chosen


@pytest.mark.requirement("J:packet SCREEN_CONTENT", "J:screen content")
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("seed", range(4))
def test_default_games_fit_one_segment_from_the_start_to_the_end(level: Level, seed: int) -> None:
    setup = Setup.of(DEFAULT, level.mines(DEFAULT), PRESETS["jminesweeper"], seed=seed)
    painted = Painted(Game(setup))
    chooser = random.Random(seed)
    mines = painted.game.reveal_truth().mines
    lengths = [len(painted.text())]
    for cell in whole_game(painted.game, seed):
        is_mine = painted.game.grid.bit(cell) & mines
        if is_mine or chooser.random() < 0.2:
            painted.game.flag(cell, 0)
        else:
            painted.game.reveal(cell, 0)
        lengths.append(len(painted.text(cell)))
    unflagged = mines & ~painted.game.flagged
    painted.game.reveal(next(painted.game.grid.cells(unflagged or mines)), 0)
    lengths.append(len(painted.text()))
    assert max(lengths) < ONE_SEGMENT_BYTES


@pytest.mark.requirement("J:field size")
@pytest.mark.parametrize("level", Level)
def test_no_frame_of_the_largest_field_is_too_large_for_a_stock_client(level: Level) -> None:
    setup = Setup.of(LARGEST, level.mines(LARGEST), PRESETS["jminesweeper"], seed=3)
    painted = Painted(Game(setup))
    game, mines = painted.game, painted.game.reveal_truth().mines
    lengths = [len(painted.text())]
    chosen = whole_game(game, 1)
    for cell in [cell for cell in chosen if not game.grid.bit(cell) & mines][::9]:
        game.reveal(cell, 0)
    lengths.append(len(painted.text()))
    for cell in chosen[::3]:
        game.flag(cell, 0)
    lengths.append(len(painted.text()))
    lengths.append(len(painted.text(is_debugged=True)))
    game.reveal(next(game.grid.cells(mines & ~game.flagged)), 0)
    lengths.append(len(painted.text()))
    assert max(lengths) <= LARGEST_FRAME_BYTES


@pytest.mark.requirement("J:packet MOVE_RIGHT", "J:ANSI terminal")
@pytest.mark.parametrize("columns", [20, 39, 40, 41, 80])
@pytest.mark.parametrize("is_debugged", [False, True])
def test_the_cursor_stands_on_the_selected_cell(columns: int, is_debugged: bool) -> None:
    painted = Painted(covered(Size(columns, 3)))
    margin = 1 if columns < 40 else 0
    for column in (0, 1, columns - 1):
        painted.show(Cell(column, 1), is_debugged=is_debugged)
        row, place = painted.terminal.cursor
        # Beside the selected cell, where the bracket is, or on it.
        expected = margin + 2 * column if is_wide(Size(columns, 3)) else column
        assert (row, place) in {(3, expected), (3, expected - 1)}


def test_nothing_of_a_larger_screen_before_it_remains() -> None:
    painted = Painted(covered(Size(40, 16)))
    painted.show()
    small = Painted(covered(Size(2, 2)))
    small.terminal = painted.terminal
    small.show(Cell(1, 1))
    assert small.terminal.lines == [STATUS, MESSAGE, " ? ?", " ?[?]", KEYS, *[""] * 19]


def test_a_move_paints_nothing_anew() -> None:
    frame = ClassicFrame(Grid.of(DEFAULT), KEYS)
    game = covered(DEFAULT)
    frame.show(game)
    rows = [*frame.rows]
    frame.show(game)
    assert all(map(is_, rows, frame.rows))


def test_a_reveal_paints_the_rows_it_touched_and_no_other() -> None:
    frame = ClassicFrame(Grid.of(Size(3, 3)), KEYS)
    game = play("*..\n...\n..*", "classic", "reveal 1 0")
    frame.show(game)
    before = list(frame.rows)
    game.reveal(Cell(1, 1), 0)
    frame.show(game)
    same = [old is new for old, new in zip(before, frame.rows, strict=True)]
    assert same == [True, False, True]


@pytest.mark.no_cover
@pytest.mark.parametrize("columns", [4, 44], ids=["two columns", "one column"])
def test_a_field_kept_up_to_date_looks_like_one_painted_afresh(columns: int) -> None:
    setup = Setup.of(Size(columns, 3), columns // 2, PRESETS["jminesweeper"], seed=5)
    kept = Painted(Game(setup))
    chooser = random.Random(7)
    for number, cell in enumerate(whole_game(kept.game, 2)):
        (kept.game.reveal if chooser.random() < 0.4 else kept.game.flag)(cell, 0)
        if number % 5 == 0:
            kept.game.undo(0)
        is_debugged = number % 3 == 0
        kept.show(is_debugged=is_debugged)
        afresh = Painted(kept.game)
        afresh.show(is_debugged=is_debugged)
        assert kept.terminal.lines == afresh.terminal.lines


INDEXED, SIXTEEN, _, COLOURLESS = range(4)
PLAYED = [COVERED, COVERED | FLAGGED, COVERED | MINED, COVERED | FLAGGED | MINED]
ENDED = [MINED, MINED | FLAGGED, MINED | EXPLODED, FLAGGED | 3, FLAGGED]


@pytest.mark.requirement("J:lost field")
@pytest.mark.parametrize("faces", [PLAYED, ENDED], ids=["played", "ended"])
def test_flags_and_mines_are_distinguished_in_two_columns_and_in_one(faces: list[int]) -> None:
    looks = [look_of(face) for face in [*faces, *range(9)]]
    assert len({look.first + look.second for look in looks}) == len(looks)
    assert len({look.narrow for look in looks}) == len(looks)


def test_a_wrong_flag_leaves_the_number_to_be_read() -> None:
    assert look_of(FLAGGED | 3)[1:3] == ("3", "F")
    assert "".join(look_of(FLAGGED | clue).narrow for clue in range(9)) == "oabcdefgh"


def test_no_two_digits_look_the_same_where_there_are_colours() -> None:
    for palette in (INDEXED, SIXTEEN):
        painted = {
            paint_cells(bytes((clue,)), palette, is_wide=False).partition(b"m")[0]
            for clue in range(1, 9)
        }
        assert len(painted) == 8


LOOKS = [*range(9), *PLAYED, *ENDED]


def test_whatever_is_coloured_stands_out_on_black_and_on_white() -> None:
    painted = b"".join(paint_cells(bytes((face,)), INDEXED, is_wide=True) for face in LOOKS)
    colours = {int(number) for number in re.findall(rb"38;5;(\d+)", painted)}
    assert len(colours) >= 6
    for colour in colours:
        assert min(contrast(colour, BLACK), contrast(colour, WHITE)) >= LEAST_CONTRAST


def test_with_16_colours_none_is_used_that_vanishes_on_white() -> None:
    painted = b"".join(paint_cells(bytes((face,)), SIXTEEN, is_wide=True) for face in LOOKS)
    used = {
        int(number) for number in re.findall(rb"\d+", b"".join(re.findall(rb"\x1b.*?m", painted)))
    }
    yellow, light_grey = 33, 37
    assert used.isdisjoint({yellow, light_grey, *range(92, 98)} - {94, 95})


def test_a_row_changes_style_only_where_its_cells_do() -> None:
    assert paint_cells(bytes((1, 1, 1)), SIXTEEN, is_wide=True) == b"\x1b[;94m1 1 1 \x1b[m"
    assert paint_cells(bytes((0, 1)), SIXTEEN, is_wide=False) == b".\x1b[;94m1\x1b[m"
    assert paint_cells(b"", SIXTEEN, is_wide=False) == b""


def test_less_colour_never_takes_more_bytes() -> None:
    faces = bytes((0, 1, 2, 3, COVERED, COVERED | FLAGGED, MINED, FLAGGED | 1, 8))
    lengths = [len(paint_cells(faces, palette, is_wide=True)) for palette in range(4)]
    assert all(more >= less for more, less in itertools.pairwise(lengths))
    assert paint_cells(faces, COLOURLESS, is_wide=True).isascii()
    assert b"\x1b" not in paint_cells(faces, COLOURLESS, is_wide=True)


def test_positions_count_from_zero_and_leave_ones_out() -> None:
    assert move_to(0, 0) == b"\x1b[H"
    assert move_to(4, 0) == b"\x1b[5H"
    assert move_to(0, 7) == b"\x1b[;8H"
    assert move_to(4, 7) == b"\x1b[5;8H"
