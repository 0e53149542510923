"""What a client tells a server about itself, decided before the first byte is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from jminesweeper.client.capabilities import NO_COLOURS
from jminesweeper.protocol.packets import Hello, NewGame, Packet, Start, Text
from jminesweeper.protocol.vocabulary import Feature, Glyphs, ScreenFormat


class TerminalSize(NamedTuple):
    """How much fits on the screen."""

    columns: int
    rows: int


class Wire(Enum):
    """The option `--wire`: which version of the protocol to speak."""

    AUTO = "auto"
    ONE = "1"
    TWO = "2"


@dataclass(frozen=True, slots=True)
class Bindings:
    """What the player's own key bindings do, in each version; None disables a key."""

    version_1: Mapping[str, Packet | None] = field(default_factory=dict)
    version_2: Mapping[str, Packet | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Profile:
    """Who plays what, and on what kind of screen.

    `new_game` asks for more than START can; without it a known player is asked whether to resume
    the game that waits. With `resumes` it is resumed at once, or the server says there is none.
    """

    start: Start
    new_game: NewGame | Text | None = None
    wire: Wire = Wire.AUTO
    needs_version_2: bool = False
    screen_format: ScreenFormat = ScreenFormat.ANSI
    colours: int = NO_COLOURS
    glyphs: Glyphs = Glyphs.ASCII
    has_mouse: bool = False
    name: str = ""
    resumes: bool = False
    bindings: Bindings = field(default_factory=Bindings)
    key: bytes = field(default=b"", repr=False)

    def hello(self, size: TerminalSize, *, returns: bool = False) -> Hello:
        """Introduce this client; after a reconnect it wants the interrupted game."""
        features = Feature(0)
        if self.screen_format is ScreenFormat.ANSI:
            # Programs read plain text, and count on one screen per command.
            features |= Feature.LIVE | Feature.TILES
        if self.has_mouse:
            features |= Feature.MOUSE
        if self.resumes or returns:
            features |= Feature.RESUME
        return Hello(
            columns=size.columns,
            rows=size.rows,
            colours=self.colours,
            glyphs=self.glyphs,
            format=self.screen_format,
            features=features,
            key=self.key,
            name=self.name,
        )
