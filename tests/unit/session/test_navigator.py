"""Getting about in menus and pages."""

import pytest

from jminesweeper.core import ActionKind, Cell
from jminesweeper.protocol import JumpTo
from jminesweeper.screen import MenuItem
from jminesweeper.session import Close, SessionConfig
from jminesweeper.session.effects import Effects
from jminesweeper.session.keeper import resume
from jminesweeper.session.menus import Choice, Field, Menu, Page
from jminesweeper.session.navigator import Navigator
from jminesweeper.session.table import Table
from tests.unit.session.backstage import waiting
from tests.unit.session.player import same_seed


@pytest.fixture
def table() -> Table:
    table = Table(SessionConfig(), same_seed)
    table.take_up(resume(waiting("*..\n...")), 0)
    table.act(ActionKind.FLAG, 0)
    return table


@pytest.fixture
def navigator(table: Table) -> Navigator:
    return Navigator(table)


class Dial:
    """A menu whose second item counts how it was turned."""

    def __init__(self) -> None:
        self.value = 0
        self.menu = Menu(
            "Menu",
            lambda: (
                Choice(MenuItem("leave"), lambda _now: (Close(),)),
                Choice(MenuItem("turn"), lambda _now: (), self.turn),
                Choice(MenuItem("not now", is_enabled=False), lambda _now: (Close(),)),
            ),
        )

    def turn(self, steps: int) -> Effects:
        self.value += steps
        return ()


def test_the_game_pauses_below_the_first_layer_and_goes_on_after_the_last(
    table: Table, navigator: Navigator
) -> None:
    assert table.play is not None
    navigator.open(Dial().menu, 1_000)
    navigator.open(Page("Page", []), 5_000)
    assert table.play.is_paused
    navigator.back(6_000)
    assert table.play.elapsed_ms(7_000) == 1_000
    navigator.back(7_000)
    assert navigator.top is None
    assert table.play.elapsed_ms(8_000) == 2_000


def test_a_game_that_its_player_paused_stays_so_below_a_menu(
    table: Table, navigator: Navigator
) -> None:
    table.pause(0)
    navigator.open(Dial().menu, 0)
    navigator.back(0)
    assert table.is_paused
    table.go_on(0)
    navigator.open(Dial().menu, 0)
    navigator.back(0)
    assert not table.is_paused


def test_without_a_game_the_last_layer_stays() -> None:
    navigator = Navigator(Table(SessionConfig(), same_seed))
    menu = Dial().menu
    navigator.open(menu, 0)
    navigator.back(0)
    assert navigator.top is menu


def test_closing_takes_all_layers_away(table: Table, navigator: Navigator) -> None:
    navigator.open(Dial().menu, 0)
    navigator.open(Dial().menu, 0)
    navigator.close(0)
    assert navigator.layers == []
    assert table.play is not None
    assert not table.play.is_paused


def test_up_and_down_select_left_and_right_turn(navigator: Navigator) -> None:
    dial = Dial()
    navigator.open(dial.menu, 0)
    navigator.step(1, 0)
    assert dial.value == 0
    navigator.step(0, 1)
    navigator.step(1, 0)
    navigator.step(-1, 0)
    navigator.step(-1, 0)
    assert dial.value == -1


@pytest.mark.parametrize(
    ("direction", "turned"),
    [(JumpTo.LEFT, -10), (JumpTo.RIGHT, 10), (JumpTo.ROW_START, -65536), (JumpTo.PAGE_UP, 0)],
)
def test_jumps_turn_by_a_lot(navigator: Navigator, direction: JumpTo, turned: int) -> None:
    dial = Dial()
    navigator.open(dial.menu, 0)
    navigator.step(0, 1)
    navigator.jump(direction)
    assert dial.value == turned


@pytest.mark.parametrize(
    ("direction", "line"),
    [(JumpTo.PAGE_DOWN, 10), (JumpTo.DOWN, 5), (JumpTo.BOTTOM, 65536), (JumpTo.TOP, 0), (99, 0)],
)
def test_jumps_scroll_a_page(navigator: Navigator, direction: int, line: int) -> None:
    page = Page("Page", ["line"] * 30)
    navigator.open(page, 0)
    navigator.jump(direction)
    assert page.first_line == line


def test_a_page_goes_on_from_where_the_screen_stopped(navigator: Navigator) -> None:
    page = Page("Page", ["line"] * 30)
    navigator.note_shown(7)
    navigator.open(page, 0)
    navigator.jump(JumpTo.BOTTOM)
    navigator.note_shown(12)
    navigator.step(0, -1)
    assert page.first_line == 11


def test_what_is_typed_goes_to_the_menu_on_top(navigator: Navigator) -> None:
    field = Field("Save", MenuItem("Name"), lambda _text, _now: ())
    navigator.open(field, 0)
    navigator.type("Adam")
    navigator.erase(0)
    assert field.current.item.value == "Ada"
    navigator.open(Page("Page", []), 0)
    assert (navigator.type("x"), navigator.erase(0)) == ((), ())
    assert field.current.item.value == "Ada"


def test_a_layer_takes_the_place_of_the_one_on_top(navigator: Navigator) -> None:
    first, second, third = (Page(title, []) for title in ("one", "two", "three"))
    navigator.open(first, 0)
    navigator.open(second, 0)
    navigator.replace(third)
    assert navigator.layers == [first, third]


def test_return_does_what_the_item_is_for_and_closes_a_page(navigator: Navigator) -> None:
    navigator.open(Dial().menu, 0)
    assert navigator.choose(0) == (Close(),)
    navigator.open(Page("Page", []), 0)
    assert navigator.choose(0) == ()
    assert isinstance(navigator.top, Menu)


def test_an_item_that_cannot_be_chosen_does_nothing(navigator: Navigator) -> None:
    dial = Dial()
    dial.menu.selected = 2
    navigator.open(dial.menu, 0)
    assert navigator.choose(0) == ()


@pytest.mark.parametrize(
    ("place", "effects"), [(0, (Close(),)), (2, ()), (9, ()), (None, ()), (Cell(0, 0), ())]
)
def test_pointing_at_an_item_chooses_it(
    navigator: Navigator, place: Cell | int | None, effects: Effects
) -> None:
    navigator.open(Dial().menu, 0)
    assert navigator.point(place, 0) == effects


def test_a_page_has_nothing_to_point_at(navigator: Navigator) -> None:
    navigator.open(Page("Page", ["line"]), 0)
    assert navigator.point(0, 0) == ()
    navigator.step(1, 0)
    assert isinstance(navigator.top, Page)
