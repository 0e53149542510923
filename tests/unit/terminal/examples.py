"""Views, as a server sends them, and viewers that were shown them, in a line."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from jminesweeper.core.game import Game
from jminesweeper.core.view import PlayerView, Status, all_faces, parse_position
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
PRESSES = {
    "": Press.OPEN,
    "flag": Press.FLAG,
    "chord": Press.CHORD,
    "up": Press.WHEEL_UP,
    "down": Press.WHEEL_DOWN,
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
        self.viewer.apply_view(members, cells, answers, self.now_s)

    def press(self, *actions: KeyAction) -> list[Packet]:
        """Press keys; return what that sends."""
        return self._note([Keystroke(action=action) for action in actions])

    def do(self, steps: str) -> list[Packet]:
        """Take steps such as `right =ab @Play flag@Play`: keys, letters, clicks on words."""
        return [packet for step in shlex.split(steps) for packet in self._step(step)]

    def _step(self, step: str) -> list[Packet]:
        press, is_click, place = step.partition("@")
        if is_click:
            return self.click(*self.find(place), PRESSES[press])
        if step.startswith("="):
            return self.type(step[1:])
        return self.press(KeyAction(step))

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


# Rooms

BEGINNER = "\n".join(["? ? ? ? ? ? ? ? ?"] * 9)
EXPERT = "\n".join([" ".join("?" * 30)] * 16)
KEYS = ["reveal", "flag", "say", "leave", "menu", "help", "quit"]
WAITING = ["ready", "leave", "say", "menu", "help", "quit"]


def room(**members: Any) -> Members:
    """Say what a server says of a room."""
    usual = {"code": "KTPQAH", "kind": "race", "state": "running", "label": "beginner 9x9"}
    return {**usual, "mine": "penalty", "host": 1, "you": 2, "bots": True, **members}


def seat(number: int, name: str, **members: Any) -> Members:
    return {"number": number, "name": name, "colour": number - 1, "here": True, **members}


ADA, BOB = seat(1, "Ada", opened=667), seat(2, "Bob", opened=250, hits=1)
FIFTEEN = [seat(number, f"Player {number}", opened=number) for number in range(1, 16)]
PLAYING_TOGETHER: Members = {"room": room(), "seats": [ADA, BOB], "keys": KEYS}
SHARED: Members = {**PLAYING_TOGETHER, "room": room(kind="shared", mine="life")}
OVER_TOGETHER: Members = {
    "room": room(state="over", headline="Ada won the race.", score="you 1 : 2 Ada"),
    "seats": [
        seat(1, "Ada", opened=1000, place=1, time=18_820, speed=172, efficiency=85),
        seat(2, "Bob", opened=250, hits=1),
    ],
    "keys": ["ready", "replay", "leave"],
}
DOORS = {"host": "192.0.2.5", "port": 9999, "page": "http://192.0.2.5:9999/", "ssh": "SHA256:x"}
WATCHING_ROOM: Members = {
    "watching": {"name": "room KTPQAH", "gone": False},
    "state": None,
    "keys": ["back", "quit"],
}
SHEET: list[Members] = [
    {"id": "board", "kind": "choice", "label": "Board", "value": "expert", "choices": ["a", "b"]},
    {"id": "columns", "kind": "number", "label": "Columns", "value": "9", "range": [1, 255]},
    {"id": "begin", "label": "Begin now"},
]


def waiting_room(*seats: Mapping[str, Any], **members: Any) -> Members:
    """Say what a server says before a round."""
    usual = seat(1, "Ada", ready=True), seat(2, "Bob")
    here = {"room": room(state="waiting", **members), "keys": WAITING, "state": None}
    return {**here, "seats": [*(seats or usual)]}
