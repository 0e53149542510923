"""One connection that speaks SSH: the library on one side, turns and bounds on the other.

The library reads as fast as bytes come, and buffers all that a peer does not read. So it is fed by
hand: what comes in waits for a turn like any packet of the game, be it a key exchange, a key or a
flood; and while the peer leaves something unread, nothing is read from it. A login that takes too
long, a peer that does not read, or a server that stops, ends like any connection: the `Connection`
says so.

**Who it is.** Any public key may be offered, and the library asks about an offer before anything
is signed. So a key counts once its signature is verified: `Speaker.account`. Who has none, or
proves none, plays as a guest.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, cast

import asyncssh

from jminesweeper.client.events import Lost, Received
from jminesweeper.records.players import read_looks
from jminesweeper.server.connection import Connection
from jminesweeper.server.door import SSH_VERSION
from jminesweeper.server.hub import Hub
from jminesweeper.ssh.terminal import Terminal

if TYPE_CHECKING:
    from jminesweeper.ssh.door import SshDoor

LOGIN_BYTES: Final = 64 * 1024
"""Bytes a stranger may send before the game: offers of keys, the environment, forged floods."""
_WINDOW: Final = 4096
"""Bytes of keys that a client may send ahead; more than a hand types or a mouse reports."""
_MOST_VARIABLES: Final = 64
_KEY_EXCHANGES: Final = (
    "curve25519-sha256,curve25519-sha256@libssh.org,mlkem768x25519-sha256,ecdh-sha2-nistp256"
)
"""The client chooses; but Dropbear guesses, and its guess has to stand in front."""
_CIPHERS: Final = (
    "aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes256-ctr"
)
_MACS: Final = (
    "hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,hmac-sha2-256,hmac-sha2-512"
)
_SIGNATURES: Final = (
    "ssh-ed25519,sk-ssh-ed25519@openssh.com,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,"
    "ecdsa-sha2-nistp521,sk-ecdsa-sha2-nistp256@openssh.com,rsa-sha2-512,rsa-sha2-256"
)
_MSG_IGNORE: Final = 2
ENDED: Final = "The server ended this connection. Connect again to play on."

logger = logging.getLogger("jminesweeper.server")


def options(host_key: bytes) -> asyncssh.SSHServerConnectionOptions:
    """Return the library's options: as little of SSH as a game needs."""
    # The library logs what strangers say, packet by packet.
    asyncssh.set_log_level(logging.CRITICAL)
    return asyncssh.SSHServerConnectionOptions(
        server_factory=Host,
        server_host_keys=[asyncssh.import_private_key(host_key)],
        server_version=SSH_VERSION,
        # The connection's own limits end a login, also where nothing is sent.
        login_timeout=0,
        keepalive_interval=30,
        # Terminals send and show bytes, and nobody edits lines.
        encoding=None,
        line_editor=False,
        window=_WINDOW,
        max_pktsize=_WINDOW,
        compression_algs=["none"],
        kex_algs=_KEY_EXCHANGES,
        encryption_algs=_CIPHERS,
        mac_algs=_MACS,
        signature_algs=_SIGNATURES,
        password_auth=False,
        host_based_auth=False,
        gss_host=None,
        agent_forwarding=False,
        x509_trusted_certs=None,
    )


def account_of_key(public: bytes) -> str:
    """Name the account of a public key: none that a HELLO key could name."""
    return blake2b(public, digest_size=16, person=b"jminesweeper-ssh").hexdigest()


class Host(asyncssh.SSHServer):
    """Answers what SSH asks before there is a game: any key is fine, and so is none."""

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._line = cast("Speaker", conn).line

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Accept any key; `Speaker` notes the one that has signed."""
        return True

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:
        """Ask nothing: this is how guests come in."""
        return True

    def session_requested(self) -> tuple[Channel, Awaitable[Terminal]] | bool:
        return self._line.open_terminal()


class Channel(asyncssh.SSHServerChannel[bytes]):
    """A channel that holds a bounded number of variables: a client may send them for ever."""

    def _process_env_request(self, packet: asyncssh.packet.SSHPacket) -> bool:
        return len(self._env) < _MOST_VARIABLES and super()._process_env_request(packet)


class Speaker(asyncssh.SSHServerConnection):
    """The library's end of a connection."""

    def __init__(self, line: SshLine, options: asyncssh.SSHServerConnectionOptions) -> None:
        super().__init__(asyncio.get_running_loop(), options)
        self.line = line
        self.account = ""
        """Of the public key that has signed; empty for a guest."""

    async def validate_public_key(
        self, username: str, key_data: bytes, msg: bytes, signature: bytes
    ) -> bool:
        is_valid = await super().validate_public_key(username, key_data, msg, signature)
        if is_valid and msg:
            self.account = account_of_key(key_data)
        return is_valid

    def send_packet(self, pkttype: int, *args: bytes, **kwargs: Any) -> None:
        """Leave out the empty packet before each other one: a defence of CBC, which is off."""
        if pkttype != _MSG_IGNORE:
            super().send_packet(pkttype, *args, **kwargs)

    def internal_error(self, exc_info: Any = None, error_logger: Any = None) -> None:
        """Log a bug behind this line, which the library would keep for itself; it ends the line."""
        bug = exc_info or sys.exc_info()
        # Bytes that mean nothing make the library raise some ValueError, which is no bug.
        if not isinstance(bug[1], ValueError):
            logger.error("the SSH of %s failed", self.line.connection.peer, exc_info=bug)
        super().internal_error(exc_info, error_logger)

    def make_channel(self) -> Channel:
        """Make the channel of the one session, with the library's usual arguments."""
        self._update_recv_pktlen(_WINDOW)
        return Channel(
            self,
            self._loop,
            allow_pty=True,
            line_editor=False,
            line_echo=False,
            line_history=0,
            max_line_length=0,
            encoding=None,
            errors="strict",
            window=_WINDOW,
            max_pktsize=_WINDOW,
        )

    @property
    def holds_back(self) -> bool:
        """True during a key exchange, when asyncssh queues output without a bound."""
        return bool(self._deferred_packets)


class SshLine(asyncio.BufferedProtocol, asyncio.Transport):
    """The protocol that asyncio drives; to its `Connection` the transport, with a player behind it.

    It queues for turns as a connection does.
    """

    def __init__(
        self,
        options: asyncssh.SSHServerConnectionOptions,
        hub: Hub,
        door: SshDoor,
        connection: Connection,
        transport: asyncio.Transport,
    ) -> None:
        super().__init__()
        self.hub = hub
        self.connection = connection
        self.debt_ns = connection.debt_ns
        self.served_ns = connection.served_ns
        self.is_stalled = False
        """The peer has to read first: nothing is painted, and the session sends nothing."""
        self._door = door
        self._transport = transport
        self._speaker = Speaker(self, options)
        self._terminal: Terminal | None = None
        self._channel: Channel | None = None
        self._is_unread = False
        self._held = b""
        """Bytes that wait for a turn."""
        self._taken = 0

    def begin(self, beginning: bytes) -> None:
        """Begin SSH with a stranger, from the first bytes on."""
        self._transport.set_protocol(self)
        self.connection.continue_over(self)
        self._speaker.connection_made(self._transport)
        self._hear(beginning)

    # What the socket reports

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.hub.read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        data, now_ns = bytes(self.hub.read_buffer[:nbytes]), self.hub.clock_ns()
        if not self._held and self.hub.turns.may_go(self, now_ns):
            self._hear(data)
            self.charge(now_ns)
        else:
            if not self._held:
                self.hub.turns.queue(self)
            self._held += data
            self._update_reading()

    def take_turn(self) -> bool:
        data, self._held = self._held, b""
        self._hear(data)
        self._update_reading()
        return False

    def charge(self, begun_ns: int) -> None:
        """Count time that this line took."""
        self.hub.turns.charge(self, self.hub.clock_ns() - begun_ns)

    def _hear(self, data: bytes) -> None:
        self._taken += len(data)
        if self._taken > LOGIN_BYTES and self.connection in self._door.logins:
            logger.warning("%s sends too much before a game", self.connection.peer)
            self.abort()
        else:
            self._speaker.data_received(data)
            self.see_unread()

    def pause_writing(self) -> None:
        self._is_unread = True
        self._update_reading()
        self.see_unread()

    def resume_writing(self) -> None:
        self._is_unread = False
        self._update_reading()
        self.see_unread()

    def eof_received(self) -> None:
        self._speaker.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._door.leave(self.connection)
        self._speaker.connection_lost(exc)
        self.connection.connection_lost(exc)

    # What the terminal wants

    def open_terminal(self) -> tuple[Channel, Awaitable[Terminal]] | bool:
        """Open the one terminal of this connection."""
        if self._channel is not None:
            return False
        self._channel = self._speaker.make_channel()
        return self._channel, self._make_terminal()

    async def _make_terminal(self) -> Terminal:
        """Make a terminal, once the store has said how this player wants things to look."""
        account, looks = self._speaker.account, ""
        if account:
            kept = asyncio.get_running_loop().create_future()
            self.hub.keeper.run(read_looks(account), kept.set_result)
            # A store that fails knows no looks.
            looks = found if isinstance(found := await kept, str) else ""
        return Terminal(self, account, looks)

    def begin_game(self, terminal: Terminal, account: str) -> None:
        """Lift the limits for strangers: the session knows its player now."""
        self._terminal = terminal
        self._door.logins.discard(self.connection)
        # Nobody has checked the name that the player gave to `ssh`.
        login = str(self._speaker.get_extra_info("username") or "")
        self.connection.conversation.session.believe(account, login)

    def see_unread(self) -> None:
        """Look whether the peer has to read first, and tell the session and the screen."""
        terminal = self._terminal
        is_stalled = self._is_unread or (
            terminal is not None and (terminal.is_unread or self._speaker.holds_back)
        )
        if is_stalled is not self.is_stalled:
            self.is_stalled = is_stalled
            if is_stalled:
                self.connection.pause_writing()
            else:
                self.connection.resume_writing()
                if terminal is not None:
                    terminal.wake()

    def hang_up_soon(self) -> None:
        """Let the last output arrive."""
        linger_s = self.hub.config.linger_s
        asyncio.get_running_loop().call_later(linger_s, self._transport.abort)

    def _update_reading(self) -> None:
        if self._transport.is_closing():
            return
        if self._held or self._is_unread:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    # What the session does, through its connection

    def write(self, data: Any) -> None:
        if self._terminal is not None:
            self._terminal.deliver(Received(bytes(data)))

    def can_write_eof(self) -> bool:
        return False

    def close(self) -> None:
        """Let the player see everything, and end."""
        if self._terminal is not None:
            self._terminal.deliver(Lost(ENDED))
        else:
            self._speaker.disconnect(asyncssh.DISC_BY_APPLICATION, "The server ends this login.")
            self.hang_up_soon()

    def abort(self) -> None:
        self._transport.abort()

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def pause_reading(self) -> None:
        """Take no more keys; what SSH says of itself is still heard."""
        if self._channel is not None:
            self._channel.pause_reading()

    def resume_reading(self) -> None:
        if self._channel is not None:
            self._channel.resume_reading()
