"""The terminal that a command runs on, and how its player wants things to look there."""

from __future__ import annotations

import locale
import os
import sys
from typing import Final

import click

from jminesweeper.cli.options import option
from jminesweeper.client.capabilities import (
    ColourChoice,
    chosen_colours,
    has_unicode,
    is_dumb,
    told_background,
)
from jminesweeper.client.errors import OwnFileError
from jminesweeper.client.own_files import looks_path, read_looks
from jminesweeper.terminal.layout import TerminalSize
from jminesweeper.terminal.looks import Canvas, Ground, Looks

color_option: Final = option(
    "--color",
    type=click.Choice([choice.value for choice in ColourChoice]),
    default=ColourChoice.AUTO.value,
    help="Colours; auto follows NO_COLOR and FORCE_COLOR.",
)


def is_on_terminal() -> bool:
    """Return True if a screen can be painted here and keys are typed."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not is_dumb(os.environ)


def canvas_of(size: TerminalSize, color: str = ColourChoice.AUTO.value) -> Canvas:
    """Return what screens are composed for."""
    return Canvas(
        *size,
        colours=chosen_colours(ColourChoice(color), os.environ),
        has_unicode=has_unicode(locale.getencoding(), os.environ),
        looks=_looks(),
        background=told_background(os.environ) or Ground.DARK,
    )


def _looks() -> Looks:
    try:
        return read_looks(looks_path(os.environ))
    except OwnFileError as error:
        click.echo(f"{error} The usual looks are used.", err=True)
        return Looks()
