"""Views, as a server sends them, and viewers that were shown them, in a line."""

from __future__ import annotations

from typing import Any

from jminesweeper.core.game import Game
from jminesweeper.core.notation import parse_position
from jminesweeper.core.view import PlayerView, Status, all_faces
from jminesweeper.protocol.packets import Packet
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.keys import Click, KeyAction, KeyMap, Keystroke, Press
from jminesweeper.terminal.looks import Canvas, ColourDepth, Looks

PLAYING = ["reveal", "flag", "help", "menu", "undo", "hint", "pause", "quit", "next", "odds"]
OVER = ["new", "again", "figures", "help", "menu", "replay", "quit", "analysis", "export", "undo"]
STATES = {
    Status.ONGOING: "playing",
    Status.WON: "won",
    Status.LOST: "lost",
    Status.TERMINATED: "given up",
}
Members = dict[str, Any]


def members_of(view: PlayerView, **more: Any) -> Members:
    """Say what a server says of a game."""
    return {
        "size": [view.size.columns, view.size.rows],
        "state": STATES[view.status],
        "label": "a game",
        "mines": view.mine_count,
        "left": view.mines_left,
        "chords": True,
        "clock": 0,
        "keys": OVER if view.status.is_over else PLAYING,
        **more,
    }


def view_of(position: str | Game) -> PlayerView:
    return parse_position(position, 1) if isinstance(position, str) else position.view


class Seen:
    """A viewer, what it sent, and the time."""

    def __init__(
        self,
        position: str | Game = "? ?",
        *,
        columns: int = 80,
        rows: int = 24,
        colours: ColourDepth = ColourDepth.NONE,
        has_unicode: bool = False,
        looks: Looks | None = None,
        debug_mines: int = 0,
        **more: Any,
    ) -> None:
        canvas = Canvas(columns, rows, colours, has_unicode, looks or Looks())
        self.viewer = FrontEnd(canvas, KeyMap())
        self.now_s = 0.0
        self.sent: list[Packet] = []
        self.hear(position, debug_mines=debug_mines, **more)

    def hear(self, position: str | Game, *, debug_mines: int = 0, **more: Any) -> None:
        """Take a view of a game."""
        view = view_of(position)
        self.take(members_of(view, **more), all_faces(view, debug_mines))

    def take(self, members: Members, cells: bytes = b"", answers: Packet | None = None) -> None:
        """Take what a server says."""
        self.viewer.take(members, cells, answers, self.now_s)

    def press(self, *actions: KeyAction) -> list[Packet]:
        """Press keys; return what that sends."""
        return self._note([Keystroke(action=action) for action in actions])

    def type(self, text: str) -> list[Packet]:
        """Type letters."""
        return self._note([Keystroke(letter) for letter in text])

    def click(self, row: int, column: int, press: Press = Press.OPEN) -> list[Packet]:
        """Press somewhere on the screen that is shown now."""
        self.viewer.screen(self.now_s)
        return self._note([Keystroke(click=Click(row, column, press))])

    def _note(self, strokes: list[Keystroke]) -> list[Packet]:
        packets = [packet for stroke in strokes for packet in self.viewer.press(stroke, self.now_s)]
        self.sent += packets
        return packets

    @property
    def lines(self) -> list[str]:
        return [line.text.rstrip() for line in self.viewer.screen(self.now_s).lines]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def field(self) -> list[str]:
        """The lines between those of the frame."""
        rows = [line.strip() for line in self.lines]
        edges = [place for place, row in enumerate(rows) if row[:1] in {"+", "╭", "╰"}]
        return rows[edges[0] + 1 : edges[1]]

    def find(self, text: str) -> tuple[int, int]:
        """Return the row and column where a text starts."""
        row = next(place for place, line in enumerate(self.lines) if text in line)
        return row, self.lines[row].index(text)

    def styles_of(self, text: str) -> list[int]:
        """Return the styles of the first place where a text is shown."""
        row, column = self.find(text)
        styles = self.viewer.screen(self.now_s).lines[row].styles
        return list(styles[column : column + len(text)])
