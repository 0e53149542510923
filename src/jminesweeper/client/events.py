"""What happens to a client, and what it does about it: the words between `Play` and the shell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from jminesweeper.client.terminal import TerminalSize
from jminesweeper.protocol import Packet


@dataclass(frozen=True, slots=True)
class Connected:
    """There is a connection; `notice` is what the player should know about it."""

    notice: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """There is no connection, or no longer; the reason is a sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Garbled:
    """What came is not the protocol."""

    reason: str


@dataclass(frozen=True, slots=True)
class Received:
    """Packets came."""

    packets: tuple[Packet, ...]


@dataclass(frozen=True, slots=True)
class Typed:
    """Bytes came from the terminal."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Resized:
    """The screen has this size now, and may show anything."""

    size: TerminalSize


@dataclass(frozen=True, slots=True)
class Stopped:
    """The program was told to end."""

    exit_code: int


@dataclass(frozen=True, slots=True)
class Expired:
    """The deadline has passed."""


Event: TypeAlias = Connected | Lost | Garbled | Received | Typed | Resized | Stopped | Expired
Deliver: TypeAlias = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Dial:
    """Connect to the server."""


@dataclass(frozen=True, slots=True)
class HangUp:
    """Drop the connection; nothing more is to be heard of it."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send these bytes at once."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Paint:
    """Write this text to the screen at once."""

    text: str


@dataclass(frozen=True, slots=True)
class EnableMouse:
    """Have the terminal report clicks."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Say this where it can be read after the game."""

    text: str


@dataclass(frozen=True, slots=True)
class Leave:
    """End the program; the message is empty if there is nothing to explain."""

    exit_code: int
    message: str = ""


Effect: TypeAlias = Dial | HangUp | Send | Paint | EnableMouse | Tell | Leave
