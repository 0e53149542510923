"""Playing version 2 of the wire by its plain text."""

from __future__ import annotations

from jminesweeper.client.bot.line import Line
from jminesweeper.client.bot.outcome import BotError, Outcome
from jminesweeper.client.bot.wire1 import Watch
from jminesweeper.core import ActionKind, NotationError, PlayerView, Victory
from jminesweeper.protocol import (
    Command,
    Hello,
    MoveTo,
    NewGame,
    Packet,
    ScreenFormat,
    Start,
    announced_version,
)
from jminesweeper.screen import parse_plain_field
from jminesweeper.solver import ImpossiblePositionError, Move, NoMoveError, Player

_DOES = {ActionKind.REVEAL: Command.REVEAL, ActionKind.FLAG: Command.TOGGLE_BOMB_MARK}


def speaks_version_2(line: Line) -> bool:
    """Begin any game, to see what the server announces in its first screen."""
    return announced_version(line.ask(Start(1, 1, 1))[0]) >= 2


def play_wire_2(line: Line, game: NewGame, victory: Victory, watch: Watch | None = None) -> Outcome:
    """Play one game; the server has announced version 2."""
    hello = Hello(columns=80, rows=24, format=ScreenFormat.PLAIN)
    view = _ask(line, hello, game)
    player = Player(view.size, view.mine_count)
    moves = guesses = 0
    while not view.status.is_over:
        try:
            move = player.choose(view, victory)
        except (ImpossiblePositionError, NoMoveError) as error:
            raise BotError("The server's screens contradict each other.") from error
        if watch is not None:
            watch(move, view)
        moves, guesses = moves + 1, guesses + (move.risk > 0)
        view = _ask(line, *_packets(move))
    return Outcome(view.status, moves, guesses)


def _packets(move: Move) -> tuple[Packet, Packet]:
    return MoveTo(move.cell.column, move.cell.row), _DOES[move.kind]


def _ask(line: Line, *packets: Packet) -> PlayerView:
    text = line.ask(*packets)[-1].decode(errors="replace")
    try:
        view = parse_plain_field(text)
    except NotationError as error:
        raise BotError(f"The server's screen shows no field: {error}") from error
    if view is None:
        raise BotError("The server shows no field.")
    return view
