import sqlite3
from dataclasses import replace

import pytest

from jminesweeper.store.errors import FencedError, StoreLimitError, UnknownPlayerError
from jminesweeper.store.operations import Claim, PutRunning, PutSave
from jminesweeper.store.sqlite.running import append, claim, known, put_running, put_save
from jminesweeper.store.values import MAX_SAVES, pack_entries
from tests.contract.examples import ANN, BOB, GAME, NOBODY
from tests.contract.examples import append as appending


def count(connection: sqlite3.Connection, table: str) -> int:
    statements = {
        "move": "SELECT count(*) FROM move",
        "save": "SELECT count(*) FROM save",
        "slot": "SELECT count(*) FROM slot WHERE code IS NOT NULL",
    }
    rows: int = connection.execute(statements[table]).fetchone()[0]
    return rows


def test_players_are_known_by_numbers(connection: sqlite3.Connection) -> None:
    assert known(connection, ANN) != known(connection, BOB)
    with pytest.raises(UnknownPlayerError):
        known(connection, NOBODY)


def test_an_append_is_one_row_and_nothing_else(connection: sqlite3.Connection) -> None:
    revision = put_running(connection, PutRunning(ANN, "first", GAME))
    before = connection.total_changes
    append(connection, appending(revision, 3))
    assert connection.total_changes == before + 1


def test_a_refused_write_changes_nothing(connection: sqlite3.Connection) -> None:
    revision = put_running(connection, PutRunning(ANN, "first", GAME))
    before = connection.total_changes
    with pytest.raises(FencedError):
        append(connection, appending(revision, 3, owner="second"))
    with pytest.raises(FencedError):
        put_running(connection, PutRunning(ANN, "second", GAME))
    assert connection.total_changes == before


def test_a_new_game_leaves_nothing_of_the_one_before(connection: sqlite3.Connection) -> None:
    revision = put_running(connection, PutRunning(ANN, "first", GAME))
    for number in range(50):
        append(connection, appending(revision + number, number))
    assert count(connection, "move") == 51
    revision = put_running(connection, PutRunning(ANN, "first", replace(GAME, code="next")))
    assert count(connection, "move") == 1
    holding = claim(connection, Claim(ANN, "second"))
    assert (holding.revision, holding.game) == (revision, replace(GAME, code="next"))


def test_a_game_of_ten_thousand_actions_is_joined_in_order(connection: sqlite3.Connection) -> None:
    revision = put_running(connection, PutRunning(ANN, "first", replace(GAME, entries=b"")))
    connection.execute("BEGIN")
    for number in range(10_000):
        append(connection, appending(revision + number, number))
    connection.execute("COMMIT")
    game = claim(connection, Claim(ANN, "second")).game
    assert game
    assert game.entries == pack_entries(range(10_000))


def test_a_save_too_many_changes_nothing(connection: sqlite3.Connection) -> None:
    for number in range(MAX_SAVES):
        put_save(connection, PutSave(ANN, f"{number}", GAME, 1))
    with pytest.raises(StoreLimitError):
        put_save(connection, PutSave(ANN, "more", GAME, 1))
    assert count(connection, "save") == MAX_SAVES


def test_claiming_does_not_make_a_game(connection: sqlite3.Connection) -> None:
    claim(connection, Claim(ANN, "first"))
    assert count(connection, "slot") == 0
