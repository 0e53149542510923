"""Lists to choose from and pages to read."""

from collections.abc import Sequence

from jminesweeper.screen import MenuItem, Message, Typing
from jminesweeper.session import messages
from jminesweeper.session.effects import NO_EFFECTS, Close, Effects
from jminesweeper.session.menus import Choice, Field, Menu, Page, Turn


def a_menu(*enabled: bool) -> Menu:
    choices = [
        Choice(MenuItem(str(number), is_enabled=is_enabled), lambda _now: (Close(),))
        for number, is_enabled in enumerate(enabled)
    ]
    return Menu("Menu", lambda: choices)


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

    def test_an_item_is_selected_by_its_place_if_it_can_be_chosen(self) -> None:
        menu = a_menu(True, False, True)
        assert [menu.select(place) for place in (2, 1, 7)] == [True, False, False]
        assert menu.selected == 2
        assert menu.current.choose(0) == (Close(),)

    def test_the_keys_are_those_of_the_item(self) -> None:
        plain = Choice(MenuItem("plain"), lambda _now: ())
        turning = Choice(MenuItem("turning"), lambda _now: (), lambda _steps: ())
        menu = Menu("Menu", lambda: (plain, turning))
        assert menu.model(Message()).keys == messages.KEYS_MENU
        menu.step(1)
        model = menu.model(Message("Hm."))
        assert (model.title, model.selected, model.message) == ("Menu", 1, Message("Hm."))
        assert model.keys == messages.KEYS_SETTINGS
        assert [item.label for item in model.items] == ["plain", "turning"]


class Notepad:
    """A menu of an item that is typed, one that is a number, and one that can be dropped."""

    def __init__(self) -> None:
        self.values = {"name": "quick", "number": "30"}
        self.menu = Menu("Menu", self.choices)

    def choices(self) -> Sequence[Choice]:
        return (
            self.choice("name", Typing.TEXT, None),
            self.choice("number", Typing.DIGITS, lambda _steps: (Close(),)),
            Choice(MenuItem("save"), lambda _now: (), drop=lambda _now: (Close(),)),
        )

    def choice(self, name: str, typing: Typing, turn: Turn | None) -> Choice:
        item = MenuItem(name, self.values[name], typing=typing)
        return Choice(item, lambda _now: (), turn, lambda text: self.write(name, text))

    def write(self, name: str, text: str) -> Effects:
        self.values[name] = text
        return NO_EFFECTS


class TestTyping:
    def test_what_is_typed_first_replaces_the_value_and_what_follows_is_added(self) -> None:
        pad = Notepad()
        for text in ("a", " b\x07", "\n", "c"):
            pad.menu.type(text)
        assert pad.values["name"] == "a bc"

    def test_left_and_right_keep_a_text_to_be_added_to(self) -> None:
        pad = Notepad()
        pad.menu.turn(1)
        pad.menu.type("er")
        assert pad.values["name"] == "quicker"

    def test_the_last_character_is_taken_back(self) -> None:
        pad = Notepad()
        pad.menu.erase(0)
        pad.menu.type("y")
        assert pad.values["name"] == "quicy"
        for _ in range(9):
            pad.menu.erase(0)
        assert pad.values["name"] == ""
        pad.menu.type("new")
        assert pad.values["name"] == "new"

    def test_a_number_takes_nothing_but_digits(self) -> None:
        pad = Notepad()
        pad.menu.step(1)
        for text in ("a", "4", "²", "5", ""):
            pad.menu.type(text)
        assert pad.values["number"] == "45"

    def test_a_number_that_was_turned_or_left_is_typed_anew(self) -> None:
        pad = Notepad()
        pad.menu.step(1)
        pad.menu.type("4")
        pad.menu.turn(1)
        pad.menu.type("7")
        assert pad.values["number"] == "7"
        pad.menu.step(1)
        pad.menu.step(-1)
        pad.menu.type("8")
        assert pad.values["number"] == "8"
        pad.menu.select(1)
        pad.menu.type("9")
        assert pad.values["number"] == "9"

    def test_erasing_asks_about_an_item_that_can_be_dropped(self) -> None:
        pad = Notepad()
        pad.menu.select(2)
        assert pad.menu.erase(0) == (Close(),)
        assert pad.menu.type("x") == ()
        assert a_menu(True).erase(0) == ()

    def test_the_keys_say_what_can_be_typed(self) -> None:
        pad = Notepad()
        keys = []
        for _ in range(3):
            keys.append(pad.menu.model(Message()).keys)
            pad.menu.step(1)
        assert keys == [messages.KEYS_FIELD, messages.KEYS_NUMBER, messages.KEYS_DROP]


class TestField:
    def test_it_gives_what_is_in_it(self) -> None:
        taken = []

        def accept(text: str, now_ms: int) -> Effects:
            taken.append((text, now_ms))
            return (Close(),)

        field = Field("Save", MenuItem("Name", "quick"), accept)
        assert field.model(Message()).takes_text
        assert field.current.choose(5) == (Close(),)
        field.type("Ada")
        field.current.choose(6)
        assert taken == [("quick", 5), ("Ada", 6)]

    def test_it_takes_no_more_than_a_name_may_have(self) -> None:
        field = Field("Save", MenuItem("Name"), lambda _text, _now: ())
        for _ in range(9):
            field.type("0123456789")
        assert len(field.current.item.value) == 64

    def test_moving_does_not_begin_anew(self) -> None:
        field = Field("Save", MenuItem("Name"), lambda _text, _now: ())
        field.type("A")
        field.step(1)
        field.type("da")
        assert field.current.item.value == "Ada"


class TestPage:
    def test_it_scrolls_down_without_end_and_up_to_the_first_line(self) -> None:
        page = Page("Page", ["one", "two", "three"])
        places = []
        for rows in (-1, 1, 5, -1, -9):
            page.step(rows)
            places.append(page.first_line)
        assert places == [0, 1, 6, 5, 0]

    def test_it_is_shown_with_its_title(self) -> None:
        model = Page("Page", ["one"]).model(Message("Hm."))
        assert (model.title, [*model.lines], model.message) == ("Page", ["one"], Message("Hm."))
