"""A game on a server, as a program plays it: one call, one packet, one reply.

Its names are those of `core.game.Game`, with an `await` before each action.

The server describes its screen as cells (HELLO format 2), and only what changed. The screen here
puts that together again, and gives what a strategy needs: a player's view, the same value that
the engine gives. Everything from a server is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from jminesweeper.bot.link import BotError, PacketLink
from jminesweeper.client.conversation import Profile
from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import ActionError, CoreError, NoBoardError, SetupError
from jminesweeper.core.grid import Cell, Place, Size
from jminesweeper.core.notation import read_faces
from jminesweeper.core.rules import Level, Rules
from jminesweeper.core.setup import Setup, check_seed
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.protocol.packets import Act, Hint, NewGame, Packet, Start, Undo
from jminesweeper.protocol.view import STARTING, STATES
from jminesweeper.protocol.vocabulary import Button
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
"""Ids of what a server says that lays no board without guesses."""
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
