"""Recognising a peer by its first bytes.

The game has a port to itself, but people type into it with telnet, browsers and scanners try it,
and a client may be set to TLS. No client's stream begins as theirs do: its first packet is START or
HELLO, or at least none whose number is a printable character, TAB or CR. A TLS handshake begins
with the number of POINTER, but its next byte cannot begin the length of a POINTER. So the first
bytes identify every caller: a browser gets the page, and everything else that is not a client gets
one readable line in place of a screen, or of silence.

To add a kind of caller, add a member to `Caller` with the beginning of its stream.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final


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
    b"\x16\x03": Caller.TLS,
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
