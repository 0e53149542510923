from __future__ import annotations

import asyncio

import pytest

from jminesweeper.server.outbox import MAX_BYTES, MAX_ENTRIES, TYPED_AHEAD, Outbox
from tests.unit.server.fakes import on_loop


class Line:
    """Collects what an outbox writes."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.outbox = Outbox(self.writes.append)


def commit() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


def test_a_reply_that_waits_for_nothing_is_written_at_once() -> None:
    line = Line()
    line.outbox.send(b"a")
    line.outbox.send(b"")
    assert line.writes == [b"a"]


def test_a_few_replies_are_written_one_by_one_and_many_together() -> None:
    line = Line()
    line.outbox.send_all([b"a"] * TYPED_AHEAD)
    assert line.writes == [b"a"] * TYPED_AHEAD
    line.writes.clear()
    line.outbox.send_all([b"a"] * (TYPED_AHEAD + 1))
    assert line.writes == [b"a" * (TYPED_AHEAD + 1)]


@on_loop
async def test_replies_wait_for_the_commits_before_them() -> None:
    line, first, second = Line(), commit(), commit()
    line.outbox.wait_for(first)
    line.outbox.send(b"a")
    line.outbox.wait_for(second)
    line.outbox.send(b"b")
    line.outbox.release()
    assert line.writes == []
    first.set_result(None)
    line.outbox.release()
    assert line.writes == [b"a"]
    second.set_result(None)
    line.outbox.release()
    assert line.writes == [b"a", b"b"]
    assert line.outbox.is_empty
    line.outbox.send(b"c")
    assert line.writes[-1] == b"c"


@on_loop
async def test_a_failed_commit_is_raised_and_the_replies_before_it_are_written() -> None:
    line, done, failed = Line(), commit(), commit()
    line.outbox.wait_for(done)
    line.outbox.send(b"a")
    line.outbox.wait_for(failed)
    line.outbox.send(b"b")
    done.set_result(None)
    failed.set_exception(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        line.outbox.release()
    assert line.writes == [b"a"]


@on_loop
async def test_what_was_cleared_is_never_written() -> None:
    line, done = Line(), commit()
    line.outbox.wait_for(done)
    line.outbox.send(b"a")
    line.outbox.clear()
    done.set_result(None)
    line.outbox.release()
    assert line.writes == []


@on_loop
async def test_an_outbox_is_full_by_number() -> None:
    line = Line()
    line.outbox.wait_for(commit())
    fullness = []
    for _ in range(MAX_ENTRIES - 1):
        fullness.append(line.outbox.is_full)
        line.outbox.send(b"a")
    assert not any(fullness)
    assert line.outbox.is_full


@on_loop
async def test_an_outbox_is_full_by_size() -> None:
    line, done = Line(), commit()
    line.outbox.wait_for(done)
    line.outbox.send(b"x" * MAX_BYTES)
    fullness = [line.outbox.is_full]
    done.set_result(None)
    line.outbox.release()
    fullness.append(line.outbox.is_full)
    assert fullness == [True, False]
