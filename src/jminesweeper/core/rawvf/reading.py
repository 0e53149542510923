"""From a video to the game that it shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import CoreError, NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rawvf.mouse import Mouse
from jminesweeper.core.rawvf.writing import RULES, SQUARE_SIZE
from jminesweeper.core.record import parse_rules
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import Setup

_BUTTONS: Final[Mapping[str, Callable[[Mouse, Cell | None], ActionKind | None]]] = {
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
_ABANDONED: Final = re.compile(r"(?:-?[\d.]+ )?nonstandard", re.ASCII)
# What follows from the mouse events, or does nothing to the game.
_NO_ACTION: Final = re.compile(
    r"(?:number[0-8]|closed|flag|pressed|questionmark|pressedqm|blast) -?\d+ -?\d+"
    r"|(?:-?[\d.]+ )?(?:start|blast|boom|lost|defeat|won)"
    r"|-?[\d.]+ (?:mv\b.*|s[xy] -?\d+ -?\d+)",
    re.ASCII,
)


def parse_rawvf(text: str) -> Game:
    """Read a game; what is wrong is an error that names the line."""
    lines = _Lines(text)
    try:
        return _read_game(lines)
    except CoreError as error:
        raise NotationError(f"line {lines.number}: {error}") from error


class _Lines:
    """Lines one by one; `number` is that of the last one given."""

    def __init__(self, text: str) -> None:
        # Not splitlines: a player's name may hold what Python takes for the end of a line.
        self._lines = iter(text.split("\n"))
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.number += 1
            # Single blanks: no pattern then has two ways to take many of them.
            if blanked := " ".join(line.split()):
                yield blanked


class _Description:
    """What stands before the board, by names in whatever case."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values
        for name in sorted(_CANNOT & values.keys()):
            if values[name].lower() not in {"", "0", "off"}:
                raise NotationError(f"games with {name} cannot be read")

    def number(self, name: str) -> int | None:
        text = self._values.get(name.lower(), "")
        if not text:
            return None
        if not _NUMBER.fullmatch(text):
            raise NotationError(f"{name} is no number: {text[:20]!r}")
        return int(text)

    def is_on(self, name: str) -> bool:
        return self._values.get(name.lower(), "").lower() == "on"

    def rules(self) -> Rules:
        """Return the rules that our own writer notes; anybody else's game is the classic one."""
        text = self._values.get(RULES.lower())
        return PRESETS["classic"] if text is None else parse_rules(text)


def _read_game(lines: _Lines) -> Game:
    description = _read_description(lines)
    field = _read_board(lines)
    _check_sizes(description, field)
    game = Game(Setup.of(field.size, rules=description.rules(), layout=field.mines))
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


def _read_board(lines: Iterable[str]) -> Minefield:
    rows: list[str] = []
    for line in lines:
        if line.lower() == "events:":
            return parse_board("\n".join(rows).replace("0", "."))
        rows.append(line)
        _check_row(line, rows)
    raise NotationError("there is no 'Events:'")


def _check_row(row: str, rows: list[str]) -> None:
    """Complain about a row while its line is known, and before there are too many."""
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
            cell = _cell(match, square, game.grid)
            kind = button(mouse, cell)
            if kind is not None:
                game.apply(Action(kind, cell), _at_ms(match))
        elif _ABANDONED.fullmatch(line):
            game.terminate()
        elif not _NO_ACTION.fullmatch(line):
            raise NotationError(f"not an event: {line[:40]!r}")


def _at_ms(match: re.Match[str]) -> int:
    """Read the time; what was clicked before the clock ran counts from its start."""
    sign, seconds, fraction = match[1], match[2], match[3] or ""
    return 0 if sign else 1000 * int(seconds) + int(fraction.ljust(3, "0"))


def _cell(match: re.Match[str], square: int, grid: Grid) -> Cell | None:
    """Find the cell, by its numbers from 1 or else by the pixel; None is beside the board."""
    if match[5] is not None:
        cell = Cell(int(match[5]) - 1, int(match[6]) - 1)
    elif match[7] is not None:
        cell = Cell(int(match[7]) // square, int(match[8]) // square)
    else:
        return None
    return cell if grid.size.has(cell) else None
