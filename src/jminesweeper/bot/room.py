"""A program in a room: it races people and other programs, or helps them on a shared board.

    async with join("192.0.2.5", "KRTPW", name="Solver") as game:
        while await game.next_round():
            await play_out(game, game.rules)

A program may open a room as well, and begin races for others: `join(server, "race")`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

from jminesweeper.bot.link import TIMEOUT_S, BotError, PacketLink, link_to
from jminesweeper.bot.playing import GameOutcome, play_out
from jminesweeper.bot.remote import RemoteGame, ViewWatch, profile_for
from jminesweeper.client.address import Address
from jminesweeper.client.request import board_packet
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView
from jminesweeper.protocol.packets import Join, NewGame, OpenRoom, Packet, Ready
from jminesweeper.protocol.vocabulary import Command, NewGameFlag, RoomKind
from jminesweeper.solver.playing import Decision

LOOK_S: Final = 0.1
"""How often a program that waits looks again."""
_PATIENCE: Final = 100
_KINDS: Final = {"race": RoomKind.RACE, "shared": RoomKind.SHARED}


class RoomGame(RemoteGame):
    """A game in a room; `join` makes one."""

    rules: Rules = PRESETS["classic"]
    """The rules of boards in rooms, as far as a strategy has to know them."""

    def __init__(self, link: PacketLink, new_game: NewGame, watch: ViewWatch | None = None) -> None:
        self.room: Mapping[str, Any] = {}
        """The room as the protocol describes it; empty once the program is in none."""
        self.seats: Sequence[Mapping[str, Any]] = ()
        """Who is in it, and how far."""
        self._free_at_s = 0.0
        super().__init__(link, new_game, watch)

    @property
    def code(self) -> str:
        """What others need to come as well."""
        return str(self.room.get("code", ""))

    @property
    def place(self) -> int | None:
        """The program's own place in the race, from 1."""
        own = self.room.get("you")
        return next((seat.get("place") for seat in self.seats if seat.get("number") == own), None)

    async def enter(self, packet: Packet) -> None:
        """Sit down."""
        await self._ask(packet)
        if not self.room:
            raise BotError(self.message or "The server knows no rooms.")

    async def next_round(self) -> bool:
        """Be ready, and wait until a round runs; False if the room has ended."""
        while self.room and self.room.get("state") == "running":
            await self._look()
        await self._ask(Ready(1))
        while self.room and self._shown.state != "playing":
            await self._look()
        return bool(self.room)

    async def _look(self) -> None:
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
        if self._shown.state or not hasattr(self, "view"):
            return super()._read()
        return self.view


@asynccontextmanager
async def join(
    server: str,
    room: str,
    board: str | Size = "expert",
    mine_count: int = 0,
    *,
    name: str = "",
    no_guess: bool = True,
    watch: ViewWatch | None = None,
    timeout_s: float = TIMEOUT_S,
) -> AsyncIterator[RoomGame]:
    """Sit in a room of a server for as long as a block lasts: that of a code, or a new one.

    `race` and `shared` open a room for this board. Others see that a program plays.
    """
    setup = Setup.of(board, mine_count, seed=0)
    new_game = replace(board_packet(setup), flags=NewGameFlag.NO_GUESS if no_guess else 0)
    profile = profile_for(setup.size, name=name)
    async with link_to(Address.parse(server), profile, timeout_s) as link:
        game = RoomGame(link, new_game, watch)
        await game.enter(OpenRoom.of(_KINDS[room], new_game) if room in _KINDS else Join(room))
        yield game


async def play_rounds(game: RoomGame, pace_s: float = 0.0) -> AsyncIterator[GameOutcome]:
    """Play all rounds of a room until it ends, with so much time for each move."""
    while await game.next_round():
        yield await play_out(game, game.rules, _Paced(pace_s), patience=_PATIENCE)


class _Paced:
    """Makes a program think."""

    def __init__(self, pace_s: float) -> None:
        self._pace_s = pace_s

    async def sees(self, move: Decision, _view: PlayerView) -> Decision:
        await asyncio.sleep(self._pace_s)
        return move

    async def sees_end(self, outcome: GameOutcome, view: PlayerView) -> None:
        """Nothing is said here."""
