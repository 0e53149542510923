"""Games on a server, alone or in a room, as a program plays them: one call, one packet, one reply.

    async with connect("192.0.2.5", room="KRTPWX", name="Solver") as game:
        while await game.next_round():
            await play_out(game, game.rules)

A program may open a room as well, and begin races for others: `connect(server, room="race")`. The
names of a game are those of `core.game.Game`, with an `await` before each action.

The server describes its screen as cells (HELLO format 2), and only what changed. The screen here
puts that together again, and gives what a strategy needs: a player's view, the same value that
the engine gives. Everything from a server is checked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Final, NamedTuple, TypeAlias, overload

from jminesweeper.bot.link import TIMEOUT_S, BotError, PacketLink, link_to
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Profile
from jminesweeper.client.request import check_rules
from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import ActionError, CoreError, NoBoardError, SetupError, check_kind
from jminesweeper.core.grid import Cell, Place, Size
from jminesweeper.core.rules import PRESETS, Level, Rules
from jminesweeper.core.setup import Setup, check_seed
from jminesweeper.core.view import PlayerView, Status, read_faces
from jminesweeper.protocol.packets import (
    Act,
    Hint,
    Join,
    NewGame,
    OpenRoom,
    Packet,
    Pick,
    Ready,
    Start,
    Undo,
)
from jminesweeper.protocol.view import STARTING, STATES
from jminesweeper.protocol.vocabulary import Button, Command, RoomKind
from jminesweeper.terminal.view import GameView, ViewError

ViewWatch: TypeAlias = Callable[[PlayerView], None]
"""Called with every view as it comes."""

_BUTTONS: Final[Mapping[ActionKind, Button]] = {
    ActionKind.REVEAL: Button.REVEAL,
    ActionKind.FLAG: Button.FLAG,
    ActionKind.CHORD: Button.CHORD,
}
REFUSED: Final = "bad.board"
_GUESSES_NEEDED: Final = {"no.solver", "laid.not"}
"""Ids of messages by a server that lays no board without guesses."""
_STATUSES: Final[Mapping[str, Status]] = {
    **dict.fromkeys(("paused", STARTING), Status.ONGOING),
    **{state: status for status, state in STATES.items()},
}


@dataclass(frozen=True, slots=True)
class ServerHint:
    """A server's advice and the cells it means; empty if it has none."""

    text: str
    cells: tuple[Cell, ...]


class RemoteGame:
    """A game on a server; `connect` makes one. Actions say whether they changed anything."""

    def __init__(self, link: PacketLink, setup: Setup, watch: ViewWatch | None = None) -> None:
        self._link = link
        self._setup = setup
        self._watch = watch
        self._shown = GameView()
        self._view = self._catch_up()

    def __repr__(self) -> str:
        if (view := self._view) is None:
            return f"<{type(self).__name__} without a board yet>"
        return f"<{type(self).__name__} {view.size}, {view.mine_count} mines, {view.status.value}>"

    @property
    def setup(self) -> Setup:
        """The setup that was asked for; the mines are the server's."""
        return self._setup

    @property
    def view(self) -> PlayerView:
        """The player's knowledge of the board now."""
        if self._view is None:
            raise BotError("There is no board before the first round; next_round waits for it.")
        return self._view

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.setup.rules

    @property
    def status(self) -> Status:
        """The status of the game: whether it runs, or how it ended."""
        return self.view.status

    @property
    def message(self) -> str:
        """The server's words about the last action, if it has any."""
        return self._shown.message.text

    @property
    def elapsed_ms(self) -> int:
        """The time of play when the server last sent it."""
        return self._shown.clock

    async def start(self, seed: int | None = None) -> None:
        """Begin another game of the same kind: on the board of a seed, or on any.

        A refusal is a `SetupError` with the server's reason, or a `NoBoardError` if the server has
        no board that needs no guess.
        """
        if seed is not None:
            check_seed(seed)
        board = self.setup.variant
        await self._ask(NewGame(board.text if seed is None else f"{board.text} seed={seed}"))
        said = self._shown.message
        shown = self.view.size, self.view.mine_count, self.view.visible_count
        if said.id == REFUSED or shown != (board.size, board.mine_count, 0):
            raise SetupError(said.text or f"The server plays another board than {board.text}.")
        if board.is_no_guess and said.id in _GUESSES_NEEDED:
            raise NoBoardError(said.text)

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
        await self._ask(Hint(0, 0))
        return ServerHint(self.message, self._shown.hint)

    async def _act(self, cell: Place, button: Button) -> bool:
        # A cell off the board is an error here, as it is in the engine.
        self.view.grid.index(cell)
        column, row = cell
        seen = self._shown.face(Cell(column, row))
        has_changed = await self._ask(Act(column, row, button, seen))
        if not has_changed and self._shown.message.id in _GUESSES_NEEDED:
            raise NoBoardError(self.message)
        return has_changed

    async def _ask(self, packet: Packet) -> bool:
        await self._link.ask(packet)
        before, self._view = self._view, self._catch_up()
        if self._watch is not None and self._view is not None:
            self._watch(self._view)
        return self._view != before

    def _catch_up(self) -> PlayerView | None:
        for each in self._link.take_shown():
            self._note(each.members)
            try:
                self._shown.update(each.members, each.cells)
            except ViewError as error:
                raise BotError(str(error)) from error
        return self._read()

    def _note(self, members: Mapping[str, Any]) -> None:
        """Note what is new; where only one plays there is nothing more."""

    def _read(self) -> PlayerView | None:
        shown = self._shown
        if shown.state not in _STATUSES:
            raise BotError(f"The server shows no game, but {shown.state!r:.40}.")
        try:
            return read_faces(shown.faces, shown.size, shown.mines, _STATUSES[shown.state])
        except CoreError as error:
            raise BotError(f"The server shows a board that makes no sense: {error}") from error


def profile_for(size: Size, level: Level = Level.EASY, name: str = "") -> Profile:
    """Introduce a client of version 2; START asks for this board of document J's game."""
    start = Start(size.columns, size.rows, level.value)
    return Profile(start, needs_version_2=True, is_bot=True, name=name)


# In a room

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
