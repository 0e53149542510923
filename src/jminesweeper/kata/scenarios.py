"""The kata's six scenarios and twelve numbered examples as data, and the report of what was played.

A board that is printed is one `Beat`: the moves that lead to it, its picture and its message.
Where a title names other squares than the pictures show, the pictures were followed; how each
such oddity was read is in docs/kata.md.

Words carry a result; red and green only repeat it, so a log without colours loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from jminesweeper.core.view import Status
from jminesweeper.kata.sandbox import (
    PREFIX,
    Bot,
    KataError,
    PictureStyle,
    Sandbox,
    format_picture,
    has_won,
    parse_bombs,
    parse_moves,
    parse_picture,
    play_bot,
)


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
