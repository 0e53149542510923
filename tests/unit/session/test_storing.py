"""Writes while a known player plays, and when a game ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import COVERED, Status
from jminesweeper.protocol.packets import (
    Act,
    Code,
    MoveTo,
    NewGame,
    OpenMenu,
    Packet,
    Save,
    Start,
    Undo,
)
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.reading import read_totals
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import NOTE_EVERY_MS
from jminesweeper.store.port import Append
from tests.world.games import flagged
from tests.world.player import SEEN, Player, cells_of, minefield_of
from tests.world.server import ANONYMOUS, KNOWN, World, alone, seated

BOARD = "*..\n...\n..."
START = Start(9, 9, 1)
SEED_CODE = format_seed_code(Setup.of("beginner", seed=1))
FLAG = Command.TOGGLE_BOMB_MARK


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def player(world: World) -> Player:
    player = world.player().do(KNOWN)
    player.start_counting()
    return player


def appends(player: Player) -> list[Append]:
    return [append for commit in player.writes for append in commit.appends]


class TestANewPlayer:
    def test_coming_and_looking_stores_nothing(self, player: Player, world: World) -> None:
        player.send(OpenMenu("help"), OpenMenu("help"), START, Command.MOVE_RIGHT)
        player.hang_up()
        assert world.commits == []
        assert world.ada is None

    @pytest.mark.parametrize("packet", [Act(0, 0, Button.CHORD, SEEN), Code(SEED_CODE)])
    def test_a_chord_without_a_number_and_the_board_of_a_code_begin_nothing(
        self, player: Player, world: World, packet: Packet
    ) -> None:
        player.do(START, packet, 60_000, Command.REFRESH)
        assert (player.entry("clock"), player.members.get("clock_runs", False)) == ("0 s", False)
        player.hang_up()
        assert world.commits == []

    def test_the_first_action_stores_the_player_and_the_game_in_one_commit(
        self, player: Player, world: World
    ) -> None:
        player.send(START, FLAG)
        assert len(player.writes) == 1
        assert world.held().document.name == "Ada"
        assert (world.running.length, len(world.running.code)) == (1, 10)

    def test_a_setting_stores_the_player(self, player: Player, world: World) -> None:
        player.walk("Settings")
        player.choose("Pace", player.row("Pace")["choices"][-1])
        assert world.ada is not None

    def test_what_needs_a_player_can_be_asked_before_there_is_one(self, player: Player) -> None:
        player.walk("Records", "Statistics")
        assert "No game of yours has ended yet." in player.text


class TestARunningGame:
    def test_each_later_action_is_one_append(self, player: Player, world: World) -> None:
        player.send(START, FLAG)
        player.start_counting()
        player.send(MoveTo(2, 1), FLAG, Act(3, 1, Button.FLAG, SEEN))
        assert [append.at for append in appends(player)] == [1, 2]
        assert all(not commit.puts for commit in player.writes)
        assert world.running.length == 3

    def test_several_steps_undone_are_one_write(self, player: Player) -> None:
        player.send(START, FLAG, FLAG, FLAG)
        player.start_counting()
        player.send(Undo(3))
        (append,) = appends(player)
        assert len(append.entries) == 3 * 8

    def test_a_reply_waits_for_what_it_shows(self, player: Player, world: World) -> None:
        player.send(START, FLAG)
        with world.slow_store():
            player.say(Act(3, 1, Button.FLAG, COVERED))
            assert (player.is_kept_waiting, world.running.length) == (True, 1)
        assert (player.is_kept_waiting, world.running.length) == (False, 2)

    def test_a_board_that_is_laid_late_is_stored_with_the_reveal(
        self, player: Player, world: World
    ) -> None:
        world.boards.append(0b10)
        player.send(NewGame("4x4/1 no-guess"), FLAG)
        player.start_counting()
        player.send(MoveTo(3, 2), Command.REVEAL)
        (commit,) = player.writes[:1]
        assert len(commit.appends) == len(commit.puts) == 1
        assert world.running.setup.layout == 0b10

    def test_when_it_was_begun_is_stored(self, player: Player, world: World) -> None:
        player.do(START, 5_000, FLAG)
        assert world.running.begun_at_ms == 1_000_000_006_000

    def test_a_board_that_was_saved_untouched_begins_with_its_first_action(
        self, player: Player, world: World
    ) -> None:
        player.send(START, Save("one"))
        assert world.running.begun_at_ms == 0
        player.send_after(5_000, FLAG)
        assert world.running.begun_at_ms == 1_000_000_006_000


class TestAFinishedGame:
    def test_it_holds_everything_that_makes_it(self, world: World) -> None:
        world.put(flagged("*....\n....*", 2))
        player = world.player().do(KNOWN)
        player.do(4_000, Act(1, 0, Button.REVEAL, SEEN), 60_000, Command.PAUSE)
        player.do(60_000, Command.PAUSE, 1_000, Act(0, 0, Button.REVEAL, SEEN))
        (game,) = world.finished
        outcome = game.outcome
        assert (game.code, game.status) == ("given", Status.LOST)
        assert (outcome.time_ms, outcome.ended_at_s) == (65_001, 1_000_000_126)
        assert (outcome.length, outcome.figures["3bv"]) == (4, 3)
        assert player.games_ended == 1

    def test_its_wall_time_counts_pauses_and_absences(self, player: Player, world: World) -> None:
        player.do(START, FLAG, 1_000, Command.PAUSE, 10_000, Command.QUIT)
        player.hang_up()
        again = world.player()
        world.let_pass(100_000)
        again.send(KNOWN, Command.PAUSE)
        bomb = cells_of(field := minefield_of(START), field.mines)[0]
        again.send_after(1_000, Act(*bomb, Button.REVEAL, SEEN))
        (game,) = world.finished
        assert (game.outcome.time_ms, game.outcome.wall_ms) == (2_000, 112_000)

    def test_keys_sent_between_two_pauses_save_no_wall_time(self) -> None:
        """A player who thinks while the clock is stopped is ranked by wall time all the same."""
        player, world = seated("*..\n...\n..*")
        player.send(Act(1, 0, Button.REVEAL, SEEN), Command.PAUSE)
        for cell in ((2, 0), (0, 2)):
            player.send_after(5_000, Command.PAUSE, Act(*cell, Button.REVEAL, SEEN), Command.PAUSE)
        (game,) = world.finished
        assert game.status is Status.WON
        assert (game.outcome.time_ms, game.outcome.wall_ms) == (0, 10_000)

    def test_a_game_of_which_nobody_knows_when_it_began_took_the_time_of_play(
        self, world: World
    ) -> None:
        world.put(replace(flagged("*..*", 1), clock_ms=30_000))
        player = world.player().do(KNOWN, Act(2, 0, Button.REVEAL, SEEN))
        player.send_after(1_000, Act(0, 0, Button.REVEAL, SEEN))
        (game,) = world.finished
        assert (game.outcome.time_ms, game.outcome.wall_ms) == (31_000, 31_000)

    def test_a_game_that_was_helped_says_so(self, player: Player, world: World) -> None:
        player.send(START, FLAG, Command.TOGGLE_DEBUG_MODE, START)
        assert [game.outcome.is_assisted for game in world.finished] == [True]

    def test_a_lost_game_that_is_undone_and_won_counts_once(self) -> None:
        player, world = seated("*..\n...\n...")
        player.send(Command.REVEAL)
        assert [game.status for game in world.finished] == [Status.LOST]
        player.send(Undo(1), Act(2, 2, Button.REVEAL, SEEN))
        assert [game.status for game in world.finished] == [Status.WON]

    def test_a_save_is_no_result(self, player: Player, world: World) -> None:
        player.send(START, FLAG, Save("one"))
        assert world.finished == []


class TestWithoutAKey:
    @pytest.fixture
    def player(self, world: World) -> Player:
        return world.player().do(ANONYMOUS)

    def test_a_running_game_is_kept_nowhere(self, player: Player, world: World) -> None:
        player.do(START, FLAG, 5_000, Command.MOVE_RIGHT)
        assert world.operations == []
        assert player.entry("remark") == ""

    def test_a_result_counts_in_the_totals_and_nowhere_else(
        self, player: Player, world: World
    ) -> None:
        player.send(Start(1, 1, 1), Command.REVEAL)
        (commit,) = player.writes
        assert (commit.puts, commit.appends) == ((), ())
        ((_, total),) = world.run(read_totals())
        assert (total.played, total.lost) == (1, 1)

    def test_a_game_that_is_left_counts_as_given_up(self, player: Player, world: World) -> None:
        player.send(START, FLAG)
        player.hang_up()
        ((_, total),) = world.run(read_totals())
        assert total.terminated == 1

    def test_without_a_store_the_end_is_only_counted(self) -> None:
        player = alone(SessionConfig()).do(Start(1, 1, 1), Command.REVEAL)
        assert player.games_ended == 1


@pytest.mark.parametrize(
    "packets",
    [
        (FLAG,),
        (FLAG, MoveTo(3, 3), FLAG, Undo(1)),
        (FLAG, Command.TOGGLE_DEBUG_MODE),
        (NewGame("5x4/3 formal"), MoveTo(1, 2), FLAG, FLAG),
    ],
)
def test_everything_that_was_answered_survives_a_crash(
    player: Player, world: World, packets: tuple[Packet, ...]
) -> None:
    player.send(START, *packets)
    again = world.elsewhere().player().do(KNOWN)
    for name in ("size", "mines left", "state"):
        assert again.entry(name) == player.entry(name)
    assert ("assisted" in again.text) == ("assisted" in player.text)


class TestNotes:
    """Cursor, clock and pause: noted at most once a second, and never waited for."""

    @pytest.fixture
    def player(self, world: World) -> Player:
        """Somebody in a game that was begun a while ago, with everything noted."""
        player = world.player().do(KNOWN, START, FLAG)
        player.send_after(NOTE_EVERY_MS, Command.REFRESH)
        player.start_counting()
        return player

    @pytest.mark.parametrize("packet", [MoveTo(2, 2), Command.MOVE_DOWN])
    def test_a_cursor_that_moved_is_noted_with_the_clock(
        self, player: Player, world: World, packet: Packet
    ) -> None:
        player.send_after(NOTE_EVERY_MS, packet)
        assert len(player.notes) == 1
        assert world.running.clock_ms == 2 * NOTE_EVERY_MS
        assert world.running.cursor != (0, 0)

    def test_a_wandering_cursor_is_noted_at_most_once_a_second(self, player: Player) -> None:
        for _ in range(30):
            player.send_after(100, Command.MOVE_RIGHT, Command.MOVE_LEFT)
        assert len(player.notes) == 3

    def test_an_action_is_not_noted_beside_its_log(self, player: Player, world: World) -> None:
        player.send_after(NOTE_EVERY_MS, FLAG)
        assert player.notes == []
        kept = world.running
        assert (kept.clock_ms, kept.cursor) == (2 * NOTE_EVERY_MS, (0, 0))

    def test_to_play_keeps_a_newcomer_for_longer(self, player: Player, world: World) -> None:
        until_day = world.held().document.until_day
        player.send_after(1000 * DAY_S, FLAG)
        world.tick()
        assert world.held().document.until_day == until_day + 1

    def test_nothing_is_noted_twice(self, player: Player) -> None:
        player.send_after(NOTE_EVERY_MS, Command.PAUSE)
        player.start_counting()
        for _ in range(3):
            player.send_after(NOTE_EVERY_MS, Command.REFRESH)
        assert player.notes == []

    def test_a_pause_is_noted(self, player: Player, world: World) -> None:
        player.send_after(NOTE_EVERY_MS, Command.PAUSE)
        assert world.running.is_paused

    def test_a_menu_is_no_pause(self, player: Player, world: World) -> None:
        player.do(NOTE_EVERY_MS, OpenMenu(""), NOTE_EVERY_MS, Command.MOVE_DOWN)
        kept = world.running
        assert (kept.is_paused, kept.clock_ms) == (False, 2 * NOTE_EVERY_MS)

    @pytest.mark.parametrize("leaving", [Command.QUIT, None])
    def test_who_leaves_has_everything_noted_at_once(
        self, player: Player, world: World, leaving: Command | None
    ) -> None:
        player.send_after(10, MoveTo(2, 2))
        if leaving is not None:
            player.send(leaving)
        player.hang_up()
        kept = world.running
        assert (kept.clock_ms, kept.cursor) == (NOTE_EVERY_MS + 10, (2, 2))

    def test_a_game_that_was_never_begun_is_not_noted(self, world: World) -> None:
        player = world.player().do(KNOWN, START)
        player.send_after(NOTE_EVERY_MS, MoveTo(3, 3))
        player.hang_up()
        assert player.notes == []

    def test_a_game_that_is_over_is_not_noted(self, player: Player) -> None:
        bomb = cells_of(field := minefield_of(START), field.mines)[-1]
        player.send(Act(*bomb, Button.REVEAL, SEEN))
        player.start_counting()
        player.send_after(NOTE_EVERY_MS, Command.MOVE_RIGHT)
        player.hang_up()
        assert player.notes == []


def test_what_waits_for_a_game_that_was_left_is_still_answered(
    player: Player, world: World
) -> None:
    before = len(player.replies)
    with world.slow_store():
        player.say(START, FLAG, START)
        assert len(player.replies) == before + 1
    assert len(player.replies) == before + 3
