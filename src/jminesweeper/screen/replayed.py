"""Text about a position of a recorded game: its action in words, its time line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.view import Status
from jminesweeper.recordings.recording import Recording, ReplayedAction
from jminesweeper.screen.models import Message, TimeLine, Tone
from jminesweeper.screen.text import format_clock

_ON_A_CELL: Final[Mapping[ActionKind, str]] = {
    ActionKind.REVEAL: "reveal",
    ActionKind.FLAG: "flag",
    ActionKind.CHORD: "chord",
    ActionKind.QUESTION: "question mark",
}
_ON_THE_GAME: Final[Mapping[ActionKind, str]] = {
    ActionKind.HINT: "a hint",
    ActionKind.DEBUG: "debug mode: the mines were shown",
    ActionKind.TERMINATE: "the game is given up",
}
_ENDS: Final[Mapping[Status, tuple[str, Tone]]] = {
    Status.ONGOING: ("", Tone.PLAIN),
    Status.WON: ("the game is won", Tone.GOOD),
    Status.LOST: ("hits a mine", Tone.BAD),
    Status.TERMINATED: ("", Tone.WARNING),
}


def caption(recording: Recording, position: int) -> Message:
    """Describe the action that led to a position, and its result."""
    if not position:
        return Message("Before the first action")
    action = recording.actions[position - 1]
    if action.taken_back is not None:
        return Message(_undo(recording, action.taken_back), Tone.WARNING)
    end, tone = _ENDS[action.status]
    result = ", ".join(filter(None, (_did(action), end)))
    return Message(f"{_name(action)}: {result}" if result else _name(action), tone)


def _undo(recording: Recording, number: int) -> str:
    return f"undo: takes back action {number}, {_name(recording.actions[number - 1])}"


def _name(action: ReplayedAction) -> str:
    if action.kind not in _ON_A_CELL:
        return _ON_THE_GAME[action.kind]
    return f"{_ON_A_CELL[action.kind]} ({action.cell.column},{action.cell.row})"


def _did(action: ReplayedAction) -> str:
    if action.kind not in _ON_A_CELL or action.status is Status.LOST:
        return ""
    if action.kind is ActionKind.FLAG and action.flagged:
        return "removed" if action.flagged < 0 else "set"
    if action.kind is ActionKind.QUESTION:
        return "in place of the flag" if action.flagged else ""
    if action.opened:
        return f"opens {action.opened} {'cell' if action.opened == 1 else 'cells'}"
    return "changes nothing"


def time_line(recording: Recording, position: int) -> TimeLine:
    """Return where in the game a position is."""
    end_ms = recording.at_ms(recording.last)
    return TimeLine(position, recording.last, recording.at_ms(position), end_ms)


def format_tenths(ms: int) -> str:
    """Write a time to the tenth of a second, as ``0:12.3``."""
    return f"{format_clock(ms // 1000)}.{ms // 100 % 10}"
