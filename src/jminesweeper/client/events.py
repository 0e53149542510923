"""Events and effects of a client.

A conversation turns bytes into its own events. A program, be it a game or a replay, turns events of
the player's and the server's side into effects, which `driver` has carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias

from jminesweeper.protocol.packets import Packet
from jminesweeper.terminal.layout import TerminalSize
from jminesweeper.terminal.looks import Looks


class ConnectionRequest(Enum):
    """Requests about the connection."""

    DIAL = auto()
    """Connect to the server, then report `Connected` or `Lost`."""
    HANG_UP = auto()
    """Drop the connection; report nothing more about it."""


@dataclass(slots=True)
class FirstScreen:
    """The version of this connection is settled.

    In version 1 the screen is the game's; in version 2 the game's is still to come.
    """

    version: int
    text: bytes


@dataclass(slots=True)
class FrameReceived:
    """A packet to show; one of a later version shows nothing."""

    packet: Packet


@dataclass(slots=True)
class Viewed:
    """A view: what changed, and which packet it answers, if it is a reply."""

    members: Mapping[str, Any]
    cells: bytes = b""
    answers: Packet | None = None


@dataclass(slots=True)
class Interrupted:
    """The connection is lost; the conversation reconnects on its own."""

    reason: str


@dataclass(slots=True)
class Dismissed:
    """The server has ended the session; what was shown last says why."""

    was_asked_for: bool


@dataclass(slots=True)
class Over:
    """The conversation is over; the reason is a sentence, or empty after QUIT."""

    reason: str = ""


@dataclass(slots=True)
class KeepRecording:
    """Write this untrusted recording into a new file, and report the outcome."""

    text: bytes


ClientEvent: TypeAlias = (
    ConnectionRequest
    | FirstScreen
    | FrameReceived
    | Viewed
    | KeepRecording
    | Interrupted
    | Dismissed
    | Over
)


@dataclass(slots=True)
class Connected:
    """A connection is open; `notice` is what the player should know about it."""

    notice: str = ""


@dataclass(slots=True)
class Received:
    """Bytes came from the server."""

    data: bytes


@dataclass(slots=True)
class Lost:
    """The connection failed or ended; the reason is a sentence."""

    reason: str


@dataclass(slots=True)
class Typed:
    """Bytes came from the terminal."""

    data: bytes


@dataclass(slots=True)
class Resized:
    """The screen has this size now, and may show anything."""

    size: TerminalSize


@dataclass(slots=True)
class Stopped:
    """The program must end."""

    exit_code: int


@dataclass(slots=True)
class StopAsked:
    """The player wants the shell back for a while: Ctrl-Z."""


@dataclass(slots=True)
class Kept:
    """A recording was written into a file, or not: a sentence says which."""

    notice: str


@dataclass(slots=True)
class Expired:
    """The deadline has passed."""


@dataclass(slots=True)
class LineRead:
    """A line that was asked for; None at the end of the input."""

    line: str | None


@dataclass(slots=True)
class Submitted:
    """A program that plays has packets to send."""

    packets: Sequence[Packet]


Event: TypeAlias = (
    Connected
    | Received
    | Lost
    | Typed
    | LineRead
    | Submitted
    | Resized
    | Stopped
    | StopAsked
    | Kept
    | Expired
)
Deliver: TypeAlias = Callable[[Event], None]


@dataclass(slots=True)
class Send:
    """Send these bytes at once."""

    data: bytes


@dataclass(slots=True)
class EnableMouse:
    """Switch on the terminal's reports of clicks."""


@dataclass(slots=True)
class AskBackground:
    """Ask the terminal for the colour of its background; it answers as if that were typed."""


@dataclass(slots=True)
class Tell:
    """Print this where it can be read after the game."""

    text: str


@dataclass(slots=True)
class Leave:
    """End the program.

    The message is empty if there is nothing to explain; the screen is what should stay readable.
    """

    exit_code: int
    message: str = ""
    screen: str = ""


@dataclass(slots=True)
class Suspend:
    """Give the shell its terminal back, and stop until it continues this program."""


@dataclass(slots=True)
class KeepLooks:
    """Keep how the player wants things to look, for the next time."""

    looks: Looks


@dataclass(slots=True)
class Print:
    """Print an answer of the line mode."""

    text: str


@dataclass(slots=True)
class ReadLine:
    """Read one more line, and report `LineRead`."""


OutletEffect: TypeAlias = (
    AskBackground | EnableMouse | Tell | KeepRecording | KeepLooks | Suspend | Print | ReadLine
)
"""Effects on the player's side."""
Effect: TypeAlias = ConnectionRequest | Send | Leave | OutletEffect
