"""`jminesweeper kata`: BOT mode in the 3x3 sandbox, and the numbered examples as a report."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click

from jminesweeper.cli.options import Number
from jminesweeper.client.capabilities import ColourChoice, has_unicode, is_dumb, wants_colour
from jminesweeper.core.minefield import RandomBits, seeded_bits
from jminesweeper.core.setup import SEED_BITS
from jminesweeper.kata import (
    BOMB_COUNTS,
    SCENARIOS,
    Bot,
    KataError,
    Mood,
    ReportLine,
    Sandbox,
    parse_bombs,
    random_bot,
    report_bot_game,
    report_scenarios,
    run_scenario,
)
from jminesweeper.solver.playing import Solver


def solver_bot(_random_bits: RandomBits) -> Bot:
    """Make a bot that steps where the solver would, without chance."""
    return lambda view: Solver().choose(view).cell


BOTS: Mapping[str, Callable[[RandomBits], Bot]] = {"random": random_bot, "solver": solver_bot}

EXAMPLES = """
\b
Examples:
  jminesweeper kata                           # a new game
  jminesweeper kata --seed 7 --bombs 3        # the same game each time
  jminesweeper kata --layout "b-b/---/--b"    # bombs of your own
  jminesweeper kata --scenarios --log report.txt
"""

_COLOURS = {Mood.GREEN: "green", Mood.RED: "red"}
_ASCII = {ord("\N{EN DASH}"): "-"}


def _read_layout(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> Sandbox | None:
    try:
        return None if text is None else Sandbox.of_bombs(parse_bombs(text))
    except KataError as error:
        raise click.BadParameter(str(error)) from error


@click.command("kata", epilog=EXAMPLES)
@click.option(
    "--bombs",
    type=click.Choice([str(count) for count in BOMB_COUNTS]),
    help="How many bombs to lay; either, when not given.",
)
@click.option(
    "--layout",
    "laid_out",
    metavar="TEXT",
    callback=_read_layout,
    help="The bombs themselves: rows of b and -, separated by slashes, as in --b/---/---.",
)
@click.option("--bot", type=click.Choice(list(BOTS)), help="Who plays.  [default: random]")
@click.option(
    "--seed",
    type=Number(0, (1 << SEED_BITS) - 1),
    help="Play the game of this seed again; a new one, when not given.",
)
@click.option(
    "--scenarios",
    is_flag=True,
    help="Play the kata's scenarios and examples instead, and report them green or red.",
)
@click.option(
    "--log",
    "log_path",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the report to this file as well, without colours.",
)
def kata_command(
    *,
    bombs: str | None,
    laid_out: Sandbox | None,
    bot: str | None,
    seed: int | None,
    scenarios: bool,
    log_path: Path | None,
) -> None:
    """Let a bot play the 3x3 kata, every move printed.

    The game continues until victory or game over. Squares are named x;y from the bottom-left.
    """
    if bombs and laid_out:
        raise click.UsageError("--layout has its own bombs: leave out --bombs.")
    if scenarios and (bombs or laid_out or bot or seed is not None):
        raise click.UsageError("--scenarios plays its own games: it goes with --log alone.")
    verdicts = [run_scenario(scenario) for scenario in SCENARIOS] if scenarios else []
    report = (
        report_scenarios(verdicts)
        if scenarios
        else _bot_game(bombs, laid_out, bot or "random", seed)
    )
    # Each line is printed as it comes, in colour where the terminal and its user want it.
    is_terminal = sys.stdout.isatty() and not is_dumb(os.environ)
    has_colour = wants_colour(ColourChoice.AUTO, os.environ, is_terminal=is_terminal)
    is_ascii, log = not has_unicode(sys.stdout.encoding), ""
    for line in report:
        text = line.text.translate(_ASCII) if is_ascii else line.text
        colour = _COLOURS.get(line.mood) if has_colour else None
        click.echo(click.style(text, fg=colour) if colour else text, color=has_colour)
        log += f"{line.text}\n"
    if log_path is not None:
        try:
            log_path.write_text(log, encoding="utf-8")
        except OSError as error:
            reason = f"cannot write {log_path}: {error.strerror}"
            raise click.ClickException(reason) from error
    if not all(verdict.is_green for verdict in verdicts):
        sys.exit(1)


def _bot_game(
    bombs: str | None, laid_out: Sandbox | None, bot: str, seed: int | None
) -> Iterator[ReportLine]:
    """Play one game; everything random follows from its seed."""
    if seed is None:
        seed = secrets.randbits(SEED_BITS)
    random_bits = seeded_bits(seed)
    # Drawn always, so that a seed means the same game with and without --bombs.
    count, layout = BOMB_COUNTS[random_bits(1)], random_bits(SEED_BITS)
    sandbox = laid_out or Sandbox.of_seed(int(bombs) if bombs else count, layout)
    yield ReportLine(f"Bot {bot}, seed {seed}")
    yield from report_bot_game(sandbox, BOTS[bot](random_bits))
