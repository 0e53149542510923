"""A match: one game being played, with its clock, its public code and its journal.

All sessions of a process that are at the same game share it. It knows nothing of what one of them
sees: cursor, messages and pause belong to a player at it. Times are milliseconds of the sessions'
clock, which never runs backwards, unless they are since 1970.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, TypeAlias

from jminesweeper.core.actions import ON_A_CELL, ActionKind, entry_author, pack_entry, unpack_entry
from jminesweeper.core.faces import face_of
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import ONGOING, Status
from jminesweeper.records.documents import Note, Save
from jminesweeper.records.journal import Journal
from jminesweeper.session.figures import Pace, summarise
from jminesweeper.session.rival import Rival


class Shown(list[Any]):
    """What many are shown alike; it is written once for all."""

    text = ""
    """As JSON, once somebody was shown it."""


class Shares:
    """What each author did, read from the log as it grows."""

    def __init__(self) -> None:
        self.opened: Counter[int] = Counter()
        """Cells by author."""
        self.hits: Counter[int] = Counter()
        """Mines by author."""
        self.flags: dict[int, int] = {}
        """Flagged cells, by their numbers in reading order, and whose flag it is."""
        self.owners = Shown()
        """Whose flags there are, in reading order."""
        self._game: Game | None = None

    def follow(self, game: Game) -> Shares:
        """Read the entries that are new; all of them if others were written in between."""
        known, entries = self._game, game.log.entries
        if known is None or entries[: len(known.log)] != known.log.entries:
            self.opened, self.hits, self.flags = Counter(), Counter(), {}
            known = Game(game.setup)
        self._game = known
        length = len(known.log)
        for entry in entries[len(known.log) :]:
            self._play(known, entry, entry_author(entry))
        if len(known.log) != length or not self.flags:
            self.owners = Shown(sorted(self.flags.items()))
        return self

    def _play(self, game: Game, entry: int, author: int) -> None:
        opened, flagged = game.visible_count, game.flagged
        hits = game.known.bit_count() + (game.exploded is not None)
        game.push(entry)
        self.opened[author] += game.visible_count - opened
        self.hits[author] += game.known.bit_count() + (game.exploded is not None) - hits
        if flagged != game.flagged:
            columns = game.grid.size.columns
            for column, row in game.grid.cells(flagged ^ game.flagged):
                cell = row * columns + column
                if self.flags.pop(cell, None) is None:
                    self.flags[cell] = author


_OFF_THE_CLOCK: Final = frozenset({ActionKind.HINT, ActionKind.DEBUG})
"""The clock runs from the first reveal or flag, not from the first help."""
SEEN_MS: Final = 500
"""By how much two servers' clocks may differ before a player is shown the other one."""
J_RULES: Final = "jminesweeper"
_DECIDED: Final = frozenset({Status.WON, Status.LOST})


Hear: TypeAlias = Callable[[bool], object]
"""Hears that more is stored; the argument says whether others were faster."""


class Match:
    """A game, its clock, its code, and when it was begun."""

    # Few matches ever set these; the others do with the defaults.
    ended_at_ms = 0
    """When the last action ended it, since 1970."""
    owner = ""
    """The device of a known player on which it was begun."""
    rival: Rival | None = None
    """Whom its player races alone."""
    watchers_elsewhere = 0
    """How many look on at other servers."""
    scene: object = None
    """What those who look on were shown last."""
    always_runs = False
    """Its clock is that of a round in a room, and runs whether anybody looks or not."""
    _leavers: Sequence[tuple[int, Hear]] = ()
    """Who has left while replies to them may wait for so many entries."""
    _summary: tuple[object, Sequence[tuple[str, str]]] = (None, ())
    """The figures of the ended game, after what they were worked out from."""

    def __init__(self, game: Game, journal: Journal | None = None, begun_at_ms: int = 0) -> None:
        self.game = game
        self.journal = journal
        """What the store has of it; None if nobody known plays it."""
        self.code = "" if journal is None else journal.code
        self.asked_for = game.setup.variant
        """What was asked for; a no-guess board cannot always be found."""
        self.begun_at_ms = begun_at_ms
        """When the first action was done, since 1970; 0 before it."""
        self.changes = 0
        """Counts what may look different: each action, and what came from elsewhere."""
        self.seats: dict[object, Hear] = {}
        """Who is at it, and how each hears of it."""
        self.watchers: dict[object, Hear] = {}
        """Who only looks on."""
        self._base_ms = game.elapsed_ms
        self._running_since_ms: int | None = None
        self._lookers: set[object] = set()
        """The seats that see the board: the clock runs while there is one."""

    @cached_property
    def shares(self) -> Shares:
        """Who did what; only shared games follow it."""
        return Shares()

    @cached_property
    def _pace(self) -> Pace:
        return Pace()

    @property
    def is_needed(self) -> bool:
        """Whether somebody is at it, or something of it is not stored yet."""
        return bool(self.seats or self.watchers) or (
            self.journal is not None and not self.journal.is_at_rest
        )

    @property
    def variant(self) -> Variant:
        return self.game.setup.variant

    @property
    def is_over(self) -> bool:
        return self.game.status is not ONGOING

    @property
    def is_put_away(self) -> bool:
        """Whether those who play it do not look: it is paused, or a menu covers it."""
        return bool(self.seats) and not (self._lookers or self.is_over)

    @property
    def is_worth_keeping(self) -> bool:
        """Whether to keep it for later: the store has it, and a cell is opened or marked."""
        game = self.game
        return self.journal is not None and bool(game.visible | game.flagged | game.questioned)

    @property
    def opened_share(self) -> float:
        """Which part of the safe cells is visible, from 0 to 1.

        The solved part of the 3BV would give away whether a number just revealed has a zero beside
        it, and how many openings are left to find.
        """
        game = self.game
        opened = game.visible_count - (game.exploded is not None)
        return opened / max(1, game.setup.variant.safe_count)

    def label(self, noted: Note, now_s: int) -> Save:
        """Label it as it is now, for a save."""
        length, share, where = len(self.game.log), self.opened_share, (noted.clock_ms, noted.cursor)
        return Save(self.code, length, now_s, self.variant, share, *where)

    def missing_flags(self) -> int:
        """Return how many flags a running game lacks for a win, once every safe cell is open."""
        game = self.game
        variant = game.setup.variant
        if game.visible.bit_count() != variant.safe_count or game.status is not ONGOING:
            return 0
        return variant.mine_count - game.flagged.bit_count()

    @property
    def was_acted_on(self) -> bool:
        """Whether a cell was ever revealed or marked: help alone makes no game."""
        entries = self.game.log.entries
        return bool(entries) and any(unpack_entry(entry)[1] in ON_A_CELL for entry in entries)

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
        game = self.game
        if game.status not in _DECIDED:
            return ()
        of = game, len(game.log), game.setup
        if self._summary[0] != of:
            self._summary = of, summarise(game)
        return self._summary[1]

    def pace(self) -> tuple[int, int] | None:
        """Return how much of the 3BV is solved, and with how many clicks."""
        return self._pace.of(self.game)

    def face_of(self, cell: Cell) -> int:
        """Return what a player sees of a cell of the running game."""
        return face_of(self.game, self.game.grid.index(cell))

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

    def look_at(self, seat: object, now_ms: int) -> None:
        """Let the clock run, if the game has begun: a seat sees the board."""
        self._lookers.add(seat)
        self._run_clock(now_ms)

    def look_away(self, seat: object, now_ms: int) -> None:
        """Stop the clock, unless another seat sees the board."""
        self._lookers.discard(seat)
        if self._running_since_ms is not None and not (self._lookers or self.always_runs):
            self._base_ms, self._running_since_ms = self.elapsed_ms(now_ms), None

    def leave(self, seat: object, now_ms: int) -> None:
        """Leave a seat; who left still hears of what replies may wait for."""
        self.look_away(seat, now_ms)
        hear, journal = self.seats.pop(seat, None), self.journal
        if hear is not None and journal is not None and not journal.may_show(journal.length):
            self._leavers = (*self._leavers, (journal.length, hear))

    def tell(self, *, is_rebased: bool) -> None:
        """Tell all who are at it, or wait for it, that more is stored."""
        leavers, journal = self._leavers, self.journal
        if leavers and journal is not None:
            self._leavers = [each for each in leavers if not journal.may_show(each[0])]
        for hear in (*self.seats.values(), *(hear for _, hear in leavers)):
            hear(is_rebased)
        self.tell_watchers()

    def tell_watchers(self) -> None:
        """Tell those who look on that there may be more to see."""
        for hear in tuple(self.watchers.values()):
            hear(False)

    @property
    def watcher_count(self) -> int:
        return len(self.watchers) + self.watchers_elsewhere

    def count_elsewhere(self, watchers: int) -> bool:
        """Hear how many look on at other servers; return whether that is news."""
        is_news = watchers != self.watchers_elsewhere
        self.watchers_elsewhere = watchers
        self.changes += is_news
        return is_news

    def run_since(self, elapsed_ms: int, now_ms: int) -> None:
        """Have the clock of a round run, which has run for so long."""
        self.always_runs = True
        self._base_ms, self._running_since_ms = 0, now_ms - elapsed_ms

    def stop_at(self, elapsed_ms: int) -> None:
        """Stop the clock of a round."""
        self.always_runs = True
        self._base_ms, self._running_since_ms = elapsed_ms, None

    def set_clock(self, elapsed_ms: int, now_ms: int) -> None:
        """Hear how long the game has been played elsewhere."""
        ahead_ms = elapsed_ms - self.elapsed_ms(now_ms)
        if ahead_ms > 0:
            self.changes += ahead_ms >= SEEN_MS
            self._base_ms = elapsed_ms
            if self._running_since_ms is not None:
                self._running_since_ms = now_ms

    def _run_clock(self, now_ms: int) -> None:
        entries = self.game.log.entries
        if not (entries and self._lookers) or self.always_runs or self.clock_runs or self.is_over:
            return
        if any(unpack_entry(entry)[1] not in _OFF_THE_CLOCK for entry in entries):
            self._running_since_ms = now_ms

    # Playing

    def act(
        self,
        kind: ActionKind,
        cell: Cell | None,
        now_ms: int,
        epoch_ms: Callable[[], int],
        author: int = 0,
    ) -> bool:
        """Do an action, and run the clock. Return whether it changed the game."""
        game, at_ms = self.game, self.elapsed_ms(now_ms)
        was_over = game.status is not ONGOING
        index = 0 if cell is None else game.grid.index(cell)
        if self.journal is not None:
            entry = pack_entry(at_ms, kind, index, author)
            has_changed = self.journal.act(entry, now_ms + epoch_ms())
        else:
            has_changed = game.play(kind, index, at_ms, author)
            if self.watchers:
                self.tell_watchers()
        self.changes += 1
        self.begun_at_ms = self.begun_at_ms or now_ms + epoch_ms()
        if game.status is not ONGOING:
            self.ended_at_ms = now_ms + epoch_ms()
        if was_over or (self._running_since_ms is None and kind not in _OFF_THE_CLOCK):
            self._base_ms, self._running_since_ms = at_ms, now_ms
        return has_changed

    def give_up(self, now_ms: int, epoch_ms: Callable[[], int]) -> None:
        """End the running game by its player's word."""
        if self.game.was_played:
            self.act(ActionKind.TERMINATE, None, now_ms, epoch_ms)
        else:
            self.game.terminate()

    def store_in(self, journal: Journal) -> None:
        """Store the match from now on, with all that was done before."""
        self.journal, self.code = journal, journal.code

    def take(self, answer: Any, now_ms: int) -> bool:
        """Process the store's answer; return whether what waits has to be drawn again."""
        journal = self.journal
        if journal is None:
            return False
        was_saved = journal.is_saved
        is_rebased = journal.take(answer)
        self.changes += journal.is_saved is not was_saved
        if not is_rebased:
            return False
        self.game, self._pace = journal.game, Pace()
        self.changes += 1
        self.set_clock(self.game.elapsed_ms, now_ms)
        self._run_clock(now_ms)
        return True

    def play_as(self, variant: Variant) -> None:
        """Play on under another name: as a repeat, or as a board that may need guesses."""
        self._set_up(replace(self.game.setup, variant=variant))

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
        self._set_up(laid)

    def _set_up(self, setup: Setup) -> None:
        self.game.setup = setup
        self.changes += 1
        if self.journal is not None:
            self.journal.game = self.game
            self.journal.revise(setup)
