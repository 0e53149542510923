"""What a client tells a server about itself, settled before the first byte is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from jminesweeper.client.capabilities import NO_COLOURS
from jminesweeper.protocol import (
    Feature,
    Glyphs,
    Hello,
    NewGame,
    Packet,
    ScreenFormat,
    Start,
)


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
    """What the player's own keys do, in each version; None is nothing."""

    version_1: Mapping[str, Packet | None] = field(default_factory=dict)
    version_2: Mapping[str, Packet | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Profile:
    """Who plays what, and on what kind of screen.

    `new_game` asks for more than START can; without it a known player's last game continues. With
    `resumes` the player wants the game that waits, and is told if there is none.
    """

    start: Start
    new_game: NewGame | None = None
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
        """Introduce this client; one that returns wants the game that was cut off."""
        features = Feature(0)
        if self.screen_format is ScreenFormat.ANSI:
            # Plain text is read by programs, which count on one screen for each command.
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
