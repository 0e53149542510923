"""A game: a setup and the actions done so far.

Every state follows from these two alone, so saving, resuming and replaying are one thing:
`Game.replay`. Undo takes back what the last action changed. For one revealed or flagged cell the
log says what that was, so only wider changes are recorded.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, Protocol

from jminesweeper.core.actions import (
    MAX_AT_MS,
    MAX_AUTHOR,
    ON_A_CELL,
    Action,
    ActionKind,
    Log,
    pack_entry,
    unpack_entry,
)
from jminesweeper.core.errors import ActionError, ArgumentError, check_kind
from jminesweeper.core.grid import Cell, Place, lowest
from jminesweeper.core.minefield import Minefield, read_clue
from jminesweeper.core.rules import LIVES, PENALTY_MS, MineEffect, Rules, Victory
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import COVERED, FLAGGED, MINED, ONGOING, QUESTIONED, PlayerView, Status

_REVEAL, _FLAG, _CHORD = ActionKind.REVEAL, ActionKind.FLAG, ActionKind.CHORD
_UNDO, _TERMINATE = ActionKind.UNDO, ActionKind.TERMINATE
_MOST_ACTIONS = 16_384
_MOST_UNCOVERED = 500_000
_NOBODY: Mapping[int, int] = {}


class AnyGame(Protocol):
    """A game that can be looked at, on this machine, on a server or in a room.

    `Game`, `RemoteGame` and `RoomGame` are such. What a strategy asks of a game has one spelling.
    """

    @property
    def setup(self) -> Setup:
        """The setup that was asked for."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def view(self) -> PlayerView:
        """The player's knowledge of the board now."""

    @property
    def status(self) -> Status:
        """The status of the game: whether it runs, or how it ended."""

    @property
    def elapsed_ms(self) -> int:
        """The time of play."""


class CellChange(NamedTuple):
    """One action's change: the cells it uncovered, the flags and marks it toggled, the mine hit."""

    uncovered: int
    flags: int
    questions: int = 0
    known: int = 0


def _read_only(name: str, doc: str) -> Any:
    """Make a property that is read without a call of ours: an action reads fifty of them."""
    return property(attrgetter(name), doc=doc)


class Game:
    """One game from its first action to its end. Not shared between threads.

    `setup` is what was decided before, `grid` numbers its cells, and `log` has the actions done.
    `is_full` is true once the game takes no more of them. What they led to can only be read; sets
    of cells are bitboards of the grid.
    """

    __slots__ = (
        "_assisted",
        "_blocked_until_ms",
        "_changes",
        "_elapsed_ms",
        "_exploded",
        "_field",
        "_first",
        "_flagged",
        "_known",
        "_questioned",
        "_status",
        "_steps",
        "_uncovered",
        "_visible",
        "grid",
        "is_full",
        "log",
        "setup",
    )

    status: Status = _read_only(
        "_status", "The status of the game: whether it runs, or how it ended."
    )
    visible: int = _read_only("_visible", "The visible cells.")
    flagged: int = _read_only("_flagged", "The cells with a flag.")
    questioned: int = _read_only("_questioned", "The cells with a question mark.")
    known: int = _read_only("_known", "The mines that were hit and did not end the game.")
    exploded: Cell | None = _read_only("_exploded", "The mine that ended the game.")
    assisted: bool = _read_only(
        "_assisted", "True once a hint, an undo or the like has helped the player."
    )
    elapsed_ms: int = _read_only("_elapsed_ms", "The time of play.")

    def __init__(self, setup: Setup) -> None:
        check_kind("setup", setup, Setup, "a Setup")
        self.setup = setup
        self.grid = grid = setup.variant.grid
        self._status = ONGOING
        self._visible = 0
        self._flagged = 0
        self._questioned = 0
        self._known = 0
        self._exploded: Cell | None = None
        self._assisted = False
        self._elapsed_ms = 0
        self.log = Log(grid)
        self._field: Minefield | None = None
        self._first: Cell | None = None
        """The first cell that was revealed: the mines have moved out of its way, if they may."""
        self._blocked_until_ms: Mapping[int, int] = _NOBODY
        """By author: when a penalty ends."""
        self._uncovered = 0
        """Number of cells uncovered in all; undo does not count back."""
        self.is_full = False
        """True once the game has reached its limits and takes no more actions.

        Both limits bound the cost of a replay: a large cascade can be undone and repeated.
        """
        self._steps = array("I")
        self._changes: dict[int, CellChange] = {}

    def _repr_html_(self) -> str:
        """Draw the board in a notebook, as its player sees it."""
        return self.view._repr_html_()

    @staticmethod
    def replay(setup: Setup, entries: Iterable[int]) -> Game:
        """Play a log again, from the start."""
        game = Game(setup)
        for entry in entries:
            game.push(entry)
        return game

    def push(self, entry: int) -> bool:
        """Play an entry of a log on; return whether it changed the board or the game's status."""
        at_ms, kind, index, author = unpack_entry(entry)
        if kind in ON_A_CELL and not self.grid.mask >> index & 1:
            raise ActionError(f"the log names cell {index}, which is not on the board")
        return self.play(kind, index, at_ms, author)

    def copy(self) -> Game:
        """Make a game like this one, which goes its own way from here."""
        other = Game(self.setup)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.log = Log(self.grid, self.log.entries)
        other._steps = self._steps[:]
        other._changes = dict(self._changes)
        return other

    def apply(self, action: Action, at_ms: int = 0, author: int = 0) -> bool:
        """Do one action; return whether it changed the board or the game's status.

        `at_ms` is the time of play. It never runs backwards; without a clock, leave it out.
        `author` is the seat that acts, from 1, where several play.
        """
        check_kind("action", action, Action, "an Action")
        kind, cell = action
        if (kind in ON_A_CELL) != (cell is not None):
            raise ActionError(f"{kind.name.lower()} {'needs a' if cell is None else 'has no'} cell")
        if not 0 <= author <= MAX_AUTHOR:
            raise ActionError(f"an author is a number from 0 to {MAX_AUTHOR}, not {author}")
        return self.play(kind, 0 if cell is None else self.grid.index(cell), at_ms, author)

    def reveal(self, cell: Place, at_ms: int = 0) -> bool:
        """Open a covered cell; on a visible one, chord where the rules say so."""
        return self.play(_REVEAL, self.grid.index(cell), at_ms)

    def flag(self, cell: Place, at_ms: int = 0) -> bool:
        """Flag a covered cell, or remove its flag."""
        return self.play(_FLAG, self.grid.index(cell), at_ms)

    def chord(self, cell: Place, at_ms: int = 0) -> bool:
        """Open all other covered cells around a number that has all its flags."""
        return self.play(_CHORD, self.grid.index(cell), at_ms)

    def undo(self, at_ms: int = 0) -> bool:
        """Take back the last action that changed the board, even one that ended the game."""
        return self.play(_UNDO, 0, at_ms)

    def terminate(self) -> bool:
        """Give up the running game (F's terminate_game)."""
        if not self.was_played and self._status is ONGOING:
            self._status = Status.TERMINATED
            return True
        return self.play(_TERMINATE, 0, self._elapsed_ms)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.setup.variant.rules

    @property
    def was_played(self) -> bool:
        """True if anything was ever done: a game that was only started does not count as played."""
        return len(self.log.entries) > 0

    @property
    def can_undo(self) -> bool:
        """True if there is an action to take back."""
        return bool(self._steps) and self._status is not Status.TERMINATED

    @property
    def author_to_undo(self) -> int:
        """The author of the action that an undo would take back; 0 if there is none."""
        return unpack_entry(self.log.entries[self._steps[-1]])[3] if self._steps else 0

    @property
    def action_to_undo(self) -> Action | None:
        """The action that an undo would take back; None if there is none."""
        if not self._steps:
            return None
        _, kind, index, _ = unpack_entry(self.log.entries[self._steps[-1]])
        return Action(ActionKind(kind), self.grid.cell(index))

    @property
    def visible_count(self) -> int:
        """Number of visible cells."""
        return self._visible.bit_count()

    @property
    def opened_count(self) -> int:
        """Number of safe cells that are visible."""
        return self._visible.bit_count() - (self._exploded is not None)

    @property
    def hit_count(self) -> int:
        """Number of mines that were hit, the one that ended the game included."""
        return self._known.bit_count() + (self._exploded is not None)

    @property
    def lives_left(self) -> int:
        """Number of mines that may still be hit, where a mine costs a life; the last one loses."""
        return LIVES - self.hit_count

    def blocked_until_ms(self, author: int = 0) -> int:
        """Return when the penalty of an author ends, on the game's clock."""
        return self._blocked_until_ms.get(author, 0)

    @property
    def shared_setup(self) -> Setup:
        """The setup that gives this very board to somebody else, opened where this game was."""
        setup, first = self.setup, self._first
        is_moved = setup.first is None and setup.protects_first_reveal
        if first is None or not is_moved or self.reveal_truth().is_mine(first):
            return setup
        return replace(setup, first=first)

    @property
    def undo_is_no_help(self) -> bool:
        """True if an undo would only take back a flag of a running game, as another flag does."""
        if not self._steps or self._status is not ONGOING:
            return False
        number = self._steps[-1]
        change = self._changes.get(number) or self._plain_change(number)
        return not (change.uncovered or change.known)

    @property
    def effective_actions(self) -> int:
        """Number of actions that changed the board and were not taken back."""
        return len(self._steps)

    def count_reveals_that_chorded(self) -> int:
        """Count the reveals of a visible cell, which open around it, that were not taken back."""
        first = self.setup.first
        opening = 0 if first is None else self.grid.bit(first)
        return sum(
            kind == _REVEAL and not (change.uncovered | change.known) & (1 << index | opening)
            for number, change in self._changes.items()
            for _, kind, index, _ in [unpack_entry(self.log.entries[number])]
        )

    @property
    def view(self) -> PlayerView:
        """The player's knowledge of the board now."""
        status, visible = self._status, self._visible
        planes, mines = (0, 0, 0, 0), None
        # Mines are dealt once something of them shows.
        if visible or status is not ONGOING:
            field = self._field or self.reveal_truth()
            mines = None if status is ONGOING else field.mines
            numbers = visible & field.safe if mines is not None else visible
            ones, twos, fours, eights = field.clue_planes
            planes = ones & numbers, twos & numbers, fours & numbers, eights & numbers
        return PlayerView(
            self.grid.size,
            self.setup.variant.mine_count,
            status,
            visible,
            self._flagged,
            planes,
            mines,
            self._exploded,
            self._questioned,
            self._known,
        )

    def face(self, index: int, debug_mines: int = 0) -> int:
        """Return the face of one cell of the running game."""
        if self._known >> index & 1:
            return MINED
        if self._visible >> index & 1:
            return read_clue(self.reveal_truth().clue_planes, index)
        face = COVERED | MINED if debug_mines >> index & 1 else COVERED
        if self._flagged >> index & 1:
            return face | FLAGGED
        return face | QUESTIONED if self._questioned >> index & 1 else face

    def reveal_truth(self) -> Minefield:
        """Return the mines and clues: for the end of a game and for debug mode only."""
        if self._field is None:
            self._field = self.setup.minefield()
        return self._field

    def __repr__(self) -> str:
        return f"<Game {self.setup.size}, {self._status.value}, {len(self.log)} actions>"

    def play(self, kind: int, index: int, at_ms: int, author: int = 0) -> bool:
        """Do an action on the cell of that number, unless the game's status forbids it; log it."""
        if kind == _UNDO:
            if not self.can_undo:
                return False
        elif self._status is not ONGOING:
            return False
        if self.is_full and kind != _TERMINATE:
            return False
        try:
            at_ms = max(self._elapsed_ms, min(at_ms, MAX_AT_MS))
            entry = pack_entry(at_ms, kind, index, author)
        except TypeError:
            words = f"at_ms must be whole milliseconds, not {at_ms!r}"
            raise ArgumentError(words) from None
        if self._blocked_until_ms and kind in ON_A_CELL and at_ms < self.blocked_until_ms(author):
            return False
        change = self._CHANGES.get(kind)
        if change is None:
            raise ActionError(f"there is no action of kind {kind}")
        known = self._known
        has_changed = change(self, index)
        self._elapsed_ms = at_ms
        if self._known > known and self.setup.variant.rules.mine is MineEffect.PENALTY:
            self._blocked_until_ms = {**self._blocked_until_ms, author: at_ms + PENALTY_MS}
        entries = self.log.entries
        entries.append(entry)
        if len(entries) >= _MOST_ACTIONS or self._uncovered >= _MOST_UNCOVERED:
            cells = self.grid.size.cells
            self.is_full = (
                len(entries) >= 2 * cells + _MOST_ACTIONS
                or self._uncovered >= 24 * cells + _MOST_UNCOVERED
            )
        return has_changed

    def _toggle_flag(self, index: int) -> bool:
        bit = 1 << index
        if (self._visible | self._known) & bit:
            return False
        number = len(self.log.entries)
        questions = self._questioned & bit
        self._flagged ^= bit
        self._steps.append(number)
        if questions:
            self._questioned ^= bit
            self._changes[number] = CellChange(0, bit, bit)
        if self._is_won():
            self._win(CellChange(0, bit, questions))
        return True

    def _toggle_question(self, index: int) -> bool:
        bit = 1 << index
        flags = self._flagged & bit
        if not (flags or self._questioned & bit):
            return False
        self._flagged ^= flags
        self._questioned ^= bit
        number = len(self.log.entries)
        self._steps.append(number)
        self._changes[number] = change = CellChange(0, flags, bit)
        # Once a wrong flag is gone, the others may be right.
        if flags and self._is_won():
            self._win(change)
        return True

    def _reveal(self, index: int) -> bool:
        bit = 1 << index
        if self._visible & bit:
            return self._chord(index)
        if (self._flagged | self._known) & bit:
            return False
        if self._first is None:
            self._first = self.grid.cell(index)
            if self.setup.first is None and self.setup.protects_first_reveal:
                self._field = self.setup.minefield(self._first)
        if self.setup.first is not None and not self._visible:
            first = self.grid.bit(self.setup.first)
            self._uncover(first, is_logged=first == bit)
        else:
            self._uncover(bit, is_logged=True)
        return True

    def _chord(self, index: int) -> bool:
        if not (self.setup.rules.chording and self._visible >> index & 1):
            return False
        around = self.grid.around(index)
        flags = around & (self._flagged | self._known)
        covered = around ^ (around & self._visible) ^ flags
        if not covered or flags.bit_count() != read_clue(self.reveal_truth().clue_planes, index):
            return False
        self._uncover(covered, is_logged=False)
        return True

    def _uncover(self, cells: int, *, is_logged: bool) -> None:
        """Open cells and what they lead to; of several mines only the first goes off.

        `is_logged` tells whether the log names these cells: then only more than that is recorded.
        """
        field, rules = self._field or self.reveal_truth(), self.setup.variant.rules
        hit = lowest(cells & field.mines)
        opened = cells ^ (cells & field.mines)
        if rules.auto_open and opened:
            opened = field.flood(opened, self._visible, rules.spread)
        effect = rules.mine
        is_last = effect is MineEffect.ENDS or (effect is MineEffect.LIFE and self.lives_left == 1)
        is_fatal = hit and is_last
        if is_fatal:
            opened |= hit
            self._exploded = self.grid.cell(hit.bit_length() - 1)
            self._status = Status.LOST
        shown = opened | hit
        change = CellChange(opened, shown & self._flagged, shown & self._questioned, hit & ~opened)
        self._toggle(change)
        self._uncovered += opened.bit_count()
        number = len(self.log.entries)
        self._steps.append(number)
        if not is_logged or opened != cells or change.questions:
            self._changes[number] = change
        if not is_fatal and self._is_won():
            self._win(change)

    def _toggle(self, change: CellChange) -> None:
        """Apply a change, or take it back."""
        self._visible ^= change.uncovered
        self._flagged ^= change.flags
        self._questioned ^= change.questions
        self._known ^= change.known

    def _is_won(self) -> bool:
        field = self._field or self.reveal_truth()
        has_flags = self._flagged | self._known == field.mines
        has_opened = self._visible ^ field.mines == self.grid.mask
        if not (has_flags or has_opened):
            return False
        victory = self.setup.variant.rules.victory
        return (has_flags and victory is not Victory.SAFE_VISIBLE) or (
            has_opened and victory is not Victory.FLAGS
        )

    def _win(self, change: CellChange) -> None:
        """Record that the last step won; if the rules say so, flag every mine."""
        self._status = Status.WON
        if self.setup.rules.flag_on_win:
            mines = self.reveal_truth().mines
            unflagged = mines & ~(self._flagged | self._known)
            last = CellChange(0, unflagged, unflagged & self._questioned)
            self._toggle(last)
            self._changes[self._steps[-1]] = CellChange(
                *(before ^ after for before, after in zip(change, last, strict=True))
            )

    def _undo(self, _index: int) -> bool:
        self._assisted = self._assisted or not self.undo_is_no_help
        number = self._steps.pop()
        change = self._changes.pop(number, None) or self._plain_change(number)
        self._toggle(change)
        self._exploded = None
        self._status = ONGOING
        return True

    def _plain_change(self, number: int) -> CellChange:
        _, kind, index, _ = unpack_entry(self.log.entries[number])
        return CellChange(0, 1 << index) if kind == _FLAG else CellChange(1 << index, 0)

    def _give_up(self, _index: int) -> bool:
        self._status = Status.TERMINATED
        return True

    def _be_helped(self, _index: int) -> bool:
        self._assisted = True
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
    """The effect of each kind of action on the board; it returns True if that changed anything."""
