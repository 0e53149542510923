"""What a client tells a server about itself, decided before the first byte is sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from jminesweeper.protocol.packets import Hello, Packet, Start
from jminesweeper.protocol.vocabulary import Feature


class Wire(Enum):
    """The option `--wire`: which version of the protocol to speak."""

    AUTO = "auto"
    ONE = "1"
    TWO = "2"


@dataclass(frozen=True, slots=True)
class Profile:
    """Who plays what.

    `wish` asks for more than START can: for a game, for a room, to watch. Without it a known player
    is asked whether to resume the game that waits. With `resumes` it is resumed at once, or the
    server says there is none.
    """

    start: Start
    wish: Packet | None = None
    wire: Wire = Wire.AUTO
    needs_version_2: bool = False
    is_live: bool = False
    """Whether views may come unasked; programs count on one for each command."""
    name: str = ""
    resumes: bool = False
    is_bot: bool = False
    """A program plays, and says so."""
    key: bytes = field(default=b"", repr=False)

    def hello(self, *, returns: bool = False) -> Hello:
        """Introduce this client; after a reconnect it wants the interrupted game."""
        features = Feature.LIVE if self.is_live else Feature(0)
        if self.resumes or returns:
            features |= Feature.RESUME
        if self.is_bot:
            features |= Feature.BOT
        return Hello(features, self.key, self.name)
