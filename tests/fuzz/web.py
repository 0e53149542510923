"""Throw bytes at the web's side of the door: `python -m tests.fuzz.web [--seconds N] [--seed S]`.

Requests and frames that are right are spoiled and chopped. What must hold: nothing raises, what is
answered is HTTP or a frame, an exchange that is over says nothing more, and what a WebSocket gives
to the game is what its frames carried or a part of that: the same, whether whole messages have a
way of their own or not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from jminesweeper.server.web_socket import WebSocketStream
from jminesweeper.web.site import Exchange
from tests.fuzz import run
from tests.integration.web_peer import BINARY, CLOSE, CONTINUED, PING, TEXT, frame

HANDSHAKE = (
    b"GET /play HTTP/1.1\r\nHost: here\r\nOrigin: http://here\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n"
    b"Sec-WebSocket-Protocol: jminesweeper.2\r\n\r\n"
)
REQUESTS = (
    b"GET / HTTP/1.1\r\nHost: here\r\nAccept-Encoding: gzip\r\n\r\n",
    b"HEAD / HTTP/1.0\r\n\r\n",
    b"GET /favicon.ico HTTP/1.1\r\nHost: here\r\nCookie: a=b; c\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
    HANDSHAKE,
)
TELLING = (
    b"\r\n",
    b"\r\n\r\n",
    b": ",
    b" ",
    b"HTTP/1.1",
    b"\x00",
    b"\xff",
    b"\x82\xff",
    b"gzip;q=0",
)

Rng = random.Random


def spoil(data: bytes, rng: Rng, telling: Sequence[bytes] = TELLING) -> bytes:
    spoiled = bytearray(data)
    for _ in range(rng.choice((0, 0, 1, 1, 2, 5))):
        place = rng.randrange(len(spoiled) + 1)
        match rng.randrange(4):
            case 0 if place < len(spoiled):
                spoiled[place] ^= 1 << rng.randrange(8)
            case 1:
                del spoiled[place : place + rng.randrange(1, 9)]
            case 2:
                spoiled[place:place] = spoiled[place : place + rng.randrange(1, 40)]
            case _:
                spoiled[place:place] = rng.choice(telling)
    return bytes(spoiled)


def _chop(data: bytes, rng: Rng) -> Iterator[bytes]:
    while data:
        size = rng.choice((1, 2, 7, 60, 5_000))
        yield data[:size]
        data = data[size:]


def _frames(rng: Rng) -> Sequence[bytes]:
    opcodes = (BINARY, BINARY, BINARY, CONTINUED, TEXT, PING, CLOSE, rng.randrange(16))
    return [
        frame(
            rng.randbytes(rng.choice((0, 1, 5, 130))),
            rng.choice(opcodes),
            first=rng.choice((0x80, 0x80, 0x80, 0, 0xC0)),
            mask=rng.choice((b"abcd", b"\0\0\0\0", b"abcd", b"")),
        )
        for _ in range(rng.randrange(1, 9))
    ]


def _try_requests(rng: Rng) -> None:
    exchange = Exchange(has_page=rng.random() < 0.9)
    stream = b"".join(spoil(rng.choice(REQUESTS), rng) for _ in range(rng.randrange(1, 4)))
    for piece in _chop(stream, rng):
        was_over = exchange.is_over
        answer = exchange.receive(piece)
        assert not (was_over and answer)
        assert not answer or answer.startswith(b"HTTP/1.1 ")
        assert exchange.upgrade in stream
        if exchange.upgrade:
            break


def _try_frames(rng: Rng) -> None:
    stream, careful = WebSocketStream(), WebSocketStream()
    handshake = HANDSHAKE if rng.random() < 0.9 else spoil(HANDSHAKE, rng)
    heard = stream.receive(handshake)
    assert heard == careful.receive(handshake)
    assert (answer := stream.outgoing) == b"" or answer.startswith(b"HTTP/1.1 ")
    # A refusal names the time, which may be another a moment later.
    assert answer[:12] == careful.outgoing[:12]
    sent = [spoil(each, rng) for each in _frames(rng)]
    # As frames come from a browser, one at a time; or in pieces, and several at once.
    pieces = sent if rng.random() < 0.5 else _chop(b"".join(sent), rng)
    for piece in pieces:
        said = stream.read_message(piece) or stream.receive(piece)
        assert said == careful.receive(piece)
        assert (answer := stream.outgoing) == careful.outgoing
        assert len(answer) <= 2 * len(piece) + 200
        assert stream.is_over == careful.is_over
        assert stream.pack(b"reply") in {b"", b"\x82\x05reply"}
        heard += said
    assert len(heard) <= sum(map(len, sent))
    stream.close()


TRIALS: tuple[Callable[[Rng], None], ...] = (_try_requests, _try_frames)


def fuzz(seed: int, rounds: Iterator[object]) -> int:
    """Try once each round; return how often."""
    count = 0
    for _ in rounds:
        rng = random.Random(f"{seed} {count}")
        try:
            rng.choice(TRIALS)(rng)
        except Exception as error:
            error.add_note(f"seed {seed}, stream {count}")
            raise
        count += 1
    return count


if __name__ == "__main__":
    run("Throw spoiled requests and frames at the door.", fuzz, "streams held")
