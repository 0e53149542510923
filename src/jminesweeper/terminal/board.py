"""A board before a player: the cursor, the part that is seen, and presses under way.

Moving sends nothing; where the cursor rests is noted later. What acts on a cell names the cell, and
how it looked: so what is hit is what was seen, however long a reply takes. What is pressed is shown
at once, until the reply says what came of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import CLUE, COVERED, FLAGGED, MINED, QUESTIONED
from jminesweeper.protocol import packets
from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import SAME_BOARD, Button, Command, LookBackAt
from jminesweeper.terminal.field import FLAGGING, SUNK
from jminesweeper.terminal.keys import Click, KeyAction, Press
from jminesweeper.terminal.layout import Layout, Window
from jminesweeper.terminal.view import PAUSED, GameView

_ALL: Final = 255
STEPS: Final[Mapping[KeyAction, tuple[int, int]]] = {
    KeyAction.LEFT: (-1, 0),
    KeyAction.RIGHT: (1, 0),
    KeyAction.UP: (0, -1),
    KeyAction.DOWN: (0, 1),
    KeyAction.ROW_START: (-_ALL, 0),
    KeyAction.ROW_END: (_ALL, 0),
    KeyAction.PAGE_UP: (0, -10),
    KeyAction.PAGE_DOWN: (0, 10),
    KeyAction.JUMP_LEFT: (-5, 0),
    KeyAction.JUMP_RIGHT: (5, 0),
    KeyAction.JUMP_UP: (0, -5),
    KeyAction.JUMP_DOWN: (0, 5),
}
PRESSES: Final[Mapping[KeyAction, Button]] = {
    KeyAction.REVEAL: Button.REVEAL,
    KeyAction.FLAG: Button.FLAG,
    KeyAction.CHORD: Button.CHORD,
    KeyAction.FLAG_AROUND: Button.FLAG_AROUND,
}
"""Keys that act on the cell under the cursor."""
_AT_THE_CURSOR: Final[Mapping[KeyAction, Callable[[Cell], Packet]]] = {
    KeyAction.HINT: lambda cell: packets.Hint(*cell),
    KeyAction.ODDS: lambda cell: packets.Odds(*cell),
    KeyAction.NEXT: lambda cell: packets.Seek(*cell),
}
_SENDS: Final[Mapping[KeyAction, Packet]] = {
    KeyAction.UNDO: packets.Undo(1),
    KeyAction.REDO: packets.Undo(0),
    KeyAction.PAUSE: Command.PAUSE,
    **dict.fromkeys((KeyAction.MENU, KeyAction.BACK), packets.OpenMenu("")),
    KeyAction.PEOPLE: packets.OpenMenu("people"),
    KeyAction.HELP: packets.OpenMenu("help"),
    KeyAction.LOAD: packets.OpenMenu("saves"),
    KeyAction.SAVE: packets.Save(""),
    KeyAction.NEW: packets.NewGame(),
    KeyAction.AGAIN: packets.NewGame(SAME_BOARD),
    KeyAction.REPLAY: packets.LookBack(LookBackAt.REPLAY),
    KeyAction.ANALYSIS: packets.LookBack(LookBackAt.ANALYSIS),
    KeyAction.EXPORT: packets.LookBack(LookBackAt.RECORDING),
    KeyAction.DEBUG: Command.TOGGLE_DEBUG_MODE,
}
_CLASSIC: Final = packets.NewGame("beginner")
_CLICKS: Final[Mapping[Press, Button]] = {
    Press.OPEN: Button.REVEAL,
    Press.FLAG: Button.FLAG,
    Press.CHORD: Button.CHORD,
}
_FLAGS: Final = frozenset({Button.FLAG, Button.FLAG_AROUND})
"""Buttons that open nothing."""
_WHEEL_ROWS = 3
_COUNTED: Final = frozenset(
    face for face in range(256) if face & FLAGGED or (face & MINED and not face & COVERED)
)
"""Faces that a number counts: flags, and mines that were hit and did not end the game."""
NOTE_S: Final = 1.0
"""Seconds that the cursor rests before the server notes it, for a game that is resumed."""
SHOWN_S: Final = 0.1
"""Seconds between two moves that others on the same board see."""


class _Unanswered(NamedTuple):
    """A button that was pressed on a cell; None once there is another board."""

    cell: Cell | None
    button: Button
    flagged: frozenset[Cell] = frozenset()
    """Visible cells that get a flag by it."""


class Board:
    """The local side of a board; `note_s` is when the server should hear of the cursor."""

    def __init__(self) -> None:
        self.cursor = Cell(0, 0)
        self.window = Window()
        self.note_s: float | None = None
        self._noted = Cell(0, 0)
        self._followed: Cell | None = None
        """The cursor that the window followed last."""
        self._unanswered: deque[_Unanswered] = deque()
        self.is_flag_for_around = False
        """A flag on a number is meant for the cells around it."""

    # From the server

    def apply_view(self, view: GameView, changed: frozenset[str], answers: Packet | None) -> None:
        """Follow what the server says about cursor, board and presses."""
        if isinstance(answers, packets.Act) and self._unanswered:
            self._unanswered.popleft()
        if "size" in changed:
            self.cursor, self._followed = Cell(0, 0), None
            self._unanswered = deque(_Unanswered(None, each.button) for each in self._unanswered)
        if view.cursor is not None:
            self.cursor = self._noted = view.cursor
            self.note_s = None

    def forget_presses(self) -> None:
        """Show the board as the server last said: no answer will come."""
        self._unanswered.clear()

    # From the player

    def press(
        self, action: KeyAction, view: GameView, layout: Layout, now_s: float
    ) -> list[Packet] | None:
        """Return what to send for a key; None for a key that means nothing to a board."""
        if action in STEPS:
            self._move(view, layout, *STEPS[action], now_s)
            return []
        if action in PRESSES and view.is_playing:
            return self._act(view, self.cursor, PRESSES[action])
        if action is KeyAction.REVEAL and "classic" in view.keys:
            return [_CLASSIC]
        if action in _AT_THE_CURSOR:
            return [_AT_THE_CURSOR[action](self.cursor)]
        return [_SENDS[action]] if action in _SENDS else None

    def go_to(self, cell: Cell, view: GameView) -> bool:
        """Put the cursor on a cell, if there is one."""
        is_there = cell.column < view.size.columns and cell.row < view.size.rows
        self.cursor = cell if is_there else self.cursor
        return is_there

    def click(
        self, click: Click, cell: Cell | None, view: GameView, layout: Layout, now_s: float
    ) -> list[Packet]:
        """Return what to send for a press on a cell, or for a turn of the wheel."""
        if click.press in {Press.WHEEL_UP, Press.WHEEL_DOWN}:
            rows = _WHEEL_ROWS if click.press is Press.WHEEL_DOWN else -_WHEEL_ROWS
            self._move(view, layout, 0, rows, now_s)
        elif cell is not None and view.is_playing:
            self.cursor = cell
            return self._act(view, cell, _CLICKS[click.press])
        return []

    def is_opening(self, view: GameView, cell: Cell | None) -> bool:
        """Return True if a cell was pressed, and the reply that opens it is under way."""
        if cell is None or not view.face(cell) & COVERED:
            return False
        return any(each.cell == cell and each.button not in _FLAGS for each in self._unanswered)

    def note(self, view: GameView) -> list[Packet]:
        """Tell the server where the cursor rests."""
        self.note_s = None
        if not view.is_playing or self.cursor == self._noted:
            return []
        self._noted = self.cursor
        return [packets.MoveTo(*self.cursor)]

    def follow(self, view: GameView, layout: Layout) -> None:
        """Move the window to where the cursor is; after the end it stays where it was moved to."""
        is_live = view.is_playing or view.replay is not None
        if is_live or self.cursor != self._followed:
            self.window = layout.follow(self.window, self.cursor)
            self._followed = self.cursor
        self.window = layout.pan(self.window, 0, 0)

    def _move(self, view: GameView, layout: Layout, columns: int, rows: int, now_s: float) -> None:
        """Move the cursor, stopping at the edge; once the game is over, look around."""
        if view.is_playing:
            size = view.size
            column = min(max(self.cursor.column + columns, 0), size.columns - 1)
            row = min(max(self.cursor.row + rows, 0), size.rows - 1)
            self.cursor = Cell(column, row)
            if not (view.is_shared or view.watchers):
                self.note_s = now_s + NOTE_S
            elif self.note_s is None:
                self.note_s = now_s + SHOWN_S
            self.follow(view, layout)
        elif view.state != PAUSED:
            self.window = layout.pan(self.window, columns, rows)

    def look_at(self, cell: Cell, view: GameView, layout: Layout) -> None:
        """Go on at a cell; once the game is over, look there."""
        if view.is_playing:
            self.cursor = cell
            self.follow(view, layout)
        else:
            middle = cell.column - layout.window_columns // 2, cell.row - layout.window_rows // 2
            self.window = layout.pan(Window(), *middle)

    def _act(self, view: GameView, cell: Cell, button: Button) -> list[Packet]:
        seen = self._seen(view, cell)
        if button == Button.FLAG and self.is_flag_for_around and not seen & COVERED:
            button = Button.FLAG_AROUND
        flagged = frozenset[Cell]()
        if button == Button.FLAG_AROUND and not view.face(cell) & COVERED:
            # The cells around a number that must be mines and have no flag yet.
            faces = {each: self._seen(view, each) for each in view.around(cell) if each != cell}
            marked = sum(face in _COUNTED for face in faces.values())
            left = {each for each, face in faces.items() if face & COVERED and not face & FLAGGED}
            if len(left) == (view.face(cell) & CLUE) - marked:
                flagged = frozenset(left)
        self._unanswered.append(_Unanswered(cell, button, flagged))
        self._noted, self.note_s = cell, None
        return [packets.Act(*cell, button, seen)]

    # What was pressed

    def _seen(self, view: GameView, cell: Cell) -> int:
        """Return a cell's face with the flags that are under way."""
        face = view.face(cell)
        for each in self._unanswered:
            if each.cell == cell and each.button == Button.FLAG and face & COVERED:
                if face & FLAGGED:
                    face = face & ~FLAGGED | (QUESTIONED if view.questions else 0)
                else:
                    face = face & ~CLUE if face & CLUE == QUESTIONED else face | FLAGGED
            elif cell in each.flagged:
                face |= FLAGGED
        return face

    def waiting(self, view: GameView) -> Mapping[Cell, int]:
        """Return what cells show until the reply: a pressed tile sinks, a flag is dim.

        Once the game is over, presses under way change nothing: they must not hide its end.
        """
        shown: dict[Cell, int] = {}
        if not view.is_playing:
            return shown
        for cell, button, flagged in self._unanswered:
            shown |= dict.fromkeys(flagged, FLAGGING)
            if cell is None or button == Button.FLAG_AROUND:
                continue
            if button == Button.FLAG:
                face = self._seen(view, cell)
                shown[cell] = FLAGGING if face & FLAGGED else face
                continue
            # The tile that is pressed, or those around a number that has its flags.
            face = view.face(cell)
            pressed = [cell] if face & COVERED else [*view.around(cell)]
            flags = sum(self._seen(view, each) in _COUNTED for each in pressed)
            if face & COVERED or (view.chords and flags == face & CLUE):
                for each in pressed:
                    if view.face(each) & COVERED and not self._seen(view, each) & FLAGGED:
                        shown[each] = SUNK
        return shown
