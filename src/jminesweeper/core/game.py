"""A game: a setup and the actions done so far.

Every state follows from these two alone, so saving, resuming and replaying are one thing:
`Game.replay`. Undo takes back what the last action changed. For one revealed or flagged cell the
log says what that was, so only wider changes are recorded.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import ClassVar, NamedTuple

from jminesweeper.core.actions import (
    MAX_AT_MS,
    ON_A_CELL,
    Action,
    ActionKind,
    Log,
    entry_author,
    unpack_entry,
)
from jminesweeper.core.errors import ActionError
from jminesweeper.core.grid import Cell, Grid, Place, lowest
from jminesweeper.core.minefield import Minefield, read_clue
from jminesweeper.core.rules import Victory
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import ONGOING, PlayerView, Status

_REVEAL, _FLAG, _CHORD = ActionKind.REVEAL, ActionKind.FLAG, ActionKind.CHORD
_UNDO, _TERMINATE = ActionKind.UNDO, ActionKind.TERMINATE
_NOTHING_COUNTED = (0, 0, 0, 0)


@lru_cache(maxsize=256)
def _limits(grid: Grid) -> tuple[int, int]:
    """Limit the actions and the uncovered cells of a game; games of one size share the numbers."""
    cells = grid.size.cells
    return 2 * cells + 16_384, 24 * cells + 500_000


class Change(NamedTuple):
    """What one action did: cells it uncovered or covered again; flags and marks it toggled."""

    uncovered: int
    flags: int
    questions: int = 0


class Game:
    """One game from its first action to its end. Not shared between threads."""

    __slots__ = (
        "_changes",
        "_field",
        "_is_protected",
        "_most_actions",
        "_most_uncovered",
        "_planes",
        "_planes_of",
        "_steps",
        "_uncovered",
        "assisted",
        "elapsed_ms",
        "exploded",
        "flagged",
        "grid",
        "is_full",
        "log",
        "questioned",
        "setup",
        "status",
        "visible",
        "visible_count",
    )

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.grid = grid = setup.variant.grid
        self.status = ONGOING
        self.visible = self.visible_count = 0
        self.flagged = 0
        self.questioned = 0
        self.exploded: Cell | None = None
        self.assisted = False
        self.elapsed_ms = 0
        self.log = Log(grid)
        self._field: Minefield | None = None
        self._is_protected = False
        """Whether the mines have moved out of the way of the first reveal, if they may."""
        self._most_actions, self._most_uncovered = _limits(grid)
        self._uncovered = 0
        """How many cells were uncovered in all; undo does not count back."""
        self.is_full = False
        """Whether the game has reached its limits and takes no more actions.

        Both limits bound the cost of a replay: a large cascade can be undone and repeated.
        """
        self._planes, self._planes_of = _NOTHING_COUNTED, 0
        """The clues that were shown last, and of which cells."""
        self._steps = array("I")
        self._changes: dict[int, Change] = {}

    @staticmethod
    def replay(setup: Setup, entries: Iterable[int]) -> Game:
        """Play a log again, from the start."""
        game = Game(setup)
        for entry in entries:
            game.push(entry)
        return game

    def push(self, entry: int) -> bool:
        """Play an entry of a log on; return whether it changed the board or the game's status."""
        at_ms, kind, index = unpack_entry(entry)
        if kind in ON_A_CELL and not self.grid.mask >> index & 1:
            raise ActionError(f"the log names cell {index}, which is not on the board")
        return self._play(kind, index, at_ms, entry_author(entry))

    def copy(self) -> Game:
        """Make a game like this one, which goes its own way from here."""
        other = Game(self.setup)
        for name in Game.__slots__:
            setattr(other, name, getattr(self, name))
        other.log = Log(self.grid, self.log.entries)
        other._steps = self._steps[:]
        other._changes = dict(self._changes)
        return other

    def apply(self, action: Action, at_ms: int = 0) -> bool:
        """Do one action; return whether it changed the board or the game's status.

        `at_ms` is the time of play. It never runs backwards; without a clock, leave it out.
        """
        kind, cell = action
        if (kind in ON_A_CELL) != (cell is not None):
            raise ActionError(f"{kind.name.lower()} {'needs a' if cell is None else 'has no'} cell")
        return self._play(kind, 0 if cell is None else self.grid.index(cell), at_ms)

    def reveal(self, cell: Place, at_ms: int = 0) -> bool:
        """Open a covered cell; on a visible one, chord where the rules say so."""
        return self._play(_REVEAL, self.grid.index(cell), at_ms)

    def flag(self, cell: Place, at_ms: int = 0) -> bool:
        """Flag a covered cell, or remove its flag."""
        return self._play(_FLAG, self.grid.index(cell), at_ms)

    def chord(self, cell: Place, at_ms: int = 0) -> bool:
        """Open all other covered cells around a number that has all its flags."""
        return self._play(_CHORD, self.grid.index(cell), at_ms)

    def undo(self, at_ms: int = 0) -> bool:
        """Take back the last action that changed the board, even one that ended the game."""
        return self._play(_UNDO, 0, at_ms)

    def terminate(self) -> bool:
        """Give up the running game (F's terminate_game)."""
        if not self.was_played and self.status is ONGOING:
            self.status = Status.TERMINATED
            return True
        return self._play(_TERMINATE, 0, self.elapsed_ms)

    @property
    def was_played(self) -> bool:
        """Whether anything was ever done: a game that was only started does not count as played."""
        return len(self.log.entries) > 0

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to take back."""
        return bool(self._steps) and self.status is not Status.TERMINATED

    @property
    def effective_actions(self) -> int:
        """How many actions changed the board and were not taken back."""
        return len(self._steps)

    def count_reveals_that_chorded(self) -> int:
        """Count the reveals of a visible cell, which open around it, that were not taken back."""
        entries = self.log.entries
        wide = (
            (unpack_entry(entries[number]), change.uncovered)
            for number, change in self._changes.items()
        )
        return sum(kind == _REVEAL and not opened >> at & 1 for (_, kind, at), opened in wide)

    @property
    def view(self) -> PlayerView:
        """What the player may know now."""
        status, visible = self.status, self.visible
        if status is ONGOING:
            mines = None
        else:
            mines = self.reveal_truth().mines
            visible ^= visible & mines
        if visible is not self._planes_of:
            ones, twos, fours, eights = self.reveal_truth().clue_planes
            self._planes = (ones & visible, twos & visible, fours & visible, eights & visible)
            self._planes_of = visible
        return PlayerView(
            self.grid.size,
            self.setup.variant.mine_count,
            status,
            self.visible,
            self.flagged,
            self._planes,
            mines,
            self.exploded,
            self.questioned,
        )

    def reveal_truth(self) -> Minefield:
        """Return the mines and clues: for the end of a game and for debug mode only."""
        if self._field is None:
            self._field = self.setup.minefield()
        return self._field

    def __repr__(self) -> str:
        return f"<Game {self.setup.size}, {self.status.value}, {len(self.log)} actions>"

    def _play(self, kind: int, index: int, at_ms: int, author: int = 0) -> bool:
        """Do an action unless the game's status forbids it, and log it."""
        if kind == _UNDO:
            if not self.can_undo:
                return False
        elif self.status is not ONGOING:
            return False
        if self.is_full and kind != _TERMINATE:
            return False
        change = self._CHANGES.get(kind)
        if change is None:
            raise ActionError(f"there is no action of kind {kind}")
        has_changed = change(self, index)
        if self.elapsed_ms < at_ms <= MAX_AT_MS:
            self.elapsed_ms = at_ms
        elif at_ms > MAX_AT_MS:
            self.elapsed_ms = MAX_AT_MS
        log = self.log
        log.append(self.elapsed_ms, kind, index, author)
        if len(log.entries) >= self._most_actions or self._uncovered >= self._most_uncovered:
            self.is_full = True
        return has_changed

    def _toggle_flag(self, index: int) -> bool:
        bit = 1 << index
        if self.visible & bit:
            return False
        number = len(self.log.entries)
        questions = self.questioned & bit
        self.flagged ^= bit
        self._steps.append(number)
        if questions:
            self.questioned ^= bit
            self._changes[number] = Change(0, bit, bit)
        if self._is_won():
            self._win(Change(0, bit, questions))
        return True

    def _toggle_question(self, index: int) -> bool:
        bit = 1 << index
        flags = self.flagged & bit
        if not (flags or self.questioned & bit):
            return False
        self.flagged ^= flags
        self.questioned ^= bit
        number = len(self.log.entries)
        self._steps.append(number)
        self._changes[number] = change = Change(0, flags, bit)
        # Once a wrong flag is gone, the others may be right.
        if flags and self._is_won():
            self._win(change)
        return True

    def _reveal(self, index: int) -> bool:
        bit = 1 << index
        if self.visible & bit:
            return self._chord(index)
        if self.flagged & bit:
            return False
        if not self._is_protected:
            self._is_protected = True
            if self.setup.protects_first_reveal:
                self._field = self.setup.minefield(self.grid.cell(index))
        self._uncover(bit, is_reveal=True)
        return True

    def _chord(self, index: int) -> bool:
        if not (self.setup.rules.chording and self.visible >> index & 1):
            return False
        around = self.grid.around(index)
        flags = around & self.flagged
        covered = around ^ (around & self.visible) ^ flags
        if not covered or flags.bit_count() != read_clue(self.reveal_truth().clue_planes, index):
            return False
        self._uncover(covered, is_reveal=False)
        return True

    def _uncover(self, cells: int, *, is_reveal: bool) -> None:
        """Open cells and what they lead to; of several mines only the first explodes."""
        field, rules = self.reveal_truth(), self.setup.rules
        hit = cells & field.mines
        opened = cells ^ hit
        if rules.auto_open and opened:
            opened = field.flood(opened, self.visible, rules.spread)
        if hit:
            fatal = lowest(hit)
            opened |= fatal
            self.exploded = self.grid.cell(fatal.bit_length() - 1)
            self.status = Status.LOST
        change = Change(opened, opened & self.flagged, opened & self.questioned)
        # Counting a large board takes longer than all that is done to it, so the count is kept.
        count = opened.bit_count()
        self.visible |= opened
        self.visible_count += count
        self._uncovered += count
        self.flagged ^= change.flags
        self.questioned ^= change.questions
        number = len(self.log.entries)
        self._steps.append(number)
        # The log says what the reveal of a single cell did.
        if not is_reveal or opened != cells or change.questions:
            self._changes[number] = change
        if not hit and self._is_won():
            self._win(change)

    def _is_won(self) -> bool:
        field = self._field or self.reveal_truth()
        has_flags, has_opened = self.flagged == field.mines, self.visible == field.safe
        if not (has_flags or has_opened):
            return False
        victory = self.setup.rules.victory
        return (has_flags and victory is not Victory.SAFE_VISIBLE) or (
            has_opened and victory is not Victory.FLAGS
        )

    def _win(self, change: Change) -> None:
        """Record that the last step won; if the rules say so, flag every mine."""
        self.status = Status.WON
        if self.setup.rules.flag_on_win:
            mines = self.reveal_truth().mines
            unflagged = mines ^ (mines & self.flagged)
            questions = unflagged & self.questioned
            self.flagged ^= unflagged
            self.questioned ^= questions
            self._changes[self._steps[-1]] = Change(
                change.uncovered, change.flags ^ unflagged, change.questions ^ questions
            )

    def _undo(self, _index: int) -> bool:
        number = self._steps.pop()
        change = self._changes.pop(number, None) or self._plain_change(number)
        self.visible ^= change.uncovered
        self.visible_count -= change.uncovered.bit_count()
        self.flagged ^= change.flags
        self.questioned ^= change.questions
        self.exploded = None
        self.status = ONGOING
        self.assisted = True
        return True

    def _plain_change(self, number: int) -> Change:
        _, kind, index = unpack_entry(self.log.entries[number])
        return Change(0, 1 << index) if kind == _FLAG else Change(1 << index, 0)

    def _give_up(self, _index: int) -> bool:
        self.status = Status.TERMINATED
        return True

    def _be_helped(self, _index: int) -> bool:
        self.assisted = True
        return False

    _CHANGES: ClassVar[Mapping[int, Callable[[Game, int], bool]]] = {
        ActionKind.REVEAL: _reveal,
        ActionKind.FLAG: _toggle_flag,
        ActionKind.CHORD: _chord,
        ActionKind.UNDO: _undo,
        ActionKind.HINT: _be_helped,
        ActionKind.DEBUG: _be_helped,
        ActionKind.TERMINATE: _give_up,
        ActionKind.QUESTION: _toggle_question,
    }
    """What each kind of action does to the board; it returns whether that changed anything."""
