"""A player at a match: everything that belongs to one person rather than to the game.

Cursor, message, hint, pause, settings and the open menus. A player knows no packet and no socket:
`board`, `entering`, `main_menu` and the modules beside them do something to a player; `session`
decides which of them gets a packet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.generator import RandomBits
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import ONGOING
from jminesweeper.session.choosing import is_board_of_day
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.lease import Lease
from jminesweeper.session.match import J_RULES, Match
from jminesweeper.session.messages import SILENCE, message
from jminesweeper.session.others import Others, as_left
from jminesweeper.session.reply import Outbound, Review
from jminesweeper.session.settings import Settings
from jminesweeper.session.talks import Flow, Talks
from jminesweeper.store import Enter, RunningGame

_TOP_LEFT: Final = Cell(0, 0)
_DEFAULT_SETTINGS: Final = Settings()

Odds: TypeAlias = tuple[tuple[int, int], ...]
"""Cells in reading order, each with its chance of a mine in percent."""


def _on_board(match: Match, cursor: Cell) -> Cell:
    """Bring a stored cursor back that is off the board."""
    size = match.game.grid.size
    return Cell(min(cursor.column, size.columns - 1), min(cursor.row, size.rows - 1))


class Player:
    """The state of one session; `now_ms` is the time of what is being handled."""

    __slots__ = (
        "changes",
        "config",
        "cursor",
        "cursor_is_news",
        "entering",
        "entropy",
        "flash",
        "greeted",
        "has_given_up",
        "has_quit",
        "has_view",
        "hint",
        "is_best_due",
        "is_covered",
        "is_debugged",
        "is_live",
        "is_paused",
        "lease",
        "match",
        "message",
        "now_ms",
        "odds",
        "others",
        "out",
        "retry_at_ms",
        "review",
        "review_figures",
        "saved_as",
        "saved_entries",
        "settings",
        "talks",
        "tokens",
        "wants_to_resume",
        "wrong_codes",
    )

    def __init__(self, config: SessionConfig, entropy: RandomBits) -> None:
        self.config = config
        self.entropy = entropy
        self.tokens = config.tokens or entropy
        self.now_ms = 0
        self.out = Outbound()
        self.lease = Lease(config, self.tokens, self.out)
        self.talks = Talks(self.out)
        self.settings = _DEFAULT_SETTINGS
        # At the board
        self.match: Match | None = None
        self.cursor = _TOP_LEFT
        """Where the player was last; a front end has a cursor of its own."""
        self.cursor_is_news = False
        """The client has not been told of the cursor yet."""
        self.message = SILENCE
        self.hint: tuple[int, ...] = ()
        """The cell that a hint recommends, and those that tell why, in reading order."""
        self.flash: tuple[int, ...] = ()
        """The covered cells around a number that lacks flags, until the next packet."""
        self.odds: Odds | None = None
        self.is_paused = self.is_debugged = self.is_covered = False
        """Covered is a match by a menu or a page: its clock is stopped."""
        self.changes = 0
        """Counts the changes to the look of the field."""
        self.saved_as = ""
        """The name under which the player saved this match, or loaded it."""
        self.saved_entries = 0
        """How long its log was when it was saved."""
        self.has_given_up = False
        """The player was asked, and agrees to give the match up."""
        self.others = Others()
        self.is_best_due = False
        """A ranked game was won: is it the player's best?"""
        self.review: Review | None = None
        """The review that is under way."""
        self.review_figures: Sequence[tuple[str, str]] = ()
        # To whom
        self.has_view = False
        """The client said HELLO, and gets views; before that, the frames of version 1."""
        self.is_live = False
        """The client accepts frames that it did not ask for."""
        # Who plays
        self.entering: Enter | None = None
        """How the store was asked to let this player in."""
        self.greeted = self.wrong_codes = 0
        """How many players said HELLO on this connection, and how many wrong codes were typed."""
        self.retry_at_ms: int | None = None
        """When to ask the store again to let this player in."""
        self.wants_to_resume = False
        """The client asked for the game that waits."""
        self.has_quit = False
        """The player quit, and needs no last screen."""

    # Messages

    def say(self, which: str, **args: Any) -> None:
        self.message = message(which, **args)

    def hush(self) -> None:
        self.message = SILENCE

    def idle(self) -> None:
        """Do nothing; before a game and in a pause, drop a stale message."""
        if self.match is None or self.is_paused:
            self.hush()

    def begin_talk(self, flow: Flow) -> None:
        self._report(self.talks.begin(flow))

    def answer_talk(self, answer: object) -> None:
        """Continue the dialog that waits for this."""
        self._report(self.talks.answer(answer))

    def _report(self, error: Exception | None) -> None:
        if error is not None:
            self.say("store", text=str(error))

    # Beginning and ending

    def begin(self, setup: Setup, code: str = "") -> None:
        """Begin a match, with a new code unless one is given; set a running one aside."""
        kept = self.put_aside(setup)
        match = Match(Game(setup), code or self.lease.new_code())
        self.hush()
        self._play(match, setup.first or _TOP_LEFT)
        if kept:
            self.say("kept", board=kept)
        if self.is_debugged and is_board_of_day(setup, self.config.today(self.now_ms)):
            self.is_debugged = False
        if self.is_debugged:
            # A player who sees the mines from the start is helped, even before the first action.
            self.act(ActionKind.DEBUG)
            self.keep()

    def put_aside(self, setup: Setup | None = None) -> str:
        """Set aside the match or the game that waits; return the board of the one that is kept.

        `setup` is what will be played instead. If that shows the same board, the game set aside
        becomes a repeat.
        """
        board = self.make_room()
        match = self.match
        if match is not None and self._is_kept_aside(match):
            written = match.written(
                self.cursor, self.now_ms, self.config.epoch_ms(), is_paused=self.is_paused
            )
            left = as_left(written, setup, is_copied=bool(self.saved_as))
            self.others.set_aside(match, left, self.config.seconds(self.now_ms))
            board = match.variant.board
        self.give_up()
        return board

    def _is_kept_aside(self, match: Match) -> bool:
        """Whether to keep the match when another replaces it: yes, unless the player gave it up."""
        if not self.lease.is_kept_aside(match) or self._is_saved_as_it_is(match):
            return False
        return not (self.has_given_up and self.is_at_stake)

    def make_room(self) -> str:
        """Set aside the game that waits, if one does; return its board if it is kept."""
        waiting, self.others.waiting = self.others.waiting, None
        if waiting is None:
            return ""
        self.others.superseded = waiting.match
        if not self.lease.is_kept_aside(waiting.match):
            return ""
        self.others.set_aside(*waiting, self.config.seconds(self.now_ms))
        return waiting.match.variant.board

    def give_up(self) -> None:
        """Terminate the running match, if any; nothing done to a cell makes it no game."""
        match = self.match
        if match is None or match.game.status is not ONGOING:
            return
        is_a_game = match.was_acted_on
        match.game.terminate()
        if is_a_game:
            self.keep()

    def take_up(self, match: Match, kept: RunningGame) -> bool:
        """Resume a match that was kept, unless it has ended."""
        if match.is_over:
            return False
        self.is_debugged = False
        self.hush()
        if not kept.is_paused:
            self.say("resumed")
        self._play(match, _on_board(match, kept.cursor), is_paused=kept.is_paused)
        if not kept.is_paused:
            match.run_clock(self.now_ms)
        return True

    def change_to(self, match: Match, cursor: Cell) -> None:
        """Continue a match that was played before, in place of the current one."""
        self.put_aside()
        self.is_debugged = False
        self._play(match, _on_board(match, cursor))
        match.run_clock(self.now_ms)
        if match.game.was_played:
            self.keep()

    def leave(self) -> None:
        """Leave the match; if it is stored, it waits with its clock stopped."""
        match, is_held = self.match, self.lease.is_held
        if match is not None and not match.is_over and match.game.was_played:
            if is_held:
                match.stop_clock(self.now_ms)
            else:
                self.give_up()
        else:
            match = None
        self.lease.part(match, self.cursor, self.now_ms, is_paused=self.is_paused)
        self.others.waiting = None
        self._stop_playing()

    def let_go(self) -> None:
        """Leave the match to another connection."""
        self._stop_playing()
        self.entering = None
        self.others.forget()
        self.lease.end()

    def _play(self, match: Match, cursor: Cell, *, is_paused: bool = False) -> None:
        self.match = match
        self.put_cursor(cursor)
        self.is_paused = is_paused
        self.is_covered = False
        self.saved_as = ""
        self.forget_end()
        self.talks.close()
        if match.variant.is_no_guess and not self.config.has_solver:
            match.allow_guesses()
            self.say("no.solver")

    def _stop_playing(self) -> None:
        self.match = None
        self.is_paused = self.is_debugged = False

    # Playing

    def live_match(self) -> Match | None:
        """Return the match, while something can be done to it."""
        match = self.match
        if match is None or self.is_paused or match.game.status is not ONGOING:
            return None
        return match

    @property
    def is_at_stake(self) -> bool:
        """Whether the player must confirm before the match is given up."""
        match = self.match
        if match is None or match.is_over or not match.game.visible:
            return False
        return not self._is_saved_as_it_is(match)

    def _is_saved_as_it_is(self, match: Match) -> bool:
        return bool(self.saved_as) and len(match.game.log) == self.saved_entries

    def act(self, kind: ActionKind, cell: Cell | None = None) -> bool:
        """Do an action at the match; return whether that changed the board."""
        match = self.match
        return match is not None and match.act(kind, cell, self.now_ms)

    def keep(self) -> None:
        """Store what was done before it is shown."""
        match = self.match
        if match is not None:
            if len(match.game.log.entries) == 1:
                self._remember(match.asked_for.category)
            if self.others.superseded is not None:
                self._end(self.others.superseded)
            self.lease.keep(match, self.cursor, self.now_ms)

    def _remember(self, board: Variant) -> None:
        """Offer this board first from now on."""
        if board == self.settings.last_board:
            return
        self.settings = replace(self.settings, last_board=board)
        if self.lease.player:
            self.lease.put_board(self.settings.to_texts(), self.now_ms)

    def _end(self, superseded: Match) -> None:
        """Record what waited as given up: another game is played in its place."""
        self.others.superseded = None
        if superseded.was_acted_on and not superseded.is_over:
            superseded.game.terminate()
            self.lease.record(superseded, self.now_ms)

    def note(self) -> None:
        """Store cursor, clock and pause from time to time."""
        if self.match is not None:
            self.lease.note(self.match, self.cursor, self.now_ms, is_paused=self.is_paused)

    def note_saved(self, name: str) -> None:
        """Remember that the match is saved as it is now."""
        if self.match is not None:
            self.saved_as, self.saved_entries = name, len(self.match.game.log)

    def touch(self) -> None:
        """Remember that the field may look different now."""
        self.changes += 1
        self.hint = ()
        self.odds = None

    def put_cursor(self, cell: Cell) -> None:
        """Put the cursor on a cell, and have the client told."""
        self.cursor, self.cursor_is_news = cell, True

    def places(self, cells: Iterable[Cell]) -> tuple[int, ...]:
        """Return the numbers of cells in reading order, as a view has them."""
        columns = 0 if self.match is None else self.match.game.grid.size.columns
        return tuple(row * columns + column for column, row in cells)

    def forget_end(self) -> None:
        """Take note that the match is running, or another one."""
        self.review = None
        self.review_figures = ()
        self.touch()

    # Clock

    def pause(self) -> None:
        """Hide the board, with the clock stopped."""
        self.is_paused = True
        self.touch()
        self._run_or_stop_clock()

    def go_on(self) -> None:
        """Show the board again."""
        self.is_paused = False
        self._run_or_stop_clock()

    def cover(self) -> None:
        """Stop the clock while a menu or a page covers the board."""
        is_covered = self.talks.layer is not None
        if is_covered != self.is_covered:
            self.is_covered = is_covered
            self._run_or_stop_clock()

    def leave_menus(self) -> None:
        """Close all menus, and continue the game."""
        self.talks.close()
        self.is_covered = False
        self.go_on()

    def _run_or_stop_clock(self) -> None:
        if self.match is None:
            return
        self.changes += 1
        if self.is_paused or self.is_covered:
            self.match.stop_clock(self.now_ms)
        else:
            self.match.run_clock(self.now_ms)

    # Showing

    def debug_mines(self) -> int:
        """Return the mines that debug mode shows, if it is on."""
        if self.match is None or not self.is_debugged:
            return 0
        return self.match.game.reveal_truth().mines

    @property
    def has_question_marks(self) -> bool:
        """Whether a second flag is a question mark; J's game has none, whatever the settings."""
        match = self.match
        is_of_j = match is not None and match.variant.rules.name == J_RULES
        return self.settings.question_marks and not is_of_j

    @property
    def is_ranked(self) -> bool:
        """Whether the match counts among the player's ranked games so far."""
        return self.match is not None and self.lease.is_held and self.match.is_ranked

    @property
    def is_timed(self) -> bool:
        """Whether the match ranks by wall time, which goes on during a pause."""
        match = self.match
        has_begun = match is not None and match.was_acted_on and not match.is_over
        return has_begun and self.is_ranked and match is not None and match.has_leaderboard
