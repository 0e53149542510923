"""The bridge between the sessions' wish to have things stored and a store's own threads.

A store answers by completion, in batches handed to the loop; a session waits for futures and
requests. What a store cannot do for now is an answer, not an error: play goes on from memory.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from jminesweeper.server.backend import TAKEN_OVER, DismissalError
from jminesweeper.session import Consult, Enter, Entrance, Rebuild, rebuild
from jminesweeper.store.ports import Claim, FencedError, Greet, Operation, Store, StoreError

T = TypeVar("T")


class Vault:
    """One store as the connections of one loop see it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop = asyncio.get_running_loop()
        # A thread shares the processor with the loop in slices, and one is enough to share it with.
        self._rebuilder = ThreadPoolExecutor(1, "rebuilder")

    def commit(self, operation: Operation[T]) -> asyncio.Future[T | StoreError]:
        """Start to store; the answer is the store's, or the StoreError it met.

        Who was fenced off has to go: somebody else plays that game now.
        """
        future: asyncio.Future[T | StoreError] = self._loop.create_future()

        def finish(answer: T | StoreError) -> None:
            if future.done():
                return
            if isinstance(answer, FencedError):
                future.set_exception(DismissalError(TAKEN_OVER))
            else:
                future.set_result(answer)

        self._store.submit(operation, finish)
        return future

    async def enter(self, request: Enter) -> Entrance | StoreError:
        """Let a player in and take the running game over."""
        player = await self.commit(Greet(request.player, request.name, int(time.time())))
        if isinstance(player, StoreError):
            return player
        holding = await self.commit(Claim(request.player, request.owner))
        if isinstance(holding, StoreError):
            return holding
        return Entrance(player, holding)

    async def consult(self, request: Consult) -> object:
        """Ask the store; a StoreError is an answer too."""
        return await self.commit(request.operation)

    async def rebuild(self, request: Rebuild) -> object:
        """Play a long log again beside the loop, one after the other."""
        return await self._loop.run_in_executor(self._rebuilder, rebuild, request)

    def close(self) -> None:
        """Rebuild nothing any more."""
        self._rebuilder.shutdown(wait=False, cancel_futures=True)
