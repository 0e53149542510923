"""Finding a field on a screen, and reading it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.bot.field import FieldPlace, FieldReader, find_field
from jminesweeper.bot.playing import BotError
from jminesweeper.client.character_screen import CharacterScreen
from jminesweeper.core import Size, Status, format_position, parse_position
from jminesweeper.protocol import ScreenContent, Start
from tests.unit.bot.servers import OtherServer, OwnServer

SIZES = [Size(1, 1), Size(1, 7), Size(7, 1), Size(2, 2), Size(20, 10), Size(41, 3), Size(255, 4)]


def screen_of(*lines: str) -> CharacterScreen:
    return CharacterScreen.showing("\n".join(lines).encode())


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("server", [OwnServer(), OtherServer()], ids=["own", "other"])
def test_a_field_is_found_wherever_a_server_paints_it(
    server: OwnServer | OtherServer, size: Size
) -> None:
    shown = server.ask(Start(size.columns, size.rows, 1))
    assert isinstance(shown, ScreenContent)
    screen = CharacterScreen.showing(shown.text)
    field = find_field(screen, size)
    assert list(field.rows(screen)) == ["?" * size.columns] * size.rows


def test_cells_may_stand_any_number_of_columns_and_lines_apart() -> None:
    screen = screen_of("  ?   ?   ?", "", "", "  ?   ?   ?", "? for help")
    assert find_field(screen, Size(3, 2)) == FieldPlace(Size(3, 2), 0, 2, 3, 4)


def test_the_end_of_a_question_is_no_field_unless_there_is_no_other() -> None:
    assert find_field(screen_of("Ready?", "", " ?"), Size(1, 1)).top == 2
    assert find_field(screen_of("?", "Ready?"), Size(1, 1)).top == 0
    assert find_field(screen_of("a????"), Size(4, 1)).left == 1


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ("Nothing to see.",),
        ("? ?", "? ?"),
        ("? ? ?", "? . ?", "? ? ?"),
        ("? ? ?", "", "? ? ?", "", "", "? ? ?"),
    ],
)
def test_a_screen_without_a_covered_field_is_one_sentence(lines: tuple[str, ...]) -> None:
    with pytest.raises(BotError, match="shows no field of 3x3 covered cells"):
        find_field(screen_of(*lines), Size(3, 3))


def test_a_field_does_not_reach_beyond_the_screen() -> None:
    with pytest.raises(BotError, match="shows no field of 1x2"):
        find_field(CharacterScreen.showing(b"\x1b[600;1H?"), Size(1, 2))


def test_whatever_is_neither_open_nor_covered_counts_as_a_mark() -> None:
    reader = FieldReader(find_field(screen_of("? ? ? ?", "? ? ? ?"), Size(4, 2)), 2)
    view = reader.read(screen_of("? 1 . @", "8     9"))
    assert format_position(view) == "?1.F\n8FFF"
    assert (view.mine_count, view.status) == (2, Status.ONGOING)


rows = st.text("?.12345678F", min_size=5, max_size=5)
positions = st.lists(rows, min_size=3, max_size=3).map("\n".join)


@given(st.lists(positions, max_size=5))
def test_looking_again_sees_what_a_first_look_would(shown: list[str]) -> None:
    reader = FieldReader(FieldPlace(Size(5, 3), 0, 0, 1, 1), 4)
    for position in shown:
        assert reader.read(screen_of(position)) == parse_position(position, 4, Status.ONGOING)
