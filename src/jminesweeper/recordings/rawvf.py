"""Games in RAWVF, the text format in which Minesweeper programs exchange videos of games.

::

    RawVF_Version: Rev7
    Width: 3
    ...
    Board:
    *00
    00*
    Events:
    0.000 start
    0.000 lc 2 1 (24 8)
    0.000 lr 2 1 (24 8)

It holds a board, mouse events and nothing else: undone actions and hints are left out.
`format_rawvf` writes a game as such a video, `parse_rawvf` reads a video as the game that it shows.

Reading follows the buttons (`Mouse`) as the programs that record videos understand them. A click
counts when it is released; both buttons together, the middle one, or the left one with Shift are a
chord; a chord counts once, at the first release. A right click flags when pressed. A click without
effect is a click too: efficiency and correctness are measured by all of them. Where such a click
would do something here, it is moved to a cell where it does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, TypeAlias

from jminesweeper.core.actions import Action, ActionKind, pack_entry
from jminesweeper.core.errors import CoreError, NotationError, check_kind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size, lowest
from jminesweeper.core.minefield import Minefield, read_clue
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import board_name
from jminesweeper.core.view import Status, parse_board

VERSION: Final = "Rev7"
SQUARE_SIZE: Final = 16
"""The side of a cell in pixels, if the video does not say."""
WITH_HELP: Final = "Cheat"
KNOWN_BOARD: Final = "UPK"
"""Unfair prior knowledge: what other programs call a repeat."""
RULES: Final = "JMinesweeper_Rules"
"""The line in which our own writer notes the rules."""

_QUESTION: Final = ActionKind.QUESTION
_RIGHT: Final = frozenset({ActionKind.FLAG, _QUESTION})
_CLICKS: Final[Mapping[ActionKind, tuple[str, str]]] = {
    ActionKind.REVEAL: ("lc", "lr"),
    ActionKind.FLAG: ("rc", "rr"),
    ActionKind.CHORD: ("mc", "mr"),
    ActionKind.QUESTION: ("rc", "rr"),
}
_ENDS: Final[Mapping[Status, str]] = {
    Status.WON: "won",
    Status.LOST: "boom",
    Status.TERMINATED: "nonstandard",
}


def format_rawvf(game: Game) -> str:
    """Write a game; NotationError if the format cannot express it."""
    check_kind("game", game, Game, "a Game")
    shown = without_undone(game)
    board = str(shown.reveal_truth()).replace(".", "0")
    lines = [*_description(shown, game), "Board:", board, "Events:", *_events(shown), ""]
    return "\n".join(lines)


def without_undone(game: Game) -> Game:
    """Replay a game on its final mines, without undone actions."""
    kept: list[int] = []
    steps: list[int] = []
    played = Game(game.setup)
    for entry, (at_ms, action, _) in zip(game.log.entries, game.log, strict=True):
        written, first = entry, None if played.visible else game.setup.first
        has_changed = played.apply(action, at_ms)
        if has_changed and action.kind is ActionKind.REVEAL and first is not None:
            # No other program opens another cell than the one that was clicked.
            written = pack_entry(at_ms, ActionKind.REVEAL, game.grid.index(first))
        if action.kind is ActionKind.UNDO:
            # A click that failed since then might succeed on the board as it was before.
            del kept[steps.pop() :]
        elif action.kind in _CLICKS:
            if has_changed:
                steps.append(len(kept))
            elif action.kind is _QUESTION:
                # Without a flag no program has such a click.
                continue
            kept.append(written)
    laid = Setup(game.setup.variant, layout=game.reveal_truth().mines)
    again = Game.replay(laid, kept)
    if game.status is Status.TERMINATED:
        again.terminate()
    if again.view != game.view:
        raise NotationError("the game was played on other mines before its first reveal")
    return again


def _description(shown: Game, game: Game) -> Iterator[str]:
    size, mine_count, rules = shown.setup.size, shown.setup.mine_count, shown.setup.rules
    yield f"RawVF_Version: {VERSION}"
    yield "Program: JMinesweeper"
    yield f"Level: {board_name(size, mine_count).capitalize()}"
    yield f"Width: {size.columns}"
    yield f"Height: {size.rows}"
    yield f"Mines: {mine_count}"
    yield f"Marks: {'On' if _has_marks(shown) else 'Off'}"
    yield f"SquareSize: {SQUARE_SIZE}"
    yield f"Time: {_seconds(shown.elapsed_ms)}"
    if shown.status in {Status.WON, Status.LOST}:
        yield f"Status: {shown.status.value}"
    mode = KNOWN_BOARD if game.setup.variant.is_repeat else "Classic"
    yield f"Mode: {WITH_HELP if game.assisted else mode}"
    yield f"SuperClick: {'On' if rules.chording else 'Off'}"
    yield "BoardEvents: On"
    yield f"{RULES}: {rules.text}"


def _events(shown: Game) -> Iterator[str]:
    game = Game(shown.setup)
    grid = game.grid
    yield "0.000 start"
    has_marks = _has_marks(shown)
    for at_ms, action, _ in shown.log:
        before = game.view
        if action.cell is not None:
            is_marked = bool((before.flagged | before.questioned) & game.grid.bit(action.cell))
            if is_marked and action.kind in _RIGHT and has_marks != (action.kind is _QUESTION):
                has_marks = not has_marks
                yield _mouse_event(at_ms, "mt", action.cell)
            for event in _CLICKS[action.kind]:
                yield _mouse_event(at_ms, event, action.cell)
        game.apply(action, at_ms)
        # What has changed on the board since the click before.
        planes = game.reveal_truth().clue_planes
        for cell in grid.cells(game.visible & ~before.visible):
            is_fatal = cell == game.exploded
            yield _on("blast" if is_fatal else f"number{read_clue(planes, grid.index(cell))}", cell)
        for cell in grid.cells(game.flagged & ~before.flagged):
            yield _on("flag", cell)
        for cell in grid.cells(game.questioned & ~before.questioned):
            yield _on("questionmark", cell)
        marked = before.flagged | before.questioned
        for cell in grid.cells(marked & ~(game.flagged | game.questioned | game.visible)):
            yield _on("closed", cell)
    if end := _ENDS.get(shown.status):
        yield end


def _has_marks(shown: Game) -> bool:
    return bool(shown.log.count_kinds()[_QUESTION])


def _mouse_event(at_ms: int, event: str, cell: Cell) -> str:
    x, y = (SQUARE_SIZE * place + SQUARE_SIZE // 2 for place in cell)
    return f"{_seconds(at_ms)} {event} {cell.column + 1} {cell.row + 1} ({x} {y})"


def _on(event: str, cell: Cell) -> str:
    return f"{event} {cell.column + 1} {cell.row + 1}"


def _seconds(at_ms: int) -> str:
    return f"{at_ms // 1000}.{at_ms % 1000:03}"


class Mouse:
    """Three buttons over the board of a game; each method returns the action that it makes.

    The cell is None outside the board.
    """

    def __init__(self, game: Game, *, left_chords: bool, has_marks: bool) -> None:
        self._game = game
        self._left_chords = left_chords
        self._has_marks = has_marks
        self._left = self._right = self._middle = self._shift = False
        self._is_spent = False
        """A chord was made: the button still down does nothing more."""
        self._has_flagged = False
        """The right button is still down and has already acted."""
        self._right_cell: Cell | None = None
        """The cell where the right button was pressed."""

    def press_left(self, _cell: Cell | None) -> None:
        if not self._middle:
            self._left, self._shift = True, False

    def press_left_with_shift(self, _cell: Cell | None) -> None:
        if not self._middle:
            self._left = self._shift = True

    def release_left(self, cell: Cell | None) -> Action | None:
        was_down, self._left = self._left, False
        if not was_down or cell is None:
            self._is_spent = self._is_spent and not was_down
            return None
        if self._right or self._shift:
            self._is_spent, self._shift = self._right, False
            return Action(ActionKind.CHORD, cell)
        was_spent, self._is_spent = self._is_spent, False
        if self._left_chords and self._is_open(cell):
            return Action(ActionKind.REVEAL, cell)
        return None if was_spent else Action(ActionKind.REVEAL, self._without_chord(cell))

    def _without_chord(self, cell: Cell) -> Cell:
        """Return a flag beside a number whose click would chord here but did nothing there."""
        game, index = self._game, self._game.grid.index(cell)
        flags = game.grid.around(index) & game.flagged
        if not (game.setup.rules.chording and self._is_open(cell) and flags):
            return cell
        is_met = read_clue(game.reveal_truth().clue_planes, index) == flags.bit_count()
        return game.grid.cell(lowest(flags).bit_length() - 1) if is_met else cell

    def press_right(self, cell: Cell | None) -> Action | None:
        if self._middle:
            return None
        self._right, self._shift, self._right_cell = True, False, cell
        if cell is None or self._left or self._is_open(cell):
            return None
        self._has_flagged, self._is_spent = True, False
        # From no mark to a flag, to a question mark where there are any, and back.
        marked = self._game.flagged | self._game.questioned
        if self._has_marks and marked & self._game.grid.bit(cell):
            return Action(ActionKind.QUESTION, cell)
        return Action(ActionKind.FLAG, cell)

    def release_right(self, cell: Cell | None) -> Action | None:
        if not self._right:
            return None
        self._right = self._shift = False
        has_flagged, self._has_flagged = self._has_flagged, False
        was_spent, self._is_spent = self._is_spent, self._left
        if cell is None:
            return None
        if self._left:
            return Action(ActionKind.CHORD, cell)
        pressed = self._right_cell or cell
        is_wasted = self._is_open(pressed) and not (has_flagged or was_spent)
        return Action(ActionKind.FLAG, pressed) if is_wasted else None

    def press_middle(self, _cell: Cell | None) -> None:
        self._left = self._right = self._shift = self._is_spent = self._has_flagged = False
        self._middle = True

    def release_middle(self, cell: Cell | None) -> Action | None:
        was_down, self._middle = self._middle, False
        return Action(ActionKind.CHORD, cell) if was_down and cell is not None else None

    def toggle_marks(self, _cell: Cell | None) -> None:
        self._has_marks = not self._has_marks

    def _is_open(self, cell: Cell) -> bool:
        return bool(self._game.visible & self._game.grid.bit(cell))


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
    """Read a game; a mistake raises an error that names the line.

    `warn` hears where the result contradicts the description; the clicks decide.
    """
    check_kind("text", text, str, "a text")
    lines = _Lines(text)
    try:
        description = _read_description(lines)
        game = _read_game(lines, description)
    except CoreError as error:
        raise NotationError(f"line {lines.number}: {error}") from error
    # The description may claim another end than the clicks show.
    claimed = _CLAIMS.get(description.text("Status"))
    if claimed not in {None, game.status}:
        warn(f"the description says {claimed.value}, its clicks say {game.status.value}")
    time = _TIME.fullmatch(description.text("Time"))
    if time and game.status in _CLAIMS.values():
        time_ms = round(1000 * float(time[0]))
        if abs(time_ms - game.elapsed_ms) > _LEEWAY_MS:
            clicked = _spoken_seconds(game.elapsed_ms)
            warn(f"the description says {_spoken_seconds(time_ms)}, its clicks say {clicked}")
    return game


class _Lines:
    """Lines, one at a time; `number` is the last one's."""

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
    size = field.size
    found = {"Width": size.columns, "Height": size.rows, "Mines": field.mine_count}
    for name, number in found.items():
        if description.number(name) not in {None, number}:
            raise NotationError(f"{name} is {description.number(name)}, the board has {number}")
    setup = Setup.of(field.size, rules=description.rules(), layout=field.mines)
    mode = description.text("Mode")
    game = Game(setup.as_repeat() if mode == KNOWN_BOARD.lower() else setup)
    if mode == WITH_HELP.lower():
        # What helped, and when, a video does not say.
        game.apply(Action(ActionKind.HINT), 0)
    mouse = Mouse(
        game, left_chords=description.is_on("SuperClick"), has_marks=description.is_on("Marks")
    )
    square = description.number("SquareSize") or SQUARE_SIZE
    for line in lines:
        if (match := _MOUSE_EVENT.fullmatch(line)) and (button := _BUTTONS.get(match[4])):
            action = button(mouse, _cell(match, square, game.grid))
            if action is not None:
                # What was clicked before the clock ran counts from its start.
                sign, seconds, fraction = match[1], match[2], match[3] or ""
                at_ms = 0 if sign else 1000 * int(seconds) + int(fraction.ljust(3, "0"))
                game.apply(action, at_ms)
        elif _ABANDONED.fullmatch(line):
            game.terminate()
        elif not _NO_ACTION.fullmatch(line):
            raise NotationError(f"not an event: {line[:40]!r}")
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
        # A bad row, or one too many, is refused while its line is known.
        Size(len(line), len(rows))
        if line.strip("0*"):
            raise NotationError(f"a row of the board has 0 and * alone, not {line[:40]!r}")
        if len(line) != len(rows[0]):
            raise NotationError(f"a row of {len(line)} cells below one of {len(rows[0])}")
    else:
        raise NotationError("there is no 'Events:'")
    return parse_board("\n".join(rows).replace("0", "."))


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


def _spoken_seconds(time_ms: int) -> str:
    return f"{time_ms / 1000:.3f} s"
