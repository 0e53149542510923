"""Attack the door: `python -m tests.fuzz.door [--seconds N] [--seed S]`.

Headers of proxies, TLS handshakes, requests of browsers, text and packets come behind each other in
any order, spoiled and chopped, from a proxy's network and from elsewhere, on a server with a
certificate and on one without. What must hold: nothing raises, nobody has an address that no whole
header of the proxy names, and of who has gone nothing is left.
"""

from __future__ import annotations

import asyncio
import logging
import random
import ssl
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from jminesweeper.bus.local import LocalBus
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import Hello, NewGame, Packet, Start
from jminesweeper.protocol.vocabulary import Command, GameKind
from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.hub import READ_SIZE, Hub
from jminesweeper.server.newcomer import Newcomer
from jminesweeper.server.tls import load_certificate
from jminesweeper.server.web_socket import WebSocketStream
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.match import Match
from jminesweeper.session.session import Session
from jminesweeper.store.memory.backend import MemoryStore
from tests.certificates import make_certificate
from tests.fuzz import run
from tests.fuzz.web import REQUESTS, spoil
from tests.proxy_header import LOCAL, SIGNATURE, UNSPECIFIED, proxy_header
from tests.unit.server.fakes import FakeClock, FakeWorkers, turn
from tests.unit.server.test_wrapped_guest import BrowserTransport
from tests.unit.server.tls_peer import TlsPeer

PROXY = "192.0.2.1"
PLAYERS = ("198.51.100.7", "2001:db8::7")
PACKETS: Sequence[Packet] = (
    Start(20, 10, 1),
    Hello(80, 24),
    NewGame(GameKind.BEGINNER),
    Command.REVEAL,
    Command.QUIT,
)
MOST_TURNS = 50
"""Of the loop, for a connection that is not read from because others are to be heard first."""

Rng = random.Random


def _one_header(rng: Rng) -> bytes:
    extension = rng.randbytes(rng.choice((0, 0, 7, 600)))
    return rng.choice(
        (
            *(proxy_header(player, 4321, extension=extension) for player in PLAYERS),
            LOCAL,
            UNSPECIFIED,
            SIGNATURE,
            SIGNATURE + rng.randbytes(4),
            _forged_header(rng),
        )
    )


def _forged_header(rng: Rng) -> bytes:
    """Write a header whose length may be wrong for what it says it has."""
    family, size = rng.choice((0x11, 0x21, 0x31)), rng.choice((0, 5, 12, 36, 3_000))
    return SIGNATURE + struct.pack(">BBH", 0x21, family, size) + rng.randbytes(size)


def _one_part(rng: Rng, hello: bytes) -> bytes:
    match rng.randrange(6):
        case 0:
            return _one_header(rng)
        case 1:
            return hello
        case 2:
            return rng.choice(REQUESTS)
        case 3:
            return rng.choice((b"hello\r\n", INTRODUCTION, b"\t", b"\x16"))
        case 4:
            return rng.randbytes(rng.randrange(1, 60))
        case _:
            return b"".join(encode(rng.choice(PACKETS)) for _ in range(rng.randrange(1, 5)))


def _stream(rng: Rng, hello: bytes) -> bytes:
    begins_well = _one_header(rng) if rng.random() < 0.6 else b""
    rest = b"".join(_one_part(rng, hello) for _ in range(rng.randrange(1, 4)))
    stream = begins_well + rest
    return stream if rng.random() < 0.5 else spoil(stream, rng)


def _chop(data: bytes, rng: Rng) -> Iterator[bytes]:
    while data:
        size = rng.choice((1, 2, 13, 40, READ_SIZE))
        yield data[:size]
        data = data[size:]


class Door:
    """A server of which nothing but the sockets is missing."""

    def __init__(self, tls: ssl.SSLContext | None) -> None:
        backend = Backend(
            new_session=lambda: Session(SessionConfig(), random.Random(0).getrandbits),
            store=MemoryStore(),
            workers=FakeWorkers(),
            bus=LocalBus(asyncio.get_running_loop().call_soon),
            rebuild=Match.rebuild,
            new_web_socket=WebSocketStream,
        )
        clock = FakeClock()
        self.hub = Hub(ServerConfig(), backend, clock, clock)
        self.hub.tls = tls


class Attacker:
    """One connection, from a proxy's network or from elsewhere."""

    def __init__(self, door: Door, rng: Rng) -> None:
        self._hub = door.hub
        self._rng = rng
        self._is_proxied = rng.random() < 0.7
        self._transport = BrowserTransport()
        newcomer = Newcomer(self._hub, f"{PROXY}:5000", PROXY, is_proxied=self._is_proxied)
        self._transport.set_protocol(newcomer)
        newcomer.connection_made(self._transport)
        self._sent = b""

    async def attack(self, stream: bytes, secret: TlsPeer | None) -> None:
        """Send all of it, within TLS if there is such a peer, and go."""
        if secret is not None:
            header = proxy_header(PLAYERS[0], 4321) if self._is_proxied else b""
            await self._send(header + secret.shake_hands())
            await self._send(secret.shake_hands(self._transport.written))
            assert secret.is_ready
            stream = secret.say(stream)
        await self._send(stream)
        await self._leave()

    async def _send(self, data: bytes) -> None:
        for piece in _chop(data, self._rng):
            if not await self._is_read():
                return
            guest = self._transport.protocol
            guest.get_buffer(-1)[: len(piece)] = piece
            guest.buffer_updated(len(piece))
            self._sent += piece
            self._look_at_origin()

    async def _leave(self) -> None:
        if not self._transport.is_closing():
            self._transport.protocol.eof_received()
        await self._is_read()
        self._transport.protocol.connection_lost(None)
        await turn()
        assert not self._hub.visitors

    async def _is_read(self) -> bool:
        for _ in range(MOST_TURNS):
            if self._transport.is_closing() or self._transport.is_half_closed:
                return False
            if self._transport.is_reading_now:
                return True
            await turn()
        return False

    def _look_at_origin(self) -> None:
        if self._transport.protocol.origin != PROXY:
            assert self._is_proxied
            assert self._sent.startswith(SIGNATURE)


class _Complaints(logging.Handler):
    """Keeps what the server calls a bug."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.bugs: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.bugs.append(self.format(record))


@contextmanager
def _listening() -> Iterator[list[str]]:
    """Hear of bugs, and keep quiet of everything that only an operator needs to know."""
    logger, handler = logging.getLogger("jminesweeper.server"), _Complaints()
    level, propagates = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.ERROR)
    logger.propagate = False
    try:
        yield handler.bugs
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagates


async def _attack_often(seed: int, rounds: Iterator[object], certificate: Path, key: Path) -> int:
    tls = load_certificate(certificate, key)
    count = 0
    with _listening() as bugs:
        for _ in rounds:
            rng = random.Random(f"{seed} {count}")
            stream = _stream(rng, TlsPeer(certificate).shake_hands())
            served = rng.choice((tls, None))
            secret = TlsPeer(certificate) if served and rng.random() < 0.5 else None
            try:
                await Attacker(Door(served), rng).attack(stream, secret)
                assert not bugs, bugs[0]
            except Exception as error:
                error.add_note(f"seed {seed}, connection {count}")
                raise
            count += 1
    return count


def fuzz(seed: int, rounds: Iterator[object]) -> int:
    """Attack once each round; return how often."""
    with TemporaryDirectory() as folder:
        files = make_certificate(Path(folder))
        return asyncio.run(_attack_often(seed, rounds, files.certificate, files.key))


if __name__ == "__main__":
    run("Attack the door.", fuzz, "connections held")
