"""A room: the decisions of its people, as one document.

A room is a value, and a change makes another one. Four rules keep it small:

- Nothing is in it that follows from something else. How far a round is follows from the time; how
  it ended follows from its records (`rounds`); their codes follow from room, round and seat.
- Every change says what shall be, not what to flip. So it may be made again after a lost answer: it
  then changes nothing, and what changes nothing is not stored.
- The only times in it are when the clock of the round began, and until when an address is barred.
  How long a seat is lost or waited for, each table measures on its own clock.
- What follows at once from a change is part of it (`_with_consequences`): another host, a round
  that is called because all are ready now, the patience with the others.

=========  =================  ==========================================================  =========
a room     event              does                                                        becomes
=========  =================  ==========================================================  =========
GATHERING  sit, leave, drop   a seat more, or one less                                    GATHERING
GATHERING  all are ready      the round is called: those who are ready play it            CALLED
GATHERING  ten seconds of a   the same: a series takes all who are here                   CALLED
           series are over
GATHERING  half are ready     the same, without the others                                CALLED
           for 20 seconds,
           or the host begins
CALLED     a board is drawn   the document gets the board and the start                   COUNTDOWN
CALLED     too few are left   the round is called off                                     GATHERING
COUNTDOWN  three seconds      nothing is stored: the clock runs                           RUNNING
RUNNING    leave              the seat is kept, and nobody waits for its player           RUNNING
RUNNING    remove             the player is out, but of a race that moves ratings only    RUNNING
                              at its end
RUNNING    all vote for it    the clock of a shared board stops until one resumes         RUNNING
any        lose               the seat is kept for two minutes, and not waited for        the same
any round  sit                a player has the seat again; others sit out a race,         the same
                              and take part in a shared board
RUNNING    decided by the     every log is closed, and the result is noted: one commit    GATHERING
           records
=========  =================  ==========================================================  =========
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.core.game import Game
from jminesweeper.core.minefield import seeded_bits
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.recordings.figures import Figures
from jminesweeper.records import ladder
from jminesweeper.records.documents import reading_values
from jminesweeper.records.keys import game_code

MAX_SEATS: Final = 15
MAX_GUESTS_OF_ADDRESS: Final = MAX_SEATS // 2
BARRED_S: Final = 600
"""Time for which guests are kept out whose address a removed player had."""
COUNTDOWN_MS: Final = 3_000
BREAK_MS: Final = 10_000
"""Time between a result and the next countdown in a series."""
MOST_REMOVED: Final = 200
"""Number of removed players that a room remembers: guests come again as others."""
MOST_KEPT: Final = 100
"""Number of players without a seat whose points a room remembers."""
_NUMBERED: Final = "#"
"""Separates a name that another player has as well from its number; no player can type it."""
GUEST: Final = "~"
"""Begins the token of a player whom the store does not know."""
SOLVER: Final = f"{GUEST}solver:"
"""Begins the token of a server's own player, which no guest's does; a pace follows."""


class RoomError(JMinesweeperError):
    """A room's refusal: the id of the message that explains it, and its arguments."""

    def __init__(self, why: str, **told: object) -> None:
        super().__init__(why)
        self.why = why
        self.told = told


class NoRoomError(RoomError):
    """No room has this code."""


class Kind(Enum):
    """The games of a room."""

    RACE = "race"
    """A copy of the board for everybody."""
    SHARED = "shared"
    """One board for all."""


class Finish(NamedTuple):
    """The end of a player's copy."""

    is_won: bool
    time_ms: int
    """From the start of the round, penalties included."""
    opened: int
    """Safe cells that are open."""
    hits: int
    """Mines that were hit."""
    speed: int = 0
    """Hundredths of the 3BV solved in a second."""
    efficiency: int = 0
    """The 3BV solved with each click, in percent."""
    gave_up: bool = False
    """Its player ended it."""


def finish_of(game: Game) -> Finish:
    """Say how a copy ended, as its record has it; its clock ran from the start of the round."""
    figures = Figures.of(game)
    return Finish(
        game.status is Status.WON,
        game.elapsed_ms,
        game.opened_count,
        game.hit_count,
        round(100 * (figures.bbbv_per_second or 0)),
        round(100 * (figures.efficiency or 0)),
        game.status is Status.TERMINATED,
    )


class Parting(StrEnum):
    """Ways in which a player leaves a table."""

    LEAVES = auto()
    """The seat is given back; in a round it is kept to its end."""
    QUITS = auto()
    """The seat is kept for a while: the player has only ended the program."""
    LOST = auto()
    """The same: the connection was lost."""


class Seat(NamedTuple):
    """A player in a room."""

    number: int
    player: str
    name: str
    is_bot: bool = False
    is_ready: bool = False
    away: Parting | None = None
    """The way in which the player left, if the seat is kept; None while they are here."""
    points: int = 0
    """The score of the evening: in each race a point for everybody beaten."""
    address: str = ""
    """The name of the player's address; the address itself never reaches a store."""
    ratings: Mapping[str, str] | None = None
    """Ratings by board, as they are shown; None for a player who is not on the ladder."""

    @property
    def is_gone(self) -> bool:
        """True if the player left while a round was on."""
        return self.away is Parting.LEAVES

    @property
    def is_lost(self) -> bool:
        """True if the connection has ended."""
        return self.away is Parting.QUITS or self.away is Parting.LOST

    @property
    def is_guest(self) -> bool:
        """True if the store knows nothing of this player."""
        return self.player.startswith(GUEST)

    @property
    def is_solver(self) -> bool:
        """True for a server's own player, who is ready as soon as somebody is."""
        return self.player.startswith(SOLVER)


class Round(NamedTuple):
    """A game that was called, until its result is noted."""

    number: int
    players: tuple[int, ...]
    """The seats that play; others sit out."""
    looks: int = 0
    """Goes up every minute while anybody is at the table."""
    setup: Setup | None = None
    starts_at_ms: int = 0
    """Start of its clock, since 1970; a pause moves it."""
    votes: tuple[int, ...] = ()
    """Seats that want a pause of a shared board."""
    stopped_ms: int | None = None
    """Time on its clock while that is stopped."""


class RoundSeries(NamedTuple):
    """Races that follow each other by themselves, up to a number or for a time."""

    rounds: int = 0
    minutes: int = 0
    """One of the two is 0."""
    played: int = 0
    spent_ms: int = 0
    """The time of those rounds and the breaks after them, by the rounds' own clocks."""
    is_on: bool = False
    """A round of it was called, and it has not ended."""

    @property
    def label(self) -> str:
        return f"best of {self.rounds}" if self.rounds else f"{self.minutes} minutes"

    @property
    def progress(self) -> str:
        """The rounds or the time played so far, in words."""
        if self.rounds:
            return f"round {min(self.played + 1, self.rounds)} of {self.rounds}"
        return f"{min(self.spent_ms // 60_000, self.minutes)} of {self.minutes} minutes"

    def after_round(self, clock_ms: int, points: Sequence[int]) -> RoundSeries:
        """Count a round that ran for so long; `points` are those of all who sit there now.

        It is over once its rounds or its time are used up, or the first one cannot be caught up.
        """
        played, spent_ms = self.played + 1, self.spent_ms + clock_ms + BREAK_MS + COUNTDOWN_MS
        first, second, *_ = (*sorted(points, reverse=True), 0, 0)
        to_win = max(0, self.rounds - played) * (len(points) - 1)
        is_over = first - second > to_win or played >= self.rounds
        if self.minutes:
            is_over = spent_ms >= 60_000 * self.minutes
        return self._replace(played=played, spent_ms=spent_ms, is_on=not is_over)


class Line(NamedTuple):
    """The end of a round for one player, by name: the seat may be another's by now."""

    number: int
    name: str
    finish: Finish
    place: int = 0
    """From 1; 0 for nobody's place."""
    points: int = 0
    """The score of the evening, this round included."""
    rating: str = ""
    """The player's rating after a race that moved it."""
    change: int = 0


class Result(NamedTuple):
    """The end of a round, the first player first."""

    round: int
    lines: tuple[Line, ...]
    series: str = ""
    """The series that ended with this round."""


def points_of(result: Result) -> Mapping[int, int]:
    """Return the points that a round brings: one for everybody behind, or one each together."""
    beaten = len(result.lines)
    return {
        line.number: beaten - line.place if line.place else int(line.finish.is_won)
        for line in result.lines
    }


@dataclass(frozen=True)
class Room:
    """A room as it is at one moment; what follows from it is found out once."""

    code: str
    kind: Kind
    variant: Variant
    key: str = ""
    """Drawn with the room: its records are named by it, since a code is drawn again some day."""
    seats: tuple[Seat, ...] = ()
    host: int = 0
    round: Round | None = None
    last: Result | None = None
    """The result of the last round; it stays until there is another one."""
    rounds: int = 0
    """Number of rounds that were called."""
    is_patient: bool = False
    """Half are ready, and the others are waited for."""
    is_locked: bool = False
    """Nobody else may sit down."""
    allows_bots: bool = True
    is_open: bool = False
    """Strangers find it on the list of those online; any other room takes its code."""
    removed: tuple[str, ...] = ()
    """Players whom a host has sent away."""
    barred: tuple[tuple[str, int], ...] = ()
    """Addresses whose guests may not come, and until when, in seconds since 1970."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """The points of players who have no seat any more, for when they come back."""
    series: RoundSeries | None = None
    """Rounds that the host wants to follow each other by themselves."""
    revision: int = 0
    """Number of changes: a read may be answered after a later change."""

    # What follows from it

    @cached_property
    def here(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.away is None)

    @cached_property
    def people(self) -> tuple[Seat, ...]:
        """The people here, without the server's own players."""
        return tuple(seat for seat in self.here if not seat.is_solver)

    @cached_property
    def ready(self) -> tuple[int, ...]:
        if not any(seat.is_ready for seat in self.people):
            return ()
        return tuple(seat.number for seat in self.here if seat.is_ready or seat.is_solver)

    @property
    def least(self) -> int:
        """Number of players that a round takes."""
        return 2 if self.kind is Kind.RACE else 1

    @property
    def setup(self) -> Setup | None:
        """The board of the round, once there is one."""
        return None if self.round is None else self.round.setup

    def seat(self, number: int) -> Seat:
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise RoomError("seat.none")

    def seat_of(self, player: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.player == player), None)

    @cached_property
    def records(self) -> Mapping[str, tuple[int, ...]]:
        """The codes of the round's records, and the seats that play each."""
        current = self.round
        if current is None:
            return {}
        if self.kind is Kind.SHARED:
            return {_record_code(self.code, self.key, current.number, 0): current.players}
        return {_record_code(self.code, self.key, current.number, n): (n,) for n in current.players}

    def record_of(self, number: int) -> str:
        """Return the code of the record that a seat plays; empty if it plays none."""
        current = self.round
        if current is None or number not in current.players:
            return ""
        seat = number if self.kind is Kind.RACE else 0
        return _record_code(self.code, self.key, current.number, seat)

    # Coming and going

    def sit(
        self,
        player: str,
        name: str,
        *,
        is_bot: bool = False,
        address: str = "",
        now_s: int = 0,
        ratings: Mapping[str, str] | None = None,
    ) -> Room:
        """Give a player a seat, or the one that is kept: nobody has two."""
        known = self.seat_of(player)
        if player in self.removed and known is None:
            raise RoomError("room.removed")
        if is_bot and not self.allows_bots:
            raise RoomError("room.people")
        if known is not None:
            if name in {"", known.name.partition(_NUMBERED)[0]}:
                name = known.name
            name = _free_name(name, [seat.name for seat in self.seats if seat is not known])
            back = known._replace(name=name, away=None)
            if ratings is not None and self.round is None:
                back = back._replace(ratings=ratings)
            return _with_consequences(_with(self, back))
        if self.is_locked:
            raise RoomError("room.locked")
        if address and player.startswith(GUEST):
            # An address must not fill the room with guests, who come back as other players.
            if any(each == address and now_s < until_s for each, until_s in self.barred):
                raise RoomError("room.barred")
            guests = sum(seat.is_guest and seat.address == address for seat in self.seats)
            if guests >= MAX_GUESTS_OF_ADDRESS:
                raise RoomError("room.guests")
        seats = self.seats
        if len(seats) == MAX_SEATS and self.kind is Kind.SHARED:
            # On a shared board others may come in place of players who have gone.
            left = next((seat.number for seat in seats if seat.away), 0)
            seats = _without(self, left).seats
        if len(seats) == MAX_SEATS:
            raise RoomError("room.full", seats=MAX_SEATS)
        taken = {seat.number for seat in seats}
        number = next(n for n in range(1, MAX_SEATS + 1) if n not in taken)
        name = _free_name(name, [seat.name for seat in seats])
        points = self.kept.get(player, 0)
        seat = Seat(number, player, name, is_bot, points=points, address=address, ratings=ratings)
        room = replace(self, seats=(*seats, seat))
        if room.kind is Kind.SHARED:
            room = _with_players(room, lambda n: n in taken, number)
        return _with_consequences(room)

    def leave(self, number: int) -> Room:
        """Give a seat back; nobody waits for the leaver of a round, who may come again."""
        if self.round is not None and number in self.round.players:
            gone = self.seat(number)._replace(away=Parting.LEAVES, is_ready=False)
            return _with_consequences(_with(self, gone))
        return _with_consequences(_without(self, number))

    def lose(self, numbers: Collection[int], how: Parting = Parting.LOST) -> Room:
        """Note that connections have ended: the seats are kept for a while."""
        room = self
        for seat in self.seats:
            if seat.number in numbers:
                room = _with(room, seat._replace(away=how, is_ready=False))
        return _with_consequences(room)

    def drop(self, numbers: Collection[int]) -> Room:
        """Give up seats that were kept for long enough."""
        room = self
        for seat in self.seats:
            if seat.number in numbers and seat.is_lost:
                room = room.leave(seat.number)
        return room

    def remove(self, host: int, player: str, now_s: int = 0) -> Room:
        """Send a player away for good, out of the round as well.

        A race that moves ratings is played to its end first: no host keeps anybody from a win. A
        guest comes back as another player, so no guest of that address may come for a while.
        """
        self._check_host(host)
        seat = self.seat_of(player)
        if seat is None or player in self.removed:
            return self
        number, barred = seat.number, {e: s for e, s in self.barred if now_s < s}
        if number == host:
            raise RoomError("room.yourself")
        if seat.address:
            barred[seat.address] = now_s + BARRED_S
        removed = (*self.removed, player)[-MOST_REMOVED:]
        room = replace(self, removed=removed, barred=tuple(barred.items())[-MOST_REMOVED:])
        if self.setup is not None and seat in self.rated:
            return room
        return _with_consequences(_with_players(_without(room, number), lambda n: n != number))

    @property
    def rated(self) -> tuple[Seat, ...]:
        """The seats whose ratings the round moves.

        Empty, unless it is a race of people whom the store knows, on a classic board, and not all
        of them at one address.
        """
        current = self.round
        if current is None or self.kind is not Kind.RACE or not ladder.board_of(self.variant):
            return ()
        racing = [seat for seat in self.seats if seat.number in current.players]
        if any(seat.is_guest or seat.is_bot for seat in racing):
            return ()
        rated = tuple(seat for seat in racing if seat.ratings is not None)
        return rated if are_apart(rated) else ()

    # Choices of the host

    def choose(self, host: int, variant: Variant) -> Room:
        """Play another board; everybody has to be ready again."""
        self._check_choice(host)
        if variant == self.variant:
            return self
        seats = tuple(seat._replace(is_ready=False) for seat in self.seats)
        return replace(self, variant=variant, seats=seats, is_patient=False)

    def lock(self, host: int, *, is_locked: bool) -> Room:
        self._check_host(host)
        return replace(self, is_locked=is_locked)

    def open_up(self, host: int, *, is_open: bool) -> Room:
        """Open the room to strangers, or only to people with its code."""
        self._check_host(host)
        return replace(self, is_open=is_open)

    def welcome_bots(self, host: int, *, allows_bots: bool) -> Room:
        self._check_host(host)
        return replace(self, allows_bots=allows_bots)

    def seat_solvers(self, host: int, names: Mapping[str, str]) -> Room:
        """Seat these solvers of the server, by token and name, in place of any others.

        Everybody has to be ready again.
        """
        self._check_choice(host)
        if names and self.kind is not Kind.RACE:
            raise RoomError("room.solvers")
        seats = tuple(seat._replace(is_ready=False) for seat in self.seats)
        room = replace(self, seats=seats, is_patient=False, is_locked=False)
        room = _without(room, *(seat.number for seat in self.seats if seat.is_solver))
        for player, name in names.items():
            room = room.sit(player, name, is_bot=True)
        return replace(room, is_locked=self.is_locked)

    def choose_series(self, host: int, series: RoundSeries | None) -> Room:
        """Begin or end a series, in which each round calls the next."""
        self._check_choice(host)
        if self.kind is not Kind.RACE:
            raise RoomError("room.series")
        return replace(self, series=series)

    def begin(self, host: int) -> Room:
        """Begin with the players who are ready."""
        self._check_host(host)
        if self.round is None and len(self.ready) < self.least:
            raise RoomError("room.few")
        return self.call()

    # A round

    def be_ready(self, number: int, *, is_ready: bool) -> Room:
        """Say whether a player wants to begin; at a shared board that is played, to take part."""
        if self.round is not None:
            joins = is_ready and self.kind is Kind.SHARED and number not in self.round.players
            return _with_players(self, lambda _: True, number) if joins else self
        return _with_consequences(_with(self, self.seat(number)._replace(is_ready=is_ready)))

    def call(self) -> Room:
        """Call a round for the ready players: the others were waited for long enough."""
        if self.round is not None or len(self.ready) < self.least:
            return self
        room, number = self, self.rounds + 1
        if room.series is not None and not room.series.is_on:
            # A series begins at nil.
            series = RoundSeries(room.series.rounds, room.series.minutes, is_on=True)
            seats = tuple(seat._replace(points=0) for seat in room.seats)
            room = replace(room, series=series, seats=seats, kept={})
        called = Round(number, self.ready)
        return replace(room, round=called, rounds=number, is_patient=False)

    @property
    def is_in_break(self) -> bool:
        """True between two rounds of a series, while there are enough for the next one."""
        is_on = self.series is not None and self.series.is_on
        return is_on and self.round is None and len(self.here) >= self.least

    def go_on(self) -> Room:
        """Call the next round of a series for all who are here."""
        if not self.is_in_break:
            return self
        here = {seat.number for seat in self.here}
        seats = (seat._replace(is_ready=seat.number in here) for seat in self.seats)
        return replace(self, seats=tuple(seats)).call()

    def call_off(self) -> Room:
        """Cancel a round that was called: too few are left, or nobody has drawn a board."""
        seats = tuple(seat._replace(is_ready=False) for seat in self.seats if not seat.is_gone)
        return replace(self, round=None, seats=seats)

    def deal(self, number: int, setup: Setup, utc_ms: int) -> Room:
        """Begin the round in three seconds, on this board; of two boards the first counts."""
        current = self.round
        if current is None or current.number != number or current.setup is not None:
            return self
        start = utc_ms + COUNTDOWN_MS
        return replace(self, round=current._replace(setup=setup, starts_at_ms=start))

    def vote(self, number: int, *, wants: bool) -> Room:
        """Want a pause of a shared board, or no more."""
        current = self.round
        is_playing = current is not None and current.setup is not None and number in current.players
        if current is None or not is_playing or self.kind is Kind.RACE:
            raise RoomError("room.pause")
        votes = {*current.votes, number} if wants else {*current.votes} - {number}
        return replace(self, round=current._replace(votes=tuple(sorted(votes))))

    @property
    def wants_pause(self) -> bool:
        """True if all who are here want a pause, and there is none yet."""
        current = self.round
        if current is None or not current.votes or current.stopped_ms is not None:
            return False
        return all(n in current.votes for n in current.players if self.seat(n).away is None)

    def pause(self, clock_ms: int) -> Room:
        """Stop the clock, if all who are here want that."""
        if self.round is None or not self.wants_pause:
            return self
        return replace(self, round=self.round._replace(stopped_ms=max(0, clock_ms)))

    def resume(self, utc_ms: int) -> Room:
        """End a pause for all."""
        current = self.round
        if current is None or current.stopped_ms is None:
            return self
        start = utc_ms - current.stopped_ms
        return replace(self, round=current._replace(votes=(), stopped_ms=None, starts_at_ms=start))

    def beat(self) -> Room:
        """Say that somebody is at the table."""
        current = self.round
        return (
            self
            if current is None
            else replace(self, round=current._replace(looks=current.looks + 1))
        )

    def end(self, result: Result, clock_ms: int = 0) -> Room:
        """Note how the round ended, by its clock; a leaver has no seat in the next one."""
        won, points = points_of(result), {seat.number: seat.points for seat in self.seats}
        points.update({number: points.get(number, 0) + more for number, more in won.items()})
        lines = tuple(line._replace(points=points[line.number]) for line in result.lines)
        moved = {line.number: {self.variant.board: line.rating} for line in lines if line.rating}
        seats = []
        for seat in self.seats:
            known, new = seat.ratings, moved.get(seat.number)
            ratings = known if new is None else {**(known or {}), **new}
            seats.append(seat._replace(is_ready=False, points=points[seat.number], ratings=ratings))
        out = [seat for seat in seats if seat.is_gone or seat.player in self.removed]
        last, series = result._replace(lines=lines), self.series
        if series is not None and series.is_on:
            staying = [seat.points for seat in seats if seat not in out]
            series = series.after_round(clock_ms, staying)
            last = last._replace(series="" if series.is_on else series.label)
        room = replace(self, seats=tuple(seats), round=None, last=last, series=series)
        return _with_consequences(_without(room, *(seat.number for seat in out)))

    def _check_host(self, number: int) -> None:
        if number != self.host:
            raise RoomError("room.host")

    def _check_choice(self, number: int) -> None:
        """Refuse a choice by anybody but the host, or while a round runs."""
        self._check_host(number)
        if self.round is not None:
            raise RoomError("room.running")

    # As a document

    @cached_property
    def text(self) -> str:
        plain: dict[str, Any] = {name: getattr(self, name) for name in _PLAIN}
        plain["kind"], plain["variant"] = self.kind.value, self.variant.text
        if (current := self.round) is not None:
            plain["round"] = [*current]
            plain["round"][_SETUP] = current.setup and current.setup.text
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    @reading_values()
    def parse(code: str, body: str) -> Room:
        plain: dict[str, Any] = json.loads(body)
        kind, variant = Kind(plain.pop("kind")), Variant.parse(plain.pop("variant"))
        read = (Seat(*row) for row in plain.pop("seats"))
        seats = tuple(each._replace(away=each.away and Parting(each.away)) for each in read)
        removed, last = tuple(plain.pop("removed")), plain.pop("last")
        barred = tuple((address, until_s) for address, until_s in plain.pop("barred"))
        current = Round(*plain.pop("round")) if "round" in plain else None
        if current is not None:
            setup = Setup.parse(str(current.setup)) if current.setup else None
            players, votes = tuple(current.players), tuple(current.votes)
            current = current._replace(setup=setup, players=players, votes=votes)
        if last is not None:
            lines = ((n, name, Finish(*finish), *rest) for n, name, finish, *rest in last[1])
            last = Result(last[0], tuple(Line(*line) for line in lines), last[2])
        series = plain.pop("series")
        return Room(
            *(code, kind, variant),
            seats=seats,
            removed=removed,
            barred=barred,
            round=current,
            last=last,
            series=None if series is None else RoundSeries(*series),
            **plain,
        )


# What follows from every change


def _with_consequences(room: Room) -> Room:
    """Add what follows at once from a change: another host, a round called or called off."""
    here = [seat.number for seat in room.here]
    people = [seat.number for seat in room.people]
    if people and room.host not in people:
        staying = [seat.number for seat in room.people if seat.player not in room.removed]
        room = replace(room, host=(staying or people)[0])
    if (current := room.round) is not None:
        present = [n for n in current.players if n in here]
        too_few = current.setup is None and len(present) < room.least
        return room.call_off() if too_few else room
    ready = room.ready
    if len(ready) < room.least:
        return replace(room, is_patient=False)
    if len(ready) == len(here):
        return room.call()
    # Players who come or go meanwhile do not restart the twenty seconds.
    is_half = 2 * sum(seat.is_ready for seat in room.people) >= len(room.people)
    return replace(room, is_patient=room.is_patient or is_half)


def are_apart(seats: Sequence[Seat]) -> bool:
    """Return True unless all have one address: they may be one person."""
    return len({seat.address for seat in seats}) > 1


def _with(room: Room, changed: Seat) -> Room:
    seats = tuple(changed if changed.number == each.number else each for each in room.seats)
    return replace(room, seats=seats)


def _without(room: Room, *numbers: int) -> Room:
    """Take seats away; their players' points are kept."""
    gone = {each.player: each.points for each in room.seats if each.number in numbers}
    scored = {player: points for player, points in gone.items() if points}
    kept = dict([*{**room.kept, **scored}.items()][-MOST_KEPT:])
    return replace(
        room, kept=kept, seats=tuple(each for each in room.seats if each.number not in numbers)
    )


def _free_name(name: str, taken: Collection[str]) -> str:
    """Put a number after a name that somebody else has here, in capitals or not."""
    used, number, free = {each.casefold() for each in taken}, 1, name
    while name and free.casefold() in used:
        number += 1
        free = f"{name}{_NUMBERED}{number}"
    return free


def _with_players(room: Room, stays: Callable[[int], bool], *others: int) -> Room:
    """Change who plays the round, if one is on."""
    if room.round is None:
        return room
    players = (*filter(stays, room.round.players), *others)
    votes = tuple(filter(stays, room.round.votes))
    return replace(room, round=room.round._replace(players=players, votes=votes))


_PLAIN: Final = (
    *("key", "seats", "host", "last", "rounds", "is_patient"),
    *("is_locked", "allows_bots", "is_open", "removed", "barred", "kept", "series", "revision"),
)
_SETUP: Final = Round._fields.index("setup")


@lru_cache(maxsize=4_096)
def _record_code(room: str, key: str, number: int, seat: int) -> str:
    """Name a record; the codes of strangers cannot be guessed, since nobody is told the key."""
    digest = blake2b(f"{key} {number} {seat}".encode(), digest_size=8).digest()
    return f"{room}-{game_code(seeded_bits(int.from_bytes(digest, 'big')))}"


class Stage(StrEnum):
    """The progress of a room, as one seat sees it."""

    GATHERING = auto()
    COUNTDOWN = auto()
    """A round is called, or about to start."""
    PLAYING = auto()
    PAUSED = auto()
    DONE = auto()
    """The own copy is over, the round is not."""
    ASIDE = auto()
    """A round runs without this seat."""
    OVER = auto()
    """The player still looks at the end of a round."""
