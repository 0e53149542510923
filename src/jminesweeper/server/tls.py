"""TLS in front of a conversation: records to bytes, both ways, on memory alone.

OpenSSL does the work and never sees the socket. So turns, limits and buffers stay with the guest: a
transport reports at once that a peer leaves records unread, as it does for any bytes. Send
`outgoing` after each call, and hang up when `is_over` says so.

A certificate is read into a new context each time. The context in use is replaced only by one that
works, and open connections keep the old one.
"""

from __future__ import annotations

import ssl
from contextlib import suppress
from pathlib import Path
from typing import Final

from jminesweeper.core.errors import JMinesweeperError

_PIECE: Final = 16 * 1024
"""As much as a record holds."""


class CertificateError(JMinesweeperError):
    """TLS cannot be served with these files."""


def load_certificate(certificate: Path, key: Path) -> ssl.SSLContext:
    """Prepare to serve TLS with a certificate chain and its key; both may be one file."""

    def refuse_password() -> str:
        raise CertificateError(f"The key {key} has a password; store it without one.")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    try:
        context.load_cert_chain(certificate, key, refuse_password)
    except ssl.SSLError as error:
        reason = (error.reason or "not a PEM file").replace("_", " ").lower()
        raise CertificateError(
            f"{certificate} and {key} are not a pair for TLS: {reason}."
        ) from error
    except OSError as error:
        raise CertificateError(
            f"{certificate} or {key} cannot be read: {error.strerror}."
        ) from error
    return context


class TlsStream:
    """The server's end of one TLS connection, from its first record."""

    __slots__ = ("_can_send", "_incoming", "_is_ready", "_outgoing", "_tls", "failure", "is_over")

    def __init__(self, context: ssl.SSLContext) -> None:
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._is_ready = self._can_send = False
        self.is_over = False
        """Whether the peer has ended the TLS session."""
        self.failure = ""
        """Why TLS has failed, if it has."""

    @property
    def outgoing(self) -> bytes:
        """The bytes to send now; reading them removes them."""
        return self._outgoing.read()

    def receive(self, data: bytes) -> bytes:
        """Decrypt bytes of the connection; return their content."""
        said: list[bytes] = []
        if not self.is_over:
            self._incoming.write(data)
            try:
                self._shake_hands()
                while part := self._tls.read(_PIECE):
                    said.append(part)
                self.is_over = True
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLError as error:
                self.is_over, self._can_send = True, False
                self.failure = (error.reason or "broken").replace("_", " ").lower()
        return b"".join(said)

    def send(self, data: bytes) -> None:
        """Encrypt bytes; before the handshake nobody could read them."""
        rest = memoryview(data)
        while rest and self._can_send:
            rest = rest[self._tls.write(rest) :]

    def close(self) -> None:
        """Announce that nothing more is sent."""
        if self._can_send:
            self._can_send = False
            with suppress(ssl.SSLError):  # It waits for the peer's goodbye, too; we do not.
                self._tls.unwrap()

    def _shake_hands(self) -> None:
        if not self._is_ready:
            self._tls.do_handshake()
            self._is_ready = self._can_send = True
