"""What the buttons of a mouse do, as the programs that record videos of the game understand them.

A click counts when it is released; both buttons together, the middle one, or the left one with
Shift are a chord; a chord counts once, at the first release. A right click flags when pressed.
"""

from __future__ import annotations

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell


class Mouse:
    """Three buttons over the board of a game; each method returns the action that it makes.

    The cell is None beside the board.
    """

    def __init__(self, game: Game, *, left_chords: bool, has_marks: bool) -> None:
        self._game = game
        self._left_chords = left_chords
        self._has_marks = has_marks
        self._questioned: set[Cell] = set()
        self._left = self._right = self._middle = self._shift = False
        self._is_spent = False
        """A chord was made: the button that is still down does nothing any more."""
        self._has_flagged = False
        """The right button, still down, has already done its work."""

    def press_left(self, _cell: Cell | None) -> None:
        if not self._middle:
            self._left, self._shift = True, False

    def press_left_with_shift(self, _cell: Cell | None) -> None:
        if not self._middle:
            self._left = self._shift = True

    def release_left(self, cell: Cell | None) -> ActionKind | None:
        was_down, self._left = self._left, False
        if not was_down or cell is None:
            self._is_spent = self._is_spent and not was_down
            return None
        if self._right or self._shift:
            self._is_spent, self._shift = self._right, False
            return ActionKind.CHORD
        return self._click(cell)

    def _click(self, cell: Cell) -> ActionKind | None:
        was_spent, self._is_spent = self._is_spent, False
        if self._is_open(cell):
            # Elsewhere a click on a number may do nothing where ours would chord.
            does_no_harm = self._left_chords or not self._game.setup.rules.chording
            return ActionKind.REVEAL if does_no_harm else None
        return None if was_spent else ActionKind.REVEAL

    def press_right(self, cell: Cell | None) -> ActionKind | None:
        if self._middle:
            return None
        self._right, self._shift = True, False
        if cell is None or self._left or self._is_open(cell):
            return None
        self._has_flagged, self._is_spent = True, False
        return self._flag(cell)

    def _flag(self, cell: Cell) -> ActionKind | None:
        """Go from none to a flag, and where there are question marks on to one, and to none."""
        if cell in self._questioned:
            self._questioned.discard(cell)
            return None
        if self._has_marks and self._game.flagged & self._game.grid.bit(cell):
            self._questioned.add(cell)
        return ActionKind.FLAG

    def release_right(self, cell: Cell | None) -> ActionKind | None:
        if not self._right:
            return None
        self._right = self._shift = False
        has_flagged, self._has_flagged = self._has_flagged, False
        was_spent, self._is_spent = self._is_spent, self._left
        if cell is None:
            return None
        if self._left:
            return ActionKind.CHORD
        is_wasted = self._is_open(cell) and not (has_flagged or was_spent)
        return ActionKind.FLAG if is_wasted else None

    def press_middle(self, _cell: Cell | None) -> None:
        self._left = self._right = self._shift = self._is_spent = self._has_flagged = False
        self._middle = True

    def release_middle(self, cell: Cell | None) -> ActionKind | None:
        was_down, self._middle = self._middle, False
        return ActionKind.CHORD if was_down and cell is not None else None

    def toggle_marks(self, _cell: Cell | None) -> None:
        self._has_marks = not self._has_marks

    def _is_open(self, cell: Cell) -> bool:
        return bool(self._game.visible & self._game.grid.bit(cell))
