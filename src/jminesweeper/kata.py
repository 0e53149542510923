"""The yellow belt kata: a 3x3 sandbox with pictures and messages, bots, and a report.

The rules are the engine's preset `kata`; this module adds the kata's words. It never prints, draws
randomness that it was not handed, or sees more than a player while a bot plays.

Squares are counted as the kata does: ``x;y`` from the bottom-left. Both pictures show ``_`` for no
bomb around, digits, ``*`` for a flag and ``X`` for the bomb that went off. A hidden square is ``-``
in the compact picture and blank in the one with a grid. Bombs stay hidden after the end. Rows are
lines, or separated by slashes. A bot is any function from what a player sees to a cell, so it
cannot cheat.

The kata's six scenarios and twelve numbered examples are data. A board that is printed is one
`Beat`: the moves that lead to it, its picture and its message. Where a title names other squares
than the pictures show, the pictures were followed; how each such oddity was read is in
docs/kata.md. Words carry a result; red and green only repeat it, so a log without colours loses
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.minefield import Minefield, RandomBits, below
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView, Status, parse_board, parse_position

PREFIX = "[Sandbox 3x3] "
CREATED = f"{PREFIX}Game created"
FLAGGED = f"{PREFIX}Square flagged as bomb."
UNFLAGGED = f"{PREFIX}Square unflagged as bomb."

# A square that wins or loses prints only this, not its number.
CLOSING = {
    Status.LOST: f"{PREFIX}BOOM! \N{EN DASH} Game Over.",
    Status.WON: f"{PREFIX}the land is cleared! GOOD JOB!",
}


class KataError(JMinesweeperError):
    """The kata has no such square, picture, bombs or move."""


_AROUND = {0: "No bomb", 1: "1 bomb"}


def bombs_around(count: int) -> str:
    """Say how many bombs touch the square that was stepped on."""
    return f"{PREFIX}{_AROUND.get(count, f'{count} bombs')} around your square."


SANDBOX = Size(3, 3)

_SQUARE = re.compile(r"(\d);(\d)", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Square:
    """A place in the sandbox: ``0;0`` is the bottom-left one, ``2;1`` right in the middle row."""

    x: int
    y: int

    def __post_init__(self) -> None:
        if not SANDBOX.has(self.cell):
            raise KataError(f"there is no square {self} on a board of {SANDBOX}")

    @staticmethod
    def of(cell: Cell) -> Square:
        """Name the engine's cell, which counts its rows from the top."""
        return Square(cell.column, SANDBOX.rows - 1 - cell.row)

    @staticmethod
    def parse(text: str) -> Square:
        match = _SQUARE.fullmatch(text.strip())
        if match is None:
            raise KataError(f"{text!r} is not a square: write x;y, for instance 2;1")
        return Square(int(match[1]), int(match[2]))

    @property
    def cell(self) -> Cell:
        return Cell(self.x, SANDBOX.rows - 1 - self.y)

    def __str__(self) -> str:
        return f"{self.x};{self.y}"


class MoveKind(Enum):
    """The kata's three moves; the value is how a script of moves writes them."""

    STEP = "step"
    MARK = "mark"
    UNMARK = "unmark"


class Move(NamedTuple):
    """One move on one square."""

    kind: MoveKind
    square: Square

    @staticmethod
    def parse(text: str) -> Move:
        """Read a move, for instance ``step 2;1``."""
        word, _, square = text.strip().partition(" ")
        try:
            return Move(MoveKind(word), Square.parse(square))
        except ValueError:
            raise KataError(f"{text!r} is not a move: write step, mark or unmark and x;y") from None

    def __str__(self) -> str:
        title = "Step on" if self.kind is MoveKind.STEP else self.kind.value.capitalize()
        return f"{title} {self.square}"


def parse_moves(script: str) -> tuple[Move, ...]:
    """Read moves separated by commas; an empty script has none."""
    return tuple(Move.parse(text) for text in script.split(",") if text.strip())


_RULER = "+-+-+-+"
_GRID_ROW = re.compile(r"\|([^|])\|([^|])\|([^|])\|")
_COMPACT_ROW = re.compile(r"[-_*X1-8]{3}")
_BOMB_ROW = re.compile(r"[-b]{3}")

_TO_POSITION = str.maketrans("-_*", "?.F")
# A flag where no bomb was looks like any flag, a bomb nobody stepped on like any hidden square.
_FROM_POSITION = str.maketrans("?.F!B", "-_**-")
_TO_BOARD = str.maketrans("-b", ".*")
_HIDDEN_TO_BLANK = str.maketrans("-", " ")
_BLANK_TO_HIDDEN = str.maketrans(" -", "-?")


class PictureStyle(Enum):
    """The pictures of one board that the kata draws."""

    GRID = "grid"
    COMPACT = "compact"


def format_picture(view: PlayerView, style: PictureStyle) -> str:
    compact = str(view).translate(_FROM_POSITION)
    if style is PictureStyle.COMPACT:
        return compact
    rows = compact.translate(_HIDDEN_TO_BLANK).splitlines()
    return "\n".join([_RULER, *(f"|{'|'.join(row)}|\n{_RULER}" for row in rows)])


def parse_picture(text: str, bomb_count: int) -> PlayerView:
    """Read either picture."""
    rows = _rows(text)
    if rows[:1] == [_RULER]:
        # Rows of a grid become those of the compact picture, a wrong one a wrong one.
        if any(ruler != _RULER for ruler in rows[::2]) or len(rows) != 2 * SANDBOX.rows + 1:
            raise KataError(f"a grid has three rows, each between two lines {_RULER}")
        matches = [_GRID_ROW.fullmatch(row) for row in rows[1::2]]
        rows = [
            "".join(match.groups()).translate(_BLANK_TO_HIDDEN) if match else ""
            for match in matches
        ]
    _check(rows, _COMPACT_ROW, "a picture has three rows of three among - _ * X and 1 to 8")
    if sum(row.count("X") for row in rows) > 1:
        raise KataError("only one bomb goes off in a game")
    return parse_position("\n".join(rows).translate(_TO_POSITION), bomb_count)


def parse_bombs(text: str) -> Minefield:
    """Read where the bombs are: rows of ``b`` and ``-``."""
    rows = _rows(text)
    _check(rows, _BOMB_ROW, "bombs are written as three rows of three among b and -")
    return parse_board("\n".join(rows).translate(_TO_BOARD))


def _rows(text: str) -> list[str]:
    return [row.strip() for row in text.replace("/", "\n").strip().splitlines()]


def _check(rows: list[str], shape: re.Pattern[str], complaint: str) -> None:
    if len(rows) != SANDBOX.rows or not all(map(shape.fullmatch, rows)):
        raise KataError(complaint)


BOMB_COUNTS = (1, 3)

_RULES = PRESETS["kata"]


class Answer(NamedTuple):
    """The answer to a move: the square as it looks now, and the message."""

    symbol: str
    message: str


class Sandbox:
    """A game from its creation to its victory or game over. It has no clock."""

    def __init__(self, setup: Setup) -> None:
        self._game = Game(setup)
        self.message = CREATED

    @staticmethod
    def of_seed(bomb_count: int, seed: int) -> Sandbox:
        """Create a game whose bombs follow from a seed."""
        _check_count(bomb_count)
        return Sandbox(Setup.of(SANDBOX, bomb_count, _RULES, seed=seed))

    @staticmethod
    def of_bombs(field: Minefield) -> Sandbox:
        """Create a game whose bombs are placed by hand."""
        _check_count(field.mine_count)
        return Sandbox(Setup.of(field.size, rules=_RULES, layout=field.mines))

    @property
    def view(self) -> PlayerView:
        return self._game.view

    def picture(self, style: PictureStyle) -> str:
        return format_picture(self.view, style)

    def show(self, style: PictureStyle) -> str:
        """Draw the picture with the message below it, as the kata prints a board."""
        return f"{self.picture(style)}\n{self.message}"

    def play(self, move: Move) -> Answer:
        """Do a move; one that would do nothing is an error, for the kata has no words for it."""
        if not self.allows(move):
            raise KataError(f"{str(move).lower()}: {_refusal(self.view, move.square)}")
        kind = ActionKind.REVEAL if move.kind is MoveKind.STEP else ActionKind.FLAG
        self._game.apply(Action(kind, move.square.cell), at_ms=0)
        self.message = _message(self.view, move)
        column, row = move.square.cell
        picture = format_picture(self.view, PictureStyle.COMPACT).splitlines()
        return Answer(picture[row][column], self.message)

    def allows(self, move: Move) -> bool:
        """Return True if the move would do anything."""
        view, cell = self.view, move.square.cell
        is_flagged = view.is_flagged(cell)
        fits = is_flagged is (move.kind is MoveKind.UNMARK)
        return fits and not view.status.is_over and not view.is_visible(cell)


def possible_steps(view: PlayerView) -> tuple[Square, ...]:
    """List the squares that are not open yet, flagged ones too, for a flag is only a guess."""
    if view.status.is_over:
        return ()
    return tuple(map(Square.of, view.grid.cells(view.grid.mask & ~view.visible)))


def has_won(view: PlayerView) -> bool:
    """Decide from a picture alone whether every square without a bomb is open."""
    return view.exploded is None and view.visible_count + view.mine_count == view.size.cells


def _check_count(bombs: int) -> None:
    if bombs not in BOMB_COUNTS:
        raise KataError(f"a sandbox holds 1 or 3 bombs, not {bombs}")


def _message(view: PlayerView, move: Move) -> str:
    if move.kind is MoveKind.MARK:
        return FLAGGED
    if move.kind is MoveKind.UNMARK:
        return UNFLAGGED
    return CLOSING.get(view.status) or bombs_around(view.clue(move.square.cell))


def _refusal(view: PlayerView, square: Square) -> str:
    if view.status.is_over:
        return "the game is over"
    if view.is_visible(square.cell):
        return "the square is open already"
    return "the square is flagged" if view.is_flagged(square.cell) else "the square is not flagged"


Bot = Callable[[PlayerView], Cell]


def random_bot(random_bits: RandomBits) -> Bot:
    """Make a bot that steps on any hidden square, each equally likely."""

    def choose(view: PlayerView) -> Cell:
        steps = (square.cell for square in possible_steps(view))
        hidden = [cell for cell in steps if not view.is_flagged(cell)]
        if not hidden:
            raise KataError("every square is open or flagged")
        return hidden[below(len(hidden), random_bits)]

    return choose


def play_bot(sandbox: Sandbox, bot: Bot) -> Iterator[Move]:
    """Do the bot's steps one by one. A step that does nothing is an error, so the game ends."""
    while not sandbox.view.status.is_over:
        move = Move(MoveKind.STEP, Square.of(bot(sandbox.view)))
        sandbox.play(move)
        yield move


# Scenarios and reports


class Beat(NamedTuple):
    """One printed board; rows are separated by slashes, the message has no prefix."""

    moves: str
    picture: str
    message: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """A game told board by board, drawn in the style of the kata's own text."""

    name: str
    title: str
    style: PictureStyle
    bombs: str
    beats: tuple[Beat, ...]


def _parse(text: str) -> Scenario:
    """Read a scenario: its title, its style and bombs, then a line for each board."""
    title, setup, *beats = text.strip().splitlines()
    style, bombs = setup.split()
    told = (map(str.strip, beat.split("|")) for beat in beats)
    name, _, subject = title.partition(": ")
    return Scenario(name, subject, PictureStyle(style), bombs, tuple(Beat(*each) for each in told))


class Mood(Enum):
    """The colour of a line where there are colours."""

    PLAIN = "plain"
    GREEN = "green"
    RED = "red"

    @staticmethod
    def of(is_good: bool) -> Mood:
        return Mood.GREEN if is_good else Mood.RED


class ReportLine(NamedTuple):
    """One or more lines of text of one mood."""

    text: str
    mood: Mood = Mood.PLAIN


_BLANK = ReportLine("")


class CheckedStep(NamedTuple):
    """One board of a scenario: how it was reached, what it should be and what it is."""

    title: str
    expected: str
    actual: str

    @property
    def is_green(self) -> bool:
        return self.expected == self.actual


@dataclass(frozen=True, slots=True)
class ScenarioVerdict:
    """A scenario that was played, up to its first board that is wrong."""

    scenario: Scenario
    checks: tuple[CheckedStep, ...]

    @property
    def is_green(self) -> bool:
        return all(check.is_green for check in self.checks)


def run_scenario(scenario: Scenario) -> ScenarioVerdict:
    """Play a scenario and compare every board that it prints."""
    field, checks = parse_bombs(scenario.bombs), list[CheckedStep]()
    sandbox = Sandbox.of_bombs(field)
    for beat in scenario.beats:
        picture = format_picture(parse_picture(beat.picture, field.mine_count), scenario.style)
        expected = f"{picture}\n{PREFIX}{beat.message}"
        printed = _play(sandbox, beat, scenario.style)
        checks.append(CheckedStep(beat.moves or "create", expected, printed))
        if not checks[-1].is_green:
            break
    return ScenarioVerdict(scenario, tuple(checks))


def report_scenarios(verdicts: Iterable[ScenarioVerdict]) -> Iterator[ReportLine]:
    """Report each scenario, and at the end which ones are red."""
    green: list[str] = []
    red: list[str] = []
    for verdict in verdicts:
        scenario = verdict.scenario
        (green if verdict.is_green else red).append(scenario.name)
        yield ReportLine(f"{scenario.name}: {scenario.title}")
        for check in verdict.checks:
            yield ReportLine(f"{check.title}\n{check.actual}")
            if not check.is_green:
                yield ReportLine(f"expected:\n{check.expected}", Mood.RED)
        word = "GREEN" if verdict.is_green else "RED"
        yield ReportLine(f"{word}  {scenario.name}", Mood.of(verdict.is_green))
        yield _BLANK
    summary = f"{len(green) + len(red)} played: {len(green)} green, {len(red)} red"
    yield ReportLine(": ".join([summary, ", ".join(red)] if red else [summary]), Mood.of(not red))


def report_bot_game(sandbox: Sandbox, bot: Bot) -> Iterator[ReportLine]:
    """Play a bot's game and report every move."""
    yield from _report_board(sandbox)
    count = 0
    for count, move in enumerate(play_bot(sandbox, bot), 1):
        yield ReportLine(f"{count}. {move}")
        yield from _report_board(sandbox)
    is_won = has_won(sandbox.view)
    word, end = ("GREEN", "Victory") if is_won else ("RED", "Game over")
    yield ReportLine(
        f"{word}  {end} after {count} {'step' if count == 1 else 'steps'}", Mood.of(is_won)
    )


def _play(sandbox: Sandbox, beat: Beat, style: PictureStyle) -> str:
    try:
        for move in parse_moves(beat.moves):
            sandbox.play(move)
    except KataError as error:
        return str(error)
    return sandbox.show(style)


def _report_board(sandbox: Sandbox) -> Iterator[ReportLine]:
    yield ReportLine(sandbox.picture(PictureStyle.GRID))
    yield ReportLine(sandbox.message, Mood.of(sandbox.view.status is not Status.LOST))
    yield _BLANK


# In Scenario 5 the kata writes "[2;0 + 2;1 + 2;2 + 1;2 + 1;2]": its picture shows 0;2 open, so the
# last of these is 0;2.
_TEXT: Final = """
Scenario 1: Game Board Creation phase
grid ---/bb-/-b-
| ---/---/--- | Game created

Scenario 2: Game Over - Step on a bomb on 1;1
grid ---/bb-/-b-
step 1;1 | ---/-X-/--- | BOOM! \N{EN DASH} Game Over.

Scenario 3: Clean square 0;0 and get the number of bombs around
grid ---/bb-/-b-
step 0;0 | ---/---/3-- | 3 bombs around your square.

Scenario 4: Mark the bombs around
grid ---/bb-/-b-
step 0;0, mark 1;0, mark 1;1, mark 0;1 | ---/**-/3*- | Square flagged as bomb.

Scenario 5: Game Victory - After all the squares are cleared
grid ---/bb-/-b-
step 0;0, mark 1;0, mark 1;1, mark 0;1, step 2;0, step 2;1, step 2;2, step 1;2, \
step 0;2 | 221/**2/3*2 | the land is cleared! GOOD JOB!

Scenario 6: Massive cleaning and victory clicking on 0;0
grid --b/---/---
step 0;0 | _1-/_11/___ | the land is cleared! GOOD JOB!

Example 1: Creating an empty 3x3 game board
grid ---/-b-/---
| ---/---/--- | Game created

Example 2: Game Over - Step on a bomb on 1;1
compact ---/-b-/---
step 1;1 | ---/-X-/--- | BOOM! \N{EN DASH} Game Over.

Example 3: Game Over - Step on a bomb on 0;0
compact ---/---/b--
step 0;0 | ---/---/X-- | BOOM! \N{EN DASH} Game Over.

Example 4: Game Over - Step on a bomb on 2;0
compact ---/---/--b
step 2;0 | ---/---/--X | BOOM! \N{EN DASH} Game Over.

Example 5: Game Over - Step on a bomb on 0;1
compact --b/b--/b--
step 2;1 | ---/--1/--- | 1 bomb around your square.
step 0;1 | ---/X-1/--- | BOOM! \N{EN DASH} Game Over.

Example 6: Game Over - Step on a bomb on 0;2
compact b--/--b/-b-
step 2;0 | ---/---/--2 | 2 bombs around your square.
step 2;2 | --1/---/--2 | 1 bomb around your square.
step 0;2 | X-1/---/--2 | BOOM! \N{EN DASH} Game Over.

Example 7: Game Victory - With every bomb marked
compact b-b/---/--b
step 1;2 | -2-/---/--- | 2 bombs around your square.
mark 0;2 | *2-/---/--- | Square flagged as bomb.
mark 2;2 | *2*/---/--- | Square flagged as bomb.
step 0;1 | *2*/1--/--- | 1 bomb around your square.
step 1;1 | *2*/13-/--- | 3 bombs around your square.
step 2;1 | *2*/132/--- | 2 bombs around your square.
step 1;0 | *2*/132/-1- | 1 bomb around your square.
mark 2;0 | *2*/132/-1* | Square flagged as bomb.
step 0;0 | *2*/132/_1* | the land is cleared! GOOD JOB!

Example 8: Game Victory - After all the squares are cleared
compact ---/bb-/-b-
step 0;0 | ---/---/3-- | 3 bombs around your square.
mark 0;1 | ---/*--/3-- | Square flagged as bomb.
mark 1;1 | ---/**-/3-- | Square flagged as bomb.
mark 1;0 | ---/**-/3*- | Square flagged as bomb.
step 2;0 | ---/**-/3*2 | 2 bombs around your square.
step 2;1 | ---/**2/3*2 | 2 bombs around your square.
step 0;2 | 2--/**2/3*2 | 2 bombs around your square.
step 1;2 | 22-/**2/3*2 | 2 bombs around your square.
step 2;2 | 221/**2/3*2 | the land is cleared! GOOD JOB!

Example 9: Game Victory - Without a mark
compact -b-/--b/b--
step 0;2 | 1--/---/--- | 1 bomb around your square.
step 1;1 | 1--/-3-/--- | 3 bombs around your square.
step 0;1 | 1--/23-/--- | 2 bombs around your square.
step 2;0 | 1--/23-/--1 | 1 bomb around your square.
step 1;0 | 1--/23-/-21 | 2 bombs around your square.
step 2;2 | 1-2/23-/-21 | the land is cleared! GOOD JOB!

Example 10: Massive cleaning and victory clicking on 0;0
compact --b/---/---
step 0;0 | _1-/_11/___ | the land is cleared! GOOD JOB!

Example 11: Massive cleaning and victory clicking on 0;2
compact --b/--b/--b
step 0;2 | _2-/_3-/_2- | the land is cleared! GOOD JOB!

Example 12: Game Victory - After a mark is taken back
compact -bb/---/b--
step 2;0 | ---/-32/-1_ | No bomb around your square.
step 0;2 | 1--/-32/-1_ | 1 bomb around your square.
mark 0;1 | 1--/*32/-1_ | Square flagged as bomb.
unmark 0;1 | 1--/-32/-1_ | Square unflagged as bomb.
step 0;1 | 1--/232/-1_ | the land is cleared! GOOD JOB!
"""
SCENARIOS: Final[tuple[Scenario, ...]] = tuple(map(_parse, _TEXT.strip().split("\n\n")))
