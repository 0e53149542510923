from unicodedata import east_asian_width

import pytest

from jminesweeper.core.view import COVERED, EXPLODED, FLAGGED, MINED
from jminesweeper.terminal.field import cell_lines, rows_of_cells
from jminesweeper.terminal.layout import CellShape, CellSize, chosen_shape
from jminesweeper.terminal.looks import ASCII, TILES, UNICODE, BoardStage, Style, Symbols, look_of

BOTH = pytest.mark.parametrize(
    "symbols", [ASCII, UNICODE, TILES], ids=["ascii", "unicode", "tiles"]
)
SHAPES = {size: chosen_shape(size, has_tiles=False) for size in CellSize}
NORMAL = SHAPES[CellSize.TWO]
LOST_FACES = [MINED, MINED | FLAGGED, MINED | EXPLODED, FLAGGED | 3, FLAGGED, 3, 0]
PLAYED_FACES = [COVERED, COVERED | FLAGGED, COVERED | MINED, COVERED | FLAGGED | MINED, 0, 3]


def test_cells_use_no_character_that_some_terminals_make_wide() -> None:
    cells = (UNICODE.covered, UNICODE.flag)
    signs = (UNICODE.up, UNICODE.down, UNICODE.left, UNICODE.right)
    assert {east_asian_width(character) for character in cells + signs} == {"N"}


@BOTH
@pytest.mark.requirement("J:lost field", "C:Losing Condition")
def test_every_end_of_a_cell_can_be_distinguished_in_two_columns_and_in_one(
    symbols: Symbols,
) -> None:
    looks = [look_of(face, symbols, BoardStage.ENDED) for face in LOST_FACES]
    assert len({look.first + look.second for look in looks}) == len(looks)
    assert len({look.narrow for look in looks}) == len(looks)


@BOTH
def test_debug_mode_keeps_flags_apart_from_what_is_under_them(symbols: Symbols) -> None:
    looks = [look_of(face, symbols, BoardStage.PLAYING) for face in PLAYED_FACES]
    assert len({look.first + look.second for look in looks}) == len(looks)
    assert len({look.narrow for look in looks}) == len(looks)


def test_in_one_column_a_letter_keeps_the_number_under_a_wrong_flag() -> None:
    letters = [look_of(FLAGGED | clue, ASCII, BoardStage.ENDED).narrow for clue in range(9)]
    assert "".join(letters) == "oabcdefgh"


@pytest.mark.parametrize("shape", SHAPES.values(), ids=[size.value for size in SHAPES])
@pytest.mark.parametrize("stage", BoardStage)
@BOTH
def test_every_face_that_a_cell_can_have_is_written_as_it_looks(
    symbols: Symbols, stage: BoardStage, shape: CellShape
) -> None:
    for face in (layers | clue for layers in range(0, 256, 16) for clue in range(16)):
        look = look_of(face, symbols, stage)
        lines = cell_lines(face, 0, stage, symbols, shape)
        sign = look.first + look.second if shape.is_wide else look.narrow
        shown = lines[shape.sign_row]
        assert shown.text == (" " * shape.sign_column + sign).ljust(shape.columns)
        assert shown.styles[shape.sign_column] == look.style
        assert {len(line) for line in lines} == {shape.columns}
        assert len(lines) == shape.rows


def test_a_gap_continues_in_the_style_of_its_cell_unless_that_shows() -> None:
    fatal, digit = (cell_lines(face, 0, BoardStage.ENDED, UNICODE, NORMAL)[0] for face in (192, 34))
    assert list(fatal.styles) == [Style.FATAL, Style.FATAL]
    assert list(digit.styles) == [Style.WRONG_FLAG, Style.WRONG_FLAG]
    (opened,) = rows_of_cells([3, 0], 0, BoardStage.PLAYING, UNICODE, NORMAL)
    assert list(opened.styles) == [Style.PLAIN, *[Style.CLUE_3] * 2, *[Style.ZERO] * 2]
