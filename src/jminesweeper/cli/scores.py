"""`jminesweeper scores`: the leaderboards of a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from jminesweeper.cli.archives import (
    format_time,
    json_option,
    open_archive,
    print_json,
    print_page,
    printable,
    store_option,
)
from jminesweeper.cli.options import Number
from jminesweeper.session.pages import score_lines
from jminesweeper.store.ports import Board, ListBoards, ReadLeaderboard, Score
from jminesweeper.store.sqlite import Archive

MAX_BOARDS = 10_000

Standing = tuple[Board, Sequence[Score]]


@click.command("scores", context_settings={"show_default": True})
@store_option
@click.option("--preset", metavar="NAME", help="Only this preset: beginner, intermediate, ...")
@click.option("--rules", metavar="NAME", help="Only these rules: classic, jminesweeper, ...")
@click.option("--daily", metavar="DAY", help="Only the boards of this day, such as 2026-11-18.")
@click.option("--limit", type=Number(1, 1000), default=10, help="Lines on each board.")
@json_option
def scores_command(
    *,
    store: Path,
    preset: str | None,
    rules: str | None,
    daily: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """Print the leaderboards of this machine's server.

    Each player's best time counts: unaided, on a board not seen before.
    """

    def is_wanted(board: Board) -> bool:
        pairs = (
            (preset, board.category.preset),
            (rules, board.category.rules),
            (daily, board.daily),
        )
        return all(wanted in (None, found) for wanted, found in pairs)

    with open_archive(store) as archive:
        boards = filter(is_wanted, archive.ask(ListBoards(MAX_BOARDS)))
        standings = list(_read(archive, boards, limit))
    if as_json:
        print_json([_to_json(*standing) for standing in standings])
    else:
        _print(standings)


def _read(archive: Archive, boards: Iterator[Board], limit: int) -> Iterator[Standing]:
    for board in boards:
        yield board, archive.ask(ReadLeaderboard(board, limit))


def _print(standings: Sequence[Standing]) -> None:
    if not standings:
        click.echo("Nobody stands on such a board yet.")
    for number, (board, scores) in enumerate(standings):
        day = f", daily board of {board.daily}" if board.daily else ""
        heading = f"{board.category.preset}, {board.category.rules} rules{day}"
        click.echo("\n" * bool(number) + printable(heading))
        print_page(score_lines([replace(score, name=printable(score.name)) for score in scores]))


def _to_json(board: Board, scores: Sequence[Score]) -> dict[str, object]:
    return {
        "preset": board.category.preset,
        "rules": board.category.rules,
        "daily": board.daily or None,
        "scores": [
            {
                "rank": rank,
                "name": score.name,
                "time_ms": score.time_ms,
                "game": score.code,
                "ended_at": format_time(score.ended_at_s),
            }
            for rank, score in enumerate(scores, 1)
        ],
    }
