"""From what HELLO says of the client's screen to what a painter needs to know."""

from __future__ import annotations

from dataclasses import replace

from jminesweeper.protocol import Glyphs, Hello, Resize
from jminesweeper.screen import ColourDepth, Terminal

LARGEST_SIDE = 255


def terminal_of(hello: Hello) -> Terminal:
    """Read a screen's size and abilities; what is not known counts as the least of its kind."""
    depth = ColourDepth(hello.colours) if hello.colours in _DEPTHS else ColourDepth.NONE
    return Terminal(_side(hello.columns), _side(hello.rows), depth, hello.glyphs == Glyphs.UNICODE)


def resized(terminal: Terminal, packet: Resize) -> Terminal:
    return replace(terminal, columns=_side(packet.columns), rows=_side(packet.rows))


def _side(length: int) -> int:
    """Bound a side: cursor positions on the wire are single bytes."""
    return min(max(length, 1), LARGEST_SIDE)


_DEPTHS = {depth.value for depth in ColourDepth}
