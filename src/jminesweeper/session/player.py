"""A player: everything of one session that lasts as long as its connection.

An *account* is the player as the store knows them, and the game of theirs that waits. A player
without a key is nobody to the store, and plays from memory. So does one whom a failing store could
not let in: the store is asked again from time to time, and what was played meanwhile is stored from
then on.

A player knows no packet and no socket: `board`, `entering`, `main_menu` and the modules beside them
do something to a player; `session` decides which of them gets a packet.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import ONGOING, Status
from jminesweeper.records.documents import Due, GameDocument, Note
from jminesweeper.records.games import ReplacedGame, put_note
from jminesweeper.records.journal import Journal
from jminesweeper.records.keys import game_code, handle_of
from jminesweeper.records.meeting import Waiting
from jminesweeper.records.players import PlayerCopy, put_player
from jminesweeper.records.results import outcome_of
from jminesweeper.records.rooms import GUEST, RoomError
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.figures import Rival
from jminesweeper.session.matches import J_RULES, NOTE_EVERY_MS, Match, Matches, MatchSeat
from jminesweeper.session.messages import SILENCE, Message, message, stand_in
from jminesweeper.session.reply import AwaitStored, Errand, Outbound
from jminesweeper.session.rights import NEEDS, RIGHTS, Mode, Verb, room_mode
from jminesweeper.session.settings import Settings
from jminesweeper.session.tables import Hear, Sitting, hear_nothing
from jminesweeper.session.talks import Talks

RETRY_AFTER_MS: Final = 2_000
MOST_UNSTORED: Final = 20
"""Games that ended before the store could let their player in."""


class WaitingGame(NamedTuple):
    """The current game in the store, not resumed yet, and what was noted of it."""

    match: Match
    note: Note


class Wanted(NamedTuple):
    """A game that begins unless the waiting one is resumed."""

    board: str
    begin: Callable[[], Any]


class Account:
    """The player of one connection."""

    __slots__ = (
        "_random_bits",
        "address",
        "device",
        "greeted",
        "held",
        "is_in",
        "left",
        "login",
        "name",
        "proven",
        "retry_at_ms",
        "unstored",
        "waiting",
        "wanted",
        "wants_to_resume",
        "wrong_codes",
    )

    def __init__(self, random_bits: RandomBits) -> None:
        self._random_bits = random_bits
        self.address = ""
        """The player's address."""
        self.proven = ""
        """The account that was proved before the first packet, if any was."""
        self.login = ""
        """The name that the player logged in with: offered as a name, never taken unasked."""
        self.greeted = self.wrong_codes = 0
        """On this connection: players who said HELLO, and wrong codes of devices."""
        self.wants_to_resume = False
        """The client asked for the game that waits."""
        self.forget()

    def forget(self) -> None:
        """Forget who plays here."""
        self.device = ""
        """The player by the key of this device; empty without a key."""
        self.name = ""
        self.held = PlayerCopy("", self._random_bits)
        """The player as the store knows them; nobody, until it has let them in."""
        self.is_in = False
        """The store has let the player in."""
        self.retry_at_ms: int | None = None
        """Time to ask the store again."""
        self.waiting: WaitingGame | None = None
        """The game that the player is asked to resume."""
        self.wanted: Wanted | None = None
        self.left: Sequence[Match] = ()
        """Games that were replaced here; the next one is stored after them."""
        self.unstored: Sequence[Match] = ()
        """Games that ended before the store let this player in."""

    def become(self, device: str, now_ms: int) -> None:
        """Ask the store again for the player, as if with another key."""
        self.forget()
        self.device, self.retry_at_ms, self.wants_to_resume = device, now_ms, True

    @property
    def id(self) -> str:
        """The player; empty for one without a key."""
        return self.held.id or self.device

    @property
    def is_known(self) -> bool:
        """True if this player's games are kept."""
        return bool(self.device)

    def is_saved(self, match: Match | None) -> bool:
        """Return True unless storing has failed, or has to wait for the player to be let in."""
        if not self.is_in:
            return not self.device
        if match is not None and match.journal.fault is not None:
            return False
        return not self.unstored or all(each.journal.fault is None for each in self.unstored)

    def keep(self, match: Match, code: str = "") -> None:
        """Store a match from now on, in place of the current game, if the player is known."""
        if not self.is_in:
            return
        setup, rival = match.game.setup, match.rival or ()
        document = GameDocument(
            setup, (self.id,), match.begun_at_ms, rival=rival, is_program=match.is_program
        )
        code = code or game_code(self._random_bits)
        journal = Journal(code, document, match.game, self.held, self._random_bits)
        match.store_in(journal)
        if match.is_over and match.ended_at_ms:
            journal.note_end(match.ended_at_ms)

    def leave(self, match: Match) -> None:
        """Store what happened in this match before the next one."""
        left = (*self.left, match)
        self.left = tuple(each for each in left if each.journal.is_leaving)

    def put_aside_all(self) -> Generator[AwaitStored, Any, None]:
        """Wait until replaced games have their labels, or the store fails."""
        for match in self.left:
            yield from match.wait_until_left()

    def put(self, name: str, settings: Settings, now_s: int) -> Errand | None:
        """Set name and settings; return the errand that stores them for a player in the store."""
        self.name = name
        if not self.is_in:
            return None
        texts = settings.to_texts()
        self.held.document = replace(self.held.document, name=name, settings=texts)
        return put_player(self.held, name, texts, now_s)


_DEFAULT_SETTINGS: Final = Settings()


@dataclass(frozen=True, slots=True)
class Client:
    """A client, as it described itself in HELLO."""

    has_view: bool = False
    """It gets views; before HELLO, the frames of version 1."""
    is_live: bool = False
    """It accepts frames that it did not ask for."""
    is_bot: bool = False
    """A program plays, and says so."""
    guest_name: str = ""
    """The name of a player without a key."""


_VERSION_1: Final = Client()


class Search:
    """A player waits for an opponent on this board."""

    def __init__(self, board: Variant, rank: int, now_ms: int, *, allows_bots: bool) -> None:
        self.board = board
        self.rank = rank
        """Number of players from the same address who waited before."""
        self.allows_bots = allows_bots
        self.since_ms = self.next_look_ms = now_ms
        self.is_called = False
        """Another player waits, or has met this one: look again."""
        self.others: Sequence[Waiting] = ()
        """Players who wait for other boards."""
        self.offered: set[str] = set()
        """The handles of players whose boards were offered."""
        self.has_offered_solver = False
        self.unsubscribe: Callable[[], object] = lambda: None


class Seen(NamedTuple):
    """A player's line in the list of those online."""

    handle: str
    rank: int
    at_ms: int
    """Time at which it was stored."""
    cause: object
    """All that the line follows from, but for what changes with every action."""
    rating: str | None = None
    """The player's rating in the line; None until it has been read."""


def _show_nothing() -> None: ...


class Player:
    """The state of one session; `now_ms` is the time of the packet or event at hand."""

    __slots__ = (
        "_guest",
        "account",
        "client",
        "config",
        "entropy",
        "has_moved_on",
        "hear",
        "is_followed",
        "match",
        "matches",
        "message",
        "now_ms",
        "out",
        "search",
        "seat",
        "seen",
        "settings",
        "show",
        "sitting",
        "talks",
        "tokens",
    )

    def __init__(self, config: SessionConfig, entropy: RandomBits, matches: Matches) -> None:
        self.matches = matches
        self.hear: Hear = hear_nothing
        """Hears that more of the match is stored, or that there is news to show."""
        self.show: Callable[[], object] = _show_nothing
        """Shows this player the news."""
        self.config: SessionConfig = config
        self.entropy = entropy
        self.tokens = config.tokens or entropy
        self.now_ms = 0
        self.out = Outbound()
        self.account = Account(self.tokens)
        self.talks = Talks(self.out, self.say_fault)
        self.settings = _DEFAULT_SETTINGS
        self.client = _VERSION_1
        self.message = SILENCE
        self.seat: MatchSeat | None = None
        """The place at a match."""
        self.match: Match | None = None
        """The match of that place."""
        self.sitting: Sitting | None = None
        """The place in a room."""
        self.search: Search | None = None
        self.seen: Seen | None = None
        self.has_moved_on = False
        """Watchers have not been redirected to the new game yet."""
        self.is_followed = False
        """A watcher of the game before may be waiting for the store to have this one."""
        self._guest = ""
        """The token of a guest in a room; drawn when it is needed."""

    # Messages

    def say(self, which: str, **args: Any) -> None:
        self.message = message(which, **args)

    def say_fault(self, text: str) -> None:
        """Say that the store failed, and how."""
        self.say("store", text=text)

    def refuse(self, error: RoomError) -> None:
        """Say why a room refuses a change."""
        self.say(error.why, **error.told)

    def idle(self) -> None:
        """Drop a stale message before a game and in a pause."""
        if self.seat is None or self.seat.is_paused:
            self.message = SILENCE

    @property
    def now_s(self) -> int:
        """Seconds since 1970."""
        return (self.config.epoch_ms() + self.now_ms) // 1000

    @property
    def utc_ms(self) -> int:
        """Milliseconds since 1970."""
        return self.config.epoch_ms() + self.now_ms

    def begin_errand(self, errand: Errand | None) -> None:
        if errand is not None:
            self.out.errands = (*self.out.errands, errand)

    # Who they are among others

    @property
    def token(self) -> str:
        """The player's identity in a room."""
        if self.account.is_in:
            return self.account.id
        if not self._guest:
            self._guest = GUEST + game_code(self.tokens)
        return self._guest

    @property
    def handle(self) -> str:
        """The name of this player among players online, the same on every device."""
        return handle_of(self.token)

    @property
    def public_name(self) -> str:
        """The player's name for others; without one, a colour and an animal for the day."""
        day = self.config.today(self.now_ms)
        return self.account.name or self.client.guest_name or stand_in(self.token, day)

    # Beginning and ending

    def begin(self, setup: Setup, code: str = "", rival: Rival | None = None) -> None:
        """Begin a match, with a new code unless one is given; set a running one aside."""
        replaces = self.seat is not None or self.account.waiting is not None
        kept = self.put_aside() if replaces else ""
        self.message = SILENCE
        match = Match(Game(setup))
        match.owner, match.rival = self.account.device, rival
        # The store gets it with its first action.
        self.account.keep(match, code)
        if self.account.left:
            self.matches.store_after(self.account.left, match)
        self.play(match, setup.start)
        if kept:
            self.say("kept", board=kept)

    def put_aside(self) -> str:
        """Make room for another game; return the board of the one kept aside, or an empty text."""
        replaced = self.leave_as_replaced()
        waiting = self.put_aside_waiting()
        if self.seat is None:
            return waiting
        if replaced is None or waiting:
            if self.seat.match.is_kept:
                self.account.leave(self.seat.match)
            return waiting
        return self._put_aside(self.seat.match, replaced)

    def put_aside_waiting(self) -> str:
        """Make room in place of the waiting game; return its board if it is kept aside."""
        waiting, self.account.waiting = self.account.waiting, None
        if waiting is None:
            return ""
        match, noted = waiting
        replaced = self._as_replaced(match, noted if match.is_worth_keeping else None)
        if replaced is None:
            self.account.leave(match)
            return ""
        return self._put_aside(match, replaced)

    def _put_aside(self, match: Match, replaced: ReplacedGame) -> str:
        match.journal.put_aside(replaced)
        self.account.leave(match)
        self.matches.note_change(match)
        return "" if replaced.aside is None else replaced.aside.variant.board

    def leave_as_replaced(self) -> ReplacedGame | None:
        """Leave the match for another; return what to store about it, if anything changed."""
        seat = self.seat
        if seat is None:
            return None
        return self._as_replaced(seat.match, seat.note(self.now_ms) if seat.is_kept_aside else None)

    def _as_replaced(self, match: Match, noted: Note | None) -> ReplacedGame | None:
        """Give up a match that another replaces, or return what to store to keep it for later."""
        if match.is_over:
            return None
        if not match.was_acted_on:
            return ReplacedGame(match.code, is_no_game=True) if match.is_kept else None
        if noted is None:
            self._give_up(match)
            return None
        label = match.label(noted, self.now_s)._replace(is_aside=True)
        due = Due(self.utc_ms, match.code, label.length)
        outcome = outcome_of(match.game, match.begun_at_ms, self.utc_ms)
        self.out.games_ended += 1
        return ReplacedGame(match.code, label, due, outcome)

    def _give_up(self, match: Match) -> None:
        match.give_up(self.now_ms, self.utc_ms)
        self._record(match)

    def _record(self, match: Match) -> None:
        """Count a finished match."""
        self.out.games_ended += 1
        account = self.account
        if match.is_kept:
            self.matches.note_change(match)
        elif account.is_known:
            account.unstored = (*account.unstored, match)[-MOST_UNSTORED:]
        elif self.config.has_store:
            self.matches.ended[match.variant.category, match.game.status] += 1

    def resume(self, match: Match, noted: Note) -> MatchSeat:
        """Resume a match that was kept, or one that others here are at."""
        match = self.matches.find(match.code) or match
        self.message = SILENCE
        if not noted.is_paused:
            self.say("resumed")
        return self.play(match, noted.cursor, is_paused=noted.is_paused)

    def play(self, match: Match, cursor: Cell, *, is_paused: bool = False) -> MatchSeat:
        """Take a seat at a match, in place of the one before."""
        if self.seat is not None:
            if (replaced := self.seat.match) is not match:
                self.is_followed |= replaced.is_watched
                self.has_moved_on |= self.is_followed
            self.leave_seat()
        seat = MatchSeat(match, cursor, is_paused=is_paused)
        self.match, self.seat = match, seat
        match.sit_down(seat, self.hear, self.now_ms)
        if match.is_kept:
            # The next game no longer waits for this one.
            match.journal.resume()
            match.answer_awaiting()
            self.matches.note_change(match)
        self.talks.close()
        if match.game.setup.needs_layout and not self.config.has_solver:
            match.allow_guesses()
            self.say("no.solver")
        return seat

    def leave_seat(self) -> None:
        """Leave the seat at a match."""
        seat, self.seat, self.match = self.seat, None, None
        if seat is not None:
            seat.match.leave(seat, self.now_ms)
            if seat.match.is_kept:
                self.matches.note_change(seat.match)

    def leave(self) -> None:
        """Leave the match; if it is stored, it waits with its clock stopped."""
        match = self.match
        if match is not None and not (match.is_kept or match.is_over) and match.was_acted_on:
            self._give_up(match)
        self.park()
        self.account.waiting = None

    def end(self) -> None:
        """Drop references back to this: a cycle would keep both until garbage is collected."""
        self.hear, self.show, self.talks = hear_nothing, _show_nothing, Talks(self.out, str)

    def park(self) -> MatchSeat | None:
        """Leave the match for a while; return the seat."""
        seat = self.seat
        self.leave_seat()
        if seat is not None:
            self._store_note(seat)
        return seat

    def resume_parked(self, parked: MatchSeat) -> None:
        """Come back to a match that was left for a while."""
        match = self.matches.find(parked.match.code) or parked.match
        match.journal.read_anew()
        self.play(match, parked.cursor, is_paused=parked.is_paused)

    # Playing

    @property
    def author(self) -> int:
        """The seat that acts, where several play; 0 for a player alone."""
        return 0 if self.sitting is None else self.sitting.number

    def live_seat(self) -> MatchSeat | None:
        """Return the seat, while something can be done to its match."""
        seat = self.seat
        if seat is None or seat.is_paused or seat.match.game.status is not ONGOING:
            return None
        return seat

    def act(self, kind: ActionKind, cell: Cell | None = None) -> bool:
        """Do an action at the match, and store it; return True if it changed the board."""
        seat = self.seat
        if seat is None:
            return False
        match, entries = seat.match, seat.match.game.log.entries
        if self.client.is_bot:
            match.note_program()
        length, was_up_to_date = len(entries), seat.seen == match.changes
        has_changed = match.act(kind, cell, self.now_ms, self.utc_ms, self.author)
        if was_up_to_date:
            seat.seen, seat.seen_status = match.changes, match.game.status
        is_logged = len(entries) > length
        if is_logged:
            # The log tells clock and cursor.
            seat.next_note_ms = self.now_ms + NOTE_EVERY_MS
            if not length:
                self._note_first_action(match)
        if is_logged and match.game.status is not ONGOING:
            self._record(match)
        elif match.is_kept:
            self.matches.note_change(match)
        return has_changed

    def _note_first_action(self, match: Match) -> None:
        """Redirect watchers of the game before, and offer this board first from now on."""
        if self.is_followed:
            self.is_followed, self.has_moved_on = False, True
        board = match.asked_for.category
        if board != self.settings.last_board:
            # A new player is stored with the game.
            is_stored = self.account.held.is_known
            self.put_settings(self.settings.after(board), is_stored=is_stored)

    def keep_newcomer(self, match: Match) -> None:
        """Keep a newcomer's games longer, once for each day with a stored game."""
        held, now_s = self.account.held, self.now_s
        if match.journal.stored and not held.is_prolonged(now_s):
            self.begin_errand(held.prolong(now_s))

    def put_settings(self, settings: Settings, *, is_stored: bool = True) -> None:
        """Change settings; store those of a known player, with the name."""
        account, self.settings = self.account, settings
        errand = account.put(account.name, settings, self.now_s)
        if is_stored:
            self.begin_errand(errand)

    def note(self, delay_ms: int = 0) -> None:
        """Store cursor, clock and pause from time to time, unless the log tells them."""
        seat = self.seat
        if seat is None or self.sitting is not None:
            return
        if self.now_ms - delay_ms >= seat.next_note_ms:
            self._store_note(seat)

    def _store_note(self, seat: MatchSeat) -> None:
        match, game = seat.match, seat.match.game
        if not match.journal.stored or game.status is not ONGOING:
            return
        if (noted := seat.note(self.now_ms)) == seat.noted:
            return
        seat.noted, seat.next_note_ms = noted, self.now_ms + NOTE_EVERY_MS
        if noted != Note.of_log(game.log.entries, game.grid):
            self.begin_errand(put_note(self.account.held, match.code, noted, self.now_s))
        else:
            self.keep_newcomer(match)

    # Rights

    @property
    def mode(self) -> Mode:
        """The situation of the player, by the game or the room under all menus."""
        seat, sitting = self.seat, self.sitting
        if sitting is not None:
            status = ONGOING if seat is None else seat.match.game.status
            stage = sitting.stage(self.now_ms, is_over=status is not ONGOING)
            return room_mode(stage, sitting.room.kind, has_won=status is Status.WON)
        if seat is None:
            return Mode.NO_GAME
        if seat.is_paused:
            return Mode.PAUSED
        if seat.match.game.status is ONGOING:
            return Mode.PLAYING
        return Mode.OVER_UNPROTECTED if seat.match.is_unprotected else Mode.OVER

    def refusal(self, verb: Verb) -> Message:
        """Return the message why this cannot be done now; SILENCE if it can."""
        refuses = RIGHTS[self.mode].refuses
        why = refuses[verb] if verb in refuses else NEEDS[verb](self) if verb in NEEDS else ""
        return message(why) if why else SILENCE

    @property
    def has_days(self) -> bool:
        """True if there is a board of the day."""
        return self.config.day_seed(self.config.today(self.now_ms)) is not None

    # What applies to the match

    @property
    def has_question_marks(self) -> bool:
        """True if a second flag is a question mark, which J's game never has."""
        if not self.settings.question_marks:
            return False
        return self.match is None or self.match.variant.rules.name != J_RULES

    @property
    def is_ranked(self) -> bool:
        """True if the match is ranked so far; matches in rooms never are."""
        if self.match is None or self.sitting is not None:
            return False
        return self.account.is_in and self.match.is_ranked

    @property
    def is_timed(self) -> bool:
        """True if the match ranks by wall time, which goes on during a pause."""
        match = self.match
        if match is None or match.is_over or not match.was_acted_on:
            return False
        return self.is_ranked and match.has_leaderboard
