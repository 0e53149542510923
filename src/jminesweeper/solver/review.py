"""The review of a game: which reveals were guesses, whether they were needed, and how lucky.

A reveal is judged by what its player could know at that moment: the numbers shown, the mine
count, and nothing of the truth. Undoing an action does not undo its guess.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import fsum, prod

from jminesweeper.core.actions import ActionKind, LoggedAction
from jminesweeper.core.errors import check_kind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, indices
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.solver.knowledge import (
    MINE,
    SAFE,
    Deadline,
    ImpossiblePositionError,
    check,
    never,
)
from jminesweeper.solver.position import Assessment, Position

_OPENING = (ActionKind.REVEAL, ActionKind.CHORD)
_EQUAL = 1e-9

Explain = Callable[[PlayerView, Cell], str]
"""Explains what could be seen in a position, near a cell."""


@dataclass(frozen=True, slots=True)
class ReviewedReveal:
    """One action that opened covered cells."""

    number: int
    """Its place in the log, from 0."""
    at_ms: int
    cell: Cell
    kind: ActionKind
    risk: float
    """The chance that it hit a mine."""
    lowest: float
    """The lowest risk of any cell at that moment; 0 if a safe cell could be found."""
    survived: bool
    safer: Cell | None
    """A cell with the lowest risk, if that was lower than the risk taken."""
    hint: str | None = None
    """The argument that was overlooked, if there was one and an explanation was asked for."""

    @property
    def is_guess(self) -> bool:
        """True if it might have hit a mine."""
        return self.risk > 0

    @property
    def is_needless(self) -> bool:
        """True for a guess although a safe cell could be found."""
        return self.is_guess and self.lowest == 0

    @property
    def is_blunder(self) -> bool:
        """True if the cell was certainly a mine."""
        return self.risk == 1


@dataclass(frozen=True)
class GameReview:
    """All reveals of one game, judged."""

    status: Status
    reveals: tuple[ReviewedReveal, ...]
    exact: bool
    """True if every figure is exact; a position too large to count gives estimates."""

    @cached_property
    def guesses(self) -> tuple[ReviewedReveal, ...]:
        return tuple(reveal for reveal in self.reveals if reveal.is_guess)

    @cached_property
    def needless(self) -> tuple[ReviewedReveal, ...]:
        return tuple(reveal for reveal in self.reveals if reveal.is_needless)

    @property
    def survival(self) -> float:
        """The chance to survive all guesses of the game, the fatal one included."""
        return prod(1 - guess.risk for guess in self.guesses)

    @property
    def hits(self) -> int:
        """Number of mines that guesses hit."""
        return sum(not guess.survived for guess in self.guesses)

    @property
    def expected_hits(self) -> float:
        """Number of mines that such guesses hit on average."""
        return fsum(guess.risk for guess in self.guesses)

    @property
    def luck(self) -> float:
        """The chance to survive the guesses that were forced: the less, the luckier a win."""
        return prod(1 - guess.risk for guess in self.guesses if not guess.is_needless)


def review(game: Game, *, explain: Explain | None = None, deadline: Deadline = never) -> GameReview:
    """Play a game again and judge every reveal; `explain` is asked about needless guesses.

    Raises `OutOfTimeError` when the deadline passes.
    """
    check_kind("game", game, Game, "a Game")
    reviewer = _Reviewer(game.setup, explain, deadline)
    for entry, logged in zip(game.log.entries, game.log, strict=True):
        reviewer.follow(entry, logged)
    return GameReview(reviewer.game.status, tuple(reviewer.reveals), reviewer.exact)


class _Reviewer:
    """The game during the replay, and what its player could know."""

    def __init__(self, setup: Setup, explain: Explain | None, deadline: Deadline) -> None:
        self.game = Game(setup)
        self._deadline = deadline
        self._explain = explain
        self.reveals: list[ReviewedReveal] = []
        self.exact = True
        self._position = Position(setup.size, setup.mine_count)
        self._protected = setup.protects_first_reveal

    def follow(self, entry: int, logged: LoggedAction) -> None:
        """Repeat one action of the log, and judge it if it opens cells."""
        check(self._deadline)
        game, (kind, cell) = self.game, logged.action
        number, before = len(game.log), game.view
        game.push(entry)
        hit = game.known != before.known or game.exploded is not None
        if cell is None or kind not in _OPENING or not (hit or game.visible != before.visible):
            return
        risk, lowest, safer = self._judge(before, cell, hit)
        hint = self._explain(before, cell) if self._explain and risk and not lowest else None
        self.reveals.append(
            ReviewedReveal(
                number=number,
                at_ms=logged.at_ms,
                cell=cell,
                kind=kind,
                risk=risk,
                lowest=lowest,
                survived=not hit,
                safer=safer,
                hint=hint,
            )
        )

    def _judge(self, view: PlayerView, cell: Cell, hit: bool) -> tuple[float, float, Cell | None]:
        """Return the risk of a reveal, the lowest one at that moment, and a cell that had it."""
        is_protected, self._protected = self._protected, False
        # Where mines fill the board, the first reveal may hit one.
        if is_protected and not hit:
            return 0.0, 0.0, None
        self._position.update(view)
        knowledge = self._position.knowledge
        knowledge.deduce_all()
        opened = self._opened(view, cell)
        if all(knowledge.status[index] == SAFE for index in opened):
            return 0.0, 0.0, None
        assessment = self._position.assess(self._deadline)
        self.exact = self.exact and not assessment.estimated
        if len(opened) == 1:
            risk = self._risk_of(opened[0], assessment)
        else:
            risk = self._chord_risk(view, cell, assessment)
        lowest, safest = self._least(assessment)
        return risk, lowest, view.grid.cell(safest) if risk > lowest + _EQUAL else None

    def _least(self, assessment: Assessment) -> tuple[float, int]:
        """Return the lowest risk of any covered cell, and the first cell that has it."""
        knowledge = self._position.knowledge
        status = knowledge.status
        safe = indices(knowledge.cells_that_are(SAFE))
        safe += assessment.certain()[0]
        if safe:
            return 0.0, min(safe)
        if not assessment.groups:
            # Only mines are left, and all of them are certain.
            return 1.0, status.index(MINE)
        return assessment.lowest, min(assessment.groups[0].cells)

    def _risk_of(self, index: int, assessment: Assessment) -> float:
        settled = {SAFE: 0.0, MINE: 1.0}.get(self._position.knowledge.status[index])
        return assessment.chance[index] if settled is None else settled

    @staticmethod
    def _opened(view: PlayerView, cell: Cell) -> list[int]:
        """Return the covered cells an action aims at: the cell, or those around a visible one."""
        grid = view.grid
        bit = grid.bit(cell)
        return indices(grid.neighbours(bit) & view.covered if view.visible & bit else bit)

    def _chord_risk(self, view: PlayerView, cell: Cell, assessment: Assessment) -> float:
        """Return the chance that not all flags around a number are mines.

        A chord opens the rest when there are as many flags as mines, so all of the rest is safe
        exactly if all flags are right: the layouts with mines there are counted.
        """
        grid = view.grid
        try:
            position = Position(view.size, view.mine_count)
            position.update(view)
            flags = grid.neighbours(grid.bit(cell)) & view.flagged
            position.knowledge.mark_mines(indices(flags))
            position.knowledge.deduce_all()
            right = position.assess(self._deadline)
        except ImpossiblePositionError:
            return 1.0
        if right.exact and assessment.exact:
            return float(1 - right.balance.total / assessment.balance.total)
        return max(self._risk_of(index, assessment) for index in self._opened(view, cell))
