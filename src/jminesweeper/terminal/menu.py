"""A menu: rows to choose from, values to turn, texts to fill in.

Which row is selected and what is being typed is the player's own; the server hears of a choice, or
of a value, by PICK.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from jminesweeper.protocol.packets import LONGEST_NAME, Packet, Pick
from jminesweeper.protocol.view import RowKind
from jminesweeper.protocol.vocabulary import PickWhat
from jminesweeper.terminal.field import rows_of_cells
from jminesweeper.terminal.keys import KeyAction, KeyMap, Keystroke
from jminesweeper.terminal.layout import chosen_shape
from jminesweeper.terminal.lines import (
    Screen,
    Spot,
    StyledLine,
    align_right,
    apart,
    clean,
    join,
    span,
    wrapped,
)
from jminesweeper.terminal.looks import BoardStage, Canvas, Style
from jminesweeper.terminal.panel import NARROWEST, Panel, compose_message, place_panel
from jminesweeper.terminal.view import MenuView, RowView

_BESIDE = 2
_MARK = "> "
_FIELD: Final = 40
"""Columns to type in, if there is room; of a longer text the end is shown."""
_SHORTEST_LABEL: Final = 10
"""Columns of a label that remain beside figures where there is little room."""
_MOVES: Final = {
    KeyAction.UP: -1,
    KeyAction.DOWN: 1,
    KeyAction.PAGE_UP: -10,
    KeyAction.PAGE_DOWN: 10,
}
_TURNS: Final = {
    KeyAction.LEFT: -1,
    KeyAction.RIGHT: 1,
    KeyAction.JUMP_LEFT: -10,
    KeyAction.JUMP_RIGHT: 10,
}
_CARET: Final = {
    KeyAction.LEFT: -1,
    KeyAction.RIGHT: 1,
    KeyAction.ROW_START: -LONGEST_NAME,
    KeyAction.ROW_END: LONGEST_NAME,
}
"""Steps in a text that is typed."""
_LIMITS: Final = {KeyAction.ROW_START: 0, KeyAction.ROW_END: 1}
_MOST_DIGITS: Final = 9


class Choosing:
    """A menu that is open before a player."""

    def __init__(self, menu: MenuView) -> None:
        self.menu = menu
        self._number = 0
        self._typed: str | None = None
        """Text being typed into the selected row."""
        self._is_opened = False
        """The selected text is being filled in."""
        self._caret: int | None = None
        """The place in the text where the next letter goes; None: its end."""
        self._select(menu.selected)

    def update(self, menu: MenuView) -> None:
        """Replace the rows of the same menu; the selected one stays selected."""
        row, editing = self._row.id, (self._typed, self._is_opened, self._caret)
        self.menu = menu
        self._select(row)
        if self._row.id == row:
            self._typed, self._is_opened, self._caret = editing

    def correct(self, refused: Packet | None) -> None:
        """Go on typing what the server did not take."""
        row = self._row
        if isinstance(refused, Pick) and (refused.menu, refused.row) == (self.menu.id, row.id):
            self._is_opened = row.kind is RowKind.TEXT
            self._typed = refused.value if self._is_opened else None

    @property
    def is_field(self) -> bool:
        """True if there is nothing but a text to fill in."""
        return [self.menu.rows[number].kind for number in self._selectable] == [RowKind.TEXT]

    @property
    def is_typing(self) -> bool:
        """True if letters are text here, not keys."""
        return self._row.kind is RowKind.TEXT and (self.is_field or self._is_opened)

    @property
    def takes_return(self) -> bool:
        """True if a number is being typed, or the selected row is neither turned nor typed."""
        return self._typed is not None or not self._row.is_turned

    @property
    def shown(self) -> MenuView:
        """The rows as they look, with what is being typed; the selected one is named."""
        menu = self._with_value(self._value) if self._selectable else self.menu
        return menu._replace(selected=self._row.id)

    def _with_value(self, value: str) -> MenuView:
        """Give the selected row a value."""
        rows = [*self.menu.rows]
        rows[self._number] = self._row._replace(value=value)
        return self.menu._replace(rows=tuple(rows))

    @property
    def _selectable(self) -> Sequence[int]:
        """The numbers of the rows that can be selected."""
        return [number for number, row in enumerate(self.menu.rows) if not row.is_heading]

    @property
    def _row(self) -> RowView:
        return self.menu.rows[self._number] if self.menu.rows else RowView()

    @property
    def _value(self) -> str:
        return self._row.value if self._typed is None else self._typed

    def _select(self, row_id: str) -> None:
        """Select a row by its id, or the first that can be chosen."""
        self._stop_typing()
        numbers, rows = self._selectable, self.menu.rows
        named = [number for number in numbers if rows[number].id == row_id]
        usable = [number for number in numbers if not rows[number].disabled]
        self._number = next(iter(named or usable or numbers), 0)

    # Keys

    def press(self, stroke: Keystroke) -> list[Pick] | None:
        """Return what to tell the server; None for a key that means nothing to a menu."""
        action, text = stroke.action, stroke.text
        is_digit = self._row.kind is RowKind.NUMBER and text.isascii() and text.isdecimal()
        if is_digit or (self.is_typing and text):
            return self._type(text)
        if self.is_typing and action in _CARET:
            # To move within the text is to edit it, so nothing is replaced from then on.
            self._typed = typed = self._value
            caret = len(typed) if self._caret is None else self._caret
            self._caret = max(0, min(caret + _CARET[action], len(typed)))
            return []
        if action in _TURNS or (action in _LIMITS and self._row.kind is RowKind.NUMBER):
            return self._turn(action)
        if action in _MOVES or action in _LIMITS:
            return self._move(action)
        match action:
            case KeyAction.REVEAL | KeyAction.FLAG:
                return self._choose()
            case KeyAction.ERASE if self.is_typing or self._row.kind is RowKind.NUMBER:
                # A letter is taken back.
                typed = self._value
                caret = len(typed) if self._caret is None else self._caret
                self._typed = typed[: max(0, caret - 1)] + typed[caret:]
                self._caret = None if self._caret is None else max(0, caret - 1)
                return []
            case KeyAction.ERASE:
                return [self._pick(what=PickWhat.DROP)] if self._row.drop else []
            case KeyAction.OVERVIEW if self._row.other:
                return [self._pick(what=PickWhat.OTHER)]
            case _:
                return None

    def cancel(self) -> bool:
        """Stop typing into one of several rows; False if nothing was being typed."""
        was_typing = self._is_opened
        if was_typing:
            self._stop_typing()
        return was_typing

    def _stop_typing(self) -> None:
        self._typed, self._is_opened, self._caret = None, False, None

    def choose_place(self, place: int) -> list[Pick] | None:
        """Choose a row by its place among the selectable rows; None if there is none."""
        numbers = self._selectable
        return self.choose(numbers[place]) if place < len(numbers) else None

    def choose(self, number: int) -> list[Pick]:
        """Choose a row that was clicked on."""
        return self._choose() if self.point(number) else []

    def point(self, number: int) -> bool:
        """Select a row that was pointed at."""
        if self.menu.rows[number].is_heading:
            return False
        if number != self._number:
            self._number = number
            self._stop_typing()
        return True

    def settled(self) -> list[Pick]:
        """Return the value of a row that the player is about to leave."""
        typed = self._typed
        self._stop_typing()
        return [self._pick(typed)] if typed and self._row.kind is RowKind.NUMBER else []

    def _pick(self, value: str = "", what: PickWhat = PickWhat.CHOOSE) -> Pick:
        return Pick(self.menu.id, self._row.id, value, what)

    def _type(self, text: str) -> list[Pick]:
        """Add to the typed text; the first letter replaces the old one."""
        typed, new = self._typed or "", clean(text)
        caret = len(typed) if self._caret is None else self._caret
        most = (
            _MOST_DIGITS if self._row.kind is RowKind.NUMBER else self._row.range[1] or LONGEST_NAME
        )
        typed = typed[:caret] + new + typed[caret:]
        self._typed = typed[:most].encode()[:LONGEST_NAME].decode(errors="ignore")
        if self._caret is not None:
            self._caret = min(caret + len(new), len(self._typed))
        return []

    def do_other(self, place: int) -> list[Pick] | None:
        """Do the other thing of a row, by its place; None if it has none."""
        numbers = self._selectable
        if place >= len(numbers) or not self.menu.rows[numbers[place]].other:
            return None
        self.point(numbers[place])
        return [self._pick(what=PickWhat.OTHER)]

    def _move(self, action: KeyAction) -> list[Pick]:
        if self.is_typing and self._typed is not None:
            return []  # a finger that slips must not cost the text
        picks, numbers = self.settled(), self._selectable
        if not numbers:
            return picks
        place = numbers.index(self._number) if self._number in numbers else 0
        if action in _LIMITS:
            place = _LIMITS[action] * (len(numbers) - 1)
        elif abs(_MOVES[action]) == 1:
            place = (place + _MOVES[action]) % len(numbers)
        else:
            place = max(0, min(place + _MOVES[action], len(numbers) - 1))
        self._number = numbers[place]
        return picks

    def _choose(self) -> list[Pick]:
        row = self._row
        if row.disabled or row.is_heading or not self.menu.rows:
            return []
        match row.kind:
            case RowKind.CHOICE:
                return self._turn(KeyAction.RIGHT)
            case RowKind.NUMBER:
                return self.settled()
            case RowKind.TEXT if not self.is_typing:
                self._is_opened = True
                return []
            case _:
                value = self._value if row.kind is RowKind.TEXT else ""
                self._stop_typing()
                return [self._pick(value)]

    def _turn(self, action: KeyAction) -> list[Pick]:
        """Change a value by steps, or to its limit; choices go round."""
        row, value = self._row, ""
        if row.disabled:
            return []
        if row.kind is RowKind.CHOICE and row.choices:
            place = row.choices.index(row.value) if row.value in row.choices else -1
            value = row.choices[(place + (1 if _TURNS[action] > 0 else -1)) % len(row.choices)]
        elif row.kind is RowKind.NUMBER:
            least, most = row.range
            # A server's value may have more digits than Python reads.
            now = int(self._value[:_MOST_DIGITS]) if self._value.isdecimal() else least
            wanted = now + _TURNS[action] if action in _TURNS else row.range[_LIMITS[action]]
            value = str(max(least, min(wanted, most)))
        if not value:
            return []
        self._stop_typing()
        self.menu = self._with_value(value)
        return [self._pick(value)]

    # The screen

    def compose(
        self, text: str, tone: str, names: Sequence[str], keys: KeyMap, canvas: Canvas
    ) -> Screen:
        """Compose the list, scrolled so that the selected row is seen."""
        rows = self.menu.rows
        below = compose_message(text, tone, canvas.columns)
        if any(row.disabled or row.help for row in rows):
            # There are always lines for the longest explanation of a row.
            helps = [wrapped(row.disabled or row.help, canvas.columns) for row in rows]
            lines = [span(line, Style.ASIDE) for line in helps[self._number]]
            below = [*lines, *[StyledLine()] * (max(map(len, helps)) - len(lines)), *below]
        shown = self.window(max(1, canvas.rows - 3 - len(below)))
        first = shown.start
        texts = self._texts(canvas)
        width = min(canvas.columns - 2, max((NARROWEST, *(text.width for text in texts))))
        lines = [_line(texts[each], width, self._style(each)) for each in shown]
        panel = Panel(self.menu.title, lines, width, first > 0, shown.stop < len(rows))
        screen, top, left = place_panel(panel, below, self._names(names), keys, canvas)
        columns = range(left, left + width)
        rows_of = [Spot(top + each - first, columns, each) for each in shown]
        screen.spots = (*screen.spots, *rows_of)
        if rows:
            place = left + width - texts[self._number].blanks if self.is_typing else left + 1
            screen.cursor = (top + self._number - first, place)
            screen.is_typing = self.is_typing
        return screen

    def lines(self, width: int, shown: range, canvas: Canvas, abreast: int = 1) -> list[StyledLine]:
        """Write these rows side by side in the given number of columns."""
        each = width // abreast
        texts = self._texts(canvas._replace(columns=each))
        rows = [_line(texts[n], each, self._style(n)) for n in shown]
        height = -(-len(rows) // abreast)
        rows += [span(" " * each, Style.ITEM)] * (height * abreast - len(rows))
        return [join(rows[place::height]) for place in range(height)]

    def window(self, count: int) -> range:
        """Return the numbers of the rows shown where `count` fit."""
        count = min(len(self.menu.rows), count)
        first = max(0, min(self._number - count // 2, len(self.menu.rows) - count))
        return range(first, first + count)

    def _names(self, names: Sequence[str]) -> Sequence[str]:
        """Say what can be done with the selected row."""
        row = self._row
        rest = [name for name in names if name not in {"choose", "drop"}]
        drop = ["drop"] if row.drop else []
        other = [row.other] if row.other else []
        if self.is_typing:
            return ["done", "back"]
        match row.kind:
            case RowKind.CHOICE:
                return ["change", *drop, *rest]
            case RowKind.NUMBER:
                return ["change", "type", *drop, *rest]
            case _:
                return [*(() if row.disabled else ["choose"]), *other, *drop, *rest]

    def _style(self, number: int) -> Style:
        row = self.menu.rows[number]
        if row.is_heading:
            return Style.HEADING
        if number == self._number:
            return Style.CHOSEN
        return Style.DISABLED if row.disabled else Style.ITEM

    def _texts(self, canvas: Canvas) -> list[_RowText]:
        room = canvas.columns - len(_MARK) - _SHORTEST_LABEL - 5
        rows = self.menu.rows
        figures = iter(align_right([row.figures for row in rows if row.figures], room))
        return [
            self._text(number, next(figures) if row.figures else "", canvas.columns)
            for number, row in enumerate(rows)
        ]

    def _text(self, number: int, figures: str, columns: int) -> _RowText:
        row = self.menu.rows[number]
        value = self._value if number == self._number else row.value
        if row.kind is RowKind.TEXT and (
            self.is_field or (number == self._number and self.is_typing)
        ):
            caret = len(value) if self._caret is None else self._caret
            return _field(row.label, value, caret if number == self._number else 0, columns)
        form = "< {} >" if row.is_turned else "{}"
        text = _RowText(row.label, form.format("  ".join(filter(None, (value, figures)))))
        if value and figures and text.width > columns - 2:
            text = _RowText(row.label, figures)
        # The label matters more than the value, so the end of the value is left out.
        while text.width > columns - 2 and ", " in value:
            value = value.rpartition(", ")[0]
            text = _RowText(row.label, form.format(value))
        return text


class _RowText(NamedTuple):
    """The text of a row, at its left and at its right end."""

    label: str
    value: str
    blanks: int = 0
    """Columns between the place of the next typed letter and the row's end."""

    @property
    def width(self) -> int:
        return len(self.label) + len(self.value) + len(_MARK) + (5 if self.value else 3)


def _field(label: str, text: str, caret: int, columns: int) -> _RowText:
    """Show a field to fill in: its text around the caret, as much as fits."""
    room = max(1, min(_FIELD, columns - len(label) - len(_MARK) - 9))
    first = max(0, caret - room + 1)
    shown = text[first : first + room]
    return _RowText(label, f"[{shown:{room}}]", 2 + room - (caret - first))


def _line(text: _RowText, width: int, style: Style) -> StyledLine:
    mark = _MARK if style is Style.CHOSEN else " " * len(_MARK)
    label = text.label if style is Style.HEADING else f"{mark}{text.label}"
    line = apart(span(f" {label}"), span(f"{text.value} " if text.value else ""), width)
    return span(line.text, style)


# The look of cells, beside the settings of looks

_PREVIEWED: Final = (
    (BoardStage.PLAYING, (0, 1, 2, 16, 16)),
    (BoardStage.PLAYING, (3, 4, 48, 16, 48)),
    (BoardStage.PLAYING, (5, 6, 7, 8, 16)),
    (BoardStage.ENDED, ()),
    (BoardStage.ENDED, (64, 96, 34, 192, 17)),
)
"""Faces of a game that is played, and of one that was lost."""


def add_preview(screen: Screen, canvas: Canvas) -> None:
    """Put a few cells beside a menu, if there is room."""
    shape = chosen_shape(canvas.looks.cells, has_tiles=canvas.has_tiles)
    preview = [
        line
        for number, (stage, faces) in enumerate(_PREVIEWED)
        for line in rows_of_cells(faces, number % 2, stage, canvas.symbols, shape) or [StyledLine()]
    ]
    lines = screen.lines
    top = next(number for number, line in enumerate(lines) if len(line))
    start = max(map(len, lines[top : top + len(preview)])) + _BESIDE
    has_room = top + len(preview) <= canvas.rows
    if has_room and start + max(map(len, preview)) <= canvas.columns:
        for row, line in enumerate(preview, top):
            lines[row] = lines[row].pad(start) + line
