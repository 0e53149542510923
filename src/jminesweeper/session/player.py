"""A player at a match: everything that belongs to one person rather than to the game.

Cursor, message, hint, pause, settings and the open menus. A player knows no packet and no socket:
`board`, `entering`, `main_menu` and the modules beside them do something to a player; `session`
decides which of them gets a packet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeAlias

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.generator import RandomBits
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import ONGOING
from jminesweeper.records.documents import Due, Note, Save
from jminesweeper.records.flows import Flow as Errand
from jminesweeper.records.games import Former, note
from jminesweeper.records.keys import game_code, handle_of
from jminesweeper.records.meeting import Present
from jminesweeper.records.results import count_anonymous, outcome_of
from jminesweeper.records.rooms import GUEST
from jminesweeper.records.statistics import Result
from jminesweeper.session.account import MOST_UNSTORED, Account
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.match import J_RULES, Match
from jminesweeper.session.matches import Matches
from jminesweeper.session.messages import SILENCE, message
from jminesweeper.session.names import stand_in
from jminesweeper.session.reply import Outbound, Review
from jminesweeper.session.rival import Rival
from jminesweeper.session.settings import Settings
from jminesweeper.session.tables import Sitting
from jminesweeper.session.talks import Flow, Talks

_TOP_LEFT: Final = Cell(0, 0)
_DEFAULT_SETTINGS: Final = Settings()

Odds: TypeAlias = tuple[tuple[int, int], ...]
"""Cells in reading order, each with its chance of a mine in percent."""


class Parked(NamedTuple):
    """A game at hand that waits while its player is in a room."""

    match: Match
    cursor: Cell
    is_paused: bool


class Player:
    """The state of one session; `now_ms` is the time of what is being handled."""

    __slots__ = (
        "_guest",
        "account",
        "changes",
        "config",
        "cursor",
        "cursor_is_news",
        "day_figures",
        "entropy",
        "flash",
        "greeted",
        "guest_name",
        "has_given_up",
        "has_quit",
        "has_view",
        "hint",
        "is_bot",
        "is_covered",
        "is_debugged",
        "is_live",
        "is_paused",
        "is_rank_due",
        "looking_for",
        "match",
        "matches",
        "message",
        "next_join_ms",
        "next_look_ms",
        "next_seen_ms",
        "now_ms",
        "odds",
        "on_change",
        "out",
        "parked",
        "review",
        "review_figures",
        "saved_as",
        "saved_entries",
        "seen",
        "seen_status",
        "settings",
        "shown",
        "sitting",
        "talks",
        "tokens",
        "wants_to_resume",
        "wrong_codes",
    )

    def __init__(self, config: SessionConfig, entropy: RandomBits, matches: Matches) -> None:
        self.matches = matches
        self.on_change: Callable[[bool], object] = lambda _: None
        """Called when more of the match is stored; says whether others were faster."""
        self.config = config
        self.entropy = entropy
        self.tokens = config.tokens or entropy
        self.now_ms = 0
        self.out = Outbound()
        self.account = Account(self.tokens)
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
        self.seen = 0
        """How often the match had changed when this player knew it last, and its status then."""
        self.seen_status = ONGOING
        self.saved_as = ""
        """The name under which the player saved this match, or loaded it."""
        self.saved_entries = 0
        """How long its log was when it was saved."""
        self.has_given_up = False
        """The player was asked, and agrees to give the match up."""
        self.is_rank_due = False
        """A ranked game was won: is it the player's best?"""
        self.review: Review | None = None
        """The review that is under way."""
        self.review_figures: Sequence[tuple[str, str]] = ()
        self.day_figures: Sequence[tuple[str, str]] = ()
        """What is told after a board of the day."""
        # Who plays
        self.greeted = self.wrong_codes = 0
        """On this connection: players who said HELLO, and wrong codes of devices."""
        self.wants_to_resume = False
        """The client asked for the game that waits."""
        self.has_quit = False
        """The player quit, and needs no last screen."""
        self._be_alone()

    def _be_alone(self) -> None:
        """Begin outside of rooms, and without views."""
        self.has_view = False
        """The client said HELLO, and gets views; before that, the frames of version 1."""
        self.is_live = False
        """The client accepts frames that it did not ask for."""
        self._guest = ""
        """Who sits in a room, if the store knows no player; drawn when it is needed."""
        self.guest_name = ""
        """What a player without a key wants to be called."""
        self.is_bot = False
        """A program plays, and says so."""
        self.sitting: Sitting | None = None
        """The place in a room."""
        self.parked: Parked | None = None
        """The own game, while the player is in a room."""
        self.looking_for: Variant | None = None
        """The board for which the player waits for an opponent."""
        self.next_join_ms = self.next_look_ms = self.next_seen_ms = 0
        self.shown: Present | None = None
        """What others see of this player, in the list of those who are on."""

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

    @property
    def now_s(self) -> int:
        """Seconds since 1970."""
        return self.config.seconds(self.now_ms)

    @property
    def utc_ms(self) -> int:
        """Milliseconds since 1970."""
        return self.config.epoch_ms() + self.now_ms

    def send_on(self, errand: Errand[Any] | None) -> None:
        if errand is not None:
            self.out.errands.append(errand)

    # Beginning and ending

    def begin(self, setup: Setup, code: str = "", rival: Rival | None = None) -> None:
        """Begin a match, with a new code unless one is given; set a running one aside."""
        kept = self.put_aside(setup)
        self.hush()
        match = self.account.new_match(Game(setup), code, rival)
        self._play(match, setup.first or _TOP_LEFT)
        if kept:
            self.say("kept", board=kept)

    def put_aside(self, setup: Setup | None = None) -> str:
        """Make room for another game; return the board of the one that is kept aside, if one is.

        `setup` is what will be played instead: where that shows the same board, the game set aside
        is a repeat if it is resumed.
        """
        match, former = self.match, self.leave_for(setup)
        waiting = self.put_aside_waiting(setup)
        return waiting or ("" if match is None else self._put_aside(match, former))

    def put_aside_waiting(self, setup: Setup | None = None) -> str:
        """Make room in place of the game that waits; return its board if it is kept aside."""
        waiting, self.account.waiting = self.account.waiting, None
        if waiting is None:
            return ""
        return self._put_aside(waiting.match, self._former(*waiting, setup))

    def _put_aside(self, match: Match, former: Former | None) -> str:
        if former is None or self.account.held is None:
            return ""
        self.account.put_aside(match, former)
        self.matches.note(match)
        return "" if former.aside is None else former.aside.variant.board

    def leave_for(self, setup: Setup | None = None) -> Former | None:
        """Leave the match for another; say how the store has to know it, if that has changed."""
        match = self.match
        return None if match is None else self._former(match, None, setup)

    def _former(self, match: Match, noted: Note | None, setup: Setup | None) -> Former | None:
        """Say how a match is left that another replaces: for good, or for later."""
        if match.is_over:
            return None
        if not match.was_acted_on:
            return None if match.journal is None else Former(match.code, is_no_game=True)
        if not self.is_kept_aside(match):
            match.give_up(self.now_ms, self.config.epoch_ms)
            self._record(match)
            return None
        own = match.game.setup
        is_same = setup is not None and (setup.seed, setup.layout) == (own.seed, own.layout)
        is_seen = is_same or match.variant.daily is not None
        label = self.label_of(match, noted)._replace(is_aside=True, is_seen=is_seen)
        due = Due(self.utc_ms, match.code, label.length)
        outcome = outcome_of(match.game, match.begun_at_ms, self.utc_ms)
        self.out.games_ended += 1
        return Former(match.code, label, due, outcome)

    def is_kept_aside(self, match: Match) -> bool:
        """Whether to keep a match that another replaces: yes, unless its player gave it up."""
        if match.journal is None or not match.is_touched or self._is_saved_as_it_is(match):
            return False
        return not (self.has_given_up and self.is_at_stake)

    def _record(self, match: Match) -> None:
        """See to it that a match that is over is counted."""
        self.out.games_ended += 1
        account = self.account
        if match.journal is not None:
            self.matches.note(match)
        elif account.is_known:
            account.unstored = [*account.unstored, match][-MOST_UNSTORED:]
        elif self.config.has_store:
            game, variant = match.game, match.variant
            counts = not (game.assisted or variant.is_repeat)
            result = Result(variant.category, game.status, counts, game.elapsed_ms)
            self.send_on(count_anonymous(result))

    def take_up(self, match: Match, noted: Note) -> None:
        """Resume a match that was kept, or one that others here are at."""
        match = self.matches.find(match.code) or match
        self.hush()
        if not noted.is_paused:
            self.say("resumed")
        self._play(match, noted.cursor, is_paused=noted.is_paused)

    def leave(self) -> None:
        """Leave the match; if it is stored, it waits with its clock stopped."""
        match = self.match
        if match is not None and not match.is_over and match.game.was_played:
            if match.journal is None:
                if match.was_acted_on:
                    match.give_up(self.now_ms, self.config.epoch_ms)
                    self._record(match)
            else:
                match.look_away(self, self.now_ms)
                self.account.note_at_once()
                self.note()
        self.account.waiting = None
        self._stop_playing()

    def _play(self, match: Match, cursor: Cell, *, is_paused: bool = False) -> None:
        self.rise()
        self.match = match
        self.take_note_of(match)
        match.seats[self] = self.on_change
        if match.journal is not None:
            match.journal.resume()
            self.matches.note(match)
        size = match.game.grid.size
        self.put_cursor(Cell(min(cursor[0], size.columns - 1), min(cursor[1], size.rows - 1)))
        self.is_paused = is_paused
        self.is_covered = False
        self.saved_as = ""
        self.forget_end()
        self.talks.close()
        if not is_paused:
            match.look_at(self, self.now_ms)
        if match.game.setup.needs_layout and not self.config.has_solver:
            match.allow_guesses()
            self.say("no.solver")

    def rise(self) -> None:
        """Leave the seat at a match."""
        if (match := self.match) is not None:
            match.leave(self, self.now_ms)
            if match.journal is not None:
                self.matches.note(match)
        self.match, self.is_debugged = None, False

    # In rooms

    @property
    def token(self) -> str:
        """Who sits in a room."""
        if self.account.is_in:
            return self.account.id
        if not self._guest:
            self._guest = GUEST + game_code(self.tokens)
        return self._guest

    @property
    def handle(self) -> str:
        """Names this player among those who are on, whatever device they use."""
        return handle_of(self.token)

    @property
    def public_name(self) -> str:
        """What others call this player; without a name, a colour and an animal for the day."""
        day = self.config.today(self.now_ms)
        return self.account.name or self.guest_name or stand_in(self.token, day)

    def tell_of_room(self) -> None:
        self.on_change(False)

    def park(self) -> None:
        """Have the own game wait while the player is in a room."""
        match = self.match
        if match is not None:
            self.parked = Parked(match, self.cursor, self.is_paused)
            match.look_away(self, self.now_ms)
            self.account.note_at_once()
            self.note()
        self._stop_playing()

    def resume_parked(self) -> None:
        """Come back to the own game."""
        parked, self.parked = self.parked, None
        self._stop_playing()
        if parked is not None:
            match = self.matches.find(parked.match.code) or parked.match
            if match.journal is not None:
                match.journal.look()
            self._play(match, parked.cursor, is_paused=parked.is_paused)

    def take_seat(self, match: Match, cursor: Cell) -> None:
        """Play the record of a round."""
        self._play(match, cursor)
        self.hush()

    def _stop_playing(self) -> None:
        self.rise()
        self.is_paused = False

    def blocked_ms(self) -> int:
        """Return how long a mine still keeps the player from playing."""
        match, sitting = self.match, self.sitting
        if match is None or sitting is None or match.is_over:
            return 0
        return match.game.blocked_until_ms(sitting.number) - match.elapsed_ms(self.now_ms)

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
        if match is None:
            return False
        is_known = self.seen == match.changes
        author = 0 if self.sitting is None else self.sitting.number
        has_changed = match.act(kind, cell, self.now_ms, self.config.epoch_ms, author)
        if is_known:
            self.take_note_of(match)
        return has_changed

    def take_note_of(self, match: Match) -> None:
        """Know the match as it is now."""
        self.seen, self.seen_status = match.changes, match.game.status

    def keep(self) -> None:
        """Have stored what was done, and the game recorded if it is over."""
        match = self.match
        if match is None:
            return
        if len(match.game.log.entries) == 1:
            self._remember(match.asked_for.category)
        if match.is_over:
            self._record(match)
        elif match.journal is not None:
            self.matches.note(match)

    def _remember(self, board: Variant) -> None:
        """Offer this board first from now on; a new player is stored with the game."""
        if board == self.settings.last_board:
            return
        held = self.account.held
        is_new = held is None or not held.is_known
        self.put_settings(replace(self.settings, last_board=board), is_stored=not is_new)

    def put_settings(self, settings: Settings, *, is_stored: bool = True) -> None:
        """Change settings; store those of a known player, with the name."""
        account, self.settings = self.account, settings
        errand = account.put(account.name, settings.to_texts(), self.now_s)
        if is_stored:
            self.send_on(errand)

    def note(self) -> None:
        """Store cursor, clock and pause from time to time."""
        match, held = self.match, self.account.held
        if match is not None and held is not None and self.sitting is None:
            noted = self.account.note(match, self.cursor, self.now_ms, is_paused=self.is_paused)
            if noted is not None:
                self.send_on(note(held, match.code, noted, self.now_s))

    def label_of(self, match: Match, noted: Note | None = None) -> Save:
        """Label a match as it is now."""
        noted = noted or self._note_of(match)
        length, share = len(match.game.log), match.opened_share
        where = noted.clock_ms, noted.cursor
        return Save(match.code, length, self.now_s, match.variant, share, *where)

    def _note_of(self, match: Match) -> Note:
        clock_ms = match.elapsed_ms(self.now_ms)
        return Note(len(match.game.log), clock_ms, self.cursor, self.is_paused)

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
        self.review_figures = self.day_figures = ()
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

    def _run_or_stop_clock(self) -> None:
        if self.match is None:
            return
        self.changes += 1
        if self.is_paused or self.is_covered:
            self.match.look_away(self, self.now_ms)
        else:
            self.match.look_at(self, self.now_ms)

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
        if match is None or not self.settings.question_marks:
            return self.settings.question_marks
        return match.variant.rules.name != J_RULES

    @property
    def is_ranked(self) -> bool:
        """Whether the match counts among the player's ranked games so far."""
        return self.match is not None and self.account.is_in and self.match.is_ranked

    @property
    def is_timed(self) -> bool:
        """Whether the match ranks by wall time, which goes on during a pause."""
        match = self.match
        has_begun = match is not None and match.was_acted_on and not match.is_over
        return has_begun and self.is_ranked and match is not None and match.has_leaderboard
