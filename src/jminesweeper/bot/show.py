"""Watching the bot play: on a terminal as a replay that is live, into a pipe line by line.

On a terminal the viewer of replays shows the game, and here is what it shows: before each move the
board, the cursor where the move will be, and the reason. The bot is one move ahead of what is seen.
The next move is found while one is looked at, and made once that has been seen, so a pause holds
the bot and a step lets it make one move. A guess stays twice as long, because that is where one
holds one's breath.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from typing import Final, NamedTuple

from jminesweeper.bot.playing import GameOutcome
from jminesweeper.core.actions import ActionKind
from jminesweeper.core.errors import SolverError
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.protocol.view import STATES
from jminesweeper.replay import Members, ReplayViewer
from jminesweeper.solver.guess import Reason
from jminesweeper.solver.hints import NoHintError, explain, percent, place
from jminesweeper.solver.knowledge import MINE, ImpossiblePositionError
from jminesweeper.solver.playing import Decision
from jminesweeper.solver.position import Position
from jminesweeper.solver.reasoning import cells_of

Echo = Callable[[str], None]

_MOST_EXPLAINED: Final = 1_000
"""Cells of a board on which an argument is found quickly enough to be shown."""
_MOVE_MS: Final = 1_000
"""Time for which a move is seen, at speed 1."""
_END_MOVES: Final = 4
"""Moves for which an end stays before the next game begins."""
_ENDS: Final = {
    Status.WON: ("Won", "good"),
    Status.LOST: ("Lost", "bad"),
    Status.TERMINATED: ("Given up", "warning"),
}


class Tempo(Enum):
    """The speed at which the bot plays for an audience: moves a second."""

    CALM = 0.5
    BRISK = 4.0
    MERCILESS = 64.0

    @property
    def word(self) -> str:
        return self.name.lower()


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


class ShownMove(NamedTuple):
    """A board, the cell to look at, and the words; `reasons` are the cells that say so."""

    view: PlayerView
    cell: Cell
    words: str = ""
    tone: str = "plain"
    reasons: tuple[Cell, ...] = ()
    figures: Sequence[str] = ()


class LiveGame:
    """The scenes of one game, of which there are more and more."""

    def __init__(self, label: str, begin: ShownMove) -> None:
        self.is_live = True
        self.times_ms: list[int] = []
        self.seen = 0
        """The number of the latest scene that was looked at."""
        self.has_been_seen = asyncio.Event()
        self._label = label
        self._scenes = [begin]

    def another(self) -> LiveGame:
        """Begin another game of the same kind."""
        return LiveGame(self._label, self._scenes[0])

    @property
    def last(self) -> int:
        return len(self.times_ms)

    def add(self, scene: ShownMove, after_ms: int) -> None:
        """Add a scene so long after the one before."""
        self.times_ms.append(self._time_ms(self.last) + after_ms)
        self._scenes.append(scene)

    def _time_ms(self, number: int) -> int:
        return self.times_ms[number - 1] if number else 0

    def opening(self) -> Members:
        view = self._scenes[0].view
        size = [view.size.columns, view.size.rows]
        return {"size": size, "label": self._label, "mines": view.mine_count}

    def at(self, number: int) -> tuple[Members, PlayerView]:
        """Return the screen, for the caller to show."""
        self.seen = max(self.seen, number)
        self.has_been_seen.set()
        view, cell, words, tone, reasons, figures = self._scenes[number]
        columns = view.size.columns
        members = {
            "state": STATES[view.status],
            "left": view.mines_left,
            "clock": self._time_ms(number),
            "cursor": [cell.column, cell.row],
            "position": number,
            "message": {"id": "bot", "text": words, "tone": tone},
            "hint": [each.row * columns + each.column for each in reasons],
            "figures": [[line] for line in figures],
        }
        return members, view


class LiveShow:
    """A watcher that shows every move on a terminal, and counts the games."""

    def __init__(
        self,
        game: LiveGame,
        viewer: ReplayViewer,
        wake: Callable[[], None],
        *,
        has_time: bool = True,
    ) -> None:
        """Show games by a viewer of the first one, which looks again when it is woken.

        Arguments for moves take time to find.
        """
        self._game = game
        self._viewer = viewer
        self._wake = wake
        self._has_time = has_time
        self._games = self._won = self._moves = self._guesses = 0
        self._luck = 1.0
        """The chance to have survived the guesses of this game."""
        self._after_ms = _MOVE_MS
        self._cell = Cell(0, 0)
        self._risk = 0.0
        """Of the last move."""
        self._has_ended = False

    @property
    def result(self) -> str:
        """The games played, in words."""
        return f"won {self._won} of {self._games} games" if self._games else "no game was finished"

    async def sees(self, move: Decision, view: PlayerView) -> Decision:
        if self._has_ended:
            self._has_ended = False
            self._moves = self._guesses = 0
            self._luck, self._after_ms = 1.0, _MOVE_MS
            self._game = self._game.another()
            self._viewer.show(self._game)
        self._moves += 1
        self._guesses += bool(move.risk)
        move, scene = explained(move, view, has_time=self._has_time)
        await self._show(scene._replace(view=with_known_mines(view)))
        self._after_ms = _MOVE_MS * (2 if move.risk else 1)
        self._cell, self._risk = move.cell, move.risk
        self._luck *= 1 - move.risk
        return move

    async def sees_end(self, outcome: GameOutcome, view: PlayerView) -> None:
        self._games += 1
        self._won += outcome.status is Status.WON
        word, tone = _ENDS[outcome.status]
        is_unlucky = self._risk and outcome.status is Status.LOST
        why = f": that guess had a risk of {percent(self._risk)}" if is_unlucky else ""
        seed = "" if outcome.seed is None else f" Seed {outcome.seed}."
        end = ShownMove(view, self._cell, f"{word} after {outcome.moves} moves{why}.{seed}", tone)
        await self._show(end)
        self._after_ms, self._has_ended = _MOVE_MS * _END_MOVES, True
        await self._show(end)

    def finish(self) -> None:
        """Let the last game be looked at as any other replay."""
        self._game.is_live = False
        self._viewer.extend()
        self._wake()

    async def _show(self, scene: ShownMove) -> None:
        """Add a scene, and wait until it is seen."""
        game = self._game
        game.add(scene._replace(figures=self._figures()), self._after_ms)
        self._viewer.extend()
        self._wake()
        while game.seen < game.last:
            game.has_been_seen.clear()
            await game.has_been_seen.wait()

    def _figures(self) -> Sequence[str]:
        played = f"won {self._won} of {self._games}" if self._games else "first game"
        guesses = f"{self._guesses} guess{'' if self._guesses == 1 else 'es'}"
        lucky = f"{percent(self._luck)} to come this far"
        chance = lucky if self._guesses else "nothing left to luck"
        return played, f"move {self._moves}", guesses, chance


def explained(move: Decision, view: PlayerView, *, has_time: bool) -> tuple[Decision, ShownMove]:
    """Tell a move with its reason; of moves that are sure, choose one with an argument to show."""
    if has_time and move.reason is Reason.SURE and move.kind is ActionKind.REVEAL:
        with suppress(SolverError):
            return _argued(move, view)
    words = f"{move.kind.name.capitalize()} {place(move.cell)}: {reason_of(move, view)}."
    return move, ShownMove(view, move.cell, words, "warning" if move.risk else "plain")


def _argued(move: Decision, view: PlayerView) -> tuple[Decision, ShownMove]:
    """Find the nearest cell that is shown to be safe; NoHintError if that takes too long."""
    if view.size.cells > _MOST_EXPLAINED:
        raise NoHintError("the board is too large")
    advice = explain(view, move.cell)
    if advice.chance or advice.action is not ActionKind.REVEAL:
        raise NoHintError("nothing else is sure")
    reasons = tuple(dict.fromkeys((advice.cell, *cells_of(advice.argument))))
    scene = ShownMove(view, advice.cell, advice.text, reasons=reasons)
    return replace(move, cell=advice.cell), scene


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
