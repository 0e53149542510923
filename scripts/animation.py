"""A recording of a terminal as a picture that moves by itself: an SVG with a style sheet.

Every place of the screen has a history: what it showed, and from when to when. Neighbours with one
look and one history are one shape, which a rule of the style sheet shows for that while. So each
character is written once for as long as it stays, and a whole game is smaller than a photograph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias
from xml.sax.saxutils import escape

import pyte

Event: TypeAlias = tuple[float, str]
"""When something was written, in seconds, and what."""

FONT: Final = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
CELL_WIDTH: Final = 8.4
CELL_HEIGHT: Final = 17
BASELINE: Final = 13
MARGIN: Final = 10
GROUND: Final = "#0d1117"
INK: Final = "#d0d7de"
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
"""What is written within so short a time is one frame."""


class Look(NamedTuple):
    """How a character stands on the screen."""

    ink: str
    ground: str
    is_bold: bool


class Span(NamedTuple):
    """From when to when something is to be seen."""

    start: float
    end: float


class Run(NamedTuple):
    """Characters beside each other that look alike and come and go together."""

    row: int
    column: int
    text: str
    look: Look
    span: Span


Character: TypeAlias = tuple[str, Look]


def colour(name: str, default: str) -> str:
    if name == "default":
        return default
    return NAMED.get(name.removeprefix("bright")) or f"#{name}"


def look_of(character: pyte.screens.Char) -> Look:
    ink, ground = colour(character.fg, INK), colour(character.bg, GROUND)
    if character.reverse:
        ink, ground = ground, ink
    return Look(ink, ground, character.bold)


class Histories:
    """What each place of the screen has shown, and where the cursor was."""

    def __init__(self, events: Sequence[Event], columns: int, rows: int) -> None:
        self.end = events[-1][0]
        self._columns, self._rows = columns, rows
        self._screen = pyte.Screen(columns, rows)
        self._now: dict[tuple[int, int], tuple[float, Character]] = {}
        self._past: dict[tuple[int, int], list[tuple[Span, Character]]] = {}
        self._cursor = (0.0, (0, 0))
        self.cursors: list[tuple[Span, tuple[int, int]]] = []
        stream = pyte.Stream(self._screen)
        for number, (at_s, text) in enumerate(events):
            stream.feed(text)
            if number + 1 == len(events) or events[number + 1][0] - at_s > FRAME_S:
                self._note(at_s)
        for place, (since, character) in self._now.items():
            self._past.setdefault(place, []).append((Span(since, self.end), character))
        self.cursors.append((Span(self._cursor[0], self.end), self._cursor[1]))

    def runs(self) -> Iterator[Run]:
        """Join what can be drawn at once."""
        for row in range(self._rows):
            open_runs: dict[tuple[Span, Look], Run] = {}
            for column in range(self._columns):
                here: dict[tuple[Span, Look], Run] = {}
                for span, (letter, look) in self._past.get((row, column), []):
                    if letter == " " and look.ground == GROUND:
                        continue
                    before = open_runs.pop((span, look), None) or Run(row, column, "", look, span)
                    here[span, look] = before._replace(text=before.text + letter)
                yield from open_runs.values()
                open_runs = here
            yield from open_runs.values()

    def _note(self, at_s: float) -> None:
        for row in range(self._rows):
            line = self._screen.buffer[row]
            for column in range(self._columns):
                character = (line[column].data, look_of(line[column]))
                since, before = self._now.get((row, column), (0.0, None))
                if character != before:
                    if before is not None and since < at_s:
                        past = self._past.setdefault((row, column), [])
                        past.append((Span(since, at_s), before))
                    self._now[row, column] = (at_s, character)
        since, place = self._cursor
        cursor = (self._screen.cursor.y, self._screen.cursor.x)
        if cursor != place:
            if since < at_s:
                self.cursors.append((Span(since, at_s), place))
            self._cursor = (at_s, cursor)


class Timeline:
    """Classes of things that are to be seen for a while, and the style sheet that moves them."""

    def __init__(self, end: float) -> None:
        self._end = end
        self._numbers: dict[Span, int] = {}

    def mark(self, span: Span) -> str:
        """Return the attribute of something that is to be seen for this span."""
        if span == Span(0.0, self._end):
            return ""
        number = self._numbers.setdefault(span, len(self._numbers))
        return f' class="a{number:x}"'

    def style(self) -> str:
        """Show the last screen where nothing moves, or nobody wants that."""
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


def draw(events: Sequence[Event], columns: int, rows: int) -> str:
    """Draw a recording as a picture that moves."""
    histories = Histories(events, columns, rows)
    timeline = Timeline(histories.end)
    shapes = [shape for run in histories.runs() for shape in draw_run(run, timeline)]
    for span, (row, column) in histories.cursors:
        x, y = place(row, column)
        shapes.append(
            f'<rect{timeline.mark(span)} x="{x}" y="{y}" width="{CELL_WIDTH}" '
            f'height="{CELL_HEIGHT}" fill="{INK}" fill-opacity=".45"/>'
        )
    width = round(columns * CELL_WIDTH + 2 * MARGIN)
    height = rows * CELL_HEIGHT + 2 * MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
            "<title>A game of JMinesweeper in a terminal</title>",
            f"<style>text{{white-space:pre;font:14px {FONT}}}{timeline.style()}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{GROUND}"/>',
            *shapes,
            "</svg>\n",
        ]
    )


def place(row: int, column: int) -> tuple[float, float]:
    return round(MARGIN + column * CELL_WIDTH, 1), MARGIN + row * CELL_HEIGHT


def draw_run(run: Run, timeline: Timeline) -> Iterator[str]:
    x, y = place(run.row, run.column)
    width, mark = round(len(run.text) * CELL_WIDTH, 1), timeline.mark(run.span)
    if run.look.ground != GROUND:
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
