"""What is written to the store while a known player plays, and when a game ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import (
    Act,
    Load,
    MoveTo,
    NewGame,
    OpenMenu,
    Packet,
    Pick,
    Save,
    Start,
    Undo,
)
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, NewGameFlag
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import LaidBoard
from jminesweeper.store import (
    Append,
    Enter,
    Entrance,
    FindPlayer,
    Finish,
    Note,
    PutPlayer,
    PutRunning,
    ReadTotals,
    Record,
    Total,
)
from tests.unit.session.backstage import ADA, ANONYMOUS, KNOWN, Backstage, flagged, seated
from tests.unit.session.player import SEEN, Player, cells_of, minefield_of

BOARD = "*..\n...\n..."
START = Start(9, 9, 1)
FLAG = Command.TOGGLE_BOMB_MARK


@pytest.fixture
def backstage() -> Backstage:
    return Backstage()


@pytest.fixture
def player(backstage: Backstage) -> Player:
    player = backstage.player()
    player.send(KNOWN)
    backstage.take_operations()
    return player


def kinds(operations: Sequence[object]) -> list[type]:
    return [type(operation) for operation in operations]


class TestUnknownPlayer:
    def test_coming_and_looking_stores_nothing(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(KNOWN, OpenMenu("help"), OpenMenu("help"), START, Command.MOVE_RIGHT)
        player.hang_up()
        assert kinds(backstage.take_operations()) == [Enter]
        assert backstage.look(FindPlayer(ADA)) is None

    def test_the_first_action_stores_the_player_and_the_game(
        self, player: Player, backstage: Backstage
    ) -> None:
        player.send(START, FLAG)
        assert kinds(player.writes) == [PutPlayer, PutRunning]
        assert backstage.look(FindPlayer(ADA)).name == "Ada"

    def test_a_setting_stores_the_player(self, player: Player, backstage: Backstage) -> None:
        player.send(OpenMenu("settings"), Pick("settings", "pace", "on"))
        assert backstage.look(FindPlayer(ADA)).settings["pace"] == "on"
        player.send(START, FLAG)
        assert kinds(player.writes) == [PutRunning]

    def test_one_that_comes_back_is_known(self, player: Player, backstage: Backstage) -> None:
        player.send(Start(1, 1, 1), Command.REVEAL)
        again = backstage.player()
        again.send(KNOWN, START, FLAG)
        assert kinds(again.writes) == [PutRunning]

    def test_what_needs_a_player_can_be_asked_before_there_is_one(self, player: Player) -> None:
        player.walk("Records", "Statistics")
        assert "No game of yours has ended yet." in player.text


class TestRunningGame:
    def test_the_first_action_puts_it_whole(self, player: Player) -> None:
        player.send(START, FLAG)
        put = player.writes[-1]
        assert isinstance(put, PutRunning)
        assert (put.game.setup.size.columns, len(put.game.entries)) == (9, 8)
        assert len(put.game.code) == 10

    def test_later_actions_append_at_the_next_revision(self, player: Player) -> None:
        player.send(START, FLAG)
        player.take_effects()
        player.send_after(500, MoveTo(2, 1), FLAG)
        player.send_after(500, Act(3, 1, Button.FLAG, SEEN))
        first, second = player.writes
        assert isinstance(first, Append)
        assert isinstance(second, Append)
        assert second.revision == first.revision + 1
        assert [len(write.entries) for write in (first, second)] == [8, 8]
        assert [write.clock_ms for write in (first, second)] == [500, 1_000]
        assert [write.cursor for write in (first, second)] == [Cell(2, 1), Cell(3, 1)]

    @pytest.mark.parametrize("packet", [Command.REVEAL, FLAG])
    def test_an_action_is_answered_when_it_is_stored(self, packet: Packet) -> None:
        player, _ = seated(BOARD)
        player.send(MoveTo(1, 0))
        player.take_effects()
        player.send(packet)
        assert kinds(player.writes) == [Append]
        assert player.notes == []

    def test_several_steps_undone_are_one_write(self, player: Player) -> None:
        player.send(START, FLAG, FLAG, FLAG)
        player.take_effects()
        player.send(Undo(3))
        (write,) = player.writes
        assert isinstance(write, Append)
        assert len(write.entries) == 3 * 8

    def test_a_game_that_waited_is_appended_to(self, backstage: Backstage) -> None:
        backstage.put(flagged(BOARD, 3))
        player = backstage.player()
        player.send(KNOWN, FLAG)
        assert kinds(player.writes) == [Append]
        kept = backstage.claim().game
        assert kept is not None
        assert len(kept.entries) == 4 * 8

    @pytest.mark.parametrize("packet", [START, NewGame(GameKind.SAME_SETTINGS)])
    def test_another_game_is_put(self, player: Player, packet: Packet) -> None:
        player.send(START, FLAG, packet)
        player.take_effects()
        player.send(FLAG)
        assert kinds(player.writes) == [PutRunning]

    def test_a_game_whose_mines_are_laid_late_is_put_again(
        self, player: Player, backstage: Backstage
    ) -> None:
        backstage.boards.append(LaidBoard(0b10, is_uniform=True))
        player.send(NewGame(GameKind.OWN, 4, 4, 1, rules=1, flags=NewGameFlag.NO_GUESS), FLAG)
        player.take_effects()
        player.send(MoveTo(2, 2), Command.REVEAL)
        assert kinds(player.writes) == [PutRunning]

    def test_a_game_is_not_put_before_it_has_begun(
        self, player: Player, backstage: Backstage
    ) -> None:
        player.send(START, Save("one"), MoveTo(3, 3), Load("one"))
        assert backstage.take_operations(PutRunning) == []
        player.send(FLAG)
        player.hang_up()
        kept = backstage.claim().game
        assert kept is not None
        assert kept.begun_at_ms == 1_000_000_001_000

    def test_when_it_was_begun_is_kept(self, player: Player, backstage: Backstage) -> None:
        player.send(START)
        player.send_after(5_000, FLAG)
        player.hang_up()
        kept = backstage.claim().game
        assert kept is not None
        assert kept.begun_at_ms == 1_000_000_006_000


class TestFinishedGame:
    def test_the_last_entries_and_the_result_are_one_write(
        self, player: Player, backstage: Backstage
    ) -> None:
        player.send(Start(1, 1, 1), FLAG)
        player.take_effects()
        player.send(START, FLAG)
        player.take_effects()
        player.send(START)
        (write,) = player.writes
        assert isinstance(write, Finish)
        assert len(write.last.entries) == 8
        assert player.games_ended == 1
        assert [game.status for game in backstage.finished] == [Status.WON, Status.TERMINATED]

    def test_a_game_that_the_store_does_not_have_is_put_first(self, player: Player) -> None:
        player.send(Start(1, 1, 1), Command.REVEAL)
        assert kinds(player.writes) == [PutPlayer, PutRunning, Record]

    def test_it_holds_everything_that_makes_it(self, backstage: Backstage) -> None:
        backstage.put(flagged("*....\n....*", 2))
        player = backstage.player()
        player.send(KNOWN)
        player.send_after(4_000, Act(1, 0, Button.REVEAL, SEEN))
        player.send_after(60_000, Command.PAUSE)
        player.send_after(60_000, Command.PAUSE)
        player.send_after(1_000, Act(0, 0, Button.REVEAL, SEEN))
        (game,) = backstage.finished
        assert (game.player, game.code, game.status) == (ADA, "given", Status.LOST)
        assert (game.time_ms, game.ended_at_s) == (65_000, 1_000_000_126)
        assert (len(game.entries), game.figures["3bv"]) == (4 * 8, 3)
        assert (game.setup.size.columns, game.is_assisted) == (5, False)

    def test_its_wall_time_counts_pauses_and_absences(
        self, player: Player, backstage: Backstage
    ) -> None:
        player.send(START, FLAG)
        player.send_after(1_000, Command.PAUSE)
        player.send_after(10_000, Command.QUIT)
        again = backstage.player()
        again.now_ms = player.now_ms + 100_000
        again.send(KNOWN, Command.PAUSE)
        bomb = cells_of(field := minefield_of(START), field.mines)[0]
        again.send_after(1_000, Act(*bomb, Button.REVEAL, SEEN))
        (game,) = backstage.finished
        assert (game.time_ms, game.wall_ms) == (2_000, 112_000)

    def test_keys_sent_between_two_pauses_save_no_wall_time(self) -> None:
        """Who thinks while the clock is stopped, and plays in no time, is ranked by the wall."""
        player, backstage = seated("*..\n...\n..*")
        player.send(Act(1, 0, Button.REVEAL, SEEN), Command.PAUSE)
        for cell in ((2, 0), (0, 2)):
            player.send_after(5_000, Command.PAUSE, Act(*cell, Button.REVEAL, SEEN), Command.PAUSE)
        (game,) = backstage.finished
        assert game.status is Status.WON
        assert (game.time_ms, game.wall_ms) == (0, 10_000)

    def test_a_game_of_which_nobody_knows_when_it_began_took_at_least_the_time_of_play(
        self, backstage: Backstage
    ) -> None:
        kept = replace(flagged("*..*", 1), clock_ms=30_000)
        assert kept.begun_at_ms == 0
        backstage.put(kept)
        player = backstage.player()
        player.send(KNOWN, Act(2, 0, Button.REVEAL, SEEN))
        player.send_after(1_000, Act(0, 0, Button.REVEAL, SEEN))
        (game,) = backstage.finished
        assert (game.time_ms, game.wall_ms) == (31_000, 31_000)

    def test_a_game_that_was_helped_says_so(self, player: Player, backstage: Backstage) -> None:
        player.send(START, Command.REVEAL, Undo(1), START)
        assert [game.is_assisted for game in backstage.finished] == [True]

    def test_a_lost_game_that_is_undone_and_won_is_recorded_once(self) -> None:
        player, backstage = seated("*..\n...\n...")
        player.send(Command.REVEAL)
        assert [game.status for game in backstage.finished] == [Status.LOST]
        player.send(Undo(1), Act(2, 2, Button.REVEAL, SEEN))
        assert [game.status for game in backstage.finished] == [Status.WON]

    def test_a_save_is_no_result(self, player: Player, backstage: Backstage) -> None:
        player.send(START, FLAG, Save("one"))
        assert backstage.finished == []


class TestWithoutAKey:
    @pytest.fixture
    def player(self, backstage: Backstage) -> Player:
        player = backstage.player()
        player.send(ANONYMOUS)
        return player

    def test_a_running_game_is_kept_nowhere(self, player: Player, backstage: Backstage) -> None:
        player.send(START, FLAG)
        player.send_after(5_000, Command.MOVE_RIGHT)
        assert backstage.operations == []
        assert player.entry("remark") == ""

    def test_a_result_counts_in_the_totals_and_says_nothing_else(
        self, player: Player, backstage: Backstage
    ) -> None:
        player.send(Start(1, 1, 1), Command.REVEAL)
        assert player.writes == []
        (record,) = player.notes
        assert isinstance(record, Record)
        game = record.game
        assert (game.player, game.entries, game.figures) == (None, b"", {})
        (total,) = backstage.look(ReadTotals())
        assert total == Total(game.variant.category, lost=1)

    def test_a_game_that_is_left_counts_as_given_up(
        self, player: Player, backstage: Backstage
    ) -> None:
        player.send(START, FLAG)
        player.hang_up()
        (total,) = backstage.look(ReadTotals())
        assert total.terminated == 1

    def test_without_a_store_the_end_is_only_counted(self) -> None:
        player = Player(SessionConfig())
        player.send(Start(1, 1, 1), Command.REVEAL)
        assert (player.games_ended, player.writes, player.notes) == (1, [], [])


class TestAcknowledgedActions:
    """The next connection finds everything that was answered, even without a farewell."""

    @pytest.mark.parametrize(
        "packets",
        [
            (FLAG,),
            (FLAG, MoveTo(3, 3), FLAG, Undo(1)),
            (FLAG, Command.TOGGLE_DEBUG_MODE),
            (NewGame(GameKind.OWN, 5, 4, 3, rules=2), MoveTo(1, 2), FLAG, FLAG),
        ],
    )
    def test_they_survive_a_crash(
        self, player: Player, backstage: Backstage, packets: tuple[Packet, ...]
    ) -> None:
        player.send(START, *packets)
        again = backstage.player()
        again.send(KNOWN)
        for name in ("size", "mines left", "state"):
            assert again.entry(name) == player.entry(name)
        entrance = backstage.claim()
        assert isinstance(entrance, Entrance)
        assert entrance.game is not None
        assert ("assisted" in again.text) == ("assisted" in player.text)


def test_a_note_is_no_write(player: Player) -> None:
    player.send(START, FLAG)
    player.take_effects()
    player.send_after(1_000, Command.MOVE_RIGHT)
    assert (player.writes, kinds(player.notes)) == ([], [Note])
