from __future__ import annotations

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.screen.inks import PLAIN_INK, Ink, ink_for_blank, sequence_between
from jminesweeper.screen.models import ColourDepth, Palette
from jminesweeper.screen.styles import HINTED, SELECTED, Style, in_other_tone
from jminesweeper.screen.themes import switch, theme

TILES = theme(Palette.TILES, ColourDepth.INDEXED)
SPARE = theme(Palette.TILES, ColourDepth.SIXTEEN)
ONE, OTHER = int(Style.COVERED), in_other_tone(Style.COVERED)
STYLES = [number | mark for number in (*Style, OTHER) for mark in (0, SELECTED, HINTED)]
themes = st.sampled_from([TILES, SPARE, theme(Palette.CLASSIC, ColourDepth.TRUE)])
texts = st.lists(st.tuples(st.sampled_from(STYLES), st.booleans()), max_size=12)


def seen_of(texts: list[bytes]) -> list[tuple[object, ...]]:
    """Return what a terminal shows of texts of one character each, written one after the other."""
    screen = pyte.Screen(len(texts) + 1, 1)
    pyte.ByteStream(screen).feed(b"".join(texts))
    places = [screen.buffer[0][column] for column in range(len(texts))]
    return [
        (place.data, place.bold, place.underscore, place.reverse, place.fg, place.bg)
        if place.data != " " or place.underscore
        else (place.data, *_ground(place))
        for place in places
    ]


def _ground(place: pyte.screens.Char) -> tuple[str, bool]:
    """Return the background that is seen of a blank, and whether it is the reversed default."""
    if not place.reverse:
        return place.bg, False
    return place.fg, place.fg == "default"


@given(chosen=themes, text=texts)
def test_text_looks_as_if_every_character_began_anew(
    chosen: object, text: list[tuple[int, bool]]
) -> None:
    assert isinstance(chosen, type(TILES))
    ink, short, whole = PLAIN_INK, [], []
    for style, is_blank in text:
        character = b" " if is_blank else b"x"
        switched, ink = switch(chosen, ink, style, is_blank=is_blank)
        short.append(switched + character)
        whole.append(b"\x1b[m" + sequence_between(PLAIN_INK, chosen.inks[style]) + character)
    assert seen_of(short) == seen_of(whole)
    assert sum(map(len, short)) <= sum(map(len, whole))


def test_only_what_differs_is_switched() -> None:
    bold, red = Ink(weight="1"), Ink(weight="1", fore="31")
    assert sequence_between(bold, red) == b"\x1b[31m"
    assert sequence_between(red, red) == b""
    assert sequence_between(Ink(weight="1", back="48;5;16"), Ink(back="48;5;16")) == b"\x1b[22m"


def test_everything_is_switched_anew_where_that_is_shorter() -> None:
    assert sequence_between(Ink("1", "4", "", "31"), PLAIN_INK) == b"\x1b[m"
    assert sequence_between(Ink("1", "4", "7", "31"), Ink(weight="2")) == b"\x1b[;2m"


def test_bold_is_ended_before_faint_begins() -> None:
    assert sequence_between(Ink("1", fore="38;5;1"), Ink("2", fore="38;5;1")) == b"\x1b[22;2m"


def test_from_the_second_tile_on_reversing_is_enough() -> None:
    ink, switched = PLAIN_INK, []
    for style in (ONE, OTHER, ONE, OTHER):
        piece, ink = switch(TILES, ink, style, is_blank=True)
        switched.append(piece)
    assert switched == [b"\x1b[48;5;237m", b"\x1b[7;38;5;236m", b"\x1b[27m", b"\x1b[7m"]


@pytest.mark.parametrize("style", [ONE | SELECTED, Style.CHOSEN])
def test_what_is_reversed_to_stand_out_is_never_a_background_alone(style: int) -> None:
    wanted = TILES.inks[style]
    assert wanted.reverse
    assert ink_for_blank(PLAIN_INK, wanted, TILES.tiles) == wanted
