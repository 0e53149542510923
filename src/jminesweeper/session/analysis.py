"""The analysis of a finished game in words: its guesses, its luck, its figures.

Only workers import this: the server's own process never imports the solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jminesweeper.core.game import Game
from jminesweeper.core.view import Status
from jminesweeper.protocol.view import Listing
from jminesweeper.recordings.figures import Figures
from jminesweeper.session.figures import summarise
from jminesweeper.session.messages import percent, seconds
from jminesweeper.solver.hints import counted, percent_in_tenths, place
from jminesweeper.solver.review import GameReview, ReviewedReveal

_HEAD: Final = ("", "risk", "time", "outcome")


def report(game: Game, judged: GameReview, *, most: int | None = None) -> Iterator[str | Listing]:
    """Write the lines of a review, with a row for each guess."""
    if judged.guesses:
        yield from _guesses(judged.guesses[:most])
        if more := len(judged.guesses[most:]) if most is not None else 0:
            yield f"and {more} more"
        yield ""
    yield from _totals(judged)
    # The figures of a running game would reveal where its mines are.
    if game.status.is_over:
        yield ""
        yield from map(" ".join, summarise(game))
        # The figures that do not fit the end of a game's screen.
        figures = Figures.of(game)
        if figures.correctness is not None and figures.throughput is not None:
            yield f"correctness {percent(figures.correctness)}, throughput {figures.throughput:.2f}"
        if figures.estimated_ms is not None and figures.status is not Status.WON:
            yield f"estimated time {seconds(figures.estimated_ms)}"
        if figures.rqp is not None and figures.qg is not None:
            yield f"RQP {figures.rqp:.2f}, QG {figures.qg:.2f}"


def _guesses(guesses: Sequence[ReviewedReveal]) -> Iterator[str | Listing]:
    """List guesses, and below them what could be seen instead of the needless ones."""
    yield "Reveals that might have hit a mine:"
    yield Listing(_HEAD, tuple(map(_row, guesses)))
    hints = [f"{_name(guess)}: {guess.hint}" for guess in guesses if guess.hint is not None]
    if hints:
        yield from ("", "What there was to see instead:", *hints)


def _row(guess: ReviewedReveal) -> tuple[str, ...]:
    told = (
        "survived" if guess.survived else f"hit {'a sure mine' if guess.is_blunder else 'a mine'}"
    )
    if guess.is_needless:
        told += ", without need"
    elif guess.safer is not None:
        told += f"; only {percent_in_tenths(guess.lowest)} at {place(guess.safer)}"
    return (
        f"{_name(guess)}: {guess.kind.name.lower()} {place(guess.cell)}",
        percent_in_tenths(guess.risk),
        seconds(guess.at_ms),
        told,
    )


def _name(guess: ReviewedReveal) -> str:
    return f"action {guess.number + 1}"


def _totals(judged: GameReview) -> Iterator[str]:
    reveals, guesses = len(judged.reveals), len(judged.guesses)
    told = f"{counted(reveals, 'reveal')}, {counted(guesses, 'guess', 'guesses')}"
    if not guesses:
        yield told
    else:
        yield f"{told}, {len(judged.needless) or 'none'} of them needless"
        hits = counted(judged.hits, "mine")
        yield f"chance to survive all guesses {percent_in_tenths(judged.survival)}"
        yield f"luck {percent_in_tenths(judged.luck)}: the chance to survive those that were forced"
        yield f"hit {hits}, where such guesses hit {judged.expected_hits:.2f} on average"
    if not judged.exact:
        yield "a position was too large to count: some figures are estimates"
