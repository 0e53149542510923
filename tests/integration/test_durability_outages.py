"""Redis dies under a server that stays, or players lose their connections."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from threading import Event

import pytest
from hypothesis import settings

from jminesweeper.protocol.vocabulary import Command
from jminesweeper.store.port import Store
from jminesweeper.store.redis import RedisStore
from tests.integration.durable_player import DurablePlayer
from tests.integration.server_process import ServerProcess, running_server
from tests.integration.test_durability_bad_store import NOT_SAVED, RECOVERED
from tests.integration.test_durability_crashes import (
    check_screen,
    current_game,
    ended_games,
    snapshot_of,
)
from tests.redis_process import RedisProcess, running_redis

# Two outages by default, two hundred with `--hypothesis-profile=long`.
OUTAGES = settings().max_examples // 50
PLAYERS = 3
MOST = 60


def make_players(seed: int) -> list[DurablePlayer]:
    random = Random(seed)
    return [
        DurablePlayer(random.randbytes(16), Random(random.getrandbits(64))) for _ in range(PLAYERS)
    ]


def play(player: DurablePlayer, most: int) -> None:
    """Send packets and read all replies."""
    for _ in range(player.random.randrange(most)):
        player.read(player.send_some())


class Redis:
    """A store that dies and comes back; what it kept is looked at on a copy."""

    def __init__(self, program: str, folder: Path) -> None:
        # By `everysec` Redis may hold back what it acknowledged while the disk is slow.
        self._settings = {"appendfsync": "always"}
        self._program, self._folder = program, folder
        self._copy = folder.with_name("copy")
        self.process = RedisProcess(program, folder, self._settings)

    @contextmanager
    def open_copy(self) -> Iterator[Store]:
        shutil.copytree(self._folder, self._copy)
        with (
            running_redis(self._program, self._copy, **self._settings) as copy,
            closing(RedisStore(copy.url)) as store,
        ):
            yield store
        shutil.rmtree(self._copy)


def assert_kept(store: Store, player: DurablePlayer, possible: range) -> None:
    """The store is at one of these moments, and has each game that had ended once."""
    opened, game = current_game(store, player)
    kept = None if opened is None else snapshot_of(opened, game)
    assert player.may_be_at(kept, possible)
    assert player.may_have_counted(ended_games(store, player), possible)


def play_until_saved(player: DurablePlayer) -> None:
    """Play on until the server has caught up with what was played meanwhile."""
    while NOT_SAVED in player.peer.play(Command.REFRESH).get("remark", ""):
        player.read(player.send_some())
        Event().wait(0.05)


def live_through_an_outage(
    redis: Redis, server: ServerProcess, players: list[DurablePlayer], number: int
) -> None:
    for player in players:
        play(player, MOST)
    acknowledged = [player.kept_at_least()[0] for player in players]
    sent = [player.send_some() for player in players]
    redis.process.kill()
    for player, count in zip(players, sent, strict=True):
        player.read(count)
    with redis.open_copy() as store:
        for player, first in zip(players, acknowledged, strict=True):
            assert_kept(store, player, range(first, len(player.moments)))
    for player in players:
        play(player, 5)
    redis.process.start()
    server.await_log(rf"(?s)({RECOVERED}.*){{{number}}}")
    for player in players:
        play_until_saved(player)


@pytest.mark.timeout(180 + 10 * OUTAGES)
def test_nothing_is_lost_or_done_twice_however_often_redis_dies(
    redis_program: str, tmp_path: Path
) -> None:
    redis = Redis(redis_program, tmp_path / "redis")
    players = make_players(seed=1)
    with closing(redis.process):
        redis.process.start()
        with running_server(f"--store={redis.process.url}", "--workers=0") as server:
            for player in players:
                player.connect(server.port)
            for number in range(1, OUTAGES + 1):
                live_through_an_outage(redis, server, players, number)
            server.send_signal(signal.SIGKILL)
            for player in players:
                player.read_the_rest()
        with closing(RedisStore(redis.process.url)) as store:
            for player in players:
                assert_kept(store, player, player.kept_at_least())
    assert any(player.moments[-1].ended for player in players)


@pytest.mark.parametrize("place", ["memory", "games.sqlite3"])
def test_who_loses_the_connection_finds_what_was_answered_and_nothing_else(
    tmp_path: Path, place: str
) -> None:
    store = place if place == "memory" else tmp_path / place
    players = make_players(seed=2)
    with running_server(f"--store={store}", "--workers=0") as server:
        for _ in range(5 * OUTAGES):
            for player in players:
                check_screen(player, player.connect(server.port))
                play(player, MOST)
                player.send_some()
                player.peer.stop_sending()
                player.read_the_rest()
                player.go_on_from(player.moments[player.answered].running)
