"""Arguments in English, short enough for the few lines that a screen has for a message.

Below them: how cells, chances, counts and lists are written, wherever the solver is quoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Final

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.grid import Cell
from jminesweeper.solver.guess import Reason
from jminesweeper.solver.reasoning import (
    Argument,
    Cells,
    Certain,
    EveryLayout,
    NothingSure,
    NumberDone,
    NumberFull,
    OnlyMines,
    Overlap,
    Premise,
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
    said = [f"{_advice(cell, action, chance)}: {reason}." for reason in _reasons(argument)]
    return next(filter(_fits, said), said[-1])


def _fits(text: str) -> bool:
    return all(len(wrap(text, columns)) <= lines for columns, lines in ROOM)


def _advice(cell: Cell, action: ActionKind, chance: Fraction) -> str:
    if action is not ActionKind.FLAG:
        return f"Reveal {place(cell)}"
    return f"Flag {place(cell)}" if chance else f"Remove the wrong flag at {place(cell)}"


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
    said = [_number_full(full[0]), *map(_also_full, full[1:])] if full else []
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


def _also_full(argument: NumberFull) -> str:
    return f"{_named(argument.number)} only {argument.number.clue}"


def _overlap(argument: Overlap) -> str:
    said = _surplus(argument) if argument.mines else _inside(argument)
    known = _known(argument)
    if not known:
        return said
    mines = "a mine" if len(known) == 1 else "mines"
    return f"{_named(argument.other)} has {mines} at {places(known)}, so {said}"


def _known(overlap: Overlap) -> Cells:
    """Return the proved mines that only the second number touches."""
    proved = dict.fromkeys(mine for proof in overlap.because for mine in proof.mines)
    weighed = {*overlap.mines, *overlap.shared}
    return tuple(
        [mine for mine in proved if mine not in weighed and _touches(mine, overlap.other.cell)]
    )


def _touches(one: Cell, other: Cell) -> bool:
    return abs(one.column - other.column) <= 1 and abs(one.row - other.row) <= 1


def _surplus(argument: Overlap) -> str:
    """Describe a number that needs so many more mines that it fills what it alone touches."""
    fuller, other = argument.fuller, argument.other
    is_all = argument.fuller_need == fuller.clue and argument.other_need == other.clue
    more = counted(argument.fuller_need - argument.other_need, "more mine")
    than = "" if _known(argument) else f" than {_named(other)}"
    said = (
        f"{_named(fuller)} {'needs' if is_all else 'still needs'} {more}{than}, "
        f"which can only be {places(argument.mines)}"
    )
    rest = plural(argument.other_need, "other")
    return f"{said}; they share the {rest}" if argument.safe else said


def _inside(argument: Overlap) -> str:
    """Describe a number whose mines all touch another number that needs no more."""
    fuller, other = argument.fuller, argument.other
    mines = _its_mines(argument.other_need, other.clue)
    return (
        f"wherever {_named(fuller)} has {_its_mines(argument.fuller_need, fuller.clue)}, "
        f"{_named(other)} has {mines} too"
    )


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
