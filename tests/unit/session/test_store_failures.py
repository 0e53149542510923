"""A store that fails, forgets, or comes back: play goes on, and everything is stored in the end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import MoveTo, NewGame, OpenMenu, Packet, Pick, Save, Start
from jminesweeper.protocol.vocabulary import Command, GameKind
from jminesweeper.session.entering import LONGEST_WAIT_MS, RETRY_WAITING_MS
from jminesweeper.session.keeping import RETRY_AFTER_MS
from jminesweeper.session.lease import MOST_UNRECORDED, NOTE_EVERY_MS
from jminesweeper.session.session import Session
from jminesweeper.store import (
    Append,
    Enter,
    Entrance,
    Fault,
    FencedError,
    FindPlayer,
    KnownPlayer,
    Operation,
    PutPlayer,
    PutRunning,
    Record,
    RevisionError,
    RunningGame,
    StoreUnavailableError,
    TakenCodeError,
    pack_entries,
    unpack_entries,
)
from tests.unit.session.backstage import (
    ADA,
    CONFIG,
    KNOWN,
    UNDECIDED,
    Backstage,
    flagged,
    seated,
    waiting,
)
from tests.unit.session.player import Player, same_seed

BOARD = "*..\n...\n..*"
BOB = replace(KNOWN, key=bytes(16), name="Bob")
DOWN = StoreUnavailableError(Fault.BROKEN)
START = Start(9, 9, 1)
FLAG = Command.TOGGLE_BOMB_MARK


@pytest.fixture
def backstage() -> Backstage:
    return Backstage()


def come_to_trouble(backstage: Backstage) -> Player:
    """Come to a store that is out of order."""
    backstage.fault = DOWN
    player = backstage.player()
    player.send(KNOWN)
    return player


def stored(backstage: Backstage) -> RunningGame:
    kept = backstage.claim().game
    assert kept is not None
    return kept


class TestComing:
    def test_the_player_plays_from_memory_and_is_told(self, backstage: Backstage) -> None:
        player = come_to_trouble(backstage)
        assert player.screen != "game"
        assert player.message == "The server cannot save right now. You can play on."
        player.send(START, FLAG)
        assert player.entry("remark") == "unsaved"
        assert player.writes == []
        assert [one.claims for one in player.effects if one.claims] == []

    def test_the_store_is_asked_again_from_time_to_time(self, backstage: Backstage) -> None:
        player = come_to_trouble(backstage)
        player.send(START, Command.MOVE_LEFT)
        assert len(backstage.take_operations(Enter)) == 1
        player.send_after(RETRY_AFTER_MS, Command.MOVE_LEFT, Command.MOVE_LEFT)
        assert len(backstage.take_operations(Enter)) == 1
        assert player.message != "The server cannot save right now. You can play on."

    def test_what_was_played_meanwhile_is_kept_once_the_store_is_back(
        self, backstage: Backstage
    ) -> None:
        player = come_to_trouble(backstage)
        player.send(START, FLAG)
        backstage.fault = None
        backstage.take_operations()
        player.send_after(RETRY_AFTER_MS, Command.MOVE_LEFT)
        assert player.entry("remark") == ""
        assert len(backstage.take_operations(PutRunning)) == 1
        assert len(stored(backstage).entries) == 8

    def test_a_result_of_that_time_is_recorded_with_the_next_action(
        self, backstage: Backstage
    ) -> None:
        player = come_to_trouble(backstage)
        player.send(Start(1, 1, 1), FLAG)
        backstage.fault = None
        player.send_after(RETRY_AFTER_MS, Command.REFRESH)
        assert backstage.finished == []
        player.send(START, FLAG)
        assert [game.status for game in backstage.finished] == [Status.WON]
        player.send(FLAG)
        assert len(backstage.take_operations(Record)) == 1

    def test_or_when_the_player_leaves(self, backstage: Backstage) -> None:
        player = come_to_trouble(backstage)
        player.send(START, FLAG, Start(1, 1, 1), FLAG, START)
        backstage.fault = None
        player.send_after(RETRY_AFTER_MS, FLAG)
        player.hang_up()
        assert [game.status for game in backstage.finished] == [Status.TERMINATED, Status.WON]

    def test_only_so_many_results_wait(self, backstage: Backstage) -> None:
        player = come_to_trouble(backstage)
        for _ in range(MOST_UNRECORDED + 5):
            player.send(Start(1, 1, 1), FLAG)
        backstage.fault = None
        player.send_after(RETRY_AFTER_MS, Command.REFRESH)
        player.send(START, FLAG)
        assert len(backstage.finished) == MOST_UNRECORDED

    def test_a_result_waits_for_nobody_else(self, backstage: Backstage) -> None:
        player = come_to_trouble(backstage)
        player.send(Start(1, 1, 1), FLAG)
        backstage.fault = None
        player.send(Start(9, 9, 1), BOB)
        player.send(FLAG)
        assert backstage.take_operations(Record) == []

    def test_a_game_that_waited_comes_back_if_none_was_played(self, backstage: Backstage) -> None:
        backstage.put(waiting(BOARD))
        player = come_to_trouble(backstage)
        backstage.fault = None
        player.send_after(RETRY_AFTER_MS, Command.MOVE_DOWN)
        assert (player.screen, player.entry("size")) == ("game", "3x3")

    def test_a_daily_board_begun_then_is_not_ranked(self, backstage: Backstage) -> None:
        player = come_to_trouble(backstage)
        player.send(NewGame(GameKind.DAILY))
        assert player.message == "The server cannot tell if you saw this board; not ranked."


class TestWriting:
    def test_a_failed_write_is_reported_and_the_game_continues(self) -> None:
        player, backstage = seated(BOARD)
        backstage.fault = DOWN
        player.send(FLAG, Command.REFRESH)
        assert (player.board[0], player.entry("remark")) == ("F", "unsaved")

    def test_after_it_the_whole_game_is_put_once(self) -> None:
        player, backstage = seated(BOARD)
        backstage.fault = DOWN
        player.send(FLAG, MoveTo(1, 1), FLAG)
        backstage.fault = None
        player.take_effects()
        player.send(Command.MOVE_RIGHT, FLAG, FLAG)
        assert [type(write) for write in player.writes] == [PutRunning, Append]
        assert player.entry("remark") == ""
        assert len(stored(backstage).entries) == 4 * 8

    def test_a_cursor_that_moves_does_that_too(self) -> None:
        player, backstage = seated(BOARD)
        backstage.fault = DOWN
        player.send(FLAG)
        backstage.fault = None
        player.take_effects()
        player.send_after(NOTE_EVERY_MS, Command.MOVE_RIGHT)
        assert (player.writes, len(player.notes)) == ([], 2)
        player.send(Command.REFRESH)
        assert player.entry("remark") == ""
        assert len(stored(backstage).entries) == 8

    def test_a_result_that_could_not_be_recorded_is_recorded_when_the_store_is_back(self) -> None:
        player, backstage = seated(BOARD)
        player.send(FLAG)
        backstage.fault = DOWN
        player.send(START)
        backstage.fault = None
        player.send(FLAG, FLAG)
        assert [game.status for game in backstage.finished] == [Status.TERMINATED]

    def test_a_result_that_waits_needs_no_action_once_the_store_has_caught_up(self) -> None:
        player, backstage = seated(BOARD)
        player.send(FLAG)
        backstage.fault = DOWN
        player.send(START, FLAG)
        backstage.fault = None
        player.send(FLAG)
        assert backstage.finished == []
        assert player.entry("remark") == "unsaved"
        player.send(Command.REFRESH)
        assert [game.status for game in backstage.finished] == [Status.TERMINATED]
        player.send(Command.REFRESH)
        assert player.entry("remark") == ""

    def test_the_name_and_the_settings_are_stored_with_the_next_action(
        self, backstage: Backstage
    ) -> None:
        player = backstage.player()
        player.send(KNOWN)
        backstage.fault = DOWN
        player.send(OpenMenu("settings"), Pick("settings", "pace", "on"), START, FLAG)
        backstage.fault = None
        player.send(FLAG)
        ada = backstage.look(FindPlayer(ADA))
        assert (ada.name, ada.settings["pace"]) == ("Ada", "on")

    def test_a_result_that_came_too_late_for_its_store_is_dropped(self) -> None:
        player, backstage = seated(BOARD)
        player.send(FLAG)
        backstage.fault = DOWN
        player.send(START)
        backstage.fault, backstage.store = None, Backstage().store
        player.hang_up()
        assert backstage.finished == []

    def test_a_failed_save_is_reported_and_the_game_continues(self) -> None:
        player, backstage = seated(BOARD)
        backstage.fault = DOWN
        player.send(Save("one"))
        assert (player.message, player.entry("state")) == (str(DOWN), "playing")

    def test_a_store_that_has_forgotten_the_player_gets_everything_again(
        self, backstage: Backstage
    ) -> None:
        player = backstage.player()
        player.send(KNOWN, START, FLAG)
        backstage.store = Backstage().store
        player.send(Command.MOVE_RIGHT, FLAG, Command.REFRESH)
        assert player.entry("remark") == ""
        assert len(stored(backstage).entries) == 2 * 8
        assert backstage.look(FindPlayer(ADA)).name == "Ada"


class TestAnswersThatComeLate:
    """Writes under way while the player plays on."""

    def begin(self) -> tuple[Session, list[Operation[object]]]:
        """Let Ada begin a game; return what is being written."""
        session = Session(replace(CONFIG, tokens=Random(1).getrandbits), same_seed)
        question = session.receive(KNOWN, 0).effects
        assert question is not None
        assert isinstance(question.question, Enter)
        session.resolve(Entrance(KnownPlayer(ADA, "Ada"), is_known=True), 0)
        session.receive(START, 0)
        return session, self.flag(session)

    def flag(self, session: Session) -> list[Operation[object]]:
        effects = session.receive(FLAG, 0).effects
        assert effects is not None
        return [*effects.writes]

    def is_saved(self, session: Session) -> bool:
        return session._player.lease.is_saved

    def test_what_is_under_way_counts_as_saved(self) -> None:
        session, _ = self.begin()
        self.flag(session)
        assert self.is_saved(session)

    def test_only_the_last_of_several_puts_brings_the_store_up_to_date(self) -> None:
        session, (put,) = self.begin()
        (append,) = self.flag(session)
        session.settle(put, DOWN)
        session.settle(append, RevisionError(1))
        (first,), (second,) = self.flag(session), self.flag(session)
        assert isinstance(first, PutRunning)
        assert isinstance(second, PutRunning)
        session.settle(first, 8)
        assert not self.is_saved(session)
        session.settle(second, 9)
        assert self.is_saved(session)
        (append,) = self.flag(session)
        assert isinstance(append, Append)
        assert append.revision == 9

    @pytest.mark.parametrize("answer", [FencedError(), TakenCodeError("given")])
    def test_a_result_that_can_never_be_recorded_does_not_wait(self, answer: object) -> None:
        session, (put,) = self.begin()
        session.settle(put, 1)
        # Without a flag on the board there is nothing to keep.
        (append,) = self.flag(session)
        session.settle(append, 2)
        effects = session.receive(Start(9, 9, 2), 0).effects
        assert effects is not None
        (finish,) = effects.writes
        session.settle(finish, answer)
        effects = session.receive(FLAG, 0).effects
        assert effects is None or not [one for one in effects.notes if isinstance(one, Record)]

    def test_the_answers_of_a_player_who_left_say_nothing_of_the_next_one(self) -> None:
        session, (put,) = self.begin()
        session.receive(BOB, 0)
        session.resolve(Entrance(KnownPlayer("bob", "Bob"), is_known=True), 0)
        session.receive(START, 0)
        (other,) = self.flag(session)
        session.settle(put, FencedError())
        assert self.is_saved(session)
        session.settle(other, 1)
        (append,) = self.flag(session)
        assert isinstance(append, Append)


def test_the_player_is_written_before_the_game() -> None:
    backstage = Backstage()
    player = backstage.player()
    player.send(KNOWN, START, FLAG)
    assert [type(write) for write in player.writes] == [PutPlayer, PutRunning]


class TestWaitingForTheStore:
    def wait(self, backstage: Backstage, *packets: Packet) -> Player:
        """Come back to a game that waits, with the store out of order."""
        backstage.put(waiting(BOARD))
        backstage.fault = DOWN
        player = backstage.player()
        player.send(START, UNDECIDED, *packets)
        return player

    def test_a_screen_says_so_and_offers_to_play_meanwhile(self, backstage: Backstage) -> None:
        player = self.wait(backstage)
        assert player.text.startswith("JMinesweeper Your games cannot be read now\n")
        assert player.items == ["Try again", "Play meanwhile"]
        assert player.message == "The server cannot save right now. You can play on."

    def test_once_the_store_is_back_the_game_that_waits_is_offered(
        self, backstage: Backstage
    ) -> None:
        player = self.wait(backstage)
        player.send_after(RETRY_WAITING_MS, Command.REFRESH)
        backstage.fault = None
        player.send_after(RETRY_WAITING_MS - 1, Command.REFRESH)
        assert player.items == ["Try again", "Play meanwhile"]
        player.send_after(1, Command.REFRESH)
        assert player.entry("size") == "3x3"
        assert player.message != "The server cannot save right now. You can play on."

    def test_trying_again_is_at_once(self, backstage: Backstage) -> None:
        player = self.wait(backstage, Pick("wait", "again"))
        assert player.items == ["Try again", "Play meanwhile"]
        backstage.fault = None
        player.choose("Try again")
        assert player.entry("size") == "3x3"

    def test_what_is_played_meanwhile_is_beside_the_game_that_waits(
        self, backstage: Backstage
    ) -> None:
        game = flagged(BOARD, 3)
        opened = Game.replay(game.setup, unpack_entries(game.entries))
        opened.reveal(Cell(1, 1), 5)
        backstage.put(replace(game, entries=pack_entries(opened.log.entries)))
        backstage.fault = DOWN
        player = backstage.player()
        player.send(START, UNDECIDED)
        player.choose("Play meanwhile")
        player.send(FLAG)
        backstage.fault = None
        player.send_after(RETRY_AFTER_MS, Command.MOVE_LEFT)
        assert (player.screen, player.entry("size")) == ("game", "9x9")
        assert backstage.finished == []
        assert backstage.saves == ["auto 1"]

    def test_who_has_no_board_yet_gets_the_menu(self, backstage: Backstage) -> None:
        player = come_to_trouble(backstage)
        player.choose("Play meanwhile")
        assert "New game" in player.items

    def test_after_some_time_a_game_begins_without_the_store(self, backstage: Backstage) -> None:
        player = self.wait(backstage)
        for _ in range(LONGEST_WAIT_MS // RETRY_WAITING_MS):
            assert player.screen != "game"
            player.send_after(RETRY_WAITING_MS, Command.REFRESH)
        assert (player.screen, player.entry("size")) == ("game", "9x9")
        assert player.message == "The server cannot save right now. You can play on."

    def test_help_that_was_opened_meanwhile_goes_with_it(self, backstage: Backstage) -> None:
        player = self.wait(backstage, OpenMenu("help"))
        backstage.fault = None
        player.send_after(RETRY_WAITING_MS, Command.REFRESH)
        assert player.entry("size") == "3x3"

    def test_a_terminal_comes_by_itself(self, backstage: Backstage) -> None:
        backstage.fault = DOWN
        player = backstage.player()
        player.send(START, UNDECIDED)
        assert player.members["refresh"] == RETRY_WAITING_MS
