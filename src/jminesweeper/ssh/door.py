"""The door for SSH: how many strangers may knock, how many may play, and the library behind it.

A connection comes here when its first bytes are SSH's. It keeps its place, its address and its
time limit in the hub; only what it writes and reads goes through an `SshLine` from now on. The
library costs 24 MB and a third of a second, so it is loaded for the first player who needs it, in a
thread.

Players recognise the server by its host key, an Ed25519 key in a file of OpenSSH's format. It is
made on the first start and never replaced, not even when it is damaged: clients refuse a server
whose key has changed, and only the operator knows whether a copy exists. Servers that stand in for
one another share one file. The fingerprint is read without a library, since the log names it at
every start and most servers start without an SSH player.
"""

from __future__ import annotations

import asyncio
import logging
from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from jminesweeper.client.identity import write_secret
from jminesweeper.server.config import HostKeyError, SshConfig
from jminesweeper.server.door import ssh_disconnect

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


# The host key

_OWNER_ONLY: Final = 0o600
_BEGIN: Final = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_END: Final = b"-----END OPENSSH PRIVATE KEY-----"
_ONE_PLAIN_KEY: Final = (
    b"openssh-key-v1\0" + b"\0\0\0\4none" * 2 + b"\0\0\0\0" + (1).to_bytes(4, "big")
)
"""No cipher, no key derivation, no options of it, one key; then comes the public key."""


class HostKey(NamedTuple):
    """The private key as its file has it, and the public key's fingerprint as OpenSSH shows it."""

    private: bytes
    fingerprint: str


def load_host_key(path: Path) -> HostKey:
    """Read the host key, or make one the first time."""
    try:
        if not path.exists():
            _create(path)
        if path.stat().st_mode & ~_OWNER_ONLY & 0o777:
            path.chmod(_OWNER_ONLY)
        private = path.read_bytes()
    except OSError as error:
        raise HostKeyError(
            f"The SSH host key {path} cannot be used: {error.strerror}. --no-ssh starts without it."
        ) from error
    try:
        return HostKey(private, _fingerprint(private))
    except ValueError as error:
        raise HostKeyError(
            f"The SSH host key {path} has a passphrase, which `ssh-keygen -p` removes, or is "
            "damaged. Restore it from a copy, or remove it: then every player is warned that the "
            "server has changed."
        ) from error


def _create(path: Path) -> None:
    ed25519 = import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
    formats = import_module("cryptography.hazmat.primitives.serialization")
    private: bytes = ed25519.Ed25519PrivateKey.generate().private_bytes(
        formats.Encoding.PEM, formats.PrivateFormat.OpenSSH, formats.NoEncryption()
    )
    write_secret(path, private)


def _fingerprint(private: bytes) -> str:
    """Return `SHA256:...` of the public key; ValueError if this is no unencrypted private key."""
    body, ended, _ = private.partition(_BEGIN)[2].partition(_END)
    data = b64decode(b"".join(body.split()), validate=True)
    begin = len(_ONE_PLAIN_KEY) + 4
    end = begin + int.from_bytes(data[begin - 4 : begin], "big")
    if not (ended and data.startswith(_ONE_PLAIN_KEY) and end < len(data)):
        raise ValueError("not an unencrypted private key in OpenSSH's format")
    return f"SHA256:{b64encode(sha256(data[begin:end]).digest()).decode().rstrip('=')}"
