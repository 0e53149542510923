"""One game being played: the game itself, its cursor and its clock."""

from __future__ import annotations

from jminesweeper.core import Action, ActionKind, Cell, Game, Setup, Status


class Play:
    """A game with the things that belong to playing it rather than to the game."""

    __slots__ = (
        "_base_ms",
        "_running_since_ms",
        "cursor",
        "game",
        "is_debugged",
        "label",
        "owes_debug",
    )

    def __init__(self, setup: Setup, label: str, *, is_debugged: bool = False) -> None:
        self.game = Game(setup)
        self.label = label
        self.cursor = Cell(0, 0)
        self.is_debugged = is_debugged
        self.owes_debug = is_debugged
        self._base_ms = 0
        self._running_since_ms: int | None = None

    @property
    def is_over(self) -> bool:
        return self.game.status is not Status.ONGOING

    @property
    def clock_runs(self) -> bool:
        return self._running_since_ms is not None and not self.is_over

    def elapsed_ms(self, now_ms: int) -> int:
        """Milliseconds of play: from the first action to now, or to the end."""
        if self.is_over:
            return self.game.elapsed_ms
        if self._running_since_ms is None:
            return self._base_ms
        return self._base_ms + max(0, now_ms - self._running_since_ms)

    def act(self, kind: ActionKind, now_ms: int) -> bool:
        """Do something to the cell under the cursor; tell whether it changed anything."""
        return self._apply(Action(kind, self.cursor), now_ms)

    def toggle_debug(self) -> None:
        """Show or hide the mines. A game that was ever seen this way is marked as assisted."""
        self.is_debugged = not self.is_debugged
        self.owes_debug = self.owes_debug or self.is_debugged

    def move(self, columns: int, rows: int) -> None:
        """Move the cursor, stopping at the edge."""
        column, row = self.cursor
        size = self.game.setup.size
        self.cursor = Cell(
            min(max(column + columns, 0), size.columns - 1), min(max(row + rows, 0), size.rows - 1)
        )

    def debug_mines(self) -> int:
        """The mines, as far as debug mode shows them."""
        return self.game.reveal_truth().mines if self.is_debugged else 0

    def _apply(self, action: Action, now_ms: int) -> bool:
        at_ms = self.elapsed_ms(now_ms)
        if self.owes_debug:
            self.owes_debug = False
            self.game.apply(Action(ActionKind.DEBUG), at_ms)
        if self._running_since_ms is None:
            self._running_since_ms = now_ms
        return self.game.apply(action, at_ms)
