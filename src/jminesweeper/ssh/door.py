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
from dataclasses import dataclass
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
FULL: Final = "All {places} places for SSH are taken. Install the client to play now."
BROKEN: Final = "This server cannot speak SSH now. Its log says why."

logger = logging.getLogger("jminesweeper.server")


@dataclass(slots=True)
class Newcomer:
    """A connection that came while the library was being loaded."""

    connection: Connection
    transport: asyncio.Transport
    beginning: bytes


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
        self._library: SshLines | None = None
        self._loading: asyncio.Future[SshLines] | None = None
        self._waiting: list[Newcomer] = []

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
        if self._library is not None:
            self._library.open(self, connection, transport, beginning)
            return
        transport.pause_reading()
        self._waiting.append(Newcomer(connection, transport, beginning))
        if self._loading is None:
            loop = asyncio.get_running_loop()
            self._loading = loop.run_in_executor(None, self._load)
            self._loading.add_done_callback(self._begin)

    def log_in(self, origin: str) -> None:
        """Count a login that is no longer under way."""
        self.logins[origin] -= 1
        if not self.logins[origin]:
            del self.logins[origin]

    def _refusal(self, origin: str) -> str:
        config = self.config
        players = len(self.lines) + len(self._waiting)
        if 0 < config.max_players <= players:
            return FULL.format(places=config.max_players)
        is_crowded = self.logins.total() >= MOST_LOGINS
        if is_crowded or self.logins[origin] >= config.max_logins_per_address:
            return CROWDED
        return ""

    def _load(self) -> SshLines:
        """Import the library, in a thread: it would hold everybody up."""
        lines: type[SshLines] = import_module("jminesweeper.ssh.line").SshLines
        return lines(self._hub, self._host_key.private)

    def _begin(self, loaded: asyncio.Future[SshLines]) -> None:
        """Let those in who came while the library was being loaded."""
        waiting, self._waiting = self._waiting, []
        error = loaded.exception()
        if error is None:
            self._library = loaded.result()
        else:
            self._loading = None
            logger.error("SSH cannot be served", exc_info=error)
        for one in waiting:
            if one.transport.is_closing():
                self.log_in(one.connection.origin)
            elif self._library is None:
                self.log_in(one.connection.origin)
                _refuse(one.transport, BROKEN)
            else:
                one.transport.resume_reading()
                self._library.open(self, one.connection, one.transport, one.beginning)


def _refuse(transport: asyncio.Transport, reason: str) -> None:
    transport.write(ssh_disconnect(reason))
    transport.close()
