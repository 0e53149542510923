"""The state of one session."""

import pytest

from jminesweeper.core import ActionKind
from jminesweeper.protocol import Start
from jminesweeper.screen import GameScreen, MenuScreen, PageScreen, Tone
from jminesweeper.session import Ask, Consult, Rebuild
from jminesweeper.session.effects import Effects
from jminesweeper.session.keeper import running_game
from jminesweeper.session.main_menu import open_menu
from jminesweeper.session.menus import Page
from jminesweeper.session.orders import order_start
from jminesweeper.session.play import Play
from jminesweeper.session.seat import QUICK_LOG_BYTES, Seat, Then, notice
from jminesweeper.store.ports import Fault, ListSaves, RunningGame, StoreUnavailableError
from tests.unit.session.backstage import CONFIG, a_play, waiting
from tests.unit.session.player import same_seed

ENTRY_BYTES = 8


def noting(answers: list[object]) -> Then:
    def then(answer: object, _now_ms: int) -> Effects:
        answers.append(answer)
        return ()

    return then


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
    assert "goes on at another connection" in str(model.lines[0])


def test_a_warning_is_said_and_nothing_done(seat: Seat) -> None:
    assert seat.warn("Not so.") == ()
    assert (seat.table.message.text, seat.table.message.tone) == ("Not so.", Tone.WARNING)


def test_the_store_is_asked_and_the_answer_taken_once(seat: Seat) -> None:
    answers: list[object] = []
    assert seat.consult(ListSaves("ada"), noting(answers)) == (Ask(Consult(ListSaves("ada"))),)
    seat.take_answer("one", 0)
    seat.take_answer("two", 0)
    assert answers == ["one"]


def test_an_answer_that_is_none_is_told_and_nothing_done(seat: Seat) -> None:
    answers: list[object] = []
    seat.look_up(ListSaves("ada"), noting(answers))
    seat.take_answer(("one",), 0)
    seat.look_up(ListSaves("ada"), noting(answers))
    trouble = StoreUnavailableError(Fault.FULL)
    assert seat.take_answer(trouble, 0) == ()
    assert answers == [("one",)]
    assert (seat.table.message.text, seat.table.message.tone) == (str(trouble), Tone.BAD)


def test_a_short_log_is_played_again_at_once(seat: Seat) -> None:
    taken: list[object] = []
    assert seat.rebuild(waiting("*.."), noting(taken), 0) == ()
    assert [type(answer) for answer in taken] == [Play]


@pytest.mark.parametrize("header", ["", "no game"])
def test_a_kept_game_that_cannot_be_read_is_none(seat: Seat, header: str) -> None:
    taken: list[object] = []
    seat.rebuild(RunningGame("code", header), noting(taken), 0)
    assert taken == [None]


def test_a_long_log_is_played_again_by_somebody_else(seat: Seat) -> None:
    taken: list[object] = []
    play = a_play("*..")
    while len(play.game.log) * ENTRY_BYTES <= QUICK_LOG_BYTES:
        play.act(ActionKind.FLAG, 0)
    kept = running_game(play, 0)
    assert seat.rebuild(kept, noting(taken), 0) == (Ask(Rebuild(kept)),)
    seat.take_answer(play, 0)
    assert taken == [play]


def test_before_hello_there_is_nothing_to_dress(seat: Seat) -> None:
    seat.dress()
    assert seat.presenter is None


def test_a_notice_says_one_thing() -> None:
    model = notice("The server stops.")
    assert isinstance(model, PageScreen)
    assert [*model.lines] == ["The server stops."]
