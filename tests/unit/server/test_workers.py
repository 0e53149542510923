"""Worker processes."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable

from jminesweeper.server.workers import Task, Workers


def double(request: int, _limit_s: float) -> int:
    return 2 * request


def die(_request: object, _limit_s: float) -> None:
    os._exit(1)


def dawdle(_request: object, _limit_s: float) -> None:
    end_s = time.monotonic() + 600
    while time.monotonic() < end_s:
        pass


def work(
    action: Callable[[Callable[[Task, object], Awaitable[object]]], Awaitable[object]],
    *,
    limit_s: float = 10.0,
    grace_s: float = 2.0,
) -> object:
    async def run() -> object:
        workers = Workers(1, limit_s, grace_s=grace_s)
        try:
            return await action(lambda task, request: workers.handler(task)(request))
        finally:
            workers.close()

    return asyncio.run(run())


def test_a_task_answers_from_another_process() -> None:
    assert work(lambda ask: ask(double, 21)) == 42


def test_a_worker_that_dies_costs_one_answer() -> None:
    async def ask_twice(ask: Callable[[Task, object], Awaitable[object]]) -> object:
        return await ask(die, None), await ask(double, 4)

    assert work(ask_twice) == (None, 8)


def test_a_task_that_takes_too_long_is_given_up() -> None:
    async def ask_twice(ask: Callable[[Task, object], Awaitable[object]]) -> object:
        return await ask(dawdle, None)

    assert work(ask_twice, limit_s=0.05, grace_s=0.05) is None


def test_workers_that_were_never_needed_are_closed_too() -> None:
    Workers(1, 1.0).close()
