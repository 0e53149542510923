"""The server inside a client that finds none at its address."""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack

from jminesweeper.cli.backends import BackendOptions, open_backend
from jminesweeper.cli.stores import default_store_path
from jminesweeper.client.transport import EmbeddedLink
from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.game_server import GameServer
from jminesweeper.store.errors import StoreOpenError


class EmbeddedServer:
    """Starts with the first connection, and stops with the exit stack it was given.

    It stores games where this machine's own server would, so that they continue there.
    """

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self._server: GameServer | None = None
        self._remark = ""

    async def connect(self) -> EmbeddedLink:
        """Return a player's end of a connection."""
        if self._server is None:
            # A log line would spoil the player's screen.
            logging.getLogger("jminesweeper").addHandler(logging.NullHandler())
            config, backend = ServerConfig(port=None), await self._open_backend()
            self._server = await self._stack.enter_async_context(GameServer(config, backend))
        return EmbeddedLink(await self._server.connect_embedded(), self._remark)

    async def _open_backend(self) -> Backend:
        options = BackendOptions(store=default_store_path(), workers=1, has_company=False)
        try:
            return await self._stack.enter_async_context(open_backend(options))
        except StoreOpenError as error:
            self._remark = f"{error} This game will not be saved."
        in_memory = BackendOptions(store=None, workers=1, has_company=False)
        return await self._stack.enter_async_context(open_backend(in_memory))
