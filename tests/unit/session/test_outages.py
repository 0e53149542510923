"""A store that fails, forgets, or comes back: play goes on, and everything is stored in the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import MoveTo, NewGame, Start
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.session.player import MOST_UNSTORED, RETRY_AFTER_MS
from jminesweeper.store.port import Fault, StoreError, StoreFullError, StoreUnavailableError
from tests.world.games import waiting
from tests.world.player import Player
from tests.world.server import KNOWN, LIVE, World, seated

BOARD = "*..\n...\n..*"
BOB = replace(KNOWN, key=bytes(16), name="Bob")
DOWN = StoreUnavailableError(Fault.BROKEN)
START = Start(9, 9, 1)
FLAG = Command.TOGGLE_BOMB_MARK
TROUBLE = "The server cannot save right now. You can play on."


@pytest.fixture
def world() -> World:
    return World()


def come_to_trouble(world: World) -> Player:
    """Come to a store that is out of order."""
    world.fault = DOWN
    return world.player().do(LIVE)


class TestComing:
    def test_the_player_plays_at_once_and_is_told(self, world: World) -> None:
        player = come_to_trouble(world)
        assert (player.screen, player.message) == ("main", TROUBLE)
        player.do(START, FLAG).sees({"remark": "unsaved"})

    def test_the_store_is_asked_again_from_time_to_time(self, world: World) -> None:
        player = come_to_trouble(world)
        world.take_operations()
        player.send(START, Command.MOVE_LEFT)
        assert world.take_operations() == []
        player.send_after(RETRY_AFTER_MS, Command.MOVE_LEFT, Command.MOVE_LEFT)
        assert len(world.take_operations()) == 1
        assert player.message != TROUBLE

    def test_no_packet_is_needed_for_that(self, world: World) -> None:
        player = come_to_trouble(world)
        player.send(START, FLAG)
        world.fault = None
        world.pass_time(RETRY_AFTER_MS)
        assert player.look()
        assert player.entry("remark") == ""
        assert world.running.length == 1

    def test_what_was_played_meanwhile_is_stored_once_the_store_is_back(self, world: World) -> None:
        player = come_to_trouble(world)
        player.send(START, FLAG)
        world.fault = None
        player.do(RETRY_AFTER_MS, Command.MOVE_LEFT, Command.REFRESH).sees({"remark": ""})
        assert world.running.length == 1
        assert not world.running.setup.variant.is_repeat

    def test_so_are_the_results_of_that_time(self, world: World) -> None:
        player = come_to_trouble(world)
        player.send(START, FLAG, Start(1, 1, 1), FLAG, START)
        world.fault = None
        player.send_after(RETRY_AFTER_MS, FLAG)
        assert {game.status for game in world.finished} == {Status.TERMINATED, Status.WON}

    def test_only_so_many_results_wait(self, world: World) -> None:
        player = come_to_trouble(world)
        for _ in range(MOST_UNSTORED + 5):
            player.send_after(1, Start(1, 1, 1), FLAG)
        world.fault = None
        player.send_after(RETRY_AFTER_MS, Command.REFRESH)
        assert len(world.finished) == MOST_UNSTORED

    def test_a_result_waits_for_nobody_else(self, world: World) -> None:
        player = come_to_trouble(world)
        player.send(Start(1, 1, 1), FLAG)
        world.fault = None
        player.do(Start(9, 9, 1), BOB, RETRY_AFTER_MS, FLAG)
        assert world.finished == []

    def test_a_game_that_waited_comes_back_if_none_was_played(self, world: World) -> None:
        world.put(waiting(BOARD))
        player = come_to_trouble(world)
        world.fault = None
        player.do(RETRY_AFTER_MS, Command.MOVE_DOWN).sees({"screen": "game", "size": "3x3"})

    def test_a_daily_board_begun_then_is_not_ranked(self, world: World) -> None:
        player = come_to_trouble(world)
        player.send(NewGame("daily"))
        assert player.message == "The server cannot tell if you saw this board; not ranked."


class TestWriting:
    @pytest.mark.parametrize("fault", [DOWN, StoreFullError()])
    def test_a_failed_write_is_told_at_once_and_the_game_continues(self, fault: StoreError) -> None:
        player, world = seated(BOARD)
        world.fault = fault
        before = len(player.replies)
        player.do(FLAG).sees({"remark": "unsaved", "top": "F??"})
        assert len(player.replies) == before + 1

    def test_the_game_is_stored_by_itself_once_the_store_is_back(self) -> None:
        player, world = seated(BOARD, hello=LIVE)
        world.fault = DOWN
        player.send(FLAG, MoveTo(1, 1), FLAG)
        world.fault = None
        world.look_again()
        assert player.look()
        assert player.entry("remark") == ""
        assert world.running.length == 2

    def test_a_game_that_ends_meanwhile_is_recorded_then(self) -> None:
        player, world = seated(BOARD)
        world.fault = DOWN
        player.do(Command.REVEAL, START, FLAG)
        world.fault = None
        assert world.finished == []
        world.look_again()
        assert [game.status for game in world.finished] == [Status.LOST]

    def test_a_game_that_is_left_meanwhile_is_stored_then(self) -> None:
        player, world = seated(BOARD)
        world.fault = DOWN
        player.send(FLAG)
        player.hang_up()
        world.fault = None
        world.look_again()
        assert world.running.length == 1
        assert len(world.matches) == 0

    def test_a_store_that_comes_back_empty_gets_everything_again(self, world: World) -> None:
        player = world.player().do(KNOWN, START, FLAG)
        world.store = world.new_store()
        player.do(MoveTo(2, 2), FLAG).sees({"remark": ""})
        assert world.running.length == 2
        assert world.held().document.name == "Ada"

    def test_so_does_one_that_comes_back_empty_while_nobody_acts(self, world: World) -> None:
        player = world.player().do(KNOWN, START, FLAG)
        world.store = world.new_store()
        world.look_again()
        assert world.running.length == 1
        assert player.entry("remark") == ""
