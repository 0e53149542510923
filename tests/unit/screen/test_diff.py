from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.screen.diff import Pen, paint_all, paint_changes
from jminesweeper.screen.inks import PLAIN_INK, sequence_between
from jminesweeper.screen.lines import CellLine, Line, gap, join, pad, span
from jminesweeper.screen.models import CellSize, ColourDepth, Palette
from jminesweeper.screen.shapes import CellShape, chosen_shape
from jminesweeper.screen.styles import SELECTED, Style, in_other_tone
from jminesweeper.screen.symbols import ASCII, TILES, UNICODE, Stage, Symbols, cell_tables
from jminesweeper.screen.themes import theme
from tests.golden.terminal import Look, PaintedTerminal

THEME = theme(Palette.TILES, ColourDepth.INDEXED)
SHAPES = [chosen_shape(size, has_tiles=True) for size in CellSize]
COLUMNS, ROWS = 12, 4
spans = st.builds(
    span,
    st.text("ab ░", max_size=6),
    st.sampled_from([*Style, in_other_tone(Style.COVERED), Style.CLUE_1 | SELECTED]).map(int),
)
lines = st.lists(spans, max_size=4).map(lambda parts: pad(join(parts), COLUMNS)) | st.just(Line())
screens = st.lists(lines, min_size=ROWS, max_size=ROWS)


def changes(before: str | Line, after: str | Line) -> bytes:
    old, new = (span(line) if isinstance(line, str) else line for line in (before, after))
    return paint_changes([old], [new], THEME)


def shown(*texts: bytes) -> PaintedTerminal:
    terminal = PaintedTerminal(COLUMNS, ROWS)
    terminal.fill("#")
    for text in texts:
        terminal.show(text)
    return terminal


@given(chain=st.lists(screens, min_size=2, max_size=5))
def test_changes_lead_to_what_painting_all_would_show(chain: list[Sequence[Line]]) -> None:
    texts = [paint_all(chain[0], THEME)]
    for before, after in itertools.pairwise(chain):
        texts.append(paint_changes(before, after, THEME))
    assert shown(*texts).looks() == shown(paint_all(chain[-1], THEME)).looks()


@given(screen=screens)
def test_painting_all_covers_whatever_was_there(screen: Sequence[Line]) -> None:
    terminal = shown(paint_all(screen, THEME))
    assert terminal.lines == [line.text.rstrip() for line in screen]


@given(before=screens, after=screens)
def test_painting_ends_in_the_style_of_the_terminal(
    before: Sequence[Line], after: Sequence[Line]
) -> None:
    for text in (paint_all(after, THEME), paint_changes(before, after, THEME)):
        styles: list[bytes] = re.findall(rb"\x1b\[[0-9;]*m", text)
        assert not styles or styles[-1] == b"\x1b[m"


def test_what_is_the_same_is_not_painted() -> None:
    assert changes("same", "same") == b""


def test_one_character_costs_its_place_and_itself() -> None:
    assert changes("a cat", "a cot") == b"\x1b[;4Ho"


def test_stretches_far_apart_are_hopped_between() -> None:
    assert changes("a........a", "b........b") == b"\x1b[Hb\x1b[8Cb"


def test_a_line_of_which_much_has_changed_is_written_whole() -> None:
    assert changes("a.b.c.d.", "1.2.3.4.") == b"\x1b[H1.2.3.4"


def test_a_few_blanks_are_written_anew_rather_than_hopped_over() -> None:
    assert changes("a  a", "b  b") == b"\x1b[Hb  b"


def test_a_long_blank_end_is_erased_and_a_short_one_written() -> None:
    assert changes("abcdefgh", "abc") == b"\x1b[;4H\x1b[K"
    assert changes("abcdefgh", "xbc") == b"\x1b[Hx\x1b[2C\x1b[K"
    assert changes("abcde", "abc") == b"\x1b[;4H  "


def test_a_line_of_some_style_is_erased_in_the_terminals_own() -> None:
    before = span("abcdefgh", Style.CLUE_1)
    assert changes(before, span("b", Style.CLUE_1)).endswith(b"\x1b[m\x1b[K")


def test_styles_are_switched_only_where_they_change() -> None:
    after = join((span("1", Style.KEY), gap(1), span("1", Style.KEY)))
    assert changes("", after) == b"\x1b[H\x1b[1m1 1\x1b[m"


def test_a_background_does_not_reach_into_blanks() -> None:
    after = join((span("1", Style.CLUE_1), gap(1), span("1", Style.CLUE_1)))
    one = b"\x1b[1;38;5;75;48;5;233m1\x1b[m"
    assert changes("", after) == b"\x1b[H" + one + b" " + one


def test_a_reversed_style_does_not_reach_into_blanks() -> None:
    after = join((span("a", Style.CHOSEN), gap(1), span("b", Style.CHOSEN)))
    assert changes("xxx", after) == b"\x1b[H\x1b[7ma\x1b[m \x1b[7mb\x1b[m"


@pytest.mark.parametrize("text", ["x" * COLUMNS, "x" * (COLUMNS - 1)])
def test_a_line_that_fills_the_screen_keeps_its_last_column(text: str) -> None:
    terminal = shown(paint_all([span(text)] * ROWS, THEME))
    assert terminal.lines == [text] * ROWS


def test_lines_below_the_last_are_erased() -> None:
    assert shown(paint_all([span("a"), *[Line()] * 3], THEME)).lines == ["a", "", "", ""]
    assert shown(paint_all([Line()] * 4, THEME)).lines == [""] * 4


faces = st.sampled_from([layers | clue for layers in range(0, 256, 16) for clue in range(9)])


@given(
    cells=st.lists(faces, max_size=30).map(bytes),
    symbols=st.sampled_from([ASCII, UNICODE, TILES]),
    stage=st.sampled_from(Stage),
    shape=st.sampled_from(SHAPES),
    tone=st.integers(0, 1),
    style=st.sampled_from([Style.PLAIN, Style.FRAME, Style.CHOSEN]),
    data=st.data(),
)
def test_cells_are_written_by_table_as_they_are_column_by_column(
    cells: bytes,
    symbols: Symbols,
    stage: Stage,
    shape: CellShape,
    tone: int,
    style: int,
    data: st.DataObject,
) -> None:
    tables = cell_tables(symbols, stage, shape)
    edges = (span("| ", Style.FRAME), span(" |", Style.FRAME))
    line = CellLine(edges, cells, tables, tone)
    plain = join((edges[0], Line(*tables.cells(cells, tone)), edges[1]))
    assert (line.text, line.styles, line.width) == (plain.text, plain.styles, plain.width)
    start = data.draw(st.integers(0, plain.width - 1))
    stop = data.draw(st.integers(start + 1, plain.width))
    by_table, by_column = (Pen(THEME, THEME.inks[style]) for _ in range(2))
    by_table.write_part(line, start, stop)
    by_column.write_part(plain, start, stop)
    assert looks_of(by_table, style, plain.width) == looks_of(by_column, style, plain.width)
    by_table, by_column = (Pen(THEME, THEME.inks[style]) for _ in range(2))
    by_table.write_line(line)
    by_column.write_line(plain)
    assert looks_of(by_table, style, plain.width) == looks_of(by_column, style, plain.width)


def looks_of(pen: Pen, style: int, width: int) -> list[list[Look]]:
    """Return what is seen of what a pen has written, beginning in a style."""
    terminal = PaintedTerminal(width, 1)
    terminal.show(sequence_between(PLAIN_INK, THEME.inks[style]) + pen.finish())
    return terminal.looks()


@given(
    before=st.lists(faces, min_size=12, max_size=12).map(bytes),
    others=st.dictionaries(st.integers(0, 11), faces, max_size=6),
    symbols=st.sampled_from([ASCII, UNICODE, TILES]),
    shape=st.sampled_from(SHAPES),
    tones=st.tuples(st.integers(0, 1), st.integers(0, 1)),
)
def test_cells_that_changed_look_as_if_all_were_painted(
    before: bytes,
    others: dict[int, int],
    symbols: Symbols,
    shape: CellShape,
    tones: tuple[int, int],
) -> None:
    after = bytes(others.get(place, face) for place, face in enumerate(before))
    edges = (span("|", Style.FRAME), span("|", Style.FRAME))
    tables = cell_tables(symbols, Stage.PLAYING, shape)
    old, new = CellLine(edges, before, tables, tones[0]), CellLine(edges, after, tables, tones[1])
    changed, painted = PaintedTerminal(new.width, 1), PaintedTerminal(new.width, 1)
    changed.show(paint_all([old], THEME))
    changed.show(paint_changes([old], [new], THEME))
    painted.show(paint_all([new], THEME))
    assert changed.looks() == painted.looks()


@pytest.mark.parametrize("cells", [(12, 11), (11, 12), (12, 12)])
@pytest.mark.parametrize("sides", [("|", "|"), ("|", "<"), ("|", " |")])
def test_a_line_of_cells_takes_the_place_of_one_of_another_length(
    cells: tuple[int, int], sides: tuple[str, str]
) -> None:
    tables = cell_tables(TILES, Stage.PLAYING, SHAPES[0])
    right = span("|", Style.FRAME)
    old, new = (
        CellLine((span(side, Style.FRAME), right), b"\x10" * count, tables)
        for count, side in zip(cells, sides, strict=True)
    )
    changed, painted = PaintedTerminal(40, 1), PaintedTerminal(40, 1)
    changed.show(paint_all([old], THEME))
    changed.show(paint_changes([old], [new], THEME))
    painted.show(paint_all([new], THEME))
    assert changed.looks() == painted.looks()


def test_the_style_of_a_column_is_known_without_writing_the_line() -> None:
    for shape in SHAPES:
        for tone in (0, 1):
            tables = cell_tables(TILES, Stage.PLAYING, shape)
            margins = (shape.left_margin, shape.right_margin)
            left, right = (span(" " * width, TILES.margin_style) for width in margins)
            line = CellLine((left, right), bytes((1, 0, 0x10, 0x30, 0x10)), tables, tone)
            styles = [line.style_at(column) for column in range(line.width)]
            assert bytes(styles) == line.styles


def test_a_line_that_differs_in_styles_alone_is_painted() -> None:
    assert changes(span("a b", Style.CLUE_1), "a b").startswith(b"\x1b[H")
    assert changes("░ b", "░ c") == b"\x1b[;3Hc"
