"""Arguments in English, short enough for the few lines that a screen has for a message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Final

from jminesweeper.core import ActionKind, Cell
from jminesweeper.solver.arguments import (
    AllFlagged,
    Argument,
    Cells,
    Certain,
    Clash,
    EveryLayout,
    LastMines,
    NothingSure,
    Number,
    NumberDone,
    NumberFull,
    OnlyMines,
    Overlap,
    Premise,
)
from jminesweeper.solver.guess import Reason
from jminesweeper.solver.words import counted, percent, place, places, plural, series

ROOM: Final = ((78, 2), (40, 4))
"""Columns and lines that a message has, on an ordinary terminal and on the narrowest."""

_RATHER: Final = {
    Reason.PROGRESS: "leads on better than the least risky at",
    Reason.FIFTY_FIFTY: "is a guess that has to be made anyway; the least risky is one at",
    Reason.ENDGAME: "wins more often than the least risky at",
}


def sentence(cell: Cell, action: ActionKind, chance: Fraction, argument: Argument) -> str:
    """Return the advice and its reason, with as much of what that rests on as there is room for."""
    if isinstance(argument, NothingSure):
        return _guess(cell, action, argument)
    told = [f"{_advice(cell, action, chance)}: {reason}." for reason in _reasons(argument)]
    return next(filter(_fits, told), told[-1])


def _fits(text: str) -> bool:
    return all(len(wrap(text, columns)) <= lines for columns, lines in ROOM)


def _advice(cell: Cell, action: ActionKind, chance: Fraction) -> str:
    if action is not ActionKind.FLAG:
        return f"Reveal {place(cell)}"
    return f"Flag {place(cell)}" if chance else f"The flag at {place(cell)} is wrong, take it off"


def _guess(cell: Cell, action: ActionKind, argument: NothingSure) -> str:
    about = "" if argument.exact else "about "
    chance, lowest = percent(argument.chance), percent(argument.lowest)
    mine = f"a mine at {about}{chance}"
    rather = _RATHER.get(argument.reason)
    if argument.chance == argument.lowest:
        told = f"the least risky is {place(cell)}, {mine}"
    elif chance == lowest or rather is None:
        told = f"{place(cell)} is among the least risky, {mine}"
    else:
        told = f"{place(cell)}, {mine}, {rather} {about}{lowest}"
    off = ". Take the flag off and reveal it" if action is ActionKind.FLAG else ""
    return f"No cell is sure: {told}{off}."


def _reasons(argument: Certain) -> Iterator[str]:
    """Give the reason in ever fewer words: what it rests on is left out first."""
    if isinstance(argument, NumberDone) and argument.because:
        mines = plural(len(argument.mines), "mine")
        where = f"{_named(argument.number)} already has its {mines} at {places(argument.mines)}"
        yield f"{where}, as {_together(argument.because)}"
        yield f"{_reason(argument)}, as {_together(argument.because)}"
        yield where
    yield _reason(argument)
    yield from _in_short(argument)


def _in_short(argument: Certain) -> Iterator[str]:
    """Give no more than the hint at a reason, for numbers at places of many digits."""
    match argument:
        case Overlap():
            yield f"{_named(argument.fuller)} and {_named(argument.other)} leave no mine for it"
        case Clash():
            yield "with a mine there the numbers around could not all be right"
        case LastMines():
            yield f"numbers elsewhere need {_all_left(argument)}"


def _together(steps: Sequence[Premise]) -> str:
    """Tell several things that prove mines, those of one kind in fewer words."""
    full = [step for step in steps if isinstance(step, NumberFull)]
    told = [_number_full(full[0]), *map(_also_full, full[1:])] if full else []
    return series([*told, *(_overlap(step) for step in steps if isinstance(step, Overlap))])


def _reason(argument: Certain) -> str:
    match argument:
        case NumberDone():
            return _number_done(argument)
        case NumberFull():
            return _number_full(argument)
        case Overlap():
            return _overlap(argument)
        case LastMines():
            return _last_mines(argument)
        case Clash(_, numbers):
            return f"with a mine there, {_all_of(numbers)} could not all be right"
        case _:
            return _of_the_whole(argument)


def _of_the_whole(argument: AllFlagged | OnlyMines | EveryLayout) -> str:
    """Tell what follows from the board as a whole."""
    match argument:
        case AllFlagged(count):
            return "the only mine has its flag" if count == 1 else f"all {count} mines have flags"
        case OnlyMines(count):
            return f"only the {'mine is' if count == 1 else f'{count} mines are'} still covered"
        case EveryLayout(count):
            mines = "the one mine" if count == 1 else f"the {count} mines"
            return f"with a mine there, no way to lay {mines} fits all the numbers"


def _number_done(argument: NumberDone) -> str:
    cell, clue = argument.number
    if not clue:
        return f"no mine is around {place(cell)}"
    return f"{_named(argument.number)} already has {_its_mines(clue, clue)}"


def _number_full(argument: NumberFull) -> str:
    return f"{_named(argument.number)} touches only {counted(argument.number.clue, 'covered cell')}"


def _also_full(argument: NumberFull) -> str:
    return f"{_named(argument.number)} only {argument.number.clue}"


def _overlap(argument: Overlap) -> str:
    told = _surplus(argument) if argument.mines else _inside(argument)
    known = _known(argument)
    if not known:
        return told
    mines = "a mine" if len(known) == 1 else "mines"
    return f"{_named(argument.other)} has {mines} at {places(known)}, so {told}"


def _known(overlap: Overlap) -> Cells:
    """Return the mines that are proved and that only the second number touches."""
    proved = dict.fromkeys(mine for proof in overlap.because for mine in proof.mines)
    weighed = {*overlap.mines, *overlap.shared}
    return tuple(
        [mine for mine in proved if mine not in weighed and _touches(mine, overlap.other.cell)]
    )


def _touches(one: Cell, other: Cell) -> bool:
    return abs(one.column - other.column) <= 1 and abs(one.row - other.row) <= 1


def _surplus(argument: Overlap) -> str:
    """Tell of a number that needs so many more mines that it fills what it alone touches."""
    fuller, other = argument.fuller, argument.other
    is_all = argument.fuller_need == fuller.clue and argument.other_need == other.clue
    more = counted(argument.fuller_need - argument.other_need, "mine")
    than = "" if _known(argument) else f" than {_named(other)}"
    told = (
        f"{_named(fuller)} {'needs' if is_all else 'still needs'} {more} more{than}, "
        f"which only {places(argument.mines)} can be"
    )
    rest = plural(argument.other_need, "other")
    return f"{told}, so they share the {rest}" if argument.safe else told


def _inside(argument: Overlap) -> str:
    """Tell of a number whose mines are all touched by another that needs no more."""
    fuller, other = argument.fuller, argument.other
    mines = _its_mines(argument.other_need, other.clue)
    return (
        f"wherever {_named(fuller)} has {_its_mines(argument.fuller_need, fuller.clue)}, "
        f"{_named(other)} has {mines} too"
    )


def _its_mines(count: int, clue: int) -> str:
    """Name some of the mines of a number, the others being known."""
    if count < clue:
        return "its last mine" if count == 1 else f"its last {count} mines"
    return {1: "its mine", 2: "both its mines"}.get(count, f"its {count} mines")


def _last_mines(argument: LastMines) -> str:
    if len(argument.numbers) == 1:
        return f"{_all_of(argument.numbers)} needs {_all_left(argument)}"
    return f"{_all_of(argument.numbers)} share no cell and together need {_all_left(argument)}"


def _all_left(argument: LastMines) -> str:
    if argument.left == 1:
        return "the one mine that is left"
    return f"{'both' if argument.left == 2 else f'all {argument.left}'} mines that are left"


def _all_of(numbers: Sequence[Number]) -> str:
    return series(map(_named, numbers))


def _named(number: Number) -> str:
    return f"the {number.clue} at {place(number.cell)}"
