"""Games and pictures of them in a line or two."""

from __future__ import annotations

from jminesweeper.core.game import Game
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import parse_board
from jminesweeper.recordings.text import parse_action


def play(board: str, rules: str | Rules, *moves: str) -> Game:
    """Start a game on a drawn board and make moves such as ``reveal 0 2``, a second apart."""
    field = parse_board(board)
    settled = PRESETS[rules] if isinstance(rules, str) else rules
    game = Game(Setup.of(field.size, rules=settled, layout=field.mines))
    make(game, *moves)
    return game


def make(game: Game, *moves: str) -> list[bool]:
    """Make moves and tell of each whether it changed anything."""
    start = len(game.log)
    return [
        game.apply(parse_action(f"0 {move}").action, 1000 * (start + number))
        for number, move in enumerate(moves)
    ]


def picture(game: Game) -> str:
    """Draw what the player sees, a word for each row."""
    return " ".join(str(game.view).split())
