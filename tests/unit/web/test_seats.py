"""The colours of people on the page, in both schemes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jminesweeper.terminal.view import MOST_SEATS
from jminesweeper.web import site
from tests.colour_vision import RGB, confused
from tests.unit.terminal.contrast import LEAST_CONTRAST, contrast

ASSETS = Path(site.__file__).parent / "assets"


def colour(digits: str) -> RGB:
    """Read three hexadecimal digits, or six."""
    red, green, blue = re.findall(
        "..", digits if len(digits) > 3 else re.sub("(.)", r"\1\1", digits)
    )
    return int(red, 16), int(green, 16), int(blue, 16)


def flags(shade: str) -> list[RGB]:
    """The colours of flags in all palettes, on a page of light or of dark ground."""
    styles = "".join((ASSETS / name).read_text("utf-8") for name in ("page.css", "palettes.css"))
    known = map(colour, re.findall(r"--flag: #([0-9a-f]{6})", styles))
    return [flag for flag in known if (flag[0] > 0xC0) == (shade == "light")]


@pytest.mark.parametrize("shade", ["dark", "light"])
def test_people_are_told_from_each_other_and_from_flags_by_the_colour_blind_too(shade: str) -> None:
    (shades,) = re.findall(rf"{shade}: '([0-9a-f]+)'", (ASSETS / "together.js").read_text("utf-8"))
    seats = [colour(each) for each in re.findall("...", shades)]
    assert len(seats) == MOST_SEATS
    assert len(flags(shade)) > 1
    letters = 0xFFFFFF if shade == "dark" else 0x0D1117
    for seat in seats:
        assert contrast(int.from_bytes(bytes(seat), "big"), letters) >= LEAST_CONTRAST
    assert [*confused(seats, flags(shade))] == []
