"""`jminesweeper stats`: what a player's games, or everybody's, add up to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from jminesweeper.cli import archives
from jminesweeper.cli.stores import Place, open_archive
from jminesweeper.core.variant import Variant
from jminesweeper.records.documents import PlayerDocument
from jminesweeper.records.reading import read_statistics, read_totals
from jminesweeper.records.statistics import CategorySums, Statistics, Sums
from jminesweeper.session.names import NOBODY
from jminesweeper.session.pages import statistics_lines
from jminesweeper.store.blocking import run


@click.command("stats")
@archives.archive_option
@archives.key_option
@click.option(
    "--everybody", is_flag=True, help="Count all games, those of players without a key too."
)
@archives.json_option
def stats_command(*, store: Place, key_file: Path, everybody: bool, as_json: bool) -> None:
    """Print the statistics of your games here.

    Games played and won, times, streaks and speed, for each preset; races, and days in a row.
    """
    with open_archive(store) as archive:
        if everybody:
            _show_totals(run(archive, read_totals()), as_json)
            return
        player = archives.read_player(archive, key_file)
        today = datetime.now(UTC).date()
        _show_statistics(player, run(archive, read_statistics(player.id, today)), as_json)


def _show_statistics(player: PlayerDocument, statistics: Statistics, as_json: bool) -> None:
    if as_json:
        archives.print_json(_statistics_to_json(player, statistics))
        return
    click.echo(archives.printable(player.name or NOBODY))
    archives.print_page(statistics_lines(statistics))


def _statistics_to_json(player: PlayerDocument, statistics: Statistics) -> dict[str, object]:
    return {
        "name": player.name,
        "games_played": statistics.counts.played,
        "games_won": statistics.counts.won,
        "races_played": statistics.races,
        "races_won": statistics.races_won,
        "days_in_a_row": statistics.days,
        "categories": [_category_to_json(*each) for each in statistics.categories],
        "others": _counts_to_json(statistics.others),
    }


def _category_to_json(category: Variant, sums: CategorySums) -> dict[str, object]:
    return {
        **archives.variant_to_json(category),
        "streak": sums.streak,
        "best_streak": sums.best_streak,
        "unaided": _sums_to_json(sums.ranked),
        "unranked": _sums_to_json(sums.unranked),
    }


def _sums_to_json(sums: Sums) -> dict[str, object]:
    return {
        **_counts_to_json(sums),
        "win_rate": sums.win_rate,
        "best_ms": sums.best_ms,
        "mean_ms": sums.mean_ms,
        "mean_3bv_per_s": sums.mean_speed,
    }


def _show_totals(totals: Sequence[tuple[Variant | None, Sums]], as_json: bool) -> None:
    if as_json:
        archives.print_json([_total_to_json(*total) for total in totals])
        return
    for category, sums in totals:
        counts = f"played {sums.played}   won {sums.won}   lost {sums.lost}"
        ended = f"   given up {sums.terminated}" if sums.terminated else ""
        click.echo("all other boards" if category is None else archives.describe(category))
        click.echo(f"  {counts}{ended}")
    if not totals:
        click.echo("No finished games yet.")


def _total_to_json(category: Variant | None, sums: Sums) -> dict[str, object]:
    return {**(archives.variant_to_json(category) if category else {}), **_counts_to_json(sums)}


def _counts_to_json(counts: Sums) -> dict[str, object]:
    return {
        "played": counts.played,
        "won": counts.won,
        "lost": counts.lost,
        "terminated": counts.terminated,
    }
