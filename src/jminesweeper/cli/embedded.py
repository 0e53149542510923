"""A server inside the client's process, for when there is no other."""

from __future__ import annotations

import logging
import secrets
import socket
from contextlib import AsyncExitStack

from jminesweeper.server import Backend, GameServer, ServerConfig
from jminesweeper.session import Session, SessionConfig


class EmbeddedServer:
    """Started by the first connection, stopped with the stack it was given."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self._server: GameServer | None = None

    async def connect(self) -> socket.socket:
        """Give a player's end of a connection."""
        if self._server is None:
            # A log line on the player's screen would be in the way of the game.
            logging.getLogger("jminesweeper").addHandler(logging.NullHandler())
            config, session_config = ServerConfig(port=None), SessionConfig()
            backend = Backend(new_session=lambda: Session(session_config, secrets.randbits))
            self._server = await self._stack.enter_async_context(GameServer(config, backend))
        return await self._server.connect_embedded()
