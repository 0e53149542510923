"""The state of one session."""

import pytest

from jminesweeper.protocol import Start
from jminesweeper.screen import GameScreen, MenuScreen, PageScreen, Tone
from jminesweeper.session import Ask, Consult
from jminesweeper.session.effects import Effects
from jminesweeper.session.main_menu import open_menu
from jminesweeper.session.menus import Page
from jminesweeper.session.orders import order_start
from jminesweeper.session.seat import Seat, notice
from jminesweeper.store.ports import ListSaves
from tests.unit.session.backstage import CONFIG
from tests.unit.session.player import same_seed


@pytest.fixture
def seat() -> Seat:
    return Seat(CONFIG, same_seed)


def test_it_shows_the_topmost_layer_or_the_game(seat: Seat) -> None:
    open_menu(seat, 0)
    assert isinstance(seat.model(0), MenuScreen)
    seat.show(Page("Page", ["line"]), 0)
    assert isinstance(seat.model(0), PageScreen)
    seat.begin(order_start(Start(3, 3, 1), same_seed), 0)
    assert isinstance(seat.model(0), GameScreen)


def test_without_a_game_and_a_menu_the_game_is_elsewhere(seat: Seat) -> None:
    model = seat.model(0)
    assert isinstance(model, PageScreen)
    assert "goes on at another connection" in model.lines[0]


def test_a_warning_is_said_and_nothing_done(seat: Seat) -> None:
    assert seat.warn("Not so.") == ()
    assert (seat.table.message.text, seat.table.message.tone) == ("Not so.", Tone.WARNING)


def test_the_store_is_asked_and_the_answer_taken_once(seat: Seat) -> None:
    answers: list[object] = []

    def then(answer: object, _now_ms: int) -> Effects:
        answers.append(answer)
        return ()

    assert seat.consult(ListSaves("ada"), then) == (Ask(Consult(ListSaves("ada"))),)
    seat.take_answer("one", 0)
    seat.take_answer("two", 0)
    assert answers == ["one"]


def test_before_hello_there_is_nothing_to_dress(seat: Seat) -> None:
    seat.dress()
    assert seat.presenter is None


def test_a_notice_says_one_thing() -> None:
    model = notice("The server stops.")
    assert isinstance(model, PageScreen)
    assert [*model.lines] == ["The server stops."]
