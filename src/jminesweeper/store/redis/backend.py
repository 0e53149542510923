"""The port on Redis: a thread that puts all pending operations into one round trip.

All writes of a batch are one call of a function inside Redis, all reads another, and where there
is a replica the last command waits until it has them. Nothing is acknowledged before. While the
server cannot be used the store refuses operations, and retries every second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Self, TypeAlias

from redis.exceptions import RedisError

from jminesweeper.store import (
    Deliver,
    Fault,
    Job,
    Operation,
    StoreOpenError,
    StoreUnavailableError,
    Watch,
    deliver_at_once,
    ignore_state,
)
from jminesweeper.store.redis.address import RedisAddress, parse_address
from jminesweeper.store.redis.batch import READS, answer_of, words_of
from jminesweeper.store.redis.link import RedisLink, fault_of, open_to_read, open_to_write
from jminesweeper.store.worker import Worker, complete

RETRY_S: Final = 1.0
LOOK_S: Final = 10.0
"""How often an idle server is checked."""

Perform: TypeAlias = Callable[[RedisLink, Sequence[Operation[Any]]], Sequence[Any]]


class RedisStore(Worker):
    """A store on the Redis at this URL; StoreOpenError says why it cannot be used.

    Answers are delivered once for each batch, in whatever way `deliver` chooses; by default in the
    store's own thread.
    """

    def __init__(
        self,
        url: str,
        *,
        deliver: Deliver = deliver_at_once,
        watch: Watch = ignore_state,
        retry_s: float = RETRY_S,
    ) -> None:
        desk = RedisDesk(parse_address(url), deliver, watch, retry_s=retry_s)
        super().__init__("store", desk, deliver)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class RedisArchive:
    """The store on the Redis at this URL, read-only, in the caller's own thread.

    The store has to exist, on a master or a replica; StoreOpenError says why it cannot be read.
    """

    def __init__(self, url: str) -> None:
        self._link = open_to_read(parse_address(url))

    def submit(self, jobs: Sequence[Job[Any]]) -> None:
        complete(deliver_at_once, jobs, self._read([operation for operation, _ in jobs]))

    def close(self) -> None:
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _read(self, operations: Sequence[Operation[Any]]) -> Sequence[Any]:
        try:
            replies = self._link.read(words_of(operations))
        except (RedisError, OSError) as error:
            return _refuse(operations, fault_of(error))
        return list(map(answer_of, operations, replies))


class RedisDesk:
    """Carries out batches; while the server takes no writes, refuses them and retries."""

    def __init__(
        self, address: RedisAddress, deliver: Deliver, watch: Watch, *, retry_s: float
    ) -> None:
        self._address = address
        self._deliver = deliver
        self._watch = watch
        self._retry_s = retry_s
        self._fault: Fault | None = None
        self._next_try_s = 0.0
        self._link: RedisLink | None = open_to_write(address)

    @property
    def patience_s(self) -> float | None:
        return max(0.0, self._next_try_s - time.monotonic()) if self._fault else LOOK_S

    def answer(self, jobs: Sequence[Job[Any]]) -> Sequence[Any]:
        """Carry out all operations; a refusal concerns the operation alone."""
        if self._fault and time.monotonic() >= self._next_try_s:
            self._recover()
        operations = [operation for operation, _ in jobs]
        reads = [operation for operation in operations if type(operation) in READS]
        if not reads:
            return self._attempt(self._write, operations)
        writes = [operation for operation in operations if type(operation) not in READS]
        written = iter(self._attempt(self._write, writes))
        read = iter(self._attempt(self._read, reads))
        return [next(read if type(each) in READS else written) for each in operations]

    def close(self) -> None:
        if self._link is not None:
            self._link.close()

    def _attempt(self, carry_out: Perform, operations: Sequence[Operation[Any]]) -> Sequence[Any]:
        """Carry out operations over the link, unless there is none or it breaks."""
        if self._link is None:
            return _refuse(operations, self._fault or Fault.CLOSED)
        try:
            return carry_out(self._link, operations)
        except (RedisError, OSError) as error:
            fault = fault_of(error)
            self._link.close()
            self._link = None
            self._suspend(fault)
            return _refuse(operations, fault)

    def _write(self, link: RedisLink, operations: Sequence[Operation[Any]]) -> Sequence[Any]:
        if self._fault:
            return _refuse(operations, self._fault)
        if not operations:
            link.ask("PING")
            return []
        fault, replies = link.write(words_of(operations))
        if fault:
            self._suspend(fault)
            return _refuse(operations, fault)
        return list(map(answer_of, operations, replies))

    @staticmethod
    def _read(link: RedisLink, operations: Sequence[Operation[Any]]) -> Sequence[Any]:
        return list(map(answer_of, operations, link.read(words_of(operations))))

    def _suspend(self, fault: Fault) -> None:
        # The first try comes at once: often only the connection is lost.
        self._next_try_s = time.monotonic() + (self._retry_s if self._fault else 0)
        self._report(fault)

    def _recover(self) -> None:
        try:
            link = open_to_write(self._address)
        except StoreOpenError as error:
            self._suspend(error.fault)
        else:
            self.close()
            self._link = link
            self._report(None)

    def _report(self, fault: Fault | None) -> None:
        if fault is not self._fault:
            self._fault = fault
            self._deliver(partial(self._watch, fault))


def _refuse(operations: Sequence[Operation[Any]], fault: Fault) -> Sequence[Any]:
    return [StoreUnavailableError(fault)] * len(operations)
