"""The contrast of a colour on another, as the guidelines for the web work it out."""

from __future__ import annotations

from jminesweeper.terminal.inks import Colour

LEAST_CONTRAST = 4.5
BLACK, WHITE = 16, 231
CUBE = (0, 95, 135, 175, 215, 255)


def rgb_of(colour: Colour) -> int:
    """Return a colour as terminals show it."""
    if colour > 255:
        return colour
    assert colour >= 16, "these are not the same everywhere"
    if colour >= 232:
        return (8 + 10 * (colour - 232)) * 0x010101
    red, rest = divmod(colour - 16, 36)
    return CUBE[red] << 16 | CUBE[rest // 6] << 8 | CUBE[rest % 6]


def luminance(colour: Colour) -> float:
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in rgb_of(colour).to_bytes(3, "big")
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
