"""Servers whose settings a test changes, and the retrier at which a store works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store.backend import Admission
from jminesweeper.store.redis import MEASURE_S, OpenLink, RedisLink, open_link, parse_address
from tests.contract.examples import begin
from tests.redis_process import RedisProcess, running_redis
from tests.unit.store.asking import AskedRetrier


def open_retrier(
    url: str, admission: Admission | None = None, measure_s: float = MEASURE_S
) -> AskedRetrier:
    def connect() -> OpenLink:
        link = open_link(parse_address(url), RedisLink.prepare_to_write)
        return OpenLink(link, admission or Admission(), measure_s)

    return AskedRetrier(connect)


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


@pytest.fixture
def retrier(redis: RedisProcess) -> Iterator[AskedRetrier]:
    """Give a retrier with one game."""
    with closing(open_retrier(redis.url)) as opened:
        opened.ask(begin(1))
        yield opened
