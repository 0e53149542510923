from __future__ import annotations

import pyte
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.terminal.escapes import FRAME_BEGIN, FRAME_END
from jminesweeper.terminal.inks import PLAIN, Ink, Inks, Painter, sequence_between
from jminesweeper.terminal.keys import KeyAction
from jminesweeper.terminal.looks import (
    REASON,
    SELECTED,
    TARGET,
    Canvas,
    ColourDepth,
    Looks,
    Palette,
    Style,
    in_other_tone,
)
from tests.unit.terminal.examples import Seen

TILES = Inks(Canvas(colours=ColourDepth.INDEXED, has_unicode=True))
SPARE = Inks(Canvas(colours=ColourDepth.SIXTEEN))
CLASSIC = Inks(Canvas(80, 24, ColourDepth.TRUE, has_unicode=True, looks=Looks(Palette.CLASSIC)))
ONE, OTHER = int(Style.COVERED), in_other_tone(Style.COVERED)
STYLES = [number | mark for number in (*Style, OTHER) for mark in (0, SELECTED, REASON, TARGET)]
terminals = st.sampled_from([TILES, SPARE, CLASSIC])
texts = st.lists(st.tuples(st.sampled_from(STYLES), st.booleans()), max_size=12)


def seen_of(texts: list[str]) -> list[tuple[object, ...]]:
    """Return what a terminal shows of texts of one character each, written one after the other."""
    screen = pyte.Screen(len(texts) + 1, 1)
    pyte.Stream(screen).feed("".join(texts))
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


@given(terminal=terminals, text=texts)
def test_text_looks_as_if_every_character_began_anew(
    terminal: Inks, text: list[tuple[int, bool]]
) -> None:
    ink, short, whole = PLAIN, [], []
    for style, is_blank in text:
        character = " " if is_blank else "x"
        way, ink = terminal.switch(ink, style, is_blank=is_blank)
        short.append(way + character)
        anew, _ = terminal.switch(PLAIN, style, is_blank=False)
        whole.append(f"\x1b[m{anew}{character}")
    assert seen_of(short) == seen_of(whole)
    assert sum(map(len, short)) <= sum(map(len, whole))


def test_only_what_differs_is_switched() -> None:
    bold, red = Ink(weight="1"), Ink(weight="1", fore="31")
    assert sequence_between(bold, red) == "\x1b[31m"
    assert sequence_between(red, red) == ""
    assert sequence_between(Ink(weight="1", back="48;5;16"), Ink(back="48;5;16")) == "\x1b[22m"


def test_everything_is_switched_anew_where_that_is_shorter() -> None:
    assert sequence_between(Ink("1", "4", "", "31"), PLAIN) == "\x1b[m"
    assert sequence_between(Ink("1", "4", "7", "31"), Ink(weight="2")) == "\x1b[;2m"


def test_bold_is_ended_before_faint_begins() -> None:
    assert sequence_between(Ink("1", fore="38;5;1"), Ink("2", fore="38;5;1")) == "\x1b[22;2m"


def test_from_the_second_tile_on_reversing_is_enough() -> None:
    ink, switched = PLAIN, []
    for style in (ONE, OTHER, ONE, OTHER):
        way, ink = TILES.switch(ink, style, is_blank=True)
        switched.append(way)
    assert switched == ["\x1b[48;5;237m", "\x1b[7;38;5;236m", "\x1b[27m", "\x1b[7m"]


def test_steps_of_the_cursor_take_a_hundred_bytes_each_and_no_brackets() -> None:
    """Over a slow line they are the time that a key takes."""
    seen = Seen(
        Game(Setup(CLASSIC_BOARDS["expert"], seed=1)), colours=ColourDepth.INDEXED, has_unicode=True
    )
    painter = Painter(seen.viewer.canvas)

    def paint() -> str:
        return painter.paint(seen.viewer.screen(0.0), seen.viewer.canvas)

    first = paint()
    assert first.startswith(FRAME_BEGIN)
    assert first.endswith(FRAME_END)
    steps = []
    around = (KeyAction.RIGHT, KeyAction.DOWN, KeyAction.LEFT, KeyAction.UP, KeyAction.DOWN)
    for action in around * 12 + (KeyAction.RIGHT,) * 28:
        seen.press(action)
        steps.append(paint())
    assert len(steps) > 80
    assert sum(len(text.encode()) for text in steps) <= 100 * len(steps)
    assert not any(FRAME_BEGIN in text for text in steps)
