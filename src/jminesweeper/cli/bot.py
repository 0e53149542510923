"""`jminesweeper bot`: the solver plays many games, and shows how well."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
import time
from dataclasses import asdict, replace

import click
from click.core import ParameterSource

from jminesweeper.bot.campaign import Campaign, CampaignGame, CampaignScore, play_campaign
from jminesweeper.bot.errors import BotError
from jminesweeper.bot.on_server import Report, ServerGames, play_on_server
from jminesweeper.bot.playing import GameOutcome, LocalGame, Watch, play_out
from jminesweeper.cli.options import LEVEL, pyte_is_needed
from jminesweeper.client.address import Address
from jminesweeper.client.capabilities import is_dumb
from jminesweeper.client.errors import AddressError
from jminesweeper.client.profile import Wire
from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.dealing import Contest, Opening
from jminesweeper.solver.playing import Decision
from jminesweeper.solver.sentences import percent, place
from jminesweeper.solver.strategy import PARTS, Strategy

_OPENINGS = {"safe": Opening.SAFE_CORNER, "zero": Opening.ZERO_INSIDE}
_SEED_BITS = 48


def _read_level(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> Level | None:
    return None if text is None else Level.parse(text)


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
    type=click.Choice(list(CLASSIC_BOARDS)),
    default="expert",
    show_default=True,
    help="The board, unless the next options describe another one.",
)
@click.option("--columns", type=click.IntRange(1, 255), help="Columns of the board.")
@click.option("--rows", type=click.IntRange(1, 255), help="Rows of the board.")
@click.option("--mines", type=click.IntRange(1), help="Mines on the board.")
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="Games to play."
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="Play the boards of this seed and the next ones; without it, new boards.",
)
@click.option(
    "--first-click",
    type=click.Choice(["off", "safe", "zero"]),
    default="safe",
    show_default=True,
    help="safe: in the corner; zero: near it, with no mine around.",
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
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default="one for each processor",
    help="Processes that play.",
)
@click.option(
    "--host",
    "address",
    metavar="[tls://]HOST[:PORT]",
    callback=_read_address,
    help="Play on a server, any that speaks the protocol, by what it shows.",
)
@click.option(
    "--wire",
    type=click.Choice([wire.value for wire in Wire]),
    default=Wire.AUTO.value,
    show_default=True,
    help="With --host: which version of the protocol to speak.",
)
@click.option(
    "--level",
    type=LEVEL,
    callback=_read_level,
    help="As many mines as this level has; with --host: the game of document J, not a classic one.",
)
@click.option(
    "--show", is_flag=True, help="Print every move and why it is made, and the board before it."
)
@click.option(
    "--speed",
    type=click.IntRange(1, 1000),
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
    level: Level | None,
    show: bool,
    speed: int,
    as_json: bool,
) -> None:
    """Let the solver play many games, and see how many it wins."""
    if show and as_json:
        raise click.UsageError("--show and --json exclude each other.")
    if wire != Wire.AUTO.value and address is None:
        raise click.UsageError("--wire needs --host.")
    if _is_given("preset") and (columns or rows or mines or level):
        raise click.UsageError("A preset sets its own rows, columns and mines.")
    if level and mines:
        raise click.UsageError("The level sets the number of mines; give one or the other.")
    contest = contest_of(
        preset,
        columns=columns,
        rows=rows,
        mines=mines,
        first_click=first_click,
        level=level,
    )
    is_terminal = sys.stdout.isatty() and not is_dumb(os.environ)
    watch = watcher(speed, is_terminal=is_terminal) if show else None
    first_seed = secrets.randbits(_SEED_BITS) if seed is None else seed
    if address is not None:
        games_there = ServerGames(contest, games, Wire(wire), level, seed)
        report_there = play_there(address, games_there, watch)
        facts = report_there.facts()
        click.echo(json.dumps(facts) if as_json else describe_report(address, report_there))
        return
    if watch is not None:
        show_game(contest, first_seed, PARTS[strategy], watch)
        return
    campaign = Campaign(contest, first_seed, games, strategy)
    score = CampaignScore.of(play(campaign, jobs))
    click.echo(_to_json(campaign, score) if as_json else report(campaign, score))


def _is_given(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is not ParameterSource.DEFAULT


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
    board = CLASSIC_BOARDS[preset]
    size = Size(columns or board.size.columns, rows or board.size.rows)
    count = level.mines(size) if level else mines or board.mine_count
    if count > size.most_mines:
        raise click.UsageError(
            f"A board of {size} holds 1 to {size.most_mines} mines, not {count}."
        )
    opening = _OPENINGS.get(first_click)
    if opening is None:
        return Contest(size, count, Cell(0, 0), FirstReveal.OFF)
    return opening.contest(size, count)


def play(campaign: Campaign, jobs: int) -> list[CampaignGame]:
    """Play all games, with a progress bar on a terminal."""
    results: list[CampaignGame] = []
    with click.progressbar(
        length=campaign.games, label="playing", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        for batch in play_campaign(campaign, jobs):
            results += batch
            bar.update(len(batch))
    return results


def _to_json(campaign: Campaign, score: CampaignScore) -> str:
    facts = {"seed": campaign.first_seed, "strategy": campaign.part, "rate": score.rate}
    return json.dumps({**facts, **asdict(score)})


def report(campaign: Campaign, score: CampaignScore) -> str:
    """Describe the result in words."""
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


def play_there(address: Address, games: ServerGames, watch: Watch | None) -> Report:
    """Play on a server; shown moves are followed by how each game ended."""
    finished = None if watch is None else show_end
    try:
        with pyte_is_needed("To read the screens of version 1"):
            return asyncio.run(play_on_server(address, games, watch, finished))
    except BotError as error:
        raise click.ClickException(str(error)) from error


def describe_report(address: Address, report: Report) -> str:
    """Describe in words what was played on a server."""
    facts = report.facts()
    return (
        f"{address}, version {facts['wire']} of the protocol: won {facts['won']} of "
        f"{facts['games']} games with {facts['moves']} moves, {facts['guesses']} of them guesses"
    )


def watcher(moves_per_s: float, *, is_terminal: bool) -> Watch:
    """Return what shows moves: at a readable pace on a terminal, at once elsewhere."""

    def show(move: Decision, view: PlayerView) -> None:
        # Each board replaces the one before.
        click.clear()
        show_move(move, view)
        time.sleep(1 / moves_per_s)

    return show if is_terminal else show_move


def show_move(move: Decision, view: PlayerView) -> None:
    """Print the board, and below it the next move and its reason."""
    click.echo(_spaced(view))
    click.echo(f"{move.kind.name.lower()} {place(move.cell)}: {_reason(move, view)}\n")


def show_game(contest: Contest, seed: int, strategy: Strategy, watch: Watch) -> None:
    """Play one game here, and show its moves and its end."""
    rules = replace(PRESETS["classic"], first_reveal=contest.protection, chording=False)
    game = Game(Setup.of(contest.size, contest.mine_count, rules, seed=seed % (1 << SEED_BITS)))
    game.reveal(contest.first)
    playing = play_out(LocalGame(game), rules, watch, near=contest.first, strategy=strategy)
    outcome = asyncio.run(playing)
    click.echo(_spaced(game.view))
    show_end(outcome, f", seed {seed}")


def show_end(outcome: GameOutcome, remark: str = "") -> None:
    """Print how a game ended."""
    moves = "1 move" if outcome.moves == 1 else f"{outcome.moves} moves"
    click.echo(f"{outcome.status.value} after {moves}{remark}")


def _reason(move: Decision, view: PlayerView) -> str:
    if move.kind is ActionKind.FLAG:
        return "no mine is here" if view.is_flagged(move.cell) else "it must be a mine"
    risk = f" (risk {percent(move.risk)})" if move.risk else ""
    return f"{move.reason.value}{risk}"


def _spaced(view: PlayerView) -> str:
    return "\n".join(" ".join(row) for row in str(view).splitlines())
