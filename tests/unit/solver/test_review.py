"""The review of a game that is over."""

from dataclasses import replace
from math import prod

import pytest

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, MineEffect
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.solver.hints import explain
from jminesweeper.solver.knowledge import OutOfTimeError
from jminesweeper.solver.playing import Solver
from jminesweeper.solver.review import ReviewedReveal, review
from tests.unit.core.boards import play

CLASSIC = PRESETS["classic"]
CORNER = "* . .\n. . ."
WIDE = "* . . .\n. . . .\n. . . ."
DIAGONAL = "* . .\n. . .\n. . *"
# The two 1s at the top see the same mine, so both cells on the right are safe.
BELOW = ". . .\n* . ."
FAR = "* . . . . *\n. . . . . ."
PAIR = ["reveal 0 0", "reveal 1 0"]
# After its only guess the mine in the corner is certain, and the rest safe.
SETTLED = ["reveal 2 0", "reveal 0 1"]
EVERY_SAFE_CELL = [
    *("reveal 1 0", "reveal 2 0", "reveal 0 1", "reveal 1 1"),
    *("reveal 2 1", "reveal 0 2", "reveal 1 2"),
]


def judged(game: Game) -> tuple[ReviewedReveal, ...]:
    return review(game).reveals


@pytest.mark.parametrize(
    ("board", "moves", "risk", "lowest", "safer"),
    [
        pytest.param("* .\n. .", ["reveal 1 1"], 0.25, 0.25, None, id="the first reveal"),
        pytest.param(DIAGONAL, [*SETTLED, "reveal 1 2"], 0, 0, None, id="a sure reveal"),
        pytest.param(BELOW, [*PAIR, "reveal 1 1"], 1 / 2, 0, (2, 0), id="not needed"),
        pytest.param(CORNER, ["reveal 2 0", "reveal 0 0"], 1 / 2, 1 / 2, None, id="a coin toss"),
        # One mine is around the 1, the other one of the six cells further away.
        pytest.param(
            FAR, ["reveal 1 0", "reveal 2 1"], 1 / 5, 1 / 6, (3, 0), id="less risk elsewhere"
        ),
        pytest.param(
            DIAGONAL, [*EVERY_SAFE_CELL[:4], "reveal 0 0"], 1, 0, (0, 2), id="a sure mine"
        ),
        pytest.param(
            CORNER, ["reveal 2 0", "flag 0 1", "chord 1 0"], 1 / 2, 1 / 2, None, id="chord, 1 cell"
        ),
        pytest.param(
            WIDE, ["reveal 1 1", "flag 2 2", "chord 1 1"], 7 / 8, 0, (3, 0), id="chord, many"
        ),
        pytest.param(
            BELOW, [*PAIR, "flag 2 1", "chord 1 0"], 1, 0, (2, 0), id="chord on wrong flags"
        ),
        pytest.param(
            DIAGONAL, [*SETTLED, "flag 0 0", "chord 0 1"], 0, 0, None, id="chord on right flags"
        ),
    ],
)
def test_a_reveal_is_judged_by_what_could_be_known(
    board: str, moves: list[str], risk: float, lowest: float, safer: tuple[int, int] | None
) -> None:
    game = play(board, "classic", *moves)
    last = judged(game)[-1]
    assert last.risk == pytest.approx(risk)
    assert last.lowest == pytest.approx(lowest)
    assert last.safer == safer
    assert last.survived is (game.status is not Status.LOST)
    assert (last.is_guess, last.is_blunder) == (risk > 0, risk == 1)
    assert last.is_needless is (risk > 0 and lowest == 0)
    assert (last.number, last.at_ms) == (len(moves) - 1, 1000 * (len(moves) - 1))
    assert last.kind is ActionKind[moves[-1].split()[0].upper()]


@pytest.mark.parametrize("first", [None, Cell(0, 0)])
def test_the_first_reveal_is_no_guess_where_the_mines_were_laid_around_it(
    first: Cell | None,
) -> None:
    game = Game(Setup.of(Size(3, 3), rules=CLASSIC, layout=0b100 << 8, first=first))
    game.reveal(Cell(0, 0), 0)
    assert len(review(game).guesses) == (0 if first else 1)


def test_the_first_reveal_is_none_where_the_rules_protect_it_though_it_is_taken_back() -> None:
    game = Game(Setup.of(Size(9, 9), 10, CLASSIC, seed=1))
    game.reveal(Cell(0, 0), 0)
    assert review(game).guesses == ()
    game.undo(0)
    game.reveal(Cell(8, 8), 0)
    assert [reveal.risk for reveal in judged(game)] == pytest.approx([0.0, 10 / 81])


def test_needless_guesses_are_explained_if_asked_for() -> None:
    game = play(BELOW, "classic", *PAIR, "reveal 1 1")
    reveals = review(game, explain=lambda view, _: explain(view).text).reveals
    # After the first 1 the mine count shows it, after the second the two numbers do.
    assert reveals[0].hint is None
    assert all((reveal.hint or "").startswith("Reveal (2,0): ") for reveal in reveals[1:])
    assert all(reveal.hint is None for reveal in judged(game))


def test_a_review_ends_when_time_is_up() -> None:
    with pytest.raises(OutOfTimeError):
        review(play(DIAGONAL, "classic", *SETTLED), deadline=lambda: True)


def test_where_only_mines_are_left_no_cell_is_safer() -> None:
    last = judged(play(DIAGONAL, "jminesweeper", *EVERY_SAFE_CELL, "reveal 0 0"))[-1]
    assert last.is_blunder
    assert (last.lowest, last.safer) == (1.0, None)


def test_a_game_is_as_lucky_as_its_guesses() -> None:
    result = review(play(CORNER, "classic", "reveal 2 0", "reveal 0 0"))
    first = 1 / 6
    assert (result.status, result.needless, result.exact) == (Status.LOST, (), True)
    assert result.survival == pytest.approx((1 - first) / 2)
    assert result.luck == result.survival
    assert result.expected_hits - result.hits == pytest.approx(first + 0.5 - 1)


def test_a_mine_that_does_not_end_the_game_is_a_guess_that_hit() -> None:
    game = play(DIAGONAL, replace(CLASSIC, mine=MineEffect.PENALTY))
    game.apply(Action(ActionKind.REVEAL, Cell(0, 0)), 0, author=1)
    # The penalty is for the other player.
    game.apply(Action(ActionKind.REVEAL, Cell(1, 0)), 0, author=2)
    result = review(game)
    assert [reveal.survived for reveal in result.guesses] == [False, True]
    assert (result.hits, result.status) == (1, Status.ONGOING)


def test_taking_back_does_not_undo_a_guess() -> None:
    result = review(play(CORNER, "classic", "reveal 2 0", "reveal 0 0", "undo", "reveal 0 1"))
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
