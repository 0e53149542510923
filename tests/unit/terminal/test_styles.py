from __future__ import annotations

import itertools

import pytest

from jminesweeper.terminal.inks import COLOURINGS, Colour, Colouring, Ink, inks_of
from jminesweeper.terminal.looks import (
    CLUES,
    HEAT,
    OPENED,
    REASON,
    SEATS,
    SELECTED,
    TARGET,
    Canvas,
    ColourDepth,
    Covers,
    Ground,
    Looks,
    Palette,
    Style,
    in_other_tone,
)
from jminesweeper.terminal.view import MOST_SEATS
from tests.colour_vision import RGB, confused, distance
from tests.unit.terminal.contrast import BLACK, LEAST_CONTRAST, WHITE, contrast, rgb_of

EVERY_PALETTE = pytest.mark.parametrize(
    "colouring",
    COLOURINGS.values(),
    ids=[f"{palette.value}-{ground.value}-{depth.name}" for palette, ground, depth in COLOURINGS],
)
READ_ON_TILES = (Style.FLAG, Style.MINE, Style.UNOPENED)
LINES = (Style.FRAME, Style.DONE)
SHADES = (Style.LEFT, Style.HERE)
RECEDING = (Style.ZERO, Style.COVERED)
"""A zero says nothing that its background does not, and covered cells are blank."""


@EVERY_PALETTE
@pytest.mark.requirement("C:Visual Feedback")
def test_whatever_is_read_stands_out_on_its_own_background(colouring: Colouring) -> None:
    read = [pair for style, pair in colouring.items() if style not in {*LINES, *RECEDING, *SHADES}]
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
def test_what_is_left_to_do_is_seen_on_the_ground_of_what_is_done(colouring: Colouring) -> None:
    for style in SHADES:
        fore, back = colouring[style]
        assert back is not None
        assert back == colouring[Style.ZERO].back
        assert contrast(fore, back) >= 3


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
def test_what_is_on_a_tile_is_on_one_of_its_tones_or_on_a_tile_of_its_own(
    colouring: Colouring,
) -> None:
    tones = [colouring[Style.COVERED].back, colouring[in_other_tone(Style.COVERED)].back]
    opened = colouring[Style.ZERO].back
    for style in READ_ON_TILES:
        backs = [colouring[style].back, colouring[in_other_tone(style)].back]
        assert backs == tones or (backs[0] == backs[1] and backs[0] not in {*tones, opened})


def test_digits_flags_and_the_fatal_mine_have_the_colours_that_players_know() -> None:
    colours = COLOURINGS[Palette.TILES, Ground.DARK, ColourDepth.TRUE]
    blue, green, red, flag = (
        rgb_of(colours[style].fore).to_bytes(3, "big")
        for style in (Style.CLUE_1, Style.CLUE_2, Style.CLUE_3, Style.FLAG)
    )
    assert max(blue) == blue[2]
    assert max(green) == green[1]
    assert (max(red), max(flag)) == (red[0], flag[0])
    fatal = rgb_of(colours[Style.FATAL].back or 0).to_bytes(3, "big")
    assert fatal[0] > 2 * max(fatal[1:])


@EVERY_PALETTE
def test_a_cell_looks_hotter_the_likelier_its_mine_is(colouring: Colouring) -> None:
    reds = [rgb_of(colouring[style].back or 0).to_bytes(3, "big") for style in HEAT]
    shares = [red / (red + green) for red, green, _ in reds]
    assert shares == sorted(shares)
    assert len({colouring[style] for style in (*HEAT, Style.HEAT_SAFE, Style.HEAT_MINE)}) == 6


@EVERY_PALETTE
def test_the_target_of_a_hint_is_told_from_its_reasons(colouring: Colouring) -> None:
    target, reason = colouring[TARGET].back, colouring[REASON].back
    assert target is not None
    assert reason is not None
    assert contrast(target, reason) >= 3


def inks(palette: Palette, depth: ColourDepth, covers: Covers = Covers.TILES) -> list[Ink]:
    looks = Looks(palette, covers=covers)
    return inks_of(Canvas(80, 24, depth, has_unicode=True, looks=looks))


@pytest.mark.parametrize(
    ("palette", "depth"),
    [
        *((Palette.MONOCHROME, depth) for depth in ColourDepth),
        *((palette, ColourDepth.NONE) for palette in Palette),
    ],
)
def test_without_colours_attributes_alone_are_used(palette: Palette, depth: ColourDepth) -> None:
    parts = {part for ink in inks(palette, depth) for part in ink}
    assert parts <= {"", "1", "2", "4", "7"}


@pytest.mark.parametrize(("palette", "depth"), list(itertools.product(Palette, ColourDepth)))
def test_what_is_marked_is_told_without_colour(palette: Palette, depth: ColourDepth) -> None:
    shown = inks(palette, depth)
    for style in CLUES:
        assert shown[style | SELECTED].reverse
        assert (shown[style | REASON].weight, shown[style | REASON].line) == ("1", "4")
        assert shown[style | TARGET] != shown[style | REASON]
    assert shown[Style.MARK].reverse or shown[Style.MARK].back


@pytest.mark.parametrize("depth", ColourDepth)
def test_without_tiles_nothing_has_a_background(depth: ColourDepth) -> None:
    assert {ink.back for ink in inks(Palette.TILES, depth, Covers.SIGNS)} == {""}


def test_the_initials_of_people_have_styles_of_their_own() -> None:
    taken = {*Style, *(in_other_tone(style) for style in Style)}
    assert len(set(SEATS) - taken) == MOST_SEATS


@EVERY_PALETTE
def test_the_two_tones_of_covered_cells_are_near_shades_of_one_hue(colouring: Colouring) -> None:
    tones = [colouring[style].back for style in (Style.COVERED, in_other_tone(Style.COVERED))]
    one, other = ([*rgb_of(tone).to_bytes(3, "big")] for tone in tones if tone is not None)
    assert one != other
    differences = [abs(mine - its) for mine, its in zip(one, other, strict=True)]
    assert max(differences) <= 16
    assert max(differences) - min(differences) <= 8


def test_people_are_told_from_each_other_and_from_flags_by_the_colour_blind_too() -> None:
    for colouring in COLOURINGS.values():
        seats = [told(colouring[seat].back) for seat in SEATS]
        assert [*confused(seats, [told(colouring[Style.FLAG].fore)])] == []
        # Nor is anybody's mark taken for the cursor's own.
        assert min(distance(seat, told(colouring[Style.MARK].back)) for seat in seats) > 10


def told(colour: Colour | None) -> RGB:
    assert colour is not None
    red, green, blue = rgb_of(colour).to_bytes(3, "big")
    return red, green, blue
