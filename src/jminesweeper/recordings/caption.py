"""What an action of a recorded game did, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.view import Status
from jminesweeper.recordings.recording import Recording, ReplayedAction

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


class Caption(NamedTuple):
    """Words, and how they are meant: `plain`, `good`, `bad` or `warning`."""

    text: str
    tone: str = "plain"


_HIT: Final = "hits a mine"
_ENDS: Final[Mapping[Status, Caption]] = {
    Status.ONGOING: Caption(""),
    Status.WON: Caption("the game is won", "good"),
    Status.LOST: Caption(_HIT, "bad"),
    Status.TERMINATED: Caption("", "warning"),
}


def caption(recording: Recording, position: int) -> Caption:
    if not position:
        return Caption("Before the first action")
    action = recording.actions[position - 1]
    if action.taken_back is not None:
        return Caption(_undo(recording, action.taken_back), "warning")
    end = _ENDS[action.status]
    result = ", ".join(filter(None, (_did(action), end.text)))
    return Caption(f"{_name(action)}: {result}" if result else _name(action), end.tone)


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
    if action.hit:
        return _HIT
    if action.opened:
        return f"opens {action.opened} {'cell' if action.opened == 1 else 'cells'}"
    return "changes nothing"
