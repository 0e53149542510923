"""A game that was played, at any of its positions, and each of its actions in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import Status
from jminesweeper.recordings.figures import count_solved, measure_board


class ReplayedAction(NamedTuple):
    """One action and its effect."""

    at_ms: int
    kind: ActionKind
    cell: Cell
    """The cell to look at; for an undo, that of the action it takes back."""
    opened: int
    """Cells that were opened; negative if an undo covered some again."""
    flagged: int
    """Flags that were set; negative if some were removed."""
    status: Status
    taken_back: int | None = None
    """The number, from 1, of the action that an undo takes back."""
    hit: bool = False
    """True if it hit a mine that did not end the game."""


class Recording:
    """A game whose position n is the one after its first n actions."""

    def __init__(self, game: Game) -> None:
        self.actions: Sequence[ReplayedAction] = tuple(_actions(game))
        self._last = game
        self._game = Game(game.setup)
        self._field = game.reveal_truth()
        self._bbbv = measure_board(self._field, game.setup.rules).bbbv

    @property
    def last(self) -> int:
        return len(self.actions)

    def at_ms(self, number: int) -> int:
        """Return the clock at a position."""
        return self.actions[number - 1].at_ms if number else 0

    def position(self, number: int) -> Game:
        """Return the game at a position; it is valid until the next call."""
        if number == self.last:
            return self._last
        log = self._last.log
        if number < len(self._game.log):
            # A game can undo what it did, but not an undo: going back means starting over.
            self._game = Game.replay(self._last.setup, log.entries[:number])
        for place in range(len(self._game.log), number):
            self._game.push(log.entries[place])
        return self._game

    def solved_share(self, number: int) -> float:
        """Return how much of the board is solved at a position, from 0 to 1."""
        visible = self.position(number).visible
        return count_solved(self._field, visible, self._last.setup.rules) / max(1, self._bbbv)

    def cell(self, number: int) -> Cell:
        """Return where to look at a position: where the last action was."""
        return self.actions[number - 1].cell if number else Cell(0, 0)


def _actions(game: Game) -> Iterator[ReplayedAction]:
    again = Game(game.setup)
    steps: list[int] = []
    cells: list[Cell] = []
    looked_at = Cell(0, 0)
    for number, (at_ms, action, _) in enumerate(game.log, 1):
        visible, flagged = again.visible.bit_count(), again.flagged.bit_count()
        known = again.known
        has_changed = again.push(game.log.entries[number - 1])
        taken_back = None
        if action.kind is ActionKind.UNDO:
            taken_back = steps.pop()
            looked_at = cells[taken_back - 1]
        elif has_changed:
            steps.append(number)
        looked_at = action.cell or looked_at
        cells.append(looked_at)
        yield ReplayedAction(
            at_ms,
            action.kind,
            looked_at,
            again.visible.bit_count() - visible,
            again.flagged.bit_count() - flagged,
            again.status,
            taken_back,
            taken_back is None and again.known != known,
        )


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
