"""`jminesweeper replay`: a game that was played, shown again."""

from __future__ import annotations

import asyncio
import math
import os
import sys
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Final

import click

from jminesweeper.cli.archives import archive_option, complete_game, find_game
from jminesweeper.cli.options import Quantity
from jminesweeper.cli.stores import Place
from jminesweeper.cli.terminals import canvas_of, color_option, is_on_terminal
from jminesweeper.client.events import Leave
from jminesweeper.client.own_files import OwnFileError, bindings_path, read_bindings
from jminesweeper.client.shell import Shell, TerminalError, Tty
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView
from jminesweeper.recordings.recording import Recording
from jminesweeper.replay import Recorded, ReplayViewer, format_last
from jminesweeper.session.figures import summarise
from jminesweeper.session.reply import FindOdds, FoundOdds
from jminesweeper.terminal.keys import KeyMap

_SPEEDS: Final = Quantity(0.01, 1000)
_ODDS_S: Final = 1.0


def _read_speed(_context: click.Context, _option: click.Parameter, speed: float) -> float:
    if math.isnan(speed):  # no range excludes it
        raise click.BadParameter("nan is not a number.")
    return speed


@click.command(
    "replay",
    epilog="""
    \b
    Keys:
      SPACE            pause, resume; at the end: again
      LEFT, RIGHT      one action back, forward    H, L     ten actions
      PgUp, PgDn       ten seconds back, forward   + -      speed
      Home, End        to the start, to the end    x        quit
      o                odds of the covered cells, until the next step

    \b
    Examples:
      jminesweeper replay 7k3mz0q2va               a game of yours, from jminesweeper games
      jminesweeper replay game.rawvf --speed 4     a video of another program, four times as fast
      jminesweeper replay game.txt --plain         how it ended, without a terminal
    """,
)
@click.argument("game", metavar="ID|FILE", shell_complete=complete_game)
@click.option(
    "--speed",
    type=_SPEEDS,
    callback=_read_speed,
    default=1.0,
    help="How many times as fast as it was played.",
)
@click.option("--plain", is_flag=True, help="Print the last position and the figures, as text.")
@color_option
@archive_option
def replay_command(*, game: str, speed: float, plain: bool, color: str, store: Place) -> None:
    """Show a game again, forwards and backwards, fast and slow.

    The game is a file, an imported game or a finished game of the store. Without a terminal, the
    last position is printed as text.
    """
    found = find_game(game, store)
    if plain or not is_on_terminal():
        click.echo(format_last(_recorded(found)), nl=False)
        return
    try:
        keys = KeyMap(read_bindings(bindings_path(os.environ)))
        leave = asyncio.run(_show(found, keys, speed, color))
    except (OwnFileError, TerminalError) as error:
        raise click.ClickException(str(error)) from error
    sys.exit(leave.exit_code)


def _recorded(found: Game) -> Recorded:
    # The figures of a running game would give its mines away.
    figures = summarise(found) if found.status.is_over else ()
    return Recorded(Recording(found), found.setup.variant.label, figures)


def find_chances(view: PlayerView, near: Cell) -> Mapping[int, int] | None:
    """Ask the solver for the chances of a mine; it is imported only when needed."""
    found: FoundOdds | None = import_module("jminesweeper.server.assistance").find_odds(
        FindOdds(view, near), _ODDS_S
    )
    return None if found is None else found.percents


async def _show(found: Game, keys: KeyMap, speed: float, color: str) -> Leave:
    terminal = Tty(sys.stdin.fileno(), sys.stdout.fileno())
    canvas = canvas_of(terminal.size(), color)
    viewer = ReplayViewer(_recorded(found), canvas, keys, speed=speed, find_chances=find_chances)
    return await Shell(viewer, terminal, partial(click.echo, err=True)).run()
