"""Operations as words of Redis, and what the replies mean.

A document is a string that begins with its version, eleven characters of base 64; a log is a string
of its entries; a board is a sorted set without scores; a counter is a hash.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from itertools import islice
from struct import pack, unpack
from typing import Any, Final, TypeAlias

from jminesweeper.store.port import (
    ABSENT,
    DONE,
    ENTRY_BYTES,
    NO_END,
    Add,
    Append,
    Commit,
    Conflict,
    Document,
    Fault,
    Found,
    Keep,
    Part,
    Place,
    Put,
    Read,
    StoreUnavailableError,
    Tail,
)

Word: TypeAlias = bytes | str | int
Command: TypeAlias = Sequence[Word]

DOCUMENT: Final = "jm:d:"
LOG: Final = "jm:l:"
BOARD: Final = "jm:p:"
COUNTER: Final = "jm:n:"
VERSION_CHARS: Final = 11
ALL: Final = -1
"""Texts of a board without a limit."""


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
