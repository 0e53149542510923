"""`jminesweeper store copy` and `jminesweeper store check`, as they are typed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli.store import store_command
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.store.blocking import pages, perform
from jminesweeper.store.port import Commit, Put, Store
from jminesweeper.store.redis import RedisStore
from jminesweeper.store.sqlite import SqliteStore
from tests.contract.examples import begin
from tests.redis_process import RedisProcess
from tests.unit.records.club import EXPERT, Club

CONTENTS = "5 documents (2 game, 1 listed, 1 player, 1 tally), 5 places"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(store_command, list(map(str, arguments)))


def contents(store: Store) -> list[str]:
    return sorted(repr(each) for commits in pages(store) for each in commits)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """Store what a player has who gave one game up and plays another."""
    path = tmp_path / "games.sqlite3"
    with closing(SqliteStore(path)) as store:
        club = Club(store)
        ann = club.enter("ann", "Ann")
        for code in ("given up", "another"):
            game = Game(EXPERT)
            game.flag(Cell(0, 0), 100)
            club.record(ann, code, game)
    return path


def test_a_store_is_copied_to_redis_and_back(
    filled: Path, tmp_path: Path, empty_redis: RedisProcess
) -> None:
    back = tmp_path / "back.sqlite3"
    there = run("copy", filled, empty_redis.url)
    told = f"Copied {CONTENTS}; 0 of the documents were there already.\n"
    assert (there.exit_code, there.stdout) == (0, told)
    assert run("copy", empty_redis.url, back).exit_code == 0
    with closing(SqliteStore(filled)) as first, closing(SqliteStore(back)) as last:
        assert contents(last) == contents(first)
    for place in (filled, empty_redis.url, back):
        assert run("check", place).stdout == f"{place} is whole: {CONTENTS}.\n"
    again = run("copy", filled, back)
    assert again.stdout == f"Copied {CONTENTS}; 5 of the documents were there already.\n"


def test_a_terminal_shows_how_far_a_copy_is(filled: Path, tmp_path: Path) -> None:
    terminal, theirs = os.openpty()
    words = ["store", "copy", str(filled), str(tmp_path / "copy")]
    command = [sys.executable, "-m", "jminesweeper", *words]
    subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    assert f"\rCopied {CONTENTS}" in os.read(terminal, 1 << 16).decode()
    os.close(terminal)


def test_a_store_with_something_else_is_not_copied_into(filled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite3"
    with closing(SqliteStore(other)) as store:
        perform(store, begin(1, key="game:other"))
    refused = run("copy", filled, other)
    assert refused.exit_code == 1
    assert f"{other} has game:other, which {filled} lacks" in refused.stderr


def test_the_store_of_this_machine_is_checked_where_none_is_named(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(filled.parent))
    own = filled.parent / "jminesweeper" / filled.name
    own.parent.mkdir()
    filled.rename(own)
    assert run("check").stdout == f"{own} is whole: {CONTENTS}.\n"


def test_what_is_wrong_is_listed_and_the_end_says_so(filled: Path) -> None:
    with closing(SqliteStore(filled)) as store:
        perform(store, Commit(7, puts=(Put("device:phone", "nobody"),)))
    checked = run("check", filled)
    assert checked.exit_code == 1
    assert checked.stdout == "The device phone plays as nobody, whom nobody knows.\n"
    assert "; 1 problems." in checked.stderr


def test_damage_to_the_file_is_found(filled: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_schema WHERE name = 'document_by_end'")
    assert "SQLite: " in run("check", filled).stdout


def test_a_store_on_redis_is_checked_as_well(filled: Path, empty_redis: RedisProcess) -> None:
    assert run("copy", filled, empty_redis.url).exit_code == 0
    with closing(RedisStore(empty_redis.url)) as store:
        perform(store, Commit(puts=(Put("game:another", None),)))
    assert "Game another of player ann is not there" in run("check", empty_redis.url).stdout
