"""`jminesweeper analyse`: which reveals of a game were guesses, and whether they had to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from jminesweeper.cli.archives import json_option, print_json, printable, store_option
from jminesweeper.cli.finding import Found, find_game
from jminesweeper.cli.listing import RESULTS
from jminesweeper.session.pages import seconds
from jminesweeper.session.summary import figures_by_name, summarise
from jminesweeper.solver import (
    GameReview,
    ReviewedReveal,
    review,
)

_EQUAL = 1e-9


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
@click.argument("game", metavar="ID|FILE")
@store_option
@json_option
def analyse_command(*, game: str, store: Path, as_json: bool) -> None:
    """Tell which reveals of a game were guesses, and how lucky it was.

    A reveal is judged by what could be known at that moment: the numbers shown and the mine count.
    """
    found = find_game(game, store)
    judged = review(found.game.setup, found.game.log)
    if as_json:
        print_json(_as_json(found, judged))
        return
    for line in report(found, judged):
        click.echo(line)


def report(found: Found, judged: GameReview) -> Iterator[str]:
    """Tell in lines what a review came to."""
    setup, status = found.game.setup, found.game.status
    mines = f"{setup.mine_count} mine{'s' if setup.mine_count > 1 else ''}"
    board = f"{found.label}, {mines}, {setup.rules.name} rules"
    yield f"{printable(board)}: {RESULTS[status]} after {seconds(found.game.elapsed_ms)}"
    yield ""
    if judged.guesses:
        yield "action       time  what               risk    least"
        yield from map(_guess_line, judged.guesses)
        yield ""
    yield from _totals(judged)
    # The figures of a game that goes on would tell where its mines are.
    if status.is_over:
        yield ""
        yield from summarise(found.game, is_repeat=found.is_repeat)


def _guess_line(guess: ReviewedReveal) -> str:
    what = f"{guess.kind.name.lower()} {guess.cell.column} {guess.cell.row}"
    figures = f"{guess.risk:>7.1%}  {guess.lowest:>7.1%}"
    end = "survived" if guess.survived else "hit a mine"
    remark = _remark(guess)
    told = f"{end}: {remark}" if remark else end
    return f"{guess.number + 1:>6} {seconds(guess.at_ms):>10}  {what:<14}  {figures}  {told}"


def _remark(guess: ReviewedReveal) -> str:
    if guess.is_blunder:
        return "it had to be one"
    if guess.is_needless:
        return "a sure cell was there to be found"
    return "" if guess.risk <= guess.lowest + _EQUAL else "a safer cell was there"


def _totals(judged: GameReview) -> Iterator[str]:
    counts = (len(judged.reveals), len(judged.guesses), len(judged.needless))
    yield "reveals {}, guesses {}, of which needless {}".format(*counts)
    if judged.guesses:
        expected = f"expected {judged.expected_hits:.2f}"
        yield f"chance to survive all guesses {judged.survival:.1%}"
        yield f"mines hit {_hits(judged)}, {expected}: luck {judged.luck:+z.2f}"
    if not judged.exact:
        yield "a position was too large to count: some figures are estimates"


def _hits(judged: GameReview) -> int:
    return sum(not guess.survived for guess in judged.guesses)


def _as_json(found: Found, judged: GameReview) -> Mapping[str, object]:
    game, setup = found.game, found.game.setup
    return {
        "label": found.label,
        "rules": setup.rules.name,
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
        "figures": figures_by_name(game) if game.status.is_over else None,
    }


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
    }
