"""Playing version 2 of the wire by its plain text."""

from __future__ import annotations

from jminesweeper.client.bot.game import Watch, play_out
from jminesweeper.client.bot.line import Line
from jminesweeper.client.bot.outcome import DOES, BotError, Outcome
from jminesweeper.core import CoreError, PlayerView, Victory
from jminesweeper.protocol import Hello, MoveTo, NewGame, ScreenFormat, Start, announced_version
from jminesweeper.screen import parse_plain_field
from jminesweeper.solver import Move

_HELLO = Hello(columns=80, rows=24, format=ScreenFormat.PLAIN)


def speaks_version_2(line: Line) -> bool:
    """Begin any game, to see what the server announces in its first screen."""
    return announced_version(line.ask(Start(1, 1, 1))) >= 2


def play_wire_2(line: Line, game: NewGame, victory: Victory, watch: Watch | None = None) -> Outcome:
    """Play one game; the server has announced version 2."""
    return play_out(_PlainText(line, game), victory, watch)


class _PlainText:
    """A game told in lines."""

    def __init__(self, line: Line, game: NewGame) -> None:
        self._line = line
        self._text = line.ask(_HELLO, game)

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
        column, row = move.cell
        self._text = self._line.ask(MoveTo(column, row), DOES[move.kind])
