"""Connecting to a server: a game of one's own, or a seat in a room.

    async with connect("192.0.2.5", room="KRTPWX", name="Solver") as game:
        while await game.next_round():
            await play_out(game, game.rules)

A program may open a room as well, and begin races for others: `connect(server, room="race")`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Final, NamedTuple, overload

from jminesweeper.bot.link import TIMEOUT_S, BotError, PacketLink, link_to
from jminesweeper.bot.remote import REFUSED, RemoteGame, ViewWatch, profile_for
from jminesweeper.client.address import Address
from jminesweeper.client.request import check_rules
from jminesweeper.core.errors import NoBoardError, SetupError, check_kind
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.protocol.packets import Join, OpenRoom, Packet, Pick, Ready
from jminesweeper.protocol.view import STARTING
from jminesweeper.protocol.vocabulary import Command, RoomKind

LOOK_S: Final = 0.1
"""Interval between looks of a waiting program."""
_SHEET: Final = "room"
_KINDS: Final = {"race": RoomKind.RACE, "shared": RoomKind.SHARED}


class RoomSeat(NamedTuple):
    """A player in a room."""

    number: int
    name: str
    is_here: bool
    is_ready: bool
    is_bot: bool
    opened: float
    """The share of the safe cells that are open; on a shared board, of those opened by this one."""
    flags: int
    hits: int
    """Mines that were hit."""
    place: int | None
    """The place in the race, from 1; None without one."""
    time_ms: int | None
    """The time that the race took, penalties included; None before the finish."""
    is_won: bool
    points: int
    """The score in the room."""


class RoomGame(RemoteGame):
    """A game in a room; `connect` makes one."""

    def __init__(self, link: PacketLink, setup: Setup, watch: ViewWatch | None = None) -> None:
        self._free_at_s = 0.0
        self._view = None
        super().__init__(link, setup, watch)

    @property
    def rules(self) -> Rules:
        """The part of the rules in rooms that a strategy has to know."""
        return PRESETS["classic"]

    @property
    def code(self) -> str:
        """The code by which others come as well; empty once the program is in no room."""
        room = self._shown.room
        return "" if room is None or not room.you else room.code

    @property
    def seats(self) -> Sequence[RoomSeat]:
        """The players in the room; once a round is over, its players."""
        seats = self._shown.seats if self.code else ()
        return tuple(
            RoomSeat(
                *(seat.number, seat.name, seat.here, seat.ready, seat.bot, seat.opened / 1000),
                *(seat.flags, seat.hits, seat.place, seat.time, seat.won, seat.points),
            )
            for seat in seats
        )

    @property
    def place(self) -> int | None:
        """The program's own place in the race, from 1."""
        own = self._shown.own_seat
        return None if own is None else own.place

    async def join(self, code: str) -> None:
        """Sit down in the room of a code; "race" and "shared" open one."""
        board = self.setup.variant.text
        await self._ask(OpenRoom(_KINDS[code], board=board) if code in _KINDS else Join(code))
        if not self.code:
            is_of_board = self._shown.message.id == REFUSED
            kind = SetupError if is_of_board else BotError
            raise kind(self.message or "The server knows no rooms.")

    @property
    def series(self) -> str:
        """The series that is on, and how far it is: `round 2 of 5`; empty outside one."""
        room = self._shown.room
        return "" if room is None else room.series

    @property
    def share(self) -> str:
        """A line to hand on about the series that has just ended; empty before its end."""
        room = self._shown.room
        return "" if room is None else room.share

    async def choose(self, what: str, value: str) -> None:
        """Choose something for the room, as its host does on the sheet of the waiting room.

        For instance `series` as `best of 5`. A BotError says what there is to choose.
        """
        await self._ask(Pick(_SHEET, what, value))
        chosen = {row.id: row.value for row in self._shown.sheet}
        if chosen.get(what) != value:
            rows = (
                f"{row.id}: {', '.join(row.choices)}" for row in self._shown.sheet if row.choices
            )
            said = self.message or "; ".join(rows) or "Only the host chooses, between rounds."
            raise BotError(f"The room does not take {what} as {value!r}. {said}")

    async def next_round(self) -> bool:
        """Be ready, and wait until a round runs; False if the room has ended.

        NoBoardError if guesses were ruled out, and the server found no such board.
        """
        await self.result()
        await self._ask(Ready(1))
        while self.code and self._shown.state != "playing":
            await self.look()
        if self.code and self.setup.variant.is_no_guess and "no-guess" not in self._shown.label:
            raise NoBoardError("This round's board may need guesses.")
        return bool(self.code)

    async def result(self) -> Sequence[RoomSeat]:
        """Wait until the round is over; return the seats, by place in a race."""
        while (room := self._shown.room) is not None and room.is_playing:
            await self.look()
        return sorted(self.seats, key=lambda seat: seat.place or len(self.seats) + 1)

    async def look(self) -> None:
        """See after a moment what the others have done."""
        await asyncio.sleep(LOOK_S)
        await self._ask(Command.REFRESH)

    async def _ask(self, packet: Packet) -> bool:
        # After a mine the server would not take anything for a while.
        delay_s = self._free_at_s - asyncio.get_running_loop().time()
        if delay_s > 0:
            await asyncio.sleep(delay_s)
        return await super()._ask(packet)

    def _note(self, members: Mapping[str, Any]) -> None:
        if isinstance(blocked := members.get("blocked"), int):
            self._free_at_s = asyncio.get_running_loop().time() + blocked / 1000

    def _read(self) -> PlayerView | None:
        if self.code and self._shown.state not in {"", STARTING}:
            return super()._read()
        # The round has ended without this program, which plays that board no more.
        before = self._view
        if before is None or before.status.is_over:
            return before
        return replace(before, status=Status.TERMINATED)


@overload
def connect(
    server: str = ...,
    board: str | Size = ...,
    mine_count: int = ...,
    rules: str | Rules = ...,
    *,
    seed: int | None = ...,
    no_guess: bool = ...,
    watch: ViewWatch | None = ...,
    timeout_s: float = ...,
) -> AbstractAsyncContextManager[RemoteGame]: ...


@overload
def connect(
    server: str = ...,
    board: str | Size = ...,
    mine_count: int = ...,
    *,
    room: str,
    name: str = ...,
    no_guess: bool = ...,
    watch: ViewWatch | None = ...,
    timeout_s: float = ...,
) -> AbstractAsyncContextManager[RoomGame]: ...


def connect(
    server: str = "127.0.0.1",
    board: str | Size = "expert",
    mine_count: int = 0,
    rules: str | Rules | None = None,
    *,
    room: str = "",
    name: str = "",
    seed: int | None = None,
    no_guess: bool = False,
    watch: ViewWatch | None = None,
    timeout_s: float = TIMEOUT_S,
) -> AbstractAsyncContextManager[Any]:
    """Play on a server (HOST, HOST:PORT or tls://HOST) for as long as a block lasts.

    A game of the board has begun when the block does; board, mines and rules are those of
    `Setup.of`. The player is anonymous, so the games enter no statistics. `watch` is called with
    every view. A board that the server refuses is a `SetupError`, and a `NoBoardError` if it should
    need no guess; anything else that goes wrong with the server is a `BotError` of one sentence.

    With the code of a `room` the program sits there, under a name, and others see that it is one;
    "race" and "shared" open a room for the board. `RoomGame.next_round` begins a game there, and
    the end of the block leaves the room. A room draws its boards, so a seed is an error there.
    """
    if room and seed is not None:
        raise SetupError("A room draws its own boards; leave the seed out.")
    if name and not room:
        raise SetupError("Outside a room nobody sees a name; leave it out.")
    check_kind("server", server, str, "a text")
    setup = Setup.of(board, mine_count, rules, seed=seed or 0)
    check_rules(setup.rules)
    is_no_guess = no_guess or setup.variant.is_no_guess
    setup = replace(setup, variant=replace(setup.variant, is_no_guess=is_no_guess))
    return _Connecting(Address.parse(server), setup, seed, room, name, watch, timeout_s)


@dataclass
class _Connecting(AbstractAsyncContextManager[Any]):
    """A game on a server, once its block begins."""

    address: Address
    setup: Setup
    seed: int | None
    room: str
    name: str
    watch: ViewWatch | None
    timeout_s: float

    def __repr__(self) -> str:
        return f"<connect {self.address}, {self.room or self.setup.variant.label}>"

    async def __aenter__(self) -> RemoteGame:
        self._stack = AsyncExitStack()
        profile = profile_for(self.setup.size, name=self.name)
        async with self._stack as stack:
            link = await stack.enter_async_context(link_to(self.address, profile, self.timeout_s))
            game = (RoomGame if self.room else RemoteGame)(link, self.setup, self.watch)
            if isinstance(game, RoomGame):
                await game.join(self.room)
                # A player who only hangs up has a seat kept, and keeps the others waiting.
                stack.callback(link.send, Command.LEAVE)
            else:
                await game.start(self.seed)
            self._stack = stack.pop_all()
        return game

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._stack.__aexit__(kind, error, trace)
