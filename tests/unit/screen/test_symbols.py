from unicodedata import east_asian_width

import pytest

from jminesweeper.core import Status
from jminesweeper.screen.faces import COVERED, EXPLODED, FLAGGED, MINED
from jminesweeper.screen.styles import Style
from jminesweeper.screen.symbols import (
    ASCII,
    UNICODE,
    Stage,
    Symbols,
    cell_tables,
    legend_of,
    look_of,
)

BOTH = pytest.mark.parametrize("symbols", [ASCII, UNICODE], ids=["ascii", "unicode"])
LOST_FACES = [MINED, MINED | FLAGGED, MINED | EXPLODED, FLAGGED | 3, 3]
PLAYED_FACES = [COVERED, COVERED | FLAGGED, COVERED | MINED, COVERED | FLAGGED | MINED, 0, 3]


def test_cells_use_no_character_that_some_terminals_make_wide() -> None:
    cells = (UNICODE.covered, UNICODE.zero, UNICODE.flag)
    signs = (UNICODE.up, UNICODE.down, UNICODE.left, UNICODE.right)
    assert {east_asian_width(character) for character in cells + signs} == {"N"}


@pytest.mark.requirement("J:character ?", "J:character .", "J:character B", "J:character digit")
def test_without_unicode_the_characters_are_those_of_version_1() -> None:
    looks = [look_of(face, ASCII, Stage.PLAYING) for face in (COVERED, 0, 8)]
    assert [look.first for look in looks] == ["?", ".", "8"]
    assert look_of(MINED, ASCII, Stage.ENDED).first == "B"


@BOTH
@pytest.mark.requirement("J:lost field", "C:Losing Condition")
def test_every_end_of_a_cell_can_be_told_apart_in_two_columns_and_in_one(symbols: Symbols) -> None:
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
    assert cell_tables(ASCII, Stage.PLAYING, is_wide=True).row(faces)[0] == " ? 1 . "
    narrow = cell_tables(ASCII, Stage.PLAYING, is_wide=False).row(faces)
    assert narrow == ("?1.", bytes((Style.COVERED, Style.CLUE_1, Style.ZERO)))


def test_a_gap_goes_on_in_the_style_of_its_cell_unless_that_shows() -> None:
    tables = cell_tables(ASCII, Stage.ENDED, is_wide=True)
    assert tables.row(bytes((1,)))[1] == bytes((0, Style.CLUE_1, Style.CLUE_1))
    fatal = tables.row(bytes((MINED | EXPLODED,)))
    assert fatal == (" B*", bytes((0, Style.FATAL, Style.FATAL)))


def test_the_legend_shows_what_is_on_the_field() -> None:
    assert [sign for sign, _, _ in legend_of(ASCII, is_wide=True)] == ["B", "BF", "2F", "B*"]
    assert [sign for sign, _, _ in legend_of(ASCII, is_wide=False)] == ["B", "#", "X", "*"]


@pytest.mark.parametrize("is_wide", [True, False])
@pytest.mark.parametrize("stage", Stage)
@BOTH
def test_every_face_that_a_cell_can_have_is_written_as_it_looks(
    symbols: Symbols, stage: Stage, is_wide: bool
) -> None:
    tables = cell_tables(symbols, stage, is_wide=is_wide)
    for face in (layers | clue for layers in range(0, 256, 16) for clue in range(9)):
        look = look_of(face, symbols, stage)
        text, styles = tables.row(bytes((face,)))
        assert text == (f" {look.first}{look.second}" if is_wide else look.narrow)
        assert styles[is_wide] == look.style
