"""`jminesweeper replay`: a game that was played, shown again."""

from __future__ import annotations

import asyncio
import locale
import math
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

import click

from jminesweeper.cli.archives import store_option
from jminesweeper.cli.finding import Found, find_game
from jminesweeper.cli.options import Amount
from jminesweeper.client.capabilities import (
    ColourChoice,
    chosen_colours,
    glyphs_of,
    is_dumb,
)
from jminesweeper.client.errors import ConnectError, TerminalError
from jminesweeper.client.events import Deliver, Leave
from jminesweeper.client.replay import Look, Playback, Projector, Reel
from jminesweeper.client.replay.captions import caption
from jminesweeper.client.shell import Shell
from jminesweeper.client.terminal import Terminal
from jminesweeper.protocol import Glyphs
from jminesweeper.screen import ColourDepth, GameScreen, format_plain
from jminesweeper.session.summary import summarise

_SPEEDS: Final = Amount(0.01, 1000)


def _read_speed(_context: click.Context, _option: click.Parameter, speed: float) -> float:
    if math.isnan(speed):  # which no range excludes
        raise click.BadParameter("a speed is a number.")
    return speed


@click.command(
    "replay",
    context_settings={"max_content_width": 100},
    epilog="""
    \b
    Keys:
      SPACE            pause, go on; at the end: again
      LEFT, RIGHT      an action back, on         H, L     ten actions
      PgUp, PgDn       ten seconds back, on       + -      speed
      Home, End        the beginning, the end     x        quit

    \b
    Examples:
      jminesweeper replay 7k3mz0q2va               a game of yours, as jminesweeper games lists it
      jminesweeper replay game.rawvf --speed 4     a video of another program, four times as fast
      jminesweeper replay game.txt --plain         how it ended, without a terminal
    """,
)
@click.argument("game", metavar="ID|FILE")
@click.option(
    "--speed",
    type=_SPEEDS,
    callback=_read_speed,
    default=1.0,
    show_default=True,
    help="How many times as fast as it was played.",
)
@click.option("--plain", is_flag=True, help="Print the last position and the figures, as text.")
@click.option(
    "--color",
    type=click.Choice([choice.value for choice in ColourChoice]),
    default=ColourChoice.AUTO.value,
    show_default=True,
    help="Colours; auto heeds NO_COLOR and FORCE_COLOR.",
)
@store_option
def replay_command(*, game: str, speed: float, plain: bool, color: str, store: Path) -> None:
    """Show a game again, forwards and backwards, fast and slow.

    The game is a file, an imported game or a finished game of the store. Without a terminal, how
    it ended is printed as text.
    """
    found = find_game(game, store)
    has_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not is_dumb(os.environ)
    if plain or not has_terminal:
        click.echo(_last_screen(found), nl=False)
        return
    try:
        leave = asyncio.run(_show(found, speed, _look(ColourChoice(color))))
    except TerminalError as error:
        raise click.ClickException(str(error)) from error
    sys.exit(leave.exit_code)


def _last_screen(found: Found) -> str:
    reel = Reel(found.game)
    return format_plain(
        GameScreen(
            view=found.game.view(),
            cursor=reel.cell(reel.last),
            label=found.label,
            elapsed_ms=found.game.elapsed_ms,
            message=caption(reel, reel.last),
            state="assisted" if found.game.assisted else "",
            summary=_figures(found),
        )
    )


def _figures(found: Found) -> Sequence[str]:
    """Return what there is to say at the end; of a game that goes on it would tell too much."""
    if not found.game.status.is_over:
        return ()
    return summarise(found.game, is_repeat=found.is_repeat)


def _look(choice: ColourChoice) -> Look:
    colours = chosen_colours(choice, os.environ)
    has_unicode = glyphs_of(locale.getencoding()) is Glyphs.UNICODE
    return Look(ColourDepth(colours.value), has_unicode)


async def _show(found: Found, speed: float, look: Look) -> Leave:
    reel = Reel(found.game)
    playback = Playback([scene.at_ms for scene in reel.scenes], speed)
    terminal = Terminal(sys.stdin.fileno(), sys.stdout.fileno())
    projector = Projector(
        reel,
        playback,
        look,
        terminal.size(),
        label=found.label,
        summary=_figures(found),
    )
    return await Shell(projector, terminal, stay_alone, partial(click.echo, err=True)).run()


async def stay_alone(_deliver: Deliver) -> NoReturn:
    """Dial nobody: all that is shown is here."""
    raise ConnectError("A replay needs no server.")
