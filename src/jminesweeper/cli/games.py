"""`jminesweeper games`, `export` and `import`: games to replay, to keep and to pass on."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import click

from jminesweeper.cli import archives
from jminesweeper.cli.finding import (
    FORMATS,
    GameFileError,
    Imports,
    complete_game,
    find_game,
    read_game,
    warning_about,
    write_game,
)
from jminesweeper.cli.options import Number
from jminesweeper.cli.stores import Place, open_archive
from jminesweeper.core.errors import NotationError
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.protocol.view import STATES, Listing
from jminesweeper.records.reading import list_games
from jminesweeper.session.figures import seconds
from jminesweeper.store.blocking import run

RESULTS: Final = {**STATES, Status.ONGOING: "unfinished"}


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list shows of a game; `at_s` is when it ended, or was imported."""

    code: str
    at_s: int
    variant: Variant
    status: Status
    time_ms: int
    is_assisted: bool

    def as_json(self) -> dict[str, object]:
        return {
            "game": self.code,
            "at": archives.format_time(self.at_s),
            **archives.variant_to_json(self.variant),
            "result": RESULTS[self.status],
            "time_ms": self.time_ms,
            "assisted": self.is_assisted,
            "repeat": self.variant.is_repeat,
        }


def table_of(games: Sequence[Listed]) -> Listing:
    """Write a line about each game; what comes last goes first where a terminal is narrow."""
    return Listing(_HEADINGS, tuple(map(_row, games)))


_TO_THE_MINUTE: Final = 16
_HEADINGS: Final = ("ID", "result", "time", "board", "mines", "rules", "at", "")


def _row(game: Listed) -> tuple[str, ...]:
    remarks = {"assisted": game.is_assisted, "repeat": game.variant.is_repeat}
    return (
        archives.printable(game.code),
        RESULTS[game.status],
        seconds(game.time_ms),
        archives.printable(game.variant.label),
        str(game.variant.mine_count),
        archives.printable(game.variant.rules.text),
        archives.format_time(game.at_s)[:_TO_THE_MINUTE].replace("T", " "),
        ", ".join(word for word, holds in remarks.items() if holds),
    )


_STDOUT: Final = "-"


@click.command("games")
@archives.archive_option
@archives.key_option
@click.option("--imported", is_flag=True, help="List the imported games instead.")
@click.option("--limit", type=Number(1, 10_000), default=20, help="Games at most.")
@archives.json_option
def games_command(
    *, store: Place, key_file: Path, imported: bool, limit: int, as_json: bool
) -> None:
    """List your finished games with their IDs, the latest first."""
    # One more than is listed tells whether there are more.
    if imported:
        games = list(islice(_imported(), limit + 1))
    else:
        with open_archive(store) as archive:
            player = archives.read_player(archive, key_file).id
            finished = run(archive, list_games(player, limit + 1))
        games = [
            Listed(code, end.ended_at_s, game.variant, end.status, end.time_ms, end.is_assisted)
            for code, game in finished
            if (end := game.outcome) is not None
        ]
    if as_json:
        archives.print_json([game.as_json() for game in games[:limit]])
    elif games:
        archives.print_page([table_of(games[:limit])])
        if len(games) > limit:
            click.echo(f"The latest {limit}; --limit lists more.")
    else:
        click.echo("No games yet.")


@click.command(
    "export",
    epilog="""
    \b
    Examples:
      jminesweeper export 7k3mz0q2va game.txt
      jminesweeper export 7k3mz0q2va --format rawvf
      jminesweeper export game.rawvf game.txt
    """,
)
@click.argument("game", metavar="ID|FILE", shell_complete=complete_game)
@click.argument("output", metavar="[OUTPUT]", default=_STDOUT)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    help="How to write it.  [default: rawvf if OUTPUT ends so, else text]",
)
@archives.archive_option
def export_command(*, game: str, output: str, format_name: str | None, store: Place) -> None:
    """Write a game as text, for instance to pass it on.

    OUTPUT is a file; without it the game is printed. Other programs read RAWVF, which has no
    undone actions and no hints. A game that is in a file already is converted.
    """
    name = format_name or ("rawvf" if output.lower().endswith(".rawvf") else "text")
    found = find_game(game, store)
    try:
        text = FORMATS[name](found)
    except NotationError as error:
        raise click.ClickException(f"{game} cannot be written as {name}: {error}.") from error
    if output == _STDOUT:
        click.echo(text, nl=False)
        return
    try:
        write_game(Path(output), text)
    except GameFileError as error:
        raise click.ClickException(str(error)) from error


@click.command("import")
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
def import_command(*, files: tuple[Path, ...]) -> None:
    """Keep games from files, to replay them by their IDs.

    A file holds one game, as text or as RAWVF. It is checked by playing it, and the game is kept
    beside your key. It never gets into a store, so it counts in no statistics.
    """
    imports = Imports()
    failures = 0
    for path in files:
        try:
            code, is_new = imports.add(read_game(path, warning_about(path)))
        except GameFileError as error:
            click.echo(f"Error: {error}", err=True)
            failures += 1
        else:
            click.echo(f"{code}  {path}{'' if is_new else '  (was imported before)'}")
    if failures:
        sys.exit(1)


def _imported() -> Iterator[Listed]:
    for path in Imports().paths():
        try:
            game = read_game(path)
        except GameFileError as error:
            click.echo(f"Error: {error}", err=True)
            continue
        variant, at_s = game.setup.variant, int(path.stat().st_mtime)
        yield Listed(path.stem, at_s, variant, game.status, game.elapsed_ms, game.assisted)
