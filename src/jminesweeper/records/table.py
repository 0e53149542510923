"""A table: a room in one process, and what that process does for it.

A table is a state machine without a clock, a store or a bus. `receive` processes an event, and
returns what to ask the store, what to publish to the other tables of the room, whether those who
are here see something new, and when to wake it. At most one flow is under way: a wish of a player,
or the first chore that is due.

======  =======================  ========================================================  ======
state   event                    does                                                      becomes
======  =======================  ========================================================  ======
IDLE    a player wants a change  it is made to the room as known, and stored               ASKING
IDLE    a chore is due           it is done                                                ASKING
ASKING  a wish; a chore is due   it waits                                                  ASKING
ASKING  done                     the room is known, and published with its version         IDLE
ASKING  another was faster       the room is read, and the change made again to it         ASKING
ASKING  store error              the wish is answered; a chore comes again in a second     IDLE
any     heard of a later room    it is known; those here see it                            same
any     heard of a room unseen   it is doubtful, which makes a chore                       same
any     progress, cursor, said   kept, and published at most as often as `EVERY` allows    same
======  =======================  ========================================================  ======

What a table does by itself follows from what it knows and from the time, and from nothing else. So
there is nothing to resume after a fault, a lost message or a freeze.

======  ==================================================  ========================
chore   when                                                who
======  ==================================================  ========================
READ    the room is unknown, or may have changed            every table
SIT     the others thought that a seat here was lost        the table that has it
LOSE    a seat was not heard of for 20 seconds              in turn
DROP    a seat was lost for two minutes, between rounds     in turn
CALL    half have been ready for 20 seconds, or the break   in turn
        of a series is over
DRAW    a round is called and has no board                  in turn
DEAL    the board is drawn                                  the table that drew it
PAUSE   all who are here want a pause                       in turn
SETTLE  the round is over, by all that is known here        in turn
LOOK    a round is on, every minute: is it over, unheard?   in turn
======  ==================================================  ========================

In turn: the table with the first seat that is heard of does it at once, the others two seconds
later, if it is not done by then. This saves work; the store alone makes it right.

Times are taken once. A time in the document counts from when a table first sees it, on its own
clock: a table that saw the round called counts down from the moment it hears of the board, and the
last minute of a race begins when a table learns of the first win, or that all but one have lost. So
clocks that differ, or that are set back, keep nobody waiting. Progress that was missed costs time
and never a result: each minute a table looks into the records, whatever it has heard. If it finds
them unchanged for long enough, the round is over, and nobody holds it up by being there.

For instance, a server answers a win and dies before it has published it. The win is in the record
of its player. Every other table finds it there at its next LOOK, within a minute, and begins the
last minute; or it has a reason of its own to SETTLE, which judges by the records alone (`rounds`).
Either way the win has its place in the result. Meanwhile the seat falls silent, and LOSE notes it.
If no table is left, `rounds.Deserted` settles the round.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.records import keys
from jminesweeper.records.documents import Flow, LongFlow, read_document
from jminesweeper.records.limits import Limits
from jminesweeper.records.rooms import (
    BREAK_MS,
    COUNTDOWN_MS,
    Kind,
    NoRoomError,
    Parting,
    Room,
    RoomError,
    Round,
    Seat,
    Stage,
)
from jminesweeper.records.rounds import (
    LAST_MINUTE_MS,
    LOOK_MS,
    NO_PROGRESS,
    QUIET_MS,
    SEAT_KEPT_MS,
    Outlook,
    Progress,
    is_decided,
    settle,
    writing,
)
from jminesweeper.store.port import DONE, StoreError

PATIENCE_MS: Final = 20_000
"""Time for which the others are waited for, once half are ready."""
STILL_HERE_MS: Final = 5_000
"""Longest time without a word from a table."""
SILENT_MS: Final = 20_000
"""A seat that no table has named for so long has lost its server."""
TURN_MS: Final = 2_000
"""Time for which a chore is left to the table that has the first seat."""
MOST_SAID: Final = 15
MOST_NEWS: Final = 30

Change: TypeAlias = Callable[[Room], Room]


class Now(NamedTuple):
    """A moment: on the clock of the process, which never runs backwards, and since 1970."""

    ms: int
    utc_ms: int


class Said(NamedTuple):
    """A phrase that somebody in the room has said."""

    number: int
    seat: int
    phrase: int
    cell: int


class News(NamedTuple):
    """Something that a player did or suffered; each table finds it out by itself."""

    number: int
    what: str
    seat: int
    name: str
    time_ms: int = 0
    """Of a win."""


EVERY: Final[Mapping[str, tuple[int, int]]] = {
    "wish": (1_000, 5),  # of a player; a later one takes the place of one that waits
    "chore": (1_000, 1),  # the same one again, if it failed or was too early
    "here": (250, 1),  # telling how far the seats here are, all in one message
    "cursor": (100, 1),  # of a seat
    "say": (1_000, 1),  # of a seat
    "rival": (250, 4),  # the board of a rival for a player who has finished
    "open": (1_000, 1),  # the board of a round for a player, if it could not be read
    "join": (1_000, 1),  # a room, or somebody who is watched, of a player
    "point": (50, 4),  # at a cell, for watchers of a match
    "play": (500, 2),  # another game, for watchers of a player
    "follow": (3_000, 1),  # a look at what a watched player plays, and if they may be watched
    "online": (3_000, 1),  # a look at what others see of a player
    "look": (1_000, 3),  # for an opponent, by who waits for one
    "show": (33, 1),  # changes, to players
    "watch": (100, 1),  # changes, to watchers
    "wrong": (2_000, 30),  # codes of rooms that are tried from an address, except right ones
}
"""Interval in milliseconds, and how many may come at once."""

# Events


class Came(NamedTuple):
    """Somebody is at the table; a member without a player only watches."""

    member: object
    player: str


class Went(NamedTuple):
    """A player or watcher has gone."""

    member: object
    how: Parting = Parting.LEAVES


class Wants(NamedTuple):
    """A player wants a change; `done` takes the room, or the error of the room or the store."""

    player: str
    change: Change
    done: Callable[[Any], object] = lambda _: None


class Played(NamedTuple):
    """A copy's progress, as the store has it."""

    record: str
    progress: Progress


class Pointed(NamedTuple):
    """A seat's cursor, moved to a cell without acting there."""

    seat: int
    cell: int


class Spoke(NamedTuple):
    """A seat has said a phrase, and pointed at a cell or none."""

    seat: int
    phrase: int
    cell: int


class Heard(NamedTuple):
    """A message of a table of the room; an empty one says that some were missed."""

    message: bytes


class Answered(NamedTuple):
    """The result of the flow that was asked for."""

    value: Any


class Dealt(NamedTuple):
    """The board that was to be drawn."""

    number: int
    setup: Setup


class Woken(NamedTuple):
    """The time has come that was asked for."""


Event: TypeAlias = Came | Went | Wants | Played | Pointed | Spoke | Heard | Answered | Dealt | Woken


@dataclass(slots=True)
class TableOrders:
    """Everything to be done after an event."""

    ask: LongFlow[Any] | None = None
    draw: tuple[int, Variant] | None = None
    """The number of the round that needs a board, and the kind of board."""
    messages: list[bytes] = field(default_factory=list)
    """To publish to the other tables of the room."""
    answers: list[tuple[Callable[[Any], object], Any]] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    """Records of a round that is over: their logs have ended in the store."""
    shows: bool = False
    """There is news to show to everybody here."""
    wake_ms: int | None = None

    def wake(self, at_ms: int) -> None:
        self.wake_ms = at_ms if self.wake_ms is None else min(self.wake_ms, at_ms)


class Chore(Enum):
    """A thing that a table does by itself."""

    READ = auto()
    SIT = auto()
    LOSE = auto()
    DROP = auto()
    CALL = auto()
    DRAW = auto()
    DEAL = auto()
    PAUSE = auto()
    SETTLE = auto()
    LOOK = auto()


class Pending(NamedTuple):
    """A chore, the time from which it is to be done, and its change of the room, if it is one."""

    at_ms: int
    chore: Chore
    change: Change | None = None


class Table:
    """A room as one process knows it, and what is under way for it."""

    __slots__ = (
        "_acted_ms",
        "_asked",
        "_dealt",
        "_drawing",
        "_found",
        "_heard_ms",
        "_last_ms",
        "_lost_ms",
        "_orders",
        "_pointed",
        "_prefix",
        "_published",
        "_published_ms",
        "_random_bits",
        "_server",
        "_since_ms",
        "_watchers",
        "_wishes",
        "changes",
        "code",
        "cursors",
        "is_counting",
        "is_doubtful",
        "last_minute_ms",
        "last_news",
        "last_said",
        "limits",
        "members",
        "news",
        "own",
        "progress",
        "room",
        "round",
        "said",
        "start_ms",
        "version",
        "watcher_count",
    )
    """A table of more than thirty fields without them is a dict of 1.6 KB."""

    def __init__(self, code: str, server: str, random_bits: RandomBits) -> None:
        self.code = code
        self.room: Room | None = None
        self.round: Round | None = None
        """The round of that room."""
        self.version = 0
        self.changes = 1
        """Counts what may look different."""
        self.is_doubtful = True
        """The store may have another room by now."""
        self.members: dict[object, str] = {}
        """The players and watchers here; watchers without a player."""
        self.own: dict[int, Seat] = {}
        """The seats of the players here."""
        self.is_counting = False
        """True until the round begins."""
        self.progress: dict[str, Progress] = {}
        """By record; of a shared board its log tells all but the end."""
        self.cursors: dict[int, int] = {}
        self.said: list[Said] = []
        self.news: list[News] = []
        self.last_said = self.last_news = 0
        """Numbers of the last phrase and the last news."""
        self.watcher_count = 0
        """Number of watchers at all servers."""
        self.start_ms = 0
        """Start of the round's clock."""
        self.last_minute_ms: int | None = None
        """End of a race that is won, or lost by all but one, for the players still in it."""
        self.limits = Limits(EVERY)
        self._random_bits = random_bits
        self._server = server
        self._prefix = f'["{server}",'.encode()
        self._heard_ms: dict[int, int] = {}
        """Time at which each seat was heard of last."""
        self._lost_ms: dict[int, int] = {}
        """Time since which each seat has been lost."""
        self._watchers: dict[str, tuple[int, int]] = {}
        """Time at which each other server was heard last, and its watchers."""
        self._since_ms: dict[str, tuple[Hashable, int]] = {}
        """The states of things by name, each with the time since which it is known (`_since`)."""
        self._drawing = 0
        """The round for which a board is drawn here."""
        self._dealt: Dealt | None = None
        self._wishes: dict[str, Wants] = {}
        self._asked: Wants | Chore | None = None
        self._pointed: dict[int, int] = {}
        """Cursors that are not published yet."""
        self._found: Mapping[str, Progress] = {}
        """The progress of each copy, as a flow has found it in the store."""
        self._acted_ms = 0
        """Time of the last action in the round, on its clock, found by the last look."""
        self._published, self._published_ms = "", 0
        self._last_ms = 0
        self._orders = TableOrders()

    @property
    def is_needed(self) -> bool:
        """True if somebody is here, or something is still to be done."""
        return bool(self.members or self._wishes or self._asked or self._is_left)

    @property
    def _is_left(self) -> bool:
        """True if a round is on that all its players have left."""
        room, current = self.room, self.round
        if room is None or current is None:
            return False
        return all(seat.is_gone for seat in room.seats if seat.number in current.players)

    # What sessions show

    def clock_ms(self, now_ms: int) -> int:
        """Return how long the round has run; negative in the countdown."""
        current = self.round
        if current is None or current.setup is None:
            return -COUNTDOWN_MS
        return now_ms - self.start_ms if current.stopped_ms is None else current.stopped_ms

    @property
    def next_start_ms(self) -> int | None:
        """The start of the next round of a series, in its break, unless all are ready before."""
        known = self._since_ms.get("break")
        return None if known is None else known[1] + BREAK_MS + COUNTDOWN_MS

    def stage_of(self, number: int, now_ms: int) -> Stage:
        """Return how far the room is for a seat."""
        current = self.round
        if current is not None and number not in current.players:
            return Stage.ASIDE
        return self.stage(now_ms)

    def stage(self, now_ms: int) -> Stage:
        """Return the stage of the room for its players."""
        current = self.round
        if current is None:
            return Stage.GATHERING
        if self.clock_ms(now_ms) < 0:
            return Stage.COUNTDOWN
        return Stage.PLAYING if current.stopped_ms is None else Stage.PAUSED

    def note_actions(self, cells: Mapping[int, int]) -> None:
        """Follow the log to where seats have acted: no cursor is published ahead of its action."""
        self.cursors.update(cells)
        for seat in cells:
            self._pointed.pop(seat, None)

    # Events

    def receive(self, event: Event, now: Now) -> TableOrders:
        """Process an event; return the orders that follow from it."""
        self._orders = orders = TableOrders()
        if now.ms > self._last_ms + SILENT_MS:
            # A table that has slept so long cannot say who is silent.
            self._heard_ms, self.is_doubtful = {}, True
        self._last_ms = now.ms
        match event:
            case Came(member, player):
                self.members[member] = player
                self._count_own()
            case Went(member, how):
                self._go(self.members.pop(member, ""), how)
                self._count_own()
            case Wants(player):
                if (waiting := self._wishes.get(player)) is not None:
                    orders.answers.append((waiting.done, self.room))
                self._wishes[player] = event
            case Played(record, progress):
                self._note_progress(record, progress)
            case Pointed(seat, cell):
                self._pointed[seat] = cell
            case Spoke(seat) if self.limits.passes("say", now.ms, seat):
                self._note_said(*event)
                self._publish("said", *event)
            case Heard(message):
                self._hear(json.loads(message) if message else [], now)
            case Answered(value):
                self._take_answer(value, now)
            case Dealt():
                self._dealt, self._drawing = event, 0
        self._do_what_is_due(now)
        if self._pointed:
            self._publish_cursors(now)
        self._publish_presence(now)
        self._show_the_start(now)
        self.changes += orders.shows
        return orders

    def is_own(self, message: bytes) -> bool:
        """Return True for a message of this table: a bus delivers to its sender as well."""
        return message.startswith(self._prefix)

    def _go(self, player: str, how: Parting) -> None:
        seat = self.room.seat_of(player) if self.room is not None and player else None
        if seat is None or seat.away or player in self.members.values():
            return
        leave: Change = partial(Room.leave, number=seat.number)
        if how is not Parting.LEAVES:
            leave = partial(Room.lose, numbers=(seat.number,), how=how)
        if (waiting := self._wishes.get(player)) is not None:
            self._orders.answers.append((waiting.done, self.room))
        self._wishes[player] = Wants(player, leave)

    def _note_progress(self, record: str, progress: Progress) -> None:
        room = self.room
        if room is None or record not in room.records:
            return
        if room.kind is Kind.SHARED:
            progress = Progress(finish=progress.finish)
        before, finish = self.progress.get(record, NO_PROGRESS), progress.finish
        if before == progress:
            return
        self.progress[record], self._orders.shows = progress, True
        if room.kind is Kind.SHARED:
            return
        seat = room.seat(*room.records[record])
        if progress.hits > before.hits:
            self._report("hit" if finish is None or finish.is_won else "lost", seat)
        if finish is None or before.finish is not None:
            return
        if finish.gave_up:
            self._report("gave_up", seat)
        elif finish.is_won:
            others = (each.finish for code, each in self.progress.items() if code != record)
            is_first = not any(other is not None and other.is_won for other in others)
            self._report("won" if is_first else "finished", seat, finish.time_ms)

    def _note_said(self, seat: int, phrase: int, cell: int) -> None:
        self.last_said += 1
        self.said = [*self.said, Said(self.last_said, seat, phrase, cell)][-MOST_SAID:]
        self._orders.shows = True

    def _report(self, what: str, seat: Seat, time_ms: int = 0) -> None:
        self.last_news += 1
        news = News(self.last_news, what, seat.number, seat.name, time_ms)
        self.news = [*self.news, news][-MOST_NEWS:]

    def _report_people(self, before: Room, room: Room) -> None:
        """Say who came and went, and who is the host now."""
        known = {was.player: was for was in before.seats}
        for seat in room.seats:
            was, is_here = known.pop(seat.player, None), seat.away is None
            if is_here and (was is None or was.is_gone):
                self._report("came", seat)
            elif was is not None and is_here != (was.away is None):
                away = "lost_it" if seat.away is Parting.LOST else "left"
                self._report("back" if is_here else away, seat)
            if seat.player in room.removed and seat.player not in before.removed:
                self._report("removing", seat)
        for was in before.seats:
            if was.player in known and not was.is_gone:
                self._report("removed" if was.player in room.removed else "left", was)
            elif was.number == room.host != before.host:
                self._report("host", was)

    def _hear(self, words: list[Any], now: Now) -> None:
        match words:
            case [_, "room", int(version), str(body)]:
                self._accept_room(Room.parse(self.code, body), version, now)
            case [str(server), "here", int(revision), int(watchers), list(seats), dict(copies)]:
                self._watchers[server] = now.ms, watchers
                self._heard_ms.update(dict.fromkeys(seats, now.ms))
                for record, progress in copies.items():
                    self._note_progress(record, Progress.read(*progress))
                self.is_doubtful |= self.room is not None and revision > self.room.revision
            case [_, "cursor", int(seat), int(cell)]:
                self.cursors[seat], self._orders.shows = cell, True
            case [_, "said", int(seat), int(phrase), int(cell)]:
                self._note_said(seat, phrase, cell)
            case []:
                self.is_doubtful = True

    def _accept_room(self, room: Room, version: int, now: Now) -> bool:
        """Accept a room if it is later than the known one; return True if it is."""
        before = self.room
        if before is not None and before.key == room.key and room.revision <= before.revision:
            return False
        self._orders.shows = True
        self.room, self.round, self.version = room, room.round, version
        was, current = None if before is None else before.round, room.round
        is_same = was is not None and current is not None and was.number == current.number
        if not is_same:
            self.progress, self.cursors, self._pointed, self._dealt = {}, {}, {}, None
            self.last_minute_ms = None
            if before is not None:
                self._orders.closed += before.records
            was = None
        if current is not None and current.setup is not None:
            if was is None:
                # The clock of another server says when it began, but never that it is far off.
                self.start_ms = now.ms + min(current.starts_at_ms - now.utc_ms, COUNTDOWN_MS)
            elif was.setup is None:
                self.start_ms = now.ms + COUNTDOWN_MS
            elif was.stopped_ms is not None and current.stopped_ms is None:
                self.start_ms = now.ms - was.stopped_ms
        if before is not None and before.key == room.key:
            self._report_people(before, room)
        here = {seat.number for seat in room.here}
        # A player who comes back is listened for anew.
        self._heard_ms = {n: ms for n, ms in self._heard_ms.items() if n in here}
        lost = (seat.number for seat in room.seats if seat.is_lost)
        self._lost_ms = {number: self._lost_ms.get(number, now.ms) for number in lost}
        self._count_own()
        return True

    def _count_own(self) -> None:
        seats = self.room.seats if self.room is not None else ()
        players = set(self.members.values())
        self.own = {seat.number: seat for seat in seats if seat.player in players}

    def _take_answer(self, value: Any, now: Now) -> None:
        asked, self._asked = self._asked, None
        if isinstance(value, StoreError):
            self.is_doubtful = True
        elif not isinstance(value, RoomError):
            room, version = value
            if room is None:
                value = NoRoomError("room.unknown", code=self.code)
                if self.room is not None:
                    self._orders.shows = True
                    self.room, self.round = replace(self.room, seats=(), round=None), None
                    self._count_own()
            elif self._accept_room(room, version, now) and asked is not Chore.READ:
                self._publish("room", version, room.text)
        found, self._found = self._found, {}
        for record, progress in found.items():
            self._note_progress(record, progress)
        if isinstance(asked, Wants):
            is_error = isinstance(value, StoreError | RoomError)
            self._orders.answers.append((asked.done, value if is_error else self.room))

    # What to do now

    def _do_what_is_due(self, now: Now) -> None:
        """Do the first thing that is due, wishes before chores; wake for the others."""
        orders = self._orders
        for player, wish in self._wishes.items() if self._asked is None else ():
            at_ms = self.limits.next_ms("wish", player)
            if at_ms <= now.ms:
                self.limits.note("wish", now.ms, player)
                self._asked, orders.ask = wish, self._change(wish.change, now)
                del self._wishes[player]
                return
            orders.wake(at_ms)
        for due in self._chores(now) if self.members or self._is_left else ():
            at_ms = max(due.at_ms, self.limits.next_ms("chore", due.chore))
            if at_ms > now.ms:
                orders.wake(at_ms)
            elif due.chore is Chore.DRAW and self.room is not None and self.round is not None:
                self._drawing = self.round.number
                orders.draw = self._drawing, self.room.variant
            elif self._asked is None:
                self.limits.note("chore", now.ms, due.chore)
                self._asked = due.chore
                if due.change is not None:
                    orders.ask = self._change(due.change, now)
                elif due.chore is Chore.READ:
                    orders.ask = self._read()
                else:
                    orders.ask = self._settle(now, looks=due.chore is Chore.LOOK)

    def _chores(self, now: Now) -> Iterator[Pending]:
        """List what is to be done now or later, the most urgent first."""
        room = self.room
        if self.is_doubtful or room is None:
            yield Pending(0, Chore.READ)
        if room is None or not room.seats:
            return
        turn_ms, current = self._turn_ms(room, now), room.round
        for seat in self.own.values():
            if seat.away:
                yield Pending(0, Chore.SIT, partial(Room.sit, player=seat.player, name=seat.name))
        others = [seat.number for seat in room.here if seat.number not in self.own]
        silent_ms = {n: self._heard_ms.setdefault(n, now.ms) + SILENT_MS for n in others}
        if silent_ms:
            silent = [n for n, at_ms in silent_ms.items() if at_ms <= now.ms]
            lose = partial(Room.lose, numbers=silent)
            yield Pending(min(silent_ms.values()) + turn_ms, Chore.LOSE, lose)
        if current is None:
            yield from self._chores_between_rounds(room, now, turn_ms)
            return
        self._since_ms.pop("break", None)
        if current.setup is None:
            if self._dealt is not None and self._dealt.number == current.number:
                deal = partial(Room.deal, number=current.number, setup=self._dealt.setup)
                yield Pending(0, Chore.DEAL, partial(deal, utc_ms=now.utc_ms))
            elif self._drawing != current.number:
                yield Pending(self._since("draw", current.number, now) + turn_ms, Chore.DRAW)
        else:
            if room.wants_pause:
                since_ms = self._since("pause", (current.number, current.votes), now)
                pause = partial(Room.pause, clock_ms=self.clock_ms(now.ms))
                yield Pending(since_ms + turn_ms, Chore.PAUSE, pause)
            if self.last_minute_ms is None and self._is_nearly_over(room, now):
                self.last_minute_ms, self._orders.shows = now.ms + LAST_MINUTE_MS, True
            has_begun = self.clock_ms(now.ms) >= 0
            if has_begun and (over_ms := self._over_at_ms(room, now)) is not None:
                yield Pending(over_ms + turn_ms, Chore.SETTLE)
        looked_ms = self._since("look", (current.number, current.looks), now)
        yield Pending(looked_ms + LOOK_MS + turn_ms, Chore.LOOK)

    def _chores_between_rounds(self, room: Room, now: Now, turn_ms: int) -> Iterator[Pending]:
        if self._lost_ms:
            lost = [n for n, ms in self._lost_ms.items() if ms + SEAT_KEPT_MS <= now.ms]
            drop_ms = min(self._lost_ms.values()) + SEAT_KEPT_MS + turn_ms
            yield Pending(drop_ms, Chore.DROP, partial(Room.drop, numbers=lost))
        if room.is_in_break:
            since_ms = self._since("break", (room.rounds, room.key), now)
            yield Pending(since_ms + BREAK_MS + turn_ms, Chore.CALL, Room.go_on)
        else:
            self._since_ms.pop("break", None)
        if room.is_patient:
            since_ms = self._since("patient", (room.rounds, room.key), now)
            yield Pending(since_ms + PATIENCE_MS + turn_ms, Chore.CALL, Room.call)
        else:
            self._since_ms.pop("patient", None)

    def _since(self, what: str, which: Hashable, now: Now) -> int:
        """Return since when `what` has been in the state `which`, on the own clock."""
        if self._since_ms.get(what, (None, 0))[0] != which:
            self._since_ms[what] = which, now.ms
        return self._since_ms[what][1]

    def _turn_ms(self, room: Room, now: Now) -> int:
        """Return how long to leave to another table what any of them may do."""
        for seat in room.here:
            if seat.number in self.own:
                return 0
            if now.ms < self._heard_ms.get(seat.number, now.ms) + SILENT_MS:
                return TURN_MS
        return 0

    def _missing(self, room: Room, now: Now) -> frozenset[int]:
        """Return the seats for which nobody waits: left, or lost for long."""
        gone = {seat.number for seat in room.seats if seat.is_gone}
        lost = {n for n, lost_ms in self._lost_ms.items() if now.ms >= lost_ms + SEAT_KEPT_MS}
        return frozenset(gone | lost)

    def _is_late(self, now: Now) -> bool:
        """Return True once the round waits for nobody."""
        return self.last_minute_ms is not None and now.ms >= self.last_minute_ms

    def _is_nearly_over(self, room: Room, now: Now) -> bool:
        """Return True once a race is won, or if one is left to play while others wait."""
        if room.kind is Kind.SHARED:
            return False
        ends = {
            n: self.progress.get(code, NO_PROGRESS).finish for code, (n,) in room.records.items()
        }
        missing = self._missing(room, now)
        left = [n for n, end in ends.items() if end is None and n not in missing]
        waiting = [n for n, end in ends.items() if end is not None and n not in missing]
        is_won = any(end is not None and end.is_won for end in ends.values())
        return is_won or (len(left) == 1 and bool(waiting))

    def _over_at_ms(self, room: Room, now: Now) -> int | None:
        """Return when the round is over; None while that is not known here."""
        known = {record: each.finish for record, each in self.progress.items()}
        ends = {record: finish for record, finish in known.items() if finish is not None}
        if self._is_late(now) or is_decided(room, ends, self._missing(room, now)):
            return self._since("over", room.rounds, now)
        moments = [lost_ms + SEAT_KEPT_MS for lost_ms in self._lost_ms.values()]
        if self.last_minute_ms is not None:
            moments.append(self.last_minute_ms)
        return min((at_ms for at_ms in moments if at_ms > now.ms), default=None)

    # Flows: each returns the room and its version, or why the room refuses

    def _read(self) -> Flow[tuple[Room | None, int]]:
        self.is_doubtful = False
        found = yield from read_document(keys.room_key(self.code))
        return (Room.parse(self.code, found.body) if found.version else None), found.version

    def _settle(self, now: Now, *, looks: bool) -> LongFlow[Any]:
        """Settle the round if it is over; while it runs, say now and then that we are here."""
        room, current = self.room, self.round
        if room is None or current is None:
            return None, 0
        self.is_doubtful = False
        clock_ms, now_s = max(0, self.clock_ms(now.ms)), now.utc_ms // 1000
        since_ms = self._since("acted", (current.number, self._acted_ms), now)
        quiet_ms = self._acted_ms if now.ms >= since_ms + QUIET_MS[room.kind] else None
        missing = self._missing(room, now)
        outlook = Outlook(missing, clock_ms, now_s, self._is_late(now), quiet_ms)
        settled = yield from settle(self.code, current.number, outlook, self._random_bits)
        found, version, self._found, self._acted_ms = settled
        if (
            not looks
            or found is None
            or found.round is None
            or found.round.number != current.number
        ):
            return found, version
        return (yield from self._change(Room.beat, now))

    def _change(self, change: Change, now: Now) -> LongFlow[Any]:
        """Change the room as known here; if it has changed meanwhile, the room as it is now."""
        room, version = self.room, self.version
        is_read = room is None or not room.seats or self.is_doubtful
        if is_read:
            room, version = yield from self._read()
        while room is not None:
            try:
                after = change(room)
            except RoomError as error:
                if is_read:
                    return error
            else:
                if after == room:
                    return room, version
                after = replace(after, revision=room.revision + 1)
                commit = writing(room, version, after, now.utc_ms // 1000, self._random_bits)
                if (yield commit) is DONE:
                    is_kept = commit.puts[0].body is not None
                    return (after if is_kept else replace(after, seats=())), commit.version
            room, version = yield from self._read()
            is_read = True
        return None, 0

    # What is published

    def _publish(self, *words: object) -> None:
        message = json.dumps((self._server, *words), separators=(",", ":"))
        self._orders.messages.append(message.encode())

    def _publish_cursors(self, now: Now) -> None:
        """Publish where cursors are; after a run of moves, where they came to rest."""
        for seat, cell in tuple(self._pointed.items()):
            if self.limits.passes("cursor", now.ms, seat):
                del self._pointed[seat]
                self.cursors[seat], self._orders.shows = cell, True
                self._publish("cursor", seat, cell)
            else:
                self._orders.wake(self.limits.next_ms("cursor", seat))

    def _publish_presence(self, now: Now) -> None:
        """Count the watchers, and publish the seats here with their progress.

        That is published when it has changed, and now and then.
        """
        room = self.room
        if room is None or not self.members:
            return
        watchers, elsewhere = [*self.members.values()].count(""), self._watchers
        if elsewhere:
            elsewhere = {each: at for each, at in elsewhere.items() if now.ms < at[0] + SILENT_MS}
            self._watchers = elsewhere
        count = watchers + sum(number for _, number in elsewhere.values())
        self._orders.shows |= count != self.watcher_count
        self.watcher_count = count
        copies: dict[str, Progress] = {}
        if room.kind is Kind.RACE:
            codes = map(room.record_of, self.own)
            copies = {code: self.progress[code] for code in codes if code in self.progress}
        words = watchers, [*self.own], copies
        if (text := repr(words)) != self._published or now.ms >= self._published_ms + STILL_HERE_MS:
            if not self.limits.passes("here", now.ms):
                self._orders.wake(self.limits.next_ms("here"))
                return
            self._published, self._published_ms = text, now.ms
            self._publish("here", room.revision, *words)
        self._orders.wake(self._published_ms + STILL_HERE_MS)

    def _show_the_start(self, now: Now) -> None:
        """Show the start of a round: it is in no message, and nobody stores it."""
        is_counting = self.round is not None and self.start_ms > now.ms
        self._orders.shows |= self.is_counting and not is_counting
        self.is_counting = is_counting
        if is_counting:
            self._orders.wake(self.start_ms)
