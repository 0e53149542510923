"""The screens that are kept as they are: each a name and the terminal on which it is painted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status, all_faces
from jminesweeper.frames import ClassicFrame, paint_page
from jminesweeper.session import solvers
from jminesweeper.session.room_menu import EFFECTS, SERIES
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.inks import Painter
from jminesweeper.terminal.keys import KeyAction, KeyMap, Keystroke
from jminesweeper.terminal.layout import CellSize
from jminesweeper.terminal.looks import Canvas, ColourDepth, Ground, Looks, Palette
from tests.painted import PaintedTerminal
from tests.unit.terminal.examples import (
    ADA,
    DOORS,
    FIFTEEN,
    OVER_TOGETHER,
    PLAYING_TOGETHER,
    SHARED,
    SHEET,
    WATCHING_ROOM,
    members_of,
    room,
    seat,
    waiting_room,
)

Members = Mapping[str, Any]
Screen = tuple[Members, bytes]
"""The words of a server: members, and the faces of all cells."""

_FIGURES: Final = [
    ["time", "83.456 s"],
    ["3BV", "64 of 174, 1.23 a second"],
    ["openings", "9, islands 12"],
    ["clicks 88:", "70 left, 10 right, 8 chords"],
    ["efficiency", "72 %"],
    ["seed code", "JM1-7k3mz-0q2va-9rt4h"],
    ["not ranked:", "help used"],
]
_CLASSIC_KEYS = "wasd move  RETURN reveal  SPACE mark  TAB new  # debug  X quit"
_LABELS = {(9, 9): "beginner", (16, 16): "intermediate", (30, 16): "expert"}


# Games


def begun(columns: int, rows: int, mines: int, rules: str = "classic") -> Game:
    return Game(Setup.of(Size(columns, rows), mines, PRESETS[rules], seed=7))


def played(columns: int, rows: int, mines: int, rules: str = "classic") -> Game:
    """A game under way: a fifth of what is safe open, some flags, one of them wrong."""
    game = begun(columns, rows, mines, rules)
    game.reveal(Cell(columns // 2, rows // 2), 0)
    truth = game.reveal_truth()
    safe = list(game.grid.cells(truth.safe & ~game.visible))
    for cell in safe[:: max(5, len(safe) // 60)]:
        game.reveal(cell, 1_000)
    flagged = list(game.grid.cells(truth.mines))[:: max(3, mines // 20)]
    wrong = next(game.grid.cells(game.grid.mask & ~truth.mines & ~game.visible))
    for cell in (*flagged, wrong):
        game.flag(cell, 2_000)
    return game


def nearly_done() -> Game:
    """The largest board, of which only a corner is left."""
    game = begun(255, 255, 13_000)
    truth = game.reveal_truth()
    for cell in game.grid.cells(truth.mines):
        if cell.column < 200 or cell.row < 220:
            game.flag(cell)
    for cell in game.grid.cells(truth.safe):
        if cell.column < 200 or cell.row < 220:
            game.reveal(cell)
    return game


def lost(columns: int, rows: int, mines: int, rules: str = "classic") -> Game:
    game = played(columns, rows, mines, rules)
    unflagged = game.reveal_truth().mines & ~game.flagged
    game.reveal(next(game.grid.cells(unflagged)), 83_456)
    return game


def won(columns: int, rows: int, mines: int, rules: str = "classic") -> Game:
    game = begun(columns, rows, mines, rules)
    game.reveal(Cell(0, 0), 0)
    for cell in game.grid.cells(game.reveal_truth().safe):
        game.apply(Action(ActionKind.REVEAL, cell), 83_456)
    for cell in game.grid.cells(game.reveal_truth().mines & ~game.flagged):
        game.flag(cell, 83_456)
    return game


# What a server says of them

_MESSAGES: Final = {
    Status.ONGOING: None,
    Status.WON: {"id": "won", "text": "You won!", "tone": "good"},
    Status.LOST: {"id": "lost", "text": "You lost.", "tone": "bad"},
}


def screen_of(game: Game, cursor: tuple[int, int] = (3, 2), **more: Any) -> Screen:
    """Say all that a server says of a game."""
    view = game.view
    name = _LABELS.get((view.size.columns, view.size.rows), "custom")
    is_over = view.status.is_over
    members = members_of(
        view,
        label=f"{name} {view.size}",
        clock=83_456 if is_over else 7_000,
        aim=None if is_over else {"id": "aim.open", "text": "Open every safe cell."},
        message=_MESSAGES[view.status],
        figures=_FIGURES if is_over else [],
        cursor=[*cursor],
    )
    return {**members, **more}, all_faces(view)


_AIM: Final = {
    "id": "aim.learn",
    "text": "Where is it safe? Reveal a cell that cannot be a mine.",
}
_MESSAGE: Final = {"id": "long", "text": "a rather long message " * 5}
_SHARE: Final = [
    *_FIGURES[:2],
    ["seed code", "0000-0000-CTR9-Y63C-F2TP-ZAT1-Z107"],
    ["share", "JMinesweeper expert 2026-11-19: won in 1:24.1 2357853211"],
]


def _debugged(game: Game) -> Screen:
    members, _ = screen_of(game, remark=["debug", "assisted"])
    return members, all_faces(game.view, game.reveal_truth().mines)


def _hinted() -> Screen:
    text = "This 2 already has both its mines, so the cells around it are safe."
    hint = [row * 16 + column for column, row in ((9, 5), (5, 5), (6, 5), (5, 6))]
    return screen_of(played(16, 16, 40), (5, 5), hint=hint, message={"id": "hint", "text": text})


def _with_odds() -> Screen:
    game = played(16, 16, 40)
    covered = game.view.cells(game.view.covered & ~game.view.flagged)
    odds = [[cell.row * 16 + cell.column, (37 * place) % 101] for place, cell in enumerate(covered)]
    return screen_of(game, (5, 5), odds=odds)


def _row(label: str, **more: Any) -> Members:
    return {"id": label, "label": label, **more}


def _menu(title: str, rows: list[Members], selected: str = "", **more: Any) -> Screen:
    menu = {"id": title.lower(), "title": title, "rows": rows, "selected": selected}
    return {"menu": menu, "keys": ["choose", "back", "quit"], **more}, b""


_MAIN: Final = [
    _row("Continue", help="Back to the board."),
    _row("New game", value="expert 30x16, 99 mines", help="Choose a board, and begin."),
    _row("Board of the day", help="The same for everybody, once a day."),
    _row("Seed code"),
    _row("Saves", disabled="Nothing is saved here: the server does not know you."),
    _row("Records"),
    _row("Settings"),
    _row("Help"),
    _row("Quit", help="Your game waits for you."),
]
_SETTINGS: Final = [
    _row("Rules", kind="heading"),
    _row("Kind of game", kind="choice", value="classic", choices=["classic"], help="What wins."),
    _row("Custom mines", kind="number", value="99", range=[1, 479], help="1 to 479 on 30x16."),
    _row("This device", kind="heading"),
    _row("Name", kind="text", value="Ada", help="Shown beside your times."),
]
_LONG: Final = [_row(f"Saved game {number}") for number in range(1, 30)]
_SAVES: Final = [
    _row(name, figures=[board, share, clock, day], drop=True, help=f"{board}, {day}")
    for name, board, share, clock, day in (
        ("before the guess", "expert 30x16", "81 %", "4:31", "2026-11-18"),
        ("quick save", "easy 20x10", "7 %", "0:12", "2026-11-17"),
        ("a name as long as names may be: " * 2, "custom 100x50", "100 %", "73:05", "2026-09-01"),
    )
]
_PEOPLE: Final = [
    _row("Ada", value="intermediate no-guess 16x16", figures=["81 %", "room AB"], other="watch"),
    _row("Bob", value="no game"),
    _row("New game", value="easy 20x10, 10 mines, flag every mine"),
]
_QUESTION: Final = [
    _row("Save first", help="It continues where you left it."),
    _row("Give up", help="The game ends and counts as given up."),
    _row("Go on", help="The game continues."),
]


def _field(text: str) -> Screen:
    row = _row("Name", kind="text", value=text, help="Type another name, or take this one.")
    return _menu("Save", [row])


def _page(title: str, lines: list[Any], page_id: str = "page") -> Screen:
    page = {"id": page_id, "title": title, "lines": lines}
    return {"page": page, "keys": ["back", "quit"], "chords": True}, b""


_STATISTICS: Final = [
    "games played 47   won 23",
    "",
    {
        "head": ["", "played", "won", "lost", "rate", "best s", "mean s", "streak", "3BV/s"],
        "rows": [
            ["beginner", "31", "20", "9", "65 %", "6.812", "14.2", "3 of 7", "1.92"],
            ["expert", "12", "1", "11", "8 %", "131.077", "131.1", "0 of 1", "1.33"],
            ["easy 20x10, flag every mine", "1", "0", "1", "0 %", "", "", "0 of 0", ""],
        ],
    },
    "",
    "Rules are classic unless named.",
]
_COLUMNS: Final = "RETURN                     open; on a number: the rest"
_HELP: Final = [
    "Some cells hide a mine; all others are safe. Open a mine and you lose.",
    "A safe cell shows how many of the eight cells around it are mines.",
]


def _replayed() -> Screen:
    times = [1_000 * number for number in range(40)]
    text = "reveal (3,2): opens 1 cell"
    return screen_of(
        played(16, 16, 40),
        replay=times,
        position=17,
        clock=16_000,
        keys=["step", "back", "odds", "quit"],
        message={"id": "replay", "text": text},
        aim=None,
    )


# Rooms

CHOICES: Final = {
    "Board": "intermediate",
    "Columns": "255",
    "Rows": "255",
    "Mines": "9999",
    "A mine costs": max((text for texts in EFFECTS.values() for text in texts), key=len),
    "No-guess board": "off",
    "Players": "people and bots",
    "Solvers": max(solvers.CHOICES, key=len),
    "Who may come": "everybody",
    "Locked": "off",
    "Rounds": max(SERIES, key=len),
    "Begin now": "",
}
"""All that a host may choose, each with its longest value."""
_EVERY_CHOICE: Final[list[Members]] = [
    {"id": label, "kind": "choice", "label": label, "value": value, "choices": [value]}
    for label, value in CHOICES.items()
]
_MANY_CHOICES: Final = [_row(f"choice {number}") for number in range(40)]
_FRIENDS: Final = [seat(number, f"Player {number}") for number in range(1, 5)]
_LONG_NAMES: Final = [ADA, seat(2, "A name of twenty let", opened=250), seat(3, "Eve", opened=10)]
_GONE: Final = [
    seat(1, "Ada", place=1, time=41_200),
    seat(2, "Bob", opened=250, here=False),
    seat(3, "Cy", opened=500, gave_up=True),
]
_RESULT: Final[dict[str, Any]] = {"time": 18_820, "speed": 172, "efficiency": 85, "rating": "1658?"}
_TWELVE: Final = [
    *(seat(n, f"Player {n}", place=n, change=10 - n, **_RESULT) for n in range(1, 11)),
    seat(11, "Zoe", gave_up=True, rating="812", change=-158),
    seat(12, "Cy", opened=250),
]
_STARTING: Final[dict[str, Any]] = {
    "room": room(state="countdown"),
    "state": "starting",
    "starts_in": 3_000,
}
_SAID: Final = {"id": "said", "text": "A guest left " + "and " * 20}
_SERIES: Final = room(state="over", headline="Ada won.", series="round 2 of 5", share="A line")
_WATCHING: Final = {"watching": {"name": "Ada", "gone": False}, "keys": ["back", "quit"]}
_LEFT_ALONE: Final = {**_WATCHING, "watching": {"name": "Ada", "gone": True}}
_RACING: Final = ["reveal", "flag", "say", "give_up", "leave", "menu", "help", "quit"]


def _waiting(
    *seats: Members, sheet: Sequence[Members] = (), message: Members | None = None, **more: Any
) -> Screen:
    members = waiting_room(*seats, **more)
    return {**members, "sheet": [*sheet], "message": message}, b""


def _together(columns: int, rows: int, usual: Members = PLAYING_TOGETHER, **more: Any) -> Screen:
    """A race, or a board that is shared, on which nothing is opened yet."""
    return screen_of(begun(columns, rows, 10), **{"aim": None, **usual, **more})


def _over(columns: int = 9, rows: int = 9, **more: Any) -> Screen:
    return _together(columns, rows, OVER_TOGETHER, **more)


def _away(column: int, row: int) -> Screen:
    """A partner beyond the part of the board that fits."""
    return _together(60, 16, SHARED, cursors=[[1, row * 60 + column], [2, 0]], cursor=[0, 0])


# How they are painted


def _painted(
    screen: Callable[[], Screen],
    columns: int = 80,
    rows: int = 24,
    colours: ColourDepth = ColourDepth.INDEXED,
    *keys: KeyAction,
    has_unicode: bool = True,
    looks: Looks | None = None,
) -> PaintedTerminal:
    canvas = Canvas(columns, rows, colours, has_unicode, looks or Looks())
    viewer, painter = FrontEnd(canvas, KeyMap()), Painter(canvas)
    terminal = PaintedTerminal(columns, rows)
    viewer.apply_view(*screen(), None, 0.0)
    terminal.feed(painter.paint(viewer.screen(0.0), viewer.canvas))
    for key in keys:
        viewer.press(Keystroke(action=key), 0.0)
        terminal.feed(painter.paint(viewer.screen(0.0), viewer.canvas))
    return terminal


def _version_1(
    game: Callable[[], Game], *, is_debugged: bool = False
) -> Callable[[], PaintedTerminal]:
    def paint() -> PaintedTerminal:
        played_game = game()
        frame = ClassicFrame(played_game.grid, _CLASSIC_KEYS)
        mines = played_game.reveal_truth().mines if is_debugged else 0
        frame.show(played_game, mines)
        painted = PaintedTerminal(140)
        body = frame.without_cursor("JMinesweeper  easy  mines left 9  0:07", "")
        painted.show(body + frame.cursor_tail(Cell(3, 2)))
        return painted

    return paint


def _welcome() -> PaintedTerminal:
    painted = PaintedTerminal()
    painted.show(paint_page(["", "  JMinesweeper", "", "  TAB starts a game."]))
    return painted


NONE, SIXTEEN, INDEXED, TRUE = ColourDepth
EXPERT: Final = partial(screen_of, played(30, 16, 99))
INTERMEDIATE: Final = partial(screen_of, played(16, 16, 40))
LARGEST: Final = partial(screen_of, played(255, 255, 13_000), (120, 130))
_NARROW: Final = Looks(cells=CellSize.ONE)
_LIGHT: Final = Looks(ground=Ground.LIGHT)
_WHOLE: Final = KeyAction.OVERVIEW


def _of(
    screen: Callable[[], Screen], *arguments: Any, **options: Any
) -> Callable[[], PaintedTerminal]:
    return partial(_painted, screen, *arguments, **options)


SCENES: Final[Mapping[str, Callable[[], PaintedTerminal]]] = {
    "version-1-welcome": _welcome,
    "version-1-fresh": _version_1(lambda: begun(20, 10, 10, "jminesweeper")),
    "version-1-playing": _version_1(lambda: played(20, 10, 10, "jminesweeper")),
    "version-1-debug": _version_1(lambda: played(20, 10, 10, "jminesweeper"), is_debugged=True),
    "version-1-won": _version_1(lambda: won(20, 10, 10, "jminesweeper")),
    "version-1-lost": _version_1(lambda: lost(20, 10, 50, "jminesweeper")),
    "version-1-wide": _version_1(lambda: played(120, 10, 60, "jminesweeper")),
    "version-1-wide-debug": _version_1(
        lambda: played(120, 10, 60, "jminesweeper"), is_debugged=True
    ),
    "version-1-wide-lost": _version_1(lambda: lost(120, 10, 60, "jminesweeper")),
    "fresh-beginner": _of(lambda: screen_of(begun(9, 9, 10))),
    "fresh-beginner-ascii": _of(lambda: screen_of(begun(9, 9, 10)), has_unicode=False),
    "playing-expert": _of(EXPERT),
    "playing-expert-ascii": _of(EXPERT, has_unicode=False),
    "playing-expert-no-colour": _of(EXPERT, 80, 24, NONE),
    "playing-expert-true-colour": _of(EXPERT, 80, 24, TRUE),
    "playing-expert-sixteen": _of(EXPERT, 80, 24, SIXTEEN),
    "playing-expert-okabe-ito": _of(EXPERT, looks=Looks(Palette.OKABE_ITO)),
    "playing-expert-light": _of(EXPERT, looks=_LIGHT),
    "playing-expert-40x20": _of(EXPERT, 40, 20),
    "playing-intermediate-100x30": _of(INTERMEDIATE, 100, 30),
    "playing-beginner-200x60": _of(lambda: screen_of(played(9, 9, 10)), 200, 60),
    "playing-one-column": _of(INTERMEDIATE, looks=_NARROW),
    "flag-under-way": _of(INTERMEDIATE, 80, 24, INDEXED, KeyAction.FLAG),
    "playing-expert-60x24": _of(EXPERT, 60, 24),
    "playing-expert-120x30": _of(EXPERT, 120, 30),
    "playing-repeat-40x20": _of(lambda: screen_of(played(16, 16, 40), remark=["repeat"]), 40, 20),
    "won-repeat-40x20": _of(lambda: screen_of(won(16, 16, 40), remark=["repeat"]), 40, 20),
    "lost-assisted-64x20": _of(lambda: screen_of(lost(9, 9, 10), remark=["assisted"]), 64, 20),
    "lost-assisted-44x20": _of(lambda: screen_of(lost(9, 9, 10), remark=["assisted"]), 44, 20),
    "aim-40x12": _of(lambda: screen_of(begun(9, 9, 10), aim=_AIM), 40, 12),
    "aim-as-message": _of(lambda: screen_of(begun(9, 9, 10), aim=_AIM, message=_AIM)),
    "message-60x24": _of(lambda: screen_of(begun(9, 19, 10), message=_MESSAGE), 60, 24),
    "message-40x20": _of(lambda: screen_of(begun(9, 19, 10), message=_MESSAGE), 40, 20),
    "message-40x12": _of(lambda: screen_of(begun(9, 19, 10), message=_MESSAGE), 40, 12),
    "share": _of(lambda: screen_of(won(30, 16, 99), figures=_SHARE)),
    "share-100x30": _of(lambda: screen_of(won(30, 16, 99), figures=_SHARE), 100, 30),
    "share-beginner": _of(lambda: screen_of(won(9, 9, 10), figures=_SHARE)),
    "share-beginner-90x24": _of(lambda: screen_of(won(9, 9, 10), figures=_SHARE), 90, 24),
    "paused": _of(lambda: screen_of(played(30, 16, 99), state="paused")),
    "paused-overview": _of(
        lambda: screen_of(played(100, 60, 900), state="paused"), 80, 24, INDEXED, _WHOLE
    ),
    "hint": _of(_hinted),
    "hint-no-colour": _of(_hinted, 80, 24, NONE),
    "hint-one-column": _of(_hinted, looks=_NARROW),
    "odds": _of(_with_odds),
    "odds-sixteen": _of(_with_odds, 80, 24, SIXTEEN),
    "odds-one-column": _of(_with_odds, looks=_NARROW),
    "debug": _of(lambda: _debugged(played(16, 16, 40))),
    "debug-one-column": _of(lambda: _debugged(played(70, 16, 99))),
    "won-intermediate": _of(lambda: screen_of(won(16, 16, 40))),
    "won-expert-200x60": _of(lambda: screen_of(won(30, 16, 99)), 200, 60),
    "lost-expert": _of(lambda: screen_of(lost(30, 16, 99))),
    "lost-expert-ascii-no-colour": _of(
        lambda: screen_of(lost(30, 16, 99)), 80, 24, NONE, has_unicode=False
    ),
    "lost-one-column": _of(lambda: screen_of(lost(70, 16, 99))),
    "lost-intermediate-100x30": _of(lambda: screen_of(lost(16, 16, 40)), 100, 30),
    "lost-beginner-40x12": _of(lambda: screen_of(lost(9, 9, 10)), 40, 12),
    "wide-60x16": _of(lambda: screen_of(played(60, 16, 150))),
    "largest-80x24": _of(LARGEST),
    "largest-100x30": _of(LARGEST, 100, 30),
    "largest-corner-80x24": _of(lambda: screen_of(played(255, 255, 13_000), (254, 254))),
    "largest-40x12": _of(lambda: screen_of(played(255, 255, 13_000), (0, 254)), 40, 12),
    "largest-ascii-40x12": _of(LARGEST, 40, 12, has_unicode=False),
    "overview": _of(lambda: screen_of(nearly_done(), (180, 230)), 80, 24, INDEXED, _WHOLE),
    "overview-playing": _of(LARGEST, 80, 24, INDEXED, _WHOLE),
    "figures": _of(lambda: screen_of(lost(30, 16, 99)), 80, 24, INDEXED, KeyAction.FIGURES),
    "overview-ascii": _of(
        lambda: screen_of(nearly_done(), (180, 230)), 80, 24, NONE, _WHOLE, has_unicode=False
    ),
    "smallest-board": _of(lambda: screen_of(begun(1, 1, 1), (0, 0))),
    "too-small": _of(lambda: screen_of(played(9, 9, 10)), 39, 11),
    "too-low": _of(lambda: screen_of(played(9, 9, 10)), 80, 11),
    "too-small-8x3": _of(lambda: screen_of(played(9, 9, 10)), 8, 3),
    "too-small-8x1": _of(lambda: screen_of(played(9, 9, 10)), 8, 1),
    "one-place": _of(lambda: screen_of(played(9, 9, 10)), 1, 1),
    "replay": _of(_replayed),
    "waiting": _of(_waiting),
    "waiting-40x20": _of(_waiting, 40, 20),
    "waiting-40x12": _of(lambda: _waiting(doors=DOORS), 40, 12),
    "waiting-message-40x12": _of(lambda: _waiting(message=_SAID, doors=DOORS), 40, 12),
    "waiting-full-40x12": _of(lambda: _waiting(*FIFTEEN), 40, 12),
    "waiting-full-80x18": _of(lambda: _waiting(*FIFTEEN), 80, 18),
    "waiting-host": _of(lambda: _waiting(*_FRIENDS, sheet=_EVERY_CHOICE, doors=DOORS, host=2)),
    "waiting-host-second-column": _of(
        lambda: _waiting(*_FRIENDS, sheet=_EVERY_CHOICE, host=2),
        *(80, 24, INDEXED, *[KeyAction.DOWN] * 6),
    ),
    "waiting-host-100x30": _of(lambda: _waiting(sheet=SHEET), 100, 30),
    "waiting-host-40x20": _of(lambda: _waiting(sheet=SHEET), 40, 20),
    "waiting-host-40x12": _of(lambda: _waiting(sheet=_MANY_CHOICES), 40, 12),
    "waiting-host-end": _of(lambda: _waiting(sheet=_MANY_CHOICES), 80, 24, INDEXED, KeyAction.UP),
    "waiting-watched": _of(lambda: ({**_waiting(you=0)[0], **WATCHING_ROOM}, b"")),
    "waiting-leaving": _of(_waiting, 80, 24, INDEXED, KeyAction.BACK),
    "countdown": _of(lambda: _together(9, 9, **_STARTING)),
    "countdown-100x30": _of(lambda: _together(9, 9, **_STARTING), 100, 30),
    "countdown-40x20": _of(lambda: _together(9, 9, **_STARTING), 40, 20),
    "race": _of(lambda: _together(9, 9)),
    "race-120x24": _of(lambda: _together(9, 9), 120, 24),
    "race-72x24": _of(lambda: _together(9, 9), 72, 24),
    "race-expert": _of(lambda: _together(30, 16, seats=_GONE)),
    "race-expert-100x30": _of(lambda: _together(30, 16), 100, 30),
    "race-expert-40x20": _of(lambda: _together(30, 16, seats=_LONG_NAMES), 40, 20),
    "race-expert-40x12": _of(lambda: _together(30, 16, seats=_GONE, blocked=10_000), 40, 12),
    "race-blocked-one-column": _of(lambda: _together(30, 16, blocked=10_000), 40, 24),
    "race-long-names": _of(lambda: _together(30, 16, seats=_LONG_NAMES)),
    "race-full": _of(lambda: _together(30, 16, seats=FIFTEEN)),
    "race-full-100x30": _of(lambda: _together(30, 16, seats=FIFTEEN), 100, 30),
    "race-full-40x12": _of(lambda: _together(30, 16, seats=FIFTEEN, room=room(you=14)), 40, 12),
    "race-full-blocked-40x12": _of(lambda: _together(30, 16, seats=FIFTEEN, blocked=9), 40, 12),
    "race-message-40x12": _of(lambda: _together(30, 16, message=_MESSAGE), 40, 12),
    "race-alone": _of(lambda: _together(9, 9, seats=[])),
    "race-40x12": _of(lambda: _together(9, 9, keys=_RACING), 40, 12),
    "race-leaving": _of(lambda: _together(9, 9), 80, 24, INDEXED, KeyAction.BACK),
    "race-watched": _of(lambda: ({**PLAYING_TOGETHER, "room": room(you=0), **WATCHING_ROOM}, b"")),
    "race-watched-40x12": _of(
        lambda: ({"room": room(you=0), "seats": FIFTEEN, **WATCHING_ROOM}, b""), 40, 12
    ),
    "result": _of(_over),
    "result-won": _of(lambda: _over(message={"id": "won", "text": "You won!"})),
    "result-board": _of(_over, 120, 24, INDEXED, KeyAction.BACK),
    "result-of-host": _of(
        lambda: _over(room={**OVER_TOGETHER["room"], "you": 1}, keys=["ready", "menu"])
    ),
    "result-of-twelve": _of(lambda: _over(seats=_TWELVE)),
    "result-of-series": _of(lambda: _over(room=_SERIES, starts_in=13_000)),
    "result-of-series-board": _of(
        lambda: _over(room=_SERIES, starts_in=13_000), 80, 24, INDEXED, KeyAction.BACK
    ),
    "result-40x12": _of(lambda: _over(seats=FIFTEEN[:8]), 40, 12),
    "shared": _of(
        lambda: _together(
            *(30, 16, SHARED),
            cursors=[[1, 3], [2, 62]],
            owners=[[63, 1]],
            lives=2,
            watchers=3,
        )
    ),
    "shared-40x20": _of(lambda: _together(30, 16, SHARED, cursors=[[1, 63], [2, 62]]), 40, 20),
    "shared-blocked-40x12": _of(lambda: _together(30, 16, SHARED, blocked=10_000, lives=1), 40, 12),
    "shared-away-right": _of(lambda: _away(59, 0), 40, 12),
    "shared-away-below": _of(lambda: _away(0, 15), 40, 12),
    "shared-away-corner": _of(lambda: _away(59, 15), 40, 12),
    "looking": _of(lambda: screen_of(begun(9, 9, 10), looking="beginner 9x9")),
    "rivals": _of(
        lambda: _together(
            9, 9, seats=[*PLAYING_TOGETHER["seats"], _GONE[2]], state="won", keys=["rivals"]
        )
    ),
    "watching": _of(lambda: _together(30, 16, _WATCHING)),
    "watching-gone-40x20": _of(lambda: _together(30, 16, _LEFT_ALONE), 40, 20),
    "menu": _of(lambda: _menu("JMinesweeper", _MAIN)),
    "menu-ascii-no-colour": _of(
        lambda: _menu("JMinesweeper", _MAIN, "Saves"), 80, 24, NONE, has_unicode=False
    ),
    "menu-200x60": _of(lambda: _menu("JMinesweeper", _MAIN), 200, 60),
    "menu-scrolled": _of(lambda: _menu("Saves", _LONG, "Saved game 20")),
    "menu-40x12": _of(lambda: _menu("Saves", _LONG, "Saved game 29"), 40, 12),
    "settings": _of(lambda: _menu("Settings", _SETTINGS, "Custom mines")),
    "settings-40x20": _of(lambda: _menu("Settings", _SETTINGS), 40, 20),
    "saves": _of(lambda: _menu("Saves", _SAVES)),
    "saves-40x12": _of(lambda: _menu("Saves", _SAVES, _SAVES[2]["id"]), 40, 12),
    "saves-ascii-no-colour": _of(lambda: _menu("Saves", _SAVES), 80, 24, NONE, has_unicode=False),
    "settings-larger-cells": _of(
        lambda: _menu("Settings", _SETTINGS, "Name"),
        *(80, 24, INDEXED, *[KeyAction.DOWN] * 3, *[KeyAction.RIGHT] * 3),
    ),
    "settings-60x24": _of(lambda: _menu("Settings", _SETTINGS), 60, 24),
    "people": _of(lambda: _menu("People", _PEOPLE)),
    "people-40x12": _of(lambda: _menu("People", _PEOPLE), 40, 12),
    "question": _of(lambda: _menu("Give up this game?", _QUESTION)),
    "question-40x12": _of(lambda: _menu("Give up this game?", _QUESTION), 40, 12),
    "field": _of(lambda: _field("before the guess")),
    "field-edited": _of(lambda: _field("abc"), 80, 24, INDEXED, KeyAction.REVEAL, KeyAction.LEFT),
    "field-40x12": _of(lambda: _field("before the last guess, which was hard"), 40, 12),
    "field-ascii-no-colour": _of(lambda: _field(""), 80, 24, NONE, has_unicode=False),
    "statistics": _of(lambda: _page("Statistics", _STATISTICS)),
    "statistics-40x20": _of(lambda: _page("Statistics", _STATISTICS), 40, 20),
    "columns-40x12": _of(lambda: _page("Keys", [_COLUMNS]), 40, 12),
    "help-without-chords": _of(lambda: ({**_page("Help", _HELP, "help")[0], "chords": False}, b"")),
    "help": _of(lambda: _page("Help", _HELP, "help")),
    "help-40x12": _of(lambda: _page("Help", _HELP, "help"), 40, 12),
    "help-end-ascii": _of(
        lambda: _page("Help", _HELP, "help"), 80, 24, INDEXED, KeyAction.ROW_END, has_unicode=False
    ),
}
