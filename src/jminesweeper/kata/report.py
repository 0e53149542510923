"""The output of BOT mode and the scenarios, line by line: plain text, and whether it is good.

Words carry the result; red and green only repeat it, so a log without colours loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

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
from jminesweeper.kata.scenarios import Beat, Scenario


class Mood(Enum):
    """What colour a line has where there are colours."""

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


class Check(NamedTuple):
    """One board of a scenario: how it was reached, what it should be and what it is."""

    title: str
    expected: str
    actual: str

    @property
    def is_green(self) -> bool:
        return self.expected == self.actual


@dataclass(frozen=True, slots=True)
class Verdict:
    """A scenario that was played, up to its first board that is wrong."""

    scenario: Scenario
    checks: tuple[Check, ...]

    @property
    def is_green(self) -> bool:
        return all(check.is_green for check in self.checks)


def run_scenario(scenario: Scenario) -> Verdict:
    """Play a scenario and compare every board that it prints."""
    return Verdict(scenario, tuple(_checks(scenario)))


def report_scenarios(verdicts: Iterable[Verdict]) -> Iterator[ReportLine]:
    """Report each scenario, and at the end which ones are red."""
    green: list[str] = []
    red: list[str] = []
    for verdict in verdicts:
        (green if verdict.is_green else red).append(verdict.scenario.name)
        yield from _report_verdict(verdict)
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


def _checks(scenario: Scenario) -> Iterator[Check]:
    field = parse_bombs(scenario.bombs)
    sandbox = Sandbox.of_bombs(field)
    for beat in scenario.beats:
        picture = format_picture(parse_picture(beat.picture, field.mine_count), scenario.style)
        expected = f"{picture}\n{PREFIX}{beat.message}"
        check = Check(beat.moves or "create", expected, _play(sandbox, beat, scenario.style))
        yield check
        if not check.is_green:
            return


def _play(sandbox: Sandbox, beat: Beat, style: PictureStyle) -> str:
    try:
        for move in parse_moves(beat.moves):
            sandbox.play(move)
    except KataError as error:
        return str(error)
    return sandbox.show(style)


def _report_verdict(verdict: Verdict) -> Iterator[ReportLine]:
    scenario = verdict.scenario
    yield ReportLine(f"{scenario.name}: {scenario.title}")
    for check in verdict.checks:
        yield ReportLine(f"{check.title}\n{check.actual}")
        if not check.is_green:
            yield ReportLine(f"expected:\n{check.expected}", Mood.RED)
    word = "GREEN" if verdict.is_green else "RED"
    yield ReportLine(f"{word}  {scenario.name}", Mood.of(verdict.is_green))
    yield _BLANK


def _report_board(sandbox: Sandbox) -> Iterator[ReportLine]:
    yield ReportLine(sandbox.picture(PictureStyle.GRID))
    yield ReportLine(sandbox.message, Mood.of(sandbox.view.status is not Status.LOST))
    yield _BLANK
