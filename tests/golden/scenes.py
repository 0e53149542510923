"""The screens that are kept as they are: each a name and the terminal on which it is painted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.frames.frame import ClassicFrame, paint_page
from jminesweeper.screen.models import (
    CellSize,
    ColourDepth,
    GameScreen,
    Listing,
    MenuItem,
    MenuScreen,
    Message,
    PageScreen,
    Palette,
    ScreenModel,
    Taste,
    Terminal,
    Tone,
    Typing,
)
from jminesweeper.screen.painter import AnsiPainter
from tests.golden.terminal import PaintedTerminal

KEYS: Final = (
    ("RETURN", "reveal"),
    ("SPACE", "flag"),
    ("?", "help"),
    ("m", "menu"),
    ("u", "undo"),
    ("i", "hint"),
    ("p", "pause"),
    ("x", "quit"),
)
_FIGURES: Final = (
    "Time 1:23.456",
    "3BV 174, solved 37 %",
    "3BV/s 1.23",
    "Clicks 88 (70 + 10 + 8)",
    "Efficiency 72 %",
    "Openings 9",
    "Islands 12",
)
_CURSOR: Final = Cell(3, 2)
_AS_IT_IS: Final = Taste()
_CLASSIC_KEYS = "wasd move  RETURN reveal  SPACE mark  TAB new  # debug  X quit"
_LABELS = {(9, 9): "beginner", (16, 16): "intermediate", (30, 16): "expert"}


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


_ENDS: Final[Mapping[Status, tuple[str, Message]]] = {
    Status.ONGOING: ("", Message("Reveal every cell that holds no mine.")),
    Status.WON: ("WON", Message("You have won! TAB plays again.", Tone.GOOD)),
    Status.LOST: ("LOST", Message("You have lost. TAB plays again.", Tone.BAD)),
}


def screen_of(game: Game, cursor: Cell = _CURSOR) -> GameScreen:
    """The whole screen of a game, as a session would describe it."""
    view = game.view
    state, message = _ENDS[view.status]
    name = _LABELS.get((view.size.columns, view.size.rows), "custom")
    return GameScreen(
        view=view,
        cursor=cursor,
        label=f"{name} {view.size}",
        elapsed_ms=83_456 if view.status.is_over else 7_000,
        message=message,
        state=state,
        solved_share=0.0 if not view.visible else 0.37,
        clock_runs=not view.status.is_over,
        summary=_FIGURES if view.status.is_over else (),
        keys=KEYS,
    )


MENU: Final = MenuScreen(
    "Settings",
    [
        MenuItem("Board", "expert", is_adjustable=True, note="What the next game is played on."),
        MenuItem("Columns", "30", is_adjustable=True),
        MenuItem("Rows", "16", is_adjustable=True, is_enabled=False),
        MenuItem("Statistics", "12 games"),
        *(MenuItem(f"Saved game {number}") for number in range(1, 30)),
    ],
    0,
    Message("Settings are kept.", Tone.GOOD),
    (("RETURN", "choose"), ("ESC", "back"), ("x", "quit")),
)
PAGE: Final = PageScreen(
    "Help",
    [
        "Minesweeper is played on a field of covered cells.",
        "",
        *(f"  {key:<8}{action}" for key, action in KEYS),
        *(f"Rule {number}: look at the numbers before you reveal." for number in range(1, 20)),
    ],
    4,
    Message(),
    (("UP/DOWN", "scroll"), ("ESC", "back")),
)


SAVES: Final = MenuScreen(
    "Load",
    [
        MenuItem(
            name,
            note=f"{name}: {board}, {share}, {clock}, {day}",
            figures=(board, share, clock, day),
        )
        for name, board, share, clock, day in (
            ("before the guess", "expert 30x16", "81 %", "4:31", "2026-11-18"),
            ("quick save", "easy 20x10", "7 %", "0:12", "2026-11-17"),
            (
                "a name as long as names may be: " * 2,
                "custom 100x50",
                "100 %",
                "73:05",
                "2026-09-01",
            ),
        )
    ],
    0,
    Message("old one is deleted.", Tone.GOOD),
    (("RETURN", "choose"), ("DEL", "delete"), ("ESC", "back"), ("x", "quit")),
)
QUESTION: Final = MenuScreen(
    "Give up this game?",
    [MenuItem("Save first", note="Load brings it back."), MenuItem("Give up"), MenuItem("Go on")],
    0,
    Message(),
    (("RETURN", "choose"), ("ESC", "back"), ("x", "quit")),
)
FIELD: Final = MenuScreen(
    "Save",
    [
        MenuItem(
            "Name",
            "before the guess",
            note="Type another name, or take this one.",
            typing=Typing.TEXT,
        )
    ],
    0,
    Message(),
    (("RETURN", "done"), ("ESC", "back")),
)
STATISTICS: Final = PageScreen(
    "Statistics",
    [
        "games played 47   won 23",
        "",
        Listing(
            ("", "played", "won", "lost", "rate", "best s", "mean s", "streak", "3BV/s"),
            [
                ("beginner", "31", "20", "9", "65 %", "6.812", "14.2", "3 of 7", "1.92"),
                ("expert", "12", "1", "11", "8 %", "131.077", "131.1", "0 of 1", "1.33"),
                ("easy 20x10, jminesweeper", "1", "0", "1", "0 %", "", "", "0 of 0", ""),
            ],
        ),
        "",
        "Not ranked: with help, or on a board seen before:",
        Listing(
            ("", "played", "won", "lost", "rate", "best s", "mean s", "3BV/s"),
            [("beginner", "3", "2", "1", "67 %", "21.500", "22.0", "0.88")],
        ),
        "",
        "Where no rules are named they are classic.",
    ],
    0,
    Message(),
    (("UP/DOWN", "scroll"), ("ESC", "back"), ("x", "quit")),
)


def _ansi(model: ScreenModel, terminal: Terminal, taste: Taste) -> PaintedTerminal:
    painted = PaintedTerminal(terminal.columns, terminal.rows)
    painted.fill("#")
    painted.apply(AnsiPainter(terminal, taste).paint(model))
    return painted


def _version_2(
    model: Callable[[], ScreenModel],
    columns: int = 80,
    rows: int = 24,
    colours: ColourDepth = ColourDepth.INDEXED,
    *,
    has_unicode: bool = True,
    taste: Taste = _AS_IT_IS,
) -> Callable[[], PaintedTerminal]:
    terminal = Terminal(columns, rows, colours, has_unicode)
    return lambda: _ansi(model(), terminal, taste)


def _version_1(
    game: Callable[[], Game], *, is_debugged: bool = False
) -> Callable[[], PaintedTerminal]:
    def paint() -> PaintedTerminal:
        played_game = game()
        frame = ClassicFrame(played_game.grid, _CLASSIC_KEYS)
        mines = played_game.reveal_truth().mines if is_debugged else 0
        frame.show(played_game.view, mines)
        painted = PaintedTerminal(140)
        painted.fill("#")
        body = frame.without_cursor("JMinesweeper  easy  mines left 9  0:07", "")
        painted.show(body + frame.cursor_tail(_CURSOR))
        return painted

    return paint


def _welcome() -> PaintedTerminal:
    painted = PaintedTerminal()
    painted.fill("#")
    painted.show(paint_page(["", "  JMinesweeper", "", "  TAB starts a game."]))
    return painted


def _hinted() -> GameScreen:
    screen = screen_of(played(16, 16, 40), Cell(5, 5))
    cells = (Cell(5, 5), Cell(6, 5), Cell(9, 5), Cell(5, 6))
    return screen._replace(
        hint_cells=sum(screen.view.grid.bit(cell) for cell in cells),
        message=Message("This 2 already has both its mines, so the cells around it are safe."),
    )


def _debugged(game: Game) -> GameScreen:
    return screen_of(game)._replace(debug_mines=game.reveal_truth().mines, state="DEBUG assisted")


def _filled(text: str) -> MenuScreen:
    return FIELD._replace(items=[FIELD.items[0]._replace(value=text)])


_NO_COLOUR = ColourDepth.NONE
_NARROW_CELLS = Taste(cell_size=CellSize.ONE)

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
    "fresh-beginner": _version_2(lambda: screen_of(begun(9, 9, 10))),
    "fresh-beginner-ascii": _version_2(lambda: screen_of(begun(9, 9, 10)), has_unicode=False),
    "playing-expert": _version_2(lambda: screen_of(played(30, 16, 99))),
    "playing-expert-ascii": _version_2(lambda: screen_of(played(30, 16, 99)), has_unicode=False),
    "playing-expert-no-colour": _version_2(
        lambda: screen_of(played(30, 16, 99)), 80, 24, _NO_COLOUR
    ),
    "playing-expert-true-colour": _version_2(
        lambda: screen_of(played(30, 16, 99)), 80, 24, ColourDepth.TRUE
    ),
    "playing-expert-sixteen": _version_2(
        lambda: screen_of(played(30, 16, 99)), 80, 24, ColourDepth.SIXTEEN
    ),
    "playing-expert-okabe-ito": _version_2(
        lambda: screen_of(played(30, 16, 99)), taste=Taste(Palette.OKABE_ITO)
    ),
    "playing-intermediate-100x30": _version_2(lambda: screen_of(played(16, 16, 40)), 100, 30),
    "playing-one-column": _version_2(lambda: screen_of(played(16, 16, 40)), taste=_NARROW_CELLS),
    "paused": _version_2(
        lambda: screen_of(played(30, 16, 99))._replace(is_paused=True, state="paused")
    ),
    "hint": _version_2(_hinted),
    "hint-no-colour": _version_2(_hinted, 80, 24, _NO_COLOUR),
    "hint-one-column": _version_2(_hinted, taste=_NARROW_CELLS),
    "debug": _version_2(lambda: _debugged(played(16, 16, 40))),
    "debug-one-column": _version_2(lambda: _debugged(played(70, 16, 99))),
    "won-intermediate": _version_2(lambda: screen_of(won(16, 16, 40))),
    "won-expert-200x60": _version_2(lambda: screen_of(won(30, 16, 99)), 200, 60),
    "lost-expert": _version_2(lambda: screen_of(lost(30, 16, 99))),
    "lost-expert-ascii-no-colour": _version_2(
        lambda: screen_of(lost(30, 16, 99)), 80, 24, _NO_COLOUR, has_unicode=False
    ),
    "lost-one-column": _version_2(lambda: screen_of(lost(70, 16, 99))),
    "lost-intermediate-100x30": _version_2(lambda: screen_of(lost(16, 16, 40)), 100, 30),
    "lost-beginner-40x12": _version_2(lambda: screen_of(lost(9, 9, 10)), 40, 12),
    "wide-60x16": _version_2(lambda: screen_of(played(60, 16, 150))),
    "largest-80x24": _version_2(lambda: screen_of(played(255, 255, 13_000), Cell(120, 130))),
    "largest-corner-80x24": _version_2(lambda: screen_of(played(255, 255, 13_000), Cell(254, 254))),
    "largest-40x12": _version_2(lambda: screen_of(played(255, 255, 13_000), Cell(0, 254)), 40, 12),
    "largest-ascii-40x12": _version_2(
        lambda: screen_of(played(255, 255, 13_000), Cell(120, 130)), 40, 12, has_unicode=False
    ),
    "smallest-board": _version_2(lambda: screen_of(begun(1, 1, 1), Cell(0, 0))),
    "too-small": _version_2(lambda: screen_of(played(9, 9, 10)), 39, 11),
    "one-place": _version_2(lambda: screen_of(played(9, 9, 10)), 1, 1),
    "menu": _version_2(lambda: MENU),
    "menu-scrolled": _version_2(lambda: MENU._replace(selected=20)),
    "menu-ascii-no-colour": _version_2(
        lambda: MENU._replace(selected=2), 80, 24, _NO_COLOUR, has_unicode=False
    ),
    "menu-40x12": _version_2(lambda: MENU._replace(selected=30), 40, 12),
    "menu-200x60": _version_2(lambda: MENU, 200, 60),
    "saves": _version_2(lambda: SAVES),
    "saves-40x12": _version_2(lambda: SAVES._replace(selected=2), 40, 12),
    "saves-ascii-no-colour": _version_2(lambda: SAVES, 80, 24, _NO_COLOUR, has_unicode=False),
    "question": _version_2(lambda: QUESTION),
    "question-40x12": _version_2(lambda: QUESTION, 40, 12),
    "field": _version_2(lambda: FIELD),
    "field-40x12": _version_2(lambda: _filled("before the last guess, which was hard"), 40, 12),
    "field-ascii-no-colour": _version_2(lambda: _filled(""), 80, 24, _NO_COLOUR, has_unicode=False),
    "statistics": _version_2(lambda: STATISTICS),
    "statistics-40x20": _version_2(lambda: STATISTICS, 40, 20),
    "page": _version_2(lambda: PAGE),
    "page-40x12": _version_2(lambda: PAGE, 40, 12),
    "page-ascii": _version_2(lambda: PAGE._replace(first_line=99), has_unicode=False),
}
