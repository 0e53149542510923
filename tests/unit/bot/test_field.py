"""Reading a field on a screen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.bot.painted import FieldReader
from jminesweeper.client.character_screen import CharacterScreen
from jminesweeper.client.field_place import FieldPlace
from jminesweeper.core.grid import Size
from jminesweeper.core.notation import parse_position
from jminesweeper.core.view import Status


def screen_of(*lines: str) -> CharacterScreen:
    return CharacterScreen.showing("\n".join(lines).encode())


def test_whatever_is_neither_open_nor_covered_counts_as_a_mark() -> None:
    reader = FieldReader(FieldPlace(Size(4, 2), 0, 0, 1, 2), 2)
    view = reader.read(screen_of("? 1 . @", "8     9"))
    assert str(view) == "?1.F\n8FFF"
    assert (view.mine_count, view.status) == (2, Status.ONGOING)


rows = st.text("?.12345678F", min_size=5, max_size=5)
positions = st.lists(rows, min_size=3, max_size=3).map("\n".join)


@given(st.lists(positions, max_size=5))
def test_looking_again_sees_what_a_first_look_would(shown: list[str]) -> None:
    reader = FieldReader(FieldPlace(Size(5, 3), 0, 0, 1, 1), 4)
    for position in shown:
        assert reader.read(screen_of(position)) == parse_position(position, 4, Status.ONGOING)
