"""The line above the field: what is played, how it stands, what is left, how long it took."""

from __future__ import annotations

from typing import Final

from jminesweeper.core import Status
from jminesweeper.screen.lines import Line, clean, join, span, spread_out
from jminesweeper.screen.models import GameScreen
from jminesweeper.screen.styles import Style

_NAME = "JMinesweeper"
_GAP: Final = span("  ")
_CLOCK_COLUMNS = 5
_OUTCOMES: Final = {Status.WON: Style.GOOD, Status.LOST: Style.BAD}


def format_clock(elapsed_ms: int) -> str:
    """Write a time in whole seconds."""
    seconds = elapsed_ms // 1000
    return f"{seconds // 60}:{seconds % 60:02}"


def compose_header(model: GameScreen, width: int, *, is_windowed: bool, has_unicode: bool) -> Line:
    """Compose the line; what matters least goes first where there is little room."""
    label = span(clean(model.label, has_unicode=has_unicode))
    tells_place = is_windowed and not model.view.status.is_over
    place = [span(_format_place(model)), _GAP] if tells_place else []
    left = join((*place, span(_NAME, Style.TITLE), _GAP, label))
    right = _right_end(model, has_unicode=has_unicode, names_mines=True)
    if left.width + 2 + right.width > width:
        left = join((*place, label))
    if left.width + 2 + right.width > width:
        right = _right_end(model, has_unicode=has_unicode, names_mines=False)
    return spread_out(left, right, width)


def _format_place(model: GameScreen) -> str:
    """Write the cursor's place so that a step changes a few columns only."""
    return f"{model.cursor.column:>3},{model.cursor.row:<3}"


def _right_end(model: GameScreen, *, has_unicode: bool, names_mines: bool) -> Line:
    view = model.view
    digits = max(3, len(str(view.mine_count)))
    state = clean(model.state, has_unicode=has_unicode)
    told = [span(state, _OUTCOMES.get(view.status, Style.WARNING)), _GAP] if state else []
    return join(
        (
            *told,
            span("mines " if names_mines else "", Style.ASIDE),
            span(f"{view.mines_left:>{digits}}"),
            _GAP,
            span(format_clock(model.elapsed_ms).rjust(_CLOCK_COLUMNS)),
        )
    )
