from unicodedata import east_asian_width

import pytest

from jminesweeper.core.faces import COVERED, EXPLODED, FLAGGED, MINED
from jminesweeper.core.view import Status
from jminesweeper.screen.models import CellSize
from jminesweeper.screen.shapes import CellShape, chosen_shape
from jminesweeper.screen.styles import Style, in_other_tone
from jminesweeper.screen.symbols import (
    ASCII,
    TILES,
    UNICODE,
    Stage,
    Symbols,
    cell_tables,
    legend_of,
    look_of,
)

BOTH = pytest.mark.parametrize(
    "symbols", [ASCII, UNICODE, TILES], ids=["ascii", "unicode", "tiles"]
)
SHAPES = {size: chosen_shape(size, has_tiles=False) for size in CellSize}
NARROW, NORMAL = SHAPES[CellSize.ONE], SHAPES[CellSize.TWO]
LARGEST = SHAPES[CellSize.SIX]
LOST_FACES = [MINED, MINED | FLAGGED, MINED | EXPLODED, FLAGGED | 3, FLAGGED, 3, 0]
PLAYED_FACES = [COVERED, COVERED | FLAGGED, COVERED | MINED, COVERED | FLAGGED | MINED, 0, 3]


def test_cells_use_no_character_that_some_terminals_make_wide() -> None:
    cells = (UNICODE.covered, UNICODE.flag)
    signs = (UNICODE.up, UNICODE.down, UNICODE.left, UNICODE.right)
    assert {east_asian_width(character) for character in cells + signs} == {"N"}


def test_an_opened_cell_without_a_number_is_a_dot_that_every_font_has() -> None:
    assert UNICODE.zero == TILES.zero == "\N{MIDDLE DOT}"


def test_without_unicode_covered_cells_look_solid() -> None:
    looks = [look_of(face, ASCII, Stage.PLAYING) for face in (COVERED, 0, 8)]
    assert [look.first for look in looks] == ["#", ".", "8"]
    assert look_of(MINED, ASCII, Stage.ENDED).first == "B"


@BOTH
@pytest.mark.requirement("J:lost field", "C:Losing Condition")
def test_every_end_of_a_cell_can_be_distinguished_in_two_columns_and_in_one(
    symbols: Symbols,
) -> None:
    looks = [look_of(face, symbols, Stage.ENDED) for face in LOST_FACES]
    assert len({look.first + look.second for look in looks}) == len(looks)
    assert len({look.narrow for look in looks}) == len(looks)


@BOTH
def test_debug_mode_keeps_flags_apart_from_what_is_under_them(symbols: Symbols) -> None:
    looks = [look_of(face, symbols, Stage.PLAYING) for face in PLAYED_FACES]
    assert len({look.first + look.second for look in looks}) == len(looks)
    assert len({look.narrow for look in looks}) == len(looks)


def test_a_safe_cell_that_was_never_opened_recedes_at_the_end() -> None:
    assert look_of(COVERED | 2, ASCII, Stage.ENDED) == ("2", " ", "2", Style.UNOPENED)
    assert look_of(2, ASCII, Stage.ENDED) == ("2", " ", "2", Style.CLUE_2)


def test_a_won_field_shows_flags_alone() -> None:
    assert look_of(MINED | FLAGGED, ASCII, Stage.WON) == ("F", " ", "F", Style.FLAG)
    assert look_of(MINED, ASCII, Stage.WON).first == "B"


def test_a_given_up_game_is_explained_like_a_lost_one() -> None:
    assert Stage.of(Status.TERMINATED) is Stage.of(Status.LOST) is Stage.ENDED
    assert Stage.of(Status.ONGOING) is Stage.PLAYING
    assert Stage.of(Status.WON) is Stage.WON


def test_a_row_of_cells_is_written_with_gaps_or_without() -> None:
    faces = bytes((COVERED, 1, 0))
    assert cell_tables(ASCII, Stage.PLAYING, NORMAL).row(faces)[0] == " # 1 . "
    narrow = cell_tables(ASCII, Stage.PLAYING, NARROW).row(faces)
    assert narrow == ("#1.", bytes((Style.COVERED, Style.CLUE_1, Style.ZERO)))


def test_signs_are_in_the_middle_of_large_cells_and_in_one_of_their_lines() -> None:
    faces = bytes((COVERED, MINED | FLAGGED))
    ended = Stage.ENDED
    assert cell_tables(UNICODE, ended, LARGEST).row(faces)[0] == "  ·     B⚑  "
    assert cell_tables(UNICODE, ended, LARGEST, has_signs=False).row(faces)[0] == " " * 12


def test_a_gap_continues_in_the_style_of_its_cell_unless_that_shows() -> None:
    tables = cell_tables(ASCII, Stage.ENDED, NORMAL)
    assert tables.row(bytes((1,)))[1] == bytes((0, Style.CLUE_1, Style.CLUE_1))
    fatal = tables.row(bytes((MINED | EXPLODED,)))
    assert fatal == (" B*", bytes((0, Style.FATAL, Style.FATAL)))


def test_tiles_have_no_holes_and_every_other_one_the_second_tone() -> None:
    tables = cell_tables(TILES, Stage.PLAYING, chosen_shape(CellSize.TWO, has_tiles=True))
    one, other = Style.COVERED, in_other_tone(Style.COVERED)
    margin, faces = Style.ZERO, bytes((COVERED, COVERED, 1))
    opened = (Style.CLUE_1, Style.CLUE_1)
    assert tables.row(faces, 0)[1] == bytes((margin, one, one, other, other, *opened, margin))
    assert tables.row(faces, 1)[1] == bytes((margin, other, other, one, one, *opened, margin))
    assert tables.row(faces)[0] == "     1  "


def test_in_one_column_a_letter_keeps_the_number_under_a_wrong_flag() -> None:
    letters = [look_of(FLAGGED | clue, ASCII, Stage.ENDED).narrow for clue in range(9)]
    assert "".join(letters) == "oabcdefgh"


def test_the_legend_shows_what_is_on_the_field() -> None:
    assert [sign for sign, _, _ in legend_of(ASCII, is_wide=True)] == ["B", "BF", "2F", "B*"]
    narrow = [(sign, name) for sign, name, _ in legend_of(ASCII, is_wide=False)]
    assert [sign for sign, _ in narrow] == ["B", "@", "a-h", "*"]
    assert ("a-h", "wrong flag on 1-8") in narrow


@pytest.mark.parametrize("shape", SHAPES.values(), ids=[size.value for size in SHAPES])
@pytest.mark.parametrize("stage", Stage)
@BOTH
def test_every_face_that_a_cell_can_have_is_written_as_it_looks(
    symbols: Symbols, stage: Stage, shape: CellShape
) -> None:
    tables = cell_tables(symbols, stage, shape)
    for face in (layers | clue for layers in range(0, 256, 16) for clue in range(9)):
        look = look_of(face, symbols, stage)
        text, styles = tables.cell(face, 0)
        sign = look.first + look.second if shape.is_wide else look.narrow
        assert text == (" " * shape.sign_column + sign).ljust(shape.columns)
        assert styles[shape.sign_column] == look.style
        assert tables.row(bytes((face,)))[0].strip() == text.strip()
