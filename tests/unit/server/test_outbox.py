from __future__ import annotations

import asyncio

import pytest

from jminesweeper.server.outbox import MAX_BYTES, MAX_ENTRIES, Outbox
from tests.unit.server.fakes import on_loop


def commit() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


@on_loop
async def test_replies_before_the_first_commit_leave_at_once() -> None:
    outbox = Outbox()
    outbox.add(b"a")
    outbox.add(b"b")
    assert outbox.release() == b"ab"
    assert outbox.is_empty


@on_loop
async def test_replies_wait_for_the_commits_before_them() -> None:
    outbox, first, second = Outbox(), commit(), commit()
    outbox.wait_for(first)
    outbox.add(b"a")
    outbox.wait_for(second)
    outbox.add(b"b")
    assert outbox.release() == b""
    first.set_result(None)
    assert outbox.release() == b"a"
    second.set_result(None)
    assert outbox.release() == b"b"


@on_loop
async def test_a_failed_commit_is_raised_after_the_replies_before_it() -> None:
    outbox, failed = Outbox(), commit()
    outbox.add(b"a")
    outbox.wait_for(failed)
    outbox.add(b"b")
    failed.set_exception(ZeroDivisionError())
    assert outbox.release() == b"a"
    with pytest.raises(ZeroDivisionError):
        outbox.release()


@on_loop
async def test_an_outbox_is_full_by_number_or_by_size() -> None:
    many, large = Outbox(), Outbox()
    many.wait_for(commit())
    fullness = []
    for _ in range(MAX_ENTRIES - 1):
        fullness.append(many.is_full)
        many.add(b"")
    assert not any(fullness)
    assert many.is_full
    large.add(b"x" * MAX_BYTES)
    fullness = [large.is_full]
    large.release()
    fullness.append(large.is_full)
    assert fullness == [True, False]
