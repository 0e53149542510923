"""Stores of released versions, opened, checked and played on by this one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from jminesweeper import __version__
from jminesweeper.cli.main import main
from jminesweeper.protocol.packets import Act, Load
from jminesweeper.protocol.vocabulary import Button, Command
from tests.integration.server_process import running_server
from tests.integration.view_player import ViewPlayer
from tests.redis_process import RedisProcess
from tests.upgrade.played import FOLDER, KEY, REDIS, SECRET, SQLITE, restore

VERSIONS = sorted(path.name for path in FOLDER.iterdir() if (path / SQLITE).exists())


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["sqlite", "redis"])
def store(request: pytest.FixtureRequest, version: str, tmp_path: Path) -> str:
    """A store as that version left it."""
    if request.param == "sqlite":
        return str(shutil.copy(FOLDER / version / SQLITE, tmp_path))
    redis: RedisProcess = request.getfixturevalue("empty_redis")
    restore(redis.client, json.loads((FOLDER / version / REDIS).read_text(encoding="utf-8")))
    return redis.url


@pytest.fixture
def ask(store: str, tmp_path: Path) -> Callable[..., str]:
    """Ask a command about the store, as Ada."""
    key = tmp_path / "key"
    key.write_text(SECRET.hex(), encoding="utf-8")
    key.chmod(0o600)

    def ask(*words: str) -> str:
        own = ["--key", str(key)] if words[0] in {"games", "stats"} else []
        place = [store] if words[0] == "store" else ["--store", store]
        result = CliRunner().invoke(main, [*words, *own, *place])
        assert result.exit_code == 0, result.output
        return result.output

    return ask


def test_a_store_is_whole_before_and_after_it_is_played_on(
    store: str, ask: Callable[..., str]
) -> None:
    ask("store", "check")
    with (
        running_server(f"--store={store}", "--workers=0") as server,
        ViewPlayer(server.port, KEY, "Ada") as ada,
    ):
        assert (ada.entries["size"], ada.entries["mines left"]) == ("9x9", "7")
        assert ada.play(Act(8, 8, Button.FLAG, 16))["mines left"] == "6"
        ada.play(Load("first"))
        assert (ada.entries["size"], ada.entries["mines left"]) == ("30x16", "98")
        assert "unsaved" not in ada.play(Command.REFRESH)["remark"]
    ask("store", "check")


def test_what_was_played_is_still_counted_and_listed(ask: Callable[..., str]) -> None:
    statistics = json.loads(ask("stats", "--json"))
    assert (statistics["games_played"], statistics["games_won"]) == (2, 1)
    games = json.loads(ask("games", "--json"))
    (won,) = [game for game in games if game["result"] == "won"]
    assert (won["columns"], won["rows"]) == (2, 1)
    assert "the game is won" in ask("replay", won["game"], "--plain")


def test_a_store_of_this_version_is_kept() -> None:
    assert __version__ in VERSIONS
