"""The terminal that a command runs on, and how its player wants things to look there."""

from __future__ import annotations

import locale
import os
import sys
from typing import Final

import click

from jminesweeper.cli.options import option
from jminesweeper.client.capabilities import ColourChoice, canvas_for, is_dumb
from jminesweeper.client.own_files import OwnFileError, looks_path, read_looks
from jminesweeper.terminal.layout import TerminalSize
from jminesweeper.terminal.looks import Canvas, Looks

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
    return canvas_for(size, locale.getencoding(), _looks(), os.environ, ColourChoice(color))


def _looks() -> Looks:
    try:
        return read_looks(looks_path(os.environ))
    except OwnFileError as error:
        click.echo(f"{error} The usual looks are used.", err=True)
        return Looks()
