"""A server over TCP and whoever comes to it, all on the loop of a test."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from jminesweeper.protocol.packets import ScreenContent
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Direction
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.game_server import GameServer
from jminesweeper.server.web_socket import WebSocketStream
from tests.painted import PaintedTerminal
from tests.unit.server.fakes import backend_of

LOOPBACK = "127.0.0.1"


class OpenServer(GameServer):
    """Lets peers come."""

    def __init__(self, config: ServerConfig) -> None:
        super().__init__(config, backend_of(new_web_socket=WebSocketStream))
        self.peers: list[Peer] = []

    async def come(self, *parts: bytes, trust: ssl.SSLContext | None = None) -> Peer:
        """Let somebody come, and say these bytes piece by piece."""
        name = "localhost" if trust is not None else None
        opened = await asyncio.open_connection(LOOPBACK, self.port, ssl=trust, server_hostname=name)
        self.peers.append(Peer(*opened))
        for part in parts:
            await self.peers[-1].say(part)
        return self.peers[-1]

    async def embed(self) -> Peer:
        """Let the player come who has this server for themselves."""
        self.peers.append(Peer(*await asyncio.open_connection(sock=await self.connect_embedded())))
        return self.peers[-1]


@asynccontextmanager
async def serving(**settings: Any) -> AsyncIterator[OpenServer]:
    """Serve with these settings; at the end everybody leaves, then the server stops."""
    usual: dict[str, Any] = {"host": LOOPBACK, "port": 0, "linger_s": 0.2, "stop_timeout_s": 5.0}
    async with OpenServer(ServerConfig(**usual | settings)) as server:
        yield server
        for peer in server.peers:
            await peer.leave()


class Peer:
    """Somebody on the same loop."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self._writer = writer
        self._packets = PacketReader(Direction.FROM_SERVER)

    async def say(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def hears(self, expected: bytes) -> None:
        assert await self.reader.readexactly(len(expected)) == expected

    async def play(self, packets: bytes, screens: int = 1) -> bytes:
        """Say packets; return the last of so many screens."""
        await self.say(packets)
        return await self.sees(screens)

    async def sees(self, screens: int = 1) -> bytes:
        """Wait for so many screens and no more; return the last one."""
        seen: list[object] = []
        while len(seen) < screens:
            data = await self.reader.read(65_536)
            assert data, "the server hung up"
            seen += self._packets.feed(data)
        assert len(seen) == screens
        assert isinstance(seen[-1], ScreenContent)
        return seen[-1].text

    async def last_words(self) -> str:
        """Return what the last screen says when the server hangs up."""
        (screen,) = self._packets.feed(await self.to_the_end())
        assert isinstance(screen, ScreenContent)
        terminal = PaintedTerminal()
        terminal.feed(screen.text)
        return " ".join(terminal.text.split())

    async def to_the_end(self) -> bytes:
        """Take what comes until the server hangs up."""
        try:
            return await self.reader.read()
        except ConnectionResetError:
            return b""
        finally:
            self._writer.close()

    async def leave(self) -> None:
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()
