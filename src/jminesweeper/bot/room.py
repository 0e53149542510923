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
from typing import Any, Final, overload

from jminesweeper.bot.link import TIMEOUT_S, BotError, PacketLink, link_to
from jminesweeper.bot.remote import RemoteGame, ViewWatch, profile_for
from jminesweeper.client.address import Address
from jminesweeper.client.request import check_rules
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView
from jminesweeper.protocol.packets import Join, OpenRoom, Packet, Ready
from jminesweeper.protocol.vocabulary import Command, RoomKind

LOOK_S: Final = 0.1
"""Interval between looks of a waiting program."""
_KINDS: Final = {"race": RoomKind.RACE, "shared": RoomKind.SHARED}


class RoomGame(RemoteGame):
    """A game in a room; `connect` makes one."""

    def __init__(self, link: PacketLink, setup: Setup, watch: ViewWatch | None = None) -> None:
        self.room: Mapping[str, Any] = {}
        """The room as the protocol describes it; empty once the program is in none."""
        self.seats: Sequence[Mapping[str, Any]] = ()
        """The seats of it, with how far each is."""
        self._free_at_s = 0.0
        super().__init__(link, setup, watch)

    @property
    def rules(self) -> Rules:
        """The rules of boards in rooms, as far as a strategy has to know them."""
        return PRESETS["classic"]

    @property
    def code(self) -> str:
        """The code by which others come as well."""
        return str(self.room.get("code", ""))

    @property
    def place(self) -> int | None:
        """The program's own place in the race, from 1."""
        own = self.room.get("you")
        return next((seat.get("place") for seat in self.seats if seat.get("number") == own), None)

    async def join(self, code: str) -> None:
        """Sit down in the room of a code; "race" and "shared" open one."""
        board = self.setup.variant.text
        await self._ask(OpenRoom(_KINDS[code], board=board) if code in _KINDS else Join(code))
        if not self.room:
            raise BotError(self.message or "The server knows no rooms.")

    async def next_round(self) -> bool:
        """Be ready, and wait until a round runs; False if the room has ended."""
        await self.result()
        await self._ask(Ready(1))
        while self.room and self._shown.state != "playing":
            await self.look()
        return bool(self.room)

    async def result(self) -> Sequence[Mapping[str, Any]]:
        """Wait until the round is over; return the seats, by place in a race."""
        while self.room.get("state") == "running":
            await self.look()
        return sorted(self.seats, key=lambda seat: seat.get("place") or len(self.seats) + 1)

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
        room, seats, blocked = (members.get(name) for name in ("room", "seats", "blocked"))
        if "room" in members:
            self.room = room if isinstance(room, dict) else {}
        if isinstance(seats, list):
            self.seats = [seat for seat in seats if isinstance(seat, dict)]
        if isinstance(blocked, int):
            self._free_at_s = asyncio.get_running_loop().time() + blocked / 1000

    def _read(self) -> PlayerView:
        if self._shown.state or not hasattr(self, "_view"):
            return super()._read()
        return self.view


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
    "race" and "shared" open a room for the board. `RoomGame.next_round` begins a game there.
    """
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
