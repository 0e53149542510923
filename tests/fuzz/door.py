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
from contextlib import contextmanager, suppress
from ipaddress import ip_network
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jminesweeper.bus.local import LocalBus
from jminesweeper.protocol.packets import Hello, NewGame, Packet, Start, encode
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.game_server import GameServer
from jminesweeper.server.hub import READ_SIZE
from jminesweeper.server.web_socket import WebSocketStream
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Matches
from jminesweeper.session.opening import replay
from jminesweeper.session.session import Session
from jminesweeper.store.memory import MemoryStore
from tests.certificates import CertificateFiles, make_certificate
from tests.fuzz import run
from tests.fuzz.web import REQUESTS, spoil
from tests.proxy_header import LOCAL, SIGNATURE, UNSPECIFIED, proxy_header
from tests.unit.server.fakes import FakeWorkers, turn
from tests.unit.server.tls_peer import TlsPeer

HOST = "127.0.0.1"
PLAYERS = ("198.51.100.7", "2001:db8::7")
PACKETS: Sequence[Packet] = (
    Start(20, 10, 1),
    Hello(),
    NewGame("beginner jminesweeper"),
    Command.REVEAL,
    Command.QUIT,
)
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


def make_backend(**more: Any) -> Backend:
    """Return what is behind a server under attack."""
    matches = Matches()
    return Backend(
        new_session=lambda: Session(SessionConfig(), random.Random(0).getrandbits, matches),
        matches=matches,
        tokens=random.Random(0).getrandbits,
        store=MemoryStore(),
        workers=FakeWorkers(),
        bus=LocalBus(asyncio.get_running_loop().call_soon),
        rebuild=replay,
        **more,
    )


def _server(tls: CertificateFiles | None, *, is_proxied: bool) -> GameServer:
    backend = make_backend(new_web_socket=WebSocketStream)
    config = ServerConfig(
        host=HOST,
        port=0,
        tls_files=tls,
        proxies=(ip_network(HOST),) if is_proxied else (),
        linger_s=0.05,
    )
    return GameServer(config, backend)


async def _attack(
    server: GameServer, rng: Rng, stream: bytes, trust: ssl.SSLContext | None
) -> None:
    """Send all of it, within TLS if somebody is trusted, and go."""
    is_proxied = bool(server._config.proxies)
    reader, writer = await asyncio.open_connection(HOST, server.port)
    with suppress(OSError):
        if trust is not None:
            if is_proxied:
                writer.write(proxy_header(PLAYERS[0], 4321))
            await writer.start_tls(trust, server_hostname="localhost")
        for piece in _chop(stream, rng):
            writer.write(piece)
            await writer.drain()
            await turn()
        for connection in server._hub.connections:
            if connection.origin != HOST:
                assert is_proxied
                assert trust is not None or stream.startswith(SIGNATURE)
        if trust is None:
            writer.write_eof()
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(), 0.2)
    writer.close()
    async with asyncio.timeout(5):
        while server._hub.connections or server._arrivals:
            await turn()


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


async def _attack_often(seed: int, rounds: Iterator[object], files: CertificateFiles) -> int:
    trust = ssl.create_default_context(cafile=files.certificate)
    count = 0
    with _listening() as bugs:
        for _ in rounds:
            rng = random.Random(f"{seed} {count}")
            stream = _stream(rng, TlsPeer(files.certificate).shake_hands())
            served = rng.choice((files, None))
            trusted = trust if served and rng.random() < 0.5 else None
            try:
                async with _server(served, is_proxied=rng.random() < 0.7) as server:
                    await _attack(server, rng, stream, trusted)
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
        return asyncio.run(_attack_often(seed, rounds, files))


if __name__ == "__main__":
    run("Attack the door.", fuzz, "connections held")
