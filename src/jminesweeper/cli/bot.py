"""`jminesweeper bot`: the solver plays many games, and says how well."""

from __future__ import annotations

import json
import os
import secrets
import sys
from dataclasses import asdict

import click

from jminesweeper.cli.bot_show import show_game, watcher
from jminesweeper.cli.bot_visit import Visit, play_on_server, report_visit
from jminesweeper.cli.campaign import Campaign, Result, Score, play_campaign
from jminesweeper.cli.options import Number
from jminesweeper.client.address import Address
from jminesweeper.client.capabilities import is_dumb
from jminesweeper.client.errors import AddressError
from jminesweeper.core import DIFFICULTIES, Cell, FirstReveal, Level, Size
from jminesweeper.solver import PARTS, Contest, Opening

LEVELS = {level.name.lower(): level for level in Level}
_OPENINGS = {"safe": Opening.SAFE_CORNER, "zero": Opening.ZERO_INSIDE}
_SEED_BITS = 48


def _read_address(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> Address | None:
    try:
        return None if text is None else Address.parse(text)
    except AddressError as error:
        raise click.BadParameter(str(error)) from error


@click.command("bot")
@click.option(
    "--preset",
    type=click.Choice(list(DIFFICULTIES)),
    default="expert",
    show_default=True,
    help="The board; the next three change it.",
)
@click.option("--columns", type=Number(1, 255), help="Columns of the board.")
@click.option("--rows", type=Number(1, 255), help="Rows of the board.")
@click.option("--mines", type=Number(1), help="Mines on the board.")
@click.option("--games", type=Number(1), default=100, show_default=True, help="Games to play.")
@click.option(
    "--seed",
    type=Number(0),
    help="Play the boards of this seed and those that follow; new ones, when not given.",
)
@click.option(
    "--first-click",
    type=click.Choice(["off", "safe", "zero"]),
    default="safe",
    show_default=True,
    help="safe: in the corner; zero: at column 3, row 3 (from 0), with no mine around it.",
)
@click.option(
    "--strategy",
    type=click.Choice(list(PARTS)),
    default="full",
    show_default=True,
    help="How guesses are chosen, part by part.",
)
@click.option(
    "--jobs",
    type=Number(1),
    default=os.cpu_count() or 1,
    show_default="one for each processor",
    help="Processes that play.",
)
@click.option(
    "--host",
    "address",
    metavar="HOST[:PORT]",
    callback=_read_address,
    help="Play on a server, any that speaks the protocol, by what it shows.",
)
@click.option(
    "--wire",
    type=click.Choice(["auto", "1", "2"]),
    default="auto",
    show_default=True,
    help="With --host: which version of the protocol to speak.",
)
@click.option(
    "--level",
    type=click.Choice(list(LEVELS)),
    help="As many mines as this level has; with --host: the game of document J, not a classic one.",
)
@click.option(
    "--show", is_flag=True, help="Print every move and why it is made, and the board before it."
)
@click.option(
    "--speed",
    type=Number(1, 1000),
    default=4,
    show_default=True,
    help="With --show, on a terminal: moves a second.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result for programs.")
def bot_command(
    *,
    preset: str,
    columns: int | None,
    rows: int | None,
    mines: int | None,
    games: int,
    seed: int | None,
    first_click: str,
    strategy: str,
    jobs: int,
    address: Address | None,
    wire: str,
    level: str | None,
    show: bool,
    speed: int,
    as_json: bool,
) -> None:
    """Let the solver play many games, and see how many it wins."""
    if show and as_json:
        raise click.UsageError("--show is for people, --json for programs: one of them.")
    if wire != "auto" and address is None:
        raise click.UsageError("--wire says how to talk to a server: it goes with --host.")
    contest = contest_of(
        preset,
        columns=columns,
        rows=rows,
        mines=mines,
        first_click=first_click,
        level=LEVELS.get(level or ""),
    )
    is_terminal = sys.stdout.isatty() and not is_dumb(os.environ)
    watch = watcher(speed, is_terminal=is_terminal) if show else None
    first_seed = secrets.randbits(_SEED_BITS) if seed is None else seed
    if address is not None:
        visit = Visit(contest, games, wire, LEVELS.get(level or ""), seed)
        facts = play_on_server(address, visit, watch)
        click.echo(json.dumps(facts) if as_json else report_visit(address, facts))
        return
    if watch is not None:
        show_game(contest, first_seed, PARTS[strategy], watch)
        return
    campaign = Campaign(contest, first_seed, games, strategy)
    score = Score.of(play(campaign, jobs))
    click.echo(_to_json(campaign, score) if as_json else report(campaign, score))


def contest_of(
    preset: str,
    *,
    columns: int | None,
    rows: int | None,
    mines: int | None,
    first_click: str,
    level: Level | None,
) -> Contest:
    """Return the kind of game that the options describe."""
    difficulty = DIFFICULTIES[preset]
    size = Size(columns or difficulty.size.columns, rows or difficulty.size.rows)
    count = level.mines(size) if level else mines or difficulty.mine_count
    if count > size.most_mines:
        raise click.UsageError(
            f"A board of {size} holds 1 to {size.most_mines} mines, not {count}."
        )
    opening = _OPENINGS.get(first_click)
    if opening is None:
        return Contest(size, count, Cell(0, 0), FirstReveal.OFF)
    wanted = opening.contest(size, count)
    first = Cell(min(wanted.first.column, size.columns - 1), min(wanted.first.row, size.rows - 1))
    return Contest(size, count, first, wanted.protection)


def play(campaign: Campaign, jobs: int) -> list[Result]:
    """Play all games, with a progress bar where somebody watches."""
    results: list[Result] = []
    with click.progressbar(
        length=campaign.games, label="playing", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        for batch in play_campaign(campaign, jobs):
            results += batch
            bar.update(len(batch))
    return results


def _to_json(campaign: Campaign, score: Score) -> str:
    facts = {"seed": campaign.first_seed, "strategy": campaign.part, "rate": score.rate}
    return json.dumps({**facts, **asdict(score)})


def report(campaign: Campaign, score: Score) -> str:
    """Say in words how it went."""
    contest, first = campaign.contest, campaign.contest.first
    games = f"{score.games} games of {contest.size} with {contest.mine_count} mines"
    click_at = f"first click {contest.protection.value} at {first.column},{first.row}"
    rate, low, high = (f"{100 * share:.2f} %" for share in (score.rate, score.low, score.high))
    slow = f"99 % under {score.p99_ms:.0f} ms, worst {score.worst_ms:.0f} ms"
    lines = (
        f"{games}, {click_at}, seeds from {campaign.first_seed}",
        f"won {score.won}: {rate} (95 % between {low} and {high})",
        f"guesses {score.guesses_a_game:.2f} a game",
        f"time {score.mean_ms:.1f} ms a game, {slow}",
    )
    return "\n".join(lines)
