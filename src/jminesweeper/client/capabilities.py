"""What a terminal can show, from what its user and its environment say about it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from jminesweeper.protocol import Colours, Glyphs


class ColourChoice(Enum):
    """The option `--color`."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


_TRUE_COLOUR: Final = frozenset({"truecolor", "24bit"})
# By a part of TERM, the first that fits.
_DEPTHS: Final[tuple[tuple[str, Colours], ...]] = (
    ("direct", Colours.TRUE),
    ("kitty", Colours.TRUE),
    ("alacritty", Colours.TRUE),
    ("foot", Colours.TRUE),
    ("ghostty", Colours.TRUE),
    ("256", Colours.INDEXED),
    ("-mono", Colours.NONE),
    ("vt100", Colours.NONE),
    ("vt102", Colours.NONE),
    ("vt220", Colours.NONE),
)


def wants_colour(choice: ColourChoice, environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Decide as players expect: the option, then NO_COLOR, then FORCE_COLOR, then the output."""
    if choice is not ColourChoice.AUTO:
        return choice is ColourChoice.ALWAYS
    if environ.get("NO_COLOR"):
        return False
    return is_terminal or bool(environ.get("FORCE_COLOR"))


def colour_depth(environ: Mapping[str, str]) -> Colours:
    """How many colours the terminal shows; those it does not name are taken for 16."""
    if environ.get("COLORTERM", "").lower() in _TRUE_COLOUR:
        return Colours.TRUE
    term = environ.get("TERM", "").lower()
    return next((depth for part, depth in _DEPTHS if part in term), Colours.SIXTEEN)


def chosen_colours(choice: ColourChoice, environ: Mapping[str, str]) -> Colours:
    """Decide how many colours a screen has: none, or no fewer than those of any terminal."""
    if not wants_colour(choice, environ, is_terminal=True):
        return Colours.NONE
    return max(Colours.SIXTEEN, colour_depth(environ))


def glyphs_of(encoding: str) -> Glyphs:
    """Which characters arrive whole in the terminal's encoding."""
    is_utf8 = encoding.lower().replace("-", "").replace("_", "") == "utf8"
    return Glyphs.UNICODE if is_utf8 else Glyphs.ASCII


def is_dumb(environ: Mapping[str, str]) -> bool:
    """Say whether the terminal does not know how to place text."""
    return environ.get("TERM", "") in {"", "dumb", "unknown"}
