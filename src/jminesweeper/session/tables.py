"""The rooms of one process, by their codes, as those who sit there or watch see them.

A `Table` is a room with what is told and not stored: how far everybody is, where the cursors are,
what was said. A room's document is the truth; the rest comes over the bus, from the sender's own
process as well, and may be lost without harm. A table reads nothing and sends nothing: whoever
drives the sessions takes what is to be published, and reads the rooms that may have changed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from jminesweeper.core.actions import entry_author
from jminesweeper.core.game import Game
from jminesweeper.records.rooms import Room, Seat
from jminesweeper.session.names import numbered

if TYPE_CHECKING:
    from jminesweeper.session.matches import MatchSeat

SAID_MS: Final = 5_000
MOST_SAID: Final = 15
SILENT_MS: Final = 20_000
"""A seat that has not been heard of for so long has lost its server."""


Hear: TypeAlias = Callable[[bool], object]
"""Hears that more is stored; the argument says whether others were faster."""


class Shown(list[Any]):
    """Rows that many are shown alike; they are encoded once for all."""

    text = ""
    """As JSON, once somebody was shown it."""


class Contributions:
    """The contributions of each author, read from the log as it grows."""

    def __init__(self) -> None:
        self.opened: Counter[int] = Counter()
        """Cells by author."""
        self.hits: Counter[int] = Counter()
        """Mines by author."""
        self.flags: dict[int, int] = {}
        """Flagged cells, by their numbers in reading order, and whose flag it is."""
        self.owners = Shown()
        """The flags and their owners, in reading order."""
        self._game: Game | None = None

    def follow(self, game: Game) -> Contributions:
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


class Progress(NamedTuple):
    """The progress of a seat."""

    opened: int = 0
    """The share of safe cells that are open, in thousandths."""
    flags: int = 0
    hits: int = 0


class Said(NamedTuple):
    """Something that somebody in the room has said."""

    number: int
    seat: int
    phrase: int
    cell: int


NO_PROGRESS: Final = Progress()


class Table:
    """A room as one process knows it."""

    def __init__(self, room: Room) -> None:
        self.code = room.code
        self.room = room
        self.changes = 1
        """Counts what may look different."""
        self.members: dict[object, Hear] = {}
        """Players and watchers here, and how each hears that something changed."""
        self.scene: object = None
        """The last scene for watchers."""
        self.progress: dict[int, Progress] = {}
        self.cursors = Shown()
        """The cells where the seats are, by their numbers."""
        self.said: list[Said] = []
        self.is_doubtful = False
        """The store may have another room by now."""
        self.watchers: dict[object, None] = {}
        """Watchers here."""
        self.watcher_count = 0
        """Number of watchers at all servers."""
        self.next_count_ms = 0
        """Time to tell the others again of the watchers here."""
        self._counts: dict[str, tuple[int, int]] = {}
        """Time at which each server was heard last, and its watchers."""
        self._heard_ms: dict[int, int] = {}
        self._said_ms = 0
        self._count = 0
        self._passed = room
        """The room with what was due when it was looked at last."""
        self._rows = Shown()
        self._rows_key: object = None

    def take(self, room: Room) -> None:
        """Take the room as the store has it, unless it is known to have changed since."""
        if room != self.room and room.revision >= self.room.revision:
            if room.setup != self.room.setup:
                self.progress, self.cursors = {}, Shown()
            self.room = self._passed = room
            self.tell()

    def at(self, utc_ms: int) -> Room:
        """Return the room, with what is due by now: the same one while nothing is."""
        self._passed = self._passed.pass_time(utc_ms)
        return self._passed

    def tell(self) -> None:
        """Tell everybody here that something has changed."""
        self.changes += 1
        for hear in tuple(self.members.values()):
            hear(False)

    def hear(self, message: bytes, now_ms: int) -> None:
        """Hear what was told in this room; an empty message says that some was missed."""
        match json.loads(message) if message else []:
            case ["p", int(seat), int(opened), int(flags), int(hits)]:
                self._heard_ms[seat] = now_ms
                progress = Progress(opened, flags, hits)
                if self.progress.get(seat, NO_PROGRESS) != progress:
                    self.progress[seat] = progress
                    # Those who rest are not told again, so what they are shown now must be new.
                    self._rows_key = None
                    self.tell()
            case ["c", int(seat), int(cell)]:
                self._heard_ms[seat] = now_ms
                self.cursors = Shown(sorted({**dict(self.cursors), seat: cell}.items()))
                self.tell()
            case ["w", str(server), int(count)]:
                self._counts[server] = now_ms, count
                self.count_watchers(now_ms)
            case ["s", int(seat), int(phrase), int(cell)]:
                self._count += 1
                recent = self.said if now_ms < self._said_ms + SAID_MS else []
                self.said = [*recent, Said(self._count, seat, phrase, cell)][-MOST_SAID:]
                self._said_ms = now_ms
                self.tell()
            case _:
                self.is_doubtful = True

    def count_watchers(self, now_ms: int) -> None:
        """Count who looks on, at all servers that have been heard of lately."""
        counts = self._counts.values()
        count = sum(count for heard_ms, count in counts if now_ms < heard_ms + SILENT_MS)
        if count != self.watcher_count:
            self.watcher_count = count
            self.tell()

    @property
    def last_said(self) -> int:
        """The number of what was said last."""
        return self._count

    def hear_all(self, now_ms: int) -> None:
        """Begin anew to listen who is silent."""
        self._heard_ms = {seat.number: now_ms for seat in self.room.seats}

    def is_silent(self, seat: Seat, now_ms: int) -> bool:
        """Return True if a seat that should be heard of has not been for long."""
        since_ms = self._heard_ms.setdefault(seat.number, now_ms)
        return seat.is_here and now_ms >= since_ms + SILENT_MS

    def rows(self, utc_ms: int, contributions: Contributions | None = None) -> Shown:
        """Describe the seats, once for all who see them."""
        # Each seat tells its progress at most four times a second, and with that the rows change.
        room = self.at(utc_ms)
        key = (room, self.changes)
        if key != self._rows_key:
            self._rows_key = key
            names = numbered(seat.name for seat in room.seats)
            places = room.places
            rows = Shown(
                {
                    **self._row(room, seat, contributions),
                    "name": name,
                    "place": places.get(seat.number),
                }
                for seat, name in zip(room.seats, names, strict=True)
            )
            self._rows = rows if rows != self._rows else self._rows
        return self._rows

    def _row(self, room: Room, seat: Seat, contributions: Contributions | None) -> dict[str, Any]:
        progress, finish = self.progress.get(seat.number, NO_PROGRESS), seat.finish
        cells = max(1, room.variant.safe_count)
        if contributions is not None:
            opened = 1000 * contributions.opened[seat.number] // cells
            flags = [*contributions.flags.values()].count(seat.number)
            progress = Progress(opened, flags, contributions.hits[seat.number])
        if finish is not None:
            opened = 1000 * finish.opened // cells
            progress = Progress(opened, progress.flags, finish.hits)
        row = {
            "number": seat.number,
            "colour": seat.number - 1,
            "here": seat.is_here,
            "ready": seat.is_ready,
            "bot": seat.is_bot,
            "opened": progress.opened,
            "flags": progress.flags,
            "hits": progress.hits,
        }
        if finish is not None:
            row |= {
                "time": finish.time_ms,
                "won": finish.is_won,
                "speed": finish.speed,
                "efficiency": finish.efficiency,
            }
        return row


class Sitting:
    """A player's place at a table."""

    def __init__(self, table: Table, number: int, parked: MatchSeat | None) -> None:
        self.table = table
        self.number = number
        self.parked = parked
        """The player's own game, which waits."""
        self.seen = 0
        """Number of changes that this player was shown."""
        self.heard = table.last_said
        """Number of the last phrase shown to this player."""
        self.next_open_ms = 0
        """Time to try again to open the record of the round, if it could not be read."""
        self.votes: AbstractSet[int] = frozenset()
        """The votes for a pause that this player was told of."""
        self.told = NO_PROGRESS
        self.told_ms = 0
        self.kept_ms = 0
        """Time at which the room was kept for this player's sake."""
        self.counted = ""
        """The copy of the race that was counted last."""
        self.done = ""
        """The last change to the room in the background, not repeated before `again_ms`."""
        self.again_ms = 0
        self.checked_ms = 0
        """Time at which this player last looked for silent seats."""
        self.has_moved = False
        """The others have not been told where the cursor is."""
        self.next_cursor_ms = self.next_say_ms = 0


class Tables:
    """The tables somebody is at."""

    def __init__(self) -> None:
        self.on_change: Callable[[], object] = lambda: None
        """Called when a table has changed, or something is to be published."""
        self._by_code: dict[str, Table] = {}
        self._changed: dict[Table, None] = {}
        self._told: list[tuple[str, bytes]] = []
        self.has_news = False
        """True if a table has changed, or something is to be published."""
        self.server = ""
        """Names this process to the others; it is drawn when it is first needed."""

    def __iter__(self) -> Iterator[Table]:
        return iter(tuple(self._by_code.values()))

    def find(self, code: str) -> Table | None:
        return self._by_code.get(code)

    def table_of(self, room: Room) -> Table:
        """Return the table of a room that was just read."""
        table = self._by_code.setdefault(room.code, Table(room))
        table.take(room)
        self.note(table)
        return table

    def enter(self, table: Table, member: object, hear: Hear) -> None:
        table.members[member] = hear
        self._by_code[table.code] = table
        self.note(table)

    def leave(self, table: Table, member: object) -> None:
        table.members.pop(member, None)
        self.note(table)

    def note(self, table: Table) -> None:
        """Remember that a table is doubtful, or that its time may have changed."""
        self._changed[table], self.has_news = None, True
        self.on_change()

    def publish(self, table: Table, *words: object) -> None:
        """Tell everybody in a room something; without words, that the room has changed."""
        self._told.append((table.code, json.dumps(words, separators=(",", ":")).encode()))
        self.has_news = True
        self.on_change()

    def take_changed(self) -> Collection[Table]:
        """Return the tables that changed; those that nobody is at are forgotten."""
        changed, self._changed = self._changed, {}
        for table in changed:
            if not table.members:
                self._by_code.pop(table.code, None)
        return changed

    def take_told(self) -> Sequence[tuple[str, bytes]]:
        """Return what is to be published, by the code of its room."""
        told, self._told = self._told, []
        return told
