"""Matches: games being played, the seats at them, and all those of one process.

A *match* is one game with its clock, its public code and its journal. All sessions of a process
that are at the same game share it. It knows nothing of what one of them sees.

A *seat* is one person at one match, from sitting down to leaving it: cursor, marks, hint, pause. It
is made anew for each match and dropped with it, so nothing of one game is left in the next.

`Matches` finds them by their codes. The server's keeper asks the store for what a match wants: it
takes the matches that changed, and carries out the operations of their journals.

Times are milliseconds of the sessions' clock, which never runs backwards, unless they are since
1970. A match knows no packet and no store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from jminesweeper.bus import Bus
from jminesweeper.core.actions import ON_A_CELL, Action, ActionKind, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import ONGOING, Status
from jminesweeper.records.documents import Flow, Label, Leaderboard, Note
from jminesweeper.records.journal import AnyJournal, Journal, NoJournal
from jminesweeper.records.keys import room_of
from jminesweeper.records.limits import Limits
from jminesweeper.records.results import count_anonymous, is_faster_than_hands
from jminesweeper.records.reviews import Verdict
from jminesweeper.records.rooms import Kind
from jminesweeper.records.rounds import Progress
from jminesweeper.records.table import EVERY, Played
from jminesweeper.session.figures import Pace, Rival, summarise
from jminesweeper.session.reply import AwaitStored, Review
from jminesweeper.session.tables import Audience, Contributions, Hear, Tables, hear_nothing

_OFF_THE_CLOCK: Final = frozenset({ActionKind.HINT, ActionKind.DEBUG})
"""The clock runs from the first reveal or flag, not from the first help."""
CLOCK_TOLERANCE_MS: Final = 500
"""By how much two servers' clocks may differ before a player is shown the other one."""
J_RULES: Final = "jminesweeper"
_NOBODY: Final[Mapping[Any, Any]] = MappingProxyType({})
"""Shared by all matches: an empty table of its own takes 64 bytes, and most are never filled."""
_DECIDED: Final = frozenset({Status.WON, Status.LOST})


class Match:
    """A game, its clock, its code, and when it was begun."""

    # Few matches ever set these; the others do with the defaults.
    ended_at_ms = 0
    """Time of the action that ended it, since 1970."""
    is_program = False
    """A client that said it is a program has acted here."""
    watchers_elsewhere = 0
    """Number of watchers at other servers."""
    pointer_elsewhere: int | None = None
    """The index of the cell where the player at another server is."""
    moves = 0
    """Counts the moves of the player's cursor that watchers are shown."""
    scene: object = None
    """The last scene for watchers."""
    has_round_clock = False
    """Its clock is that of a round in a room, and neither runs nor stops with who looks."""
    audience: Audience | None = None
    """The players at a shared board, who are shown the news together."""
    _awaiting: Sequence[tuple[int, Callable[[object], object]]] = ()
    """Callbacks, each with the number of stored entries that it waits for."""
    _summary: tuple[object, Sequence[tuple[str, str]]] = (None, ())
    """The figures of the ended game, after what they were worked out from."""

    def __init__(self, game: Game, journal: Journal | None = None, begun_at_ms: int = 0) -> None:
        self.game = game
        self.journal: AnyJournal = journal or NoJournal(game)
        """This process's copy of the record, and the store's."""
        self.code = self.journal.code
        self.is_kept = bool(self.code)
        """The store gets it: a known player plays."""
        self.room = room_of(self.code) if self.is_kept else ""
        """The code of the room whose round it is of; empty for a game played alone."""
        self.asked_for = game.setup.variant
        """The board that was asked for; one without guesses cannot always be found."""
        self.begun_at_ms = begun_at_ms
        """Time of the first action, since 1970; 0 before it."""
        self.changes = 0
        """Counts what may look different: each action, and what came from elsewhere."""
        self.seats: Sequence[MatchSeat] = ()
        """The places taken at it."""
        self.watchers: Mapping[object, Hear] = _NOBODY
        """The watchers, and the callback that notifies each of them."""
        self.owner = ""
        """The device of a known player on which it was begun."""
        self.rival: Rival | None = None
        """The opponent that its player races alone."""
        self._owed: Mapping[Hear, int] = _NOBODY
        """Callbacks of players with held replies, and the entries that the last reply waits for."""
        self._base_ms = game.elapsed_ms
        self._running_since_ms: int | None = None

    @cached_property
    def contributions(self) -> Contributions:
        """The actions of each author; only shared games follow it."""
        return Contributions()

    @cached_property
    def _pace(self) -> Pace:
        return Pace()

    @property
    def is_needed(self) -> bool:
        """True if somebody is at it, or something of it is not stored yet."""
        return bool(self.seats or self.watchers) or not self.journal.is_at_rest

    @property
    def variant(self) -> Variant:
        return self.game.setup.variant

    @property
    def is_over(self) -> bool:
        return self.game.status is not ONGOING

    @property
    def is_put_away(self) -> bool:
        """True if no player sees the board: it is paused, or a menu covers it."""
        return bool(self.seats) and not (self._is_seen or self.is_over)

    @property
    def _is_seen(self) -> bool:
        """True if a seat sees the board."""
        return any(not (seat.is_paused or seat.is_covered) for seat in self.seats)

    @property
    def is_watched(self) -> bool:
        return bool(self.watchers or self.watchers_elsewhere)

    @property
    def pointer(self) -> Cell | None:
        """The cell where the player is, if anybody knows."""
        if self.seats:
            return self.seats[-1].cursor
        known = self.pointer_elsewhere
        return None if known is None else self.game.grid.cell(known)

    def point(self, elsewhere: int | None = None) -> None:
        """Show watchers where the player is, here or at another server."""
        self.pointer_elsewhere, self.moves = elsewhere, self.moves + 1
        if self.watchers:
            self.notify_watchers()

    @property
    def is_worth_keeping(self) -> bool:
        """True if it is kept for later: the store has it, and a cell is opened or marked."""
        game = self.game
        return self.is_kept and bool(game.visible | game.flagged | game.questioned)

    @property
    def opened_share(self) -> float:
        """Visible part of the safe cells, from 0 to 1.

        The solved part of the 3BV would give away whether a number just revealed has a zero beside
        it, and how many openings are left to find.
        """
        game = self.game
        opened = game.visible.bit_count() - (game.exploded is not None)
        return opened / max(1, game.setup.variant.safe_count)

    def label(self, noted: Note, now_s: int) -> Label:
        """Return its label as it is now, for a save."""
        game, where = self.game, (noted.clock_ms, noted.cursor)
        variant, length = game.setup.variant, len(game.log.entries)
        return Label(self.code, length, now_s, variant, self.opened_share, *where)

    def missing_flags(self) -> int:
        """Return the number of flags missing for a win, once every safe cell is open."""
        game = self.game
        variant = game.setup.variant
        if game.visible.bit_count() != variant.safe_count or game.status is not ONGOING:
            return 0
        return variant.mine_count - game.flagged.bit_count()

    @property
    def how_won(self) -> str:
        """A sentence about something special in how the game was won, after a blank."""
        return "" if self.game.log.count_kinds()[ActionKind.FLAG] else " Not one flag!"

    @property
    def was_acted_on(self) -> bool:
        """True if a cell was ever revealed or marked: help alone makes no game."""
        entries = self.game.log.entries
        return bool(entries) and any(unpack_entry(entry)[1] in ON_A_CELL for entry in entries)

    @property
    def has_leaderboard(self) -> bool:
        """True if wins are ranked by wall time; a daily board is ranked once for each player."""
        return self.variant.is_classic_board and self.variant.daily is None

    @property
    def is_unprotected(self) -> bool:
        """True if the game has J's rules, in which the first cell may be a mine."""
        rules = self.variant.rules
        return rules.name == J_RULES and not self.game.setup.protects_first_reveal

    @property
    def is_ranked(self) -> bool:
        """True for an unaided game on an unseen board."""
        return not (self.game.assisted or self.variant.is_repeat)

    def note_program(self) -> None:
        """Note that a program plays."""
        self.is_program = True
        self.journal.note_program()

    @property
    def leaderboard(self) -> Leaderboard:
        """The wins that a win is compared with."""
        is_program = self.is_program or self.journal.document.is_program
        return Leaderboard(self.variant, is_program or is_faster_than_hands(self.game))

    def summary(self) -> Sequence[tuple[str, str]]:
        """Return the figures of a game that was won or lost, worked out once."""
        game = self.game
        if game.status not in _DECIDED:
            return ()
        of = game, len(game.log), game.setup
        if self._summary[0] != of:
            self._summary = of, summarise(game)
        return self._summary[1]

    def pace(self) -> tuple[int, int] | None:
        """Return the solved part of the 3BV, and the clicks for it."""
        return self._pace.of(self.game)

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

    def wall_ms(self, at_ms: int) -> int:
        """Milliseconds from the first action to a time since 1970, absences included.

        Never less than the time of play: the clocks of two hosts may differ.
        """
        return max(self.game.elapsed_ms, at_ms - (self.begun_at_ms or at_ms))

    def sit_down(self, seat: MatchSeat, hear: Hear, now_ms: int) -> None:
        """Take a seat; `hear` is called with what others do."""
        seat.hear, self.seats = hear, (*self.seats, seat)
        self.run_or_stop_clock(now_ms)

    def leave(self, seat: MatchSeat, now_ms: int) -> None:
        """Leave a seat; replies that wait are owed all the same."""
        self.seats = tuple([each for each in self.seats if each is not seat])
        self.run_or_stop_clock(now_ms)

    def owe(self, hear: Hear, length: int) -> None:
        """Notify a player of each stored change until `length` entries are stored."""
        self._owed = {**self._owed, hear: length}

    def notify(self, *, must_renew: bool) -> None:
        """Notify players with held replies that more is stored; show the others the news.

        Held replies must be renewed if others were faster, or if the store has failed.
        """
        journal = self.journal
        if self._awaiting:
            self.answer_awaiting()
        if owed := self._owed:
            self._owed = {
                hear: length
                for hear, length in owed.items()
                if not journal.may_show(min(length, journal.length))
            } or _NOBODY
            for hear in owed:
                hear(must_renew)
        if self.audience is not None:
            self.audience.show_soon()
        else:
            for seat in self.seats:
                if seat.seen != self.changes and seat.hear not in owed:
                    seat.hear(False)
        if self.watchers:
            self.notify_watchers()

    def answer_awaiting(self) -> None:
        """Make the calls whose entries are stored by now."""
        journal, awaiting, self._awaiting = self.journal, self._awaiting, ()
        for length, call in awaiting:
            # Where others were faster the log may have become shorter.
            if journal.may_show(min(length, journal.length)):
                call(None)
            else:
                self.await_stored(length, call)

    def await_stored(self, length: int, call: Callable[[object], object]) -> None:
        """Call once `length` entries are stored, or the store has failed."""
        self._awaiting = (*self._awaiting, (length, call))

    def wait_until_stored(self) -> Generator[AwaitStored, Any, None]:
        """Wait until the match is stored as it is now; raise the store's error if it cannot be.

        What names a game in the store waits for this: else a crash would leave a name of nothing.
        """
        journal = self.journal
        length = len(self.game.log.entries)
        while not journal.may_show(min(length, journal.length)):
            yield AwaitStored(partial(self.await_stored, length))
        if journal.fault is not None:
            raise journal.fault

    def wait_until_at_rest(self) -> Generator[AwaitStored, Any, None]:
        """Wait until nothing about the match is to be stored, or the store fails."""
        while not (self.journal.is_at_rest or self.journal.fault is not None):
            yield AwaitStored(partial(self.await_stored, 0))

    def wait_until_left(self) -> Generator[AwaitStored, Any, None]:
        """Wait until the store knows that another game replaced this one, or fails."""
        while self.journal.is_leaving:
            yield AwaitStored(partial(self.await_stored, 0))

    def notify_watchers(self) -> None:
        """Notify watchers that there may be more to see."""
        for hear in tuple(self.watchers.values()):
            hear(False)

    @property
    def watcher_count(self) -> int:
        return len(self.watchers) + self.watchers_elsewhere

    def count_elsewhere(self, watchers: int) -> bool:
        """Take the number of watchers at other servers; return True if that is news."""
        is_news = watchers != self.watchers_elsewhere
        if is_news:
            self.watchers_elsewhere = watchers
            self.changes += 1
        return is_news

    def run_since(self, elapsed_ms: int, now_ms: int) -> None:
        """Run the clock of a round, which has run for `elapsed_ms` so far."""
        self.has_round_clock = True
        self._base_ms, self._running_since_ms = 0, now_ms - elapsed_ms

    def stop_at(self, elapsed_ms: int) -> None:
        """Stop the clock of a round."""
        self.has_round_clock = True
        self._base_ms, self._running_since_ms = elapsed_ms, None

    def set_clock(self, elapsed_ms: int, now_ms: int) -> None:
        """Take the time of play from another server."""
        ahead_ms = elapsed_ms - self.elapsed_ms(now_ms)
        if ahead_ms > 0:
            self.changes += ahead_ms >= CLOCK_TOLERANCE_MS
            self._base_ms = elapsed_ms
            if self._running_since_ms is not None:
                self._running_since_ms = now_ms

    def run_or_stop_clock(self, now_ms: int) -> None:
        """Run the clock of a game that has begun while a seat sees the board."""
        entries = self.game.log.entries
        if not entries or self.has_round_clock or self.game.status is not ONGOING:
            return
        if not self._is_seen:
            self._base_ms, self._running_since_ms = self.elapsed_ms(now_ms), None
        elif self._running_since_ms is None and any(
            unpack_entry(entry)[1] not in _OFF_THE_CLOCK for entry in entries
        ):
            self._running_since_ms = now_ms

    # Playing

    def act(
        self,
        kind: ActionKind,
        cell: Cell | None,
        now_ms: int,
        utc_ms: int,
        author: int = 0,
    ) -> bool:
        """Do an action, and run the clock; return True if it changed the game.

        `utc_ms` is the time since 1970.
        """
        game, at_ms = self.game, self.elapsed_ms(now_ms)
        was_over = game.status is not ONGOING
        index = 0 if cell is None else game.grid.index(cell)
        has_changed = self.journal.act(kind, index, at_ms, author, utc_ms)
        self.changes += 1
        if self.watchers and not self.is_kept:
            # Of a stored match they see an action once it is stored.
            self.notify_watchers()
        self.begun_at_ms = self.begun_at_ms or utc_ms
        if game.status is not ONGOING:
            self.ended_at_ms = utc_ms
        if was_over or (self._running_since_ms is None and kind not in _OFF_THE_CLOCK):
            self._base_ms, self._running_since_ms = at_ms, now_ms
        return has_changed

    def give_up(self, now_ms: int, utc_ms: int) -> None:
        """End the running game by its player's word."""
        if self.game.was_played:
            self.act(ActionKind.TERMINATE, None, now_ms, utc_ms)
        else:
            self.game.terminate()

    def store_in(self, journal: Journal) -> None:
        """Store the match from now on, with all that was done before."""
        self.journal, self.code, self.is_kept = journal, journal.code, True

    def take_answer(self, answer: Any, now_ms: int) -> bool:
        """Process the store's answer; return True if held replies must be renewed."""
        journal = self.journal
        fault = journal.fault
        must_renew = journal.take_answer(answer)
        self.changes += (journal.fault is None) is not (fault is None)
        if not must_renew:
            return False
        self.game, self._pace = journal.game, Pace()
        self.changes += 1
        self.set_clock(self.game.elapsed_ms, now_ms)
        self.run_or_stop_clock(now_ms)
        return True

    def play_as(self, variant: Variant) -> None:
        """Play on under another name: as a repeat, or as a board that may need guesses."""
        self._set_up(replace(self.game.setup, variant=variant))

    def allow_guesses(self) -> None:
        """Continue on an ordinary board: no no-guess board was found."""
        self.play_as(replace(self.variant, is_no_guess=False))

    # Boards without guesses

    def needs_layout(self, cell: Cell) -> bool:
        """Return True if revealing this cell has to wait for a no-guess board."""
        game = self.game
        return game.setup.needs_layout and not (game.visible | game.flagged) & game.grid.bit(cell)

    def lay(self, mines: int, first: Cell) -> None:
        """Continue with these mines, laid around a first cell; none is revealed yet."""
        # A board without room may have a mine even there; nobody else can play that one.
        is_safe = not mines & self.game.grid.bit(first)
        laid = replace(self.game.setup, layout=mines, first=first if is_safe else None)
        self.game = Game.replay(laid, self.game.log.entries)
        self._set_up(laid)

    def _set_up(self, setup: Setup) -> None:
        self.game.setup = setup
        self.changes += 1
        self.journal.game = self.game
        self.journal.revise(setup)


NOTE_EVERY_MS: Final = 1_000
NOTE_LATER_MS: Final = 4_000
"""Delay of a note while nothing is done."""

Odds: TypeAlias = tuple[tuple[int, int], ...]
"""Cells in reading order, each with its chance of a mine in percent."""


class Aftermath(NamedTuple):
    """The news about a match that has ended."""

    review: Review | None = None
    """The review that is under way."""
    review_figures: Sequence[tuple[str, str]] = ()
    day_figures: Sequence[tuple[str, str]] = ()
    """Figures after a board of the day."""


class MatchSeat:
    """One person at one match."""

    # Few seats ever set these; the others do with the defaults.
    is_debugged = False
    saved_as = ""
    """The name under which the player saved this match, or loaded it."""
    saved_entries = 0
    """Length of its log when it was saved."""
    has_given_up = False
    """The player was asked, and agrees to give the match up."""
    ending = Aftermath()
    taken_back: tuple[Action, ...] = ()
    """Actions that were undone, the next to be done again last."""
    redo_length = 0
    """Length of the log after the last undo or redo: with another one nothing is done again."""

    def __init__(self, match: Match, cursor: Cell, *, is_paused: bool = False) -> None:
        self.match = match
        self.hear: Hear = hear_nothing
        size = match.game.grid.size
        self.cursor = Cell(min(cursor[0], size.columns - 1), min(cursor[1], size.rows - 1))
        """The last cell of the player; a front end has a cursor of its own."""
        self.placing = object()
        """Identifies the last time that the client's cursor was put on it."""
        self.is_paused = is_paused
        self.is_covered = False
        """A menu or a page covers the board, and the clock is stopped."""
        self.flash: tuple[int, ...] = ()
        """The covered cells around a number that lacks flags, until the next packet."""
        self.changes = 0
        """Counts the changes to the look of the field."""
        self.seen = match.changes
        """Number of changes that this player knows of."""
        self.seen_status = match.game.status
        self.hint: tuple[int, ...] = ()
        """The cell that a hint recommends, then the cells of its reason, in reading order."""
        self.odds: Odds | None = None
        self.noted: Note | None = None
        """Cursor, clock and pause as they were stored last."""
        self.next_note_ms = 0

    # What the player sees

    def put_cursor(self, cell: Cell) -> None:
        """Put the cursor on a cell, and have the client told."""
        self.cursor, self.placing = cell, object()

    @property
    def is_on_mark(self) -> bool:
        """True if the cell at the cursor is flagged or questioned."""
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

    # The end

    def begin_review(self) -> Review:
        """Request a review of the game that has just ended."""
        match, game = self.match, self.match.game
        is_own = match.is_kept and not match.room
        review = Review(game.setup, game.log.entries[:], match.code if is_own else "")
        self.ending = self.ending._replace(review=review)
        return review

    def take_review(self, review: Review, figures: Sequence[tuple[str, str]]) -> None:
        """Take the figures of a review, if it is of this end."""
        if self.ending.review is review:
            self.ending = self.ending._replace(review=None, review_figures=figures)
            # There is more to see.
            self.seen -= bool(figures)

    def show_day(self, figures: Sequence[tuple[str, str]]) -> None:
        """Show figures that compare a board of the day."""
        self.ending = self.ending._replace(day_figures=figures)

    def forget_end(self) -> None:
        """Forget the figures of the end: the match is running again."""
        self.ending = Aftermath()
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
        self.match.run_or_stop_clock(now_ms)

    def resume(self, now_ms: int) -> None:
        """Show the board again."""
        self.is_paused = False
        self.changes += 1
        self.match.run_or_stop_clock(now_ms)

    def follow_pause(self, *, is_paused: bool) -> None:
        """Hide or show the board for a pause of all who play; their room stops the clock."""
        self.is_paused = is_paused
        self.mark_changed()

    def cover(self, now_ms: int, *, is_covered: bool) -> None:
        """Stop the clock while a menu or a page covers the board."""
        if is_covered != self.is_covered:
            self.is_covered = is_covered
            self.changes += 1
            self.match.run_or_stop_clock(now_ms)

    # Notes and saves

    def note(self, now_ms: int) -> Note:
        """Note cursor, clock and pause as they are now."""
        length, clock_ms = len(self.match.game.log.entries), self.match.elapsed_ms(now_ms)
        return Note(length, clock_ms, self.cursor, self.is_paused)

    def forget_save(self, name: str) -> None:
        if self.saved_as == name:
            self.saved_as = ""

    @property
    def is_saved_as_it_is(self) -> bool:
        return bool(self.saved_as) and len(self.match.game.log) == self.saved_entries

    @property
    def is_at_stake(self) -> bool:
        """True if the player must confirm before the match is given up."""
        match = self.match
        return bool(match.game.visible) and not (match.is_over or self.is_saved_as_it_is)

    @property
    def is_kept_aside(self) -> bool:
        """True if the match is kept when another replaces it: unless it was given up."""
        match = self.match
        return match.is_worth_keeping and not (self.has_given_up or self.is_saved_as_it_is)


class DueReview(NamedTuple):
    """The findings in a game that has ended, and the length of its log."""

    length: int
    verdict: Verdict
    found_ms: int


class Ranks:
    """Counts of players by address, for a list that begins with the first of each address."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def enter(self, address: str) -> int:
        """Count another player of the address; return how many there were before."""
        self._counts[address] += 1
        return self._counts[address] - 1

    def leave(self, address: str) -> None:
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]


class Matches:
    """The matches with players or watchers, and all that are not stored yet."""

    def __init__(self, epoch_ms: Callable[[], int] = lambda: 0) -> None:
        self.epoch_ms = epoch_ms
        """Returns what to add to the sessions' time to get milliseconds since 1970."""
        self.bus: Bus | None = None
        """Carries the sessions' messages to all servers; set by the server's keeper."""
        self.on_change: Callable[[], object] = lambda: None
        """Called when a match has changed; set by the server's keeper."""
        self.tables = Tables(self._close_copy)
        """The tables of the rooms that matches are played in."""
        self.shown: dict[str, Match] = {}
        """Matches that others may watch, by the handles of their players."""
        self.solvers: set[object] = set()
        """The server's own players, in rooms."""
        self.limits = Limits(EVERY)
        self.online, self.waiting = Ranks(), Ranks()
        """Ranks on the lists of players online, and of players waiting for an opponent."""
        self.ended: Counter[tuple[Variant, Status]] = Counter()
        """Games that nobody keeps, and that are not counted yet: one by one they would cost a
        twentieth of all processor time."""
        self.reviews: dict[str, DueReview] = {}
        """The findings in games that ended, to be recorded, by their codes."""
        self._by_code: dict[str, Match] = {}
        self._changed: dict[Match, None] = {}

    def __len__(self) -> int:
        return len(self._by_code)

    def __iter__(self) -> Iterator[Match]:
        return iter(tuple(self._by_code.values()))

    def find(self, code: str) -> Match | None:
        return self._by_code.get(code)

    def note_change(self, match: Match) -> None:
        """Remember that a stored match changed, or its players did."""
        if match.is_kept:
            self._by_code.setdefault(match.code, match)
            self._changed[match] = None
            self.on_change()

    def store_after(self, left: Iterable[Match], match: Match) -> None:
        """Store a match after the matches that it replaced here."""
        journal = match.journal
        if not isinstance(journal, Journal):
            return

        def look_again(replaced: Match, _stored: object = None) -> None:
            if replaced.journal.is_leaving:
                replaced.await_stored(0, partial(look_again, replaced))
            else:
                replaced.journal.let_pass()
                journal.predecessors -= 1
                self.note_change(match)

        for each in left:
            journal.predecessors += 1
            look_again(each)

    def publish_progress(self, match: Match) -> None:
        """Publish in the room of a match how far the match is stored."""
        table = self.tables.find(match.room) if match.room else None
        if table is None or table.room is None or not match.journal.is_stored:
            return
        # Of a shared board the log tells all but the end.
        if table.room.kind is Kind.RACE or match.is_over:
            self.tables.send(table.code, Played(match.code, Progress.of(match.game)))

    def _close_copy(self, code: str) -> None:
        """Read the rest of a match whose round is over: the store has closed its log."""
        match = self._by_code.get(code)
        if match is not None and not match.is_over:
            match.journal.note_length(match.journal.length + 1)
            self.note_change(match)

    def forget(self, match: Match) -> None:
        """Give up a match that no store takes."""
        self._by_code.pop(match.code, None)

    def count_ended(self) -> Iterable[Flow[None]]:
        """Return what counts the games that have ended and that nobody keeps."""
        ended, self.ended = self.ended, Counter()
        return [count_anonymous(*what, games) for what, games in ended.items()]

    def drain_changed(self) -> Collection[Match]:
        """Return the matches that changed; forget those no longer needed."""
        changed, self._changed = self._changed, {}
        for match in changed:
            if not match.is_needed and self._by_code.get(match.code) is match:
                del self._by_code[match.code]
        return changed
