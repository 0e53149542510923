"""One connection that speaks SSH: the library on one side, turns and bounds on the other.

The library reads as fast as bytes come, and buffers all that a peer does not read. So it is fed by
hand: what comes in waits for a turn like any packet of the game, be it a key exchange, a key or a
flood; and while the peer leaves something unread, nothing is read from it. A login that takes too
long, or a server that stops, ends like any connection's first minute: the `Connection` says so.

**Who it is.** Any public key may be offered, and the library asks about an offer before anything
is signed. So a key counts once its signature is verified: `Speaker.proved`. Who has none, or
proves none, plays as a guest.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import asyncssh

from jminesweeper.records.looks import account_of_key
from jminesweeper.server.connection import Connection
from jminesweeper.server.door import SSH_VERSION
from jminesweeper.server.hub import Hub
from jminesweeper.ssh.terminal import Channel, Terminal

if TYPE_CHECKING:
    from jminesweeper.ssh.door import SshDoor

LOGIN_BYTES: Final = 64 * 1024
"""Bytes a stranger may send before the game: offers of keys, the environment, forged floods."""
_WINDOW: Final = 4096
"""Bytes of keys that a client may send ahead; more than a hand types or a mouse reports."""
_KEEPALIVE_S: Final = 30
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

logger = logging.getLogger("jminesweeper.server")


class SshLines:
    """Opens lines; made once, when the library is loaded."""

    def __init__(self, hub: Hub, host_key: bytes) -> None:
        self._hub = hub
        # The library logs what strangers say, packet by packet.
        asyncssh.set_log_level(logging.CRITICAL)
        self._options = asyncssh.SSHServerConnectionOptions(
            server_factory=Host,
            server_host_keys=[asyncssh.import_private_key(host_key)],
            server_version=SSH_VERSION,
            # The connection's own limits end a login, also where nothing is sent.
            login_timeout=0,
            keepalive_interval=_KEEPALIVE_S,
            keepalive_count_max=3,
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
            x11_forwarding=False,
            allow_scp=False,
            sftp_factory=None,
            rdns_lookup=False,
            x509_trusted_certs=None,
        )

    def open(
        self,
        door: SshDoor,
        connection: Connection,
        transport: asyncio.Transport,
        beginning: bytes,
    ) -> None:
        line = SshLine(self._hub, door, connection, transport, self._options)
        transport.set_protocol(line)
        line.begin(beginning)


class Host(asyncssh.SSHServer):
    """Answers what SSH asks before there is a game: any key is fine, and so is none."""

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._line = cast("Speaker", conn).line

    def begin_auth(self, username: str) -> bool:
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Accept any key; `Speaker` notes the one that has signed."""
        return True

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, Sequence[tuple[str, bool]]]:
        """Ask nothing: this is how guests come in."""
        return "", "", "", []

    def validate_kbdint_response(self, username: str, responses: object) -> bool:
        return True

    def session_requested(self) -> tuple[Channel, Terminal] | bool:
        return self._line.open_terminal()


class Speaker(asyncssh.SSHServerConnection):
    """The library's end of a connection."""

    def __init__(self, line: SshLine, options: asyncssh.SSHServerConnectionOptions) -> None:
        super().__init__(asyncio.get_running_loop(), options)
        self.line = line
        self.proved = b""
        """The public key that has signed."""

    async def validate_public_key(
        self, username: str, key_data: bytes, msg: bytes, signature: bytes
    ) -> bool:
        is_valid = await super().validate_public_key(username, key_data, msg, signature)
        if is_valid and msg:
            self.proved = key_data
        return is_valid

    def send_packet(self, pkttype: int, *args: bytes, **kwargs: Any) -> None:
        """Leave out the empty packet before each other one: a defence of CBC, which is off."""
        if pkttype != _MSG_IGNORE:
            super().send_packet(pkttype, *args, **kwargs)

    def open_channel(self) -> Channel:
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
        """True during a key exchange: what is sent now is kept, without a bound."""
        return bool(self._deferred_packets)


class Pipe(asyncio.Transport):
    """The end that a `Connection` holds of a line: it leads to the terminal in this process."""

    def __init__(self, line: SshLine) -> None:
        super().__init__()
        self._line = line
        self._is_closing = False

    def write(self, data: Any) -> None:
        self._line.show(bytes(data))

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.close()

    def close(self) -> None:
        self._is_closing = True
        self._line.end_soon()

    def abort(self) -> None:
        self._is_closing = True
        self._line.abort()

    def is_closing(self) -> bool:
        return self._is_closing

    def pause_reading(self) -> None:
        self._line.hold_keys(True)

    def resume_reading(self) -> None:
        self._line.hold_keys(False)


class SshLine(asyncio.BufferedProtocol):
    """The protocol that asyncio drives; it queues for turns as a connection does."""

    def __init__(
        self,
        hub: Hub,
        door: SshDoor,
        connection: Connection,
        transport: asyncio.Transport,
        options: asyncssh.SSHServerConnectionOptions,
    ) -> None:
        self.hub = hub
        self.connection = connection
        self.debt_ns = connection.debt_ns
        self.served_ns = connection.served_ns
        self._door = door
        self._transport = transport
        self._speaker = Speaker(self, options)
        self._terminal: Terminal | None = None
        self._is_login = True
        """The game has not begun."""
        self._held = b""
        """Bytes that wait for a turn."""
        self._taken = 0
        self._is_unread = self._holds_keys = False
        self._deadline: asyncio.TimerHandle | None = None
        """Drops a peer that leaves something unread, or does not hang up."""

    def begin(self, beginning: bytes) -> None:
        """Begin SSH with a stranger, from the first bytes on."""
        self._door.lines.add(self)
        self.connection.continue_over(Pipe(self))
        self._speaker.connection_made(self._transport)
        self._hear(beginning)

    # What the transport reports

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
            self._see_reading()

    def take_turn(self) -> bool:
        data, self._held = self._held, b""
        self._hear(data)
        self._see_reading()
        return False

    def charge(self, begun_ns: int) -> None:
        """Count time that this line took."""
        self.hub.turns.charge(self, self.hub.clock_ns() - begun_ns)

    def _hear(self, data: bytes) -> None:
        self._taken += len(data)
        if self._is_login and self._taken > LOGIN_BYTES:
            logger.warning("%s sends too much before a game", self.connection.peer)
            self.abort()
            return
        try:
            self._speaker.data_received(data)
        # A bug behind one line may raise anything, and must not reach the other players.
        except Exception:
            logger.exception("the SSH of %s failed", self.connection.peer)
            self.abort()
        if self._terminal is not None:
            self._terminal.catch_up()

    def pause_writing(self) -> None:
        self._is_unread = True
        self._see_reading()
        self._drop_after(self.hub.config.write_timeout_s)

    def resume_writing(self) -> None:
        self._is_unread = False
        self._drop_after(None)
        self._see_reading()
        if self._terminal is not None:
            self._terminal.catch_up()

    def eof_received(self) -> None:
        self._speaker.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._drop_after(None)
        self._door.lines.discard(self)
        self._end_login()
        self._speaker.connection_lost(exc)
        if self._terminal is not None:
            self._terminal.end()
        self.connection.connection_lost(exc)

    # What the terminal wants

    def open_terminal(self) -> tuple[Channel, Terminal] | bool:
        """Open the one terminal of this connection."""
        if self._terminal is not None:
            return False
        self._terminal = Terminal(self)
        return self._speaker.open_channel(), self._terminal

    def begin_game(self) -> None:
        """End the bounds of strangers; the session knows who plays from now on."""
        self._end_login()
        self.connection.conversation.believe(self.account, self.login)

    def hang_up_soon(self) -> None:
        """Let what was said last arrive."""
        self._drop_after(self.hub.config.linger_s)

    @property
    def is_blocked(self) -> bool:
        """True while anything written would wait for the peer."""
        return self._is_unread or self._speaker.holds_back

    @property
    def login(self) -> str:
        """The name that the player gave to `ssh`; nobody has checked it."""
        return str(self._speaker.get_extra_info("username") or "")

    @property
    def account(self) -> str:
        """The account of the key that has signed; empty for a guest."""
        return account_of_key(self._speaker.proved) if self._speaker.proved else ""

    # What the session does through the pipe

    def show(self, data: bytes) -> None:
        if self._terminal is not None:
            self._terminal.take_in(data)

    def end_soon(self) -> None:
        """Follow a session that hangs up, once everything it said is shown."""
        if self._terminal is not None and self._terminal.has_begun:
            self._terminal.end_soon()
        else:
            self._speaker.disconnect(asyncssh.DISC_BY_APPLICATION, "The server ends this login.")
            self.hang_up_soon()

    def abort(self) -> None:
        self._transport.abort()

    def hold_keys(self, is_held: bool, /) -> None:
        """Read no keys while the session takes no packets."""
        self._holds_keys = is_held
        self._see_reading()
        if not is_held and self._terminal is not None:
            self._terminal.send_held()

    # Bounds

    def _see_reading(self) -> None:
        if self._transport.is_closing():
            return
        if self._held or self._is_unread or self._holds_keys:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _end_login(self) -> None:
        if self._is_login:
            self._is_login = False
            self._door.log_in(self.connection.origin)

    def _drop_after(self, timeout_s: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        loop = asyncio.get_running_loop()
        self._deadline = None if timeout_s is None else loop.call_later(timeout_s, self.abort)
