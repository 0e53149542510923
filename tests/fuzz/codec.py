"""Throw bytes at the codec: `python -m tests.fuzz.codec [--seconds N] [--seed S]`.

Bytes are grown from packets that are right and then spoiled: bits flipped, pieces cut out, doubled,
swapped for bytes that mean something, since evenly random ones hardly pass the first header. What
must hold is what the property tests say; here it is said a few thousand times a second.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import (
    Act,
    Hello,
    Hint,
    Load,
    MoveTo,
    NewGame,
    OpenMenu,
    Packet,
    Pick,
    Replay,
    Save,
    ScreenContent,
    Start,
    Undo,
    UnknownPacket,
    View,
)
from jminesweeper.protocol.reader import PacketReader, StreamError
from jminesweeper.protocol.vocabulary import Command, Direction
from tests.fuzz import run

CAP = 2000
HEADER_SIZE = 5
SEEDS: dict[Direction, tuple[Packet, ...]] = {
    Direction.FROM_CLIENT: (
        *Command,
        Start(20, 10, 1),
        Hello(6, bytes(range(16)), "Ada"),
        Hello(),
        Hint(7, 9),
        MoveTo(3, 4),
        NewGame(kind=0, columns=30, rows=16, mines=99),
        Undo(2),
        Save("slot"),
        Load("é"),
        OpenMenu("help"),
        Pick("settings", "pace", "on"),
        Replay(300),
        Act(3, 4, 1, 16),
        UnknownPacket(99, 20),
    ),
    Direction.FROM_SERVER: (
        ScreenContent(b"\x1b[H" + b"? " * 50),
        ScreenContent(b""),
        View(b'{"cursor":[1,2]}', b"\0\1\2\x10\x30"),
        UnknownPacket(200, 7),
    ),
}
TELLING_BYTES = (b"\x00", b"\x07", b"\x09", b"\xff", b"\x00\x00\x00\x03", b"\xff\xff\xff\xff")


@dataclass(frozen=True)
class Outcome:
    """What a stream of bytes came to."""

    packets: tuple[Packet, ...]
    reason: str | None


def _flip(stream: bytearray, rng: random.Random) -> None:
    stream[rng.randrange(len(stream))] ^= 1 << rng.randrange(8)


def _cut(stream: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(stream))
    del stream[start : start + rng.randrange(1, 9)]


def _double(stream: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(stream))
    stream[start:start] = stream[start : start + rng.randrange(1, 40)]


def _swap(stream: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(stream))
    telling = rng.choice(TELLING_BYTES)
    stream[start : start + len(telling)] = telling


SPOILERS: tuple[Callable[[bytearray, random.Random], None], ...] = (_flip, _cut, _double, _swap)


def make_stream(direction: Direction, rng: random.Random) -> bytes:
    """Some right packets, spoiled in a few places or, sometimes, in none."""
    stream = bytearray().join(map(encode, rng.choices(SEEDS[direction], k=rng.randrange(1, 9))))
    for _ in range(rng.randrange(4)):
        if stream:
            rng.choice(SPOILERS)(stream, rng)
    return bytes(stream)


def chop(stream: bytes, rng: random.Random) -> Iterator[bytes]:
    """The stream in pieces of one to a few bytes, or in larger ones."""
    longest = rng.choice((1, 3, 50))
    start = 0
    while start < len(stream):
        end = start + rng.randint(1, longest)
        yield stream[start:end]
        start = end


def read(direction: Direction, pieces: Iterator[bytes]) -> Outcome:
    """Feed the pieces to a new reader; anything but StreamError escapes."""
    reader = PacketReader(direction, CAP)
    packets: list[Packet] = []
    for piece in pieces:
        try:
            packets += reader.feed(piece)
        except StreamError as error:
            return Outcome((*packets, *error.packets), error.reason)
        if (kept := len(reader._buffer)) > CAP + HEADER_SIZE:
            raise AssertionError(f"{kept} bytes kept")
    return Outcome(tuple(packets), None)


def check(direction: Direction, stream: bytes, rng: random.Random) -> None:
    """AssertionError if chopping matters or a packet is not written as it was read."""
    whole = read(direction, iter((stream,)))
    if read(direction, chop(stream, rng)) != whole:
        raise AssertionError("chopping changed the packets")
    rewritten = b"".join(map(encode, whole.packets))
    if read(direction, iter((rewritten,))) != Outcome(whole.packets, None):
        raise AssertionError("the packets were not read back as they were written")


def fuzz(seed: int, rounds: Iterator[object]) -> int:
    """Check one stream per round, reproducibly; the number of streams."""
    rng = random.Random(seed)
    count = 0
    for count, _ in enumerate(rounds, start=1):
        direction = rng.choice(list(Direction))
        stream = make_stream(direction, rng)
        try:
            check(direction, stream, rng)
        except Exception as error:
            error.add_note(f"seed {seed}, stream {count}, {direction.name}: {stream.hex()}")
            raise
    return count


if __name__ == "__main__":
    run("Throw spoiled bytes at the codec.", fuzz, "streams held")
