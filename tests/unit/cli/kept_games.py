"""A data directory with a key, finished games in a store, and games to put into files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from jminesweeper.cli.main import main
from jminesweeper.core import Game, Size, format_setup
from jminesweeper.store.blocking import perform
from jminesweeper.store.ports import (
    Category,
    FinishedGame,
    Greet,
    Record,
    pack_entries,
    player_id,
)
from jminesweeper.store.sqlite import SqliteStore
from tests.unit.core.boards import play

SECRET = bytes(range(16))
ANN = player_id(SECRET)
BOB = "b" * 32
WON = play("*...\n....", "classic", "flag 0 0", "reveal 3 1", "reveal 0 1")
LOST = play("*..\n..*", "classic", "reveal 1 0", "undo", "reveal 1 0", "reveal 0 0")


def finished(code: str, game: Game, **changes: Any) -> FinishedGame:
    stored = FinishedGame(
        code=code,
        category=Category("own", game.setup.rules.name),
        size=game.setup.size,
        mine_count=game.setup.mine_count,
        status=game.status,
        time_ms=game.elapsed_ms,
        ended_at_s=1_700_000_000,
        player=ANN,
        header=format_setup(game.setup),
        entries=pack_entries(game.log.entries),
        is_assisted=game.assisted,
    )
    return replace(stored, **changes)


def store_games(path: Path, *games: FinishedGame) -> None:
    with SqliteStore(path) as store:
        for player, name in ((ANN, "Ann"), (BOB, "Bob")):
            perform(store, Greet(player, name, 1))
        for game in games:
            perform(store, Record(game))


def furnish(home: Path) -> Path:
    """Make Ann's data directory, and return her store."""
    folder = home / "jminesweeper"
    store_games(
        folder / "games.sqlite3",
        finished("won1", WON),
        finished("bobs", WON, player=BOB),
        finished("lost1", LOST, category=Category("daily", "classic"), daily="2026-11-18"),
        finished("broken", WON, header="jminesweeper game 9"),
        finished("astray", WON, size=Size(30, 16), entries=pack_entries([1 << 16 | 999])),
    )
    (folder / "key").write_text(SECRET.hex())
    (folder / "key").chmod(0o600)
    return folder / "games.sqlite3"


def run(home: Path, *arguments: str) -> Result:
    return CliRunner(env={"XDG_DATA_HOME": str(home)}).invoke(main, arguments)
