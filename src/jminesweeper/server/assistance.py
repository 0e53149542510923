"""The work of the worker processes: the solver's part in a game.

A request that cannot be met in its time is answered with None. Any other error is the server's to
log: what a worker logs itself would not look like the server's lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from time import monotonic
from typing import Final, TypeVar

from jminesweeper.core.errors import SolverError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import RandomBits, seeded_bits
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView
from jminesweeper.protocol.view import Listing
from jminesweeper.records.reviews import Verdict
from jminesweeper.session.analysis import report
from jminesweeper.session.figures import Rival, rival_of
from jminesweeper.session.reply import (
    Analyse,
    FindHint,
    FindOdds,
    FindSolved,
    FoundHint,
    FoundOdds,
    FoundReview,
    FoundSolved,
    LayBoard,
    PlayBoard,
    RaceSolver,
    Review,
)
from jminesweeper.solver.hints import explain, next_solved, odds_near, percent
from jminesweeper.solver.knowledge import Deadline, check
from jminesweeper.solver.no_guess import generate_no_guess
from jminesweeper.solver.playing import Solver
from jminesweeper.solver.reasoning import cells_of
from jminesweeper.solver.review import review

MOST_REVIEWED_ACTIONS: Final = 5_000
"""Longer games are for `jminesweeper analyse`, which may take its time."""

MOST_GUESSES: Final = 50
"""Lines of an analysis, one for each guess."""


ANALYSIS_S: Final = 5.0
"""The longest wait for an analysis."""

HINT_S: Final = 1.0
"""The longest wait for a hint; then it is the best found around the cursor so far."""

Request = TypeVar("Request")
Answer = TypeVar("Answer")


def _or_none(
    task: Callable[[Request, float], Answer | None],
) -> Callable[[Request, float], Answer | None]:
    """Answer None where the solver says that it cannot."""

    @wraps(task)
    def answer(request: Request, limit_s: float) -> Answer | None:
        try:
            return task(request, limit_s)
        except SolverError:
            return None

    return answer


@_or_none
def find_hint(request: FindHint, limit_s: float) -> FoundHint | None:
    """Find the next step and say why, within a second on any board."""
    hint = explain(request.view, request.cursor, _deadline(min(limit_s, HINT_S)))
    why = (cell for cell in cells_of(hint.argument) if cell != hint.cell)
    return FoundHint(hint.text, hint.cell, tuple(dict.fromkeys(why)))


@_or_none
def find_odds(request: FindOdds, limit_s: float) -> FoundOdds | None:
    """Find the chances around the cursor, within a second on any board."""
    odds = odds_near(request.view, request.cursor, _deadline(min(limit_s, HINT_S)))
    return FoundOdds(odds.percents, odds.is_exact)


@_or_none
def find_solved(request: FindSolved, _limit_s: float) -> FoundSolved | None:
    """Find the next cell that simple rules decide."""
    solved = next_solved(request.view, request.cursor)
    return FoundSolved(None) if solved is None else FoundSolved(solved.cell, solved.is_mine)


@_or_none
def lay_board(request: LayBoard, limit_s: float) -> int | None:
    """Lay a board on which certain steps alone lead from the first reveal to the end."""
    if request.setup.seed is None or not request.setup.variant.safe_count:
        return None
    setup = replace(request.setup, first=request.first)
    return generate_no_guess(setup, _deadline(limit_s)).setup.minefield().mines


@_or_none
def race(request: RaceSolver, limit_s: float) -> Rival | None:
    """Play a board by the solver, as the rival of a player who races alone."""
    random_bits = seeded_bits(request.setup.seed or 0)
    game = _play(request.setup, request.pace_ms, random_bits, _deadline(limit_s))
    return rival_of(game, request.name, is_bot=True)


@_or_none
def play_board(request: PlayBoard, limit_s: float) -> tuple[int, ...] | None:
    """Play a board by the solver, as a player in a race."""
    random_bits = seeded_bits(request.seed)
    game = _play(request.setup, request.pace_ms, random_bits, _deadline(limit_s))
    return tuple(game.log.entries)


def _play(setup: Setup, pace_ms: int, random_bits: RandomBits, deadline: Deadline) -> Game:
    """Play a board by the solver at a person's pace; a guess takes twice as long."""
    game, solver = Game(setup), Solver(setup.rules)
    at_ms, cell = 0, setup.first or Cell(0, 0)
    game.reveal(cell)
    while not game.status.is_over:
        check(deadline)
        move = solver.choose(game.view, cell)
        cell = move.cell
        at_ms = max(at_ms, game.blocked_until_ms())
        at_ms += pace_ms * (50 + random_bits(16) % 101) // 100 * (2 if move.risk else 1)
        game.apply(move.action, at_ms)
    return game


@_or_none
def look_back(request: Review, limit_s: float) -> FoundReview | None:
    """Judge a finished game: in a line or two for the end screen, and for its record."""
    if len(request.entries) > MOST_REVIEWED_ACTIONS:
        return None
    judged = review(Game.replay(request.setup, request.entries), deadline=_deadline(limit_s))
    needless = tuple(guess.number for guess in judged.needless)
    figures: tuple[tuple[str, str], ...] = (("guesses", "0"),)
    if judged.guesses:
        figures = (("guesses", f"{len(judged.guesses)}, needless {len(needless)}"),)
    if len(judged.guesses) > len(needless):
        told = f"{percent(judged.luck)}, the chance to survive forced guesses"
        figures = (*figures, ("luck", told))
    return FoundReview(figures, Verdict(judged.luck, needless, judged.exact))


@_or_none
def analyse(request: Analyse, limit_s: float) -> tuple[str | Listing, ...]:
    """Judge a finished game in full, with what could be seen where a guess was needless."""
    limit_s = min(limit_s, ANALYSIS_S)
    deadline = _deadline(limit_s)

    def explained(view: PlayerView, near: Cell) -> str:
        check(deadline)
        return explain(view, near, deadline).text

    game = Game.replay(request.setup, request.entries)
    judged = review(game, explain=explained, deadline=deadline)
    return tuple(report(game, judged, most=MOST_GUESSES))


def _deadline(limit_s: float) -> Deadline:
    end_s = monotonic() + limit_s
    return lambda: monotonic() > end_s
