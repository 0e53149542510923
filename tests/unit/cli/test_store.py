"""`jminesweeper store copy` and `jminesweeper store check`, as they are typed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli.main import main
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Size
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.store import (
    FinishedGame,
    ListBoards,
    Operation,
    PutPlayer,
    PutRunning,
    PutSave,
    ReadLeaderboard,
    Record,
    RunningGame,
    pack_entries,
)
from jminesweeper.store.blocking import perform, perform_all
from jminesweeper.store.memory.backend import MemoryStore
from jminesweeper.store.redis.backend import RedisStore
from jminesweeper.store.sqlite.backend import SqliteStore
from jminesweeper.store.transfer import ExportPlayer, ExportTotals, ListPlayers
from tests.ports import free_port
from tests.redis_process import RedisProcess
from tests.unit.cli.kept_games import ANN, BOB, LOST, WON, finished, store_games

RUNNING = Game(Setup.of("expert", seed=7))
CONTENTS = "2 players, 1 running games, 1 saved games, 4 finished games"


def won_classic() -> FinishedGame:
    """Make a win that takes a place on a leaderboard."""
    mines = (1 << 9) - 1 | 1 << 10
    game = Game(Setup(CLASSIC_BOARDS["beginner"], layout=mines))
    for cell in game.grid.cells(game.grid.mask & ~mines):
        game.reveal(cell, 1000)
    return finished("classic", game, wall_ms=5_000)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["store", *map(str, arguments)])


def fill(path: Path) -> None:
    """Store something of each kind, every log one that plays."""
    store_games(
        path,
        finished("won1", WON),
        finished("lost1", LOST),
        finished("bobs", WON, player=BOB),
        won_classic(),
    )
    kept = RunningGame("code", RUNNING.setup, pack_entries(RUNNING.log.entries), 9_000)
    with SqliteStore(path) as store:
        perform(store, PutRunning(ANN, "first", kept))
        perform(store, PutSave(ANN, "before the guess", kept, 100, 0.5))
        perform(store, Record(finished("", LOST, player=None)))


def everything(store: SqliteStore | RedisStore) -> list[object]:
    players = perform(store, ListPlayers())
    boards = perform(store, ListBoards())
    questions: list[Operation[object]] = [
        *(ExportPlayer(player) for player in players),
        *(ReadLeaderboard(board) for board in boards),
        ExportTotals(),
    ]
    return [players, boards, *perform_all(store, questions)]


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite3"
    fill(path)
    return path


def test_a_store_is_copied_to_redis_and_back(
    filled: Path, tmp_path: Path, empty_redis: RedisProcess
) -> None:
    back = tmp_path / "back.sqlite3"
    there = run("copy", filled, empty_redis.url)
    assert (there.exit_code, there.stdout) == (
        0,
        f"Copied {CONTENTS}; 0 of the players were there already.\n",
    )
    assert run("copy", empty_redis.url, back).exit_code == 0
    with SqliteStore(filled) as first, SqliteStore(back) as last, RedisStore(empty_redis.url) as on:
        assert everything(on) == everything(first)
        assert everything(last) == everything(first)
    for place in (filled, empty_redis.url, back):
        assert run("check", place).stdout == f"{place} is whole: {CONTENTS}.\n"


def test_a_copy_that_was_interrupted_continues(filled: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert run("copy", filled, copy).exit_code == 0
    with SqliteStore(copy) as store:
        perform(store, PutPlayer(ANN, "half copied", {}, 1))
    again = run("copy", filled, copy)
    assert again.stdout.startswith("Copied 1 players, 1 running games")
    assert again.stdout.endswith("; 1 of the players were there already.\n")
    with SqliteStore(filled) as first, SqliteStore(copy) as last:
        assert everything(last) == everything(first)


def test_a_store_of_other_players_is_not_copied_into(filled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite3"
    with SqliteStore(other) as store:
        perform(store, PutPlayer("c" * 32, "Cey", {}, 1))
    result = run("copy", filled, other)
    assert result.exit_code == 1
    assert "has players that are not in the store to copy" in result.stderr
    with SqliteStore(other) as store:
        assert perform(store, ListPlayers()) == ("c" * 32,)


def test_a_store_is_not_copied_onto_itself(filled: Path) -> None:
    assert run("copy", filled, filled).exit_code == 2


def test_what_is_wrong_with_a_place_is_one_sentence(filled: Path, tmp_path: Path) -> None:
    port = free_port()
    missing = tmp_path / "missing.sqlite3"
    results = {
        f"The store {missing} does not exist.": run("copy", missing, filled),
        f"The store redis://127.0.0.1:{port} cannot be reached.": run(
            "copy", filled, f"redis://:secret@127.0.0.1:{port}"
        ),
        f"The store {tmp_path} cannot be opened for reading and writing.": run("check", tmp_path),
    }
    for sentence, result in results.items():
        assert (result.exit_code, result.stderr.splitlines()[-1]) == (1, f"Error: {sentence}")


def damage(path: Path, statement: str) -> list[str]:
    """Change the file behind the store's back; return what the check says."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute(statement).rowcount > 0
    result = run("check", path)
    assert result.exit_code == 1
    return result.stdout.splitlines()


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (
            "UPDATE finished SET entries = x'ffffffffffffff0f' WHERE code = 'bobs'",
            "The finished game bobs cannot be played.",
        ),
        (
            "UPDATE finished SET status = 'terminated' WHERE code = 'lost1'",
            "The finished game lost1 is terminated, but its log is not.",
        ),
        (
            "UPDATE move SET entries = x'ffffffffffffff0f'",
            f"The running game code of {ANN} cannot be played.",
        ),
        (
            "UPDATE save SET entries = x'ffffffffffffff0f'",
            f"The saved game 'before the guess' of {ANN} cannot be played.",
        ),
        (
            "UPDATE tally SET won = 0, apart_won = 0 WHERE player = 1",
            f"The statistics of {ANN} count fewer games than there are.",
        ),
        ("DELETE FROM tally WHERE player = 0", "Players have 3 games won, all together 0."),
        (
            "UPDATE best SET wall_ms = 1",
            "The leaderboard beginner 9x9 has a game classic that is not there.",
        ),
    ],
)
def test_what_is_not_whole_is_named(filled: Path, statement: str, problem: str) -> None:
    assert problem in damage(filled, statement)


def test_a_value_that_cannot_be_read_ends_the_check(filled: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute("UPDATE player SET settings = '{'")
    result = run("check", filled)
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        1,
        "Error: The store is damaged or cut short.",
    )


def test_a_listed_player_who_is_not_there_is_named(filled: Path, empty_redis: RedisProcess) -> None:
    run("copy", filled, empty_redis.url)
    empty_redis.client.delete(f"jm:player:{BOB}")
    result = run("check", empty_redis.url)
    assert result.exit_code == 1
    assert f"Player {BOB} is listed and not there." in result.stdout


def test_other_sizes_than_the_boards_by_name_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    game = replace(finished("own", WON), setup=WON.setup)
    store_games(path, game)
    assert game.setup.size == Size(4, 2)
    assert run("check", path).exit_code == 0


def test_several_answers_come_in_the_order_of_the_questions() -> None:
    store = MemoryStore()
    perform_all(store, [PutPlayer(name, name, {}, 1) for name in "abc"])
    found = perform_all(store, [ExportPlayer(name) for name in "bxa"])
    assert [data and data.player.name for data in found] == ["b", None, "a"]
