"""`jminesweeper scores`: the leaderboards of a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import click

from jminesweeper.cli import archives
from jminesweeper.cli.options import Number
from jminesweeper.cli.stores import Place, open_archive
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.records.documents import Leaderboard
from jminesweeper.records.limits import MAX_LISTED
from jminesweeper.records.reading import Score, list_boards, read_leaderboard
from jminesweeper.session.pages import score_lines
from jminesweeper.store.blocking import run
from jminesweeper.store.port import Store

MAX_BOARDS = 10_000

Standing = tuple[Leaderboard, Sequence[Score]]


@click.command("scores")
@archives.archive_option
@click.option("--preset", type=click.Choice(list(CLASSIC_BOARDS)), help="Only this preset.")
@click.option("--rules", type=click.Choice(list(PRESETS)), help="Only these rules.")
@click.option(
    "--daily",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DAY",
    help="Only the boards of this day, such as 2026-11-18.",
)
@click.option("--limit", type=Number(1, 1000), default=10, help="Lines on each board.")
@archives.json_option
def scores_command(
    *,
    store: Place,
    preset: str | None,
    rules: str | None,
    daily: datetime | None,
    limit: int,
    as_json: bool,
) -> None:
    """Print the leaderboards of this machine's server.

    Each player's best time counts, from the first action to the last, unaided and on a board not
    seen before. Programs have lists of their own.
    """

    def is_wanted(leaderboard: Leaderboard) -> bool:
        board = leaderboard.variant
        return (
            preset in {None, board.board}
            and (rules is None or board.rules == PRESETS[rules])
            and (daily is None or board.daily == daily.date())
        )

    with open_archive(store) as archive:
        boards = filter(is_wanted, run(archive, list_boards(MAX_BOARDS)))
        standings = list(_read(archive, boards, limit))
    if as_json:
        archives.print_json([_to_json(*standing) for standing in standings])
    else:
        _print(standings)


def _read(archive: Store, boards: Iterator[Leaderboard], limit: int) -> Iterator[Standing]:
    for board in boards:
        yield board, run(archive, read_leaderboard(board, limit))


def _print(standings: Sequence[Standing]) -> None:
    if not standings:
        click.echo("No scores yet.")
    for number, (board, scores) in enumerate(standings[:MAX_LISTED]):
        click.echo("\n" * bool(number) + _describe(board))
        archives.print_page(
            score_lines([score._replace(name=archives.printable(score.name)) for score in scores])
        )
    if (more := len(standings) - MAX_LISTED) > 0:
        click.echo(f"\nand {more} more: --preset, --rules or --daily choose")


def _describe(board: Leaderboard) -> str:
    return archives.describe(board.variant) + (", programs" if board.is_of_programs else "")


def _to_json(board: Leaderboard, scores: Sequence[Score]) -> dict[str, object]:
    return {
        **archives.variant_to_json(board.variant),
        "programs": board.is_of_programs,
        "scores": [
            {
                "rank": rank,
                "name": score.name,
                "time_ms": score.wall_ms,
                "game": score.code,
                "ended_at": archives.format_time(score.ended_at_s),
            }
            for rank, score in enumerate(scores, 1)
        ],
    }
