"""What is said about a game that is over."""

from dataclasses import replace
from math import prod

import pytest

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rules import PRESETS, MineEffect
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.solver.hints import explain
from jminesweeper.solver.knowledge import OutOfTimeError
from jminesweeper.solver.playing import Solver
from jminesweeper.solver.review import ReviewedReveal, review

CLASSIC = PRESETS["classic"]


def game_on(text: str, first: Cell | None = None) -> Game:
    field = parse_board(text)
    return Game(Setup.of(field.size, rules=CLASSIC, layout=field.mines, first=first))


def judged(game: Game) -> tuple[ReviewedReveal, ...]:
    return review(game).reveals


def test_the_first_reveal_is_a_guess_where_it_may_hit() -> None:
    game = game_on("* .\n. .")
    game.reveal(Cell(1, 1), 5)
    (first,) = judged(game)
    assert first.risk == pytest.approx(0.25)
    assert first.lowest == first.risk
    assert first.survived
    assert (first.number, first.at_ms, first.cell, first.kind) == (
        0,
        5,
        Cell(1, 1),
        ActionKind.REVEAL,
    )


def test_the_first_reveal_is_none_where_the_rules_protect_it() -> None:
    game = Game(Setup.of(Size(9, 9), 10, CLASSIC, seed=1))
    game.reveal(Cell(0, 0), 0)
    assert review(game).guesses == ()


def test_the_first_reveal_is_none_where_the_mines_were_laid_around_it() -> None:
    for first in (None, Cell(0, 0)):
        game = game_on(". . .\n. . .\n. . *", first)
        game.reveal(Cell(0, 0), 0)
        assert len(review(game).guesses) == (0 if first else 1)


def settled_game() -> Game:
    """A game after its only guess: the mine in the corner is certain now, and the rest safe."""
    game = game_on("* . .\n. . .\n. . *")
    game.reveal(Cell(2, 0), 0)
    game.reveal(Cell(0, 1), 0)
    return game


def test_a_sure_reveal_is_no_guess() -> None:
    game = settled_game()
    game.reveal(Cell(1, 2), 0)
    *_, guess, sure = judged(game)
    assert guess.is_guess
    assert (sure.risk, sure.lowest, sure.is_guess) == (0.0, 0.0, False)


def test_a_guess_that_was_not_needed_is_called_so() -> None:
    # The two 1s at the top see the same mine, so both cells on the right are safe.
    game = game_on(". . .\n* . .")
    for column in (0, 1):
        game.reveal(Cell(column, 0), 0)
    game.reveal(Cell(1, 1), 0)
    *_, guess = judged(game)
    assert guess.risk == pytest.approx(0.5)
    assert guess.is_needless
    assert not guess.is_blunder
    assert guess.safer == Cell(2, 0)


def test_needless_guesses_are_explained_if_asked_for() -> None:
    game = game_on(". . .\n* . .")
    for column in (0, 1):
        game.reveal(Cell(column, 0), 0)
    game.reveal(Cell(1, 1), 0)
    reveals = review(game, explain=lambda view, _: explain(view).text).reveals
    # After the first 1 the mine count shows it, after the second the two numbers do.
    assert reveals[0].hint is None
    assert all((reveal.hint or "").startswith("Reveal (2,0): ") for reveal in reveals[1:])
    assert all(reveal.hint is None for reveal in judged(game))


def test_a_review_ends_when_time_is_up() -> None:
    game = settled_game()
    with pytest.raises(OutOfTimeError):
        review(game, deadline=lambda: True)


def test_a_cell_with_less_risk_is_named() -> None:
    # One mine is around the 1, the other one of the six cells further away.
    game = game_on("* . . . . *\n. . . . . .")
    game.reveal(Cell(1, 0), 0)
    game.reveal(Cell(2, 1), 0)
    *_, guess = judged(game)
    assert guess.risk == pytest.approx(1 / 5)
    assert guess.lowest == pytest.approx(1 / 6)
    assert guess.safer == Cell(3, 0)


def test_where_only_mines_are_left_no_cell_is_safer() -> None:
    field = parse_board("* . .\n. . .\n. . *")
    game = Game(Setup.of(field.size, rules=PRESETS["jminesweeper"], layout=field.mines))
    for cell in field.grid.cells(field.safe):
        game.reveal(cell, 0)
    game.reveal(Cell(0, 0), 0)
    last = judged(game)[-1]
    assert last.is_blunder
    assert (last.lowest, last.safer) == (1.0, None)


def test_stepping_on_a_sure_mine_is_a_blunder() -> None:
    game = game_on(". * .\n. . .")
    for cell in (Cell(0, 0), Cell(0, 1), Cell(2, 0), Cell(1, 1), Cell(2, 1), Cell(1, 0)):
        if game.status is Status.ONGOING:
            game.reveal(cell, 0)
    assert game.status is Status.WON
    game = game_on("* . .\n. . .\n. . *")
    for cell in (Cell(1, 0), Cell(0, 1), Cell(1, 1), Cell(2, 0), Cell(0, 0)):
        game.reveal(cell, 0)
    last = judged(game)[-1]
    assert last.is_blunder
    assert not last.survived


def test_a_coin_toss_is_a_guess_that_had_to_be() -> None:
    game = game_on("* . .\n. . .")
    game.reveal(Cell(2, 0), 0)
    game.reveal(Cell(0, 0), 0)
    result = review(game)
    toss = result.reveals[-1]
    assert (toss.risk, toss.lowest, toss.survived) == (0.5, 0.5, False)
    assert result.status is Status.LOST
    assert result.needless == ()
    assert result.exact
    first = 1 / 6
    assert result.survival == pytest.approx((1 - first) / 2)
    assert result.luck == result.survival
    assert result.expected_hits - result.hits == pytest.approx(first + 0.5 - 1)


def chorded(game: Game, number: Cell, flag: Cell) -> ReviewedReveal:
    game.flag(flag, 0)
    game.chord(number, 0)
    last = judged(game)[-1]
    assert last.kind is ActionKind.CHORD
    return last


def test_a_chord_on_one_cell_is_as_risky_as_that_cell() -> None:
    game = game_on("* . .\n. . .")
    game.reveal(Cell(2, 0), 0)
    last = chorded(game, Cell(1, 0), flag=Cell(0, 1))
    assert last.risk == pytest.approx(0.5)
    assert not last.survived


def test_a_chord_on_many_cells_is_as_risky_as_its_flags() -> None:
    game = game_on("* . . .\n. . . .\n. . . .")
    game.reveal(Cell(1, 1), 0)
    assert chorded(game, Cell(1, 1), flag=Cell(2, 2)).risk == pytest.approx(7 / 8)


def test_a_chord_on_flags_that_cannot_be_right_is_a_blunder() -> None:
    game = game_on(". . .\n* . .")
    for column in (0, 1):
        game.reveal(Cell(column, 0), 0)
    assert chorded(game, Cell(1, 0), flag=Cell(2, 1)).is_blunder


def test_a_chord_on_right_flags_is_no_guess() -> None:
    game = settled_game()
    last = chorded(game, Cell(0, 1), flag=Cell(0, 0))
    assert (last.risk, last.survived) == (0.0, True)


def test_a_mine_that_does_not_end_the_game_is_a_guess_that_hit() -> None:
    field = parse_board("* . .\n. . .\n. . *")
    rules = replace(CLASSIC, mine=MineEffect.PENALTY)
    game = Game(Setup.of(field.size, rules=rules, layout=field.mines))
    game.apply(Action(ActionKind.REVEAL, Cell(0, 0)), 0, author=1)
    # The penalty is for the other player.
    game.apply(Action(ActionKind.REVEAL, Cell(1, 0)), 0, author=2)
    result = review(game)
    assert [reveal.survived for reveal in result.guesses] == [False, True]
    assert (result.hits, result.status) == (1, Status.ONGOING)


def test_taking_back_does_not_undo_a_guess() -> None:
    game = game_on("* . .\n. . .")
    game.reveal(Cell(2, 0), 0)
    game.reveal(Cell(0, 0), 0)
    game.undo(0)
    game.reveal(Cell(0, 1), 0)
    result = review(game)
    assert [reveal.survived for reveal in result.reveals] == [True, False, True]
    assert result.status is Status.WON
    assert len(result.guesses) == 3


@pytest.mark.requirement("E:Statistics")
def test_a_game_of_the_solver_has_no_needless_guess() -> None:
    for seed in range(6):
        game = Game(Setup.of(Size(16, 16), 40, CLASSIC, seed=seed))
        solver = Solver()
        game.reveal(Cell(0, 0), 0)
        expected = []
        while game.status is Status.ONGOING:
            move = solver.choose(game.view)
            game.reveal(move.cell, 0)
            if move.risk:
                expected.append(move.risk)
        result = review(game)
        assert result.needless == ()
        assert [guess.risk for guess in result.guesses] == pytest.approx(expected)
        assert result.survival == pytest.approx(prod(1 - risk for risk in expected))


def test_a_first_reveal_that_was_taken_back_was_the_protected_one() -> None:
    game = Game(Setup.of(Size(9, 9), 10, CLASSIC, seed=1))
    game.reveal(Cell(0, 0), 0)
    game.undo(0)
    game.reveal(Cell(8, 8), 0)
    assert [reveal.risk for reveal in judged(game)] == pytest.approx([0.0, 10 / 81])
