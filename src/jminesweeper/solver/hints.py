"""Hints that teach: a cell, what to do with it, and the shortest argument for it, in English.

Simple arguments come first: where one number or two show a safe cell, nothing is counted. Only then
are layouts counted, and only if nothing is certain are guesses weighed. On a large board this
happens in windows around the cursor, each twice as wide as the one before, until one of them shows
a safe cell, the whole board was looked at, or time is up. A window leaves numbers out, so what it
makes certain is certain; its chances are estimates.

Less help are the odds of the cells around a place, and the next cell that is settled.

Sentences are short enough for the few lines that a screen has for a message. The functions that
write cells, chances, counts and lists are used wherever the solver is quoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from textwrap import wrap
from typing import Final, NamedTuple

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.errors import SolverError, check_kind
from jminesweeper.core.grid import Cell, Grid, Place, bits, indices, is_adjacent, lowest, place_of
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.guess import Reason, choose_guess
from jminesweeper.solver.knowledge import (
    MINE,
    SAFE,
    Deadline,
    OutOfTimeError,
    check,
    nearest,
    never,
)
from jminesweeper.solver.position import Analysis, Assessment, Position
from jminesweeper.solver.reasoning import (
    Argument,
    Cells,
    Certain,
    Edge,
    EveryLayout,
    NothingSure,
    NumberDone,
    NumberFull,
    OnlyMines,
    Overlap,
    Premise,
    Reasoning,
    ShownNumber,
)

ROOM: Final = ((78, 2), (40, 4))
"""Columns and lines that a message has, on an ordinary terminal and on the narrowest."""

_WORTH_MORE: Final = {
    Reason.PROGRESS: "it promises more than the safest cell, {}",
    Reason.ENDGAME: "it wins more often than the safest cell, {}",
}


def sentence(cell: Cell, action: ActionKind, chance: Fraction, argument: Argument) -> str:
    """Return the advice and its reason, with as many premises as fit."""
    if isinstance(argument, NothingSure):
        return _guess(cell, action, argument)
    verb = "Reveal"
    if action is ActionKind.FLAG:
        verb = "Flag" if chance else "Remove the wrong flag at"
    said = [f"{verb} {place(cell)}: {reason}." for reason in _reasons(argument)]
    return next(filter(_fits, said), said[-1])


def _fits(text: str) -> bool:
    return all(len(wrap(text, columns)) <= lines for columns, lines in ROOM)


def _guess(cell: Cell, action: ActionKind, argument: NothingSure) -> str:
    told = percent if argument.exact else _about
    chance, lowest = told(argument.chance), told(argument.lowest)
    said = f"Best guess: {place(cell)}, {chance} risk"
    worth = _WORTH_MORE.get(argument.reason)
    if argument.chance > argument.lowest and chance != lowest and worth:
        said += f": {worth.format(lowest)}"
    where = " near the cursor" if argument.is_local else ""
    off = " Remove its flag first." if action is ActionKind.FLAG else ""
    return f"No safe move{where}. {said}.{off}"


def _reasons(argument: Certain) -> Iterator[str]:
    """Yield the reason in fewer and fewer words: premises are dropped first."""
    if isinstance(argument, NumberDone) and argument.because:
        mines = plural(len(argument.mines), "mine")
        where = f"{_named(argument.number)} already has its {mines} at {places(argument.mines)}"
        yield f"{where}, as {_together(argument.because)}"
        yield f"{_reason(argument)}, as {_together(argument.because)}"
        yield where
    yield _reason(argument)
    if isinstance(argument, Overlap):
        # For coordinates with many digits.
        yield f"{_named(argument.fuller)} and {_named(argument.other)} leave no mine for it"


def _together(steps: Sequence[Premise]) -> str:
    """Describe several proofs of mines, those of one kind in fewer words."""
    full = [step for step in steps if isinstance(step, NumberFull)]
    fewer = [f"{_named(step.number)} only {step.number.clue}" for step in full[1:]]
    said = [*map(_number_full, full[:1]), *fewer]
    return series([*said, *(_overlap(step) for step in steps if isinstance(step, Overlap))])


def _reason(argument: Certain) -> str:
    match argument:
        case NumberDone(number):
            done = f"{_named(number)} already has {_its_mines(number.clue, number.clue)}"
            return done if number.clue else f"no mine is around {place(number.cell)}"
        case NumberFull():
            return _number_full(argument)
        case Overlap():
            return _overlap(argument)
        case OnlyMines(count):
            return f"only the {'mine is' if count == 1 else f'{count} mines are'} still covered"
        case EveryLayout(count, left) if not left:
            return "the only mine is certain" if count == 1 else f"all {count} mines are certain"
        case EveryLayout(_, left):
            mines, one = ("mine is", "it") if left == 1 else ("mines are", "one")
            return f"{left} {mines} left, and with {one} there the numbers cannot all be right"


def _number_full(argument: NumberFull) -> str:
    return f"{_named(argument.number)} touches only {counted(argument.number.clue, 'covered cell')}"


def _overlap(argument: Overlap) -> str:
    fuller, other = argument.fuller, argument.other
    if argument.mines:
        # The first number needs so many more mines that it fills what it alone touches.
        is_all = argument.fuller_need == fuller.clue and argument.other_need == other.clue
        more = counted(argument.fuller_need - argument.other_need, "more mine")
        than = "" if _known(argument) else f" than {_named(other)}"
        said = (
            f"{_named(fuller)} {'needs' if is_all else 'still needs'} {more}{than}, "
            f"which can only be {places(argument.mines)}"
        )
        if argument.safe:
            said += f"; they share the {plural(argument.other_need, 'other')}"
    else:
        # All mines of a number touch another one that needs no more.
        mines = _its_mines(argument.fuller_need, fuller.clue)
        too = _its_mines(argument.other_need, other.clue)
        said = f"wherever {_named(fuller)} has {mines}, {_named(other)} has {too} too"
    known = _known(argument)
    if not known:
        return said
    mines = "a mine" if len(known) == 1 else "mines"
    return f"{_named(other)} has {mines} at {places(known)}, so {said}"


def _known(overlap: Overlap) -> Cells:
    """Return the proved mines that only the second number touches."""
    proved = dict.fromkeys(mine for proof in overlap.because for mine in proof.mines)
    weighed = {*overlap.mines, *overlap.shared}
    other = overlap.other.cell
    return tuple([mine for mine in proved if mine not in weighed and is_adjacent(mine, other)])


def _its_mines(count: int, clue: int) -> str:
    """Name some of a number's mines, when the others are known."""
    if count < clue:
        return "its last mine" if count == 1 else f"its last {count} mines"
    return {1: "its mine", 2: "both its mines"}.get(count, f"its {count} mines")


def _named(number: ShownNumber) -> str:
    return f"the {number.clue} at {place(number.cell)}"


def place(cell: Cell) -> str:
    """Write a cell as the header of a large board does: column, then row, both from 0."""
    return f"({cell.column},{cell.row})"


def places(cells: Iterable[Cell]) -> str:
    return series(map(place, cells))


def series(items: Iterable[str]) -> str:
    """Write a list in words: "a", "a and b", "a, b and c"."""
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last


def counted(count: int, noun: str, nouns: str = "") -> str:
    return f"{count} {plural(count, noun, nouns)}"


def plural(count: int, noun: str, nouns: str = "") -> str:
    return noun if count == 1 else nouns or f"{noun}s"


def percent(chance: Fraction | float) -> str:
    """Return a chance in whole percent, with one decimal where that would read as certain."""
    whole = round(chance * 100)
    if chance in (0, 1) or 0 < whole < 100:
        return f"{whole} %"
    return percent_in_tenths(chance).replace("<", "under ").replace(">", "over ")


def _about(chance: Fraction) -> str:
    """Write an estimated chance; a bound needs no `about`."""
    text = percent(chance)
    return text if text.startswith(("under", "over")) else f"about {text}"


def percent_in_tenths(chance: Fraction | float) -> str:
    """Return a chance in percent with one decimal; one short of certain never reads as certain."""
    tenths = f"{float(chance) * 100:.1f} %"
    if chance in (0, 1):
        return tenths
    return {"0.0 %": "<0.1 %", "100.0 %": ">99.9 %"}.get(tenths, tenths)


_CORNER = Cell(0, 0)
_MOST_CELLS_AT_ONCE = 2_000
"""Larger boards are examined in windows."""
_REACH_OF_HINTS, _REACH_OF_ODDS = 10, 20
"""Cells that the first window goes beyond the cursor."""


class NoHintError(SolverError):
    """There is no advice: the game is over, every cell is settled, or time is up."""

    __module__ = "jminesweeper"


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice for one action, with the reason for it."""

    cell: Cell
    action: ActionKind
    chance: Fraction
    """The chance of a mine in that cell."""
    argument: Argument

    @property
    def text(self) -> str:
        """The advice and its reason in English; a cell is its column and row, from 0."""
        return sentence(self.cell, self.action, self.chance, self.argument)


def explain(view: PlayerView, near: Place = _CORNER, deadline: Deadline = never) -> Advice:
    """Find the most helpful next action and the shortest argument for it.

    A safe cell if there is one, then a mine once nothing else is left, then the best guess.
    A flag on a safe cell is removed first. On a large board the cells around `near` come first.
    Raises `ImpossiblePositionError` when no layout agrees with the view, and `NoHintError` where
    there is nothing to advise, as in a game that is over.
    """
    check_kind("view", view, PlayerView, "a PlayerView, such as game.view")
    if view.status.is_over:
        raise NoHintError("the game is over")
    position, near = Position.of(view), place_of(near, "near")
    adviser = _Adviser(view, near, deadline, position, position.knowledge.cells_that_are(MINE))
    try:
        hint = adviser.simple_hint() or adviser.settled_hint() or adviser.counted_hint()
    except OutOfTimeError as error:
        raise NoHintError("no hint was found in time") from error
    if hint is None:
        raise NoHintError("every cell is settled")
    return hint


@dataclass(frozen=True)
class _Adviser:
    """One question about a position, in which the simple steps are known already."""

    view: PlayerView
    near: Cell
    deadline: Deadline
    position: Position
    simple_mines: int
    """The mines that one or two numbers prove at a time."""

    def simple_hint(self) -> Advice | None:
        """Find a safe cell by steps that look at one or two numbers."""
        safe = self.position.knowledge.cells_that_are(SAFE)
        if not safe:
            return None
        trusted = self.view.flagged & self.simple_mines
        near = nearest(self.view.grid, safe, self.near)
        for window in _windows(self.view.grid, near, _REACH_OF_HINTS):
            edge = Edge.of(self.view, trusted, window)
            found = Reasoning(edge, self.deadline).first_safe()
            if found is not None:
                return self._safe(*found)
        return None

    def settled_hint(self) -> Advice | None:
        """Find the next step once the mine count decides everything that is left."""
        view, knowledge, mines = self.view, self.position.knowledge, self.simple_mines
        unsettled = view.grid.mask & ~(view.visible | mines)
        if unsettled and not knowledge.mines_left:
            return self._counted(unsettled, mines)
        unflagged = (mines | unsettled) & ~(view.flagged | view.known)
        if knowledge.unknown_left > knowledge.mines_left or not unflagged:
            return None
        cell = view.grid.cell(indices(unflagged)[0])
        return Advice(cell, ActionKind.FLAG, Fraction(1), OnlyMines(view.mine_count))

    def counted_hint(self) -> Advice | None:
        """Find a cell that is safe in every layout, or else the best guess."""
        whole = self.position
        if whole.knowledge.unknown_left == whole.knowledge.mines_left:
            return None
        guess: Advice | None = None
        try:
            for window in _windows(self.view.grid, self.near, _REACH_OF_HINTS):
                is_whole = window == self.view.grid.mask
                position = whole if is_whole else whole.within(window)
                assessment = position.settle(self.deadline)
                if safe := position.knowledge.cells_that_are(SAFE):
                    return self._counted(safe, position.knowledge.cells_that_are(MINE))
                if is_whole:
                    return self._guess(assessment)
                guess = self._local_guess(window, assessment) or guess
                check(self.deadline)
        except OutOfTimeError:
            if guess is None:
                raise
        return guess

    def _counted(self, safe: int, mines: int) -> Advice:
        """Advise a cell that counting made safe: no few numbers prove it."""
        view = self.view
        index = view.grid.index(nearest(view.grid, safe, self.near))
        return self._safe(index, EveryLayout(view.mine_count, view.mine_count - mines.bit_count()))

    def _guess(self, assessment: Assessment) -> Advice:
        """Weigh the guesses of the whole board."""
        view = self.view
        guess = choose_guess(assessment)
        analysis = Analysis(view, assessment)
        chance = analysis.chance(view.grid.cell(guess.index))
        lowest = min(analysis.chances.values())
        argument = NothingSure(chance, lowest, guess.reason, analysis.exact)
        return self._hint(guess.index, chance, argument)

    def _local_guess(self, window: int, assessment: Assessment) -> Advice | None:
        """Take the lowest risk among the cells whose numbers are all in the window."""
        grid = self.view.grid
        inside = _interior(grid, window)
        for chance, _, cells in assessment.groups:
            found = inside & bits(cells)
            if found:
                index = grid.index(nearest(grid, found, self.near))
                risk = Fraction(chance)
                argument = NothingSure(risk, risk, Reason.LOWEST_RISK, exact=False, is_local=True)
                return self._hint(index, risk, argument)
        return None

    def _safe(self, index: int, argument: Argument) -> Advice:
        return self._hint(index, Fraction(0), argument)

    def _hint(self, index: int, chance: Fraction, argument: Argument) -> Advice:
        cell = self.view.grid.cell(index)
        action = ActionKind.FLAG if self.view.is_flagged(cell) else ActionKind.REVEAL
        return Advice(cell, action, chance, argument)


class LocalOdds(NamedTuple):
    """Chances of a mine in percent, by the index of the cell."""

    percents: dict[int, int]
    is_exact: bool


def odds_near(view: PlayerView, near: Cell, deadline: Deadline = never) -> LocalOdds:
    """Work out the odds of the covered cells around a place.

    0 and 100 mean certainty only. Raises `ImpossiblePositionError` when no layout agrees with
    the view, and `OutOfTimeError` when the deadline passes.
    """
    window = next(_windows(view.grid, near, _REACH_OF_ODDS))
    is_whole = window == view.grid.mask
    position = Position.of(view)
    if not is_whole:
        position = position.within(window)
    analysis = Analysis(view, position.assess(deadline))
    inside = _interior(view.grid, window) & ~view.visible
    percents = {index: _percent(analysis.by_index[index]) for index in indices(inside)}
    return LocalOdds(percents, analysis.exact and is_whole)


def _percent(chance: Fraction) -> int:
    if chance in (0, 1):
        return int(100 * chance)
    return min(99, max(1, round(100 * float(chance))))


class Solved(NamedTuple):
    """A covered cell that one or two numbers decide."""

    cell: Cell
    is_mine: bool


def next_solved(view: PlayerView, after: Cell) -> Solved | None:
    """Find the next cell, in reading order, that numbers show to be safe, or else to be a mine."""
    known, grid = Position.of(view).knowledge, view.grid
    for status, is_mine in ((SAFE, False), (MINE, True)):
        cells = known.cells_that_are(status)
        if is_mine:
            cells &= ~(view.flagged | view.known)
        if cells:
            later = cells >> grid.index(after) + 1 << grid.index(after) + 1
            return Solved(grid.cell(lowest(later or cells).bit_length() - 1), is_mine)
    return None


def _windows(grid: Grid, near: Cell, reach: int) -> Iterator[int]:
    """Yield ever wider squares around a cell, the whole board at last."""
    if grid.size.cells > _MOST_CELLS_AT_ONCE:
        while (window := grid.square(near, reach)) != grid.mask:
            yield window
            reach *= 2
    yield grid.mask


def _interior(grid: Grid, window: int) -> int:
    """Return the cells of a window all of whose neighbours are in it as well."""
    return window & ~grid.neighbours(grid.mask & ~window)
