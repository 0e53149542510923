"""Playing version 2 of the wire by its plain text."""

from __future__ import annotations

from jminesweeper.client.bot.game import Watch, play_out
from jminesweeper.client.bot.line import Server
from jminesweeper.client.bot.outcome import DOES, BotError, Outcome
from jminesweeper.core import Cell, CoreError, PlayerView, Victory
from jminesweeper.protocol import (
    Command,
    Hello,
    MoveTo,
    NewGame,
    ScreenFormat,
    Start,
    announced_version,
)
from jminesweeper.screen import parse_plain_field
from jminesweeper.solver import Move

_HELLO = Hello(columns=80, rows=24, format=ScreenFormat.PLAIN)


def speaks_version_2(server: Server) -> bool:
    """Begin any game, to see what the server announces in its first screen."""
    return announced_version(server.ask(Start(1, 1, 1))) >= 2


def play_wire_2(
    server: Server,
    game: NewGame,
    victory: Victory,
    *,
    first: Cell | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """Play one game, beginning with a reveal of the first cell; the server announced version 2."""
    opening = () if first is None else (MoveTo(*first), Command.REVEAL)
    return play_out(_PlainText(server, server.ask(_HELLO, game, *opening)), victory, watch)


class _PlainText:
    """A game told in lines."""

    def __init__(self, server: Server, text: bytes) -> None:
        self._server = server
        self._text = text

    def look(self) -> PlayerView:
        """Return what is seen."""
        try:
            view = parse_plain_field(self._text.decode(errors="replace"))
        except CoreError as error:
            raise BotError(f"The server's screen shows no field: {error}.") from error
        if view is None:
            raise BotError("The server's screen shows no field.")
        return view

    def act(self, move: Move) -> None:
        """Do something to a cell."""
        self._text = self._server.ask(MoveTo(*move.cell), DOES[move.kind])
