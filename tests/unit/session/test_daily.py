"""The board of the day: the same for everybody, and ranked once."""

from datetime import date

import pytest

from jminesweeper.core.seedcode import daily_setup, format_seed_code
from jminesweeper.protocol.packets import Code, MoveTo, NewGame, Packet, Start
from jminesweeper.protocol.vocabulary import Command, GameKind
from jminesweeper.store.errors import Fault, StoreUnavailableError
from tests.unit.session.backstage import ANONYMOUS, KNOWN, Backstage
from tests.unit.session.player import BACK, Player

DAILY = NewGame(GameKind.DAILY, level=1)
FLAG = Command.TOGGLE_BOMB_MARK
LOOK = (MoveTo(4, 4), Command.REVEAL, Command.PAUSE, Command.PAUSE)
KNOWN_BOARD = "Seen before, so not ranked."


@pytest.fixture
def backstage() -> Backstage:
    return Backstage()


@pytest.fixture
def player(backstage: Backstage) -> Player:
    player = backstage.player()
    player.send(KNOWN)
    return player


def repeats(backstage: Backstage) -> list[bool]:
    return [game.variant.is_repeat for game in backstage.finished]


def test_everybody_gets_the_same_board_by_day(player: Player, backstage: Backstage) -> None:
    player.send(DAILY)
    assert player.text.startswith("JMinesweeper daily beginner 2001-09-09 9x9")
    assert KNOWN_BOARD not in player.message
    other = backstage.player(entropy=lambda bits: (1 << bits) - 1)
    other.send(ANONYMOUS, DAILY)
    boards = [one.send(*LOOK).partition("field:")[2] for one in (player, other)]
    assert boards[0] == boards[1]


def test_the_next_day_has_another_board(player: Player) -> None:
    player.send(DAILY, *LOOK)
    before = player.text.partition("field:")[2]
    player.send_after(86_400_000, DAILY)
    assert player.text.startswith("JMinesweeper daily beginner 2001-09-10 9x9")
    assert player.text.partition("field:")[2] != before


def test_the_second_time_is_a_repeat(player: Player, backstage: Backstage) -> None:
    for _ in range(2):
        player.send_after(1_000, DAILY, FLAG, Start(9, 9, 1))
    first, second = backstage.finished
    assert repeats(backstage) == [False, True]
    assert first.code != second.code
    assert first.variant.daily == second.variant.daily == date(2001, 9, 9)


def test_the_one_at_hand_is_known(player: Player, backstage: Backstage) -> None:
    player.send(DAILY, FLAG, DAILY)
    assert player.entry("remark") == "repeat"
    assert repeats(backstage) == [False]


def test_one_that_was_only_looked_at_is_not_seen(player: Player) -> None:
    player.send(DAILY, Command.MOVE_RIGHT, DAILY)
    assert KNOWN_BOARD not in player.message


@pytest.mark.parametrize("ways", [(), (FLAG, NewGame(GameKind.SAME_BOARD))])
def test_todays_mines_cannot_be_looked_at(player: Player, ways: tuple[Packet, ...]) -> None:
    player.send(DAILY, *ways, Command.TOGGLE_DEBUG_MODE)
    assert player.message == "Debug mode is off on today's daily board."
    assert player.entry("remark") == ""


def test_nor_under_its_seed_code(player: Player) -> None:
    player.send(BACK)
    player.choose("Seed code")
    code = format_seed_code(daily_setup(date(2001, 9, 9), "beginner"))
    player.send(Code(code), Command.REVEAL, Command.TOGGLE_DEBUG_MODE)
    assert player.message == "Debug mode is off on today's daily board."


def test_debug_mode_ends_where_todays_board_begins(player: Player) -> None:
    player.send(Start(9, 9, 1), Command.TOGGLE_DEBUG_MODE, DAILY)
    assert player.entry("remark") == ""


def test_yesterdays_mines_can(player: Player) -> None:
    player.send(DAILY)
    player.send_after(86_400_000, Command.TOGGLE_DEBUG_MODE)
    assert player.entry("remark") == "debug assisted"


def test_each_board_and_each_player_has_a_first_time(player: Player, backstage: Backstage) -> None:
    player.send(DAILY, FLAG)
    player.send(NewGame(GameKind.DAILY, level=3), FLAG, Start(9, 9, 1))
    assert repeats(backstage) == [False, False]


def test_it_continues_after_an_absence(player: Player, backstage: Backstage) -> None:
    player.send(DAILY, FLAG)
    again = backstage.player()
    again.send(KNOWN)
    assert again.text.startswith("JMinesweeper daily beginner 2001-09-09 9x9")
    again.send(Start(9, 9, 1), DAILY)
    assert again.message == KNOWN_BOARD


def test_it_is_a_repeat_if_the_store_cannot_tell(player: Player, backstage: Backstage) -> None:
    backstage.fault = StoreUnavailableError(Fault.FULL)
    player.send(DAILY)
    assert (player.entry("size"), player.message) == (
        "9x9",
        "The server cannot tell if you saw this board; not ranked.",
    )
    backstage.fault = None
    player.send(FLAG, Start(9, 9, 1))
    assert repeats(backstage) == [True]
