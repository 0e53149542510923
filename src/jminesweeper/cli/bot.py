"""`jminesweeper bot`: the solver plays many games, and shows how well, or how."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from functools import partial
from multiprocessing import active_children
from typing import Any, TypeAlias, TypeVar

import click
from click.core import ParameterSource

from jminesweeper.bot.link import BotError
from jminesweeper.bot.playing import (
    Campaign,
    CampaignGame,
    CampaignScore,
    Report,
    ServerGames,
    Watcher,
    play_campaign,
    play_here,
    play_on_server,
    play_rounds,
)
from jminesweeper.bot.remote import connect
from jminesweeper.bot.show import LiveGame, LiveShow, Printer, ShownMove, Tempo
from jminesweeper.cli.options import LEVEL, Name, Number, ServerAddress
from jminesweeper.cli.replay import find_chances
from jminesweeper.cli.terminals import canvas_of, is_on_terminal
from jminesweeper.client.address import Address
from jminesweeper.client.events import Leave
from jminesweeper.client.own_files import OwnFileError, bindings_path, read_bindings
from jminesweeper.client.shell import Shell, TerminalError, Tty
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import FirstReveal, Level
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.replay import ReplayViewer
from jminesweeper.solver.guess import Strategy
from jminesweeper.solver.no_guess import Contest, Opening
from jminesweeper.terminal.keys import KeyMap

_T = TypeVar("_T")
Play: TypeAlias = Callable[[Watcher], Coroutine[Any, Any, object]]
"""Plays all games for somebody who watches."""

_OPENINGS = {"safe": Opening.SAFE_CORNER, "zero": Opening.ZERO_INSIDE}
_SEED_BITS = 48


@click.command("bot")
@click.option(
    "--preset",
    type=click.Choice(list(CLASSIC_BOARDS)),
    default="expert",
    help="The board, unless the next options describe another one.",
)
@click.option("--columns", type=Number(1, 255), help="Columns of the board.")
@click.option("--rows", type=Number(1, 255), help="Rows of the board.")
@click.option("--mines", type=Number(1), help="Mines on the board.")
@click.option("--games", type=Number(1), default=100, help="Games to play.")
@click.option(
    "--seed",
    type=Number(0),
    help="Play the boards of this seed and the next ones; without it, new boards.",
)
@click.option(
    "--first-click",
    type=click.Choice(["off", "safe", "zero"]),
    default="safe",
    help="safe: in the corner; zero: near it, with no mine around.",
)
@click.option(
    "--strategy",
    type=click.Choice([strategy.value for strategy in Strategy]),
    default="full",
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
    type=ServerAddress(),
    metavar="[tls://]HOST[:PORT]",
    help="Play on a server that speaks version 2 of the protocol.",
)
@click.option(
    "--level",
    type=LEVEL,
    callback=lambda _context, _option, text: None if text is None else Level.parse(text),
    help="As many mines as this level has; with --host: by the rules jminesweeper, not classic.",
)
@click.option(
    "--show",
    is_flag=True,
    help="Show the games, with the reason for every move, until q is pressed.",
)
@click.option(
    "--pace",
    type=click.Choice([pace.word for pace in Tempo]),
    default=Tempo.BRISK.word,
    help="With --show, on a terminal, and with --join: 0.5, 4 or 64 moves a second.",
)
@click.option(
    "--join",
    "room",
    type=Name(),
    metavar="CODE",
    help="With --host: play the rounds of a room, beside people or other bots.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result for programs.")
def bot_command(**given: Any) -> None:
    """Let the solver play many games, and see how many it wins."""
    address, level, show, as_json = (
        given[name] for name in ("address", "level", "show", "as_json")
    )
    size = {name: given[name] for name in ("columns", "rows", "mines")}
    if show and as_json:
        raise click.UsageError("--show and --json exclude each other.")
    pace = Tempo[given["pace"].upper()]
    if given["room"] is not None:
        _run(_play_in_room(address, given["room"], pace))
        return
    if _is_given("preset") and (level or any(size.values())):
        raise click.UsageError("A preset sets its own rows, columns and mines.")
    if level and given["mines"]:
        raise click.UsageError("The level sets the number of mines; give one or the other.")
    contest = contest_of(given["preset"], first_click=given["first_click"], level=level, **size)
    seed, strategy = given["seed"], Strategy(given["strategy"])
    first_seed = secrets.randbits(_SEED_BITS) if seed is None else seed
    is_watched = show and is_on_terminal()
    count = given["games"] if not show or is_watched or _is_given("games") else 1
    there = ServerGames(contest, count, level, seed)
    play: Play = partial(_play_here, contest, first_seed, strategy, count)
    if address is not None:
        play = partial(play_on_server, address, there)
    if is_watched:
        where = "" if address is None else f" on {address}"
        title = f"bot {contest.size}, {contest.mine_count} mines{where}"
        sys.exit(_run(_show(contest, title, pace, play)))
    elif show:
        _run(play(Printer(click.echo)))
    elif address is not None:
        played = _run(play_on_server(address, there))
        click.echo(json.dumps(played.facts()) if as_json else describe_report(address, played))
    else:
        campaign = Campaign(contest, first_seed, count, strategy)
        score = CampaignScore.of(play_all(campaign, given["jobs"]))
        click.echo(_to_json(campaign, score) if as_json else report(campaign, score))


async def _play_in_room(address: Address | None, room: str, pace: Tempo) -> None:
    if address is None:
        raise click.UsageError("--join needs --host.")
    async with connect(str(address), room=room, name="Solver") as game:
        click.echo(f"In room {game.code}; Ctrl-C leaves it.")
        async for outcome in play_rounds(game, 1 / pace.value):
            click.echo(f"{outcome.status.value} with {outcome.moves} moves")


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
        raise click.UsageError(f"{size.refuse_mines(count)}.")
    opening = _OPENINGS.get(first_click)
    if opening is None:
        return Contest(size, count, Cell(0, 0), FirstReveal.OFF)
    return opening.contest(size, count)


def play_all(campaign: Campaign, jobs: int) -> list[CampaignGame]:
    """Play all games, with a progress bar on a terminal."""
    ended: list[int] = []

    def end(number: int, _frame: object) -> None:
        # An error raised here could find the pool with a lock in its hand: its end is waited for.
        ended.append(number)
        players = active_children()
        for process in players:
            process.terminate()
        if not players:
            sys.exit(128 + number)

    signal.signal(signal.SIGTERM, end)
    try:
        with click.progressbar(
            play_campaign(campaign, jobs),
            length=campaign.games,
            label="playing",
            file=sys.stderr,
            hidden=not sys.stderr.isatty(),
        ) as results:
            return list(results)
    except BrokenProcessPool:
        if not ended:
            raise
        sys.exit(128 + ended[0])


def _to_json(campaign: Campaign, score: CampaignScore) -> str:
    facts = {"seed": campaign.first_seed, "strategy": campaign.strategy.value, "rate": score.rate}
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


def _run(playing: Coroutine[Any, Any, _T]) -> _T:
    """Play; what goes wrong with a server is one sentence."""
    try:
        return asyncio.run(playing)
    except (BotError, OwnFileError, TerminalError) as error:
        raise click.ClickException(str(error)) from error


def describe_report(address: Address, report: Report) -> str:
    """Describe in words what was played on a server."""
    facts = report.facts()
    return (
        f"{address}: won {facts['won']} of {facts['games']} games"
        f" with {facts['moves']} moves, {facts['guesses']} of them guesses"
    )


async def _play_here(
    contest: Contest, first_seed: int, strategy: Strategy, games: int, watcher: Watcher
) -> None:
    for seed in range(first_seed, first_seed + games):
        await play_here(contest, seed, strategy, watcher)


async def _show(contest: Contest, title: str, pace: Tempo, play: Play) -> int:
    """Show games until somebody has seen enough; print the result, and return the exit code."""
    terminal = Tty(sys.stdin.fileno(), sys.stdout.fileno())
    covered = Game(Setup.of(contest.size, contest.mine_count, "classic", seed=0)).view
    game = LiveGame(title, ShownMove(covered, contest.first))
    viewer = ReplayViewer(
        game,
        canvas_of(terminal.size()),
        KeyMap(read_bindings(bindings_path(os.environ))),
        speed=pace.value,
        find_chances=find_chances,
    )
    shell = Shell(viewer, terminal, partial(click.echo, err=True))
    stage = LiveShow(game, viewer, shell.wake, has_time=pace is not Tempo.MERCILESS)

    async def perform() -> None:
        await play(stage)
        stage.finish()

    playing, showing = asyncio.create_task(perform()), asyncio.create_task(shell.run())
    await asyncio.wait({playing, showing}, return_when=asyncio.FIRST_COMPLETED)
    if playing.done() and playing.exception() is not None:
        showing.cancel()
    else:
        await showing
        playing.cancel()
    played, left = await asyncio.gather(playing, showing, return_exceptions=True)
    for failure in (played, left):
        if isinstance(failure, Exception):
            raise failure
    click.echo(stage.result)
    return left.exit_code if isinstance(left, Leave) else 0
