"""`jminesweeper analyse`: which reveals of a game were guesses, and whether they had to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Final

import click

from jminesweeper.cli.archives import describe, json_option, print_json, store_option
from jminesweeper.cli.finding import Found, complete_game, find_game
from jminesweeper.cli.listing import RESULTS
from jminesweeper.cli.places import Place
from jminesweeper.core import Cell, Figures, Game, PlayerView, Status, format_rules, zini
from jminesweeper.session.figures import figures_by_name, percent, seconds, summarise
from jminesweeper.solver import (
    GameReview,
    ReviewedReveal,
    explain,
    review,
)
from jminesweeper.solver.sentences import counted, percent_in_tenths, place

_WIDTH: Final = 80
_INDENT: Final = " " * 8


@click.command(
    "analyse",
    context_settings={"max_content_width": 100},
    epilog="""
    \b
    Examples:
      jminesweeper analyse 7k3mz0q2va       a game of yours, as jminesweeper games lists it
      jminesweeper analyse game.rawvf       a video of another program
    """,
)
@click.argument("game", metavar="ID|FILE", shell_complete=complete_game)
@store_option
@json_option
def analyse_command(*, game: str, store: Place, as_json: bool) -> None:
    """Tell which reveals of a game were guesses, and how lucky it was.

    A reveal is judged by what could be known at that moment: the numbers shown and the mine count.
    """
    found = find_game(game, store)
    setup, log = found.game.setup, found.game.log
    judged = review(setup, log, is_no_guess=found.variant.is_no_guess, explain=_hint)
    if as_json:
        print_json(_as_json(found, judged))
        return
    for line in report(found, judged):
        click.echo(line)


def report(found: Found, judged: GameReview) -> Iterator[str]:
    """Tell in lines what a review came to."""
    status = found.game.status
    board = describe(found.variant)
    yield f"{board}: {RESULTS[status]} after {seconds(found.game.elapsed_ms)}"
    yield ""
    if judged.guesses:
        yield "Reveals that might have hit a mine:"
        yield _row("action", "time", "what", "risk")
        for guess in judged.guesses:
            yield from _guess_lines(guess)
        yield ""
    yield from _totals(judged)
    # The figures of a game that goes on would tell where its mines are.
    if status.is_over:
        yield ""
        yield from summarise(found.game)
        yield from _more_figures(Figures.of(found.game))
        if (clicks := _zini(found.game)) is not None:
            yield f"ZiNi {clicks}"


def _guess_lines(guess: ReviewedReveal) -> Iterator[str]:
    what = f"{guess.kind.name.lower()} {guess.cell.column} {guess.cell.row}"
    number, risk = str(guess.number + 1), percent_in_tenths(guess.risk)
    yield f"{_row(number, seconds(guess.at_ms), what, risk)}  {_outcome(guess)}"
    if guess.hint is not None:
        yield from wrap(guess.hint, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)


def _hint(view: PlayerView, near: Cell) -> str:
    """Say what there was to see, where a guess was not needed."""
    return explain(view, near).text


def _row(number: str, time: str, what: str, risk: str) -> str:
    return f"{number:>6} {time:>10}  {what:<14} {risk:>8}"


def _outcome(guess: ReviewedReveal) -> str:
    mine = "a sure mine" if guess.is_blunder else "a mine"
    told = "survived" if guess.survived else f"hit {mine}"
    if guess.is_needless:
        return f"{told}, without need:"
    if guess.safer is None:
        return told
    return f"{told}; only {percent_in_tenths(guess.lowest)} at {place(guess.safer)}"


def _totals(judged: GameReview) -> Iterator[str]:
    reveals, guesses = len(judged.reveals), len(judged.guesses)
    told = f"{counted(reveals, 'reveal')}, {counted(guesses, 'guess', 'guesses')}"
    if not guesses:
        yield told
    else:
        yield f"{told}, {len(judged.needless) or 'none'} of them needless"
        hits = counted(_hits(judged), "mine")
        yield f"chance to survive all guesses {percent_in_tenths(judged.survival)}"
        yield (
            f"luck {judged.luck:+z.2f}: hit {hits}, where such guesses hit "
            f"{judged.expected_hits:.2f} on average"
        )
    if not judged.exact:
        yield "a position was too large to count: some figures are estimates"


def _more_figures(figures: Figures) -> Iterator[str]:
    """Write the figures for which the end of a game has no room on the screen."""
    if figures.correctness is not None and figures.throughput is not None:
        yield f"correctness {percent(figures.correctness)}, throughput {figures.throughput:.2f}"
    if figures.estimated_ms is not None and figures.status is not Status.WON:
        yield f"estimated time {seconds(figures.estimated_ms)}"
    if figures.rqp is not None and figures.qg is not None:
        yield f"RQP {figures.rqp:.2f}, QG {figures.qg:.2f}"


def _hits(judged: GameReview) -> int:
    return sum(not guess.survived for guess in judged.guesses)


def _as_json(found: Found, judged: GameReview) -> Mapping[str, object]:
    game, setup = found.game, found.game.setup
    return {
        "label": found.label,
        "rules": format_rules(setup.rules),
        "columns": setup.size.columns,
        "rows": setup.size.rows,
        "mines": setup.mine_count,
        "result": RESULTS[game.status],
        "time_ms": game.elapsed_ms,
        "assisted": game.assisted,
        "repeat": found.is_repeat,
        "exact": judged.exact,
        "reveals": len(judged.reveals),
        "guesses": [_guess_as_json(guess) for guess in judged.guesses],
        "needless": len(judged.needless),
        "survival": judged.survival,
        "hits": _hits(judged),
        "expected_hits": judged.expected_hits,
        "luck": judged.luck,
        "figures": _all_figures(game) if game.status.is_over else None,
    }


def _all_figures(game: Game) -> Mapping[str, float]:
    clicks = _zini(game)
    return {**figures_by_name(game), **({} if clicks is None else {"zini": clicks})}


def _zini(game: Game) -> int | None:
    """Return the ZiNi of the board, where the rules have the chords that it counts with."""
    rules = game.setup.rules
    return zini(game.reveal_truth(), rules) if rules.chording else None


def _guess_as_json(guess: ReviewedReveal) -> Mapping[str, object]:
    return {
        "action": guess.number + 1,
        "at_ms": guess.at_ms,
        "kind": guess.kind.name.lower(),
        "column": guess.cell.column,
        "row": guess.cell.row,
        "risk": guess.risk,
        "least_risk": guess.lowest,
        "needless": guess.is_needless,
        "survived": guess.survived,
        "hint": guess.hint,
    }
