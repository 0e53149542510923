"""Blocking calls of the operating system, in threads that never hold up the end of the program."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

_Result = TypeVar("_Result")


async def in_background(call: Callable[[], _Result]) -> _Result:
    """Await a call that may block for ever.

    asyncio's own threads are waited for when its loop is closed: a name server that does not
    answer, or a player who types nothing, would keep a game that is over from ending.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[_Result] = loop.create_future()

    def work() -> None:
        settle: Callable[[], None]
        try:
            settle = partial(_succeed, outcome, call())
        except (OSError, UnicodeError) as error:
            settle = partial(_fail, outcome, error)
        # The loop may be closed by now: then nobody wants to know any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle)

    threading.Thread(target=work, daemon=True).start()
    return await outcome


def _succeed(outcome: asyncio.Future[_Result], result: _Result) -> None:
    if not outcome.done():
        outcome.set_result(result)


def _fail(outcome: asyncio.Future[_Result], error: Exception) -> None:
    if not outcome.done():
        outcome.set_exception(error)
