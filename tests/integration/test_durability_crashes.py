"""A server is killed at any moment: no acknowledged action is lost, and none is done twice."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings

from jminesweeper.check.suite import ServerClosedError
from jminesweeper.core.actions import unpack_entries, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.records.keys import player_id
from jminesweeper.records.players import Opened, find_player, open_game
from jminesweeper.records.reading import list_games
from jminesweeper.records.results import list_due
from jminesweeper.store.blocking import run
from jminesweeper.store.port import Store
from jminesweeper.store.redis import RedisStore
from jminesweeper.store.sqlite import SqliteStore
from tests.hasty_program import names_saved, some_packets
from tests.integration.durable_player import DurablePlayer, Snapshot, actions_of
from tests.integration.server_process import running_server
from tests.integration.view_player import ViewPlayer
from tests.redis_process import RedisProcess
from tests.world.games import problems_of

# Five lives by default, five hundred with `--hypothesis-profile=long`.
LIVES = settings().max_examples // 20
PLAYERS = 3
MOST = 150
AHEAD = 20


class File:
    """A store in a file; what is looked at is a copy, so that the server has to repair it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.place = str(path)

    def begin(self) -> None: ...

    def end(self) -> None: ...

    @contextmanager
    def open(self) -> Iterator[Store]:
        copy = self._path.with_name("copy.sqlite3")
        for suffix in ("", "-wal"):
            source = Path(f"{self._path}{suffix}")
            if source.exists():
                shutil.copyfile(source, f"{copy}{suffix}")
        with closing(SqliteStore(copy)) as store:
            yield store
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for path in copy.parent.glob(f"{copy.name}*"):
            path.unlink()


class Redis:
    """A store on Redis, which is killed together with the server."""

    def __init__(self, process: RedisProcess) -> None:
        self._process = process
        self.place = process.url

    def begin(self) -> None:
        self._process.start()

    def end(self) -> None:
        self._process.kill()

    @contextmanager
    def open(self) -> Iterator[Store]:
        self._process.start()
        with closing(RedisStore(self.place)) as store:
            yield store
        self._process.kill()


class Crashes:
    """One store, and those who play on it through one crash after the other."""

    def __init__(self, storage: File | Redis, seed: int) -> None:
        self.random = Random(seed)
        self.storage = storage
        self.players = [
            DurablePlayer(self.random.randbytes(16), Random(self.random.getrandbits(64)))
            for _ in range(PLAYERS)
        ]
        self.connected_ms = 0.0
        self.acknowledged = 0

    def live_and_die(self) -> None:
        """Start the server on what is there, see that all is there, play, and kill."""
        self.storage.begin()
        with running_server(f"--store={self.storage.place}", "--workers=0") as server:
            begun = time.monotonic()
            for player in self.players:
                check_screen(player, player.connect(server.port))
            count = self.random.choice([0, self.random.randrange(20), self.random.randrange(MOST)])
            goal = self.acknowledged + count
            while self.acknowledged < goal:
                player = self.random.choice(self.players)
                sent = player.send_some()
                player.read(sent)
                self.acknowledged += sent
            for player in self.players:
                player.send_some()
            server.send_signal(signal.SIGKILL)
            self.storage.end()
            for player in self.players:
                player.read_the_rest()
            self.connected_ms += (time.monotonic() - begun) * 1000

    def check_store(self) -> None:
        with self.storage.open() as store:
            for player in self.players:
                self._check_player(store, player)

    def _check_player(self, store: Store, player: DurablePlayer) -> None:
        opened, game = current_game(store, player)
        kept = None if opened is None else snapshot_of(opened, game)
        possible = player.kept_at_least()
        assert player.may_be_at(kept, possible)
        if opened is not None:
            check_times(opened, game, self.connected_ms)
        ended = ended_games(store, player)
        # What was acknowledged, and no more than what was sent.
        assert player.may_have_counted(ended, possible)
        player.moments[-1] = player.moments[-1]._replace(ended=ended)
        player.go_on_from(kept)


def seed_of(setup: Setup) -> int:
    assert setup.seed is not None
    return setup.seed


def current_game(store: Store, player: DurablePlayer) -> tuple[Opened | None, Game]:
    """Return what the store has of a player's current game."""
    known = run(store, find_player(player_id(player.key)))
    opened = None if known is None else run(store, open_game(known.current))
    setup = Setup.of("beginner", seed=0) if opened is None else opened.game.setup
    entries = b"" if opened is None else opened.entries
    return opened, Game.replay(setup, unpack_entries(entries))


def ended_games(store: Store, player: DurablePlayer) -> frozenset[int]:
    """Return the games that are recorded, each once, and those that are due to be."""
    name = player_id(player.key)
    listed = run(store, list_games(name, 10**6))
    recorded = [seed_of(game.setup) for _, game in listed]
    assert len(recorded) == len(set(recorded))
    due = [run(store, open_game(due.code)) for due in run(store, list_due(limit=10**6))]
    own = [each for each in due if each is not None and each.game.seats == (name,)]
    return frozenset([*recorded, *(seed_of(each.game.setup) for each in own)])


def snapshot_of(opened: Opened, game: Game) -> Snapshot:
    noted = opened.noted
    actions = actions_of(game.log.entries)
    return Snapshot(seed_of(game.setup), actions, noted.cursor, noted.is_paused)


def check_times(opened: Opened, game: Game, connected_ms: float) -> None:
    """The clock stands where the last action left it or later, and never ran without a server."""
    times = [unpack_entry(entry)[0] for entry in game.log.entries]
    assert times == sorted(times)
    assert game.elapsed_ms <= opened.noted.clock_ms <= connected_ms


def check_screen(player: DurablePlayer, peer: ViewPlayer) -> None:
    """The game goes on as it was kept; who has none is shown how it ended, or the menu."""
    played, entries = player.played, peer.entries
    if played is None:
        assert entries["screen"] == "main" or entries["state"] in {"won", "lost"}
        return
    assert entries["cursor"] == f"{played.cursor.column} {played.cursor.row}"
    assert entries["state"] == ("paused" if played.is_paused else "playing")
    assert entries["mines left"] == str(played.game.view.mines_left)
    if not played.is_paused:
        shown, expected = peer.field, played.game.view
        assert (shown.visible, shown.flagged) == (expected.visible, expected.flagged)
        assert shown.clue_planes == expected.clue_planes


def crash_often(storage: File | Redis, seed: int) -> None:
    crashes = Crashes(storage, seed)
    for _ in range(LIVES):
        crashes.live_and_die()
        crashes.check_store()
    assert any(player.moments[-1].ended for player in crashes.players)


@pytest.mark.parametrize("seed", range(2))
def test_no_acknowledged_action_is_lost_and_none_is_done_twice(tmp_path: Path, seed: int) -> None:
    crash_often(File(tmp_path / "games.sqlite3"), seed)


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_lost_or_done_twice_where_redis_dies_with_the_server(
    redis_program: str, tmp_path: Path, seed: int
) -> None:
    # By `everysec` Redis may hold back what it acknowledged while the disk is slow.
    settings = {"appendfsync": "always"}
    with closing(RedisProcess(redis_program, tmp_path / "redis", settings)) as process:
        crash_often(Redis(process), seed)


class HastyDevice(ViewPlayer):
    """A program on one connection, which sends far ahead of what it reads."""

    def __init__(self, port: int, key: bytes) -> None:
        self.said: list[str] = []
        self._owed = 0
        super().__init__(port, key)

    def send_some(self, random: Random) -> None:
        packets = some_packets(random)
        self.send(*packets)
        self._owed += len(packets)
        while self._owed > AHEAD:
            self._hear()

    def read_the_rest(self) -> None:
        with suppress(ServerClosedError), closing(self):
            while True:
                self._hear()

    def _hear(self) -> None:
        self.read()
        self._owed -= 1
        self.said.append(self.message)


def crash_hasty_programs(storage: File | Redis, seed: int, lives: int) -> None:
    """Kill servers while players send on two devices each, and look at what is left."""
    random = Random(seed)
    saved: dict[bytes, set[str]] = {random.randbytes(16): set() for _ in range(PLAYERS)}
    for _ in range(lives):
        storage.begin()
        with running_server(f"--store={storage.place}", "--workers=0") as server:
            devices = [(key, HastyDevice(server.port, key)) for key in saved for _ in range(2)]
            for _ in range(random.randrange(MOST)):
                random.choice(devices)[1].send_some(random)
            server.send_signal(signal.SIGKILL)
            storage.end()
            for key, device in devices:
                device.read_the_rest()
                saved[key] |= names_saved(device.said)
        with storage.open() as store:
            assert problems_of(store) == []
            for key, names in saved.items():
                known = run(store, find_player(player_id(key)))
                assert names <= ({*known.saves} if known is not None else set())
    assert any(saved.values())


def test_hasty_programs_on_two_devices_lose_no_save_and_leave_a_store_that_makes_sense(
    tmp_path: Path,
) -> None:
    crash_hasty_programs(File(tmp_path / "games.sqlite3"), 1, LIVES)


def test_hasty_programs_leave_a_redis_that_makes_sense(redis_program: str, tmp_path: Path) -> None:
    settings = {"appendfsync": "always"}
    with closing(RedisProcess(redis_program, tmp_path / "redis", settings)) as process:
        crash_hasty_programs(Redis(process), 2, max(2, LIVES // 5))
