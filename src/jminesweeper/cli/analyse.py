"""`jminesweeper analyse`: which reveals of a game were guesses, and whether they had to be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from jminesweeper.cli.archives import (
    archive_option,
    describe,
    json_option,
    print_json,
    variant_to_json,
)
from jminesweeper.cli.finding import complete_game, find_game
from jminesweeper.cli.games import RESULTS
from jminesweeper.cli.stores import Place
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView
from jminesweeper.records.results import figures_by_name
from jminesweeper.session.analysis import report
from jminesweeper.session.figures import seconds
from jminesweeper.solver.hints import explain
from jminesweeper.solver.review import GameReview, ReviewedReveal, review
from jminesweeper.terminal.lines import page_lines, wrapped

_WIDTH: Final = 80


@click.command(
    "analyse",
    epilog="""
    \b
    Examples:
      jminesweeper analyse 7k3mz0q2va       a game of yours, as jminesweeper games lists it
      jminesweeper analyse game.rawvf       a video of another program
    """,
)
@click.argument("game", metavar="ID|FILE", shell_complete=complete_game)
@archive_option
@json_option
def analyse_command(*, game: str, store: Place, as_json: bool) -> None:
    """Show which reveals of a game were guesses, and how lucky it was.

    A reveal is judged by what could be known at that moment: the numbers shown and the mine count.
    """
    found = find_game(game, store)
    judged = review(found, explain=_hint)
    if as_json:
        print_json(_as_json(found, judged))
        return
    board, result = describe(found.setup.variant), RESULTS[found.status]
    click.echo(f"{board}: {result} after {seconds(found.elapsed_ms)}\n")
    for line in report(found, judged):
        parts = wrapped(line, _WIDTH) if isinstance(line, str) else [line]
        for part in page_lines(parts, _WIDTH):
            click.echo(part)


def _hint(view: PlayerView, near: Cell) -> str:
    """Explain what could be seen instead of a needless guess."""
    return explain(view, near).text


def _as_json(game: Game, judged: GameReview) -> Mapping[str, object]:
    variant = game.setup.variant
    return {
        **variant_to_json(variant),
        "result": RESULTS[game.status],
        "time_ms": game.elapsed_ms,
        "assisted": game.assisted,
        "repeat": variant.is_repeat,
        "exact": judged.exact,
        "reveals": len(judged.reveals),
        "guesses": [_guess_as_json(guess) for guess in judged.guesses],
        "needless": len(judged.needless),
        "survival": judged.survival,
        "hits": judged.hits,
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
        "hint": guess.hint,
    }
