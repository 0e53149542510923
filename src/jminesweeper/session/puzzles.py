"""Puzzles: a player finds the safe cell where they once guessed without need.

A puzzle is a position of a game of one's own, shown as it was. The player reveals a cell that
cannot be a mine, and a worker judges that: it knows no more than the player could see. Then the
hint of the position is shown, and any press goes on to the next one. A puzzle lies over the board
like a replay, so the game beneath waits. An answer is stored before its result is shown.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from jminesweeper.core.actions import ON_A_CELL, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Act, Hint
from jminesweeper.protocol.view import STATES
from jminesweeper.protocol.vocabulary import Button
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.players import open_game
from jminesweeper.records.reviews import (
    Puzzle,
    PuzzleDocument,
    drop_puzzle,
    note_answer,
    read_puzzles,
)
from jminesweeper.session.messages import SILENCE, message
from jminesweeper.session.opening import rebuild
from jminesweeper.session.picture import Field, Picture
from jminesweeper.session.player import Player
from jminesweeper.session.reply import FindHint, FindOdds, FoundHint, FoundOdds
from jminesweeper.session.rights import RIGHTS, Mode
from jminesweeper.session.talks import STAY, Dialog, Flow, Option, Row, SessionLayer, choose
from jminesweeper.store.port import ENTRY_BYTES

_OPENS: Final = frozenset({Button.REVEAL, Button.OPEN, Button.CHORD})


class Asked(NamedTuple):
    """A press on a cell of a puzzle; or a request for its hint, near a cell."""

    cell: Cell
    is_hint: bool = False


class PuzzlePage(SessionLayer):
    """A position, and once it was answered its hint."""

    def __init__(self, puzzle: Puzzle, game: Game, label: str) -> None:
        self.puzzle = puzzle
        self.game = game
        self.label = label
        self.hint: FoundHint | None = None
        """The hint that was not seen, once the puzzle was answered."""
        # The player was at the cell of the last action.
        entries = reversed(game.log.entries)
        cells = (index for _, kind, index, _ in map(unpack_entry, entries) if kind in ON_A_CELL)
        index = next(cells, None)
        self._start: Cell | None = None if index is None else game.grid.cell(index)
        self._placing = object()

    @property
    def is_answered(self) -> bool:
        return self.hint is not None

    def describe(self, player: Player) -> Picture:
        game, view = self.game, self.game.view
        size, hint = game.grid.size, self.hint
        shown = () if hint is None else (hint.cell, *hint.because)
        mode = Mode.PUZZLE if hint is None else Mode.PUZZLE_OVER
        members = {
            "state": STATES[view.status],
            "label": self.label,
            "aim": message("aim.puzzle" if hint is None else "aim.puzzle.over"),
            "remark": (),
            "mines": view.mine_count,
            "left": view.mines_left,
            "chords": False,
            "questions": False,
            "clock": 0,
            "clock_runs": False,
            "pace": None,
            "first": (),
            "hint": tuple(row * size.columns + column for column, row in shown),
            "flash": (),
            "odds": None,
            "figures": (),
            "replay": None,
            "position": 0,
            "page": None,
            "message": player.message if player.message.id else SILENCE,
            "keys": RIGHTS[mode].offers,
            "refresh": None,
        }
        return Picture(members, Field(game.grid, view), self._start, self._placing)


# From packets


def answer(player: Player, packet: Act) -> None:
    """Take a press on a cell as the answer to a puzzle; on any other layer it means nothing."""
    layer, cell = player.talks.layer, Cell(packet.column, packet.row)
    if not isinstance(layer, PuzzlePage):
        return
    player.message = SILENCE
    if not layer.game.grid.size.has(cell):
        player.say("bad.cell", column=cell.column, row=cell.row)
    elif packet.button in _OPENS:
        player.talks.answer(Asked(cell))


def show_hint(player: Player, packet: Hint) -> None:
    """Show the hint of a puzzle, which then counts as missed."""
    layer, cell = player.talks.layer, Cell(packet.column, packet.row)
    if not isinstance(layer, PuzzlePage) or layer.is_answered:
        return
    player.message = SILENCE
    if layer.game.grid.size.has(cell):
        player.talks.answer(Asked(cell, is_hint=True))


# The menu


def show_puzzles(player: Player) -> Flow:
    """Offer today's puzzles, and all that are due."""
    document = yield from read_puzzles(player.account.id)
    if not document.puzzles:
        player.say("puzzles.none")
        return STAY

    def list_options() -> Sequence[Option]:
        today = _today(player)
        due, left = len(document.due(today)), document.left(today)
        told = f"{left} left" if left else "done for today"
        five = Row("five", "Five a day", told, help="Find the cell that was safe when you guessed.")
        more = Row("due", "All that are due", f"{due}", help="Missed puzzles come back.")
        return Option(five, partial(solve, left)), Option(more, partial(solve, due))

    def solve(count: int) -> Flow:
        nonlocal document
        if count:
            document = yield from _solve(player, document, count)
        else:
            player.say("puzzles.done")
        return STAY

    return (yield from choose(player, "puzzles", "Puzzles", list_options))


def _today(player: Player) -> int:
    return player.now_s // DAY_S


def _solve(player: Player, document: PuzzleDocument, count: int) -> Dialog[PuzzleDocument]:
    """Show puzzles one after the other, until the player goes back."""
    player.message = SILENCE
    puzzles = document.due(_today(player))[:count]
    for number, puzzle in enumerate(puzzles, 1):
        game = yield from _open(puzzle)
        if game is None:
            document = yield from drop_puzzle(player.account.id, puzzle, player.tokens)
            continue
        page = PuzzlePage(puzzle, game, f"puzzle {number} of {len(puzzles)}")
        while (asked := (yield page)) is not None and not page.is_answered:
            if (is_right := (yield from _judge(player, page, asked))) is not None:
                document = yield from note_answer(
                    player.account.id, puzzle, _today(player), player.tokens, is_right=is_right
                )
        player.message = SILENCE
        if asked is None:
            break
    return document


def _open(puzzle: Puzzle) -> Generator[Any, Any, Game | None]:
    """Replay a game up to the guess; None if it is gone."""
    opened = yield from open_game(puzzle.code)
    if opened is None:
        return None
    entries = opened.entries[: puzzle.place * ENTRY_BYTES]
    game = yield from rebuild(opened._replace(entries=entries))
    return None if game is None or game.status.is_over else game


def _judge(player: Player, page: PuzzlePage, asked: Asked) -> Dialog[bool | None]:
    """Judge an answer and show the hint; return None if it is no answer yet."""
    view, (cell, is_hint) = page.game.view, asked
    risk: int | None = None
    if not is_hint:
        if view.visible & view.grid.bit(cell):
            player.say("puzzle.open")
            return None
        odds: FoundOdds | None = yield FindOdds(view, cell)
        risk = None if odds is None else odds.percents.get(view.grid.index(cell))
        if risk is None:
            player.say("odds.none")
            return None
    page.hint = yield FindHint(view, cell)
    if page.hint is None:
        player.say("hint.none")
        return None
    which = {None: "hint", 0: "puzzle.right", 100: "puzzle.mine"}.get(risk, "puzzle.risk")
    player.say(which, percent=risk, text=page.hint.text)
    return risk == 0
