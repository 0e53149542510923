"""Attack the door for SSH: `python -m tests.fuzz.ssh [--seconds N] [--seed S]`.

Before a login comes what a client says first, spoiled and chopped. After it come packets of any
type with any content, encrypted as they should be. What must hold: nothing raises, another player's
next key is answered, and of who has gone nothing is left.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncssh

from jminesweeper.protocol.packets import Start, encode
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.config import ServerConfig, SshConfig
from jminesweeper.server.game_server import GameServer
from jminesweeper.ssh.door import SshDoor
from tests.fuzz import run
from tests.fuzz.door import _chop, _listening, make_backend
from tests.fuzz.web import spoil
from tests.unit.server.fakes import turn

HOST = "127.0.0.1"
Rng = random.Random

_GREETING = b"SSH-2.0-OpenSSH_9.2\r\n"
_REQUESTS = (
    *(b"env", b"pty-req", b"shell", b"exec", b"subsystem", b"window-change", b"x11-req"),
    *(b"auth-agent-req@openssh.com", b"signal", b"break", b"nonsense"),
)
_CHANNEL_REQUEST, _CHANNEL_OPEN, _GLOBAL_REQUEST, _CHANNEL_DATA = 98, 90, 80, 94
_KINDS = (b"session", b"direct-tcpip", b"x11", b"tun@openssh.com")


def string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def make_packet(rng: Rng) -> tuple[int, bytes]:
    """Make a packet as it might come after a login: a type, and what it holds."""
    channel = number(rng.choice((0, 0, 0, 1, 1 << 31)))
    match rng.randrange(6):
        case 0:
            return rng.randrange(1, 256), rng.randbytes(rng.randrange(40))
        case 1:
            flag = bytes((rng.randrange(2),))
            rest = string(rng.randbytes(rng.randrange(20))) * rng.randrange(4)
            return _CHANNEL_REQUEST, channel + string(rng.choice(_REQUESTS)) + flag + rest
        case 2:
            sizes = number(rng.randrange(1 << 32)) * 4 + string(rng.randbytes(9))
            return _CHANNEL_REQUEST, channel + string(b"pty-req") + b"\1" + string(b"x") + sizes
        case 3:
            window = number(rng.choice((0, 1, 1 << 20)))
            return _CHANNEL_OPEN, string(rng.choice(_KINDS)) + channel + window + window
        case 4:
            name = rng.choice((b"tcpip-forward", b"keepalive@openssh.com", b"nonsense"))
            return _GLOBAL_REQUEST, string(name) + b"\1" + string(b"") + channel
        case _:
            return _CHANNEL_DATA, channel + string(rng.randbytes(rng.randrange(200)))


async def _knock(port: int, rng: Rng) -> None:
    """Begin a connection with bytes that are nearly right."""
    reader, writer = await asyncio.open_connection(HOST, port)
    data = _GREETING + rng.randbytes(rng.randrange(400))
    if rng.random() < 0.6:
        size = rng.choice((1, 12, 60, 300, 35_000))
        data = _GREETING + number(size) + bytes((rng.randrange(20),)) + rng.randbytes(size)
    with suppress(OSError):
        for piece in _chop(data if rng.random() < 0.5 else spoil(data, rng), rng):
            writer.write(piece)
            await writer.drain()
            await turn()
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(2_000), 0.05)
    writer.transport.abort()


async def _misbehave(port: int, key: asyncssh.SSHKey, rng: Rng) -> None:
    """Log in, perhaps begin to play, and say anything."""
    connection = await asyncssh.connect(
        HOST, port, username="mallory", client_keys=[key], known_hosts=None, config=[]
    )
    with suppress(asyncssh.Error, OSError, TimeoutError):
        async with asyncio.timeout(5):
            if rng.random() < 0.7:
                await connection.create_session(
                    asyncssh.SSHClientSession, term_type="xterm", encoding=None
                )
            for _ in range(rng.randrange(1, 20)):
                kind, body = make_packet(rng)
                connection.send_packet(kind, body)
                await turn()
            await asyncio.wait_for(connection.wait_closed(), 0.05)
    connection.abort()


async def _attack_often(seed: int, rounds: Iterator[object], folder: Path) -> int:
    backend = make_backend(
        open_ssh=lambda hub: SshDoor(hub, SshConfig(folder / "key", max_players=0))
    )
    key, count = asyncssh.generate_private_key("ssh-ed25519"), 0
    config = ServerConfig(host=HOST, port=0, linger_s=0.05)
    with _listening() as bugs:
        async with GameServer(config, backend) as server:
            reader, writer = await asyncio.open_connection(HOST, server.port)
            writer.write(encode(Start(20, 10, 1)))
            await reader.read(1 << 16)
            for _ in rounds:
                rng = random.Random(f"{seed} {count}")
                try:
                    if rng.random() < 0.5:
                        await _knock(server.port, rng)
                    else:
                        await _misbehave(server.port, key, rng)
                    await _is_alone(server)
                    writer.write(encode(Command.REVEAL))
                    async with asyncio.timeout(5):
                        await reader.read(1 << 16)
                    assert not bugs, bugs[0]
                except Exception as error:
                    error.add_note(f"seed {seed}, connection {count}")
                    raise
                count += 1
            writer.close()
    return count


async def _is_alone(server: GameServer) -> None:
    """Wait until the one other player is alone again."""
    async with asyncio.timeout(10):
        while len(server._hub.connections) > 1:
            await turn()


def fuzz(seed: int, rounds: Iterator[object]) -> int:
    """Attack once each round; return how often."""
    level: Callable[[int], None] = logging.getLogger("asyncssh").setLevel
    level(logging.CRITICAL)
    with TemporaryDirectory() as folder:
        return asyncio.run(_attack_often(seed, rounds, Path(folder)))


if __name__ == "__main__":
    run("Attack the door for SSH.", fuzz, "connections held")
