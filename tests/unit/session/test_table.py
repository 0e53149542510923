"""The game at hand, through its whole life."""

import pytest

from jminesweeper.core import PRESETS, ActionKind, Cell, Setup, Size, Status
from jminesweeper.screen import Tone
from jminesweeper.session import Ask, Ended, LayBoard, SessionConfig
from jminesweeper.session.keeper import resume, running_game
from jminesweeper.session.orders import Order
from jminesweeper.session.play import Play
from jminesweeper.session.table import MOST_UNDO_STEPS, Table
from jminesweeper.session.titles import Title
from tests.unit.session.backstage import CONFIG, a_play, waiting
from tests.unit.session.player import same_seed

BOARD = "*..\n...\n...\n..*"
CLASSIC = PRESETS["classic"]


def order() -> Order:
    return Order(Setup.of_layout(Size(3, 4), 1, CLASSIC), Title("custom"))


@pytest.fixture
def table() -> Table:
    table = Table(SessionConfig(), same_seed)
    table.take_up(resume(waiting(BOARD)), 0)
    return table


def play_of(table: Table) -> Play:
    assert table.play is not None
    return table.play


def act(table: Table, column: int, row: int, kind: ActionKind = ActionKind.REVEAL) -> None:
    table.move_to(Cell(column, row), 0)
    table.act(kind, 0)


class TestBeginning:
    def test_an_empty_table_does_nothing(self) -> None:
        table = Table(SessionConfig(), same_seed)
        assert table.act(ActionKind.REVEAL, 0) == ()
        assert table.move(1, 1, 0) == ()
        assert table.move_to(Cell(0, 0), 0) == ()
        assert table.toggle_debug(0) == ()
        assert table.toggle_pause(0) == ()
        assert table.pause(0) == ()
        assert table.go_on(0) == ()
        assert table.give_up(0) == ()
        assert table.leave(0) == ()
        assert table.model(0) is None

    def test_it_says_what_wins_and_whether_it_counts(self) -> None:
        table = Table(SessionConfig(), same_seed)
        table.begin(order(), 0)
        assert table.message.text == "Reveal every cell that holds no mine."
        table.begin(order().as_repeat(), 0)
        assert "counts as a repeat" in table.message.text

    @pytest.mark.requirement("F:V.Game.only_one_uncompleted_game", "F:terminate_game")
    def test_another_game_ends_the_running_one(self, table: Table) -> None:
        first = play_of(table)
        act(table, 1, 0)
        assert table.begin(order(), 0) == (Ended(Status.TERMINATED, 0),)
        assert first.game.status is Status.TERMINATED
        assert play_of(table) is not first

    def test_a_game_seen_in_debug_mode_from_the_start_is_assisted(self, table: Table) -> None:
        table.toggle_debug(0)
        table.begin(order(), 0)
        assert play_of(table).is_debugged
        assert play_of(table).game.assisted


class TestTakingUp:
    def test_the_clock_runs_as_soon_as_the_board_is_seen(self) -> None:
        play = a_play(BOARD)
        play.act(ActionKind.FLAG, 0)
        table = Table(SessionConfig(), same_seed)
        assert table.take_up(resume(running_game(play, 4_000)), 100_000)
        assert play_of(table).elapsed_ms(101_000) == 5_000

    def test_a_game_that_has_ended_is_not_taken_up(self) -> None:
        play = a_play(BOARD)
        play.act(ActionKind.REVEAL, 0)
        table = Table(SessionConfig(), same_seed)
        assert not table.take_up(resume(running_game(play, 0)), 0)
        assert table.play is None

    def test_a_loaded_game_is_a_repeat_and_goes_on_at_once(self, table: Table) -> None:
        play = a_play(BOARD)
        play.act(ActionKind.FLAG, 0)
        play.is_paused = True
        act(table, 1, 0)
        assert table.load(resume(running_game(play, 4_000)), 0) == (Ended(Status.TERMINATED, 0),)
        loaded = play_of(table)
        assert loaded.title.is_repeat
        assert (loaded.is_paused, loaded.clock_runs) == (False, True)


class TestActing:
    def test_a_message_goes_with_the_next_action(self, table: Table) -> None:
        assert table.message.text
        act(table, 1, 0)
        assert not table.message.text

    def test_a_cell_off_the_board_is_told_and_changes_nothing(self, table: Table) -> None:
        table.move_to(Cell(3, 0), 0)
        assert table.message.text == "There is no cell at (3,0)."
        assert play_of(table).cursor == (0, 0)

    def test_a_game_that_is_full_takes_nothing_more(self, table: Table) -> None:
        game = play_of(table).game
        while not game.is_full:
            game.toggle_flag(Cell(1, 1), 0)
        table.act(ActionKind.REVEAL, 0)
        said = [table.message.text]
        table.toggle_debug(0)
        said.append(table.message.text)
        table.undo(5, 0)
        said.append(table.message.text)
        assert all("gone on for too long" in text for text in said)
        assert not game.assisted
        assert table.begin(order(), 0) == (Ended(Status.TERMINATED, 0),)

    def test_changes_are_counted_and_nothing_else(self, table: Table) -> None:
        before = table.changes
        table.move(1, 0, 0)
        assert table.changes == before
        table.act(ActionKind.REVEAL, 0)
        assert table.changes == before + 1
        table.act(ActionKind.REVEAL, 0)
        assert table.changes == before + 1

    def test_the_mines_of_a_board_without_guesses_are_asked_for(self) -> None:
        table = Table(CONFIG, same_seed)
        setup = Setup(Size(3, 3), 1, CLASSIC, seed=1)
        table.begin(Order(setup, Title("custom", is_no_guess=True)), 0)
        table.move(1, 1, 0)
        assert table.act(ActionKind.REVEAL, 0) == (Ask(LayBoard(setup, Cell(1, 1))),)

    def test_where_nobody_lays_such_boards_that_is_told_at_once(self) -> None:
        table = Table(SessionConfig(), same_seed)
        setup = Setup(Size(3, 3), 1, CLASSIC, seed=1)
        table.begin(Order(setup, Title("custom", is_no_guess=True)), 0)
        assert "makes no boards without guesses" in table.message.text
        assert table.act(ActionKind.FLAG, 0) == ()
        assert "no-guess" not in play_of(table).label


class TestUndo:
    def test_any_number_of_steps_is_taken_back(self, table: Table) -> None:
        for column in (1, 2):
            act(table, column, 0, ActionKind.FLAG)
        table.undo(7, 0)
        assert play_of(table).game.flagged == 0
        assert table.message.text == "2 steps taken back."

    def test_one_step_is_told_as_one(self, table: Table) -> None:
        act(table, 1, 0, ActionKind.FLAG)
        table.undo(1, 0)
        assert table.message.text == "Taken back."

    def test_the_step_that_lost_is_taken_back(self, table: Table) -> None:
        table.act(ActionKind.REVEAL, 0)
        assert play_of(table).is_over
        table.undo(1, 0)
        assert not play_of(table).is_over
        assert play_of(table).game.assisted

    @pytest.mark.parametrize("steps", [0, 1])
    def test_without_steps_nothing_is_taken_back(self, table: Table, steps: int) -> None:
        if not steps:
            act(table, 1, 0, ActionKind.FLAG)
        table.undo(steps, 0)
        assert table.message.text == "There is nothing to undo."
        assert not play_of(table).game.assisted

    def test_one_packet_takes_back_only_so_many(self, table: Table) -> None:
        for _ in range(MOST_UNDO_STEPS + 5):
            act(table, 1, 0, ActionKind.FLAG)
        table.undo(65_535, 0)
        assert play_of(table).game.can_undo


def shown(table: Table) -> str:
    model = table.model(0)
    assert model is not None
    return model.message.text


class TestPausing:
    def test_it_hides_the_board_and_stops_the_clock(self, table: Table) -> None:
        act(table, 1, 0)
        table.toggle_pause(3_000)
        model = table.model(50_000)
        assert model is not None
        assert (model.is_paused, model.clock_runs, model.elapsed_ms) == (True, False, 3_000)
        assert model.message.text == "Paused: p goes on."

    def test_nothing_can_be_done_meanwhile(self, table: Table) -> None:
        act(table, 1, 0)
        table.pause(0)
        before = len(play_of(table).game.log)
        table.act(ActionKind.FLAG, 0)
        table.undo(1, 0)
        table.move(1, 1, 0)
        table.toggle_debug(0)
        assert len(play_of(table).game.log) == before

    def test_news_are_shown_until_the_next_key_and_those_of_before_are_not(
        self, table: Table
    ) -> None:
        act(table, 1, 0)
        table.say("A hint.")
        table.toggle_pause(0)
        assert shown(table) == "Paused: p goes on."
        table.say("Saved.")
        assert shown(table) == "Saved."
        table.undo(1, 0)
        assert shown(table) == "Paused: p goes on."
        table.toggle_pause(0)
        assert shown(table) == ""

    def test_it_goes_on_where_it_was(self, table: Table) -> None:
        act(table, 1, 0)
        table.toggle_pause(3_000)
        table.toggle_pause(60_000)
        assert play_of(table).elapsed_ms(61_000) == 4_000

    def test_what_is_over_is_not_paused(self, table: Table) -> None:
        table.act(ActionKind.REVEAL, 0)
        table.toggle_pause(0)
        assert not play_of(table).is_paused


class TestShowing:
    def test_a_running_game_shows_no_mines_and_its_progress(self, table: Table) -> None:
        act(table, 2, 0)
        model = table.model(2_000)
        assert model is not None
        assert model.view.shown_mines is None
        assert (model.debug_mines, model.summary) == (0, ())
        assert model.solved_share is not None
        assert model.solved_share == 0.6
        assert (model.elapsed_ms, model.clock_runs, model.label) == (2_000, True, "custom 3x4")

    def test_the_end_shows_figures_and_other_keys(self, table: Table) -> None:
        before = table.model(0)
        table.act(ActionKind.REVEAL, 0)
        model = table.model(9_000)
        assert before is not None
        assert model is not None
        assert model.summary[0] == "time 0.000 s"
        assert model.message.tone is Tone.BAD
        assert model.state == "LOST"
        assert model.keys != before.keys

    def test_undo_takes_the_figures_away(self, table: Table) -> None:
        table.act(ActionKind.REVEAL, 0)
        assert table.model(0) is not None
        table.undo(1, 0)
        model = table.model(0)
        assert model is not None
        assert model.summary == ()
        assert model.state == "assisted"

    def test_a_game_given_up_has_no_figures(self, table: Table) -> None:
        act(table, 1, 0)
        table.give_up(0)
        model = table.model(0)
        assert model is not None
        assert (model.summary, model.state) == ((), "GIVEN UP")


class TestLeaving:
    def test_a_game_from_memory_ends(self, table: Table) -> None:
        act(table, 1, 0)
        assert table.leave(0) == (Ended(Status.TERMINATED, 0),)
        assert table.leave(0) == ()

    def test_a_game_that_goes_on_elsewhere_does_not(self, table: Table) -> None:
        act(table, 1, 0)
        table.let_go()
        assert table.leave(0) == ()
        assert table.model(0) is None
