"""`jminesweeper store`: moving a whole store, and checking one."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing

import click

from jminesweeper.cli.places import Place, StorePlace
from jminesweeper.cli.stores import one_line_errors, open_archive, open_store
from jminesweeper.core.view import Status
from jminesweeper.store import FindGame, FindPlayer, ListBoards, ReadLeaderboard, Store
from jminesweeper.store.blocking import perform, perform_all
from jminesweeper.store.checking import check_player, check_totals, count_results
from jminesweeper.store.transfer import (
    ExportPlayer,
    ExportTotals,
    FindDamage,
    ImportPlayer,
    ImportTotals,
    ListPlayers,
    PlayerData,
)

PAGE = 50
"""Players that are moved at once."""
EVERYTHING = 1_000_000


@click.group("store")
def store_command() -> None:
    """Move everything from one store into another, or check one.

    A store is a file (SQLite) or the address of Redis: redis://HOST, rediss://HOST, unix:///PATH,
    redis+sentinel://HOST,HOST/SERVICE.
    """


@store_command.command("copy")
@click.argument("source", metavar="FROM", type=StorePlace(may_be_memory=False))
@click.argument("target", metavar="TO", type=StorePlace(may_be_memory=False))
def copy_command(*, source: Place, target: Place) -> None:
    """Copy everything from one store into another, from SQLite to Redis or back.

    Stop the servers first. A copy that was interrupted continues when it is started again. A store
    with players that the first one lacks is refused.
    """
    if source == target:
        raise click.UsageError("FROM and TO are the same store.")
    with (
        open_archive(source, advice="") as origin,
        closing(_open_target(target)) as copy,
        one_line_errors(),
    ):
        _refuse_strangers(origin, copy, target)
        copied, unchanged = Contents(), 0
        with _progress(origin, "Copying") as pages:
            for page in pages:
                missing = _missing(page, copy)
                perform_all(copy, [ImportPlayer(data) for data in missing])
                unchanged += len(page) - len(missing)
                for data in missing:
                    copied.add(data)
        perform(copy, ImportTotals(perform(origin, ExportTotals())))
    click.echo(f"Copied {copied}; {unchanged} of the players were there already.")


@store_command.command("check")
@click.argument("place", metavar="STORE", type=StorePlace(may_be_memory=False))
def check_command(*, place: Place) -> None:
    """Check that a store is whole: what it holds can be read, logs play, counts add up.

    Stop the servers first, or what changes meanwhile may look damaged. Ends with 1 if anything is
    wrong.
    """
    with open_archive(place, advice="") as store:
        problems = list(perform(store, FindDamage()))
        found, counted = Contents(), Counter[Status]()
        with _progress(store, "Checking") as pages:
            for data in (data for page in pages for data in page):
                problems += check_player(data)
                counted += count_results(data.tally)
                found.add(data)
        problems += check_totals(perform(store, ExportTotals()), counted)
        problems += _check_leaderboards(store)
    for problem in problems:
        click.echo(problem)
    if problems:
        raise click.ClickException(f"{place} is damaged: {found}, {len(problems)} problems.")
    click.echo(f"{place} is whole: {found}.")


class Contents:
    """A count of what a store has."""

    def __init__(self) -> None:
        self._players = 0
        self._running = 0
        self._saves = 0
        self._games = 0

    def add(self, data: PlayerData) -> None:
        self._players += 1
        self._running += data.running is not None
        self._saves += len(data.saves)
        self._games += len(data.games)

    def __str__(self) -> str:
        return (
            f"{self._players} players, {self._running} running games, "
            f"{self._saves} saved games, {self._games} finished games"
        )


def _open_target(target: Place) -> Store:
    with one_line_errors():
        return open_store(target)


def _refuse_strangers(origin: Store, copy: Store, target: Place) -> None:
    for page in _pages(copy):
        known = perform_all(origin, [FindPlayer(player) for player in page])
        if None in known:
            raise click.ClickException(
                f"{target} has players that are not in the store to copy; copy into an empty one."
            )


def _missing(page: Sequence[PlayerData], copy: Store) -> Sequence[PlayerData]:
    """Leave out the players that the copy already has unchanged."""
    present = perform_all(copy, [ExportPlayer(data.player.id) for data in page])
    return [data for data, found in zip(page, present, strict=True) if found != data]


def _progress(store: Store, label: str) -> AbstractContextManager[Iterable[Sequence[PlayerData]]]:
    """Go through all players, page by page, with a bar on a terminal."""
    pages = sum(1 for _ in _pages(store))
    return click.progressbar(_read_all(store), length=pages, label=label, file=sys.stderr)


def _read_all(store: Store) -> Iterator[Sequence[PlayerData]]:
    for page in _pages(store):
        found = perform_all(store, [ExportPlayer(player) for player in page])
        yield [data for data in found if data is not None]


def _pages(store: Store) -> Iterator[Sequence[str]]:
    page = perform(store, ListPlayers(limit=PAGE))
    while page:
        yield page
        page = perform(store, ListPlayers(page[-1], PAGE))


def _check_leaderboards(store: Store) -> Iterator[str]:
    """List places on leaderboards whose game is missing, or belongs to another player."""
    for board in perform(store, ListBoards(EVERYTHING)):
        for score in perform(store, ReadLeaderboard(board, EVERYTHING)):
            game = perform(store, FindGame(score.code))
            if game is None or (game.player, game.wall_ms) != (score.player, score.wall_ms):
                yield f"The leaderboard {board.label} has a game {score.code} that is not there."
