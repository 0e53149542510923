"""Commands over finished games: `games`, `export`, `import`, `analyse`, `scores` and `stats`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click

from jminesweeper.cli.archives import (
    FORMATS,
    GameFileError,
    Imports,
    archive_option,
    complete_game,
    describe,
    find_game,
    format_time,
    json_option,
    key_option,
    print_json,
    print_page,
    printable,
    read_game,
    read_player,
    variant_to_json,
    warning_about,
    write_game,
)
from jminesweeper.cli.options import Number
from jminesweeper.cli.stores import Place, open_archive
from jminesweeper.core.errors import NotationError
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.core.view import Status
from jminesweeper.protocol.view import STATES, Listing
from jminesweeper.records.documents import Leaderboard
from jminesweeper.records.ladder import Standing, read_ladder
from jminesweeper.records.limits import MAX_LISTED
from jminesweeper.records.reading import (
    list_boards,
    list_games,
    read_leaderboard,
    read_statistics,
    read_totals,
)
from jminesweeper.records.results import figures_by_name
from jminesweeper.records.statistics import Sums
from jminesweeper.session.analysis import report
from jminesweeper.session.messages import NOBODY, seconds
from jminesweeper.session.pages import ladder_lines, score_lines, statistics_lines
from jminesweeper.solver.hints import explain
from jminesweeper.solver.review import review
from jminesweeper.store.blocking import run
from jminesweeper.terminal.lines import page_lines, wrapped

RESULTS: Final = {**STATES, Status.ONGOING: "unfinished"}

# games


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A line of a list; `at_s` is when the game ended, or was imported."""

    code: str
    at_s: int
    variant: Variant
    status: Status
    time_ms: int
    is_assisted: bool

    def as_json(self) -> dict[str, object]:
        return {
            "game": self.code,
            "at": format_time(self.at_s),
            **variant_to_json(self.variant),
            "result": RESULTS[self.status],
            "time_ms": self.time_ms,
            "assisted": self.is_assisted,
            "repeat": self.variant.is_repeat,
        }

    def as_row(self) -> tuple[str, ...]:
        """Return the texts of the columns; the last are left out where a terminal is narrow."""
        remarks = {"assisted": self.is_assisted, "repeat": self.variant.is_repeat}
        return (
            printable(self.code),
            RESULTS[self.status],
            seconds(self.time_ms),
            printable(self.variant.label),
            str(self.variant.mine_count),
            printable(self.variant.rules.text),
            format_time(self.at_s)[:_TO_THE_MINUTE].replace("T", " "),
            ", ".join(word for word, holds in remarks.items() if holds),
        )


_TO_THE_MINUTE: Final = 16
_HEADINGS: Final = ("ID", "result", "time", "board", "mines", "rules", "at", "")


@click.command("games")
@archive_option
@key_option
@click.option("--imported", is_flag=True, help="List the imported games instead.")
@click.option("--limit", type=Number(1, 10_000), default=20, help="Games at most.")
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
            ListedGame(code, end.ended_at_s, game.variant, end.status, end.time_ms, end.is_assisted)
            for code, game in finished
            if (end := game.outcome) is not None
        ]
    if as_json:
        print_json([game.as_json() for game in games[:limit]])
    elif games:
        print_page([Listing(_HEADINGS, tuple(game.as_row() for game in games[:limit]))])
        if len(games) > limit:
            click.echo(f"The latest {limit}; --limit lists more.")
    else:
        click.echo("No games yet.")


def _imported() -> Iterator[ListedGame]:
    for path in Imports().paths():
        try:
            game = read_game(path)
        except GameFileError as error:
            click.echo(f"Error: {error}", err=True)
            continue
        variant, at_s = game.setup.variant, int(path.stat().st_mtime)
        yield ListedGame(path.stem, at_s, variant, game.status, game.elapsed_ms, game.assisted)


# export, import

_STDOUT: Final = "-"


@click.command(
    "export",
    epilog="""
    \b
    Examples:
      jminesweeper export 7k3mz0q2va game.txt
      jminesweeper export 7k3mz0q2va game.svg       a picture that moves, for browsers and chats
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
    help="How to write it.  [default: as the name of OUTPUT ends, else text]",
)
@click.option("--force", is_flag=True, help="Overwrite OUTPUT if it exists.")
@archive_option
def export_command(
    *, game: str, output: str, format_name: str | None, force: bool, store: Place
) -> None:
    """Write a game as text or as a picture, for instance to pass it on.

    OUTPUT is a file; without it the game is printed. Other programs read RAWVF, which has no
    undone actions and no hints. A game that is in a file already is converted.
    """
    suffix = Path(output).suffix.lower().removeprefix(".")
    name = format_name or (suffix if suffix in FORMATS else "text")
    found = find_game(game, store)
    try:
        text = FORMATS[name](found)
    except NotationError as error:
        raise click.ClickException(f"{game} cannot be written as {name}: {error}.") from error
    if output == _STDOUT:
        click.echo(text, nl=False)
        return
    try:
        write_game(Path(output), text, overwrites=force)
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


# analyse

_WIDTH: Final = 80


@click.command(
    "analyse",
    epilog="""
    \b
    Examples:
      jminesweeper analyse 7k3mz0q2va       a game of yours, as jminesweeper games lists it
      jminesweeper analyse game.rawvf       a video of another program
    """,
)
@click.argument("game", metavar="ID|FILE", shell_complete=complete_game)
@archive_option
@json_option
def analyse_command(*, game: str, store: Place, as_json: bool) -> None:
    """Show which reveals of a game were guesses, and how lucky it was.

    A reveal is judged by what could be known at that moment: the numbers shown and the mine count.
    """
    found = find_game(game, store)
    judged = review(found, explain=lambda view, near: explain(view, near).text)
    variant = found.setup.variant
    if not as_json:
        result = RESULTS[found.status]
        click.echo(f"{describe(variant)}: {result} after {seconds(found.elapsed_ms)}\n")
        for line in report(found, judged):
            parts = wrapped(line, _WIDTH) if isinstance(line, str) else [line]
            for part in page_lines(parts, _WIDTH):
                click.echo(part)
        return
    print_json(
        {
            **variant_to_json(variant),
            "result": RESULTS[found.status],
            "time_ms": found.elapsed_ms,
            "assisted": found.assisted,
            "repeat": variant.is_repeat,
            "exact": judged.exact,
            "reveals": len(judged.reveals),
            "guesses": [
                {
                    "action": guess.number + 1,
                    "at_ms": guess.at_ms,
                    "kind": guess.kind.name.lower(),
                    "column": guess.cell.column,
                    "row": guess.cell.row,
                    "risk": guess.risk,
                    "least_risk": guess.lowest,
                    "needless": guess.is_needless,
                    "survived": guess.survived,
                    "hint": guess.hint,
                }
                for guess in judged.guesses
            ],
            "needless": len(judged.needless),
            "survival": judged.survival,
            "hits": judged.hits,
            "expected_hits": judged.expected_hits,
            "luck": judged.luck,
            "figures": figures_by_name(found) if found.status.is_over else None,
        }
    )


# scores

MAX_BOARDS: Final = 10_000


class DayType(click.ParamType[date]):
    """A day, or the word for this one."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        if value == "today":
            return datetime.now(UTC).date()
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is neither today nor a day such as 2026-11-18.", param, ctx)


@click.command("scores")
@archive_option
@click.option("--preset", type=click.Choice(list(CLASSIC_BOARDS)), help="Only this preset.")
@click.option("--rules", type=click.Choice(list(PRESETS)), help="Only these rules.")
@click.option(
    "--daily",
    type=DayType(),
    metavar="DAY",
    help="Only the boards of this day: today, or one such as 2026-11-18.",
)
@click.option("--ladder", is_flag=True, help="The ratings for races in place of best times.")
@click.option("--limit", type=Number(1, 1000), default=10, help="Lines on each board.")
@json_option
def scores_command(
    *,
    store: Place,
    preset: str | None,
    rules: str | None,
    daily: date | None,
    ladder: bool,
    limit: int,
    as_json: bool,
) -> None:
    """Print the leaderboards of this machine's server.

    Each player's best time counts, from the first action to the last, unaided and on a board not
    seen before. Programs have lists of their own, and so have wins without a needless guess. Luck
    is the chance to survive the guesses that were forced. The ladder is about races: whoever has
    raced known players ten times on a board is ranked there.
    """
    if ladder:
        if rules or daily:
            raise click.UsageError("--ladder cannot be combined with --rules or --daily.")
        _print_ladder(store, [preset] if preset else [*CLASSIC_BOARDS], limit, as_json=as_json)
        return

    def is_wanted(leaderboard: Leaderboard) -> bool:
        board = leaderboard.variant
        return (
            preset in {None, board.board}
            and (rules is None or board.rules == PRESETS[rules])
            and (daily is None or board.daily == daily)
        )

    with open_archive(store) as archive:
        boards = filter(is_wanted, run(archive, list_boards(MAX_BOARDS)))
        standings = [(board, run(archive, read_leaderboard(board, limit))) for board in boards]
    if as_json:
        print_json(
            [
                {
                    **variant_to_json(board.variant),
                    "programs": board.is_of_programs,
                    "no_needless_guess": board.is_clean,
                    "scores": [
                        {
                            "rank": rank,
                            "name": score.name,
                            "time_ms": score.wall_ms,
                            "luck": score.luck,
                            "game": score.code,
                            "ended_at": format_time(score.ended_at_s),
                        }
                        for rank, score in enumerate(scores, 1)
                    ],
                }
                for board, scores in standings
            ]
        )
        return
    if not standings:
        click.echo("No scores yet.")
    for number, (board, scores) in enumerate(standings[:MAX_LISTED]):
        marks = ", programs" * board.is_of_programs + ", no needless guess" * board.is_clean
        click.echo("\n" * bool(number) + describe(board.variant) + marks)
        print_page(score_lines([each._replace(name=printable(each.name)) for each in scores]))
    if (more := len(standings) - MAX_LISTED) > 0:
        click.echo(f"\nand {more} more: --preset, --rules or --daily choose")


def _print_ladder(store: Place, boards: Sequence[str], limit: int, *, as_json: bool) -> None:
    with open_archive(store) as archive:
        ladders = {board: run(archive, read_ladder(board, limit)) for board in boards}
    if as_json:
        ranked = {board: [*map(Standing._asdict, each)] for board, each in ladders.items()}
        print_json([{"board": board, "ladder": each} for board, each in ranked.items()])
        return
    for number, (board, standings) in enumerate(ladders.items()):
        click.echo("\n" * bool(number) + board)
        print_page(ladder_lines([each._replace(name=printable(each.name)) for each in standings]))


# stats


@click.command("stats")
@archive_option
@key_option
@click.option(
    "--everybody", is_flag=True, help="Count all games, those of players without a key too."
)
@json_option
def stats_command(*, store: Place, key_file: Path, everybody: bool, as_json: bool) -> None:
    """Print the statistics of your games here.

    Games played and won, times, streaks and speed, for each preset; races, and days in a row.
    """
    with open_archive(store) as archive:
        if everybody:
            _print_totals(run(archive, read_totals()), as_json=as_json)
            return
        player = read_player(archive, key_file)
        statistics = run(archive, read_statistics(player.id, datetime.now(UTC).date()))
    if not as_json:
        click.echo(printable(player.name or NOBODY))
        print_page(statistics_lines(statistics))
        return
    print_json(
        {
            "name": player.name,
            "games_played": statistics.counts.played,
            "games_won": statistics.counts.won,
            "races_played": statistics.races,
            "races_won": statistics.races_won,
            "days_in_a_row": statistics.days,
            "categories": [
                {
                    **variant_to_json(category),
                    "streak": sums.streak,
                    "best_streak": sums.best_streak,
                    "unaided": _sums_to_json(sums.ranked),
                    "unranked": _sums_to_json(sums.unranked),
                }
                for category, sums in statistics.categories
            ],
            "others": _counts_to_json(statistics.others),
        }
    )


def _print_totals(totals: Sequence[tuple[Variant | None, Sums]], *, as_json: bool) -> None:
    """Print the games of everybody, board by board."""
    if as_json:
        print_json(
            [
                {**(variant_to_json(category) if category else {}), **_counts_to_json(sums)}
                for category, sums in totals
            ]
        )
        return
    for category, sums in totals:
        counts = f"played {sums.played}   won {sums.won}   lost {sums.lost}"
        ended = f"   given up {sums.terminated}" if sums.terminated else ""
        click.echo("all other boards" if category is None else describe(category))
        click.echo(f"  {counts}{ended}")
    if not totals:
        click.echo("No finished games yet.")


def _sums_to_json(sums: Sums) -> Mapping[str, object]:
    return {
        **_counts_to_json(sums),
        "win_rate": sums.win_rate,
        "best_ms": sums.best_ms,
        "mean_ms": sums.mean_ms,
        "mean_3bv_per_s": sums.mean_speed,
    }


def _counts_to_json(counts: Sums) -> Mapping[str, object]:
    return {
        "played": counts.played,
        "won": counts.won,
        "lost": counts.lost,
        "terminated": counts.terminated,
    }
