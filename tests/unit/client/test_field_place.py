"""Where the field of any server is found."""

from __future__ import annotations

import pytest

from jminesweeper.client.character_screen import CharacterScreen
from jminesweeper.client.field_place import FieldPlace, find_field
from jminesweeper.core.grid import Size
from jminesweeper.protocol.packets import ScreenContent, Start
from tests.unit.bot.servers import OtherServer, OwnServer

SIZES = [Size(1, 1), Size(1, 7), Size(7, 1), Size(2, 2), Size(20, 10), Size(41, 3), Size(255, 4)]


def lines_of(*lines: str) -> list[str]:
    return CharacterScreen.showing("\n".join(lines).encode()).rows


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("server", [OwnServer(), OtherServer()], ids=["own", "other"])
def test_a_field_is_found_wherever_a_server_paints_it(
    server: OwnServer | OtherServer, size: Size
) -> None:
    shown = server.ask(Start(size.columns, size.rows, 1))
    assert isinstance(shown, ScreenContent)
    screen = CharacterScreen.showing(shown.text)
    field = find_field(screen.rows, size)
    assert field is not None
    assert list(field.rows(screen.rows)) == ["?" * size.columns] * size.rows


def test_cells_may_stand_any_number_of_columns_and_lines_apart() -> None:
    lines = lines_of("  ?   ?   ?", "", "", "  ?   ?   ?", "? for help")
    assert find_field(lines, Size(3, 2)) == FieldPlace(Size(3, 2), 0, 2, 3, 4)


def test_the_end_of_a_question_is_no_field_unless_there_is_no_other() -> None:
    one, four = Size(1, 1), Size(4, 1)
    assert find_field(lines_of("Ready?", "", " ?"), one) == FieldPlace(one, 2, 1, 2, 1)
    assert find_field(lines_of("?", "Ready?"), one) == FieldPlace(one, 0, 0, 1, 1)
    assert find_field(lines_of("a????"), four) == FieldPlace(four, 0, 1, 1, 1)


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
def test_no_field_is_found_where_none_is_covered(lines: tuple[str, ...]) -> None:
    assert find_field(lines_of(*lines), Size(3, 3)) is None


def test_a_field_does_not_reach_beyond_the_screen() -> None:
    assert find_field(CharacterScreen.showing(b"\x1b[600;1H?").rows, Size(1, 2)) is None
