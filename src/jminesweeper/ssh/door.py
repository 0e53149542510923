"""The door for SSH: how many strangers may knock, how many may play, and the library behind it.

A connection comes here when its first bytes are SSH's. It keeps its place, its address and its
time limit in the hub; only what it writes and reads goes through an `SshLine` from now on. The
library costs 24 MB and a third of a second, so it is loaded for the first player who needs it, in a
thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeAlias

from jminesweeper.server.config import SshConfig
from jminesweeper.server.door import ssh_disconnect
from jminesweeper.ssh.host_key import load_host_key

if TYPE_CHECKING:
    from jminesweeper.server.connection import Connection
    from jminesweeper.server.hub import Hub
    from jminesweeper.ssh.line import SshLine

    NewLine: TypeAlias = Callable[[Connection, asyncio.Transport], SshLine]

MOST_LOGINS: Final = 64
"""Logins under way: a key exchange takes milliseconds of the server's time, and memory."""
CROWDED: Final = "Too many players are logging in. Try again in a moment."
FULL: Final = "All {places} places for SSH are taken. To play now: pip install jminesweeper"
BROKEN: Final = "This server cannot speak SSH now. Its log says why."

logger = logging.getLogger("jminesweeper.server")


class SshDoor:
    """All connections that speak SSH."""

    def __init__(self, hub: Hub, config: SshConfig) -> None:
        self.players: set[Connection] = set()
        """Connections that play, or log in."""
        self.logins: set[Connection] = set()
        self._hub = hub
        self._config = config
        self._host_key = load_host_key(config.key)
        self._library: asyncio.Future[NewLine] | None = None

    @property
    def fingerprint(self) -> str:
        return self._host_key.fingerprint

    def welcome(
        self, connection: Connection, transport: asyncio.Transport, beginning: bytes
    ) -> None:
        """Log a stranger in, or say why not in the one packet that needs no cryptography."""
        if refusal := self._refusal(connection.origin):
            logger.info("%s refused: %s", connection.peer, refusal)
            _refuse(transport, refusal)
            return
        self.players.add(connection)
        self.logins.add(connection)
        transport.pause_reading()
        if self._library is None:
            loop = asyncio.get_running_loop()
            self._library = loop.run_in_executor(None, self._load)
        self._library.add_done_callback(partial(self._begin, connection, transport, beginning))

    def leave(self, connection: Connection) -> None:
        """Give a place to somebody else."""
        self.players.discard(connection)
        self.logins.discard(connection)

    def _refusal(self, origin: str) -> str:
        config, logins = self._config, self.logins
        if 0 < config.max_players <= len(self.players):
            return FULL.format(places=config.max_players)
        neighbours = sum(each.origin == origin for each in logins)
        if len(logins) >= MOST_LOGINS or neighbours >= config.max_logins_per_address:
            return CROWDED
        return ""

    def _load(self) -> NewLine:
        """Import the library, in a thread: it would hold everybody up."""
        line = import_module("jminesweeper.ssh.line")
        return partial(line.SshLine, line.options(self._host_key.private), self._hub, self)

    def _begin(
        self,
        connection: Connection,
        transport: asyncio.Transport,
        beginning: bytes,
        library: asyncio.Future[NewLine],
    ) -> None:
        """Begin SSH with a stranger, now that the library is there."""
        if error := library.exception():
            logger.error("SSH cannot be served", exc_info=error)
            self._library = None
            _refuse(transport, BROKEN)
        if transport.is_closing():
            self.leave(connection)
        else:
            transport.resume_reading()
            library.result()(connection, transport).begin(beginning)


def _refuse(transport: asyncio.Transport, reason: str) -> None:
    transport.write(ssh_disconnect(reason))
    transport.close()
