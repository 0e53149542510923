"""Servers whose settings a test changes, and the desk at which a store works."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.store import Fault, Job, PutPlayer, PutRunning, deliver_at_once
from jminesweeper.store.redis.address import parse_address
from jminesweeper.store.redis.backend import RedisDesk
from tests.contract.examples import ANN, GAME
from tests.redis_process import RedisProcess, running_redis

States = list[Fault | None]


@pytest.fixture
def redis(redis_program: str, tmp_path: Path) -> Iterator[RedisProcess]:
    with running_redis(redis_program, tmp_path / "redis") as server:
        yield server


@pytest.fixture
def replica(redis_program: str, redis: RedisProcess, tmp_path: Path) -> Iterator[RedisProcess]:
    with running_redis(
        redis_program, tmp_path / "replica", replicaof=f"127.0.0.1 {redis.port}"
    ) as server:
        redis.await_replicas()
        yield server


@contextmanager
def open_desk(url: str, states: States) -> Iterator[RedisDesk]:
    """Open a desk that tries again whenever it is asked."""
    desk = RedisDesk(parse_address(url), deliver_at_once, states.append, retry_s=0)
    with closing(desk):
        yield desk


@contextmanager
def desk_with_a_game(url: str, states: States) -> Iterator[RedisDesk]:
    with open_desk(url, states) as desk:
        answers(desk, PutPlayer(ANN, "Ann", {}, 1), PutRunning(ANN, "first", GAME))
        yield desk


def answers(desk: RedisDesk, *operations: Any) -> Sequence[Any]:
    return desk.answer([Job(operation, lambda _: None) for operation in operations])


def only(desk: RedisDesk, operation: Any) -> Any:
    (answer,) = answers(desk, operation)
    return answer
