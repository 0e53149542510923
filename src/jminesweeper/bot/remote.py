"""A game on a server, as a program plays it: one call, one packet, one reply.

Its names are those of `core.game.Game`, with an `await` before each action.

The server describes its screen as cells (HELLO format 2), and only what changed. The screen here
puts that together again, and gives what a strategy needs: a player's view, the same value that
the engine gives. Everything from a server is checked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from jminesweeper.bot.errors import BotError
from jminesweeper.bot.link import TIMEOUT_S, PacketLink, link_to
from jminesweeper.client.address import Address
from jminesweeper.client.profile import Profile
from jminesweeper.client.request import board_packet
from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import ActionError, CoreError
from jminesweeper.core.grid import Cell, Place, Size
from jminesweeper.core.rules import Level, Rules
from jminesweeper.core.setup import Setup, check_seed
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Act, NewGame, Packet, Start, Undo, View
from jminesweeper.protocol.view import paint_faces
from jminesweeper.protocol.vocabulary import Button, Command, NewGameFlag, ScreenFormat
from jminesweeper.screen.cells import harmless, read_faces
from jminesweeper.screen.plain import STATUSES

ViewWatch: TypeAlias = Callable[[PlayerView], None]
"""Called with every view as it comes."""

_BUTTONS: Final[Mapping[ActionKind, Button]] = MappingProxyType(
    {
        ActionKind.REVEAL: Button.REVEAL,
        ActionKind.FLAG: Button.FLAG,
        ActionKind.CHORD: Button.CHORD,
    }
)
_COVERED_FACE: Final = b"\x10"


@dataclass(frozen=True, slots=True)
class ServerHint:
    """What a server advises, and the cells it means; empty if it has no advice."""

    text: str
    cells: tuple[Cell, ...]


class CellsScreen:
    """What a server has shown so far, assembled from the changes."""

    def __init__(self) -> None:
        self._members: dict[str, Any] = {}
        self._faces = bytearray()
        self._size = Size(1, 1)

    def apply(self, packet: Packet) -> None:
        """Process a reply; BotError if it makes no sense or is the last one."""
        if not isinstance(packet, View):
            raise BotError("The server sent something that is not a view.")
        try:
            members = packet.members()
            self._members |= members
            if "size" in members:
                self._size = self._read_size()
                self._faces = bytearray(_COVERED_FACE * self._size.cells)
            paint_faces(self._faces, packet.cells)
        except (ProtocolError, CoreError) as error:
            raise BotError(f"The server sent no view that makes sense: {error}") from error
        if members.get("last"):
            raise BotError(self.message or "The server ended the game.")

    def read(self) -> PlayerView:
        """Return what the player sees."""
        match self._members:
            case {"size": _, "mines": int(mine_count), "state": str(state)}:
                status = STATUSES.get(state)
            case _:
                raise BotError("The server shows no game.")
        if status is None:
            raise BotError(f"The server shows a game that is {harmless(state)!r}.")
        return read_faces(bytes(self._faces), self._size, mine_count, status)

    @property
    def message(self) -> str:
        match self._members.get("message"):
            case [str(text), str()]:
                return harmless(text)
            case _:
                return ""

    @property
    def elapsed_ms(self) -> int:
        match self._members.get("clock"):
            case int(elapsed_ms):
                return elapsed_ms
            case _:
                return 0

    def hinted(self) -> tuple[Cell, ...]:
        """Return the cells that a hint speaks of."""
        numbers = self._members.get("hint")
        if not isinstance(numbers, list):
            return ()
        size = self._size
        cells = (
            Cell(number % size.columns, number // size.columns)
            for number in numbers
            if isinstance(number, int)
        )
        return tuple(cell for cell in cells if size.has(cell))

    def _read_size(self) -> Size:
        match self._members["size"]:
            case [int(columns), int(rows)]:
                return Size(columns, rows)
            case _:
                raise BotError("The server shows a board without a size.")


class RemoteGame:
    """A game on a server; `connect` makes one. Actions say whether they changed anything."""

    def __init__(self, link: PacketLink, new_game: NewGame, watch: ViewWatch | None = None) -> None:
        self._link = link
        self._new_game = new_game
        self._watch = watch
        self._screen = CellsScreen()
        self.view = self._catch_up()
        """What the player sees now."""

    @property
    def status(self) -> Status:
        """Whether the game is running, and how it ended."""
        return self.view.status

    @property
    def message(self) -> str:
        """What the server says about the last action, if anything."""
        return self._screen.message

    @property
    def elapsed_ms(self) -> int:
        """The time of play when the server last sent it."""
        return self._screen.elapsed_ms

    async def start(self, seed: int | None = None) -> None:
        """Begin another game of the same kind: on the board of a seed, or on any."""
        flags = self._new_game.flags & ~NewGameFlag.SEEDED
        if seed is not None:
            check_seed(seed)
            flags |= NewGameFlag.SEEDED
        await self._ask(replace(self._new_game, flags=flags, seed=seed or 0))

    async def reveal(self, cell: Place) -> bool:
        """Open a cell; on a number, chord where the rules say so."""
        return await self._act(cell, Button.REVEAL)

    async def flag(self, cell: Place) -> bool:
        """Flag a covered cell, or remove its flag."""
        return await self._act(cell, Button.FLAG)

    async def chord(self, cell: Place) -> bool:
        """Open all other covered cells around a number that has all its flags."""
        return await self._act(cell, Button.CHORD)

    async def undo(self) -> bool:
        """Take back the last action that changed the board, even one that ended the game."""
        return await self._ask(Undo(1))

    async def apply(self, action: Action) -> bool:
        """Do what a strategy decided on: a reveal, a flag, a chord or an undo."""
        kind, cell = action
        if kind is ActionKind.UNDO:
            return await self.undo()
        if cell is None or kind not in _BUTTONS:
            raise ActionError(f"a bot does not {kind.name.lower()} a cell")
        return await self._act(cell, _BUTTONS[kind])

    async def hint(self) -> ServerHint:
        """Ask for a cell that can be reasoned out, and why."""
        await self._ask(Command.HINT)
        return ServerHint(self.message, self._screen.hinted())

    async def _act(self, cell: Place, button: Button) -> bool:
        # A cell off the board is an error here, as it is in the engine.
        self.view.grid.index(cell)
        return await self._ask(Act(*cell, button))

    async def _ask(self, packet: Packet) -> bool:
        await self._link.ask(packet)
        before, self.view = self.view, self._catch_up()
        if self._watch is not None:
            self._watch(self.view)
        return self.view != before

    def _catch_up(self) -> PlayerView:
        for packet in self._link.take_shown():
            self._screen.apply(packet)
        return self._screen.read()


@asynccontextmanager
async def connect(
    server: str = "127.0.0.1",
    board: str | Size = "expert",
    mine_count: int = 0,
    rules: str | Rules = "classic",
    *,
    seed: int | None = None,
    no_guess: bool = False,
    watch: ViewWatch | None = None,
    timeout_s: float = TIMEOUT_S,
) -> AsyncIterator[RemoteGame]:
    """Play on a server (HOST, HOST:PORT or tls://HOST) for as long as a block lasts.

    A game of the board has begun when the block does; board, mines and rules are those of
    `Setup.of`. The player is anonymous, so the games enter no statistics. `watch` is called with
    every view. If anything goes wrong with the server, that is a `BotError` of one sentence.
    """
    setup = Setup.of(board, mine_count, rules, seed=seed or 0)
    flags = NewGameFlag.NO_GUESS if no_guess else NewGameFlag(0)
    new_game = replace(board_packet(setup), flags=flags)
    async with link_to(Address.parse(server), cells_profile(setup.size), timeout_s) as link:
        game = RemoteGame(link, new_game, watch)
        await game.start(seed)
        yield game


def cells_profile(size: Size, level: Level = Level.EASY) -> Profile:
    """Introduce a client that wants cells; START asks for this board of document J's game."""
    start = Start(size.columns, size.rows, level.value)
    return Profile(start, needs_version_2=True, screen_format=ScreenFormat.CELLS)
