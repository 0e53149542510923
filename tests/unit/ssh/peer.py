"""A server with a door for SSH, and clients of it, on one loop."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncssh

from jminesweeper.server.config import ServerConfig, SshConfig
from jminesweeper.server.game_server import GameServer
from jminesweeper.ssh.door import SshDoor
from tests.fuzz.door import make_backend
from tests.painted import PaintedTerminal

HOST = "127.0.0.1"
TIMEOUT_S = 60


@asynccontextmanager
async def serving(
    folder: Path, door: SshConfig | None = None, **behind: Any
) -> AsyncIterator[GameServer]:
    """Serve players by SSH from memory, or from what is behind instead."""
    options = door or SshConfig(folder / "key")
    backend = replace(make_backend(open_ssh=lambda hub: SshDoor(hub, options)), **behind)
    async with GameServer(ServerConfig(host=HOST, port=0, linger_s=0.05), backend) as server:
        yield server


class Player(asyncssh.SSHClientSession[bytes]):
    """A terminal by SSH, and what its player sees."""

    channel: asyncssh.SSHClientChannel[bytes]

    def __init__(self) -> None:
        self.output = b""
        self.screen = PaintedTerminal()
        self._has_changed = asyncio.Event()
        self.has_ended = False

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self.channel = chan

    def data_received(self, data: bytes, datatype: object) -> None:
        self.output += data
        self.screen.feed(data)
        self._has_changed.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.has_ended = True
        self._has_changed.set()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so, looked at again whenever anything is shown."""
        async with asyncio.timeout(TIMEOUT_S):
            while not is_so():
                self._has_changed.clear()
                await self._has_changed.wait()

    async def sees(self, pattern: str) -> None:
        await self.until(lambda: self.shows(pattern))

    def shows(self, pattern: str) -> bool:
        return any(re.search(pattern, line) for line in self.screen.lines)

    async def end(self) -> int | None:
        """Wait for the end of the session; return its exit code."""
        await self.until(lambda: self.has_ended)
        return self.channel.get_exit_status()

    def type(self, keys: bytes) -> None:
        self.channel.write(keys)


class Guest(asyncssh.SSHClient):
    """Has no key, and answers what is asked of who has none."""

    def kbdint_auth_requested(self) -> str:
        return ""


@asynccontextmanager
async def log_in(
    server: GameServer, key: asyncssh.SSHKey | None = None, **more: Any
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """Log in with a key, or as a guest."""
    connection, _ = await asyncssh.create_connection(
        Guest,
        HOST,
        server.port,
        username="ada",
        client_keys=[key] if key else None,
        known_hosts=None,
        config=[],
        **more,
    )
    try:
        yield connection
    finally:
        connection.abort()


async def sit_down(
    connection: asyncssh.SSHClientConnection, words: str | None = None, **more: Any
) -> Player:
    """Begin a session on a terminal of 80x24, unless told otherwise."""
    player = Player()
    terminal = {"term_type": "xterm-256color", "term_size": (80, 24), **more}
    await connection.create_session(lambda: player, words, encoding=None, **terminal)
    return player


@asynccontextmanager
async def playing(
    folder: Path, words: str | None = None, shows: str = "mines +10", **more: Any
) -> AsyncIterator[tuple[GameServer, asyncssh.SSHClientConnection, Player]]:
    """Begin a game as a guest, and wait for its picture."""
    async with serving(folder) as server, log_in(server) as connection:
        player = await sit_down(connection, words, **more)
        await player.sees(shows)
        yield server, connection, player
