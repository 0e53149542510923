"""Rounds in a room: their records, and how they end.

A record of a round has a code that follows from room, round and seat, and is made by its first
action, after the opening with which every log of the round begins. Nothing is written for a player
who does nothing (`RoundJournal`).

How a round ended follows from its records, and anybody may note it. `judge` is a pure function.
`settle` reads what it needs, asks it, and if the round is over closes every log that is still open
and notes result, score and statistics, in one commit. An append names the entry that it follows. So
either the logs are those that were judged, or somebody acted meanwhile, the commit is refused, and
the round is judged again. Therefore a win that was answered is in the result, whatever clocks say
and whichever server dies; and an action that comes too late is refused like any append that lost a
race. Clocks decide only when somebody asks: too early, and the answer is "not yet".

A room with a round has a place on the board `rounds`, which its tables change once a minute. If it
stands unchanged for three minutes of the reader's own clock, no table looks after the round, and
anybody settles it (`Deserted`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from jminesweeper.core.actions import ActionKind, pack_entries, pack_entry, unpack_entries
from jminesweeper.core.errors import CoreError
from jminesweeper.core.game import Game
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.setup import Setup
from jminesweeper.records import keys, ladder
from jminesweeper.records.documents import (
    Compute,
    Flow,
    GameDocument,
    LongFlow,
    format_races,
    new_version,
    parse_races,
    read_document,
)
from jminesweeper.records.journal import Journal, State
from jminesweeper.records.limits import DAY_S, NEWCOMER_S
from jminesweeper.records.players import PlayerCopy
from jminesweeper.records.rooms import (
    MAX_SEATS,
    Finish,
    Kind,
    Line,
    Result,
    Room,
    are_apart,
    finish_of,
)
from jminesweeper.store.port import (
    DONE,
    NO_END,
    Append,
    Check,
    Commit,
    Document,
    Found,
    Part,
    Place,
    Put,
    Read,
    Tail,
)

ROOM_S: Final = 3_600
"""Time for which a room is kept after its last change."""
CLOCKS_DIFFER_S: Final = 2 * 3_600
"""A server whose clock was set back by less does not end a room in which a round is on."""
LAST_MINUTE_MS: Final = 60_000
"""Time left in a race once it is won, or once all others have lost it."""
QUIET_MS: Final[Mapping[Kind, int]] = {Kind.RACE: 600_000, Kind.SHARED: 3_600_000}
"""Time without any action after which a round is over, even if its players are there."""
SEAT_KEPT_MS: Final = 120_000
"""Time for which the seat of a lost connection is kept."""
LOOK_MS: Final = 60_000
"""Interval in which tables say in the store that they look after a round."""
DESERTED_MS: Final = LOOK_MS + SEAT_KEPT_MS
MAX_ROOMS: Final = 1_000
EVERYBODY: Final = range(MAX_SEATS + 1)
MOST_TRIES: Final = 20
"""Number of times that a round is judged again at once because somebody has acted."""


class Progress(NamedTuple):
    """The progress of a copy, as the store has it."""

    opened: int = 0
    """The share of safe cells that are open, in thousandths."""
    flags: int = 0
    hits: int = 0
    finish: Finish | None = None
    """Its end, once it has come."""

    @staticmethod
    def of(game: Game) -> Progress:
        return Progress(
            1000 * game.opened_count // max(1, game.setup.variant.safe_count),
            game.flagged.bit_count(),
            game.hit_count,
            finish_of(game) if game.status.is_over else None,
        )

    @staticmethod
    def read(opened: int, flags: int, hits: int, finish: Sequence[Any] | None) -> Progress:
        return Progress(opened, flags, hits, None if finish is None else Finish(*finish))


NO_PROGRESS: Final = Progress()


# Records that their first action makes


def opening_of(setup: Setup) -> Sequence[int]:
    """Return the entries with which every log of a round begins: the first cell is open."""
    if setup.first is None:
        return ()
    return (pack_entry(0, ActionKind.REVEAL, setup.variant.grid.index(setup.first)),)


def record_for(room: Room, code: str) -> GameDocument:
    """Return the document of one of the round's records, as its first action makes it."""
    current = room.round
    if current is None or current.setup is None:
        raise ValueError(code)
    seats = [seat for seat in room.seats if seat.number in room.records[code]]
    players = tuple(seat.player for seat in seats if not seat.is_guest)
    return GameDocument(current.setup, players, current.starts_at_ms)


class RoundJournal(Journal):
    """A journal that is NEW until somebody acts: the opening is no action, and not stored."""

    __slots__ = ()

    def __init__(
        self, code: str, document: GameDocument, held: PlayerCopy, draw: RandomBits
    ) -> None:
        opening = opening_of(document.setup)
        super().__init__(code, document, Game.replay(document.setup, opening), held, draw)
        self.opening = len(opening)

    @property
    def is_at_rest(self) -> bool:
        return not self._tail if self.state is State.NEW else super().is_at_rest

    def note_length(self, length: int) -> None:
        """Read the record that another process has made before anything is done to it."""
        super().note_length(length)
        if self.state is State.NEW and length and self._flow is None:
            self.state = State.IDLE
            self.read_anew()

    def next_operation(self, utc_ms: int) -> Commit | Read | None:
        if self.state is State.NEW and self._flow is None and not self._tail:
            return None
        return super().next_operation(utc_ms)

    def _make_record(self) -> Commit | Read | None:
        self.state, self._sent, self._start = State.WRITING, self.length, None
        return self._begin(self._make())

    def _make(self) -> Flow[int]:
        """Make the record; return 0 if somebody else has, whose log is then read first."""
        key, version = keys.game_key(self.code), new_version(self._draw)
        put = Put(key, self.document.format(), self._utc_ms // 1000 + DAY_S)
        append = Append(key, 0, b"", pack_entries(self.game.log.entries))
        due = () if self._due is None else (Place(keys.DUE, self._due.format()),)
        made = yield Commit(version, (Check(key, 0),), (put,), (append,), due)
        return version if made is DONE else 0


def join_record(code: str, player: str, now_s: int, draw: RandomBits) -> Flow[None]:
    """Add a latecomer to the players of a game, unless it has ended."""
    key = keys.game_key(code)
    while True:
        found = yield from read_document(key)
        game = GameDocument.parse(found.body) if found.version else None
        if game is None or game.outcome is not None or player in game.seats:
            return
        put = Put(key, replace(game, seats=(*game.seats, player)).format(), now_s + DAY_S)
        if (yield Commit(new_version(draw), (Check(key, found.version),), (put,))) is DONE:
            return


# How a round ends


def judge(
    room: Room, games: Mapping[str, Game], missing: Collection[int], *, is_late: bool
) -> Result | None:
    """Say how the round ended; None while it runs.

    It waits for nobody who is missing, and if it is late for nobody at all.
    """
    current, records = room.round, room.records
    ends = {code: finish_of(game) for code, game in games.items() if game.status.is_over}
    if current is None or not (is_late or is_decided(room, ends, missing)):
        return None
    names = {seat.number: seat.name for seat in room.seats}
    finishes = {code: finish_of(game) for code, game in games.items()}
    last = last_one(room, ends, missing)
    lines = [
        Line(seat, names.get(seat, ""), finishes[code])
        for code, seats in records.items()
        for seat in seats
    ]
    lines.sort(key=_rank)
    if last:
        lines.sort(key=lambda line: line.number != last)
    if room.kind is Kind.RACE:
        ranked = enumerate(lines, start=1)
        lines = [
            line._replace(place=n if line.finish.is_won or line.number == last else 0)
            for n, line in ranked
        ]
    return Result(current.number, tuple(lines))


def is_decided(room: Room, ends: Mapping[str, Finish], missing: Collection[int]) -> bool:
    """Return True if nobody is waited for: by the ends of copies, and the seats that are missing.

    Missing players have left for good. If they and those who gave up are all but one, that
    one has won.
    """
    is_over = all(code in ends or set(seats) <= {*missing} for code, seats in room.records.items())
    return is_over or last_one(room, ends, missing) > 0


def last_one(room: Room, ends: Mapping[str, Finish], missing: Collection[int]) -> int:
    """Return the seat whose rivals have all given up or left; 0 if there is none."""
    if room.kind is not Kind.RACE or not all(finish.gave_up for finish in ends.values()):
        return 0
    playing = [
        number
        for code, (number,) in room.records.items()
        if code not in ends and number not in missing
    ]
    return playing[0] if len(playing) == 1 else 0


def _rank(line: Line) -> tuple[bool, int, int]:
    """Rank winners by time, the others by how much they opened."""
    finish = line.finish
    return not finish.is_won, finish.time_ms if finish.is_won else -finish.opened, line.number


def writing(before: Room | None, version: int, after: Room, now_s: int, draw: RandomBits) -> Commit:
    """Return what stores a change of a room: one document, and its place on the board of rounds."""
    was, is_now = place_of(before), place_of(after)
    places = [Place(keys.ROUNDS, was, is_gone=True)] * (was not in {"", is_now})
    places += [Place(keys.ROUNDS, is_now)] * (is_now not in {"", was})
    # A room that all have left is kept for as long as their seats are, and so is its result.
    is_kept = after.here or after.round or (before is not None and before.round)
    until_s = now_s + (ROOM_S if after.here or after.round else SEAT_KEPT_MS // 1000)
    if after.round is not None:
        until_s += CLOCKS_DIFFER_S
    key, body = keys.room_key(after.code), after.text if after.seats or is_kept else None
    check = Check(key, version)
    return Commit(new_version(draw), (check,), (Put(key, body, until_s),), places=tuple(places))


def place_of(room: Room | None) -> str:
    """Return the place of a room on the board of rounds; empty if none is on."""
    if room is None or room.round is None:
        return ""
    return f"{room.code}|{room.round.number}|{room.round.looks}"


class Outlook(NamedTuple):
    """A round as one process sees it that settles it."""

    missing: Collection[int]
    """Seats for which nobody waits."""
    clock_ms: int
    now_s: int
    is_late: bool = False
    """Nobody is waited for any more."""
    quiet_ms: int | None = None
    """The same, if nobody has acted after this moment on the round's clock."""


class Settled(NamedTuple):
    """A room after a look into the records of its round."""

    room: Room | None
    version: int
    progress: Mapping[str, Progress] = MappingProxyType({})
    """The progress of each copy, while the round runs."""
    acted_ms: int = 0
    """The time of the last action, on the round's clock."""


def settle(code: str, number: int, outlook: Outlook, draw: RandomBits) -> LongFlow[Settled]:
    """Note how a round ended, if it is over and that is not done; return the room as it is then."""
    tries = 0
    while True:
        found = yield from read_document(keys.room_key(code))
        room, tries = Room.parse(code, found.body) if found.version else None, tries + 1
        is_on = room is not None and room.round is not None and room.round.number == number
        if room is None or not is_on or tries > MOST_TRIES:
            return Settled(room, found.version)
        commit, games = yield from _end_of(room, found.version, outlook, draw)
        if commit is None:
            progress = {code: Progress.of(game) for code, game in games.items()}
            return Settled(room, found.version, progress, _last_action_ms(games))
        if (yield commit) is DONE:
            body = commit.puts[0].body
            return Settled(Room.parse(code, body) if body else None, commit.version)


def _end_of(
    room: Room, version: int, outlook: Outlook, draw: RandomBits
) -> LongFlow[tuple[Commit | None, Mapping[str, Game]]]:
    """Return the commit that ends the round, None while it runs; and its games."""
    codes, now_s, current = tuple(room.records), outlook.now_s, room.round
    if current is None or current.setup is None:
        if current is None or not set(current.players) <= set(outlook.missing):
            return None, {}
        after = replace(room.call_off(), revision=room.revision + 1)
        return writing(room, version, after, now_s, draw), {}
    records = tuple(map(keys.game_key, codes))
    racing = (s for s in room.seats if s.number in current.players and room.kind is Kind.RACE)
    racers = {seat.player: seat.number for seat in racing if not seat.is_guest}
    own_keys = (keys.races_key, keys.player_key, keys.ladder_key)
    others = [key(player) for player in racers for key in own_keys]
    found: Found = yield Read((*records, *others), tuple(map(Tail, records)))
    documents = dict(zip((*records, *others), found.documents, strict=True))
    logs = dict(zip(codes, found.tails, strict=True))
    judging = partial(_judge_logs, room, current.setup, logs, outlook)
    result, games = yield Compute(judging, sum(map(len, found.tails)))
    if result is None:
        return None, games
    moves = _moves_of(room, result, racers, documents)
    lines = [
        line
        if (moved := moves.get(line.number)) is None
        else line._replace(
            rating=moved.after.label, change=moved.after.points - moved.before.points
        )
        for line in result.lines
    ]
    result = result._replace(lines=tuple(lines))
    after = replace(room.end(result, outlook.clock_ms), revision=room.revision + 1)
    commit = writing(room, version, after, now_s, draw)
    checks, puts, appends = [*commit.checks], [*commit.puts], list[Append]()
    places = [*commit.places]
    for moved in moves.values():
        checks.append(moved.check)
        puts.append(moved.put)
        places += moved.places
    for code, game in games.items():
        key, entries = keys.game_key(code), game.log.entries
        is_there = documents[key].version > 0
        if not is_there:
            # A player who has not acted yet finds a closed record.
            checks.append(Check(key, 0))
            puts.append(Put(key, record_for(room, code).format(), now_s + DAY_S))
        if not game.status.is_over:
            at_ms = max(outlook.clock_ms, game.elapsed_ms)
            end, stored = pack_entry(at_ms, ActionKind.TERMINATE, 0), len(entries) * is_there
            last, added = entries[:stored][-1:], (*entries[stored:], end)
            appends.append(Append(key, stored, pack_entries(last), pack_entries(added)))
    winner = next((line.number for line in result.lines if line.place == 1), 0)
    for player, seat in racers.items():
        races, owner = documents[keys.races_key(player)], documents[keys.player_key(player)]
        checks.append(Check(keys.races_key(player), races.version))
        puts.append(_count(player, races, owner, now_s, is_won=seat == winner))
    commit = commit._replace(checks=tuple(checks), puts=tuple(puts), places=tuple(places))
    return commit._replace(appends=tuple(appends)), games


def _moves_of(
    room: Room, result: Result, racers: Mapping[str, int], documents: Mapping[str, Document]
) -> Mapping[int, ladder.RatingChange]:
    """Move ratings by a race that somebody has won, by seat."""
    seats = [each for each in room.rated if documents[keys.player_key(each.player)].version]
    if all(line.place != 1 for line in result.lines) or not are_apart(seats):
        return {}
    players = {seat.number: seat.player for seat in seats}
    ranked = [players[line.number] for line in result.lines if line.number in players]
    known = {player: documents[keys.ladder_key(player)] for player in ranked}
    moves = ladder.move(ladder.board_of(room.variant), known)
    return {racers[player]: moved for player, moved in moves.items()}


def _judge_logs(
    room: Room, setup: Setup, logs: Mapping[str, bytes], outlook: Outlook
) -> tuple[Result | None, Mapping[str, Game]]:
    games: dict[str, Game] = {}
    for code, log in logs.items():
        try:
            games[code] = Game.replay(setup, unpack_entries(log) if log else opening_of(setup))
        except CoreError:
            # A damaged log has no winner, and must not keep the round from its end.
            games[code] = Game(setup)
            games[code].terminate()
    is_quiet = outlook.quiet_ms is not None and _last_action_ms(games) <= outlook.quiet_ms
    return judge(room, games, outlook.missing, is_late=outlook.is_late or is_quiet), games


def _last_action_ms(games: Mapping[str, Game]) -> int:
    return max((game.elapsed_ms for game in games.values()), default=0)


def _count(player: str, races: Document, known: Document, now_s: int, *, is_won: bool) -> Put:
    """Count a race in its player's statistics; statistics of strangers expire."""
    played, won = parse_races(races.body)
    until_s = NO_END if known.version else now_s + NEWCOMER_S
    return Put(keys.races_key(player), format_races(played + 1, won + is_won), until_s)


class Deserted:
    """Finds rounds that no table looks after, on the reader's own clock."""

    def __init__(self) -> None:
        self._since_ms: dict[str, int] = {}

    def settle(self, now_ms: int, now_s: int, draw: RandomBits) -> LongFlow[int]:
        """Settle them as they are, as if all had left; return how many."""
        found: Found = yield Read(parts=(Part(keys.ROUNDS, MAX_ROOMS),))
        places = found.parts[0]
        self._since_ms = {text: self._since_ms.get(text, now_ms) for text in places}
        left = [text for text, since in self._since_ms.items() if now_ms >= since + DESERTED_MS]
        for text in left:
            code, number, _ = text.split("|")
            settled = yield from settle(code, int(number), Outlook(EVERYBODY, 0, now_s), draw)
            if place_of(settled.room) != text:
                yield Commit(places=(Place(keys.ROUNDS, text, is_gone=True),))
        return len(left)
