import asyncio
import threading

import pytest

from jminesweeper.client.background import in_background


def test_a_call_runs_elsewhere_and_its_result_comes_back() -> None:
    async def run() -> int:
        return await in_background(threading.get_ident)

    assert asyncio.run(run()) != threading.get_ident()


@pytest.mark.parametrize("error", [OSError("no"), UnicodeError("no")])
def test_what_the_system_objects_to_comes_back_too(error: Exception) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)):
        asyncio.run(in_background(fail))


@pytest.mark.parametrize("fails", [False, True])
def test_a_call_that_blocks_does_not_hold_up_the_end(fails: bool) -> None:
    may_end, ended = threading.Event(), threading.Event()

    def block() -> None:
        may_end.wait(10)
        ended.set()
        if fails:
            raise OSError

    async def run() -> None:
        async with asyncio.timeout(0.01):
            await in_background(block)

    with pytest.raises(TimeoutError):
        asyncio.run(run())
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(10)


@pytest.mark.parametrize("fails", [False, True])
def test_an_answer_that_nobody_waits_for_any_more_is_dropped(fails: bool) -> None:
    may_end = threading.Event()

    def block() -> None:
        may_end.wait(10)
        if fails:
            raise OSError

    async def run() -> None:
        waiting = asyncio.create_task(in_background(block))
        await asyncio.wait([waiting], timeout=0.01)
        waiting.cancel()
        may_end.set()
        threads = [each for each in threading.enumerate() if each.daemon]
        for thread in threads:
            thread.join(10)
        await asyncio.wait([waiting])
        assert waiting.cancelled()

    asyncio.run(run())
