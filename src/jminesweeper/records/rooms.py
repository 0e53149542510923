"""A room: a few players at one board, each at their own copy of it or all at the same.

A room is a value, and what happens in it makes another one; `meeting` keeps it in a store. Time is
an argument in milliseconds since 1970. Nothing here knows a game: a race learns from `finish` how a
player's record ended.

=========  ================  =======================================================  =========
stage      event             does                                                     becomes
=========  ================  =======================================================  =========
WAITING    sit, leave        a seat more, or one less; the first one there is host    WAITING
WAITING    count down        once everybody who is there is ready                     COUNTDOWN
COUNTDOWN  sit, leave        whoever comes or goes stops the countdown                WAITING
COUNTDOWN  three seconds     the clock of all runs                                    RUNNING
RUNNING    sit               whoever had a seat has it again; in a shared game        RUNNING
                             others may come, too
RUNNING    leave             the seat is kept for two minutes                         RUNNING
RUNNING    finish            the first one in a race starts the last minute           RUNNING
RUNNING    vote              once everybody who is there wants a pause in a shared    RUNNING
                             game its clock stops; the next vote ends the pause
RUNNING    all done, or the  who has not finished has no place                        OVER
           minute is over
OVER       ready             the next round                                           WAITING
=========  ================  =======================================================  =========
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final, NamedTuple

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.recordings.figures import Figures
from jminesweeper.records.documents import reading_values

MAX_SEATS: Final = 15
COUNTDOWN_MS: Final = 3_000
LAST_MINUTE_MS: Final = 60_000
"""How long the others have once the first has finished a race."""
SEAT_KEPT_MS: Final = 120_000
"""How long the seat of somebody who lost the connection is kept."""
MOST_REMOVED: Final = 200
"""How many of those whom a host has sent away a room remembers: guests come again as others."""
ROOM_S: Final = 3_600
"""How long a room is kept after the last that happened in it."""


GUEST: Final = "~"
"""Begins the token of a player whom the store does not know."""


class RoomError(JMinesweeperError):
    """What somebody wants of a room that is not to be had."""


class Kind(Enum):
    """What is played in a room."""

    RACE = "race"
    """A copy of the board for everybody."""
    SHARED = "shared"
    """One board for all."""


class Stage(Enum):
    """How far the round is."""

    WAITING = "waiting"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    OVER = "over"


class Finish(NamedTuple):
    """How a player's copy ended."""

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


def finish_of(game: Game) -> Finish:
    """Say how a copy ended, as its record has it; its clock ran from the start of the round."""
    figures = Figures.of(game)
    return Finish(
        game.status is Status.WON,
        game.elapsed_ms,
        game.visible_count - (game.exploded is not None),
        game.known.bit_count() + (game.exploded is not None),
        round(100 * (figures.bbbv_per_second or 0)),
        round(100 * (figures.efficiency or 0)),
    )


class Seat(NamedTuple):
    """A player in a room."""

    number: int
    player: str
    name: str
    is_bot: bool = False
    is_ready: bool = False
    """Wants to begin; while a round runs, wants a pause."""
    left_at_ms: int = 0
    """When the connection was lost; 0 while the player is there."""
    code: str = ""
    """The record of the player's copy in a race."""
    finish: Finish | None = None

    @property
    def is_here(self) -> bool:
        return not self.left_at_ms

    @property
    def is_guest(self) -> bool:
        """Whether the store knows nothing of this player."""
        return self.player.startswith(GUEST)


@dataclass(frozen=True, slots=True)
class Room:
    """A room as it is at one moment."""

    code: str
    kind: Kind
    variant: Variant
    seats: tuple[Seat, ...] = ()
    host: int = 0
    stage: Stage = Stage.WAITING
    starts_at_ms: int = 0
    """When the clock of the round starts, or started."""
    paused_at_ms: int = 0
    """When the pause of a shared game began; 0 while there is none."""
    paused_ms: int = 0
    """How long the pauses were that are over."""
    ends_at_ms: int = 0
    """When a race ends for those who have not finished; 0 while nobody has."""
    setup: Setup | None = None
    """The board of the round, once there is one."""
    game: str = ""
    """The record of a shared game."""
    allows_bots: bool = True
    removed: tuple[str, ...] = ()
    """Players whom a host has sent away."""
    revision: int = 0
    """How often the document was changed: a read may be answered after a later change."""

    def seat(self, number: int) -> Seat:
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise RoomError("Nobody has that seat.")

    def seat_of(self, player: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.player == player), None)

    @property
    def is_playing(self) -> bool:
        return self.stage is Stage.RUNNING

    @property
    def is_paused(self) -> bool:
        return self.is_playing and bool(self.paused_at_ms)

    def clock_ms(self, now_ms: int) -> int:
        """Return how long the round has run, without its pauses."""
        return max(0, (self.paused_at_ms or now_ms) - self.starts_at_ms - self.paused_ms)

    @property
    def is_open(self) -> bool:
        """Whether people gather: no round runs, and none has just ended."""
        return self.stage in {Stage.WAITING, Stage.COUNTDOWN}

    @property
    def standings(self) -> tuple[Seat, ...]:
        """The seats by place: who has won by time, the others by how much they opened."""
        return tuple(sorted(self.seats, key=_rank))

    @property
    def places(self) -> Mapping[int, int]:
        """The places in a race by seat, from 1; nobody has one who has not won."""
        won = (seat.number for seat in self.standings if seat.finish and seat.finish.is_won)
        return {number: place for place, number in enumerate(won, start=1)}

    # Coming and going

    def sit(self, player: str, name: str, *, is_bot: bool = False) -> Room:
        """Give a player a seat, or the one that is kept: nobody has two."""
        if player in self.removed:
            raise RoomError("The host has removed you from this room.")
        if is_bot and not self.allows_bots:
            raise RoomError("This room is for people only.")
        known = self.seat_of(player)
        if known is not None:
            return _hosted(_with(self, known._replace(name=name or known.name, left_at_ms=0)))
        if self.kind is Kind.RACE and self.is_playing:
            raise RoomError("This race is running; you can watch it.")
        if len(self.seats) == MAX_SEATS:
            raise RoomError(f"This room has {MAX_SEATS} players already.")
        taken = {seat.number for seat in self.seats}
        number = next(n for n in range(1, MAX_SEATS + 1) if n not in taken)
        seats = (*self.seats, Seat(number, player, name, is_bot))
        return _hosted(_stopped(replace(self, seats=seats)))

    def leave(self, number: int, now_ms: int) -> Room:
        """Take a seat away; in a round it is kept for a while, and after it for the result."""
        seat = self.seat(number)
        if not self.is_open:
            room = _with(self, seat._replace(left_at_ms=now_ms, is_ready=False))
            if self.stage is Stage.OVER and not _those_here(room):
                return replace(room, seats=())
            return _hosted(_voted(room, now_ms))
        return _hosted(_stopped(_without(self, number)))

    def remove(self, host: int, number: int, now_ms: int) -> Room:
        """Send a player away for good, at the host's wish."""
        self._check_host(host)
        if number == host:
            raise RoomError("You cannot remove yourself; leave instead.")
        seat = self.seat(number)
        if self.is_playing:
            # What the player did stays, but nobody waits for the rest.
            room = _with(self, seat._replace(left_at_ms=now_ms - SEAT_KEPT_MS))
        else:
            room = _stopped(_without(self, number))
        removed = (*self.removed, seat.player)[-MOST_REMOVED:]
        return replace(room, removed=removed).pass_time(now_ms)

    # A round

    def choose(self, host: int, variant: Variant) -> Room:
        """Play another board, at the host's wish."""
        self._check_host(host)
        if self.is_playing:
            raise RoomError("Finish this round first.")
        seats = tuple(seat._replace(finish=None) for seat in self.seats)
        return replace(_cleared(replace(self, seats=seats)), variant=variant)

    def ready(self, number: int, *, is_ready: bool) -> Room:
        """Say whether a player wants to begin; after a round, another one."""
        if self.is_playing:
            return self
        room = _cleared(self) if self.stage is Stage.OVER else _stopped(self)
        return _with(room, room.seat(number)._replace(is_ready=is_ready))

    @property
    def has_enough(self) -> bool:
        """Whether enough players are there: a race takes two."""
        return len(_those_here(self)) >= (1 if self.kind is Kind.SHARED else 2)

    @property
    def is_ready(self) -> bool:
        """Whether everybody who is there wants to begin, and a board is to be drawn."""
        waits = self.stage is Stage.WAITING
        return waits and self.has_enough and all(seat.is_ready for seat in _those_here(self))

    def count_down(self, setup: Setup, codes: Iterable[str], now_ms: int) -> Room:
        """Begin the round in three seconds, on this board; each record gets its code here."""
        if not self.is_ready:
            raise RoomError("Not everybody is ready.")
        room = replace(
            self,
            stage=Stage.COUNTDOWN,
            setup=setup,
            starts_at_ms=now_ms + COUNTDOWN_MS,
            paused_at_ms=0,
            paused_ms=0,
            ends_at_ms=0,
        )
        drawn = iter(codes)
        if self.kind is Kind.SHARED:
            return replace(room, game=next(drawn))
        seats = (seat._replace(code=next(drawn), finish=None) for seat in self.seats)
        return replace(room, seats=tuple(seats))

    def finish(self, number: int, finish: Finish, now_ms: int) -> Room:
        """Note how a player's copy ended, once; the first one starts the last minute."""
        seat = self.seat(number)
        if not self.is_playing or seat.finish is not None:
            return self
        room = _with(self, seat._replace(finish=finish))
        if finish.is_won and not self.ends_at_ms:
            room = replace(room, ends_at_ms=now_ms + LAST_MINUTE_MS)
        return room.pass_time(now_ms)

    def vote(self, number: int, now_ms: int) -> Room:
        """Want a pause, or no more; in a pause, end it: whoever wants may play on."""
        if not self.is_playing or self.kind is Kind.RACE:
            raise RoomError("Only a shared game can be paused.")
        if self.is_paused:
            paused_ms = self.paused_ms + max(0, now_ms - self.paused_at_ms)
            return replace(_unready(self), paused_at_ms=0, paused_ms=paused_ms)
        seat = self.seat(number)
        return _voted(_with(self, seat._replace(is_ready=not seat.is_ready)), now_ms)

    def end(self) -> Room:
        """End the round of a shared game."""
        return replace(self, stage=Stage.OVER) if self.is_playing else self

    def pass_time(self, now_ms: int) -> Room:
        """Do what is due by now: anybody may, as often as they like."""
        if self.stage is Stage.COUNTDOWN and now_ms >= self.starts_at_ms:
            return replace(_unready(self), stage=Stage.RUNNING)
        if self.stage is Stage.OVER and len(self.seats) == MAX_SEATS:
            return replace(self, seats=_those_here(self))
        if not self.is_playing:
            return self
        is_up = bool(self.ends_at_ms) and now_ms >= self.ends_at_ms
        is_done = not any(_plays(seat, now_ms) for seat in self.seats)
        if self.kind is Kind.RACE and (is_up or is_done):
            return _hosted(replace(self, stage=Stage.OVER))
        if self.kind is Kind.SHARED and len(self.seats) == MAX_SEATS:
            # Others may come in place of those whose seat was kept for long enough.
            kept = tuple(seat for seat in self.seats if _plays(seat, now_ms))
            return replace(self, seats=kept) if 0 < len(kept) < MAX_SEATS else self
        return self

    def next_moment_ms(self) -> int | None:
        """Return when time alone changes something."""
        if self.stage is Stage.COUNTDOWN:
            return self.starts_at_ms
        if not self.is_playing or self.kind is Kind.SHARED:
            return None
        kept = [
            seat.left_at_ms + SEAT_KEPT_MS
            for seat in self.seats
            if seat.finish is None and not seat.is_here
        ]
        moments = [*kept, *([self.ends_at_ms] if self.ends_at_ms else [])]
        return min(moments, default=None)

    def _check_host(self, number: int) -> None:
        if number != self.host:
            raise RoomError("Only the host can do that.")

    # As a document

    def format(self) -> str:
        plain = {name: getattr(self, name) for name in _PLAIN}
        plain["variant"] = self.variant.text
        plain["setup"] = self.setup and self.setup.text
        plain["kind"], plain["stage"] = self.kind.value, self.stage.value
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    @reading_values()
    def parse(code: str, body: str) -> Room:
        plain: dict[str, Any] = json.loads(body)
        seats = tuple(_read_seat(row) for row in plain.pop("seats"))
        setup = plain.pop("setup")
        return Room(
            code,
            Kind(plain.pop("kind")),
            Variant.parse(plain.pop("variant")),
            seats,
            stage=Stage(plain.pop("stage")),
            setup=Setup.parse(setup) if setup else None,
            removed=tuple(plain.pop("removed")),
            **plain,
        )


_PLAIN: Final = (
    "seats",
    "host",
    "starts_at_ms",
    "paused_at_ms",
    "paused_ms",
    "ends_at_ms",
    "game",
    "allows_bots",
    "removed",
    "revision",
)


def _read_seat(row: list[Any]) -> Seat:
    seat = Seat(*row)
    return seat if seat.finish is None else seat._replace(finish=Finish(*seat.finish))


def _rank(seat: Seat) -> tuple[bool, int, int, int]:
    finish = seat.finish
    if finish is None:
        return True, 0, 0, seat.number
    if finish.is_won:
        return False, finish.time_ms, 0, seat.number
    return True, 0, -finish.opened, seat.number


def _plays(seat: Seat, now_ms: int) -> bool:
    if seat.finish is not None:
        return False
    return seat.is_here or now_ms < seat.left_at_ms + SEAT_KEPT_MS


def _those_here(room: Room) -> tuple[Seat, ...]:
    return tuple(seat for seat in room.seats if seat.is_here)


def _with(room: Room, changed: Seat) -> Room:
    seats = tuple(changed if seat.number == changed.number else seat for seat in room.seats)
    return replace(room, seats=seats)


def _without(room: Room, number: int) -> Room:
    return replace(room, seats=tuple(seat for seat in room.seats if seat.number != number))


def _unready(room: Room) -> Room:
    return replace(room, seats=tuple(seat._replace(is_ready=False) for seat in room.seats))


def _voted(room: Room, now_ms: int) -> Room:
    """Begin a pause once everybody who is there wants it."""
    if not room.is_playing or room.kind is Kind.RACE or room.paused_at_ms:
        return room
    votes = [seat.is_ready for seat in _those_here(room)]
    return replace(room, paused_at_ms=now_ms) if votes and all(votes) else room


def _stopped(room: Room) -> Room:
    """Stop a countdown: who comes or goes may not be ready."""
    return replace(room, stage=Stage.WAITING) if room.stage is Stage.COUNTDOWN else room


def _cleared(room: Room) -> Room:
    """Put the last round away but for its results; who has left has no seat in the next one."""
    seats = tuple(seat._replace(is_ready=False, code="") for seat in _those_here(room))
    return _hosted(replace(room, stage=Stage.WAITING, seats=seats, setup=None, game=""))


def _hosted(room: Room) -> Room:
    """Let the first one who is there be the host, if the host has gone."""
    here = [seat.number for seat in _those_here(room)]
    return room if room.host in here or not here else replace(room, host=here[0])
