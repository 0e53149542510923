import asyncio
import os
import threading

import pytest

from jminesweeper.client.transport import ConnectError, in_background, lines_of, resolve

WAIT_S = 60


async def test_a_call_runs_elsewhere_and_its_result_comes_back() -> None:
    assert await in_background(threading.get_ident) != threading.get_ident()


@pytest.mark.parametrize("error", [OSError("no"), UnicodeError("no")])
def test_what_the_system_objects_to_comes_back_too(error: Exception) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)):
        asyncio.run(in_background(fail))


@pytest.mark.parametrize("fails", [False, True])
async def test_a_call_that_blocks_does_not_hold_up_the_end(fails: bool) -> None:
    may_end, ended = threading.Event(), threading.Event()

    def block() -> None:
        may_end.wait(WAIT_S)
        ended.set()
        if fails:
            raise OSError

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await in_background(block)
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(WAIT_S)


@pytest.mark.parametrize("fails", [False, True])
async def test_an_answer_that_nobody_waits_for_any_more_is_dropped(fails: bool) -> None:
    may_end = threading.Event()

    def block() -> None:
        may_end.wait(WAIT_S)
        if fails:
            raise OSError

    others = threading.enumerate()
    waiting = asyncio.create_task(in_background(block))
    await asyncio.wait([waiting], timeout=0.01)
    waiting.cancel()
    may_end.set()
    for thread in threading.enumerate():
        if thread not in others:
            thread.join(WAIT_S)
    await asyncio.wait([waiting])
    assert waiting.cancelled()


async def read_all(descriptor: int) -> list[str]:
    return [line async for line in lines_of(descriptor)]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([b"open 3 4\nshow\n"], ["open 3 4", "show"]),
        ([b"op", b"en 3 4\nsh", b"ow"], ["open 3 4", "show"]),
        ([b"\n\n"], ["", ""]),
        ([b"\xff\n"], ["\ufffd"]),
        ([], []),
    ],
)
def test_lines_come_out_however_they_came_in(chunks: list[bytes], expected: list[str]) -> None:
    read_end, write_end = os.pipe()
    for chunk in chunks:
        os.write(write_end, chunk)
    os.close(write_end)
    try:
        assert asyncio.run(read_all(read_end)) == expected
    finally:
        os.close(read_end)


async def test_a_line_is_delivered_before_the_next_one_is_written() -> None:
    read_end, write_end = os.pipe()
    lines = lines_of(read_end)
    for line in ("one", "two"):
        os.write(write_end, f"{line}\n".encode())
        assert await anext(lines) == line
    os.close(write_end)
    with pytest.raises(StopAsyncIteration):
        await anext(lines)
    os.close(read_end)


@pytest.mark.parametrize("number", ["127.0.0.1", "::1"])
def test_a_number_is_its_own_address(number: str) -> None:
    assert asyncio.run(resolve(number, 9999)) == [number]


def test_a_name_has_the_addresses_that_the_system_knows() -> None:
    assert set(asyncio.run(resolve("localhost", 9999))) & {"127.0.0.1", "::1"}


@pytest.mark.parametrize("name", ["no-such-host.invalid", "a..b", "x" * 100])
def test_a_name_that_nobody_has_is_an_error(name: str) -> None:
    with pytest.raises(ConnectError, match=f"^Unknown host {name}.$"):
        asyncio.run(resolve(name, 9999))
