"""A game as a picture that moves: SVG, which browsers and chats play without a program.

Every layer is drawn as it is in the end, so a viewer without animation shows how the game ended.
What looked otherwise before is said by `set` elements of SMIL: they hide or show a group of cells
for some time. Cells that change together are one group, so a game of 480 cells is some 50 KB. All
times count from the beginning of `r`, which starts again when it ends.

A moment in the picture is not one of the game: pauses are shortened, and the whole fits some
seconds. Nothing is drawn that the player did not see: mines only where the game shows them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, bits, indices
from jminesweeper.core.minefield import read_clue
from jminesweeper.core.view import Status
from jminesweeper.recordings.recording import Recording

LONGEST_S: Final = 24.0
"""Longest time of the actions."""
END_S: Final = 4.0
"""Time for which the end is seen before the game begins again."""
_LONGEST_PAUSE_S: Final = 1.5
_SHORTEST_S: Final = 0.04
_SIDE: Final = 20
_FOOT: Final = 24
_LETTER: Final = 9
_RESULTS: Final = {
    Status.WON: "won",
    Status.LOST: "lost",
    Status.TERMINATED: "given up",
    Status.ONGOING: "unfinished",
}
_STYLE: Final = (
    "text{font:bold 14px monospace;text-anchor:middle}"
    ".c{fill:#8593ad;stroke:#6b7896}.o{fill:#e8ebf2;stroke:#c9cfdb}.x{fill:#e5484d}"
    ".k{fill:none;stroke:#ffd60a;stroke-width:3}"
    "#f{fill:#b42318}#m{fill:#1c2333}#w{stroke:#1c2333;stroke-width:2}"
    "#n1{fill:#1d4ed8}#n2{fill:#15803d}#n3{fill:#c81e1e}#n4{fill:#3b1d8f}"
    "#n5{fill:#8a1c1c}#n6{fill:#0e7490}#n7{fill:#111}#n8{fill:#5b6472}"
)
_SHAPES: Final = (
    '<path id="f" d="M7 4v12h2v-5l6-3.5z"/><circle id="m" cx="10" cy="10" r="5"/>'
    '<path id="w" d="M5 5l10 10m0-10l-10 10"/>'
    + "".join(f'<text id="n{clue}" x="10" y="15">{clue}</text>' for clue in range(1, 9))
)


_ESCAPED: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
"""By hand: every server that starts would load `html`, with a table of over 2,000 entities."""


def format_svg(game: Game) -> str:
    """Write a game as an animated picture."""
    recording, grid = Recording(game), game.grid
    # Pauses are shortened, and all positions shown within the longest time.
    begins_s = [0.0]
    for number in range(1, recording.last + 1):
        pause_s = (recording.at_ms(number) - recording.at_ms(number - 1)) / 1000
        begins_s.append(begins_s[-1] + min(max(pause_s, _SHORTEST_S), _LONGEST_PAUSE_S))
    scale = min(1.0, LONGEST_S / max(begins_s[-1], 1e-9))
    begins_s = [begin_s * scale for begin_s in begins_s]
    covered, flagged, hit, cursor = [], [], [], []
    field = game.reveal_truth()
    for number in range(recording.last + 1):
        then = recording.position(number)
        covered.append(grid.mask & ~(then.visible | then.known))
        flagged.append(then.flagged)
        hit.append(then.known | then.visible & field.mines)
        cursor.append(recording.cell(number))
    shown = game.view.shown_mines or 0
    at_end = [0] * recording.last

    def cells(board: int) -> Iterator[Cell]:
        return map(grid.cell, indices(board))

    def tiles(board: int, kind: str) -> str:
        places = (f"M{_SIDE * column} {_SIDE * row}h20v20h-20z" for column, row in cells(board))
        return f'<path class="{kind}" d="{"".join(places)}"/>'

    def shapes(board: int, name: Callable[[int], str]) -> str:
        return "".join(
            f'<use href="#{name(index)}" x="{_SIDE * (cell := grid.cell(index)).column}"'
            f' y="{_SIDE * cell.row}"/>'
            for index in indices(board)
        )

    def layer(boards: Sequence[int], draw: Callable[[int], str]) -> str:
        groups = _groups(boards).items()
        return "".join(_group(draw(board), spans, begins_s) for spans, board in groups)

    never_opened = grid.mask
    for board in covered:
        never_opened &= board
    clues = {
        index: read_clue(field.clue_planes, index)
        for index in indices(grid.mask & ~(never_opened | field.mines))
    }
    numbers = bits(index for index, clue in clues.items() if clue)
    width, height = _SIDE * grid.size.columns, _SIDE * grid.size.rows
    said = f"{game.setup.variant.label}: {_RESULTS[game.status]}, {game.elapsed_ms / 1000:.3f} s"
    said = said.translate(_ESCAPED)
    # A narrow board has a narrow line.
    is_long = len(said) * _LETTER > width
    squeezed = f' textLength="{width - 4}" lengthAdjust="spacingAndGlyphs"' if is_long else ""
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + _FOOT}">',
            f"<title>{said}</title><style>{_STYLE}</style><defs>{_SHAPES}</defs>",
            '<rect width="100%" height="100%" fill="#bdc3cf"><animate id="r" attributeName="x"',
            f' values="0;0" begin="0s;r.end" dur="{begins_s[-1] + END_S:g}s"/></rect>',
            tiles(grid.mask, "o"),
            shapes(numbers, lambda index: f"n{clues[index]}"),
            layer(covered, lambda board: tiles(board, "c")),
            layer(hit, lambda board: tiles(board, "x") + shapes(board, lambda _: "m")),
            layer(
                [*at_end, shown & ~(flagged[-1] | hit[-1])],
                lambda board: shapes(board, lambda _: "m"),
            ),
            layer(flagged, lambda board: shapes(board, lambda _: "f")),
            layer(
                [*at_end, flagged[-1] & ~shown if shown else 0],
                lambda board: shapes(board, lambda _: "w"),
            ),
            _cursor(cursor, begins_s),
            f'<text x="{width / 2:g}" y="{height + 17}"{squeezed}>{said}</text></svg>\n',
        )
    )


_Spans: TypeAlias = tuple[tuple[int, int], ...]
"""Positions from which something is so, and those from which it is not any more."""


def _groups(boards: Sequence[int]) -> Mapping[_Spans, int]:
    """Gather the cells that are on a board at the same positions."""
    began: dict[int, int] = {}
    spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    before = 0
    for number, board in enumerate([*boards, 0]):
        for index in indices(board ^ before):
            if board >> index & 1:
                began[index] = number
            else:
                spans[index].append((began.pop(index), number))
        before = board
    groups: defaultdict[_Spans, int] = defaultdict(int)
    for index, each in spans.items():
        groups[tuple(each)] |= 1 << index
    return groups


def _group(content: str, spans: _Spans, moments_s: Sequence[float]) -> str:
    """Draw something as it is in the end, and hide or show it at the times that differ."""
    end = len(moments_s)
    is_there = spans[-1][1] == end
    if is_there:
        stops = [stop for _start, stop in spans[:-1]]
        spans = tuple(zip([0, *stops], [start for start, _stop in spans], strict=True))
    usual, other = ("visible", "hidden") if is_there else ("hidden", "visible")
    changes = "".join(
        f'<set attributeName="visibility" to="{other}" begin="r.begin+{moments_s[start]:.3f}s"'
        f' dur="{moments_s[stop] - moments_s[start]:.3f}s"/>'
        for start, stop in spans
        if start < stop
    )
    return f'<g visibility="{usual}">{content}{changes}</g>'


def _cursor(cells: Sequence[Cell], moments_s: Sequence[float]) -> str:
    """Draw a frame that goes from one cell to the next."""
    long_s = moments_s[-1] + END_S
    times = ";".join(f"{moment_s / long_s:.4f}" for moment_s in moments_s)
    moved = "".join(
        f'<animate attributeName="{name}" calcMode="discrete" begin="r.begin" dur="{long_s:g}s"'
        f' keyTimes="{times}" values="{";".join(str(_SIDE * place) for place in places)}"/>'
        for name, places in (
            ("x", [cell.column for cell in cells]),
            ("y", [cell.row for cell in cells]),
        )
    )
    x, y = _SIDE * cells[-1].column, _SIDE * cells[-1].row
    return f'<rect class="k" x="{x}" y="{y}" width="20" height="20">{moved}</rect>'
