"""The buttons of a mouse, as the programs that record videos of the game understand them.

A click counts when it is released; both buttons together, the middle one, or the left one with
Shift are a chord; a chord counts once, at the first release. A right click flags when pressed.

A click without effect is a click too: efficiency and correctness are measured by all of them. Where
such a click would do something here, it is moved to a cell where it does nothing.
"""

from __future__ import annotations

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, lowest
from jminesweeper.core.minefield import read_clue


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
        return self._click(cell)

    def _click(self, cell: Cell) -> Action | None:
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
        return self._flag(cell)

    def _flag(self, cell: Cell) -> Action | None:
        """Go from no mark to a flag, to a question mark where there are any, and back."""
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
