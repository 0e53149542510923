"""Capabilities of a terminal, from its user's options and its environment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Final

from jminesweeper.terminal.looks import Canvas, ColourDepth, Ground, Looks


class ColourChoice(Enum):
    """The option `--color`."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


_TRUE_COLOUR: Final = frozenset({"truecolor", "24bit"})
_XTERM: Final = re.compile(r"XTerm\(([0-9]{1,4})\)")
_NAMES_OF_XTERM: Final = frozenset({"xterm", "xterm-256color"})
_FIRST_XTERM_OF_ALL_COLOURS: Final = 331
# By a part of TERM; the first match counts.
_DEPTHS: Final[tuple[tuple[str, ColourDepth], ...]] = (
    ("direct", ColourDepth.TRUE),
    ("kitty", ColourDepth.TRUE),
    ("alacritty", ColourDepth.TRUE),
    ("foot", ColourDepth.TRUE),
    ("ghostty", ColourDepth.TRUE),
    ("st-256", ColourDepth.TRUE),
    ("256", ColourDepth.INDEXED),
    ("-mono", ColourDepth.NONE),
    ("vt100", ColourDepth.NONE),
    ("vt102", ColourDepth.NONE),
    ("vt220", ColourDepth.NONE),
)


_ANSWERING: Final = ("xterm", "tmux", "rxvt", "kitty", "alacritty", "foot", "ghostty", "st-256")
_LIGHT_COLOURS: Final = frozenset({7, *range(9, 16)})
"""Of the 16 colours; 8 is a dark grey."""


def wants_colour(choice: ColourChoice, environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Decide as players expect: the option, then NO_COLOR, then FORCE_COLOR, then the output."""
    if choice is not ColourChoice.AUTO:
        return choice is ColourChoice.ALWAYS
    if environ.get("NO_COLOR"):
        return False
    return is_terminal or bool(environ.get("FORCE_COLOR"))


def colour_depth(environ: Mapping[str, str]) -> ColourDepth:
    """Return how many colours the terminal shows; 16 if its name does not say."""
    if environ.get("COLORTERM", "").lower() in _TRUE_COLOUR:
        return ColourDepth.TRUE
    term = environ.get("TERM", "").lower()
    version = _XTERM.fullmatch(environ.get("XTERM_VERSION", ""))
    if version and term in _NAMES_OF_XTERM:
        # The program xterm itself, which has had 256 colours for twenty years; others only say so.
        is_recent = int(version[1]) >= _FIRST_XTERM_OF_ALL_COLOURS
        return ColourDepth.TRUE if is_recent else ColourDepth.INDEXED
    return next((depth for part, depth in _DEPTHS if part in term), ColourDepth.SIXTEEN)


def chosen_colours(choice: ColourChoice, environ: Mapping[str, str]) -> ColourDepth:
    """Decide how many colours a screen has: none, or at least the 16 of any terminal."""
    if not wants_colour(choice, environ, is_terminal=True):
        return ColourDepth.NONE
    return max(ColourDepth.SIXTEEN, colour_depth(environ))


def has_unicode(encoding: str, environ: Mapping[str, str] | None = None) -> bool:
    """Return True if the terminal's encoding and font have more than ASCII.

    The fonts of the Linux console lack the flag, the signs and the corners of frames.
    """
    is_utf8 = encoding.lower().replace("-", "").replace("_", "") == "utf8"
    return is_utf8 and (environ or {}).get("TERM") != "linux"


def told_background(environ: Mapping[str, str]) -> Ground | None:
    """Return the background that the environment tells of: rxvt and Konsole set COLORFGBG."""
    number = environ.get("COLORFGBG", "").rpartition(";")[2]
    if not (number.isascii() and number.isdecimal()):
        return None
    return Ground.LIGHT if int(number) in _LIGHT_COLOURS else Ground.DARK


def tells_background(environ: Mapping[str, str]) -> bool:
    """Return True if the terminal is known to answer, or to ignore, a question for its background.

    The Linux console writes parts of it on the screen, and GNU screen keeps the answer.
    """
    term = environ.get("TERM", "").lower()
    return any(name in term for name in _ANSWERING) and not environ.get("STY")


def asks_background(canvas: Canvas, environ: Mapping[str, str]) -> bool:
    """Return True if the terminal is to be asked: nobody has said, and it would change cells."""
    is_open = canvas.looks.ground is Ground.AUTO and told_background(environ) is None
    return is_open and canvas.has_tiles and tells_background(environ)


def withholds_escape(environ: Mapping[str, str]) -> bool:
    """Return True if mouse reports would cost the player the ESC key.

    GNU screen, which names its session in STY, takes a lone ESC for the start of a report and holds
    it back while reports are on.
    """
    return bool(environ.get("STY"))


def canvas_for(
    size: tuple[int, int],
    encoding: str,
    looks: Looks,
    environ: Mapping[str, str],
    choice: ColourChoice = ColourChoice.AUTO,
) -> Canvas:
    """Return what screens are composed for on the terminal that an environment tells of."""
    return Canvas(
        *size,
        colours=chosen_colours(choice, environ),
        has_unicode=has_unicode(encoding, environ),
        looks=looks,
        background=told_background(environ) or Ground.DARK,
    )


def is_dumb(environ: Mapping[str, str]) -> bool:
    """Return True if the terminal cannot place text on its screen."""
    return environ.get("TERM", "") in {"", "dumb", "unknown"}
