"""Looking back on a game: which reveals were guesses, whether they had to be, and how lucky.

A reveal is judged by what its player could know at that moment: the numbers shown, the mine
count, and nothing of the truth. Taking an action back does not undo its guess.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import NamedTuple

from jminesweeper.core import (
    ActionKind,
    Cell,
    Game,
    LoggedAction,
    PlayerView,
    Setup,
    Status,
)
from jminesweeper.solver.analysis import Assessment, assess
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.errors import ImpossiblePositionError
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.hints import Hint, explain
from jminesweeper.solver.knowledge import MINE, SAFE, Knowledge
from jminesweeper.solver.risks import Risks
from jminesweeper.solver.terrain import indices

_OPENING = (ActionKind.REVEAL, ActionKind.CHORD)
_EQUAL = 1e-9


class _Judgement(NamedTuple):
    """What a reveal risked, and what there was instead."""

    risk: float
    lowest: float
    safer: Cell | None


_SURE = _Judgement(0.0, 0.0, None)


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
    """The least risk that any cell had at that moment; 0 when a sure cell was to be found."""
    survived: bool
    safer: Cell | None
    """A cell with the least risk, if that was less than the risk taken."""
    hint: Hint | None = None
    """What there was to see, if it was a guess that was not needed and hints were asked for."""

    @property
    def is_guess(self) -> bool:
        return self.risk > 0

    @property
    def is_needless(self) -> bool:
        """Whether it was a guess though a sure cell was there to be found."""
        return self.is_guess and self.lowest == 0

    @property
    def is_blunder(self) -> bool:
        """Whether the cell was a mine for sure."""
        return self.risk == 1


@dataclass(frozen=True)
class GameReview:
    """All reveals of one game, judged."""

    status: Status
    reveals: tuple[ReviewedReveal, ...]
    exact: bool
    """Whether every figure is exact; a position too large to count gives estimates."""

    @cached_property
    def guesses(self) -> tuple[ReviewedReveal, ...]:
        return tuple(reveal for reveal in self.reveals if reveal.is_guess)

    @cached_property
    def needless(self) -> tuple[ReviewedReveal, ...]:
        return tuple(reveal for reveal in self.reveals if reveal.is_needless)

    @property
    def survival(self) -> float:
        """The chance with which all its guesses together are survived, the fatal one included."""
        return prod(1 - guess.risk for guess in self.guesses)

    @property
    def expected_hits(self) -> float:
        """How many mines guesses like these hit on average."""
        return sum(guess.risk for guess in self.guesses)

    @property
    def luck(self) -> float:
        """Mines expected to be hit less mines hit: above zero for a lucky game."""
        return self.expected_hits - sum(not guess.survived for guess in self.guesses)


def review(
    setup: Setup,
    log: Iterable[LoggedAction],
    *,
    is_no_guess: bool = False,
    with_hints: bool = False,
) -> GameReview:
    """Play a log again and judge every reveal in it; hints for needless guesses take longer.

    The setup of a board that needs no guess does not tell that its mines were laid around the
    first reveal, so the caller has to.
    """
    is_first_safe = is_no_guess or setup.protects_first_reveal
    reviewer = _Reviewer(setup, is_first_safe=is_first_safe, with_hints=with_hints)
    for logged in log:
        reviewer.follow(logged)
    return GameReview(reviewer.game.status, tuple(reviewer.reveals), reviewer.exact)


class _Reviewer:
    """The game as it goes on again, beside what its player could know."""

    def __init__(self, setup: Setup, *, is_first_safe: bool, with_hints: bool) -> None:
        self.game = Game(setup)
        self._with_hints = with_hints
        self.reveals: list[ReviewedReveal] = []
        self.exact = True
        self._counter = Counter()
        self._protected = is_first_safe
        self._forget()

    def _forget(self) -> None:
        setup = self.game.setup
        self._knowledge = Knowledge(setup.size, setup.mine_count)
        self._frontier = Frontier(self._knowledge)

    def follow(self, logged: LoggedAction) -> None:
        """Do one action of the log, judged first if it opens cells."""
        game, action = self.game, logged.action
        number = len(game.log)
        before = game.view()
        game.apply(action, logged.at_ms)
        uncovered = game.visible & ~before.visible
        if action.kind is ActionKind.UNDO:
            self._forget()
        elif uncovered and action.kind in _OPENING and action.cell is not None:
            judged = self._judge(before, action.cell)
            reveal = ReviewedReveal(
                number=number,
                at_ms=logged.at_ms,
                cell=action.cell,
                kind=action.kind,
                risk=judged.risk,
                lowest=judged.lowest,
                survived=game.exploded is None,
                safer=judged.safer,
            )
            self.reveals.append(self._explained(reveal, before))

    def _explained(self, reveal: ReviewedReveal, view: PlayerView) -> ReviewedReveal:
        """Add what there was to see, if a guess was not needed and hints were asked for."""
        if not (self._with_hints and reveal.is_needless):
            return reveal
        return replace(reveal, hint=explain(view))

    def _judge(self, view: PlayerView, cell: Cell) -> _Judgement:
        """Weigh a reveal against the least risk there was."""
        is_protected, self._protected = self._protected, False
        # A board that is played again may be begun elsewhere, on a mine even.
        if is_protected and self.game.exploded is None:
            return _SURE
        knowledge = self._knowledge
        knowledge.update(view)
        knowledge.deduce_all()
        opened = self._opened(view, cell)
        if all(knowledge.status[index] == SAFE for index in opened):
            return _SURE
        assessment = assess(knowledge, self._frontier, self._counter)
        self.exact = self.exact and not assessment.estimated
        risks = Risks(knowledge, assessment)
        if len(opened) == 1:
            risk = self._risk_of(opened[0], risks)
        else:
            risk = self._chord_risk(view, cell, risks)
        lowest, safest = self._least(assessment, risks)
        return _Judgement(risk, lowest, view.grid.cell(safest) if risk > lowest + _EQUAL else None)

    def _least(self, assessment: Assessment, risks: Risks) -> tuple[float, int]:
        """Return the least risk of any covered cell, and the first cell that has it."""
        status = self._knowledge.status
        safe = [cell for cell in self._knowledge.terrain.cells if status[cell] == SAFE]
        safe += assessment.certain()[0]
        if assessment.unseen_is_safe:
            safe += risks.unseen
        if safe:
            return 0.0, min(safe)
        if not risks.groups:
            # Nothing but mines is left, and known to be.
            return 1.0, status.index(MINE)
        return risks.lowest, min(risks.groups[0].cells)

    def _risk_of(self, index: int, risks: Risks) -> float:
        settled = {SAFE: 0.0, MINE: 1.0}.get(self._knowledge.status[index])
        return risks.chance[index] if settled is None else settled

    @staticmethod
    def _opened(view: PlayerView, cell: Cell) -> list[int]:
        """Return the covered cells an action aims at: the cell, or those around a visible one."""
        grid = view.grid
        bit = grid.bit(cell)
        return indices(grid.neighbours(bit) & view.covered if view.visible & bit else bit)

    def _chord_risk(self, view: PlayerView, cell: Cell, risks: Risks) -> float:
        """Return the chance that not all flags around a number are mines.

        A chord opens the rest when there are as many flags as mines, so all of the rest is safe
        exactly if all flags are right: the layouts with mines there are counted.
        """
        grid = view.grid
        knowledge = Knowledge.of(view)
        try:
            knowledge.mark_mines(indices(grid.neighbours(grid.bit(cell)) & view.flagged))
            knowledge.deduce_all()
            right = assess(knowledge, Frontier(knowledge), self._counter)
        except ImpossiblePositionError:
            return 1.0
        if right.exact and risks.assessment.exact:
            return float(1 - right.balance.total / risks.assessment.balance.total)
        return max(self._risk_of(index, risks) for index in self._opened(view, cell))
