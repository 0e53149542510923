"""What a solver does for a table."""

import pytest

from jminesweeper.core import PRESETS, ActionKind, Cell, Setup, Size
from jminesweeper.session import Ask, FindHint, Laid, LayBoard, Review, Tip, coaching
from jminesweeper.session.keeper import resume
from jminesweeper.session.orders import Order
from jminesweeper.session.table import Table
from jminesweeper.session.titles import Title
from tests.unit.session.backstage import CONFIG, waiting
from tests.unit.session.player import same_seed

BOARD = "*..\n...\n..*"
SEEDED = Setup(Size(4, 4), 2, PRESETS["classic"], seed=1)


@pytest.fixture
def table() -> Table:
    table = Table(CONFIG, same_seed)
    table.take_up(resume(waiting(BOARD)), 0)
    return table


@pytest.fixture
def no_guess() -> Table:
    table = Table(CONFIG, same_seed)
    table.begin(Order(SEEDED, Title("custom", is_no_guess=True)), 0)
    return table


class TestHint:
    def test_it_is_asked_for_by_what_the_player_sees(self, table: Table) -> None:
        assert table.play is not None
        assert coaching.ask_hint(table, has_solver=True) == (Ask(FindHint(table.play.game.view())),)

    def test_without_a_solver_there_is_none(self, table: Table) -> None:
        assert coaching.ask_hint(table, has_solver=False) == ()
        assert table.message.text == "This server gives no hints."

    def test_before_the_first_reveal_the_rules_say_it_and_the_game_is_not_marked(
        self, no_guess: Table
    ) -> None:
        assert coaching.ask_hint(no_guess, has_solver=True) == ()
        assert no_guess.message.text == "Reveal any cell: the first one holds no mine."
        assert no_guess.play is not None
        assert not no_guess.play.game.assisted

    @pytest.mark.parametrize(
        "setup",
        [
            Setup(Size(4, 4), 2, PRESETS["jminesweeper"], seed=1),
            Setup(Size(2, 2), 4, PRESETS["classic"], seed=1),
        ],
    )
    def test_where_they_do_not_say_it_a_solver_is_asked(self, setup: Setup) -> None:
        table = Table(CONFIG, same_seed)
        table.begin(Order(setup, Title("custom")), 0)
        assert len(coaching.ask_hint(table, has_solver=True)) == 1

    def test_a_first_reveal_that_was_taken_back_was_the_first(self) -> None:
        table = Table(CONFIG, same_seed)
        table.begin(Order(SEEDED, Title("custom")), 0)
        table.act(ActionKind.REVEAL, 0)
        table.undo(1, 0)
        assert len(coaching.ask_hint(table, has_solver=True)) == 1

    def test_after_the_end_nothing_is_asked(self, table: Table) -> None:
        table.act(ActionKind.REVEAL, 0)
        assert coaching.ask_hint(table, has_solver=True) == ()

    def test_it_is_shown_and_marks_the_game(self, table: Table) -> None:
        coaching.take_hint(table, Tip("Here it is safe.", Cell(1, 1), 0b110), 0)
        model = table.model(0)
        assert model is not None
        assert (model.hint_cells, model.message.text) == (0b110, "Here it is safe.")
        assert model.cursor == (1, 1)
        assert model.state == "assisted"
        assert not model.clock_runs

    def test_it_goes_with_the_next_action_and_not_with_a_move(self, table: Table) -> None:
        coaching.take_hint(table, Tip("Here it is safe.", Cell(1, 1), 1), 0)
        table.move(1, 0, 0)
        assert table.message.text == "Here it is safe."
        assert table.hint_cells == 1
        table.act(ActionKind.FLAG, 0)
        assert table.hint_cells == 0

    def test_one_that_took_too_long_is_none_and_marks_nothing(self, table: Table) -> None:
        assert coaching.take_hint(table, None, 0) == ()
        assert table.play is not None
        assert not table.play.game.assisted


class TestBoard:
    def test_the_reveal_goes_on_with_the_mines_that_were_laid(self, no_guess: Table) -> None:
        no_guess.act(ActionKind.REVEAL, 0)
        coaching.take_board(no_guess, Laid(0b11 << 5, is_uniform=True), 0)
        assert no_guess.play is not None
        assert no_guess.play.game.setup.layout == 0b11 << 5
        assert no_guess.play.game.visible
        assert "No guess is needed" in no_guess.message.text
        assert "no-guess" in no_guess.play.label

    def test_a_board_made_by_repair_is_told(self, no_guess: Table) -> None:
        coaching.take_board(no_guess, Laid(0b11 << 5, is_uniform=False), 0)
        assert "cell by cell" in no_guess.message.text

    def test_without_one_the_game_is_an_ordinary_one_and_says_so(self, no_guess: Table) -> None:
        coaching.take_board(no_guess, None, 0)
        assert no_guess.play is not None
        assert "no-guess" not in no_guess.play.label
        assert "as it came" in no_guess.message.text
        assert no_guess.play.game.visible

    def test_the_end_is_not_talked_over(self) -> None:
        table = Table(CONFIG, same_seed)
        one_cell = Setup(Size(1, 1), 1, PRESETS["classic"], seed=1)
        table.begin(Order(one_cell, Title("custom", is_no_guess=True)), 0)
        coaching.take_board(table, None, 0)
        assert "lost" in table.message.text

    def test_a_board_for_nobody_is_put_aside(self) -> None:
        assert coaching.take_board(Table(CONFIG, same_seed), None, 0) == ()

    def test_the_question_comes_once(self, no_guess: Table) -> None:
        assert no_guess.act(ActionKind.REVEAL, 0) == (Ask(LayBoard(SEEDED, Cell(0, 0))),)
        coaching.take_board(no_guess, Laid(0b11 << 5, is_uniform=True), 0)
        no_guess.move(1, 0, 0)
        assert no_guess.act(ActionKind.REVEAL, 0) == ()


class TestReview:
    def test_after_the_end_it_is_asked_for_once(self, table: Table) -> None:
        assert coaching.ask_review(table) == ()
        table.act(ActionKind.REVEAL, 0)
        model = table.model(0)
        assert model is not None
        assert model.clock_runs
        (ask,) = coaching.ask_review(table)
        assert isinstance(ask, Ask)
        assert isinstance(ask.request, Review)
        assert coaching.ask_review(table) == ()

    def test_it_stands_below_the_figures(self, table: Table) -> None:
        table.act(ActionKind.REVEAL, 0)
        coaching.take_review(table, ("guesses 1",))
        model = table.model(0)
        assert model is not None
        assert model.summary[0].startswith("time")
        assert model.summary[-1] == "guesses 1"
        coaching.take_review(table, None)
        assert table.review == ()

    def test_undo_forgets_it(self, table: Table) -> None:
        table.act(ActionKind.REVEAL, 0)
        coaching.take_review(table, ("guesses 1",))
        table.undo(1, 0)
        model = table.model(0)
        assert model is not None
        assert model.summary == ()
        assert coaching.ask_review(table) == ()
