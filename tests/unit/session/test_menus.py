"""Lists to choose from and pages to read."""

from jminesweeper.screen import MenuItem, Message
from jminesweeper.session import messages
from jminesweeper.session.effects import Close
from jminesweeper.session.menus import Choice, Menu, Page


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


class TestPage:
    def test_it_scrolls_as_far_as_there_are_lines(self) -> None:
        page = Page("Page", ["one", "two", "three"])
        places = []
        for rows in (-1, 1, 5, -1):
            page.step(rows)
            places.append(page.first_line)
        assert places == [0, 1, 2, 1]

    def test_an_empty_one_does_not_scroll(self) -> None:
        page = Page("Page", [])
        page.step(3)
        assert page.first_line == 0

    def test_it_is_shown_with_its_title(self) -> None:
        model = Page("Page", ["one"]).model(Message("Hm."))
        assert (model.title, [*model.lines], model.message) == ("Page", ["one"], Message("Hm."))
