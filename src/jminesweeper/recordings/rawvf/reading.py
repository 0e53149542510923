"""Read a video as the game that it shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, TypeAlias

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import CoreError, NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.recordings.rawvf.mouse import Mouse
from jminesweeper.recordings.rawvf.writing import KNOWN_BOARD, RULES, SQUARE_SIZE, WITH_HELP

Warn: TypeAlias = Callable[[str], None]
"""Takes a sentence about a doubtful video."""

_BUTTONS: Final[Mapping[str, Callable[[Mouse, Cell | None], Action | None]]] = {
    "lc": Mouse.press_left,
    "lr": Mouse.release_left,
    "rc": Mouse.press_right,
    "rr": Mouse.release_right,
    "mc": Mouse.press_middle,
    "mr": Mouse.release_middle,
    "sc": Mouse.press_left_with_shift,
    "mt": Mouse.toggle_marks,
}
_CANNOT: Final = frozenset(
    {"lives", "autoflag", "lawnmower", "elmartechnique", "nonomouse", "superflag"}
)
_NUMBER: Final = re.compile(r"\d{1,5}", re.ASCII)
_MOUSE_EVENT: Final = re.compile(
    r"(-?)(\d{1,11})(?:\.(\d{1,3}))? ([a-z]{2})(?: (-?\d{1,5}) (-?\d{1,5}))?"
    r"(?: ?\( ?(-?\d{1,7}) (-?\d{1,7}) ?\))?(?: ?\([lrm]*\))?",
    re.ASCII,
)
_CLAIMS: Final = {"won": Status.WON, "lost": Status.LOST}
_TIME: Final = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)
_LEEWAY_MS: Final = 1_000
"""Some clocks begin at 1, some leave out the fraction."""
_ABANDONED: Final = re.compile(r"(?:-?[\d.]+ )?nonstandard", re.ASCII)
# What follows from the mouse events, or does nothing to the game.
_NO_ACTION: Final = re.compile(
    r"(?:number[0-8]|closed|flag|pressed|questionmark|pressedqm|blast) -?\d+ -?\d+"
    r"|(?:-?[\d.]+ )?(?:start|blast|boom|lost|defeat|won)"
    r"|-?[\d.]+ (?:mv\b.*|s[xy] -?\d+ -?\d+)",
    re.ASCII,
)


def ignore_doubt(_doubt: str) -> None:
    """Say nothing about what a description claims."""


def parse_rawvf(text: str, warn: Warn = ignore_doubt) -> Game:
    """Read a game; what is wrong is an error that names the line.

    `warn` hears where the result contradicts the description; the clicks decide.
    """
    lines = _Lines(text)
    try:
        description = _read_description(lines)
        game = _read_game(lines, description)
    except CoreError as error:
        raise NotationError(f"line {lines.number}: {error}") from error
    for doubt in _doubts(description, game):
        warn(doubt)
    return game


class _Lines:
    """Lines, one at a time; `number` is that of the last one returned."""

    def __init__(self, text: str) -> None:
        # Not splitlines: a player's name may hold what Python takes for the end of a line.
        self._lines = chain(text.split("\n"))
        self.number = 0

    def put_back(self, line: str) -> None:
        self._lines = chain((line,), self._lines)
        self.number -= 1

    def __iter__(self) -> Iterator[str]:
        while (line := next(self._lines, None)) is not None:
            self.number += 1
            # Single blanks: no pattern then has two ways to take many of them.
            if blanked := " ".join(line.split()):
                yield blanked


class _Description:
    """The header before the board, by names in any case."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values
        for name in sorted(_CANNOT & values.keys()):
            if values[name].lower() not in {"", "0", "off"}:
                raise NotationError(f"games with {name} cannot be read")

    def text(self, name: str) -> str:
        return self._values.get(name.lower(), "").lower()

    def number(self, name: str) -> int | None:
        text = self.text(name)
        if not text:
            return None
        if not _NUMBER.fullmatch(text):
            raise NotationError(f"{name} is no number: {text[:20]!r}")
        return int(text)

    def is_on(self, name: str) -> bool:
        return self.text(name) == "on"

    def rules(self) -> Rules:
        """Return the rules that our own writer notes; any other game is the classic one."""
        text = self._values.get(RULES.lower())
        return PRESETS["classic"] if text is None else Rules.parse(text)


def _read_game(lines: _Lines, description: _Description) -> Game:
    field = _read_board(lines, description.number("Height"))
    _check_sizes(description, field)
    setup = Setup.of(field.size, rules=description.rules(), layout=field.mines)
    mode = description.text("Mode")
    game = Game(setup.as_repeat() if mode == KNOWN_BOARD.lower() else setup)
    if mode == WITH_HELP.lower():
        # What helped, and when, a video does not say.
        game.apply(Action(ActionKind.HINT), 0)
    _read_events(lines, game, description)
    return game


def _read_description(lines: Iterable[str]) -> _Description:
    values: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        key = name.strip().lower()
        if not colon:
            raise NotationError(f"neither 'Name: value' nor 'Board:': {line[:40]!r}")
        if key == "board":
            return _Description(values)
        values[key] = value.strip()
    raise NotationError("there is no 'Board:'")


def _read_board(lines: _Lines, height: int | None) -> Minefield:
    """Read rows up to `Events:`, or as many as the description says: some programs leave it out."""
    rows: list[str] = []
    for line in lines:
        if line.lower() == "events:":
            break
        if len(rows) == height and line.strip("0*"):
            lines.put_back(line)
            break
        rows.append(line)
        _check_row(line, rows)
    else:
        raise NotationError("there is no 'Events:'")
    return parse_board("\n".join(rows).replace("0", "."))


def _check_row(row: str, rows: list[str]) -> None:
    """Refuse a bad row while its line is known, and one row too many."""
    Size(len(row), len(rows))
    if row.strip("0*"):
        raise NotationError(f"a row of the board has 0 and * alone, not {row[:40]!r}")
    if len(row) != len(rows[0]):
        raise NotationError(f"a row of {len(row)} cells below one of {len(rows[0])}")


def _check_sizes(description: _Description, field: Minefield) -> None:
    found = {
        "Width": field.size.columns,
        "Height": field.size.rows,
        "Mines": field.mine_count,
    }
    for name, number in found.items():
        if description.number(name) not in {None, number}:
            raise NotationError(f"{name} is {description.number(name)}, the board has {number}")


def _read_events(lines: Iterable[str], game: Game, description: _Description) -> None:
    mouse = Mouse(
        game, left_chords=description.is_on("SuperClick"), has_marks=description.is_on("Marks")
    )
    square = description.number("SquareSize") or SQUARE_SIZE
    for line in lines:
        if (match := _MOUSE_EVENT.fullmatch(line)) and (button := _BUTTONS.get(match[4])):
            action = button(mouse, _cell(match, square, game.grid))
            if action is not None:
                game.apply(action, _at_ms(match))
        elif _ABANDONED.fullmatch(line):
            game.terminate()
        elif not _NO_ACTION.fullmatch(line):
            raise NotationError(f"not an event: {line[:40]!r}")


def _at_ms(match: re.Match[str]) -> int:
    """Read the time; what was clicked before the clock ran counts from its start."""
    sign, seconds, fraction = match[1], match[2], match[3] or ""
    return 0 if sign else 1000 * int(seconds) + int(fraction.ljust(3, "0"))


def _cell(match: re.Match[str], square: int, grid: Grid) -> Cell | None:
    """Find the cell, by the pixel or else by its numbers from 1; None is outside the board.

    Programs compute cell numbers from the pixel, some of them wrongly: they count from 0, or take
    a place just outside the board for a cell.
    """
    if match[7] is not None:
        cell = Cell(int(match[7]) // square, int(match[8]) // square)
    elif match[5] is not None:
        cell = Cell(int(match[5]) - 1, int(match[6]) - 1)
    else:
        return None
    return cell if grid.size.has(cell) else None


def _doubts(description: _Description, game: Game) -> Iterator[str]:
    """Warn where the description claims another end than the clicks show."""
    claimed = _CLAIMS.get(description.text("Status"))
    if claimed not in {None, game.status}:
        yield f"the description says {claimed.value}, its clicks say {game.status.value}"
    time = _TIME.fullmatch(description.text("Time"))
    if time and game.status in _CLAIMS.values():
        time_ms = round(1000 * float(time[0]))
        if abs(time_ms - game.elapsed_ms) > _LEEWAY_MS:
            clicked = _seconds(game.elapsed_ms)
            yield f"the description says {_seconds(time_ms)}, its clicks say {clicked}"


def _seconds(time_ms: int) -> str:
    return f"{time_ms / 1000:.3f} s"
