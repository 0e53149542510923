"""What a client says about itself and asks for, settled before the first byte is sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from jminesweeper.client.terminal import TerminalSize
from jminesweeper.protocol import (
    Colours,
    Feature,
    Glyphs,
    Hello,
    NewGame,
    ScreenFormat,
    Start,
)


class Wire(Enum):
    """The option `--wire`: which version of the protocol to speak."""

    AUTO = "auto"
    ONE = "1"
    TWO = "2"


@dataclass(frozen=True, slots=True)
class Profile:
    """`new_game` is what START cannot say; without it a known player's last game goes on.

    Who `resumes` wants that game and no other, and is told if there is none.
    """

    start: Start
    new_game: NewGame | None = None
    wire: Wire = Wire.AUTO
    needs_version_2: bool = False
    colours: Colours = Colours.NONE
    glyphs: Glyphs = Glyphs.ASCII
    has_mouse: bool = False
    name: str = ""
    resumes: bool = False
    key: bytes = field(default=b"", repr=False)

    def hello(
        self,
        size: TerminalSize,
        screen_format: ScreenFormat = ScreenFormat.ANSI,
        *,
        returns: bool = False,
    ) -> Hello:
        """Introduce this client, whose screen has this size, or which returns to its game."""
        features = Feature.MOUSE if self.has_mouse else Feature(0)
        if self.resumes or returns:
            features |= Feature.RESUME
        return Hello(
            columns=size.columns,
            rows=size.rows,
            colours=self.colours,
            glyphs=self.glyphs,
            format=screen_format,
            features=features,
            key=self.key,
            name=self.name,
        )
