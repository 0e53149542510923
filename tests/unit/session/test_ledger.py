"""What becomes of games beyond the session."""

import pytest

from jminesweeper.core import ActionKind, Cell, Status
from jminesweeper.session import Commit, Ended, Jot, SessionConfig
from jminesweeper.session.keeper import Keeper
from jminesweeper.session.ledger import MOST_UNRECORDED, Ledger
from jminesweeper.session.play import Play
from jminesweeper.store.ports import (
    Append,
    Fault,
    FencedError,
    Finish,
    Holding,
    PutRunning,
    Record,
    RevisionError,
    StoreUnavailableError,
    TakenCodeError,
    UnknownPlayerError,
)
from tests.unit.session.backstage import CONFIG, a_play
from tests.unit.session.player import same_seed

DOWN = StoreUnavailableError(Fault.FULL)


def a_ledger(player: str = "ada", config: SessionConfig = CONFIG) -> Ledger:
    ledger = Ledger(config, same_seed)
    if player:
        ledger.admit(player, Keeper(player, "owner", Holding(1, 0, None)))
    return ledger


def lost(code: str = "given") -> Play:
    play = a_play("*..\n...\n...")
    play.code = code
    play.act(ActionKind.REVEAL, 0)
    return play


def running() -> Play:
    play = a_play("*..\n...\n...")
    play.act(ActionKind.FLAG, 0)
    return play


class TestAnonymous:
    def test_a_running_game_is_kept_nowhere(self) -> None:
        ledger = a_ledger("")
        assert ledger.keep(running(), 0) == ()
        assert ledger.jot(running(), 0) == ()
        assert ledger.new_code() == ""
        assert ledger.is_saved

    def test_a_result_counts_in_the_totals_and_tells_nothing_else(self) -> None:
        jot, ended = a_ledger("").keep(lost(), 0)
        assert isinstance(jot, Jot)
        assert isinstance(jot.operation, Record)
        game = jot.operation.game
        assert (game.player, game.header, game.entries, game.figures) == (None, "", b"", {})
        assert ended == Ended(Status.LOST, 0)

    def test_without_a_store_the_end_is_only_told(self) -> None:
        ledger = a_ledger("", SessionConfig())
        assert ledger.keep(lost(), 0) == (Ended(Status.LOST, 0),)


class TestKnownPlayer:
    def test_every_action_is_committed(self) -> None:
        ledger, play = a_ledger(), running()
        (first,) = ledger.keep(play, 0)
        (second,) = ledger.keep(play, 0)
        assert isinstance(first, Commit)
        assert isinstance(first.operation, PutRunning)
        assert isinstance(second, Commit)
        assert isinstance(second.operation, Append)

    def test_a_cursor_is_jotted_once_the_game_is_stored(self) -> None:
        ledger, play = a_ledger(), running()
        assert ledger.jot(play, 0) == ()
        ledger.keep(play, 0)
        (jot,) = ledger.jot(play, 0)
        assert isinstance(jot, Jot)

    def test_a_result_is_committed_with_everything_that_makes_it(self) -> None:
        put, record, ended = a_ledger().keep(lost(), 5_000)
        assert isinstance(put, Commit)
        assert isinstance(record, Commit)
        assert isinstance(record.operation, Record)
        game = record.operation.game
        assert (game.player, game.code, game.status) == ("ada", "given", Status.LOST)
        assert game.ended_at_s == 1_000_000_005
        assert game.figures["3bv"] == 1
        assert len(game.entries) == 8
        assert game.header.startswith("jminesweeper game 1")
        assert "play" not in game.header
        assert isinstance(ended, Ended)

    def test_codes_are_drawn_for_games_that_are_kept(self) -> None:
        assert len(a_ledger().new_code()) == 10


class TestNotLetInYet:
    def test_nothing_is_written_and_that_is_told(self) -> None:
        ledger = a_ledger("")
        ledger.admit("ada", None)
        assert ledger.keep(running(), 0) == ()
        assert not ledger.is_saved

    def test_a_result_waits(self) -> None:
        ledger = a_ledger("")
        ledger.admit("ada", None)
        assert ledger.keep(lost(), 0) == (Ended(Status.LOST, 0),)
        ledger.admit("ada", Keeper("ada", "owner", Holding(1, 0, None)))
        commit, jot = ledger.keep(running(), 0)
        assert isinstance(commit, Commit)
        assert isinstance(jot, Jot)
        assert isinstance(jot.operation, Record)
        assert len(ledger.keep(running(), 0)) == 1

    def test_it_waits_for_nobody_else(self) -> None:
        ledger = a_ledger("")
        ledger.admit("ada", None)
        ledger.keep(lost(), 0)
        ledger.admit("bob", Keeper("bob", "owner", Holding(1, 0, None)))
        assert len(ledger.keep(running(), 0)) == 1

    def test_only_so_many_wait(self) -> None:
        ledger = a_ledger("")
        ledger.admit("ada", None)
        for number in range(MOST_UNRECORDED + 5):
            ledger.keep(lost(f"game {number}"), 0)
        ledger.admit("ada", Keeper("ada", "owner", Holding(1, 0, None)))
        _, *jots = ledger.keep(running(), 0)
        assert len(jots) == MOST_UNRECORDED
        (first, *_) = jots
        assert isinstance(first, Jot)
        assert isinstance(first.operation, Record)
        assert first.operation.game.code == "game 5"


class TestSettling:
    def test_a_result_that_failed_is_recorded_when_the_store_is_back(self) -> None:
        ledger, play = a_ledger(), running()
        (put,) = ledger.keep(play, 0)
        assert isinstance(put, Commit)
        ledger.settle(put.operation, 1)
        play.game.terminate()
        commit, _ = ledger.keep(play, 0)
        assert isinstance(commit, Commit)
        assert isinstance(commit.operation, Finish)
        ledger.settle(commit.operation, DOWN)
        (again,) = ledger.keep(running(), 0)
        assert isinstance(again, Commit)
        ledger.settle(again.operation, 2)
        _, jot = ledger.keep(running(), 0)
        assert isinstance(jot, Jot)
        assert jot.operation == Record(commit.operation.game)

    def test_a_result_that_was_recorded_waits_no_more(self) -> None:
        ledger = a_ledger()
        put, record, _ = ledger.keep(lost(), 0)
        assert isinstance(put, Commit)
        assert isinstance(record, Commit)
        ledger.settle(put.operation, 1)
        ledger.settle(record.operation, DOWN)
        ledger.settle(record.operation, None)
        assert len(ledger.keep(running(), 0)) == 1

    @pytest.mark.parametrize("answer", [FencedError(), TakenCodeError("given")])
    def test_a_result_that_can_never_be_recorded_does_not_wait(self, answer: object) -> None:
        ledger = a_ledger()
        put, record, _ = ledger.keep(lost(), 0)
        assert isinstance(put, Commit)
        assert isinstance(record, Commit)
        ledger.settle(put.operation, 1)
        ledger.settle(record.operation, answer)
        assert len(ledger.keep(running(), 0)) == 1

    def test_an_anonymous_result_that_failed_is_forgotten(self) -> None:
        ledger = a_ledger("")
        jot, _ = ledger.keep(lost(), 0)
        assert isinstance(jot, Jot)
        ledger.settle(jot.operation, DOWN)
        ledger.admit("", Keeper("ada", "owner", Holding(1, 0, None)))
        assert len(ledger.keep(running(), 0)) == 1

    def test_a_gap_is_mended_by_a_put(self) -> None:
        ledger, play = a_ledger(), running()
        (put,) = ledger.keep(play, 0)
        assert isinstance(put, Commit)
        ledger.settle(put.operation, RevisionError(1))
        (again,) = ledger.keep(play, 0)
        assert isinstance(again, Commit)
        assert isinstance(again.operation, PutRunning)

    def test_a_store_that_knows_nobody_grants_nothing(self) -> None:
        ledger, play = a_ledger(), running()
        (put,) = ledger.keep(play, 0)
        assert isinstance(put, Commit)
        ledger.settle(put.operation, UnknownPlayerError())
        assert ledger.keeper is None
        assert not ledger.is_saved

    def test_other_answers_are_not_its_business(self) -> None:
        ledger = a_ledger()
        ledger.settle("settings", DOWN)
        assert ledger.is_saved


class TestParting:
    def test_a_stored_game_is_left_with_its_clock(self) -> None:
        ledger, play = a_ledger(), running()
        ledger.keep(play, 0)
        play.stop_clock(3_000)
        (jot,) = ledger.part(play, 9_000)
        assert isinstance(jot, Jot)
        assert isinstance(jot.operation, Append)
        assert (jot.operation.clock_ms, jot.operation.cursor) == (3_000, Cell(0, 0))
