"""Stores of older versions open, with everything in them.

`version-1.sqlite3.gz` was written by version 1: Ann's running daily repetition with a pause, Bob's
on a no-guess layout, Cey's claim without a game, Ann's saves, games of all kinds and anonymous
ones. What is expected here was written down by hand.
"""

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TypeVar

import pytest

from jminesweeper.core.actions import ActionKind, pack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant, level_variant
from jminesweeper.core.view import Status
from jminesweeper.store import (
    Append,
    CategoryStatistics,
    Enter,
    Fault,
    FindGame,
    FindPlayer,
    FindSave,
    FinishedGame,
    KnownPlayer,
    ListBoards,
    ListGames,
    ListSaves,
    ReadLeaderboard,
    ReadStatistics,
    ReadTotals,
    RunningGame,
    SaveLabel,
    Score,
    Statistics,
    Tally,
    Total,
    pack_entries,
    unpack_entries,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite import migration as migration_module
from jminesweeper.store.sqlite.backend import SqliteStore
from jminesweeper.store.sqlite.migration import identify, migrate, schema_version
from jminesweeper.store.sqlite.schema import APPLICATION_ID, VERSION

T = TypeVar("T")

VERSION_1 = Path(__file__).with_name("version-1.sqlite3.gz")
ANN, BOB, CEY = "a" * 32, "b" * 32, "c" * 32
DAY = date(2026, 11, 18)

CLASSIC = PRESETS["classic"]
CHANGED = replace(CLASSIC, first_reveal=FirstReveal.ZERO, chording=False)
UNKNOWN_CHANGES = replace(CLASSIC, name="changed-classic")
BEGINNER, EXPERT = CLASSIC_BOARDS["beginner"], CLASSIC_BOARDS["expert"]
EASY = level_variant(Size(20, 10), Level.EASY)
CUSTOM = Variant("custom", Size(5, 4), 6, CHANGED)
NO_GUESS = Variant("custom", Size(4, 4), 2, CLASSIC, is_no_guess=True)

REVEAL_FIRST = pack_entry(0, ActionKind.REVEAL, 0)


def flag(index: int, at_ms: int) -> int:
    return pack_entry(at_ms, ActionKind.FLAG, index)


@pytest.fixture
def old(path: Path) -> Path:
    path.write_bytes(gzip.decompress(VERSION_1.read_bytes()))
    return path


@pytest.fixture
def store(old: Path) -> Iterator[SqliteStore]:
    with SqliteStore(old) as opened:
        yield opened


@pytest.fixture
def bare(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def tables(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    rows = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name")
    return [(name, " ".join((sql or "").split())) for name, sql in rows]


class TestVersion1:
    def test_players_keep_name_and_settings(self, store: SqliteStore) -> None:
        settings = {"palette": "okabe-ito", "name": "x"}
        assert perform(store, FindPlayer(ANN)) == KnownPlayer(ANN, "Änne", settings, 1_000_000_000)
        assert perform(store, FindPlayer(CEY)) == KnownPlayer(CEY, "", {}, 1_000_000_002)

    def test_a_running_game_continues_where_it_was(self, store: SqliteStore) -> None:
        entrance = perform(store, Enter(ANN, "", "new"))
        assert entrance.revision == 3
        assert entrance.game == RunningGame(
            "annsgame00",
            Setup(replace(EXPERT, daily=DAY, is_repeat=True), seed=(1 << 64) - 5),
            pack_entries([REVEAL_FIRST, flag(3, 1500), flag(4, 1600)]),
            clock_ms=2500,
            cursor=Cell(29, 15),
            is_paused=True,
            begun_at_ms=1_000_000_000_000,
        )
        entries = pack_entries([flag(5, 2600)])
        assert perform(store, Append(ANN, "new", 3, entries, 2600, Cell(5, 0))) == 4

    def test_a_resumed_game_is_the_game_that_was_left(self, store: SqliteStore) -> None:
        kept = perform(store, Enter(ANN, "", "new")).game
        assert kept
        game = Game.replay(kept.setup, unpack_entries(kept.entries))
        assert game.status is Status.ONGOING
        assert game.flagged == 0b11000
        assert game.visible

    def test_a_running_game_keeps_its_layout(self, store: SqliteStore) -> None:
        game = perform(store, Enter(BOB, "", "new")).game
        assert game
        assert game.setup == Setup(NO_GUESS, layout=0b00001_00010)
        assert (game.clock_ms, game.cursor, game.is_paused) == (0, Cell(2, 0), False)

    def test_a_claim_without_a_game_stays_one(self, store: SqliteStore) -> None:
        entrance = perform(store, Enter(CEY, "", "new"))
        assert (entrance.revision, entrance.game) == (0, None)

    def test_saves_are_listed_with_what_was_opened(self, store: SqliteStore) -> None:
        assert perform(store, ListSaves(ANN)) == (
            SaveLabel("before the guess", 1_700_000_000, CUSTOM, 1000, 0.37),
            SaveLabel("old", 1_600_000_000, EASY, 0, 0.0),
        )
        assert perform(store, FindSave(ANN, "before the guess")) == RunningGame(
            "save000001",
            Setup(CUSTOM, seed=255),
            pack_entries([pack_entry(0, ActionKind.REVEAL, 1), flag(2, 900)]),
            clock_ms=1000,
            cursor=Cell(2, 0),
            is_paused=True,
            begun_at_ms=1_000_000_000_000,
        )

    def test_finished_games_are_listed_with_setup_and_log(self, store: SqliteStore) -> None:
        games = perform(store, ListGames(BOB))
        assert [(game.code, game.variant) for game in games] == [
            ("chg0000001", replace(BEGINNER, rules=CHANGED)),
            ("cus0000001", CUSTOM),
            ("eas0000001", EASY),
            ("nog0000001", NO_GUESS),
            ("bob0000001", BEGINNER),
        ]
        assert perform(store, FindGame("beg0000002")) == FinishedGame(
            code="beg0000002",
            setup=Setup(BEGINNER, seed=7),
            status=Status.WON,
            time_ms=20_000,
            ended_at_s=200,
            wall_ms=20_000,
            player=ANN,
            entries=pack_entries([REVEAL_FIRST, pack_entry(20_000, ActionKind.REVEAL, 5)]),
            figures={"3bv": 10, "3bv/s": 2.0},
        )
        repeat = perform(store, FindGame("beg0000004"))
        assert repeat
        assert repeat.variant.is_repeat

    def test_statistics_are_those_of_the_games(self, store: SqliteStore) -> None:
        assert perform(store, ReadStatistics(ANN)) == Statistics(
            (
                CategoryStatistics(
                    BEGINNER,
                    ranked=Tally(3, 1, 0, best_ms=20_000, mean_ms=76_000 / 3, mean_speed=2.0),
                    unranked=Tally(2, 0, 0, best_ms=1000, mean_ms=13_000, mean_speed=6.0),
                    streak=1,
                    best_streak=2,
                ),
                CategoryStatistics(
                    EXPERT,
                    ranked=Tally(1, best_ms=90_000, mean_ms=90_000, mean_speed=1.5),
                    unranked=Tally(),
                    streak=1,
                    best_streak=1,
                ),
            )
        )

    def test_totals_keep_every_count_and_guess_no_rules(self, store: SqliteStore) -> None:
        assert perform(store, ReadTotals()) == (
            Total(BEGINNER, won=6, lost=1, terminated=1),
            Total(EASY, lost=1, terminated=1),
            Total(replace(CUSTOM, rules=UNKNOWN_CHANGES), won=1, lost=1),
            Total(NO_GUESS, won=1),
            Total(EXPERT, won=1),
            Total(replace(BEGINNER, rules=UNKNOWN_CHANGES), won=1),
        )

    def test_leaderboards_rank_the_clock_for_want_of_the_wall(self, store: SqliteStore) -> None:
        changed = replace(BEGINNER, rules=CHANGED)
        daily = replace(EXPERT, daily=DAY)
        assert perform(store, ListBoards()) == (BEGINNER, changed, daily)
        assert perform(store, ReadLeaderboard(BEGINNER)) == (
            Score("Änne", 20_000, "beg0000002", 200, ANN),
            Score("Bob", 21_000, "bob0000001", 700, BOB),
        )
        (score,) = perform(store, ReadLeaderboard(daily))
        assert score.code == "day0000001"

    def test_what_makes_no_game_is_left_out(self, old: Path) -> None:
        with closing(sqlite3.connect(old, isolation_level=None)) as connection:
            connection.execute("UPDATE slot SET header = 'nonsense'")
            connection.execute("UPDATE save SET header = '' WHERE name = 'old'")
            connection.execute("UPDATE finished_log SET header = '' WHERE game = 2")
            connection.execute("UPDATE total SET preset = 'nonsense' WHERE preset = 'expert'")
        with SqliteStore(old) as store:
            assert perform(store, Enter(ANN, "", "new")).game is None
            assert len(perform(store, ListSaves(ANN))) == 1
            assert perform(store, FindGame("beg0000002")) is None
            assert perform(store, ReadTotals())[-1] == Total(None, won=1)

    def test_an_interrupted_migration_leaves_the_old_store(
        self, old: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with closing(sqlite3.connect(old)) as connection:
            before = list(connection.iterdump())
        monkeypatch.setattr(migration_module, "GAME_TABLES", ("CREATE TABLE half (id)", "no SQL"))
        with (
            closing(sqlite3.connect(old, isolation_level=None)) as connection,
            pytest.raises(sqlite3.OperationalError),
        ):
            migrate(connection)
        with closing(sqlite3.connect(old)) as connection:
            assert list(connection.iterdump()) == before
            assert schema_version(connection) == 1

    def test_it_comes_to_the_tables_of_a_new_store(self, store: SqliteStore, old: Path) -> None:
        perform(store, FindPlayer(ANN))
        with (
            closing(sqlite3.connect(old)) as migrated,
            closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh,
        ):
            migrate(fresh)
            assert tables(migrated) == tables(fresh)


def test_what_is_up_to_date_is_not_written_to(path: Path, bare: sqlite3.Connection) -> None:
    migrate(bare)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        migrate(bare)


def test_version_2_gets_the_tables_it_lacks(bare: sqlite3.Connection) -> None:
    migrate(bare)
    whole = tables(bare)
    bare.execute("DROP TABLE offer")
    bare.execute("DROP TABLE device")
    bare.execute("PRAGMA user_version = 2")
    migrate(bare)
    assert tables(bare) == whole
    assert identify(bare) is None


def test_an_empty_file_may_become_a_store(bare: sqlite3.Connection) -> None:
    assert identify(bare) is None


def test_a_store_of_any_known_version_is_recognised(bare: sqlite3.Connection) -> None:
    migrate(bare)
    assert identify(bare) is None
    assert identify(bare, newest=VERSION + 1) is None


def test_a_newer_store_is_left_alone(bare: sqlite3.Connection) -> None:
    migrate(bare)
    bare.execute(f"PRAGMA user_version = {VERSION + 1}")
    assert identify(bare) is Fault.NEWER


def test_the_database_of_another_program_is_left_alone(bare: sqlite3.Connection) -> None:
    bare.execute("CREATE TABLE bookmarks (url)")
    assert identify(bare) is Fault.FOREIGN


def test_an_empty_database_that_another_program_claimed_is_left_alone(
    bare: sqlite3.Connection,
) -> None:
    bare.execute(f"PRAGMA application_id = {APPLICATION_ID + 1}")
    assert identify(bare) is Fault.FOREIGN
