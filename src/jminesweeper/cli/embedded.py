"""The server inside a client that finds none at its address."""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack
from dataclasses import replace

from jminesweeper.cli.backends import BackendOptions, open_backend
from jminesweeper.cli.stores import default_store_path
from jminesweeper.client.transport import EmbeddedLink
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.game_server import GameServer
from jminesweeper.store.port import StoreOpenError


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
            enter, store = self._stack.enter_async_context, default_store_path()
            options = BackendOptions(store=store, workers=1, has_company=False)
            try:
                backend = await enter(open_backend(options))
            except StoreOpenError as error:
                self._remark = f"{error} This game will not be saved."
                backend = await enter(open_backend(replace(options, store=None)))
            self._server = await enter(GameServer(ServerConfig(port=None), backend))
        return EmbeddedLink(await self._server.connect_embedded(), self._remark)
