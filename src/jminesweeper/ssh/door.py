"""The door for SSH: how many strangers may knock, how many may play, and the library behind it.

A connection comes here when its first bytes are SSH's. It keeps its place, its address and its
time limit in the hub; only what it writes and reads goes through an `SshLine` from now on. The
library costs 24 MB and a third of a second, so it is loaded for the first player who needs it, in a
thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from jminesweeper.server.config import SshConfig
from jminesweeper.server.door import ssh_disconnect
from jminesweeper.ssh.host_key import load_host_key

if TYPE_CHECKING:
    from jminesweeper.server.connection import Connection
    from jminesweeper.server.hub import Hub
    from jminesweeper.ssh.line import SshLine, SshLines

MOST_LOGINS: Final = 64
"""Logins under way: a key exchange takes milliseconds of the server's time, and memory."""
CROWDED: Final = "Too many players are logging in. Try again in a moment."
FULL: Final = "All {places} places for SSH are taken. To play now: pip install jminesweeper"
BROKEN: Final = "This server cannot speak SSH now. Its log says why."

logger = logging.getLogger("jminesweeper.server")


class SshDoor:
    """All connections that speak SSH."""

    def __init__(self, hub: Hub, config: SshConfig) -> None:
        self.config = config
        self.lines: set[SshLine] = set()
        """Those who log in and those who play."""
        self.logins: Counter[str] = Counter()
        """Logins under way, by address."""
        self._hub = hub
        self._host_key = load_host_key(config.key)
        self._library: asyncio.Future[SshLines] | None = None
        self._waiting = 0
        """Those who came while the library was being loaded."""

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
        self.logins[connection.origin] += 1
        self._waiting += 1
        transport.pause_reading()
        if self._library is None:
            loop = asyncio.get_running_loop()
            self._library = loop.run_in_executor(None, self._load)
        self._library.add_done_callback(partial(self._begin, connection, transport, beginning))

    def log_in(self, origin: str) -> None:
        """Count a login that is no longer under way."""
        self.logins[origin] -= 1
        if not self.logins[origin]:
            del self.logins[origin]

    def _refusal(self, origin: str) -> str:
        config = self.config
        if 0 < config.max_players <= len(self.lines) + self._waiting:
            return FULL.format(places=config.max_players)
        is_crowded = self.logins.total() >= MOST_LOGINS
        if is_crowded or self.logins[origin] >= config.max_logins_per_address:
            return CROWDED
        return ""

    def _load(self) -> SshLines:
        """Import the library, in a thread: it would hold everybody up."""
        lines: type[SshLines] = import_module("jminesweeper.ssh.line").SshLines
        return lines(self._hub, self._host_key.private)

    def _begin(
        self,
        connection: Connection,
        transport: asyncio.Transport,
        beginning: bytes,
        library: asyncio.Future[SshLines],
    ) -> None:
        """Begin SSH with a stranger, now that the library is there."""
        self._waiting -= 1
        if error := library.exception():
            logger.error("SSH cannot be served", exc_info=error)
            self._library = None
            _refuse(transport, BROKEN)
        if error or transport.is_closing():
            self.log_in(connection.origin)
        else:
            transport.resume_reading()
            library.result().open(self, connection, transport, beginning)


def _refuse(transport: asyncio.Transport, reason: str) -> None:
    transport.write(ssh_disconnect(reason))
    transport.close()
