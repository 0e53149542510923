"""`jminesweeper games`, `export` and `import`: games to replay, to keep and to pass on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import click

from jminesweeper.cli.archives import (
    archive_option,
    json_option,
    key_option,
    print_json,
    print_page,
    read_player,
)
from jminesweeper.cli.finding import complete_game, find_game
from jminesweeper.cli.game_files import (
    FORMATS,
    GameFileError,
    Imports,
    read_game,
    warning_about,
    write_game,
)
from jminesweeper.cli.listing import Listed, table_of
from jminesweeper.cli.places import Place
from jminesweeper.cli.stores import open_archive
from jminesweeper.core.errors import NotationError
from jminesweeper.records.blocking import run
from jminesweeper.records.reading import list_games

_STDOUT: Final = "-"


@click.command("games")
@archive_option
@key_option
@click.option("--imported", is_flag=True, help="List the imported games instead.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, help="Games at most.")
@json_option
def games_command(
    *, store: Place, key_file: Path, imported: bool, limit: int, as_json: bool
) -> None:
    """List your finished games with their IDs, the latest first."""
    # One more than is listed tells whether there are more.
    if imported:
        games = list(islice(_imported(), limit + 1))
    else:
        with open_archive(store) as archive:
            player = read_player(archive, key_file).id
            finished = run(archive, list_games(player, limit + 1))
        games = [
            Listed.of_finished(code, game.variant, game.outcome)
            for code, game in finished
            if game.outcome is not None
        ]
    if as_json:
        print_json([game.as_json() for game in games[:limit]])
    elif games:
        print_page([table_of(games[:limit])])
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
@archive_option
def export_command(*, game: str, output: str, format_name: str | None, store: Place) -> None:
    """Write a game as text, for instance to pass it on.

    OUTPUT is a file; without it the game is printed. Other programs read RAWVF, which has no
    undone actions and no hints. A game that is in a file already is converted.
    """
    name = format_name or ("rawvf" if output.lower().endswith(".rawvf") else "text")
    found = find_game(game, store)
    try:
        text = FORMATS[name](found.game)
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
            yield Listed.of_imported(path, read_game(path))
        except GameFileError as error:
            click.echo(f"Error: {error}", err=True)
