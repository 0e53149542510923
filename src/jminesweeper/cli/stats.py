"""`jminesweeper stats`: what a player's games, or everybody's, add up to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from jminesweeper.cli.archives import (
    archive_option,
    describe,
    json_option,
    key_option,
    print_json,
    print_page,
    printable,
    read_player,
    variant_to_json,
)
from jminesweeper.cli.places import Place
from jminesweeper.cli.stores import open_archive
from jminesweeper.records.blocking import run
from jminesweeper.records.documents import PlayerDocument
from jminesweeper.records.reading import read_statistics, read_totals
from jminesweeper.records.statistics import CategoryStatistics, Statistics, Tally, Total
from jminesweeper.session.names import NOBODY
from jminesweeper.session.pages import statistics_lines


@click.command("stats")
@archive_option
@key_option
@click.option(
    "--everybody", is_flag=True, help="Count all games, those of players without a key too."
)
@json_option
def stats_command(*, store: Place, key_file: Path, everybody: bool, as_json: bool) -> None:
    """Print the statistics of your games here.

    Games played and won, times, streaks and speed, for each preset.
    """
    with open_archive(store) as archive:
        if everybody:
            _show_totals(run(archive, read_totals()), as_json)
            return
        player = read_player(archive, key_file)
        _show_statistics(player, run(archive, read_statistics(player.id)), as_json)


def _show_statistics(player: PlayerDocument, statistics: Statistics, as_json: bool) -> None:
    if as_json:
        print_json(_statistics_to_json(player, statistics))
        return
    click.echo(printable(player.name or NOBODY))
    print_page(statistics_lines(statistics))


def _statistics_to_json(player: PlayerDocument, statistics: Statistics) -> dict[str, object]:
    return {
        "name": player.name,
        "games_played": statistics.games_played,
        "games_won": statistics.games_won,
        "categories": [_category_to_json(category) for category in statistics.categories],
        "others": _counts_to_json(statistics.others),
    }


def _category_to_json(statistics: CategoryStatistics) -> dict[str, object]:
    return {
        **variant_to_json(statistics.category),
        "streak": statistics.streak,
        "best_streak": statistics.best_streak,
        "unaided": _tally_to_json(statistics.ranked),
        "unranked": _tally_to_json(statistics.unranked),
    }


def _tally_to_json(tally: Tally) -> dict[str, object]:
    return {
        **_counts_to_json(tally),
        "win_rate": tally.win_rate,
        "best_ms": tally.best_ms,
        "mean_ms": tally.mean_ms,
        "mean_3bv_per_s": tally.mean_speed,
    }


def _show_totals(totals: Sequence[Total], as_json: bool) -> None:
    if as_json:
        print_json([_total_to_json(total) for total in totals])
        return
    for total in totals:
        counts = f"played {total.played}   won {total.won}   lost {total.lost}"
        ended = f"   given up {total.terminated}" if total.terminated else ""
        click.echo("all other boards" if total.category is None else describe(total.category))
        click.echo(f"  {counts}{ended}")
    if not totals:
        click.echo("No finished games yet.")


def _total_to_json(total: Total) -> dict[str, object]:
    category = {} if total.category is None else variant_to_json(total.category)
    return {**category, **_counts_to_json(total)}


def _counts_to_json(counts: Tally | Total) -> dict[str, object]:
    return {
        "played": counts.played,
        "won": counts.won,
        "lost": counts.lost,
        "terminated": counts.terminated,
    }
