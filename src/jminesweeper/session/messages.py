"""What the session says, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from jminesweeper.core import MAX_SIDE, Status
from jminesweeper.session.play import Play

KEYS: Final = "wasd move  RETURN reveal  SPACE mark  TAB new  # debug  X quit"
GO: Final = "Mark every bomb and nothing else."
GAME_IS_FULL: Final = "This game has gone on for too long: press TAB for a new one."
DEBUG_ON: Final = "Debug mode: B is a bomb."
DEBUG_OFF: Final = "Debug mode is off."
DEBUG_FORBIDDEN: Final = "This server does not allow debug mode."
OUTCOMES: Final[Mapping[Status, str]] = {
    Status.WON: "You have won! TAB plays again.",
    Status.LOST: "You have lost: the bomb at * went off. F marks a bomb or a mistake. TAB plays again.",
    Status.TERMINATED: "This game was given up. TAB plays again.",
}
STATES: Final[Mapping[Status, str]] = {
    Status.ONGOING: "",
    Status.WON: "WON",
    Status.LOST: "LOST",
    Status.TERMINATED: "GIVEN UP",
}

_WELCOME: Final = (
    "",
    "  JMinesweeper",
    "",
    "  Find the bombs without stepping on one, and mark them all.",
    "",
    "  w a s d   move the cursor",
    "  RETURN    reveal the cell",
    "  SPACE     mark a bomb, or take the mark back",
    "  TAB       start a new game",
    "  #         debug mode: see the bombs",
    "  X         quit",
    "",
)


def welcome(message: str) -> Sequence[str]:
    """Say what to do before the first game."""
    return (*_WELCOME, f"  {message or 'Start a game to play: TAB, or a START packet.'}", "")


def bad_start(columns: int, rows: int, level: int) -> str:
    return (
        f"No game of {columns}x{rows} at level {level}: "
        f"columns and rows are 1 to {MAX_SIDE}, levels 1 to 3."
    )


def status_line(play: Play, elapsed_s: int) -> str:
    game = play.game
    left = game.setup.mine_count - game.flagged.bit_count()
    clock = f"{elapsed_s // 60}:{elapsed_s % 60:02}"
    state = "  ".join(filter(None, (STATES[game.status], "DEBUG" if play.is_debugged else "")))
    return f"JMinesweeper  {game.setup.size} {play.label}  bombs left {left}  {clock}  {state}".rstrip()
