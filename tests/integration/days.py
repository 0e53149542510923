"""The board of the day of a running server, as its store knows it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import SystemRandom

from jminesweeper.core.seedcode import daily_setup
from jminesweeper.core.setup import Setup
from jminesweeper.records.days import DaySeeds, parse_secret
from jminesweeper.records.documents import Flow, PlayerDocument
from jminesweeper.records.keys import DAYS
from jminesweeper.records.players import Change, PlayerCopy
from jminesweeper.store.blocking import pages, perform, run
from jminesweeper.store.port import Read
from jminesweeper.store.sqlite import SqliteStore, open_archive


def let_rank(store: Path) -> None:
    """Make those who play on this file known enough to rank on a board of the day."""
    ids: list[str] = []
    with closing(SqliteStore(store)) as opened:
        while not ids:
            keys = [put.key for page in pages(opened) for commit in page for put in commit.puts]
            ids = [key.partition(":")[2] for key in keys if key.startswith("player:")]
        for player in ids:
            held = PlayerCopy(player, SystemRandom().getrandbits)
            run(opened, held.refresh())
            run(opened, held.change(_grow_up, 1))


def _grow_up(player: PlayerDocument) -> Flow[Change | None]:
    yield from ()
    return Change(replace(player, first_end_s=1))


def todays_board(store: Path, board: str = "beginner") -> Setup:
    """Find out what a server on this file has as the board of the day."""
    with closing(open_archive(store)) as archive:
        (secret,) = perform(archive, Read((DAYS,))).documents
    today = datetime.now(UTC).date()
    seed = DaySeeds(parse_secret(secret.body)).of(today)
    assert seed is not None
    return daily_setup(today, board, seed)
