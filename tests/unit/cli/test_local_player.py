"""A player of an earlier version, who comes back with a client that keeps the key to itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from jminesweeper.cli.local_player import local_player, move_local_player
from jminesweeper.store import FindPlayer, KnownPlayer, ListGames, PutPlayer, Record, player_id
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite.backend import Archive, SqliteStore
from tests.unit.cli.kept_games import SECRET, WON, finished

BEFORE, AFTER = player_id(SECRET), local_player(SECRET)


@pytest.fixture
def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "jminesweeper").mkdir()
    return tmp_path / "jminesweeper" / "key"


def store_of(key_file: Path) -> Path:
    return key_file.with_name("games.sqlite3")


def known(store: Path, player: str) -> KnownPlayer | None:
    with Archive(store) as archive:
        return perform(archive, FindPlayer(player))


def keep_a_game(store: Path) -> None:
    with SqliteStore(store) as kept:
        perform(kept, PutPlayer(BEFORE, "Ann", {}, 1))
        perform(kept, Record(finished("g1", WON, player=BEFORE)))


def test_games_of_an_earlier_version_stay_their_players(key_file: Path) -> None:
    store = store_of(key_file)
    keep_a_game(store)
    move_local_player(SECRET, key_file)
    assert known(store, BEFORE) is None
    with Archive(store) as archive:
        assert [game.code for game in perform(archive, ListGames(AFTER, 9))] == ["g1"]


def test_a_server_that_has_the_store_open_sees_the_player_under_the_new_name(
    key_file: Path,
) -> None:
    store = store_of(key_file)
    keep_a_game(store)
    with SqliteStore(store) as open_store:
        assert perform(open_store, FindPlayer(AFTER)) is None
        move_local_player(SECRET, key_file)
        assert perform(open_store, FindPlayer(AFTER)) is not None


def test_a_player_is_moved_once(key_file: Path) -> None:
    store = store_of(key_file)
    move_local_player(SECRET, key_file)
    keep_a_game(store)
    move_local_player(SECRET, key_file)
    assert known(store, BEFORE) is not None


def test_what_was_played_since_is_not_mixed_with_what_was_before(key_file: Path) -> None:
    store = store_of(key_file)
    keep_a_game(store)
    with SqliteStore(store) as kept:
        perform(kept, PutPlayer(AFTER, "Ann again", {}, 1))
    move_local_player(SECRET, key_file)
    assert known(store, BEFORE) is not None
    assert (player := known(store, AFTER)) is not None
    assert player.name == "Ann again"


def test_a_store_that_cannot_be_used_is_asked_again_at_the_next_start(key_file: Path) -> None:
    store = store_of(key_file)
    store.write_text("not a store")
    move_local_player(SECRET, key_file)
    store.unlink()
    keep_a_game(store)
    move_local_player(SECRET, key_file)
    assert known(store, AFTER) is not None
