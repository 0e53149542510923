"""What is written to the store after each action, and after each failure."""

from dataclasses import replace

import pytest

from jminesweeper.core import ActionKind, Cell, CoreError, Status
from jminesweeper.session.keeper import MOST_IDLE_WRITES, Keeper, resume, running_game
from jminesweeper.session.play import Play
from jminesweeper.session.titles import Title
from jminesweeper.store.ports import (
    Append,
    Category,
    Fault,
    Finish,
    FinishedGame,
    Holding,
    PutRunning,
    Record,
    RunningGame,
    StoreUnavailableError,
)
from tests.unit.session.backstage import a_play

DOWN = StoreUnavailableError(Fault.FULL)


@pytest.fixture
def play() -> Play:
    return a_play("*..\n...\n...")


@pytest.fixture
def keeper() -> Keeper:
    return Keeper("ada", "owner", Holding(1, 7, None))


def flag(play: Play, now_ms: int = 0) -> None:
    play.act(ActionKind.FLAG, now_ms)


class TestWriting:
    def test_the_first_write_puts_the_whole_game(self, keeper: Keeper, play: Play) -> None:
        flag(play)
        assert keeper.write(play, 0) == PutRunning("ada", "owner", running_game(play, 0))

    def test_later_ones_append_what_is_new_at_the_next_revision(
        self, keeper: Keeper, play: Play
    ) -> None:
        flag(play)
        keeper.write(play, 0)
        flag(play, 500)
        flag(play, 900)
        write = keeper.write(play, 1_000)
        assert isinstance(write, Append)
        assert (write.revision, len(write.entries), write.clock_ms) == (8, 16, 1_000)

    def test_a_cursor_that_moved_is_written_without_entries(
        self, keeper: Keeper, play: Play
    ) -> None:
        keeper.write(play, 0)
        play.move(2, 1)
        write = keeper.write(play, 0)
        assert isinstance(write, Append)
        assert (write.entries, write.cursor) == (b"", Cell(2, 1))

    def test_what_a_wandering_cursor_leaves_in_the_store_is_swept_away(
        self, keeper: Keeper, play: Play
    ) -> None:
        keeper.write(play, 0)
        writes = [keeper.write(play, now_ms) for now_ms in range(2 * MOST_IDLE_WRITES + 2)]
        puts = [number for number, write in enumerate(writes) if isinstance(write, PutRunning)]
        assert puts == [MOST_IDLE_WRITES, 2 * MOST_IDLE_WRITES + 1]
        assert isinstance(keeper.write(play, 0), Append)

    def test_who_comes_back_to_wander_on_sweeps_first(self, play: Play) -> None:
        flag(play)
        kept = running_game(play, 0)
        keeper = Keeper("ada", "owner", Holding(3, 12, kept))
        assert keeper.write(play, 0) == PutRunning("ada", "owner", kept)

    def test_a_long_game_is_put_less_often_than_it_has_actions(
        self, keeper: Keeper, play: Play
    ) -> None:
        for _ in range(MOST_IDLE_WRITES + 9):
            flag(play)
        keeper.write(play, 0)
        writes = [keeper.write(play, now_ms) for now_ms in range(MOST_IDLE_WRITES + 9)]
        assert all(isinstance(write, Append) for write in writes)
        assert isinstance(keeper.write(play, 0), PutRunning)

    def test_a_game_that_was_claimed_is_appended_to(self, play: Play) -> None:
        flag(play)
        keeper = Keeper("ada", "owner", Holding(3, 12, running_game(play, 0)))
        assert keeper.keeps(play)
        flag(play)
        write = keeper.write(play, 0)
        assert isinstance(write, Append)
        assert (write.revision, len(write.entries)) == (12, 8)

    def test_another_game_is_put(self, keeper: Keeper, play: Play) -> None:
        keeper.write(play, 0)
        other = a_play("*..\n...\n...")
        other.code = "another"
        assert not keeper.keeps(other)
        assert isinstance(keeper.write(other, 0), PutRunning)

    def test_a_game_that_is_played_as_something_else_is_put(
        self, keeper: Keeper, play: Play
    ) -> None:
        keeper.write(play, 0)
        play.entitle(Title("custom", is_repeat=True))
        assert isinstance(keeper.write(play, 0), PutRunning)

    def test_a_game_whose_mines_were_laid_late_is_put(self, keeper: Keeper, play: Play) -> None:
        keeper.write(play, 0)
        play.lay(2)
        assert isinstance(keeper.write(play, 0), PutRunning)


class TestFailing:
    def test_after_a_failure_the_whole_game_is_put(self, keeper: Keeper, play: Play) -> None:
        keeper.write(play, 0)
        keeper.settle(DOWN)
        assert keeper.is_behind
        assert isinstance(keeper.write(play, 0), PutRunning)

    def test_the_revision_is_then_the_stores(self, keeper: Keeper, play: Play) -> None:
        keeper.write(play, 0)
        keeper.settle(DOWN)
        keeper.write(play, 0)
        keeper.settle(3)
        assert not keeper.is_behind
        write = keeper.write(play, 0)
        assert isinstance(write, Append)
        assert write.revision == 3

    def test_only_the_last_of_several_puts_brings_it_up_to_date(
        self, keeper: Keeper, play: Play
    ) -> None:
        keeper.write(play, 0)
        keeper.write(play, 0)
        keeper.settle(DOWN)
        keeper.settle(DOWN)
        keeper.write(play, 0)
        keeper.write(play, 0)
        keeper.settle(8)
        assert keeper.is_behind
        keeper.settle(9)
        assert not keeper.is_behind

    def test_an_answer_that_is_no_revision_proves_nothing(self, keeper: Keeper, play: Play) -> None:
        keeper.write(play, 0)
        keeper.settle(DOWN)
        keeper.write(play, 0)
        keeper.settle(None)
        assert keeper.is_behind


class TestFinishing:
    @pytest.fixture
    def finished(self, play: Play) -> FinishedGame:
        size = play.game.setup.size
        category = Category("custom", "classic")
        return FinishedGame("given", category, size, 1, Status.WON, 5, 6, "ada")

    def test_last_entries_and_result_are_one_write(
        self, keeper: Keeper, play: Play, finished: FinishedGame
    ) -> None:
        keeper.write(play, 0)
        flag(play)
        (write,) = keeper.finish(play, finished, 0)
        assert isinstance(write, Finish)
        assert (write.game, len(write.last.entries)) == (finished, 8)

    def test_a_game_the_store_does_not_have_is_put_first(
        self, keeper: Keeper, play: Play, finished: FinishedGame
    ) -> None:
        put, record = keeper.finish(play, finished, 0)
        assert isinstance(put, PutRunning)
        assert record == Record(finished)


class TestResuming:
    def test_everything_comes_back(self, play: Play) -> None:
        play.move(1, 2)
        flag(play, 1_000)
        play.stop_clock(5_000)
        play.is_paused = True
        again = resume(running_game(play, 9_000))
        assert (again.code, again.header, again.cursor) == (play.code, play.header, play.cursor)
        assert again.game.log.entries == play.game.log.entries
        assert again.elapsed_ms(77_000) == 4_000
        assert again.is_paused

    def test_a_cursor_off_the_board_is_brought_back(self, play: Play) -> None:
        kept = replace(running_game(play, 0), cursor=Cell(200, 1))
        assert resume(kept).cursor == (2, 1)

    @pytest.mark.parametrize(
        "kept",
        [
            RunningGame("code", ""),
            RunningGame("code", "jminesweeper game 1\nplay x -"),
            replace(running_game(a_play("*."), 0), entries=b"\xff" * 8),
        ],
    )
    def test_what_is_no_game_is_an_error(self, kept: RunningGame) -> None:
        with pytest.raises(CoreError):
            resume(kept)
