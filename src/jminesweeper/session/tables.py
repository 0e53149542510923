"""The tables of one process, by the codes of their rooms, and the views of their players.

`Tables` carries out the orders of each table (`records.table`) with the means that the server's
keeper gives it. `TableView` describes a table once for all who see it, and an `Audience` is shown
the news together. `Sitting` is one player's place at a table. `draw_board` draws a board with its
first cell, for a round or for a race alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from jminesweeper.core.actions import ON_A_CELL, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.rules import FirstReveal
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import Variant
from jminesweeper.records.documents import LongFlow
from jminesweeper.records.keys import game_code
from jminesweeper.records.limits import Limits
from jminesweeper.records.rooms import Kind, Parting, Result, Room, Seat, Stage
from jminesweeper.records.rounds import NO_PROGRESS, Progress, opening_of
from jminesweeper.records.table import (
    PATIENCE_MS,
    Answered,
    Came,
    Change,
    Dealt,
    Event,
    Heard,
    Now,
    Table,
    Wants,
    Went,
    Woken,
)
from jminesweeper.session.messages import numbered
from jminesweeper.session.reply import LayBoard, PlayBoard
from jminesweeper.session.result import standing

if TYPE_CHECKING:
    from jminesweeper.session.matches import MatchSeat


Hear: TypeAlias = Callable[[bool], object]
"""Hears that more is stored. True: held replies must be renewed, as others were faster or the store
has failed."""


def hear_nothing(_must_renew: bool) -> None: ...


Show: TypeAlias = Callable[[], object]
"""Shows a player what is new."""
Cancel: TypeAlias = Callable[[], object]


class Shown(list[Any]):
    """Rows that look the same to many; encoded once for all."""

    text = ""
    """As JSON, once somebody was shown it."""


class SeatRow(dict[str, Any]):
    """The member `seats` of a view has one for each seat; an action changes one of them."""

    __slots__ = ("text",)

    def __init__(self, *members: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        for each in members:
            self.update(each)
        self.text = ""
        """As JSON, once somebody was shown it."""


class Contributions:
    """The contributions of each author, read from the log as it grows.

    One new entry accounts for every difference. Several are replayed to attribute each.
    """

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.length = 0
        """Number of entries that were read."""
        self._last: int | None = None
        """The last of them."""
        self._seen = (0, 0, 0)
        """Cells opened, mines hit, and the flags, after them."""
        self._replayed: Game | None = None
        """The first of them played again, since several had come at once."""
        self.opened: Counter[int] = Counter()
        """Cells by author."""
        self.hits: Counter[int] = Counter()
        """Mines by author."""
        self.flags: dict[int, int] = {}
        """Flagged cells, by their numbers in reading order, and whose flag it is."""
        self.flagged: Counter[int] = Counter()
        """Number of those flags by author."""
        self.owners = Shown()
        """The flags and their owners, in reading order."""
        self.places: dict[int, int] = {}
        """Cells of the last actions, by author."""

    def follow(self, game: Game) -> Mapping[int, int]:
        """Read the new entries, and return where their authors acted.

        All entries are read if others were written in between.
        """
        entries, self.places = game.log.entries, {}
        new = len(entries) - self.length
        if self.length and (new < 0 or entries[self.length - 1] != self._last):
            self._forget()
            new = len(entries)
        if new == 1:
            self._count(game, entries[-1])
        elif new > 1:
            replayed = self._replayed = self._replayed or Game(game.setup)
            for entry in entries[len(replayed.log) : self.length]:
                replayed.push(entry)
            for entry in entries[self.length :]:
                replayed.push(entry)
                self._count(replayed, entry)
        return self.places

    def _count(self, game: Game, entry: int) -> None:
        """Credit the effect of a game's last entry to its author."""
        _, kind, index, author = unpack_entry(entry)
        columns = game.grid.size.columns
        if author and kind in ON_A_CELL:
            row, column = divmod(index, game.grid.stride)
            self.places[author] = row * columns + column
        before = self._seen
        self._seen = opened, hits, flagged = game.opened_count, game.hit_count, game.flagged
        self.opened[author] += opened - before[0]
        self.hits[author] += hits - before[1]
        if changed := flagged ^ before[2]:
            for column, row in game.grid.cells(changed):
                cell = row * columns + column
                if (owner := self.flags.pop(cell, None)) is not None:
                    self.flagged[owner] -= 1
                else:
                    self.flags[cell] = author
                    self.flagged[author] += 1
            self.owners = Shown(sorted(self.flags.items()))
        self.length, self._last = self.length + 1, entry


def describe_seat(
    number: int,
    name: str,
    progress: Progress,
    *,
    cells: int,
    place: int = 0,
    points: int = 0,
    rating: str = "",
    change: int | None = None,
    is_here: bool = True,
    is_ready: bool = False,
    is_bot: bool = False,
) -> SeatRow:
    """Describe a player or an opponent as the member `seats` of a view does."""
    row = {
        "number": number,
        "colour": number - 1,
        "here": is_here,
        "ready": is_ready,
        "bot": is_bot,
        "opened": progress.opened,
        "flags": progress.flags,
        "hits": progress.hits,
    }
    if (finish := progress.finish) is not None:
        row |= {"opened": 1000 * finish.opened // max(1, cells), "hits": finish.hits}
        if finish.is_won:
            row |= {
                "time": finish.time_ms,
                "won": True,
                "speed": finish.speed,
                "efficiency": finish.efficiency,
            }
        elif finish.gave_up:
            row["gave_up"] = True
    rated = {"rating": rating, "change": change} if rating else {}
    return SeatRow(row, rated, {"name": name, "place": place or None, "points": points})


_NO_LOG: Final = -1


class _Rows(NamedTuple):
    """The seats as they were described last, in the room or as a round ended."""

    key: tuple[int, int]
    """The changes of the table and, of a shared board, the length of its log."""
    rows: Shown

    def is_shared_at(self, changes: int) -> bool:
        """Return True if they are a shared board's, as the table was after `changes`."""
        return self.key[0] == changes and self.key[1] != _NO_LOG


class TableView:
    """A table as those at it see it, described once for all."""

    room: Room
    """The room as the table knows it; nobody is shown a table that does not know it yet."""

    def __init__(self, table: Table, players: Audience) -> None:
        self.table = table
        self.players = players
        self.scene: object = None
        """The last scene for watchers."""
        self.shared: object = None
        """The last scene for those at a shared board."""
        self._rows: dict[int, _Rows] = {}
        self.names: dict[int, str] = {}
        """The names of seats as they were shown last, given-up seats included."""
        self.described: dict[int, tuple[object, dict[str, Any]]] = {}
        """The room as each seat saw it last, and the changes of the table by then."""
        self._cursors = Shown()
        self._begun: tuple[Setup, Game, Progress] | None = None
        """The board of a round as it begins, and how far that is."""

    def cursors(self) -> Shown:
        """List the cells where the seats are, by their numbers."""
        cells = sorted(self.table.cursors.items())
        if cells != self._cursors:
            self._cursors = Shown(cells)
        return self._cursors

    def rows(self, result: Result | None = None, shared: Contributions | None = None) -> Shown:
        """Describe the seats, or how a round ended for its players."""
        number = 0 if result is None else result.round
        length = _NO_LOG if shared is None else shared.length
        key, before = (self.table.changes, length), self._rows.get(number)
        if before is not None and before.key == key:
            return before.rows
        if shared is not None and before is not None and before.is_shared_at(key[0]):
            # An action on a shared board changes nothing else.
            rows = self._with_contributions(before.rows, shared)
        else:
            rows = self._describe(result, is_shared=shared is not None)
            if shared is not None:
                rows = self._with_contributions(rows, shared)
        if before is not None and before.rows == rows:
            rows = before.rows
        # Nobody sees more than the room, the last result and the one before it.
        recent = [(n, each) for n, each in self._rows.items() if n != number][-2:]
        self._rows = {**dict(recent), number: _Rows(key, rows)}
        return rows

    def _with_contributions(self, before: Shown, shared: Contributions) -> Shown:
        """Add the contributions to a shared board; keep the rows that are as before."""
        cells, rows = max(1, self.room.variant.safe_count), Shown()
        for known in before:
            number = known["number"]
            opened = 1000 * shared.opened.get(number, 0) // cells
            counts = opened, shared.flagged.get(number, 0), shared.hits.get(number, 0)
            if counts == (known["opened"], known["flags"], known["hits"]):
                rows.append(known)
            else:
                rows.append(SeatRow(known, zip(("opened", "flags", "hits"), counts, strict=True)))
        return rows

    def _describe(self, result: Result | None, *, is_shared: bool) -> Shown:
        room, seats = self.room, {seat.number: seat for seat in self.room.seats}
        cells, votes = max(1, room.variant.safe_count), room.round.votes if room.round else ()
        progress: Mapping[int, Progress] = {}
        people = {number: seat.name for number, seat in seats.items()}
        points = {number: seat.points for number, seat in seats.items()}
        board = room.variant.board
        ratings = {n: (seat.ratings or {}).get(board, "") for n, seat in seats.items()}
        changes: dict[int, int] = {}
        if result is not None:
            # A seat may be another's by now, and who has come since has played nothing.
            people = {line.number: line.name for line in result.lines}
            ratings = {line.number: line.rating for line in result.lines}
            changes = {line.number: line.change for line in result.lines}
            points.update((line.number, line.points) for line in result.lines)
        # Of a shared board the log tells how far each is.
        if result is not None and not is_shared:
            progress = {line.number: Progress(finish=line.finish) for line in result.lines}
        elif room.round is not None and not is_shared:
            progress = {n: self._progress_of(n) for n in seats}
        finishes = {number: each.finish for number, each in progress.items() if each.finish}
        times = sorted((each.time_ms, n) for n, each in finishes.items() if each.is_won)
        places = {number: place for place, (_, number) in enumerate(times, start=1)}
        if result is not None:
            places = {line.number: line.place for line in result.lines}
        rows, names = Shown(), numbered(people.values())
        solvers = (seat.number for seat in room.seats if seat.is_solver)
        ready = {*room.ready, *votes, *solvers}
        for (number, own_name), name in zip(people.items(), names, strict=True):
            seat = seats.get(number)
            is_theirs = seat is not None and seat.name == own_name
            row = describe_seat(
                number,
                name,
                progress.get(number, NO_PROGRESS),
                cells=cells,
                place=places.get(number, 0),
                points=points.get(number, 0),
                rating=ratings.get(number, ""),
                change=changes.get(number),
                is_here=seat is not None and is_theirs and seat.away is None,
                is_ready=is_theirs and number in ready,
                is_bot=seat is not None and is_theirs and seat.is_bot,
            )
            rows.append(row)
            self.names[number] = name
        if room.kind is Kind.RACE and (result is not None or room.round is not None):
            rows.sort(key=standing)
        return rows

    def _progress_of(self, number: int) -> Progress:
        """Return how far a seat is: who has not acted in a race has what the first cell opened."""
        room, record = self.room, self.room.record_of(number)
        if record in self.table.progress:
            return self.table.progress[record]
        setup = room.round.setup if room.round and room.kind is Kind.RACE and record else None
        if setup is None or self.table.is_counting:
            return NO_PROGRESS
        return self._begin(setup)[1]

    def opening(self, number: int) -> Game | None:
        """Return the board of a round that a seat is about to play, as it begins."""
        current = self.room.round
        if current is None or current.setup is None or number not in current.players:
            return None
        return self._begin(current.setup)[0] if self.table.is_counting else None

    def _begin(self, setup: Setup) -> tuple[Game, Progress]:
        if self._begun is None or self._begun[0] != setup:
            game = Game.replay(setup, opening_of(setup))
            self._begun = setup, game, Progress.of(game)
        return self._begun[1:]


class Opponent:
    """The player who was met in a quick match, as the other of the two sees them."""

    def __init__(self, player: str) -> None:
        self._player = player
        self._has_come = False
        self._waits_since_ms: int | None = None
        """Time since which this player is ready, and the other is here but not ready."""

    def follow(self, room: Room, own: Seat, now_ms: int) -> None:
        """Note whether the other has come, and since when this player waits for them."""
        seat = room.seat_of(self._player)
        self._has_come |= seat is not None
        waits = own.is_ready and seat is not None and not (seat.away or seat.is_ready)
        if not waits:
            self._waits_since_ms = None
        elif self._waits_since_ms is None:
            self._waits_since_ms = now_ms

    def leaver(self, room: Room, player: str, now_ms: int) -> tuple[Seat, str] | None:
        """Return whose fault it is that a player leaves, and who was left; None if nobody's.

        Once a race was over, or if the opponent has left already, it is nobody's. A player who was
        ready for as long as others are waited for leaves nobody: it is the other one's.
        """
        own, seat, since_ms = room.seat_of(player), room.seat_of(self._player), self._waits_since_ms
        has_left = bool(seat.away) if seat is not None else self._has_come
        if room.last is not None or own is None or has_left:
            return None
        if seat is not None and since_ms is not None and now_ms >= since_ms + PATIENCE_MS:
            return seat, player
        return own, self._player


class LastTold(NamedTuple):
    """The last phrase and the last news of a table that a client was told: each is told once."""

    table: Table
    phrase: int
    news: int


class Sitting:
    """A player's place at a table."""

    room = cast("Room", property(attrgetter("view.room")))
    """The room as its table knows it; a frame asks for it at fifteen places, without a call."""

    def __init__(self, view: TableView, seat: Seat, parked: MatchSeat | None) -> None:
        self.view = view
        self.table = view.table
        self.number = seat.number
        self.player = seat.player
        self.parked = parked
        """The player's own game, which waits."""
        self.opponent: Opponent | None = None
        """The player who was met here in a quick match."""
        self.seen = 0
        """Number of changes of the table that this player was shown."""
        self.since = LastTold(self.table, self.table.last_said, self.table.last_news)
        """The last of the phrases and news before this player came."""
        self._stage = (-1, seat.number), Stage.GATHERING
        """The stage for a seat, and the number of changes by then."""
        self.votes: AbstractSet[int] = frozenset()
        """The votes for a pause that this player was told of."""
        self.saw_begin = 0
        """The round whose countdown this player saw: its record need not be looked for."""
        self.followed = 0
        """Number of changes of the table that this player's session has followed."""
        self.record = ""
        """The record that is shown: of the round, or of one that is over."""
        self.round = 0
        """Number of its round."""
        self.result: Result | None = None
        """The result of that round, once there is one."""

    def stage(self, now_ms: int, *, is_over: bool) -> Stage:
        """Return how far the room is for this player, whose own game may be over."""
        if self.record and self.record != self.room.record_of(self.number):
            return Stage.OVER
        key, stage = self._stage
        # The start of a round is a change as well.
        if key != (self.table.changes, self.number):
            stage = self.table.stage_of(self.number, now_ms)
            self._stage = (self.table.changes, self.number), stage
        return Stage.DONE if is_over and stage is Stage.PLAYING else stage


class Means(NamedTuple):
    """Everything that a table can have done; none of it waits."""

    now: Callable[[], Now]
    run: Callable[[LongFlow[Any], Callable[[Any], object]], object]
    publish: Callable[[str, bytes], object]
    subscribe: Callable[[str, Callable[[bytes], None]], Cancel]
    call_at: Callable[[int, Callable[[], object]], Cancel]
    draw_board: Callable[[str, Variant, Callable[[Setup], object]], object]
    random_bits: RandomBits
    play_board: Callable[[str, PlayBoard, Callable[[object], None]], object]
    """Has the solver play a board of a room, and calls back with its entries, or None."""


class Audience:
    """Players or watchers who see the same: all are shown the news together, after a pause.

    So a frame is written once for all who knew the same, and news in the pause makes no frame of
    its own.
    """

    def __init__(self, means: Means, limits: Limits, what: str) -> None:
        self.members: dict[object, Show] = {}
        self._means, self._limits, self._what = means, limits, what
        self._cancel: Cancel | None = None

    def show_soon(self) -> None:
        if self._cancel is None and self.members:
            self._cancel = self._means.call_at(self._limits.next_ms(self._what), self._show)

    def _show(self) -> None:
        self._cancel = None
        self._limits.note(self._what, self._means.now().ms)
        for show in tuple(self.members.values()):
            show()


class _Place:
    """A table, the state of its timer and events, and the people there."""

    def __init__(self, table: Table, hear: Callable[[bytes], None], means: Means) -> None:
        self.table = table
        self.players = Audience(means, table.limits, "show")
        self.watchers = Audience(means, table.limits, "watch")
        self.view = TableView(table, self.players)
        self.events: list[Event] = []
        self.is_busy = False
        self.wake_ms: int | None = None
        self.cancel_timer: Cancel | None = None
        self.unsubscribe = means.subscribe(table.code, hear)


class Tables:
    """The tables that somebody is at, or at which something is still to be done."""

    def __init__(self, close_copy: Callable[[str], object]) -> None:
        self.means: Means | None = None
        """Set by the server's keeper."""
        self._close_copy = close_copy
        """Takes the record of a round that is over: its log has ended in the store."""
        self._places: dict[str, _Place] = {}
        self._server = ""
        """Names this process to the others; it is drawn when it is first needed."""

    def __iter__(self) -> Iterator[Table]:
        return iter([place.table for place in self._places.values()])

    def find(self, code: str) -> Table | None:
        place = self._places.get(code)
        return None if place is None else place.table

    def enter(self, code: str, member: object, player: str, show: Show) -> TableView:
        """Subscribe to a room, as a player or as a watcher."""
        place = self._place(code)
        (place.players if player else place.watchers).members[member] = show
        self.send(code, Came(member, player))
        return place.view

    def leave(self, code: str, member: object, how: Parting = Parting.LEAVES) -> None:
        if (place := self._places.get(code)) is not None:
            for audience in (place.players, place.watchers):
                audience.members.pop(member, None)
            self.send(code, Went(member, how))

    def wish(self, code: str, player: str, change: Change, done: Callable[[Any], object]) -> None:
        """Ask for a change of a room; `done` takes the room, a refusal or the store's error."""
        self._place(code)
        self.send(code, Wants(player, change, done))

    def send(self, code: str, event: Event) -> None:
        """Tell a table what happened, and carry out its orders: one event after the other."""
        place, means = self._places.get(code), self.means
        if place is None or means is None:
            return
        place.events.append(event)
        if place.is_busy:
            return
        place.is_busy = True
        try:
            while place.events:
                self._carry_out(place, place.events.pop(0), means)
        finally:
            place.is_busy = False
        if not place.table.is_needed and self._places.get(code) is place:
            del self._places[code]
            place.unsubscribe()
            if place.cancel_timer is not None:
                place.cancel_timer()

    def _carry_out(self, place: _Place, event: Event, means: Means) -> None:
        table, code = place.table, place.table.code
        orders = table.receive(event, means.now())
        if table.room is not None:
            place.view.room = table.room
        if orders.wake_ms != place.wake_ms:
            if place.cancel_timer is not None:
                place.cancel_timer()
                place.cancel_timer = None
            place.wake_ms = orders.wake_ms
            if orders.wake_ms is not None:
                place.cancel_timer = means.call_at(orders.wake_ms, partial(self._wake, place))
        for message in orders.messages:
            means.publish(code, message)
        for record in orders.closed:
            self._close_copy(record)
        if orders.shows:
            place.players.show_soon()
            place.watchers.show_soon()
        if orders.draw is not None:
            number, variant = orders.draw
            means.draw_board(code, variant, lambda setup: self.send(code, Dealt(number, setup)))
        if orders.ask is not None:
            means.run(orders.ask, lambda value: self.send(code, Answered(value)))
        for done, value in orders.answers:
            done(value)

    def _wake(self, place: _Place) -> None:
        place.wake_ms = place.cancel_timer = None
        self.send(place.table.code, Woken())

    def _place(self, code: str) -> _Place:
        if code not in self._places:
            if self.means is None:
                raise ValueError(code)
            self._server = self._server or game_code(self.means.random_bits)
            table = Table(code, self._server, self.means.random_bits)

            def hear(message: bytes) -> None:
                if not table.is_own(message):
                    self.send(code, Heard(message))

            self._places[code] = _Place(table, hear, self.means)
        return self._places[code]


def draw_board(
    random_bits: RandomBits, board: Variant, *, has_solver: bool
) -> Generator[LayBoard, Any, Setup]:
    """Draw a board with its first cell, without guesses if wanted and possible."""
    size = board.size
    # The first cell is away from the edge, where the board has room: a larger opening.
    first = Cell(_within(size.columns, random_bits(16)), _within(size.rows, random_bits(16)))
    setup = Setup(board, seed=random_bits(SEED_BITS))
    if board.safe_count and board.is_no_guess and has_solver:
        laid = yield LayBoard(setup, first)
        if laid is not None:
            setup = replace(setup, layout=laid)
    if setup.layout is None:
        rules = replace(board.rules, first_reveal=FirstReveal.ZERO)
        setup = Setup(replace(board, rules=rules, is_no_guess=False), seed=setup.seed)
    if board.safe_count and not (setup.layout or 0) & board.grid.bit(first):
        setup = replace(setup, first=first)
    return setup


def _within(length: int, drawn: int) -> int:
    margin = min(2, (length - 1) // 2)
    return margin + drawn % (length - 2 * margin)
