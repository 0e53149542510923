"""One game being played: the game itself, its cursor, its clock, and what it counts as."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jminesweeper.core import Action, ActionKind, Cell, Game, Setup, Status


@dataclass(frozen=True, slots=True)
class Title:
    """What a game is compared with: its board by name, a day, and whether it was seen before."""

    board: str
    daily: str = ""
    is_repeat: bool = False
    is_no_guess: bool = False

    @property
    def category(self) -> str:
        """The name under which results are compared."""
        return f"{self.board} no-guess" if self.is_no_guess else self.board


class Play:
    """A game with the things that belong to playing it rather than to the game."""

    __slots__ = (
        "_base_ms",
        "_label",
        "_owes_debug",
        "_running_since_ms",
        "code",
        "cursor",
        "game",
        "is_debugged",
        "is_paused",
        "title",
    )

    def __init__(
        self,
        game: Game,
        title: Title,
        code: str = "",
        *,
        is_debugged: bool = False,
    ) -> None:
        self.game = game
        self.title = title
        self.code = code
        self.cursor = Cell(0, 0)
        self.is_paused = False
        self.is_debugged = is_debugged
        self._owes_debug = is_debugged
        self._label: str | None = None
        self._base_ms = 0
        self._running_since_ms: int | None = None

    @property
    def is_over(self) -> bool:
        return self.game.status is not Status.ONGOING

    @property
    def clock_runs(self) -> bool:
        return self._running_since_ms is not None and self.game.status is Status.ONGOING

    @property
    def wants_layout(self) -> bool:
        """Whether the mines are still to be laid so that no guess is needed."""
        return self.title.is_no_guess and self.game.setup.layout is None

    @property
    def label(self) -> str:
        """The board in words, for the status line."""
        if self._label is None:
            day = f" {self.title.daily}" if self.title.daily else ""
            self._label = f"{self.title.category}{day} {self.game.setup.size}"
        return self._label

    def elapsed_ms(self, now_ms: int) -> int:
        """Milliseconds of play: from the first action to now, or to the end."""
        if self.game.status is not Status.ONGOING:
            return self.game.elapsed_ms
        if self._running_since_ms is None:
            return self._base_ms
        return self._base_ms + max(0, now_ms - self._running_since_ms)

    def act(self, kind: ActionKind, now_ms: int) -> bool:
        """Do something to the cell under the cursor; tell whether it changed anything."""
        return self.apply(Action(kind, self.cursor), now_ms)

    def apply(self, action: Action, now_ms: int) -> bool:
        """Do something to the game; the clock runs from then on."""
        at_ms = self.elapsed_ms(now_ms)
        if self._owes_debug:
            self._owes_debug = False
            self.game.apply(Action(ActionKind.DEBUG), at_ms)
        was_over = self.is_over
        has_changed = self.game.apply(action, at_ms)
        if self._running_since_ms is None or was_over:
            self._base_ms, self._running_since_ms = at_ms, now_ms
        return has_changed

    def set_clock(self, elapsed_ms: int) -> None:
        """Go on from a clock that was kept; it stands until the next action."""
        self._base_ms, self._running_since_ms = elapsed_ms, None

    def stop_clock(self, now_ms: int) -> None:
        """Let no time pass while the player cannot see the board."""
        self.set_clock(self.elapsed_ms(now_ms))

    def run_clock(self, now_ms: int) -> None:
        """Let time pass again, if the game has begun."""
        if self.game.was_played and not self.is_over and self._running_since_ms is None:
            self._running_since_ms = now_ms

    def toggle_debug(self) -> None:
        """Show or hide the mines. A game that was ever seen this way is marked as assisted."""
        self.is_debugged = not self.is_debugged
        self._owes_debug = self._owes_debug or self.is_debugged

    def move(self, columns: int, rows: int) -> None:
        """Move the cursor, stopping at the edge."""
        column, row = self.cursor
        self.move_to(column + columns, row + rows)

    def move_to(self, column: int, row: int) -> None:
        """Put the cursor on a cell, or on the one nearest to a place off the board."""
        size = self.game.setup.size
        if not (0 <= column < size.columns and 0 <= row < size.rows):
            column = min(max(column, 0), size.columns - 1)
            row = min(max(row, 0), size.rows - 1)
        self.cursor = Cell(column, row)

    def lay(self, mines: int) -> None:
        """Play on with these mines; nothing but flags was done yet."""
        setup = self.game.setup
        laid = Setup(setup.size, setup.mine_count, setup.rules, layout=mines)
        self.game = Game.replay(laid, self.game.log.entries)

    def give_up_no_guess(self) -> None:
        """Play on as on any board: none without guesses was found."""
        self.title = replace(self.title, is_no_guess=False)
        self._label = None

    def debug_mines(self) -> int:
        """Return the mines, as far as debug mode shows them."""
        return self.game.reveal_truth().mines if self.is_debugged else 0
