"""One game with its cursor and its clock."""

from collections.abc import Callable

import pytest

from jminesweeper.core import PRESETS, Action, ActionKind, Cell, Game, Setup, Size, Status
from jminesweeper.session.play import Play
from jminesweeper.session.titles import Title
from tests.unit.session.backstage import a_play

BOARD = "*..\n...\n..."
SAFE, MINE = Cell(2, 2), Cell(0, 0)


@pytest.fixture
def play() -> Play:
    return a_play("*.*\n...\n*.*")


def act_at(play: Play, cell: Cell, kind: ActionKind, now_ms: int) -> bool:
    play.cursor = cell
    return play.act(kind, now_ms)


class TestClock:
    def test_it_stands_before_the_first_action(self, play: Play) -> None:
        assert not play.clock_runs
        assert play.elapsed_ms(99_000) == 0

    @pytest.mark.parametrize("kind", [ActionKind.REVEAL, ActionKind.FLAG])
    def test_it_runs_from_the_first_reveal_or_flag(self, play: Play, kind: ActionKind) -> None:
        act_at(play, Cell(1, 0), kind, 5_000)
        assert play.clock_runs
        assert play.elapsed_ms(7_500) == 2_500

    @pytest.mark.parametrize("kind", [ActionKind.HINT, ActionKind.DEBUG])
    def test_help_does_not_start_it(self, play: Play, kind: ActionKind) -> None:
        play.apply(Action(kind), 5_000)
        assert play.elapsed_ms(7_500) == 0

    def test_help_does_not_stop_it(self, play: Play) -> None:
        act_at(play, Cell(1, 0), ActionKind.FLAG, 0)
        play.apply(Action(ActionKind.HINT), 1_000)
        assert play.elapsed_ms(3_000) == 3_000

    def test_it_stops_at_the_end(self, play: Play) -> None:
        act_at(play, Cell(1, 0), ActionKind.FLAG, 0)
        act_at(play, MINE, ActionKind.REVEAL, 4_000)
        assert not play.clock_runs
        assert play.elapsed_ms(9_000) == 4_000

    def test_it_goes_on_from_the_end_when_that_is_undone(self, play: Play) -> None:
        act_at(play, Cell(1, 0), ActionKind.FLAG, 0)
        act_at(play, MINE, ActionKind.REVEAL, 4_000)
        play.apply(Action(ActionKind.UNDO), 60_000)
        assert play.game.status is Status.ONGOING
        assert play.elapsed_ms(61_000) == 5_000

    def test_it_can_be_stopped_and_run_on(self, play: Play) -> None:
        act_at(play, Cell(1, 0), ActionKind.FLAG, 0)
        play.stop_clock(2_000)
        assert play.elapsed_ms(50_000) == 2_000
        play.run_clock(60_000)
        assert play.elapsed_ms(61_000) == 3_000

    def test_running_it_before_the_first_action_does_nothing(self, play: Play) -> None:
        play.apply(Action(ActionKind.HINT), 0)
        play.run_clock(0)
        assert not play.clock_runs

    def test_running_it_twice_is_running_it_once(self, play: Play) -> None:
        act_at(play, Cell(1, 0), ActionKind.FLAG, 0)
        play.run_clock(5_000)
        assert play.elapsed_ms(6_000) == 6_000

    def test_it_never_goes_back(self, play: Play) -> None:
        act_at(play, Cell(1, 0), ActionKind.FLAG, 10_000)
        assert play.elapsed_ms(5_000) == 0
        play.set_clock(-5)
        assert play.elapsed_ms(0) == 0


class TestCursor:
    def test_it_starts_at_the_top_left(self, play: Play) -> None:
        assert play.cursor == (0, 0)

    @pytest.mark.parametrize(
        ("columns", "rows", "goal"),
        [(1, 0, (1, 0)), (0, 2, (0, 2)), (-1, 0, (0, 0)), (9, 9, (2, 2)), (255, -255, (2, 0))],
    )
    def test_it_stops_at_the_edge(
        self, play: Play, columns: int, rows: int, goal: tuple[int, int]
    ) -> None:
        play.move(columns, rows)
        assert play.cursor == goal


class TestDebug:
    def test_the_mines_are_shown_while_it_is_on(self, play: Play) -> None:
        mines = play.game.setup.layout
        assert play.debug_mines() == 0
        assert play.toggle_debug(0)
        assert play.debug_mines() == mines
        assert not play.toggle_debug(0)
        assert play.debug_mines() == 0

    def test_it_marks_the_game_once_and_for_good(self, play: Play) -> None:
        assert [play.toggle_debug(0) for _ in range(4)] == [True, False, False, False]
        assert play.game.assisted
        assert len(play.game.log) == 1

    def test_it_does_not_start_the_clock(self, play: Play) -> None:
        play.toggle_debug(5_000)
        assert play.elapsed_ms(9_000) == 0


class TestWords:
    def test_label_and_header_follow_the_title(self, play: Play) -> None:
        before = play.header
        assert play.label == "custom 3x3"
        play.entitle(Title("beginner", is_repeat=True))
        assert play.label == "beginner 3x3"
        assert play.header != before
        assert play.header.endswith("play beginner - repeat")


class TestBoardWithoutGuesses:
    @pytest.fixture
    def play(self) -> Play:
        setup = Setup(Size(3, 3), 1, PRESETS["classic"], seed=1)
        return Play(Game(setup), Title("custom", is_no_guess=True))

    def test_the_first_reveal_needs_its_mines_laid(self, play: Play) -> None:
        assert play.needs_layout

    def test_a_flagged_cell_is_not_revealed_and_needs_none(self, play: Play) -> None:
        play.act(ActionKind.FLAG, 0)
        assert not play.needs_layout

    def test_flags_stay_when_the_mines_are_laid(self, play: Play) -> None:
        play.act(ActionKind.FLAG, 0)
        header = play.header
        play.lay(1 << 2)
        assert play.game.flagged == 1
        assert play.game.setup.layout == 1 << 2
        assert play.header != header
        play.move(1, 0)
        assert not play.needs_layout

    def test_without_such_a_board_it_is_an_ordinary_game_that_wished_for_one(
        self, play: Play
    ) -> None:
        play.give_up_no_guess()
        assert not play.needs_layout
        assert play.wants_no_guess
        assert "no-guess" not in play.label


class TestStake:
    def stakes(self, play: Play, *acts: Callable[[], object]) -> list[bool]:
        """Tell before the first and after each act whether the game is at stake."""
        stakes = [play.is_at_stake]
        for act in acts:
            act()
            stakes.append(play.is_at_stake)
        return stakes

    def test_nothing_is_lost_before_the_first_reveal_and_after_the_end(self, play: Play) -> None:
        assert self.stakes(
            play,
            lambda: act_at(play, Cell(1, 0), ActionKind.FLAG, 0),
            lambda: act_at(play, Cell(1, 1), ActionKind.REVEAL, 0),
            lambda: act_at(play, MINE, ActionKind.REVEAL, 0),
        ) == [False, False, True, False]

    def test_nothing_is_lost_that_can_be_loaded_again(self, play: Play) -> None:
        act_at(play, Cell(1, 1), ActionKind.REVEAL, 0)
        assert self.stakes(
            play,
            lambda: play.note_saved("one"),
            lambda: play.note_dropped("two"),
            lambda: act_at(play, Cell(1, 0), ActionKind.FLAG, 0),
            lambda: play.note_saved("one"),
            lambda: play.note_dropped("one"),
        ) == [True, False, False, True, False, True]
