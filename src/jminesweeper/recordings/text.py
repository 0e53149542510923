"""Whole games as text: the setup as a header, the log as a line for each action.

::

    jminesweeper game 1
    board expert classic first-reveal=zero seed=1234

    0 reveal 4 4
    1730 flag 2 0
    2100 undo

The header holds the text of the setup (`core.setup`). An action that one of several players did
ends with its author, as in ``1730 flag 2 0 by 3``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jminesweeper.core.actions import ON_A_CELL, Action, ActionKind, LoggedAction
from jminesweeper.core.errors import MOST_QUOTED, NotationError, check_kind, reading
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, parse_number
from jminesweeper.core.setup import Setup

FIRST_LINE: Final = "jminesweeper game 1"
_BOARD: Final = "board "
_KINDS: Final = {kind.name.lower(): kind for kind in ActionKind}


def format_game(game: Game) -> str:
    """Write a whole game."""
    check_kind("game", game, Game, "a Game")
    header = f"{FIRST_LINE}\n{_BOARD}{game.setup.text}"
    return "\n".join([header, "", *map(format_action, game.log), ""])


def parse_game(text: str) -> Game:
    """Read a whole game and play it again."""
    check_kind("text", text, str, "a text")
    lines = _lines(text)
    if next(lines, "") != FIRST_LINE:
        raise NotationError(f"a game begins with the line {FIRST_LINE!r}")
    board = next(lines, "")
    if not board.startswith(_BOARD):
        raise NotationError(f"a game's second line is its board, not {board[:MOST_QUOTED]!r}")
    setup = Setup.parse(board.removeprefix(_BOARD))
    with reading():
        game = Game(setup)
        for line in lines:
            at_ms, action, author = parse_action(line)
            game.apply(action, at_ms, author)
    return game


def format_action(logged: LoggedAction) -> str:
    at_ms, (kind, cell), author = logged
    place = "" if cell is None else f" {cell.column} {cell.row}"
    by = f" by {author}" if author else ""
    return f"{at_ms} {kind.name.lower()}{place}{by}"


def parse_action(line: str) -> LoggedAction:
    match line.split():
        case [*words, "by", number]:
            author = parse_number(number)
        case words:
            author = 0
    match words:
        case [at_ms, word] if (kind := _KINDS.get(word)) and kind not in ON_A_CELL:
            return LoggedAction(parse_number(at_ms), Action(kind), author)
        case [at_ms, word, column, row] if (kind := _KINDS.get(word)) in ON_A_CELL and kind:
            cell = Cell(parse_number(column), parse_number(row))
            return LoggedAction(parse_number(at_ms), Action(kind, cell), author)
        case _:
            raise NotationError(f"not an action: {line[:MOST_QUOTED]!r}")


def _lines(text: str) -> Iterator[str]:
    return (line for line in map(str.strip, text.splitlines()) if line)
