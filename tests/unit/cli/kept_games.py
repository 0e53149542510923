"""A data directory with a key, finished games in a store, and games to put into files."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from jminesweeper.cli.archives import local_player
from jminesweeper.cli.main import main
from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.store import FinishedGame, PutPlayer, Record, pack_entries
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite.backend import SqliteStore
from tests.unit.core.boards import play

SECRET = bytes(range(16))
ANN = local_player(SECRET)
BOB = "b" * 32
DAY = date(2026, 11, 18)
WON = play("*...\n....", "classic", "flag 0 0", "reveal 3 1", "reveal 0 1")
LOST = play("*..\n..*", "classic", "reveal 1 0", "undo", "reveal 1 0", "reveal 0 0")


def with_variant(game: Game, **changes: Any) -> Setup:
    variant = replace(game.setup.variant, **changes)
    return replace(game.setup, variant=variant)


def finished(code: str, game: Game, **changes: Any) -> FinishedGame:
    stored = FinishedGame(
        code=code,
        setup=game.setup,
        status=game.status,
        time_ms=game.elapsed_ms,
        ended_at_s=1_700_000_000,
        player=ANN,
        entries=pack_entries(game.log.entries),
        is_assisted=game.assisted,
    )
    return replace(stored, **changes)


def store_games(path: Path, *games: FinishedGame) -> None:
    with SqliteStore(path) as store:
        for player, name in ((ANN, "Ann"), (BOB, "Bob")):
            perform(store, PutPlayer(player, name, {}, 1))
        for game in games:
            perform(store, Record(game))


def furnish(home: Path) -> Path:
    """Make Ann's data directory, and return her store."""
    folder = home / "jminesweeper"
    store_games(
        folder / "games.sqlite3",
        finished("won1", WON),
        finished("bobs", WON, player=BOB),
        finished("lost1", LOST, setup=with_variant(LOST, daily=DAY)),
        finished("astray", WON, entries=pack_entries([1 << 16 | 999])),
    )
    (folder / "key").write_text(SECRET.hex())
    (folder / "key").chmod(0o600)
    return folder / "games.sqlite3"


def run(home: Path, *arguments: str) -> Result:
    return CliRunner(env={"XDG_DATA_HOME": str(home)}).invoke(main, arguments)
