"""What a terminal can show, from its user's options and its environment."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from jminesweeper.protocol.vocabulary import Glyphs

# How many colours a terminal shows, by the numbers of HELLO.
NO_COLOURS, SIXTEEN_COLOURS, INDEXED_COLOURS, TRUE_COLOURS = range(4)


class ColourChoice(Enum):
    """The option `--color`."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


_TRUE_COLOUR: Final = frozenset({"truecolor", "24bit"})
# By a part of TERM; the first match counts.
_DEPTHS: Final[tuple[tuple[str, int], ...]] = (
    ("direct", TRUE_COLOURS),
    ("kitty", TRUE_COLOURS),
    ("alacritty", TRUE_COLOURS),
    ("foot", TRUE_COLOURS),
    ("ghostty", TRUE_COLOURS),
    ("256", INDEXED_COLOURS),
    ("-mono", NO_COLOURS),
    ("vt100", NO_COLOURS),
    ("vt102", NO_COLOURS),
    ("vt220", NO_COLOURS),
)


def wants_colour(choice: ColourChoice, environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Decide as players expect: the option, then NO_COLOR, then FORCE_COLOR, then the output."""
    if choice is not ColourChoice.AUTO:
        return choice is ColourChoice.ALWAYS
    if environ.get("NO_COLOR"):
        return False
    return is_terminal or bool(environ.get("FORCE_COLOR"))


def colour_depth(environ: Mapping[str, str]) -> int:
    """Return how many colours the terminal shows; 16 if its name does not say."""
    if environ.get("COLORTERM", "").lower() in _TRUE_COLOUR:
        return TRUE_COLOURS
    term = environ.get("TERM", "").lower()
    return next((depth for part, depth in _DEPTHS if part in term), SIXTEEN_COLOURS)


def chosen_colours(choice: ColourChoice, environ: Mapping[str, str]) -> int:
    """Decide how many colours a screen has: none, or at least the 16 of any terminal."""
    if not wants_colour(choice, environ, is_terminal=True):
        return NO_COLOURS
    return max(SIXTEEN_COLOURS, colour_depth(environ))


def glyphs_of(encoding: str, environ: Mapping[str, str] | None = None) -> Glyphs:
    """Return which characters the terminal's encoding and font have.

    The fonts of the Linux console lack the flag, the signs and the corners of frames.
    """
    is_utf8 = encoding.lower().replace("-", "").replace("_", "") == "utf8"
    is_console = (environ or {}).get("TERM") == "linux"
    return Glyphs.UNICODE if is_utf8 and not is_console else Glyphs.ASCII


def withholds_escape(environ: Mapping[str, str]) -> bool:
    """Whether mouse reports would cost the player the ESC key.

    GNU screen, which names its session in STY, takes a lone ESC for the start of a report and holds
    it back while reports are on.
    """
    return bool(environ.get("STY"))


def is_dumb(environ: Mapping[str, str]) -> bool:
    """Whether the terminal cannot place text on its screen."""
    return environ.get("TERM", "") in {"", "dumb", "unknown"}
