"""Write a game as a video."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from jminesweeper.core.actions import ActionKind, pack_entry
from jminesweeper.core.errors import NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import read_clue
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import board_name
from jminesweeper.core.view import PlayerView, Status

VERSION: Final = "Rev7"
SQUARE_SIZE: Final = 16
"""The side of a cell in pixels, if the video does not say."""
WITH_HELP: Final = "Cheat"
KNOWN_BOARD: Final = "UPK"
"""Unfair prior knowledge: what other programs call a repeat."""
RULES: Final = "JMinesweeper_Rules"
"""The line in which our own writer notes the rules."""

_QUESTION: Final = ActionKind.QUESTION
_RIGHT: Final = frozenset({ActionKind.FLAG, _QUESTION})
_CLICKS: Final[Mapping[ActionKind, tuple[str, str]]] = {
    ActionKind.REVEAL: ("lc", "lr"),
    ActionKind.FLAG: ("rc", "rr"),
    ActionKind.CHORD: ("mc", "mr"),
    ActionKind.QUESTION: ("rc", "rr"),
}
_ENDS: Final[Mapping[Status, str]] = {
    Status.WON: "won",
    Status.LOST: "boom",
    Status.TERMINATED: "nonstandard",
}


def format_rawvf(game: Game) -> str:
    """Write a game; NotationError if the format cannot express it."""
    shown = without_undone(game)
    board = str(shown.reveal_truth()).replace(".", "0")
    lines = [*_description(shown, game), "Board:", board, "Events:", *_events(shown), ""]
    return "\n".join(lines)


def without_undone(game: Game) -> Game:
    """Replay a game on its final mines, without what was undone."""
    setup = game.setup
    laid = Setup(setup.variant, layout=game.reveal_truth().mines)
    again = Game.replay(laid, _kept_entries(game))
    if game.status is Status.TERMINATED:
        again.terminate()
    if again.view != game.view:
        raise NotationError("the game was played on other mines before its first reveal")
    return again


def _kept_entries(game: Game) -> list[int]:
    """List the clicks that were not undone."""
    kept: list[int] = []
    steps: list[int] = []
    again = Game(game.setup)
    for entry, (at_ms, action, _) in zip(game.log.entries, game.log, strict=True):
        written, first = entry, None if again.visible else game.setup.first
        has_changed = again.apply(action, at_ms)
        if has_changed and action.kind is ActionKind.REVEAL and first is not None:
            # No other program opens another cell than the one that was clicked.
            written = pack_entry(at_ms, ActionKind.REVEAL, game.grid.index(first))
        if action.kind is ActionKind.UNDO:
            # A click that failed since then might succeed on the board as it was before.
            del kept[steps.pop() :]
        elif action.kind in _CLICKS:
            if has_changed:
                steps.append(len(kept))
            elif action.kind is _QUESTION:
                # Without a flag no program has such a click.
                continue
            kept.append(written)
    return kept


def _description(shown: Game, game: Game) -> Iterator[str]:
    size, mine_count, rules = shown.setup.size, shown.setup.mine_count, shown.setup.rules
    yield f"RawVF_Version: {VERSION}"
    yield "Program: JMinesweeper"
    yield f"Level: {board_name(size, mine_count).capitalize()}"
    yield f"Width: {size.columns}"
    yield f"Height: {size.rows}"
    yield f"Mines: {mine_count}"
    yield f"Marks: {'On' if _has_marks(shown) else 'Off'}"
    yield f"SquareSize: {SQUARE_SIZE}"
    yield f"Time: {_seconds(shown.elapsed_ms)}"
    if shown.status in {Status.WON, Status.LOST}:
        yield f"Status: {shown.status.value}"
    yield f"Mode: {_mode(game)}"
    yield f"SuperClick: {'On' if rules.chording else 'Off'}"
    yield "BoardEvents: On"
    yield f"{RULES}: {rules.text}"


def _mode(game: Game) -> str:
    if game.assisted:
        return WITH_HELP
    return KNOWN_BOARD if game.setup.variant.is_repeat else "Classic"


def _events(shown: Game) -> Iterator[str]:
    game = Game(shown.setup)
    yield "0.000 start"
    has_marks = _has_marks(shown)
    for at_ms, action, _ in shown.log:
        before = game.view
        if action.cell is not None:
            is_marked = bool((before.flagged | before.questioned) & game.grid.bit(action.cell))
            if is_marked and action.kind in _RIGHT and has_marks != (action.kind is _QUESTION):
                has_marks = not has_marks
                yield _mouse_event(at_ms, "mt", action.cell)
            for event in _CLICKS[action.kind]:
                yield _mouse_event(at_ms, event, action.cell)
        game.apply(action, at_ms)
        yield from _board_events(game, before)
    if end := _ENDS.get(shown.status):
        yield end


def _has_marks(shown: Game) -> bool:
    return bool(shown.log.count_kinds()[_QUESTION])


def _mouse_event(at_ms: int, event: str, cell: Cell) -> str:
    x, y = (SQUARE_SIZE * place + SQUARE_SIZE // 2 for place in cell)
    return f"{_seconds(at_ms)} {event} {cell.column + 1} {cell.row + 1} ({x} {y})"


def _board_events(game: Game, before: PlayerView) -> Iterator[str]:
    """List what has changed since the board looked like this."""
    planes = game.reveal_truth().clue_planes
    grid = game.grid
    for cell in grid.cells(game.visible & ~before.visible):
        is_fatal = cell == game.exploded
        yield _on("blast" if is_fatal else f"number{read_clue(planes, grid.index(cell))}", cell)
    for cell in grid.cells(game.flagged & ~before.flagged):
        yield _on("flag", cell)
    for cell in grid.cells(game.questioned & ~before.questioned):
        yield _on("questionmark", cell)
    marked = before.flagged | before.questioned
    for cell in grid.cells(marked & ~(game.flagged | game.questioned | game.visible)):
        yield _on("closed", cell)


def _on(event: str, cell: Cell) -> str:
    return f"{event} {cell.column + 1} {cell.row + 1}"


def _seconds(at_ms: int) -> str:
    return f"{at_ms // 1000}.{at_ms % 1000:03}"
