"""What commands that read a store have in common: where it is, and how its texts are shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from jminesweeper.cli.places import default_store_path
from jminesweeper.store.ports import StoreError
from jminesweeper.store.sqlite import Archive


def store_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option `--store` of a command that only reads."""
    return click.option(
        "--store",
        type=click.Path(dir_okay=False, path_type=Path),
        default=default_store_path,
        envvar="JMINESWEEPER_STORE",
        show_envvar=True,
        show_default="games.sqlite3 in the data directory",
        help="File in which the server keeps games and players.",
    )(command)


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(
        command
    )


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open the store for reading; what is wrong with it is one line and exit code 1."""
    try:
        with Archive(path) as archive:
            yield archive
    except StoreError as error:
        raise click.ClickException(str(error)) from error


def printable(text: str) -> str:
    """Make a text that some player chose harmless to the terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)


def format_time(at_s: int) -> str:
    return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def print_json(value: object) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
