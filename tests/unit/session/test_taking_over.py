"""Two connections of one player: the later one takes the game over, the earlier one lets go."""

from __future__ import annotations

import pytest

from jminesweeper.protocol.packets import Hint, NewGame, OpenMenu, Packet, Pick, Save, Start
from jminesweeper.protocol.vocabulary import Command, GameKind, NewGameFlag
from jminesweeper.session.lease import NOTE_EVERY_MS
from jminesweeper.session.reply import LaidBoard, LayBoard
from jminesweeper.session.session import Session
from jminesweeper.store import (
    Append,
    DropSave,
    Enter,
    Entrance,
    FencedError,
    KnownPlayer,
    ListSaves,
    Operation,
    PutPlayer,
    PutSave,
)
from tests.unit.session.backstage import ADA, CONFIG, KNOWN, Backstage
from tests.unit.session.player import BACK, Player, same_seed

START = Start(9, 9, 1)
FLAG = Command.TOGGLE_BOMB_MARK
ELSEWHERE = "continues on another of your devices"
WHOLE_MENU = [
    "Continue",
    "New game",
    "Board of the day",
    "Seed code",
    "Saves",
    "Records",
    "Settings",
    "Help",
    "Quit",
]


@pytest.fixture
def backstage() -> Backstage:
    return Backstage()


def taken(backstage: Backstage, *packets: Packet) -> Player:
    """Somebody whose game was taken over, who has just been told."""
    player = backstage.player()
    player.send(KNOWN, START, FLAG, Command.MOVE_RIGHT, *packets)
    backstage.claim()
    player.send_after(NOTE_EVERY_MS, Command.MOVE_DOWN)
    player.send(Command.REFRESH)
    player.take_effects()
    backstage.take_operations()
    return player


@pytest.mark.requirement("F:V.Game.only_one_uncompleted_game")
def test_a_second_connection_takes_the_game_over(backstage: Backstage) -> None:
    first, second = backstage.player(), backstage.player()
    first.send(KNOWN, START, FLAG)
    second.send(KNOWN)
    assert ADA in [one.claims for one in second.effects]
    backstage.take_operations()
    first.send(Command.MOVE_RIGHT, FLAG)
    assert {type(one) for one in backstage.take_operations()} == {Append}
    assert ELSEWHERE in first.send(Command.REFRESH)
    assert second.send(Command.REFRESH).partition("field:")[2].count("F") == 1
    first.hang_up()
    assert backstage.take_operations() == []


def test_of_two_that_come_before_the_first_write_the_first_to_write_has_the_game(
    backstage: Backstage,
) -> None:
    first, second = backstage.player(), backstage.player()
    first.send(KNOWN, START)
    second.send(KNOWN, START, FLAG)
    first.send(FLAG)
    assert ELSEWHERE in first.send(Command.REFRESH)
    assert second.send(Command.REFRESH).partition("field:")[2].count("F") == 1


@pytest.mark.parametrize(
    "packet", [FLAG, Command.REVEAL, Hint(0, 0), Command.PAUSE, Command.MOVE_RIGHT, Save("one")]
)
def test_nothing_can_be_done_to_a_game_that_is_elsewhere(
    backstage: Backstage, packet: Packet
) -> None:
    player = taken(backstage)
    assert ELSEWHERE in player.text
    player.send(packet, Command.REFRESH)
    assert ELSEWHERE in player.text
    assert backstage.take_operations() == []


def test_a_new_game_is_played_from_memory(backstage: Backstage) -> None:
    player = taken(backstage)
    player.send(START, FLAG)
    assert player.entry("state") == "playing"
    assert player.writes == []
    player.send(Save("one"))
    assert player.message == "Nothing is saved here: the server does not know you."


def test_who_says_hello_again_takes_it_back(backstage: Backstage) -> None:
    player = taken(backstage)
    player.send(KNOWN)
    assert (player.entry("state"), player.board[0]) == ("playing", "F")


@pytest.mark.parametrize("label", WHOLE_MENU)
def test_a_menu_that_was_open_over_it_does_nothing_to_it(backstage: Backstage, label: str) -> None:
    player = taken(backstage, BACK)
    assert player.items == WHOLE_MENU
    before = backstage.claim().game
    backstage.take_operations()
    player.choose(label)
    writing = (Append, PutSave, PutPlayer, DropSave)
    assert backstage.take_operations(*writing) == []
    assert backstage.claim().game == before


def test_a_name_that_was_being_typed_saves_nothing(backstage: Backstage) -> None:
    player = backstage.player()
    player.send(KNOWN, START, FLAG, Command.MOVE_RIGHT, BACK)
    player.walk("Saves", "Save this game")
    backstage.claim()
    player.send_after(NOTE_EVERY_MS, Command.REFRESH)
    player.choose("Name", "one")
    assert player.message == "Nothing is saved here: the server does not know you."
    assert backstage.look(ListSaves(ADA)) == ()


def test_a_list_of_saves_that_was_open_loads_nothing(backstage: Backstage) -> None:
    player = taken(backstage, Save("one"), OpenMenu("saves"))
    player.send(Pick("saves", "=one"))
    kept = backstage.claim().game
    assert kept is not None
    assert not kept.setup.variant.is_repeat


def test_a_board_that_is_laid_too_late_is_put_aside() -> None:
    session = Session(CONFIG, same_seed)
    assert_asks(session, KNOWN, Enter)
    session.resolve(Entrance(KnownPlayer(ADA, "Ada"), is_known=True), 0)
    session.receive(NewGame(GameKind.OWN, 4, 4, 1, rules=1, flags=NewGameFlag.NO_GUESS), 0)
    effects = session.receive(FLAG, 0).effects
    assert effects is not None
    (put,) = effects.writes
    session.receive(Command.MOVE_RIGHT, 0)
    assert_asks(session, Command.REVEAL, LayBoard)
    settle_fenced(session, put)
    reply = session.resolve(LaidBoard(0b1000, is_uniform=True), 0)
    assert ELSEWHERE.encode() in reply.screen
    assert reply.effects is None


def assert_asks(session: Session, packet: Packet, question: type) -> None:
    effects = session.receive(packet, 0).effects
    assert effects is not None
    assert isinstance(effects.question, question)


def settle_fenced(session: Session, operation: Operation[object]) -> None:
    session.settle(operation, FencedError())
