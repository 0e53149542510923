"""A match: one game being played, with its clock and its public code.

It knows nothing of who looks at it: cursor, messages and pause belong to a player at it. Times are
milliseconds of the session's clock, which never runs backwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from jminesweeper.core.actions import Action, ActionKind, unpack_entry
from jminesweeper.core.errors import CoreError
from jminesweeper.core.faces import COVERED, FLAGGED, MINED, QUESTIONED
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import read_clue
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import ONGOING, Status
from jminesweeper.session.figures import Pace, summarise
from jminesweeper.session.reply import Rebuild
from jminesweeper.store import RunningGame, pack_entries, unpack_entries

_OFF_THE_CLOCK: Final = frozenset({ActionKind.HINT, ActionKind.DEBUG})
"""The clock runs from the first reveal or flag, not from the first help."""
J_RULES: Final = "jminesweeper"
_DECIDED: Final = frozenset({Status.WON, Status.LOST})


class Match:
    """A game, its clock, its code, and when it was begun."""

    __slots__ = (
        "_base_ms",
        "_pace",
        "_running_since_ms",
        "_summary",
        "asked_for",
        "begun_ms",
        "code",
        "game",
    )

    def __init__(self, game: Game, code: str = "") -> None:
        self.game = game
        self.code = code
        self.asked_for = game.setup.variant
        """What was asked for; a no-guess board cannot always be found."""
        self.begun_ms: int | None = None
        """When the first action was done."""
        self._pace: Pace | None = None
        self._base_ms = 0
        self._running_since_ms: int | None = None
        self._summary: Sequence[tuple[str, str]] = ()

    @staticmethod
    def rebuild(request: Rebuild) -> Match | None:
        """Replay the log of a kept game; None if it cannot be read. Long games take seconds."""
        kept = request.kept
        try:
            match = Match(Game.replay(kept.setup, unpack_entries(kept.entries)), kept.code)
        except CoreError:
            return None
        match._base_ms = kept.clock_ms
        if kept.begun_at_ms:
            match.begun_ms = kept.begun_at_ms - request.epoch_ms
        return match

    @property
    def variant(self) -> Variant:
        return self.game.setup.variant

    @property
    def is_over(self) -> bool:
        return self.game.status is not ONGOING

    @property
    def is_touched(self) -> bool:
        """Whether the board shows anything of what was done: an opened or a marked cell."""
        return bool(self.game.visible | self.game.flagged | self.game.questioned)

    @property
    def opened_share(self) -> float:
        """Which part of the safe cells is visible, from 0 to 1.

        The solved part of the 3BV would give away whether a number just revealed has a zero beside
        it, and how many openings are left to find.
        """
        game = self.game
        opened = game.visible_count - (game.exploded is not None)
        return opened / max(1, game.setup.variant.safe_count)

    def missing_flags(self) -> int:
        """Return how many flags a running game lacks for a win, once every safe cell is open."""
        game = self.game
        variant = game.setup.variant
        if game.visible_count != variant.safe_count or game.status is not ONGOING:
            return 0
        return variant.mine_count - game.flagged.bit_count()

    @property
    def was_acted_on(self) -> bool:
        """Whether a cell was ever revealed or marked: help alone makes no game."""
        log = self.game.log
        return len(log) > 0 and any(action.cell is not None for _, action, _ in log)

    @property
    def has_leaderboard(self) -> bool:
        """Whether wins are ranked by wall time; a daily board is ranked once for each player."""
        return self.variant.is_classic_board and self.variant.daily is None

    @property
    def is_unprotected(self) -> bool:
        """Whether the game has J's rules, in which the first cell may be a mine."""
        rules = self.variant.rules
        return rules.name == J_RULES and not self.game.setup.protects_first_reveal

    @property
    def is_ranked(self) -> bool:
        """Whether the game shows what its player can do."""
        return not (self.game.assisted or self.variant.is_repeat)

    def summary(self) -> Sequence[tuple[str, str]]:
        """Return the figures of a game that was won or lost, worked out once."""
        if not self._summary and self.game.status in _DECIDED:
            self._summary = summarise(self.game)
        return self._summary

    def pace(self) -> tuple[int, int] | None:
        """Return how much of the 3BV is solved, and with how many clicks."""
        if self._pace is None:
            self._pace = Pace()
        return self._pace.of(self.game)

    def face_of(self, cell: Cell) -> int:
        """Return what a player sees of a cell of the running game."""
        game = self.game
        index = game.grid.index(cell)
        if game.known >> index & 1:
            return MINED
        if game.visible >> index & 1:
            return read_clue(game.reveal_truth().clue_planes, index)
        if game.flagged >> index & 1:
            return COVERED | FLAGGED
        return COVERED | QUESTIONED if game.questioned >> index & 1 else COVERED

    # The clock

    @property
    def clock_runs(self) -> bool:
        return self._running_since_ms is not None and self.game.status is ONGOING

    def elapsed_ms(self, now_ms: int) -> int:
        """Milliseconds of play: from the first action to now, or to the end."""
        if self.game.status is not ONGOING:
            return self.game.elapsed_ms
        since_ms = self._running_since_ms
        if since_ms is None or now_ms < since_ms:
            return self._base_ms
        return self._base_ms + now_ms - since_ms

    def wall_ms(self, now_ms: int) -> int:
        """Milliseconds from the first action to now, pauses and absences included.

        Never less than the time of play: stores of earlier versions do not say when a game began,
        and the clocks of two hosts may differ.
        """
        begun_ms = now_ms if self.begun_ms is None else self.begun_ms
        return max(self.game.elapsed_ms, now_ms - begun_ms)

    def stop_clock(self, now_ms: int) -> None:
        """Stop the clock while the player cannot see the board."""
        self._base_ms, self._running_since_ms = self.elapsed_ms(now_ms), None

    def run_clock(self, now_ms: int) -> None:
        """Start the clock again, if the game has begun."""
        if not self.clock_runs and not self.is_over and self._has_begun():
            self._running_since_ms = now_ms

    def _has_begun(self) -> bool:
        kinds = (unpack_entry(entry)[1] for entry in self.game.log.entries)
        return any(kind not in _OFF_THE_CLOCK for kind in kinds)

    # Playing

    def act(self, kind: ActionKind, cell: Cell | None, now_ms: int) -> bool:
        """Do an action, and run the clock. Return whether it changed the game."""
        game, at_ms = self.game, self.elapsed_ms(now_ms)
        was_over = game.status is not ONGOING
        has_changed = game.apply(Action(kind, cell), at_ms)
        if self.begun_ms is None:
            self.begun_ms = now_ms
        if was_over:
            self._summary = ()
        if was_over or (self._running_since_ms is None and kind not in _OFF_THE_CLOCK):
            self._base_ms, self._running_since_ms = at_ms, now_ms
        return has_changed

    def play_as(self, variant: Variant) -> None:
        """Play on under another name: as a repeat, or as a board that may need guesses."""
        self._summary = ()
        self.game.setup = replace(self.game.setup, variant=variant)

    def allow_guesses(self) -> None:
        """Continue on an ordinary board: no no-guess board was found."""
        self.play_as(replace(self.variant, is_no_guess=False))

    # Boards without guesses

    def needs_layout(self, cell: Cell) -> bool:
        """Whether revealing this cell has to wait for a no-guess board."""
        game = self.game
        if not game.setup.needs_layout:
            return False
        return not (game.visible | game.flagged) & game.grid.bit(cell)

    def lay(self, mines: int, first: Cell) -> None:
        """Continue with these mines, laid around a first cell; none is revealed yet."""
        # A board without room may have a mine even there; nobody else can play that one.
        is_safe = not mines & self.game.grid.bit(first)
        laid = replace(self.game.setup, layout=mines, first=first if is_safe else None)
        self.game = Game.replay(laid, self.game.log.entries)

    # As stored

    def written(self, cursor: Cell, now_ms: int, epoch_ms: int, *, is_paused: bool) -> RunningGame:
        """Return the match as the store keeps it."""
        return RunningGame(
            self.code,
            self.game.setup,
            pack_entries(self.game.log.entries),
            self.elapsed_ms(now_ms),
            cursor,
            is_paused,
            begun_at_ms=0 if self.begun_ms is None else epoch_ms + self.begun_ms,
        )
