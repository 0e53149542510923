"""Both pictures of a board, and the boards of bombs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.errors import HiddenError
from jminesweeper.core.view import Status
from jminesweeper.kata import KataError, PictureStyle, format_picture, parse_bombs, parse_picture

GRID = """\
+-+-+-+
|_|1| |
+-+-+-+
|*|3|X|
+-+-+-+
|8| | |
+-+-+-+"""
COMPACT = "_1-\n*3X\n8--"

rows = st.text("-_*12345678", min_size=3, max_size=3)
pictures = st.lists(rows, min_size=3, max_size=3).map("\n".join)


@pytest.mark.parametrize("text", [GRID, COMPACT, COMPACT.replace("\n", "/"), f"\n {COMPACT}\n"])
def test_both_pictures_are_read_and_drawn(text: str) -> None:
    view = parse_picture(text, bomb_count=3)
    assert format_picture(view, PictureStyle.GRID) == GRID
    assert format_picture(view, PictureStyle.COMPACT) == COMPACT


@given(pictures, st.sampled_from(PictureStyle))
def test_every_picture_survives_being_drawn_and_read(text: str, style: PictureStyle) -> None:
    view = parse_picture(text, bomb_count=3)
    assert parse_picture(format_picture(view, style), bomb_count=3) == view
    assert format_picture(view, PictureStyle.COMPACT) == text


def test_a_picture_with_an_exploded_bomb_is_lost() -> None:
    assert parse_picture("---/-X-/---", bomb_count=1).status is Status.LOST


def test_a_picture_of_a_running_game_does_not_know_the_bombs() -> None:
    view = parse_picture("---/-1-/---", bomb_count=1)
    assert view.status is Status.ONGOING
    with pytest.raises(HiddenError):
        _ = view.mines


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---/---",
        "---/---/---/---",
        "----/---/---",
        "---/-?-/---",
        "---/-9-/---",
        "---/-0-/---",
        "---/-b-/---",
        GRID.replace("_", "-"),
        GRID.replace("| |", "||", 1),
        GRID.replace("8", "\u2167"),
    ],
)
def test_what_is_no_picture_is_refused(text: str) -> None:
    with pytest.raises(KataError, match="a picture has three rows"):
        parse_picture(text, bomb_count=1)


@pytest.mark.parametrize(
    "text", ["+-+-+-+", GRID.replace("+-+-+-+", "+-+-+", 2), GRID.rpartition("\n")[0]]
)
def test_a_grid_needs_all_its_lines(text: str) -> None:
    with pytest.raises(KataError, match=r"a grid has three rows|a picture has three rows"):
        parse_picture(text, bomb_count=1)


def test_only_one_bomb_goes_off() -> None:
    with pytest.raises(KataError, match="only one bomb goes off"):
        parse_picture("X--/-X-/---", bomb_count=3)


@pytest.mark.parametrize(
    "text", ["", "b", "b--/---", "b--/---/--", "*--/---/---", "B--/---/---", "b--/---/---/---"]
)
def test_what_is_no_board_of_bombs_is_refused(text: str) -> None:
    with pytest.raises(KataError, match="bombs are written as"):
        parse_bombs(text)
