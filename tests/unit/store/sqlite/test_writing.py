"""What the contract cannot see: how much a write changes, and what it leaves behind."""

import sqlite3
from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.store import (
    Enter,
    Fault,
    FencedError,
    Finish,
    Note,
    PutRunning,
    PutSave,
    Record,
    RevisionError,
    StoreLimitError,
    StoreUnavailableError,
    TakenCodeError,
    UnknownPlayerError,
    pack_entries,
)
from jminesweeper.store.sqlite.records import finish, record
from jminesweeper.store.sqlite.writing import (
    append,
    append_all,
    enter,
    known,
    note,
    put_running,
    put_save,
)
from jminesweeper.store.values import MAX_SAVES
from tests.contract.examples import ANN, BOB, GAME, NOBODY, loss, win
from tests.contract.examples import append as appending


def count(connection: sqlite3.Connection, table: str) -> int:
    rows: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
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


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 63, 64, 65, 150])
def test_appends_of_many_players_are_carried_out_together(
    connection: sqlite3.Connection, count: int
) -> None:
    players = [f"player {number}" for number in range(count)]
    for player in players:
        put_running(connection, PutRunning(player, "first", GAME))
    asked = [appending(1, number, player=player) for number, player in enumerate(players)]
    assert append_all(connection, asked) == [2] * count
    for number, player in enumerate(players):
        game = enter(connection, Enter(player, "", "second")).game
        assert game
        assert game.entries == GAME.entries + pack_entries([number])


def test_appends_that_are_refused_keep_nobody_from_theirs(connection: sqlite3.Connection) -> None:
    players = [f"player {number}" for number in range(20)]
    for player in players:
        put_running(connection, PutRunning(player, "first", GAME))
    asked = [appending(1, 3, player=player) for player in players]
    asked[2] = replace(asked[2], owner="second")
    asked[5] = replace(asked[5], revision=7)
    asked[17] = replace(asked[17], player=NOBODY)
    append(connection, asked[9])
    answers = append_all(connection, asked)
    assert {number: type(each) for number, each in enumerate(answers) if each != 2} == {
        2: FencedError,
        5: RevisionError,
        17: UnknownPlayerError,
    }


def test_any_number_of_notes_are_one_row(connection: sqlite3.Connection) -> None:
    put_running(connection, PutRunning(ANN, "first", GAME))
    for clock_ms in range(50):
        note(connection, Note(ANN, "first", clock_ms, Cell(0, 0), is_paused=False))
    assert (count(connection, "note"), count(connection, "move")) == (1, 1)


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
    entrance = enter(connection, Enter(ANN, "", "second"))
    assert (entrance.revision, entrance.game) == (revision, replace(GAME, code="next"))


def test_a_game_of_ten_thousand_actions_is_joined_in_order(connection: sqlite3.Connection) -> None:
    revision = put_running(connection, PutRunning(ANN, "first", replace(GAME, entries=b"")))
    connection.execute("BEGIN")
    for number in range(10_000):
        append(connection, appending(revision + number, number))
    connection.execute("COMMIT")
    game = enter(connection, Enter(ANN, "", "second")).game
    assert game
    assert game.entries == pack_entries(range(10_000))


def test_who_enters_unknown_leaves_no_row(connection: sqlite3.Connection) -> None:
    before = connection.total_changes
    enter(connection, Enter(NOBODY, "Nobody", "first"))
    assert connection.total_changes == before


def test_a_row_that_makes_no_game_is_damage(connection: sqlite3.Connection) -> None:
    put_running(connection, PutRunning(ANN, "first", GAME))
    for column, value in (("rules", "classic chording=maybe"), ("columns", 300), ("layout", b"")):
        connection.execute("SAVEPOINT whole")
        connection.execute(f"UPDATE slot SET {column} = ?", (value,))
        with pytest.raises(StoreUnavailableError) as refusal:
            enter(connection, Enter(ANN, "", "second"))
        assert refusal.value.fault is Fault.DAMAGED
        connection.execute("ROLLBACK TO whole")


def test_a_save_too_many_changes_nothing(connection: sqlite3.Connection) -> None:
    for number in range(MAX_SAVES):
        put_save(connection, PutSave(ANN, f"{number}", GAME, 1))
    with pytest.raises(StoreLimitError):
        put_save(connection, PutSave(ANN, "more", GAME, 1))
    assert count(connection, "save") == MAX_SAVES


def test_a_game_recorded_again_keeps_its_place_in_the_order(connection: sqlite3.Connection) -> None:
    for code in ("one", "two"):
        record(connection, Record(loss(code)))
    record(connection, Record(win("one", is_assisted=True)))
    games = connection.execute("SELECT id, code, status FROM finished ORDER BY id").fetchall()
    assert games == [(1, "one", "won"), (2, "two", "lost")]


def test_a_slower_win_leaves_the_best_alone(connection: sqlite3.Connection) -> None:
    for code, wall_ms in (("first", 2000), ("slow", 3000), ("fast", 1000), ("equal", 1000)):
        record(connection, Record(win(code, wall_ms)))
    best = connection.execute(
        "SELECT code, best.wall_ms FROM best JOIN finished ON finished.id = game"
    )
    assert best.fetchall() == [("fast", 1000)]
    kept = connection.execute("SELECT code FROM finished WHERE is_kept").fetchall()
    assert [code for (code,) in kept] == ["first", "slow", "fast", "equal"]


def test_a_finish_that_is_refused_changes_nothing(connection: sqlite3.Connection) -> None:
    revision = put_running(connection, PutRunning(ANN, "first", GAME))
    record(connection, Record(loss("bobs", player=BOB)))
    before = connection.total_changes
    with pytest.raises(FencedError):
        finish(connection, Finish(appending(revision, 3, owner="second"), win("game1")))
    with pytest.raises(TakenCodeError):
        finish(connection, Finish(appending(revision, 3), win("bobs")))
    assert connection.total_changes == before
