"""Lists to choose from, fields to fill in, pages to read, and the names that are typed there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from jminesweeper.protocol.vocabulary import JumpTo
from jminesweeper.screen.models import MenuItem, Message, Typing
from jminesweeper.session import messages
from jminesweeper.session.menus import Menu, Page, Pick, Row, TextField
from jminesweeper.session.names import LONGEST_NAME, printable, typeable


def a_menu(*enabled: bool) -> Menu:
    rows = [
        Row(MenuItem(str(number), is_enabled=is_enabled), number)
        for number, is_enabled in enumerate(enabled)
    ]
    return Menu("Menu", lambda: rows)


class TestMenu:
    def test_the_first_item_that_can_be_chosen_is_selected(self) -> None:
        assert a_menu(False, False, True, True).selected == 2

    def test_the_selection_goes_round_and_leaves_out_what_cannot_be_chosen(self) -> None:
        menu = a_menu(True, False, True)
        places = []
        for _ in range(3):
            menu.step(1)
            places.append(menu.selected)
        menu.step(-1)
        assert [*places, menu.selected] == [2, 0, 2, 0]

    def test_home_and_end_select_the_first_and_the_last_that_can_be_chosen(self) -> None:
        menu = a_menu(False, True, True, True, False)
        menu.jump(JumpTo.ROW_END)
        assert menu.selected == 3
        menu.jump(JumpTo.ROW_END)
        assert menu.selected == 3
        menu.jump(JumpTo.ROW_START)
        assert menu.selected == 1
        menu.jump(JumpTo.PAGE_DOWN)
        assert menu.selected == 1

    def test_an_item_is_selected_by_its_place_if_it_can_be_chosen(self) -> None:
        menu = a_menu(True, False, True)
        assert [menu.point(place) for place in (2, 1, 7)] == [True, False, False]
        assert menu.selected == 2

    def test_choosing_picks_the_selected_item(self) -> None:
        assert a_menu(False, True).choose() == Pick(1)

    def test_the_selection_stays_on_something_when_the_list_changes(self) -> None:
        rows = [Row(MenuItem(str(number)), number) for number in range(3)]
        menu = Menu("Menu", lambda: rows, 2)
        rows.pop()
        menu.refresh()
        assert menu.selected == 1
        rows[1] = Row(MenuItem("gone", is_enabled=False), 1)
        menu.refresh()
        assert menu.selected == 0

    def test_it_is_shown_with_its_title_and_what_was_said(self) -> None:
        model = a_menu(False, True).model(Message("Hm."))
        assert (model.title, model.selected, model.message) == ("Menu", 1, Message("Hm."))
        assert [item.label for item in model.items] == ["0", "1"]


class Notepad:
    """A menu of a text, a number, something to drop and something to turn."""

    def __init__(self) -> None:
        self.values = {"name": "quick", "number": "30"}
        self.turned: list[int] = []
        self.menu = Menu("Menu", self.rows)

    def rows(self) -> Sequence[Row]:
        return (
            Row(self.item("name", Typing.TEXT), write=partial(self.write, "name")),
            Row(
                self.item("number", Typing.DIGITS),
                turn=self.turned.append,
                write=partial(self.write, "number"),
            ),
            Row(MenuItem("save"), "save", can_drop=True),
            Row(MenuItem("turn"), turn=self.turned.append),
            Row(MenuItem("go"), "go"),
        )

    def item(self, name: str, typing: Typing) -> MenuItem:
        return MenuItem(name, self.values[name], typing=typing)

    def write(self, name: str, text: str) -> None:
        self.values[name] = text

    def select(self, label: str) -> None:
        while self.menu.rows[self.menu.selected].item.label != label:
            self.menu.step(1)


@pytest.fixture
def pad() -> Notepad:
    return Notepad()


class TestTyping:
    def test_what_is_typed_first_replaces_the_value_and_what_follows_is_added(
        self, pad: Notepad
    ) -> None:
        for text in ("a", " b\x07", "\n", "c"):
            pad.menu.type(text)
        assert pad.values["name"] == "a bc"

    def test_left_and_right_keep_a_text_to_be_added_to(self, pad: Notepad) -> None:
        pad.menu.turn(1)
        pad.menu.type("er")
        assert pad.values["name"] == "quicker"

    def test_the_last_character_is_taken_back(self, pad: Notepad) -> None:
        pad.menu.erase()
        pad.menu.type("y")
        assert pad.values["name"] == "quicy"
        for _ in range(9):
            pad.menu.erase()
        assert pad.values["name"] == ""
        pad.menu.type("new")
        assert pad.values["name"] == "new"

    def test_a_number_takes_nothing_but_digits(self, pad: Notepad) -> None:
        pad.select("number")
        for text in ("a", "4", "²", "5", ""):
            pad.menu.type(text)
        assert pad.values["number"] == "45"

    def test_a_number_that_was_turned_or_left_is_typed_anew(self, pad: Notepad) -> None:
        pad.select("number")
        pad.menu.type("4")
        pad.menu.turn(1)
        pad.menu.type("7")
        assert pad.values["number"] == "7"
        pad.menu.step(1)
        pad.menu.step(-1)
        pad.menu.type("8")
        assert pad.values["number"] == "8"
        pad.menu.point(1)
        pad.menu.type("9")
        assert pad.values["number"] == "9"

    def test_nothing_is_typed_where_there_is_no_value(self, pad: Notepad) -> None:
        pad.select("go")
        pad.menu.type("x")
        assert pad.menu.erase() is None
        assert pad.values == {"name": "quick", "number": "30"}

    def test_erasing_picks_an_item_that_can_be_dropped(self, pad: Notepad) -> None:
        pad.select("save")
        assert pad.menu.erase() == Pick("save", is_drop=True)

    @pytest.mark.parametrize(
        ("label", "keys"),
        [
            ("name", messages.KEYS_FIELD),
            ("number", messages.KEYS_NUMBER),
            ("save", messages.KEYS_DROP),
            ("turn", messages.KEYS_SETTINGS),
            ("go", messages.KEYS_MENU),
        ],
    )
    def test_the_keys_say_what_can_be_done(
        self, pad: Notepad, label: str, keys: Sequence[tuple[str, str]]
    ) -> None:
        pad.select(label)
        assert pad.menu.model(Message()).keys == keys


class TestTurning:
    @pytest.mark.parametrize(
        ("direction", "turned"),
        [
            (JumpTo.LEFT, [-10]),
            (JumpTo.RIGHT, [10]),
            (JumpTo.ROW_START, [-65_536]),
            (JumpTo.ROW_END, [65_536]),
            (JumpTo.PAGE_UP, []),
            (99, []),
        ],
    )
    def test_jumps_turn_a_number_by_a_lot(
        self, pad: Notepad, direction: int, turned: list[int]
    ) -> None:
        pad.select("number")
        pad.menu.jump(direction)
        assert pad.turned == turned

    def test_home_and_end_leave_a_choice_as_it_is(self, pad: Notepad) -> None:
        pad.select("turn")
        pad.menu.jump(JumpTo.ROW_START)
        assert (pad.menu.selected, pad.turned) == (0, [])

    def test_a_value_that_is_chosen_moves_on_by_one(self, pad: Notepad) -> None:
        pad.select("turn")
        assert pad.menu.choose() is None
        assert pad.turned == [1]

    def test_what_has_no_value_is_not_turned(self, pad: Notepad) -> None:
        pad.select("go")
        pad.menu.turn(1)
        assert pad.turned == []


class TestTextField:
    def test_it_gives_what_is_in_it(self) -> None:
        field = TextField("Save", MenuItem("Name", "quick"))
        assert field.model(Message()).takes_text
        assert field.choose() == Pick("quick")
        field.type("Ada")
        assert field.choose() == Pick("Ada")

    def test_it_takes_no_more_than_a_name_may_have(self) -> None:
        field = TextField("Save", MenuItem("Name"))
        for _ in range(9):
            field.type("0123456789")
        pick = field.choose()
        assert pick is not None
        assert len(pick.value) == LONGEST_NAME

    def test_moving_does_not_begin_anew(self) -> None:
        field = TextField("Save", MenuItem("Name"))
        field.type("A")
        field.step(1)
        field.type("da")
        assert field.choose() == Pick("Ada")


class TestPage:
    def test_it_scrolls_down_without_end_and_up_to_the_first_line(self) -> None:
        page = Page("Page", ["one", "two", "three"])
        places = []
        for rows in (-1, 1, 5, -1, -9):
            page.step(rows)
            places.append(page.first_line)
        assert places == [0, 1, 6, 5, 0]

    @pytest.mark.parametrize(
        ("direction", "line"),
        [
            (JumpTo.UP, 45),
            (JumpTo.DOWN, 55),
            (JumpTo.PAGE_UP, 40),
            (JumpTo.PAGE_DOWN, 60),
            (JumpTo.BOTTOM, 65_586),
            (JumpTo.TOP, 0),
            (JumpTo.ROW_START, 0),
            (JumpTo.ROW_END, 65_586),
            (99, 50),
        ],
    )
    def test_jumps_scroll_by_a_lot(self, direction: int, line: int) -> None:
        page = Page("Page", ["line"] * 100)
        page.step(50)
        page.jump(direction)
        assert page.first_line == line

    def test_it_is_shown_with_its_title(self) -> None:
        model = Page("Page", ["one"]).model(Message("Hm."))
        assert (model.title, [*model.lines], model.message) == ("Page", ["one"], Message("Hm."))


class TestNames:
    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("Ada", "Ada"),
            ("  Ada\t ", "Ada"),
            ("\x1b[31mAda\x07\n", "[31mAda"),
            ("\u202eAda", "Ada"),
            ("x" * 99, "x" * LONGEST_NAME),
            ("\x00", ""),
            ("Žofie 🙂", "Žofie 🙂"),
            ("Z\u030cofie", "Žofie"),
            ("A\u0334\u033ada", "Ada"),
            ("\u0301\u0302", ""),
        ],
    )
    def test_what_cannot_be_shown_is_stripped(self, name: str, shown: str) -> None:
        assert printable(name) == shown

    def test_what_is_typed_keeps_its_blanks(self) -> None:
        assert typeable(" my\x1b\n game ") == " my game "
