"""A terminal's screens as a picture: an SVG, which moves by itself if there are several.

Every place of the screen has a history: what it showed, and from when to when. Neighbours with one
look and one history are one shape, which a rule of the style sheet shows for that while. So each
character is written once for as long as it stays, and a whole game is smaller than a photograph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias
from xml.sax.saxutils import escape

import pyte

Event: TypeAlias = tuple[float, str]
"""The time at which a text was written, in seconds, and the text."""
Span: TypeAlias = tuple[float, float]
"""The first and the last moment of something on the screen."""

FONT: Final = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
CELL_WIDTH: Final = 8.4
CELL_HEIGHT: Final = 17
BASELINE: Final = 13
MARGIN: Final = 10
SCHEMES: Final[Mapping[str, tuple[str, str]]] = {
    "dark": ("#0d1117", "#d0d7de"),
    "light": ("#ffffff", "#202020"),
}
"""Ground and ink of a terminal."""
NAMED: Final[Mapping[str, str]] = {
    "black": "#0d1117",
    "red": "#e5534b",
    "green": "#57ab5a",
    "brown": "#c69026",
    "blue": "#539bf5",
    "magenta": "#b083f0",
    "cyan": "#39c5cf",
    "white": "#d0d7de",
}
FRAME_S: Final = 0.03
"""Writes within so short a time are one frame."""


class Look(NamedTuple):
    """The look of a character on the screen."""

    ink: str
    ground: str
    is_bold: bool = False


class Run(NamedTuple):
    """Characters beside each other that look alike and come and go together."""

    row: int
    column: int
    text: str
    look: Look
    span: Span


def draw(events: Sequence[Event], columns: int, rows: int, scheme: str = "dark") -> str:
    """Draw what was written to a terminal of so many columns and rows."""
    ground, ink = SCHEMES[scheme]
    timeline = Timeline(events[-1][0])
    shapes = [
        shape
        for run in runs(histories(events, columns, rows, Look(ink, ground)), ground)
        for shape in draw_run(run, timeline, ground)
    ]
    width = round(columns * CELL_WIDTH + 2 * MARGIN)
    height = rows * CELL_HEIGHT + 2 * MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
            "<title>A game of JMinesweeper in a terminal</title>",
            f"<style>text{{white-space:pre;font:14px {FONT}}}{timeline.style()}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{ground}"/>',
            *shapes,
            "</svg>\n",
        ]
    )


Place: TypeAlias = tuple[int, int]
History: TypeAlias = list[tuple[Span, tuple[str, Look]]]


def histories(
    events: Sequence[Event], columns: int, rows: int, usual: Look
) -> Mapping[Place, History]:
    """Return what each place has shown."""
    screen = pyte.Screen(columns, rows)
    stream = pyte.Stream(screen)
    now: dict[Place, tuple[float, tuple[str, Look]]] = {}
    past: dict[Place, History] = defaultdict(list)
    for number, (at_s, text) in enumerate(events):
        stream.feed(text)
        is_frame = number + 1 == len(events) or events[number + 1][0] - at_s > FRAME_S
        for place, shown in screen_now(screen, usual) if is_frame else ():
            since, before = now.get(place, (at_s, shown))
            if before != shown:
                past[place].append(((since, at_s), before))
            now[place] = (since if before == shown else at_s, shown)
    for place, (since, shown) in now.items():
        past[place].append(((since, events[-1][0]), shown))
    return past


def screen_now(screen: pyte.Screen, usual: Look) -> Iterator[tuple[Place, tuple[str, Look]]]:
    for row in range(screen.lines):
        for column in range(screen.columns):
            character = screen.buffer[row][column]
            ink, ground = colour(character.fg, usual.ink), colour(character.bg, usual.ground)
            at_cursor = not screen.cursor.hidden and (screen.cursor.y, screen.cursor.x) == (
                row,
                column,
            )
            if character.reverse != at_cursor:
                ink, ground = ground, ink
            yield (row, column), (character.data, Look(ink, ground, character.bold))


def colour(name: str, default: str) -> str:
    if name == "default":
        return default
    return NAMED.get(name.removeprefix("bright")) or f"#{name}"


def runs(past: Mapping[Place, History], ground: str) -> Iterator[Run]:
    """Join what can be drawn at once."""
    open_runs: dict[tuple[Span, Look], Run] = {}
    for (row, column), history in sorted(past.items()):
        here: dict[tuple[Span, Look], Run] = {}
        for span, (letter, look) in history:
            if letter == " " and look.ground == ground:
                continue
            before = open_runs.pop((span, look), None) if column else None
            run = before or Run(row, column, "", look, span)
            here[span, look] = run._replace(text=run.text + letter)
        yield from open_runs.values()
        open_runs = here
    yield from open_runs.values()


class Timeline:
    """Classes of things that are to be seen for a while, and the style sheet that moves them."""

    def __init__(self, end: float) -> None:
        self._end = end
        self._numbers: dict[Span, int] = {}

    def mark(self, span: Span) -> str:
        """Return the attribute of something that is to be seen for this span."""
        if span == (0.0, self._end):
            return ""
        number = self._numbers.setdefault(span, len(self._numbers))
        return f' class="a{number:x}"'

    def style(self) -> str:
        """Show the last screen where nothing moves, or nobody wants that."""
        if not self._numbers:
            return ""
        rules = [
            f"[class]{{animation:{self._end:.2f}s step-end infinite}}",
            "@media (prefers-reduced-motion:reduce){[class]{animation:none!important}}",
        ]
        for (start, end), number in self._numbers.items():
            first, last = (f"{100 * at_s / self._end:.2f}%" for at_s in (start, end))
            frames = f"0%{{visibility:{'hidden' if start else 'visible'}}}"
            frames += f"{first}{{visibility:visible}}" if start else ""
            frames += f"{last}{{visibility:hidden}}" if end < self._end else ""
            at_rest = "" if end == self._end else "visibility:hidden;"
            rules.append(f".a{number:x}{{{at_rest}animation-name:k{number:x}}}")
            rules.append(f"@keyframes k{number:x}{{{frames}}}")
        return "".join(rules)


def draw_run(run: Run, timeline: Timeline, ground: str) -> Iterator[str]:
    x, y = round(MARGIN + run.column * CELL_WIDTH, 1), MARGIN + run.row * CELL_HEIGHT
    width, mark = round(len(run.text) * CELL_WIDTH, 1), timeline.mark(run.span)
    if run.look.ground != ground:
        yield (
            f'<rect{mark} x="{x}" y="{y}" width="{width}" height="{CELL_HEIGHT}" '
            f'fill="{run.look.ground}"/>'
        )
    if run.text.strip():
        weight = ' style="font-weight:bold"' if run.look.is_bold else ""
        yield (
            f'<text{mark} x="{x}" y="{y + BASELINE}" textLength="{width}" '
            f'fill="{run.look.ink}"{weight}>{escape(run.text)}</text>'
        )
