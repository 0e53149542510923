"""The board of the day of a running server, as its store knows it."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from jminesweeper.core.seedcode import daily_setup
from jminesweeper.core.setup import Setup
from jminesweeper.records.days import DaySeeds, parse_secret
from jminesweeper.records.keys import DAYS
from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Read
from jminesweeper.store.sqlite.store import open_archive


def todays_board(store: Path, board: str = "beginner") -> Setup:
    """Find out what a server on this file has as the board of the day."""
    with closing(open_archive(store)) as archive:
        (secret,) = perform(archive, Read((DAYS,))).documents
    today = datetime.now(UTC).date()
    seed = DaySeeds(parse_secret(secret.body)).of(today)
    assert seed is not None
    return daily_setup(today, board, seed)
