from __future__ import annotations

import itertools

import pytest

from jminesweeper.screen.models import ColourDepth, Palette
from jminesweeper.screen.palettes import COLOURINGS, Colouring
from jminesweeper.screen.styles import CLUES, HINTED, OPENED, SELECTED, Style, in_other_tone
from jminesweeper.screen.themes import theme
from tests.unit.screen.contrast import BLACK, LEAST_CONTRAST, WHITE, contrast, rgb_of

EVERY_PALETTE = pytest.mark.parametrize(
    "colouring",
    COLOURINGS.values(),
    ids=[f"{palette.value}-{depth.name}" for palette, depth in COLOURINGS],
)
READ_ON_TILES = (Style.FLAG, Style.MINE, Style.UNOPENED)
LINES = (Style.FRAME, Style.DONE)
RECEDING = (Style.ZERO, Style.COVERED)
"""A zero says nothing that its background does not, and covered cells are blank."""


@EVERY_PALETTE
@pytest.mark.requirement("C:Visual Feedback")
def test_whatever_is_read_stands_out_on_its_own_background(colouring: Colouring) -> None:
    read = [pair for style, pair in colouring.items() if style not in {*LINES, *RECEDING}]
    assert len(read) >= len(CLUES) + 2 * len(READ_ON_TILES)
    for fore, back in read:
        assert back is not None
        assert contrast(fore, back) >= LEAST_CONTRAST


@EVERY_PALETTE
def test_words_that_are_not_coloured_have_the_terminals_own_colours(colouring: Colouring) -> None:
    assert not {Style.PLAIN, Style.TITLE, Style.KEY, Style.ASIDE, Style.WARNING} & set(colouring)


@EVERY_PALETTE
def test_lines_are_seen_on_any_terminal(colouring: Colouring) -> None:
    for style in LINES:
        fore, back = colouring[style]
        assert back is None
        assert min(contrast(fore, BLACK), contrast(fore, WHITE)) >= 3


@EVERY_PALETTE
def test_covered_tiles_have_two_close_tones_apart_from_opened_cells(colouring: Colouring) -> None:
    tones = [colouring[Style.COVERED].back, colouring[in_other_tone(Style.COVERED)].back]
    (opened,) = {colouring[style].back for style in OPENED}
    assert None not in (*tones, opened)
    one, other, ground = (colour or 0 for colour in (*tones, opened))
    assert 1 < contrast(one, other) < 1.3
    assert min(contrast(one, ground), contrast(other, ground)) >= 1.4


@EVERY_PALETTE
def test_every_digit_has_a_colour_of_its_own(colouring: Colouring) -> None:
    assert len({colouring[style] for style in CLUES}) == 8


@EVERY_PALETTE
def test_flags_are_seen_by_the_tiles_they_are_on(colouring: Colouring) -> None:
    for style in READ_ON_TILES:
        assert colouring[style].back == colouring[Style.COVERED].back
        toned = colouring[in_other_tone(style)]
        assert toned.back == colouring[in_other_tone(Style.COVERED)].back


def test_digits_flags_and_the_fatal_mine_have_the_colours_that_players_know() -> None:
    colours = COLOURINGS[Palette.TILES, ColourDepth.TRUE]
    blue, green, red, flag = (
        rgb_of(colours[style].fore).to_bytes(3, "big")
        for style in (Style.CLUE_1, Style.CLUE_2, Style.CLUE_3, Style.FLAG)
    )
    assert max(blue) == blue[2]
    assert max(green) == green[1]
    assert (max(red), max(flag)) == (red[0], flag[0])
    fatal = rgb_of(colours[Style.FATAL].back or 0).to_bytes(3, "big")
    assert fatal[0] > 2 * max(fatal[1:])


@pytest.mark.parametrize(
    ("palette", "depth"),
    [
        *((Palette.MONOCHROME, depth) for depth in ColourDepth),
        *((palette, ColourDepth.NONE) for palette in Palette),
    ],
)
def test_without_colours_attributes_alone_are_used(palette: Palette, depth: ColourDepth) -> None:
    parts = {part for ink in theme(palette, depth).inks for part in ink}
    assert parts <= {"", "1", "2", "1;2", "4", "7"}


@pytest.mark.parametrize(("palette", "depth"), list(itertools.product(Palette, ColourDepth)))
def test_what_is_selected_is_told_without_colour(palette: Palette, depth: ColourDepth) -> None:
    for style in CLUES:
        inks = theme(palette, depth).inks
        assert inks[style | SELECTED].reverse
        assert (inks[style | HINTED].weight, inks[style | HINTED].line) == ("1", "4")


def test_in_the_spare_look_only_reverse_and_underlined_styles_show_on_blanks() -> None:
    plain = theme(Palette.TILES, ColourDepth.SIXTEEN).plain_on_blanks
    shown = {Style.CHOSEN, Style.PLAIN | SELECTED, Style.PLAIN | HINTED}
    assert plain.isdisjoint(shown)
    assert plain >= {Style.CLUE_1, Style.COVERED}


def test_tiles_show_on_blanks() -> None:
    plain = theme(Palette.TILES, ColourDepth.INDEXED).plain_on_blanks
    assert plain.isdisjoint({Style.CLUE_1, Style.COVERED, in_other_tone(Style.COVERED)})
    assert plain >= {Style.PLAIN, Style.TITLE, Style.FRAME}


@pytest.mark.parametrize("depth", [ColourDepth.INDEXED, ColourDepth.TRUE])
def test_the_background_of_a_tile_is_told_as_its_sequence_sets_it(depth: ColourDepth) -> None:
    tiles = theme(Palette.TILES, depth)
    told = tiles.ground_line.decode().split()
    assert len(told) == 3
    for style in (Style.COVERED, in_other_tone(Style.FLAG), Style.CLUE_1, Style.ZERO):
        ground = told[tiles.grounds[style] - 1]
        assert tiles.inks[style].back == f"48;{ground}"
    assert tiles.grounds[Style.PLAIN] == 0


def test_without_tiles_no_background_is_told() -> None:
    assert theme(Palette.TILES, ColourDepth.SIXTEEN).ground_line == b""
