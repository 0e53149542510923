"""Actions in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jminesweeper.client.replay.reel import Reel, Scene
from jminesweeper.core import ActionKind, Status
from jminesweeper.screen import Message, Tone

_ON_A_CELL: Final[Mapping[ActionKind, str]] = {
    ActionKind.REVEAL: "reveal",
    ActionKind.FLAG: "flag",
    ActionKind.CHORD: "chord",
}
_ON_THE_GAME: Final[Mapping[ActionKind, str]] = {
    ActionKind.HINT: "a hint",
    ActionKind.DEBUG: "debug mode: the mines were shown",
    ActionKind.TERMINATE: "the game is given up",
}
_ENDS: Final[Mapping[Status, tuple[str, Tone]]] = {
    Status.ONGOING: ("", Tone.PLAIN),
    Status.WON: ("the game is won", Tone.GOOD),
    Status.LOST: ("steps on a mine", Tone.BAD),
    Status.TERMINATED: ("", Tone.WARNING),
}


def caption(reel: Reel, position: int) -> Message:
    """Say what the action was that led to a position."""
    if not position:
        return Message("Before the first action")
    scene = reel.scenes[position - 1]
    if scene.taken_back is not None:
        return Message(_undo(reel, scene.taken_back), Tone.WARNING)
    end, tone = _ENDS[scene.status]
    told = ", ".join(filter(None, (_did(scene), end)))
    return Message(f"{_name(scene)}: {told}" if told else _name(scene), tone)


def _undo(reel: Reel, number: int) -> str:
    return f"undo: takes back action {number}, {_name(reel.scenes[number - 1])}"


def _name(scene: Scene) -> str:
    if scene.kind not in _ON_A_CELL:
        return _ON_THE_GAME[scene.kind]
    return f"{_ON_A_CELL[scene.kind]} {scene.cell.column} {scene.cell.row}"


def _did(scene: Scene) -> str:
    if scene.kind not in _ON_A_CELL or scene.status is Status.LOST:
        return ""
    if scene.kind is ActionKind.FLAG and scene.flagged:
        return "removed" if scene.flagged < 0 else "set"
    if scene.opened:
        return f"opens {scene.opened} {'cell' if scene.opened == 1 else 'cells'}"
    return "changes nothing"
