"""Servers whose settings a test changes, and the desk at which a store works."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.store.errors import Fault, StoreUnavailableError
from jminesweeper.store.port import Job, Operation, deliver_at_once
from jminesweeper.store.redis.store import RedisDesk
from jminesweeper.store.room import Room
from tests.contract.examples import begin
from tests.redis_process import RedisProcess, running_redis


class Desk(RedisDesk):
    """Notes what it reports, and tries again whenever it is asked."""

    def __init__(self, url: str, room: Room | None = None) -> None:
        self.states: list[Fault | None] = []
        report = self.states.append
        super().__init__(url, deliver_at_once, report, room=room or Room(), retry_s=0)

    def ask(self, *operations: Operation) -> Sequence[Any]:
        return self.answer([Job(operation, lambda _: None) for operation in operations])

    def fault(self, operation: Operation) -> Fault:
        (answer,) = self.ask(operation)
        assert isinstance(answer, StoreUnavailableError), answer
        return answer.fault


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
def desk(redis: RedisProcess) -> Iterator[Desk]:
    """Give a desk with one game."""
    with closing(Desk(redis.url)) as opened:
        opened.ask(begin(1))
        yield opened
