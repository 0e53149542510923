"""Question marks: a setting, a step between a flag and none, and part of the log."""

from __future__ import annotations

import pytest

from jminesweeper.protocol.packets import Act, Packet, Start, Undo
from jminesweeper.protocol.vocabulary import Button, Command
from tests.world.player import BACK, SEEN, Player
from tests.world.server import KNOWN, World, seated

BOARD = "*..\n...\n..*"
FLAG = Command.TOGGLE_BOMB_MARK


def with_marks(rules: str = "classic") -> tuple[Player, World]:
    player, world = seated(BOARD, rules)
    return player.do(BACK, "Settings", ("Question marks", "on"), BACK, BACK), world


def first_cell(player: Player) -> str:
    return {16: "?", 31: "q", 48: "F"}[player.faces[0]]


@pytest.mark.parametrize("packet", [FLAG, Act(0, 0, Button.FLAG, SEEN)])
def test_one_comes_between_a_flag_and_none(packet: Packet) -> None:
    player, _ = with_marks()
    shown = [(player.send(packet), first_cell(player))[1] for _ in range(4)]
    assert shown == ["F", "q", "?", "F"]
    assert player.members["questions"]


def test_mines_left_count_flags_alone() -> None:
    player, _ = with_marks()
    player.do(FLAG, FLAG).sees({"mines left": "2"})


def test_there_are_none_unless_asked_for() -> None:
    player, _ = seated(BOARD)
    player.send(FLAG, FLAG)
    assert first_cell(player) == "?"


def test_documents_js_game_never_has_them() -> None:
    player, _ = with_marks("jminesweeper")
    player.send(FLAG, FLAG)
    assert first_cell(player) == "?"
    player.send(Start(9, 9, 1), FLAG, FLAG)
    assert first_cell(player) == "?"
    assert not player.members.get("questions")


def test_a_cell_with_one_opens_like_any_other() -> None:
    player, _ = with_marks()
    player.send(Act(1, 0, Button.FLAG, SEEN), Act(1, 0, Button.FLAG, SEEN))
    player.send(Act(1, 0, Button.REVEAL, 31))
    assert player.board[1] == "1"
    player.do(Act(1, 0, Button.CHORD, 1)).sees({"message": "The 1 needs 1 flag around it, not 0."})


def test_undo_brings_the_flag_back_and_then_takes_it() -> None:
    player, _ = with_marks()
    player.send(FLAG, FLAG, FLAG)
    shown = [(player.send(Undo(1)), first_cell(player))[1] for _ in "123"]
    assert shown == ["q", "F", "?"]


def test_they_are_stored_and_come_back() -> None:
    player, world = with_marks()
    player.send(FLAG, FLAG)
    player.hang_up()
    again = world.player().do(KNOWN)
    assert first_cell(again) == "q"
    again.send(FLAG)
    assert first_cell(again) == "?"


def test_who_turns_them_off_flags_what_has_one() -> None:
    player, world = with_marks()
    player.send(FLAG, FLAG)
    world.introduce({})
    player.open("Settings")
    player.do(("Question marks", "off"), BACK, BACK, FLAG)
    assert first_cell(player) == "F"
