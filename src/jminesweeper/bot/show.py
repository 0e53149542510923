"""Looking on while the bot plays: on a terminal the board in its place, into a pipe line by line.

On a terminal the cursor goes to the cell first and the reason is told, then the move is made: how
long that takes is the pace. A guess takes twice as long, because that is where one holds one's
breath.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from readchar import key

from jminesweeper.bot.playing import GameOutcome
from jminesweeper.client import events
from jminesweeper.client.conversation import is_due
from jminesweeper.client.events import Effect, Event
from jminesweeper.client.keys import Input, KeyDecoder
from jminesweeper.core.actions import ActionKind
from jminesweeper.core.faces import all_faces
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.protocol.view import STATES
from jminesweeper.solver.errors import ImpossiblePositionError, SolverError
from jminesweeper.solver.guess import Reason
from jminesweeper.solver.hints import NoHintError, explain
from jminesweeper.solver.knowledge import MINE
from jminesweeper.solver.playing import Decision
from jminesweeper.solver.position import Position
from jminesweeper.solver.reasoning import cells_of
from jminesweeper.solver.sentences import percent, place
from jminesweeper.terminal.board import Board
from jminesweeper.terminal.game import GameScreen, compose_header
from jminesweeper.terminal.inks import Painter
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.layout import FEWEST_COLUMNS, FEWEST_ROWS, arrange
from jminesweeper.terminal.lines import Line, Screen, centred, gap, join, span
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.symbols import Style
from jminesweeper.terminal.view import GameView
from jminesweeper.terminal.words import Sentence

Echo = Callable[[str], None]

_MOST_EXPLAINED: Final = 1_000
"""Cells of a board on which an argument is found quickly enough to be shown."""
_END_S: Final = 1.0
_QUIT: Final = frozenset({"q", "Q", "x", "X", key.ESC, key.CTRL_C})
_LABELS: Final = (("SPACE", "pause"), ("+ -", "pace"), ("RIGHT", "one move"), ("q", "quit"))
_ENDS: Final = {
    Status.WON: ("Won", "good"),
    Status.LOST: ("Lost", "bad"),
    Status.TERMINATED: ("Given up", "warning"),
}


class Pace(Enum):
    """How fast the bot plays for an audience: seconds for a move."""

    CALM = 1.5
    BRISK = 0.3
    MERCILESS = 0.0

    @property
    def word(self) -> str:
        return self.name.lower()

    def beside(self, steps: int) -> Pace:
        """Return the pace so many steps faster, or the fastest or slowest."""
        paces = list(Pace)
        return paces[min(max(paces.index(self) + steps, 0), len(paces) - 1)]


def reason_of(move: Decision, view: PlayerView) -> str:
    """Say in a few words why a move is made."""
    if move.kind is ActionKind.FLAG:
        return "no mine is here" if view.is_flagged(move.cell) else "it must be a mine"
    risk = f" (risk {percent(move.risk)})" if move.risk else ""
    return f"{move.reason.value}{risk}"


def describe_end(outcome: GameOutcome) -> str:
    moves = "1 move" if outcome.moves == 1 else f"{outcome.moves} moves"
    seed = "" if outcome.seed is None else f", seed {outcome.seed}"
    return f"{outcome.status.value} after {moves}{seed}"


class Printer:
    """Prints every board, and below it the next move and its reason."""

    def __init__(self, echo: Echo) -> None:
        self._echo = echo

    async def sees(self, move: Decision, view: PlayerView) -> Decision:
        name = f"{move.kind.name.lower()} {place(move.cell)}"
        self._echo(f"{_spaced(view)}\n{name}: {reason_of(move, view)}\n")
        return move

    async def sees_end(self, outcome: GameOutcome, view: PlayerView) -> None:
        self._echo(f"{_spaced(view)}\n{describe_end(outcome)}")


def _spaced(view: PlayerView) -> str:
    return "\n".join(" ".join(row) for row in str(view).splitlines())


class Scene(NamedTuple):
    """What is shown; `reasons` are the cells that say so."""

    view: PlayerView
    move: Decision
    words: str
    tone: str = "plain"
    reasons: tuple[Cell, ...] = ()


@dataclass(slots=True)
class Tally:
    """What was played so far, and what the running game has come through."""

    games: int = 0
    won: int = 0
    moves: int = 0
    guesses: int = 0
    luck: float = 1.0
    """The chance to have survived the guesses of this game."""

    def lines(self) -> Sequence[str]:
        played = f"won {self.won} of {self.games}" if self.games else "first game"
        guesses = f"{self.guesses} guess{'' if self.guesses == 1 else 'es'}"
        chance = (
            f"{percent(self.luck)} to come this far" if self.guesses else "nothing left to luck"
        )
        return played, f"move {self.moves}", guesses, chance


class Stage:
    """A program for the shell, and a watcher: it lets the next move wait until it is time."""

    def __init__(
        self,
        label: str,
        canvas: Canvas,
        pace: Pace,
    ) -> None:
        self.wake: Callable[[], None] = lambda: None
        """Tells the shell that there is something new to see."""
        self._label = label
        self._pace = pace
        self._is_paused = False
        self._steps = 0
        self._is_over = False
        self._is_closed = False
        self._began_s: float | None = None
        self._clock_ms = 0
        self._tally = Tally()
        self._scene: Scene | None = None
        self._changed = asyncio.Event()
        self._decoder = KeyDecoder()
        self._canvas = canvas
        self._board = Board()
        self._painter = Painter(canvas)

    # As a watcher

    async def sees(self, move: Decision, view: PlayerView) -> Decision:
        now_s = asyncio.get_running_loop().time()
        if self._began_s is None:
            self._began_s = now_s
            self._tally.moves = self._tally.guesses = 0
            self._tally.luck = 1.0
        self._clock_ms = int(1000 * (now_s - self._began_s))
        self._tally.moves += 1
        if move.risk:
            self._tally.guesses += 1
        scene = explained(move, view, is_slow=self._pace is not Pace.MERCILESS)
        self._scene = scene._replace(view=with_known_mines(view))
        await self._wait(2 if move.risk else 1)
        self._tally.luck *= 1 - move.risk
        return self._scene.move

    async def sees_end(self, outcome: GameOutcome, view: PlayerView) -> None:
        if self._scene is None:
            return
        self._began_s = None
        self._tally.games += 1
        self._tally.won += outcome.status is Status.WON
        word, tone = _ENDS[outcome.status]
        risk = self._scene.move.risk
        why = f": that guess had a risk of {percent(risk)}" if risk and tone == "bad" else ""
        seed = "" if outcome.seed is None else f" Seed {outcome.seed}."
        words = f"{word} after {outcome.moves} moves{why}.{seed}"
        self._scene = self._scene._replace(view=view, words=words, tone=tone, reasons=())
        await self._wait(4, least_s=_END_S)

    @property
    def result(self) -> str:
        """What was played, in words."""
        games = self._tally.games
        return f"won {self._tally.won} of {games} games" if games else "no game was finished"

    async def stays(self) -> None:
        """Show the last board until a key is pressed."""
        self._is_over = True
        await self._wait(1)

    def close(self) -> None:
        """Make the shell leave."""
        self._is_closed = True
        self.wake()

    async def _wait(self, times: int, least_s: float = 0.0) -> None:
        """Wait as long as the pace says, and for whoever paused or wants one move alone."""
        self.wake()
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        while True:
            self._changed.clear()
            left_s = began_s + max(times * self._pace.value, least_s) - loop.time()
            is_free = not self._is_paused and not self._is_over
            if self._steps or (is_free and left_s <= 0):
                self._steps = max(0, self._steps - 1)
                # Keys are read, and the board painted, however fast it goes.
                await asyncio.sleep(0)
                return
            try:
                async with asyncio.timeout(left_s if is_free else None):
                    await self._changed.wait()
            except TimeoutError:
                continue

    # As a program

    @property
    def deadline(self) -> float | None:
        return self._decoder.deadline

    def begin(self, _now_s: float, /) -> list[Effect]:
        return []

    def handle(self, event: Event, now_s: float, /) -> list[Effect]:
        """Handle an event; return the effects."""
        match event:
            case events.Typed(data):
                self._press(self._decoder.feed(data, now_s))
            case events.Expired() if is_due(self._decoder.deadline, now_s):
                self._press(self._decoder.expire())
            case events.Resized(size):
                self._canvas = self._canvas._replace(columns=size.columns, rows=size.rows)
            case events.StopAsked():
                return [events.Suspend()]
            case events.Stopped(exit_code):
                return [events.Leave(exit_code)]
        return [events.Leave(0)] if self._is_closed else []

    def _press(self, pressed: Iterable[Input]) -> None:
        for each in pressed:
            if self._is_over or each in _QUIT:
                self._is_closed = True
            elif each in {key.SPACE, "p"}:
                self._is_paused = not self._is_paused
            elif each in {"+", "="}:
                self._pace = self._pace.beside(1)
            elif each == "-":
                self._pace = self._pace.beside(-1)
            elif each == key.RIGHT:
                self._is_paused, self._steps = True, 1
        self._changed.set()

    def paint(self, _now_s: float, /) -> str:
        """Return what brings the terminal up to date."""
        if self._scene is None:
            return ""
        return self._painter.paint(self._compose(self._scene), self._canvas)

    def _compose(self, scene: Scene) -> Screen:
        canvas, board, view = self._canvas, self._board, self._view(scene)
        columns, rows = max(canvas.columns, FEWEST_COLUMNS), max(canvas.rows, FEWEST_ROWS - 1)
        layout = arrange(columns, rows, view.size, canvas.looks.cells, has_tiles=canvas.has_tiles)
        board.cursor = scene.move.cell
        board.follow(view, layout)
        said = Sentence(scene.words, scene.tone)
        screen = GameScreen(
            view, board, canvas, layout, self._clock_ms, said, "", (), KeyMap()
        ).compose()
        state = "paused" if self._is_paused else self._pace.word
        if scene.view.status.is_over:
            state = scene.view.status.value.upper()
        header = compose_header(view, layout, board.cursor, self._clock_ms, (state,))
        screen.lines[layout.header_row] = header
        keys = (("any key", "end"),) if self._is_over else _LABELS
        screen.lines[layout.keys_row] = _key_row(keys, columns)
        return screen

    def _view(self, scene: Scene) -> GameView:
        """Say of a scene what a server would say."""
        shown = scene.view
        view = GameView(
            size=shown.size,
            state=STATES[shown.status],
            label=self._label,
            mines=shown.mine_count,
            left=shown.mines_left,
            hint=scene.reasons,
            figures=tuple((line,) for line in self._tally.lines()),
        )
        view.faces = bytearray(all_faces(shown))
        return view


def _key_row(keys: Iterable[tuple[str, str]], width: int) -> Line:
    parts = (span(key, Style.KEY) + gap(1) + span(does, Style.ASIDE) + gap(2) for key, does in keys)
    return centred(join(parts), width)


def explained(move: Decision, view: PlayerView, *, is_slow: bool) -> Scene:
    """Tell a move with its reason; of moves that are sure, one with an argument to show."""
    if is_slow and move.reason is Reason.SURE and move.kind is ActionKind.REVEAL:
        with suppress(SolverError):
            return _argued(move, view)
    words = f"{move.kind.name.capitalize()} {place(move.cell)}: {reason_of(move, view)}."
    return Scene(view, move, words, "warning" if move.risk else "plain")


def with_known_mines(view: PlayerView) -> PlayerView:
    """Flag what one number or two prove to be a mine, as people do; the bot needs no flags."""
    if view.size.cells > _MOST_EXPLAINED:
        return view
    try:
        known = Position.of(view).knowledge.cells_that_are(MINE)
    except ImpossiblePositionError:
        # The bot itself says so before its next move.
        return view
    return replace(view, flagged=view.flagged | known)


def _argued(move: Decision, view: PlayerView) -> Scene:
    """Find the nearest cell that is shown to be safe; NoHintError if that takes too long."""
    if view.size.cells > _MOST_EXPLAINED:
        raise NoHintError("the board is too large")
    advice = explain(view, move.cell)
    if advice.chance or advice.action is not ActionKind.REVEAL:
        raise NoHintError("nothing else is sure")
    reasons = tuple(dict.fromkeys((advice.cell, *cells_of(advice.argument))))
    return Scene(view, replace(move, cell=advice.cell), advice.text, reasons=reasons)
