"""Redis goes away under a running server, and comes back, or its replica takes over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

from jminesweeper.protocol.vocabulary import Command
from tests.integration.server_process import running_server
from tests.integration.test_durability_bad_store import (
    BEGINNER,
    KEY,
    NOT_SAVED,
    RECOVERED,
    assert_all_is_kept,
    await_saved,
    flag,
)
from tests.integration.view_player import ViewPlayer
from tests.ports import HOST
from tests.redis_process import RedisProcess, running_redis, running_sentinel

SERVICE = "games"


@pytest.fixture
def redis(redis_program: str, tmp_path: Path) -> Iterator[RedisProcess]:
    with running_redis(redis_program, tmp_path / "redis") as process:
        yield process


@pytest.fixture
def replica(redis_program: str, redis: RedisProcess, tmp_path: Path) -> Iterator[RedisProcess]:
    folder = tmp_path / "replica"
    with running_redis(redis_program, folder, replicaof=f"{HOST} {redis.port}") as process:
        redis.await_replicas()
        yield process


def test_play_continues_without_redis_and_is_saved_when_it_is_back(redis: RedisProcess) -> None:
    place = f"--store={redis.url}"
    with running_server(place) as server, ViewPlayer(server.port, KEY) as player:
        player.play(BEGINNER)
        assert NOT_SAVED not in flag(player, 0)
        redis.kill()
        assert NOT_SAVED in flag(player, 1)
        server.await_log("the store cannot be reached; games go on from memory")
        assert NOT_SAVED in flag(player, 2)
        redis.start()
        server.await_log(RECOVERED)
        flag(player, 3)
        await_saved(player)
        server.kill()
    assert_all_is_kept(redis.url, flags=4)


def test_play_continues_while_a_replica_takes_over(
    redis_program: str, tmp_path: Path, redis: RedisProcess, replica: RedisProcess
) -> None:
    with running_sentinel(redis_program, tmp_path / "sentinel", SERVICE, redis) as port:
        place = f"--store=redis+sentinel://{HOST}:{port}/{SERVICE}"
        with running_server(place) as server, ViewPlayer(server.port, KEY) as player:
            player.play(BEGINNER)
            assert NOT_SAVED not in flag(player, 0)
            redis.kill()
            assert NOT_SAVED in flag(player, 1)
            server.await_log(RECOVERED)
            flag(player, 2)
            await_saved(player)
            server.kill()
    assert_all_is_kept(replica.url, flags=3)


@contextmanager
def devices_at_two_servers(redis: RedisProcess) -> Iterator[tuple[ViewPlayer, ViewPlayer]]:
    """Begin a game with one flag on a device, and open it at another server on a second one."""
    place = f"--store={redis.url}"
    with (
        running_server(place) as first,
        running_server(place) as second,
        ViewPlayer(first.port, KEY) as before,
    ):
        before.play(BEGINNER)
        flag(before, 0)
        with ViewPlayer(second.port, KEY) as after:
            yield before, after


def test_whose_game_is_opened_at_another_server_hears_of_it_at_once(redis: RedisProcess) -> None:
    with devices_at_two_servers(redis) as (before, after):
        assert after.entries["mines left"] == "9"
        assert NOT_SAVED not in flag(after, 1)
        while before.play(Command.REFRESH)["mines left"] != "8":
            Event().wait(0.01)


def test_the_password_of_redis_is_in_no_log(redis: RedisProcess) -> None:
    redis.client.config_set("requirepass", "open sesame")
    place = f"--store=redis://:open%20sesame@{HOST}:{redis.port}"
    with running_server(place) as server, ViewPlayer(server.port, KEY) as player:
        player.play(BEGINNER)
        assert NOT_SAVED not in flag(player, 0)
        redis.kill()
        flag(player, 1)
        server.await_log("the store cannot be reached")
        assert "sesame" not in server.log
