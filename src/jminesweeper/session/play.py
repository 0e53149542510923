"""One game being played: the game itself, its cursor, its clock, and what it is played as."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from jminesweeper.core import Action, ActionKind, Cell, Game, Setup, Status, unpack_entry
from jminesweeper.session.titles import Title, format_header, label_of

_OFF_THE_CLOCK: Final = frozenset({ActionKind.HINT, ActionKind.DEBUG})
"""The clock runs from the first reveal or flag, not from the first help."""


class Play:
    """A game with the things that belong to playing it rather than to the game."""

    __slots__ = (
        "_base_ms",
        "_header",
        "_label",
        "_running_since_ms",
        "_saved_entries",
        "code",
        "cursor",
        "game",
        "is_debugged",
        "is_paused",
        "saved_as",
        "title",
        "wants_no_guess",
    )

    def __init__(self, game: Game, title: Title, code: str = "") -> None:
        self.game = game
        self.title = title
        self.code = code
        self.cursor = _TOP_LEFT
        self.is_paused = False
        self.is_debugged = False
        self.wants_no_guess = title.is_no_guess
        """What was asked for, also if no such board could be had."""
        self._label = ""
        self._header = ""
        self._base_ms = 0
        self._running_since_ms: int | None = None
        self.saved_as = ""
        """The name under which the player saved this game, or loaded it."""
        self._saved_entries = 0

    @property
    def is_over(self) -> bool:
        return self.game.status is not Status.ONGOING

    @property
    def is_at_stake(self) -> bool:
        """Whether something would be lost if the game were given up now."""
        is_saved = self.saved_as != "" and len(self.game.log) == self._saved_entries
        return not self.is_over and self.game.visible != 0 and not is_saved

    def note_saved(self, name: str) -> None:
        """Take note that the game as it stands can be loaded again."""
        self.saved_as, self._saved_entries = name, len(self.game.log)

    def note_dropped(self, name: str) -> None:
        """Take note that what was saved under a name is gone."""
        if self.saved_as == name:
            self.saved_as = ""

    # In words

    @property
    def label(self) -> str:
        """The board in words, for the status line."""
        if not self._label:
            self._label = label_of(self.game.setup.size, self.title)
        return self._label

    @property
    def header(self) -> str:
        """All that was decided before the first action, as text to keep."""
        if not self._header:
            self._header = format_header(self.game.setup, self.title)
        return self._header

    def entitle(self, title: Title) -> None:
        """Play on as something else."""
        self.title = title
        self._label = self._header = ""

    # The clock

    @property
    def clock_runs(self) -> bool:
        return self._running_since_ms is not None and self.game.status is Status.ONGOING

    def elapsed_ms(self, now_ms: int) -> int:
        """Milliseconds of play: from the first action to now, or to the end."""
        if self.game.status is not Status.ONGOING:
            return self.game.elapsed_ms
        if self._running_since_ms is None:
            return self._base_ms
        return self._base_ms + max(0, now_ms - self._running_since_ms)

    def set_clock(self, elapsed_ms: int) -> None:
        """Let the clock stand at a time that was kept."""
        self._base_ms, self._running_since_ms = max(0, elapsed_ms), None

    def stop_clock(self, now_ms: int) -> None:
        """Let no time pass while the player cannot see the board."""
        self.set_clock(self.elapsed_ms(now_ms))

    def run_clock(self, now_ms: int) -> None:
        """Let time pass again, if the game has begun."""
        if not self.clock_runs and not self.is_over and self._has_begun():
            self._running_since_ms = now_ms

    def _has_begun(self) -> bool:
        kinds = (unpack_entry(entry)[1] for entry in self.game.log.entries)
        return any(kind not in _OFF_THE_CLOCK for kind in kinds)

    # Playing

    def act(self, kind: ActionKind, now_ms: int) -> bool:
        """Do something to the cell under the cursor; tell whether it changed anything."""
        return self.apply(Action(kind, self.cursor), now_ms)

    def apply(self, action: Action, now_ms: int) -> bool:
        """Do something to the game; the clock runs from then on."""
        at_ms = self.elapsed_ms(now_ms)
        was_over = self.game.status is not Status.ONGOING
        has_changed = self.game.apply(action, at_ms)
        if was_over or (self._running_since_ms is None and action.kind not in _OFF_THE_CLOCK):
            self._base_ms, self._running_since_ms = at_ms, now_ms
        return has_changed

    def toggle_debug(self, now_ms: int) -> bool:
        """Show or hide the mines; tell whether this marked the game as assisted."""
        self.is_debugged = not self.is_debugged
        if not self.is_debugged or self.game.assisted:
            return False
        self.apply(Action(ActionKind.DEBUG), now_ms)
        return True

    def debug_mines(self) -> int:
        """Return the mines, as far as debug mode shows them."""
        return self.game.reveal_truth().mines if self.is_debugged else 0

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

    # Boards without guesses

    @property
    def needs_layout(self) -> bool:
        """Whether a reveal at the cursor is the first, of a board that is to need no guess."""
        game = self.game
        if not self.title.is_no_guess or game.setup.layout is not None:
            return False
        return not (game.visible | game.flagged) & game.grid.bit(self.cursor)

    def lay(self, mines: int) -> None:
        """Play on with these mines; no cell was revealed yet."""
        setup = self.game.setup
        laid = Setup(setup.size, setup.mine_count, setup.rules, layout=mines)
        self.game = Game.replay(laid, self.game.log.entries)
        self._header = ""

    def give_up_no_guess(self) -> None:
        """Play on as on any board: none without guesses was found."""
        self.entitle(replace(self.title, is_no_guess=False))


_TOP_LEFT: Final = Cell(0, 0)
