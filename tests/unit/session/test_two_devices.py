"""Several connections of one player show one game, live; of several servers too."""

from __future__ import annotations

import pytest

from jminesweeper.bus import player_topic
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import COVERED, Status
from jminesweeper.protocol.packets import (
    Act,
    Hint,
    MoveTo,
    NewGame,
    OpenMenu,
    Pick,
    Start,
    Undo,
    View,
)
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.session.reply import FoundHint
from jminesweeper.store.port import Read
from tests.world.games import ADA
from tests.world.player import SEEN, Player, cells_of, minefield_of
from tests.world.server import KNOWN, LIVE, UNDECIDED, World, seated

START = Start(9, 9, 1)
FLAG = Command.TOGGLE_BOMB_MARK
BOARD = "*..\n...\n..*"


def two(world: World | None = None) -> tuple[Player, Player, World]:
    """Two devices at one game with a flag."""
    world = world or World()
    first, second = world.player(), world.player()
    first.send(LIVE, START, FLAG)
    second.send(LIVE)
    return first, second, world


def flag(column: int, row: int) -> Act:
    return Act(column, row, Button.FLAG, SEEN)


@pytest.mark.requirement("F:V.Game.only_one_uncompleted_game")
def test_a_second_device_shows_the_game_that_the_first_one_plays() -> None:
    first, second, world = two()
    assert second.board == first.board
    assert len(world.matches) == 1


def test_what_one_does_the_other_is_shown_without_asking() -> None:
    first, second, _ = two()
    first.send(flag(3, 3))
    assert second.look()
    assert second.said["unasked"]
    assert second.board == first.board
    assert not second.look(), "there is no more to show"


def test_both_play_on_and_nothing_is_lost() -> None:
    first, second, world = two()
    first.send(flag(3, 3))
    second.send(flag(4, 4))
    first.send(flag(5, 5))
    second.do(Command.REFRESH).sees({"board": first.board})
    assert world.running.length == 4


def test_each_has_its_own_menu_and_message() -> None:
    first, second, _ = two()
    second.send(OpenMenu(""))
    first.send(flag(3, 3))
    assert not second.look()
    assert (first.screen, second.screen) == ("game", "main")


def test_the_end_is_told_on_both() -> None:
    first, world = seated(BOARD, hello=LIVE)
    second = world.player().do(LIVE)
    first.send(Act(0, 0, Button.REVEAL, SEEN))
    second.look()
    assert second.entry("state") == "lost"
    assert second.message == first.message
    assert [game.status for game in world.finished] == [Status.LOST]


def test_the_clock_runs_while_either_sees_the_board() -> None:
    first, second, _ = two()
    first.send(Command.PAUSE)
    second.do(5_000, Command.REFRESH).sees({"clock": "5 s"})
    second.do(Command.PAUSE, 5_000, Command.PAUSE).sees({"clock": "5 s"})


def test_the_clock_loses_nothing_when_the_first_device_goes() -> None:
    first, second, _ = two()
    second.send_after(11_000, Command.REFRESH)
    first.hang_up()
    second.do(1_000, Command.REFRESH).sees({"clock": "12 s"})


def test_a_game_that_one_begins_is_shown_on_the_other() -> None:
    first, second, _ = two()
    first.send(Start(20, 10, 1), FLAG)
    assert second.look()
    assert second.entry("size") == "20x10"
    assert second.message == "Your game continues here from another device."


def test_who_reads_a_menu_is_not_taken_elsewhere() -> None:
    first, second, _ = two()
    second.send(OpenMenu(""))
    first.send(Start(20, 10, 1), FLAG)
    assert not second.look()
    assert second.screen == "main"


def test_a_game_whose_end_is_undone_here_is_played_on_in_place_of_one_begun_there() -> None:
    first, second, world = two()
    mine = cells_of(field := minefield_of(START), field.mines)[-1]
    first.send(Act(*mine, Button.REVEAL, SEEN))
    ended = world.running.code
    # Who reads a menu is not taken to the other game.
    first.send(OpenMenu(""))
    second.send(Start(20, 10, 1), FLAG)
    begun = world.running.code
    first.do(OpenMenu(""), Undo(1)).sees({"state": "playing"})
    assert (world.running.code, world.save("auto 1").code) == (ended, begun)


def test_a_client_that_wants_no_frames_unasked_is_shown_it_with_the_next_packet() -> None:
    first, second, _ = two()
    second.send(KNOWN)
    first.send(flag(3, 3))
    assert not second.look()
    second.do(Command.REFRESH).sees({"board": first.board})


class TestOnTwoServers:
    def test_what_was_done_elsewhere_is_played_first(self) -> None:
        world = World()
        first = world.player().do(LIVE, START, FLAG)
        world.elsewhere().player().do(LIVE, flag(3, 3))
        first.send(flag(4, 4))
        assert world.running.length == 3
        assert first.board.count("F") == 3
        assert first.entry("remark") == ""

    def test_an_action_on_a_cell_that_looks_otherwise_does_nothing(self) -> None:
        world = World()
        first = world.player().do(LIVE, START, FLAG)
        world.elsewhere().player().do(LIVE, flag(3, 3))
        first.send(Act(3, 3, Button.FLAG, COVERED))
        assert first.board.count("F") == 2
        assert world.running.length == 2

    def test_a_held_hint_still_moves_the_cursor_where_the_other_device_was_faster(self) -> None:
        world = World()
        opened = cells_of(field := minefield_of(START), field.safe)[0]
        first = world.player().do(LIVE, START, Act(*opened, Button.REVEAL, SEEN))
        second = world.elsewhere().player().do(LIVE)
        world.hints += [FoundHint("It is safe there.", Cell(2, 1))] * 2
        first.do(Hint(0, 0), MoveTo(0, 0))
        with world.slow_store():
            first.say(Hint(0, 0))
            before = len(first.replies)
            second.send(flag(3, 1))
        (reply,) = first.replies[before:]
        assert isinstance(reply, View)
        assert first.board.count("F") == 1, "the reply was renewed"
        assert reply.members()["cursor"] == [2, 1]

    def test_what_was_done_while_one_was_asked_whether_to_resume_is_shown_at_once(self) -> None:
        world = World()
        first = world.player().do(LIVE, START, FLAG)
        second = world.elsewhere().player().do(UNDECIDED)
        first.send(flag(3, 3))
        first.hang_up()
        second.send(Pick("resume", "resume"), Command.REFRESH)
        assert second.board.count("F") == 2

    def test_a_board_laid_elsewhere_replaces_the_one_laid_here(self) -> None:
        world = World()
        asked = NewGame("4x4/1 no-guess")
        first = world.player().do(LIVE, asked, FLAG)
        second = world.elsewhere().player().do(LIVE)
        for player, mines in ((first, 0b10), (second, 0b100)):
            player.world.boards.append(mines)
            player.send(Act(3, 3, Button.REVEAL, SEEN))
        assert second.board == first.board
        assert world.running.setup.layout == 0b10


def test_who_has_done_what_is_not_stored_yet_is_not_taken_elsewhere() -> None:
    _, second, world = two()
    world.take_operations()
    with world.slow_store():
        second.say(Act(3, 3, Button.FLAG, COVERED))
        world.publish(player_topic(ADA), b"other")
        world.settle()
    assert not any(isinstance(asked, Read) for asked in world.operations)
    assert second.board.count("F") == 2
