"""The beginning of a connection, before the game: a proxy's header, TLS, the first bytes of a peer.

**The proxy.** A connection that comes through a proxy shows the proxy's address. Limits per address
and the log need the player's, so the proxy sends a header before all else (PROXY protocol,
version 2):

    12 bytes  signature, which begins no other stream
     1 byte   version 2, and a command: PROXY (for somebody) or LOCAL (the proxy's own, a check)
     1 byte   family of the addresses, and transport
     2 bytes  length of what follows: addresses, and then extensions, which are skipped

A header may name any address. So it is read only from the networks that `--proxy-from` names, and
is required there: a proxy that left it out would let its clients forge it.

**TLS.** The certificate is read into a new context each time. The context in use is replaced only
by one that works, and open connections keep the old one.

**The caller.** The game has a port to itself, but people type into it with telnet, browsers and
scanners try it, and a client may be set to TLS. No client's stream begins as theirs do: its first
packet is START or HELLO, or at least none whose number is a printable character, TAB or CR. A TLS
handshake begins with the number of POINTER, but its next byte cannot begin the length of a POINTER.
So the first bytes identify every caller: a browser gets the page, and everything else that is not a
client gets one readable line in place of a screen, or of silence.

To add a kind of caller, add a member to `Caller` with the beginning of its stream.
"""

from __future__ import annotations

import socket
import ssl
import struct
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from ipaddress import IPv4Address, IPv6Address, ip_address
from itertools import cycle
from pathlib import Path
from typing import Final

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.server.config import Network
from jminesweeper.server.listening import SocketAddress, peek, plain_host

# The proxy

SIGNATURE: Final = b"\r\n\r\n\x00\r\nQUIT\n"
LONGEST_HEADER: Final = 2048
"""Real ones take less than 600 bytes, extensions included."""

_FIXED: Final = struct.Struct(">12sBBH")
_LOCAL, _PROXY = 0x20, 0x21
_TCP4, _TCP6 = 0x11, 0x21
_ADDRESSES4: Final = struct.Struct(">4s4sHH")
_ADDRESSES6: Final = struct.Struct(">16s16sHH")


class ProxyError(JMinesweeperError):
    """These bytes are not a proxy's header."""


@dataclass(frozen=True, slots=True)
class ProxyHeader:
    """The content of a header."""

    size: int
    is_local: bool
    """True if the proxy itself has connected."""
    source: SocketAddress | None
    """The player's address; None if the proxy names none."""


def is_from(networks: Collection[Network], address: SocketAddress) -> bool:
    host = ip_address(plain_host(address))
    return any(host in network for network in networks)


async def take_header(connection: socket.socket) -> ProxyHeader:
    """Read the header, and leave on the connection what follows it."""
    data = b""
    while (header := parse_header(data)) is None:
        more = await peek(connection, len(data) + 1)
        if len(more) <= len(data):
            raise ProxyError("half a proxy header")
        data = more
    connection.recv(header.size)
    return header


def parse_header(data: bytes) -> ProxyHeader | None:
    """Read the header that a stream begins with; None if too little of it has come."""
    if not SIGNATURE.startswith(data[: len(SIGNATURE)]):
        raise ProxyError("no proxy header")
    if len(data) < _FIXED.size:
        return None
    _, command, family, length = _FIXED.unpack_from(data)
    if command not in {_LOCAL, _PROXY}:
        raise ProxyError(f"a proxy header of unknown version or command {command:#04x}")
    size = _FIXED.size + length
    if size > LONGEST_HEADER:
        raise ProxyError(f"a proxy header of {size} bytes")
    if len(data) < size:
        return None
    if command == _LOCAL:
        return ProxyHeader(size, is_local=True, source=None)
    body, source = data[_FIXED.size : size], None
    try:
        if family == _TCP4:
            host, _, port, _ = _ADDRESSES4.unpack_from(body)
            source = str(IPv4Address(host)), port
        elif family == _TCP6:
            host, _, port, _ = _ADDRESSES6.unpack_from(body)
            address = IPv6Address(host)
            source = str(address.ipv4_mapped or address), port
    except struct.error as error:
        raise ProxyError("a proxy header without its addresses") from error
    return ProxyHeader(size, is_local=False, source=source)


# TLS

_HANDSHAKE: Final = b"\x16\x03"


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


def certificate_end(certificate: Path, key: Path) -> float:
    """Return the end of the certificate, in seconds since 1970; CertificateError if it is no use.

    A client finds it out by a handshake, and so does this, on memory alone. Anything that keeps TLS
    from being served, or any client from accepting it, is an error. The signer is not checked: a
    client may trust an authority that this machine does not.
    """
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = load_certificate(certificate, key).wrap_bio(outgoing, incoming, server_side=True)
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname = False
    trusting.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    trusting.load_verify_locations(certificate)
    client = trusting.wrap_bio(incoming, outgoing)
    try:
        for end in cycle((client, server)):
            with suppress(ssl.SSLWantReadError):
                end.do_handshake()
                if end is client:
                    break
    except ssl.SSLCertVerificationError as error:
        raise CertificateError(f"{certificate}: {error.verify_message}.") from error
    except ssl.SSLError as error:
        reason = (error.reason or "broken").replace("_", " ").lower()
        raise CertificateError(f"{certificate} cannot be used for TLS: {reason}.") from error
    shown = client.getpeercert() or {}
    return ssl.cert_time_to_seconds(str(shown["notAfter"]))


async def speaks_tls(connection: socket.socket) -> bool:
    """Return True if a connection begins with a TLS handshake; nothing is taken off it.

    A packet of the game may begin with the first byte of a handshake, but not with the second.
    """
    beginning = await peek(connection, 1)
    if beginning == _HANDSHAKE[:1]:
        beginning = await peek(connection, 2)
    return beginning.startswith(_HANDSHAKE)


# The caller


class Caller(Enum):
    """The peer at the other end of a connection."""

    CLIENT = auto()
    """Speaks the protocol of the game."""
    TEXT = auto()
    """A person who types, with telnet or netcat."""
    BROWSER = auto()
    """Speaks HTTP: the page is served (`browser`)."""
    TLS = auto()
    SSH = auto()
    """Plays in a terminal and brings no client; SSH clients speak first."""


INTRODUCTION: Final = (
    b"This is JMinesweeper: Minesweeper for the terminal, over the network. "
    b"To play, run ./run_client.sh HOST:PORT\r\n"
)
"""The line for every caller but a client."""

NO_SSH: Final = "Nobody plays here over SSH. Install the client, or open the page in a browser."
SSH_VERSION: Final = "JMinesweeper"
"""The server's name for SSH clients, who choose workarounds by it."""
_BY_APPLICATION: Final = 11
"""SSH_DISCONNECT_BY_APPLICATION."""
_SSH_BLOCK: Final = 8

_TEXT: Final = frozenset(range(0x20, 0x7F)) | frozenset(b"\t\r")
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT")
_SIGNATURES: Final[Mapping[bytes, Caller]] = {
    _HANDSHAKE: Caller.TLS,
    b"SSH-": Caller.SSH,
    **{f"{method} ".encode(): Caller.BROWSER for method in _METHODS},
}
_FIRST_BYTES: Final = frozenset(signature[0] for signature in _SIGNATURES)


def recognise(beginning: bytes) -> Caller | None:
    """Recognise the caller by the start of its stream; None if that is too short."""
    if not beginning:
        return None
    if beginning[0] in _FIRST_BYTES:
        for signature, caller in _SIGNATURES.items():
            if beginning.startswith(signature):
                return caller
            if signature.startswith(beginning):
                return None
    return Caller.TEXT if beginning[0] in _TEXT else Caller.CLIENT


def ssh_disconnect(reason: str) -> bytes:
    """Encode the greeting of SSH and a disconnect, which needs no key and which clients show."""
    text = reason.encode()
    payload = b"".join(
        (
            b"\x01",  # SSH_MSG_DISCONNECT
            _BY_APPLICATION.to_bytes(4, "big"),
            len(text).to_bytes(4, "big"),
            text,
            bytes(4),  # no language
        )
    )
    # RFC 4253, 6: at least four bytes of padding, up to a multiple of the block with the length.
    padding = 4 + -(4 + 1 + len(payload) + 4) % _SSH_BLOCK
    length = (1 + len(payload) + padding).to_bytes(4, "big")
    greeting = f"SSH-2.0-{SSH_VERSION}\r\n".encode()
    return greeting + length + bytes([padding]) + payload + bytes(padding)
