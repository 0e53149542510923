"""A store on Redis or Valkey: one thread makes one pipeline of all that waits.

Neighbouring commits are one call of a function inside Redis, neighbouring reads one transaction of
plain commands, and where there is a replica the last command waits until it has the commits.
Nothing is acknowledged before. While the server cannot be used everything is refused, and it is
tried again every second.

A document is a string that begins with its version, eleven characters of base 64; a log is a string
of its entries; a board is a sorted set without scores; a counter is a hash.

What limits the store is Redis's own `maxmemory`.
"""

from __future__ import annotations

import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby, islice
from struct import pack, unpack
from typing import Any, Final

from redis.exceptions import ResponseError

from jminesweeper.store.port import (
    ABSENT,
    DONE,
    ENTRY_BYTES,
    NO_END,
    Add,
    Append,
    Commit,
    Conflict,
    Deliver,
    Document,
    Fault,
    Found,
    Keep,
    Operation,
    Part,
    Place,
    Put,
    Read,
    Scan,
    Scanned,
    StoreError,
    StoreUnavailableError,
    Tail,
    Watch,
    deliver_at_once,
    ignore_state,
)
from jminesweeper.store.redis_link import (
    COMMIT,
    REPLICA_TIMEOUT_MS,
    Command,
    RedisLink,
    Word,
    open_link,
    parse_address,
    translated_errors,
)
from jminesweeper.store.verbs import Admission, OnCrowded, ignore_crowd
from jminesweeper.store.worker import Archive, Retrier, Worker

DOCUMENT: Final = "jm:d:"
LOG: Final = "jm:l:"
BOARD: Final = "jm:p:"
COUNTER: Final = "jm:n:"
VERSION_CHARS: Final = 11
ALL: Final = -1
"""Texts of a board without a limit."""
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
            # An archive is only read, and never measured.
            is_writing = not operations or Commit in map(type, operations)
            if is_writing and time.monotonic() >= self._next_measure_s:
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


# Operations as words of Redis, and the meaning of its replies


def words_of(commit: Commit) -> list[Word]:
    """Write a commit as steps."""
    version, checks, puts, appends, places, adds, keeps, _ = commit
    words: list[Word] = []
    ends: list[Keep] = []
    for check in checks:
        words += "C", check.key, _pack_version(check.version)
    for key, body, until_s in puts:
        if body is None:
            words += "D", key
        else:
            words += "P", key, _pack_version(version), body
            if until_s != NO_END:
                ends.append(Keep(key, until_s))
    for append in appends:
        words += "A", *append
    for board, text, is_gone in places:
        words += "-" if is_gone else "+", board, text
    for add in adds:
        words += "N", *add
    for keep in (*ends, *keeps):
        words += "K", *keep
    words.append(".")
    return words


def answer_of(reply: Any) -> Any:
    if reply == 1:
        return DONE
    if isinstance(reply, bytes):
        return StoreUnavailableError(Fault.DAMAGED)
    key, since = reply
    return Conflict(key.decode(), since)


def commands_of(read: Read) -> Iterator[Command]:
    for key in read.keys:
        yield "GET", f"{DOCUMENT}{key}"
    for key, start in read.tails:
        yield "GETRANGE", f"{LOG}{key}", start * ENTRY_BYTES, -1
    for board, limit, skipped, is_reversed, after in read.parts:
        begin, end, *way = ("+", "-", "BYLEX", "REV") if is_reversed else ("-", "+", "BYLEX")
        begin = f"({after}" if after else begin
        yield "ZRANGE", f"{BOARD}{board}", begin, end, *way, "LIMIT", skipped, limit
    for name in read.counters:
        yield "HGETALL", f"{COUNTER}{name}"


def found_in(read: Read, replies: Iterator[Any]) -> Any:
    """Take the replies to a read's commands."""
    sizes = len(read.keys), len(read.tails), len(read.parts), len(read.counters)
    documents, tails, parts, counters = ([*islice(replies, size)] for size in sizes)
    if any(isinstance(each, Exception) for each in (*documents, *tails, *parts, *counters)):
        return StoreUnavailableError(Fault.DAMAGED)
    found = []
    for reply in documents:
        if reply is None:
            found.append(ABSENT)
        else:
            (version,) = unpack(">Q", b64decode(reply[:VERSION_CHARS] + b"="))
            found.append(Document(version, reply[VERSION_CHARS:].decode()))
    return Found(
        found,
        tails,
        [[text.decode() for text in reply] for reply in parts],
        [
            {
                field.decode(): int(amount)
                for field, amount in zip(each[::2], each[1::2], strict=True)
            }
            for each in counters
        ],
    )


def read_of(prefix: str, keys: Sequence[str]) -> Read:
    """Ask for all of what a scan found."""
    match prefix:
        case "jm:d:":
            return Read(tuple(keys), tuple(map(Tail, keys)))
        case "jm:p:":
            return Read(parts=tuple(Part(key, ALL) for key in keys))
        case _:
            return Read(counters=tuple(keys))


def commits_of(keys: Sequence[str], found: Found, ends_s: Sequence[int]) -> Iterator[Commit]:
    """Make anew what a scan found, unless it is gone by now."""
    documents = zip(keys, found.documents, found.tails, ends_s, strict=False)
    for key, (version, body), log, end_s in documents:
        if version:
            appends = (Append(key, 0, b"", log),) if log else ()
            yield Commit(version, puts=(Put(key, body, max(NO_END, end_s)),), appends=appends)
    for board, texts in zip(keys, found.parts, strict=False):
        yield Commit(places=tuple(Place(board, text) for text in texts))
    for name, fields in zip(keys, found.counters, strict=False):
        yield Commit(adds=tuple(Add(name, *field) for field in fields.items()))


def _pack_version(version: int) -> bytes:
    return b64encode(pack(">Q", version))[:VERSION_CHARS] if version else b""
