import itertools

import pytest

from jminesweeper.screen import ColourDepth, Palette
from jminesweeper.screen.styles import HINTED, SELECTED, Style, shows_on_blanks, theme

CLUES = [Style(number) for number in range(1, 9)]
COLOURED = [
    (palette, depth)
    for palette in (Palette.TILES, Palette.OKABE_ITO)
    for depth in (ColourDepth.INDEXED, ColourDepth.TRUE)
]
CUBE = (0, 95, 135, 175, 215, 255)


def rgb(sequence: bytes) -> tuple[int, int, int]:
    """The colour that a sequence asks for."""
    numbers = [int(number or 0) for number in sequence[2:-1].decode().split(";")]
    start = numbers.index(38)
    if numbers[start + 1] == 2:
        red, green, blue = numbers[start + 2 : start + 5]
        return red, green, blue
    index = numbers[start + 2]
    if index >= 232:
        level = 8 + 10 * (index - 232)
        return level, level, level
    index -= 16
    return CUBE[index // 36], CUBE[index // 6 % 6], CUBE[index % 6]


def luminance(colour: tuple[int, int, int]) -> float:
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast_on_black(colour: tuple[int, int, int]) -> float:
    return (luminance(colour) + 0.05) / 0.05


@pytest.mark.parametrize(("palette", "depth"), COLOURED)
def test_digits_stand_out_on_black(palette: Palette, depth: ColourDepth) -> None:
    shades = [rgb(theme(palette, depth).sequences[style]) for style in CLUES]
    assert min(map(contrast_on_black, shades)) >= 5.5


@pytest.mark.parametrize(("palette", "depth"), COLOURED)
def test_what_recedes_can_still_be_seen(palette: Palette, depth: ColourDepth) -> None:
    sequences = theme(palette, depth).sequences
    for style in (Style.COVERED, Style.UNOPENED, Style.ASIDE):
        assert 4 <= contrast_on_black(rgb(sequences[style])) <= 7


@pytest.mark.parametrize(("palette", "depth"), [*COLOURED, (Palette.TILES, ColourDepth.SIXTEEN)])
def test_every_digit_has_a_colour_of_its_own(palette: Palette, depth: ColourDepth) -> None:
    assert len({theme(palette, depth).sequences[style] for style in CLUES}) == 8


@pytest.mark.parametrize(
    ("palette", "depth"),
    [
        *((Palette.MONOCHROME, depth) for depth in ColourDepth),
        *((palette, ColourDepth.NONE) for palette in Palette),
    ],
)
def test_without_colours_attributes_alone_are_used(palette: Palette, depth: ColourDepth) -> None:
    parameters = b";".join(sequence[2:-1] for sequence in theme(palette, depth).sequences)
    assert set(parameters.split(b";")) <= {b"", b"1", b"2", b"4", b"7"}


@pytest.mark.parametrize(("palette", "depth"), list(itertools.product(Palette, ColourDepth)))
def test_what_is_selected_is_told_without_colour(palette: Palette, depth: ColourDepth) -> None:
    for style in CLUES:
        sequence = theme(palette, depth).sequences[style | SELECTED]
        assert sequence.startswith(b"\x1b[;7")
        assert theme(palette, depth).sequences[style | HINTED].startswith(b"\x1b[;1;4")


def test_every_sequence_starts_anew() -> None:
    for sequence in theme(Palette.TILES, ColourDepth.INDEXED).sequences:
        assert sequence == b"\x1b[m" or sequence.startswith(b"\x1b[;")


def test_only_reverse_and_underlined_styles_show_on_blanks() -> None:
    assert shows_on_blanks(Style.CHOSEN)
    assert shows_on_blanks(Style.PLAIN | SELECTED)
    assert shows_on_blanks(Style.PLAIN | HINTED)
    assert not shows_on_blanks(Style.CLUE_1)
