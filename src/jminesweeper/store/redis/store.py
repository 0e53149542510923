"""A thread that makes one pipeline of all that waits.

Neighbouring commits are one call of a function inside Redis, neighbouring reads one transaction of
plain commands, and where there is a replica the last command waits until it has the commits.
Nothing is acknowledged before. While the server cannot be used everything is refused, and it is
tried again every second.

What limits the store is Redis's own `maxmemory`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final

from redis.exceptions import ResponseError

from jminesweeper.store.port import (
    Commit,
    Deliver,
    Fault,
    Operation,
    Read,
    Scan,
    Scanned,
    StoreError,
    StoreUnavailableError,
    Watch,
    deliver_at_once,
    ignore_state,
)
from jminesweeper.store.redis.link import (
    COMMIT,
    REPLICA_TIMEOUT_MS,
    RedisLink,
    open_link,
    parse_address,
    translated_errors,
)
from jminesweeper.store.redis.words import (
    BOARD,
    COUNTER,
    DOCUMENT,
    Command,
    answer_of,
    commands_of,
    commits_of,
    found_in,
    read_of,
    words_of,
)
from jminesweeper.store.verbs import Admission, OnCrowded, ignore_crowd
from jminesweeper.store.worker import Archive, Retrier, Worker, has_to_write

RETRY_S: Final = 1.0
LOOK_S: Final = 10.0
"""Interval in which an idle server is looked at."""
MEASURE_S: Final = 1.0
"""Interval in which the memory of a busy server is measured."""
_KINDS: Final = (DOCUMENT, BOARD, COUNTER)


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
        on_crowded: OnCrowded = ignore_crowd,
        retry_s: float = RETRY_S,
    ) -> None:
        address, admission = parse_address(url), Admission(deliver, on_crowded)

        def connect() -> OpenLink:
            return OpenLink(open_link(address, RedisLink.prepare_to_write), admission)

        super().__init__("store", Retrier(connect, deliver, watch, retry_s), deliver)


def open_archive(url: str) -> Archive:
    """Open the store on this Redis, a master or a replica; StoreOpenError says why it cannot."""
    return Archive(OpenLink(open_link(parse_address(url), RedisLink.prepare_to_read), Admission()))


class OpenLink:
    """Makes a pipeline of each batch."""

    def __init__(self, link: RedisLink, admission: Admission, measure_s: float = MEASURE_S) -> None:
        self._link = link
        self._admission = admission
        self._measure_s = measure_s
        self._next_measure_s = 0.0
        self.due_s = time.monotonic() + LOOK_S
        """Time at which it looks whether Redis is still there, if no jobs come."""

    def close(self) -> None:
        self._link.close()

    def carry_out(self, operations: Sequence[Operation]) -> Sequence[Any]:
        """Carry out operations in order, those between two scans in one pipeline."""
        answers: list[Any] = []
        self.due_s = time.monotonic() + LOOK_S
        with translated_errors():
            if time.monotonic() >= self._next_measure_s and has_to_write(operations):
                self._measure()
            for is_scan, run in groupby(operations, lambda each: type(each) is Scan):
                if is_scan:
                    answers += [_scan(self._link, each) for each in run if isinstance(each, Scan)]
                else:
                    answers += _pipeline(self._link, [*run], self._admission)
        return answers

    def _measure(self) -> None:
        """Ask how much of its memory the server uses, and so whether it is there."""
        self._next_measure_s = time.monotonic() + self._measure_s
        lines = self._link.ask("INFO", "memory").decode().splitlines()
        memory = dict(line.split(":", 1) for line in lines if ":" in line)
        self._admission.measure(int(memory["used_memory"]), int(memory["maxmemory"]))


def _pipeline(link: RedisLink, operations: Sequence[Any], admission: Admission) -> Sequence[Any]:
    commands: list[Command] = []
    takers: list[Callable[[Iterator[Any]], Sequence[Any]]] = []
    replicas_needed = 0
    for kind, run in groupby(operations, type):
        if kind is Commit:
            words, refusals = [*COMMIT], []
            for commit in run:
                refusals.append(refusal := _refusal(commit, admission))
                if refusal is None:
                    words += words_of(commit)
            commands.append(words)
            takers.append(partial(_answers_to, refusals))
            replicas_needed = link.replicas_needed
        else:
            reads = [*run]
            queued = [command for read in reads for command in commands_of(read)]
            commands += ("MULTI",), *queued, ("EXEC",)
            takers.append(partial(_found_by, reads, len(queued)))
    if replicas_needed:
        commands.append(("WAIT", replicas_needed, REPLICA_TIMEOUT_MS))
    replies = iter(link.exchange(commands))
    answers = [answer for take in takers for answer in take(replies)]
    if replicas_needed and _reply(replies) < replicas_needed:
        raise StoreUnavailableError(Fault.UNREPLICATED)
    return answers


def _refusal(commit: Commit, admission: Admission) -> StoreError | None:
    try:
        admission.admit(commit)
    except StoreError as error:
        return error
    return None


def _answers_to(refusals: Sequence[StoreError | None], replies: Iterator[Any]) -> Sequence[Any]:
    answers = iter(_reply(replies))
    return [refusal or answer_of(next(answers)) for refusal in refusals]


def _found_by(reads: Sequence[Read], queued: int, replies: Iterator[Any]) -> Sequence[Any]:
    for _ in range(queued + 1):
        next(replies)
    found = iter(_reply(replies))
    return [found_in(read, found) for read in reads]


def _reply(replies: Iterator[Any]) -> Any:
    reply = next(replies)
    if isinstance(reply, ResponseError):
        raise reply
    return reply


def _scan(link: RedisLink, asked: Scan) -> Any:
    """Take one step of SCAN through the keys of one kind; some may come twice."""
    kind, _, position = (asked.after or "0:0").partition(":")
    prefix = _KINDS[int(kind)]
    following, names = link.ask("SCAN", position, "MATCH", f"{prefix}*", "COUNT", asked.limit)
    keys = [name.decode().removeprefix(prefix) for name in names]
    read = read_of(prefix, keys)
    found = found_in(read, iter(link.exchange([*commands_of(read)])))
    if isinstance(found, StoreError):
        return found
    ends_s = link.exchange([("EXPIRETIME", name) for name in names])
    if int(following):
        after = f"{kind}:{int(following)}"
    else:
        after = f"{int(kind) + 1}:0" if int(kind) + 1 < len(_KINDS) else ""
    return Scanned([*commits_of(keys, found, ends_s)], after)
