"""Who has connected, judged by the first bytes.

The game has a port to itself, but people type into it with telnet, browsers and scanners try it,
and a client may be set to TLS. No client's stream begins as theirs do: its first packet is START or
HELLO, or at least none whose number is a printable character, TAB or CR. A TLS handshake begins
with the number of POINTER, but goes on with a byte that no length of a POINTER begins with. So the
first bytes tell everybody apart: a browser gets the page, and whoever else is not a client gets one
readable line in place of a screen, or of silence.

Another kind of caller is a member of `Caller` and what its stream begins with.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final


class Caller(Enum):
    """Who is at the other end of a connection."""

    CLIENT = auto()
    """Speaks the protocol of the game."""
    TEXT = auto()
    """A person who types, with telnet or netcat."""
    BROWSER = auto()
    """Speaks HTTP: the page is served (`web_guest`)."""
    TLS = auto()


INTRODUCTION: Final = (
    b"This is JMinesweeper: Minesweeper for the terminal, over the network. "
    b"To play, run ./run_client.sh HOST\r\n"
)
"""What everybody but a client is told."""

_TEXT: Final = frozenset(range(0x20, 0x7F)) | frozenset(b"\t\r")
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT")
_SIGNATURES: Final[Mapping[bytes, Caller]] = {
    b"\x16\x03": Caller.TLS,
    **{f"{method} ".encode(): Caller.BROWSER for method in _METHODS},
}


def recognise(beginning: bytes) -> Caller | None:
    """Tell whose stream begins like this; None if too little of it has come."""
    for signature, caller in _SIGNATURES.items():
        if beginning.startswith(signature):
            return caller
        if signature.startswith(beginning):
            return None
    return Caller.TEXT if beginning[0] in _TEXT else Caller.CLIENT
