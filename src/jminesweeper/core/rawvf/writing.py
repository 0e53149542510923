"""From a game to its video."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import read_clue
from jminesweeper.core.notation import format_board
from jminesweeper.core.record import format_rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import board_name
from jminesweeper.core.view import Status

VERSION: Final = "Rev7"
SQUARE_SIZE: Final = 16
"""The pixels along a side of a cell, where a video does not tell."""
RULES: Final = "JMinesweeper_Rules"
"""The line in which our own writer notes the rules."""

_CLICKS: Final[Mapping[ActionKind, tuple[str, str]]] = {
    ActionKind.REVEAL: ("lc", "lr"),
    ActionKind.FLAG: ("rc", "rr"),
    ActionKind.CHORD: ("mc", "mr"),
}
_ENDS: Final[Mapping[Status, str]] = {
    Status.WON: "won",
    Status.LOST: "boom",
    Status.TERMINATED: "nonstandard",
}


def format_rawvf(game: Game) -> str:
    """Write a game; NotationError if the format cannot tell how it went."""
    shown = without_undone(game)
    board = format_board(shown.reveal_truth()).replace(".", "0")
    lines = [*_description(shown, game), "Board:", board, "Events:", *_events(shown), ""]
    return "\n".join(lines)


def without_undone(game: Game) -> Game:
    """Play a game anew, on its mines as they are, without what was taken back."""
    setup = game.setup
    laid = Setup(setup.variant, layout=game.reveal_truth().mines)
    again = Game.replay(laid, _kept_entries(game))
    if game.status is Status.TERMINATED:
        again.terminate()
    if again.view() != game.view():
        raise NotationError("the game was played on other mines before its first reveal")
    return again


def _kept_entries(game: Game) -> list[int]:
    """List the clicks that stand."""
    kept: list[int] = []
    steps: list[int] = []
    again = Game(game.setup)
    for entry, (at_ms, action, _) in zip(game.log.entries, game.log, strict=True):
        has_changed = again.apply(action, at_ms)
        if action.kind is ActionKind.UNDO:
            # What was tried since, in vain, might succeed on the board as it was before.
            del kept[steps.pop() :]
        elif action.kind in _CLICKS:
            if has_changed:
                steps.append(len(kept))
            kept.append(entry)
    return kept


def _description(shown: Game, game: Game) -> Iterator[str]:
    size, mine_count, rules = shown.setup.size, shown.setup.mine_count, shown.setup.rules
    yield f"RawVF_Version: {VERSION}"
    yield "Program: JMinesweeper"
    yield f"Level: {board_name(size, mine_count).capitalize()}"
    yield f"Width: {size.columns}"
    yield f"Height: {size.rows}"
    yield f"Mines: {mine_count}"
    yield "Marks: Off"
    yield f"SquareSize: {SQUARE_SIZE}"
    yield f"Time: {_seconds(shown.elapsed_ms)}"
    if shown.status in {Status.WON, Status.LOST}:
        yield f"Status: {shown.status.value}"
    yield f"Mode: {'Cheat' if game.assisted else 'Classic'}"
    yield f"SuperClick: {'On' if rules.chording else 'Off'}"
    yield "BoardEvents: On"
    yield f"{RULES}: {format_rules(rules)}"


def _events(shown: Game) -> Iterator[str]:
    game = Game(shown.setup)
    yield "0.000 start"
    for at_ms, action, _ in shown.log:
        visible, flagged = game.visible, game.flagged
        game.apply(action, at_ms)
        if action.cell is not None:
            yield from _mouse_events(at_ms, action, action.cell)
        yield from _board_events(game, visible, flagged)
    if end := _ENDS.get(shown.status):
        yield end


def _mouse_events(at_ms: int, action: Action, cell: Cell) -> Iterator[str]:
    x, y = (SQUARE_SIZE * place + SQUARE_SIZE // 2 for place in cell)
    for event in _CLICKS[action.kind]:
        yield f"{_seconds(at_ms)} {event} {cell.column + 1} {cell.row + 1} ({x} {y})"


def _board_events(game: Game, visible: int, flagged: int) -> Iterator[str]:
    """Tell what has changed since these cells were visible and flagged."""
    planes = game.reveal_truth().clue_planes
    grid = game.grid
    for cell in grid.cells(game.visible & ~visible):
        is_fatal = cell == game.exploded
        yield _on("blast" if is_fatal else f"number{read_clue(planes, grid.index(cell))}", cell)
    for cell in grid.cells(game.flagged & ~flagged):
        yield _on("flag", cell)
    for cell in grid.cells(flagged & ~(game.flagged | game.visible)):
        yield _on("closed", cell)


def _on(event: str, cell: Cell) -> str:
    return f"{event} {cell.column + 1} {cell.row + 1}"


def _seconds(at_ms: int) -> str:
    return f"{at_ms // 1000}.{at_ms % 1000:03}"
