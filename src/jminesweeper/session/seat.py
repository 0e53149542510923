"""A seat: what one person has at one match, from sitting down to leaving it.

It is made anew for each match and dropped with it, so nothing of one game is left in the next. A
seat knows no packet, no store and nobody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from jminesweeper.core.grid import Cell
from jminesweeper.records.documents import Note
from jminesweeper.session.match import Match
from jminesweeper.session.reply import Review

NOTE_EVERY_MS: Final = 1_000
NOTE_LATER_MS: Final = 4_000
"""How much later a note is stored while nothing is done."""

Odds: TypeAlias = tuple[tuple[int, int], ...]
"""Cells in reading order, each with its chance of a mine in percent."""


class Ending(NamedTuple):
    """What is told of a match that has ended."""

    review: Review | None = None
    """The review that is under way."""
    review_figures: Sequence[tuple[str, str]] = ()
    day_figures: Sequence[tuple[str, str]] = ()
    """What is told after a board of the day."""


class Seat:
    """One person at one match."""

    # Few seats ever set these; the others do with the defaults.
    is_debugged = False
    hint: tuple[int, ...] = ()
    """The cell that a hint recommends, and those that tell why, in reading order."""
    odds: Odds | None = None
    saved_as = ""
    """The name under which the player saved this match, or loaded it."""
    saved_entries = 0
    """How long its log was when it was saved."""
    noted: Note | None = None
    """What was stored last of cursor, clock and pause."""
    next_note_ms = 0
    has_given_up = False
    """The player was asked, and agrees to give the match up."""
    ending = Ending()

    def __init__(self, match: Match, cursor: Cell, *, is_paused: bool = False) -> None:
        self.match = match
        size = match.game.grid.size
        self.cursor = Cell(min(cursor[0], size.columns - 1), min(cursor[1], size.rows - 1))
        """Where the player was last; a front end has a cursor of its own."""
        self.cursor_is_news = True
        """The client has not been told of the cursor yet."""
        self.is_paused = is_paused
        self.is_covered = False
        """A menu or a page covers the board, and the clock is stopped."""
        self.flash: tuple[int, ...] = ()
        """The covered cells around a number that lacks flags, until the next packet."""
        self.changes = 0
        """Counts the changes to the look of the field."""
        self.seen = match.changes
        """How often the match had changed when this player knew it last, and its status then."""
        self.seen_status = match.game.status

    def know_match(self) -> None:
        """Know the match as it is now."""
        self.seen, self.seen_status = self.match.changes, self.match.game.status

    # What the player sees

    def put_cursor(self, cell: Cell) -> None:
        """Put the cursor on a cell, and have the client told."""
        self.cursor, self.cursor_is_news = cell, True

    @property
    def is_on_mark(self) -> bool:
        """Whether the cell at the cursor is flagged or questioned."""
        game = self.match.game
        return bool((game.flagged | game.questioned) & game.grid.bit(self.cursor))

    def mark_changed(self) -> None:
        """Remember that the field may look different now."""
        self.changes += 1
        self.hint = ()
        self.odds = None

    def show_hint(self, cells: Iterable[Cell]) -> None:
        self.hint = self.places(cells)

    def places(self, cells: Iterable[Cell]) -> tuple[int, ...]:
        """Return the numbers of cells in reading order, as a view has them."""
        columns = self.match.game.grid.size.columns
        return tuple(row * columns + column for column, row in cells)

    def switch_debug(self) -> None:
        """Show the mines, or hide them."""
        self.is_debugged = not self.is_debugged
        self.mark_changed()

    def debug_mines(self) -> int:
        """Return the mines that debug mode shows, if it is on."""
        return self.match.game.reveal_truth().mines if self.is_debugged else 0

    # The end

    def begin_review(self) -> Review:
        """Have the game reviewed that has just ended."""
        game = self.match.game
        review = Review(game.setup, game.log.entries[:])
        self.ending = self.ending._replace(review=review)
        return review

    def take_review(self, review: Review, figures: Sequence[tuple[str, str]]) -> None:
        """Take the figures of a review, if it is of this end."""
        if self.ending.review is review:
            self.ending = self.ending._replace(review=None, review_figures=figures)
            # There is more to see.
            self.seen -= bool(figures)

    def show_day(self, figures: Sequence[tuple[str, str]]) -> None:
        """Show how a board of the day compares."""
        self.ending = self.ending._replace(day_figures=figures)

    def forget_end(self) -> None:
        """Take note that the match is running again."""
        self.ending = Ending()
        self.mark_changed()

    @property
    def figures(self) -> Sequence[tuple[str, str]]:
        """The figures of a match that has ended."""
        return (*self.match.summary(), *self.ending.review_figures, *self.ending.day_figures)

    # The clock

    def pause(self, now_ms: int) -> None:
        """Hide the board, with the clock stopped."""
        self.is_paused = True
        self.mark_changed()
        self._run_or_stop_clock(now_ms)

    def resume(self, now_ms: int) -> None:
        """Show the board again."""
        self.is_paused = False
        self._run_or_stop_clock(now_ms)

    def follow_pause(self, *, is_paused: bool) -> None:
        """Hide or show the board for a pause of all who play; their room stops the clock."""
        self.is_paused = is_paused
        self.mark_changed()

    def cover(self, now_ms: int, *, is_covered: bool) -> None:
        """Stop the clock while a menu or a page covers the board."""
        if is_covered != self.is_covered:
            self.is_covered = is_covered
            self._run_or_stop_clock(now_ms)

    def _run_or_stop_clock(self, now_ms: int) -> None:
        self.changes += 1
        if self.is_paused or self.is_covered:
            self.match.look_away(self, now_ms)
        else:
            self.match.look_at(self, now_ms)

    # Notes and saves

    def note(self, now_ms: int) -> Note:
        """Note where the player is by now."""
        clock_ms = self.match.elapsed_ms(now_ms)
        return Note(len(self.match.game.log), clock_ms, self.cursor, self.is_paused)

    def note_news(self, now_ms: int) -> Note | None:
        """Return what to store of cursor, clock and pause, if that is news."""
        journal = self.match.journal
        if journal is None or not journal.stored or self.match.is_over:
            return None
        noted = self.note(now_ms)
        if noted == self.noted:
            return None
        self.noted, self.next_note_ms = noted, now_ms + NOTE_EVERY_MS
        return noted

    def note_saved(self, name: str) -> None:
        """Remember that the match is saved as it is now."""
        self.saved_as, self.saved_entries = name, len(self.match.game.log)

    def forget_save(self, name: str) -> None:
        if self.saved_as == name:
            self.saved_as = ""

    @property
    def is_saved_as_it_is(self) -> bool:
        return bool(self.saved_as) and len(self.match.game.log) == self.saved_entries

    @property
    def is_at_stake(self) -> bool:
        """Whether the player must confirm before the match is given up."""
        match = self.match
        return bool(match.game.visible) and not (match.is_over or self.is_saved_as_it_is)

    @property
    def is_kept_aside(self) -> bool:
        """Whether to keep the match when another replaces it: yes, unless it was given up."""
        match = self.match
        return match.is_worth_keeping and not (self.has_given_up or self.is_saved_as_it_is)
