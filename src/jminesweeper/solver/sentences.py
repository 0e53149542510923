"""Arguments in English. Columns and rows are counted from 1, as people do."""

from __future__ import annotations

from fractions import Fraction

from jminesweeper.core import ActionKind, Cell
from jminesweeper.solver.arguments import (
    Argument,
    EveryLayout,
    MinesFound,
    NothingSure,
    NumberDone,
    NumberFull,
    Overlap,
    premises,
)


def sentence(cell: Cell, action: ActionKind, chance: Fraction, argument: Argument) -> str:
    """Return the advice, after the reasons it rests on."""
    lead = [_because(each) for each in _in_order(argument)]
    return " ".join([*lead, _because(argument), _advice(cell, action, chance)])


def _in_order(argument: Argument) -> list[Argument]:
    """Return the arguments that one rests on, each after those it rests on itself."""
    ordered: dict[Argument, None] = {}
    for each in premises(argument):
        for step in (*_in_order(each), each):
            ordered.setdefault(step)
    return list(ordered)


def _advice(cell: Cell, action: ActionKind, chance: Fraction) -> str:
    if action is ActionKind.FLAG:
        if chance == 1:
            return f"Flag {place(cell)}."
        if chance:
            return f"Take the flag at {place(cell)} off and reveal the cell."
        return f"The flag at {place(cell)} is wrong: take it off, then reveal the cell."
    return f"Reveal {place(cell)}."


def _because(argument: Argument) -> str:
    match argument:
        case NumberDone():
            return _number_done(argument)
        case NumberFull():
            return (
                f"The {argument.clue} at {place(argument.number)} has only {argument.clue} "
                f"{_plural('neighbour', argument.clue)} that can be mines, so "
                f"{places(argument.mines)} {_must(argument.mines)}."
            )
        case Overlap():
            return _overlap(argument)
        case MinesFound():
            return "Every mine is found, so all other covered cells are safe."
        case EveryLayout():
            return (
                f"No layout of {argument.mine_count} {_plural('mine', argument.mine_count)} that "
                "agrees with all the numbers has it otherwise."
            )
        case NothingSure():
            return _nothing_sure(argument)


def _number_done(argument: NumberDone) -> str:
    number = f"The {argument.clue} at {place(argument.number)}"
    if not argument.clue:
        return f"The cell at {place(argument.number)} has no mine around it."
    owned = "its mine" if argument.clue == 1 else f"all its {argument.clue} mines"
    return f"{number} already has {owned}, so its other neighbours are safe."


def _overlap(argument: Overlap) -> str:
    fuller, other = place(argument.fuller), place(argument.other)
    more = argument.fuller_need - argument.other_need
    if not argument.mines:
        return (
            f"The cells around {fuller} that still hold {_mines(argument.fuller_need)} all "
            f"touch {other} as well, which needs no more, so "
            f"{places(argument.safe)} must be safe."
        )
    text = (
        f"The number at {fuller} needs {_mines(more)} more than the one at {other}, and only "
        f"{places(argument.mines)} can hold them"
    )
    if not argument.safe:
        return text + "."
    return f"{text}, so {places(argument.safe)} must be safe."


def _nothing_sure(argument: NothingSure) -> str:
    chance = percent(argument.chance)
    if argument.chance == argument.lowest:
        return f"No cell is sure; the least risky is a mine with {chance}."
    return (
        f"No cell is sure; this one is a mine with {chance} (the least risky with "
        f"{percent(argument.lowest)}), but {argument.reason}."
    )


def percent(chance: Fraction) -> str:
    """Return a chance in whole percent, with one decimal where that would read as certain."""
    whole = round(chance * 100)
    if whole in (0, 100) and chance not in (0, 1):
        return f"{min(99.9, max(0.1, float(chance * 100))):.1f} %"
    return f"{whole} %"


def place(cell: Cell) -> str:
    return f"column {cell.column}, row {cell.row}"


def places(cells: tuple[Cell, ...]) -> str:
    """Cells in a row of words, those of one row taken together."""
    return " and ".join([f"({cell.column}, {cell.row})" for cell in cells])


def _mines(count: int) -> str:
    return f"{count} {_plural('mine', count)}"


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else noun + "s"


def _must(mines: tuple[Cell, ...]) -> str:
    return "must be a mine" if len(mines) == 1 else "must be mines"
