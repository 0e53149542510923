"""What commands that read a store share: its place, the player who asks, how to print it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from shutil import get_terminal_size

import click

from jminesweeper.cli.stores import store_option
from jminesweeper.client.address import LOCAL_NAME
from jminesweeper.client.errors import IdentityError
from jminesweeper.client.identity import key_for, key_path, load_key
from jminesweeper.core.variant import Variant
from jminesweeper.protocol.view import Listing
from jminesweeper.records.documents import PlayerDocument
from jminesweeper.records.keys import player_id
from jminesweeper.records.players import find_player
from jminesweeper.store.blocking import run
from jminesweeper.store.port import Store
from jminesweeper.terminal.lines import WIDEST, page_lines

archive_option = store_option(
    "Where the server stores games and players: a file, or Redis by its address."
)
"""The option `--store` of a command that only reads."""


key_option = click.option(
    "--key",
    "key_file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=lambda: key_path(os.environ),
    show_default="key in the data directory",
    help="File with the secret key that says whose games to count.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def local_player(key: bytes) -> str:
    """Return the ID of the player with this key on this machine's servers."""
    return player_id(key_for(LOCAL_NAME, key))


def read_player(archive: Store, key_file: Path) -> PlayerDocument:
    """Return the player with this key in this store; no key is made here."""
    if not key_file.exists():
        raise click.ClickException(f"No key found at {key_file}; play a game first.")
    try:
        identity = local_player(load_key(key_file))
    except IdentityError as error:
        raise click.ClickException(str(error)) from error
    return run(archive, find_player(identity)) or PlayerDocument(identity)


def printable(text: str) -> str:
    """Make a text that a player chose harmless to the terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)


def describe(variant: Variant) -> str:
    """Describe a variant in words."""
    return printable(variant.description)


def variant_to_json(variant: Variant) -> dict[str, object]:
    """Describe the kind of a game, for programs."""
    return {
        "label": variant.label,
        "preset": variant.board,
        "rules": variant.rules.text,
        "columns": variant.size.columns,
        "rows": variant.size.rows,
        "mines": variant.mine_count,
        "no_guess": variant.is_no_guess,
        "daily": variant.daily and variant.daily.isoformat(),
    }


def format_time(at_s: int) -> str:
    return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def print_page(lines: Iterable[str | Listing]) -> None:
    """Print a page of the game, its figures as wide as the terminal."""
    columns = get_terminal_size((WIDEST, 0)).columns
    for line in page_lines(lines, columns):
        click.echo(line)


def print_json(value: object) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
