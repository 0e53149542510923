"""The server's own players in a room: the solver, in seats that the host has it fill.

A `SolverPlayer` is at a table as a session is, without a connection, so the table handles its seat,
its record and its place like anybody's. It is ready as soon as somebody is (`Room.ready`). When a
round begins it has a worker play the whole board, and then acts at the times that came of it. It
leaves with the last person of the room, once it is not welcome any more, and when its seat is taken
away; if this server dies, its seat is lost like any other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from jminesweeper.core.actions import ActionKind, unpack_entry
from jminesweeper.records.keys import game_code
from jminesweeper.records.players import PlayerCopy
from jminesweeper.records.rooms import SOLVER, Room, RoomError
from jminesweeper.records.rounds import opening_of
from jminesweeper.session.figures import PACES
from jminesweeper.session.matches import Match, Matches, MatchSeat
from jminesweeper.session.player import Player
from jminesweeper.session.reply import PlayBoard, Wish
from jminesweeper.session.rounds import new_copy
from jminesweeper.session.tables import Cancel, Means, hear_nothing
from jminesweeper.session.talks import STAY, Flow

MOST_SOLVERS: Final = 60
"""Of a server process: each costs a worker one board a round, and the store its actions."""
GIVES_UP_MS: Final = 5_000
"""Time on the round's clock at which a solver gives up, if no worker had time to play."""
CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "none": (),
    **{pace: (pace,) for pace in PACES},
    "one of each": tuple(PACES),
}
"""The paces of the solvers in a room, in the words of a menu."""


def choice_of(room: Room) -> str:
    """Return the word for the solvers that are in a room."""
    seated = _seated_paces(room)
    return next((word for word, paces in CHOICES.items() if {*paces} == {*seated}), "none")


def _seated_paces(room: Room) -> list[str]:
    tokens = (seat.player for seat in room.seats if seat.is_solver)
    return [token.removeprefix(SOLVER).partition(":")[0] for token in tokens]


def seat_solvers(player: Player, choice: str) -> Flow:
    """Seat the server's solvers in the room, in place of the ones there."""
    sitting, matches = player.sitting, player.matches
    means = matches.tables.means
    if sitting is None or means is None:
        return STAY
    paces, room = CHOICES[choice], sitting.table.room
    replaced = [] if room is None else _seated_paces(room)
    if sorted(paces) == sorted(replaced):
        return STAY
    if paces and not player.config.has_solver:
        player.say("solvers.none")
        return STAY
    if len(matches.solvers) - len(replaced) + len(paces) > MOST_SOLVERS:
        player.say("solvers.busy")
        return STAY
    code = sitting.table.code
    tokens = {f"{SOLVER}{pace}:{game_code(means.random_bits)}": pace for pace in paces}
    names = {token: f"{pace.capitalize()} solver" for token, pace in tokens.items()}
    try:
        change = partial(Room.seat_solvers, host=sitting.number, names=names)
        yield Wish(code, sitting.player, change)
    except RoomError as error:
        player.refuse(error)
        return STAY
    for token, pace in tokens.items():
        SolverPlayer(matches, means, code, token, PACES[pace])
    return STAY


class SolverPlayer:
    """The solver in one seat of a room."""

    def __init__(self, matches: Matches, means: Means, code: str, token: str, pace_ms: int) -> None:
        self._matches, self._means, self._token, self._pace_ms = matches, means, token, pace_ms
        self._code = code
        self._round = 0
        """Number of the round that is played, or was the last."""
        self._seat: MatchSeat | None = None
        """Its place at its copy of the board."""
        self._entries: deque[int] = deque()
        """The actions still to be done."""
        self._cancel: Cancel = lambda: None
        matches.solvers.add(self)
        self._view = matches.tables.enter(code, self, token, self._follow)
        self._follow()

    def _follow(self) -> None:
        """React to the room as it is now: leave it, leave a round that is over, or begin one."""
        room, table = self._view.room, self._view.table
        seat, current = room.seat_of(self._token), room.round
        has_people = any(not (each.is_solver or each.is_gone) for each in room.seats)
        if seat is None or not (has_people and room.allows_bots):
            self._stop()
            self._matches.solvers.discard(self)
            self._matches.tables.leave(self._code, self)
            return
        if current is None or current.number != self._round:
            self._stop()
        is_new = current is not None and current.number != self._round
        if (
            current is None
            or current.setup is None
            or not is_new
            or seat.number not in current.players
        ):
            return
        self._round = current.number
        request = PlayBoard(current.setup, self._pace_ms, self._means.random_bits(32))
        record = room.record_of(seat.number)
        take = partial(self._begin, current.number, record, table.start_ms)
        self._means.play_board(self._code, request, take)

    def _begin(self, number: int, record: str, start_ms: int, entries: Any) -> None:
        """Begin to play, once a worker has; without its answer, give up."""
        room, matches = self._view.room, self._matches
        if number != self._round or record not in room.records:
            return
        match = matches.find(record)
        if match is None:
            held = PlayerCopy(self._token, self._means.random_bits)
            match = new_copy(room, record, held, self._means.random_bits)
        start = match.game.setup.start
        self._seat = MatchSeat(match, start)
        now_ms = self._means.now().ms
        match.run_since(now_ms - start_ms, now_ms)
        match.sit_down(self._seat, hear_nothing, now_ms)
        matches.note_change(match)
        done = len(opening_of(match.game.setup))
        self._entries = deque(() if entries is None else entries[done:])
        self._wait(match, start_ms)

    def _wait(self, match: Match, start_ms: int) -> None:
        """Wait for the next action's time on the round's clock."""
        at_ms = unpack_entry(self._entries[0])[0] if self._entries else GIVES_UP_MS
        self._cancel = self._means.call_at(start_ms + at_ms, partial(self._act, match, start_ms))

    def _act(self, match: Match, start_ms: int) -> None:
        seat = self._view.room.seat_of(self._token)
        if match.is_over or seat is None:
            return
        now, kind, cell = self._means.now(), ActionKind.TERMINATE, None
        if self._entries:
            _, number, index, _ = unpack_entry(self._entries.popleft())
            kind, cell = ActionKind(number), match.game.grid.cell(index)
        if self._seat is not None and cell is not None:
            self._seat.cursor = cell
            match.point()
        match.act(kind, cell, now.ms, now.utc_ms, seat.number)
        self._matches.note_change(match)
        if not match.is_over:
            self._wait(match, start_ms)

    def _stop(self) -> None:
        """Leave the board of a round that is over."""
        self._cancel()
        place, self._seat = self._seat, None
        if place is not None:
            place.match.leave(place, self._means.now().ms)
            self._matches.note_change(place.match)
