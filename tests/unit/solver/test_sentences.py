from fractions import Fraction

import pytest
from _pytest.mark import ParameterSet

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.grid import Cell
from jminesweeper.solver.guess import Reason
from jminesweeper.solver.hints import (
    counted,
    percent,
    percent_in_tenths,
    place,
    places,
    plural,
    sentence,
    series,
)
from jminesweeper.solver.reasoning import (
    Argument,
    EveryLayout,
    NothingSure,
    NumberDone,
    NumberFull,
    OnlyMines,
    Overlap,
    ShownNumber,
)
from tests.unit.solver.hint_checker import fits_the_screen

ONE, TWO, THREE, FOUR = (ShownNumber(Cell(clue, 7), clue) for clue in (1, 2, 3, 4))
MINES = (Cell(0, 0), Cell(1, 0), Cell(2, 0), Cell(3, 0))
SAFE = (Cell(5, 5),)
FULL = NumberFull(ShownNumber(Cell(1, 1), 1), MINES[:1])
FULLER = NumberFull(ShownNumber(Cell(2, 1), 3), MINES[1:])
SURPLUS = Overlap(TWO, 2, ONE, 1, MINES[:1], SAFE, ())


def done(number: ShownNumber, *proofs: NumberFull | Overlap) -> NumberDone:
    return NumberDone(number, MINES[: number.clue], SAFE, proofs)


def inside(fuller: ShownNumber, other: ShownNumber, need: int) -> Overlap:
    return Overlap(fuller, need, other, need, (), MINES, SAFE)


def surplus(fuller: ShownNumber, fuller_need: int, other: ShownNumber, need: int) -> Overlap:
    return Overlap(fuller, fuller_need, other, need, MINES[: fuller_need - need], SAFE, SAFE)


def beyond(known: tuple[Cell, ...], number: ShownNumber, *own: Cell) -> Overlap:
    """Two numbers, of which only the second touches mines that are known by a proof."""
    # The number that proves them shows one more, which is far away, and one that both touch.
    proof = NumberFull(ShownNumber(Cell(2, 9), 4), (*known, Cell(9, 9), Cell(2, 6)))
    shared = (Cell(2, 6),) if own else (Cell(2, 6), Cell(1, 6))
    return Overlap(number, number.clue, THREE, 1, own, shared, SAFE, (proof,))


def told_as(argument: Argument, *lines: str) -> ParameterSet:
    return pytest.param(argument, " ".join(lines))


ONE_MINE, TWO_MINES = (Cell(3, 8),), (Cell(2, 8), Cell(3, 8))
SENTENCES = [
    # A number that has its mines: they are flagged, or named and proved, as long as there is room.
    told_as(done(ONE), "the 1 at (1,7) already has its mine."),
    told_as(done(TWO), "the 2 at (2,7) already has both its mines."),
    told_as(done(THREE), "the 3 at (3,7) already has its 3 mines."),
    told_as(NumberDone(ShownNumber(Cell(4, 4), 0), (), SAFE), "no mine is around (4,4)."),
    told_as(done(ONE, FULL),
        "the 1 at (1,7) already has its mine at (0,0),",
        "as the 1 at (1,1) touches only 1 covered cell."),
    told_as(done(TWO, FULLER),
        "the 2 at (2,7) already has its mines at (0,0) and (1,0),",
        "as the 3 at (2,1) touches only 3 covered cells."),
    told_as(done(THREE, FULL, FULLER),
        "the 3 at (3,7) already has its mines at (0,0), (1,0) and (2,0),",
        "as the 1 at (1,1) touches only 1 covered cell and the 3 at (2,1) only 3."),
    told_as(done(FOUR, FULL, FULLER, FULL),
        "the 4 at (4,7) already has its 4 mines, as the 1 at (1,1) touches only 1 covered cell,",
        "the 3 at (2,1) only 3 and the 1 at (1,1) only 1."),
    told_as(done(FOUR, *[FULL, FULLER, FULL] * 2),
        "the 4 at (4,7) already has its mines at (0,0), (1,0), (2,0) and (3,0)."),
    told_as(done(ONE, SURPLUS),
        "the 1 at (1,7) already has its mine at (0,0), as the 2 at (2,7) needs 1 more mine",
        "than the 1 at (1,7), which can only be (0,0)."),
    # Mines that two numbers share are nowhere else.
    told_as(inside(ONE, ONE, 1),
        "wherever the 1 at (1,7) has its mine, the 1 at (1,7) has its mine too."),
    told_as(inside(TWO, ONE, 1),
        "wherever the 2 at (2,7) has its last mine, the 1 at (1,7) has its mine too."),
    told_as(inside(TWO, THREE, 2),
        "wherever the 2 at (2,7) has both its mines, the 3 at (3,7) has its last 2 mines too."),
    told_as(inside(THREE, THREE, 3),
        "wherever the 3 at (3,7) has its 3 mines, the 3 at (3,7) has its 3 mines too."),
    # A number that needs more fills what it alone touches.
    told_as(surplus(TWO, 2, ONE, 1),
        "the 2 at (2,7) needs 1 more mine than the 1 at (1,7), which can only be (0,0);",
        "they share the other."),
    told_as(surplus(FOUR, 4, TWO, 2),
        "the 4 at (4,7) needs 2 more mines than the 2 at (2,7), which can only be (0,0)",
        "and (1,0); they share the others."),
    told_as(surplus(FOUR, 4, TWO, 1),
        "the 4 at (4,7) still needs 3 more mines than the 2 at (2,7), which can only be",
        "(0,0), (1,0) and (2,0); they share the other."),
    # Mines that only the other number touches are told first.
    told_as(beyond(ONE_MINE, ONE),
        "the 3 at (3,7) has a mine at (3,8), so wherever the 1 at (1,7) has its mine,",
        "the 3 at (3,7) has its last mine too."),
    told_as(beyond(TWO_MINES, TWO, Cell(1, 6)),
        "the 3 at (3,7) has mines at (2,8) and (3,8), so the 2 at (2,7) still needs 1 more mine,",
        "which can only be (1,6); they share the other."),
    # The whole board.
    told_as(EveryLayout(1, 0), "the only mine is certain."),
    told_as(EveryLayout(10, 0), "all 10 mines are certain."),
    told_as(EveryLayout(10, 1),
        "1 mine is left, and with it there the numbers cannot all be right."),
    told_as(EveryLayout(10, 9),
        "9 mines are left, and with one there the numbers cannot all be right."),
    told_as(OnlyMines(1), "only the mine is still covered."),
    told_as(OnlyMines(10), "only the 10 mines are still covered."),
]  # fmt: skip


@pytest.mark.parametrize(("argument", "text"), SENTENCES)
def test_an_argument_is_told_in_a_sentence(argument: Argument, text: str) -> None:
    told = sentence(Cell(5, 5), ActionKind.REVEAL, Fraction(0), argument)
    assert told == f"Reveal (5,5): {text}"


def test_flags_are_set_and_taken_off() -> None:
    flag = sentence(Cell(0, 0), ActionKind.FLAG, Fraction(1), FULL)
    assert flag == "Flag (0,0): the 1 at (1,1) touches only 1 covered cell."
    wrong = sentence(Cell(5, 5), ActionKind.FLAG, Fraction(0), done(ONE))
    assert wrong == ("Remove the wrong flag at (5,5): the 1 at (1,7) already has its mine.")


LEAST, MORE, BOUND = Fraction(3, 25), Fraction(1, 4), Fraction(1, 10**6)
PROGRESS, ENDGAME, LOWEST = Reason.PROGRESS, Reason.ENDGAME, Reason.LOWEST_RISK
RISKS = [
    told_as(NothingSure(LEAST, LEAST, PROGRESS), ". Best guess: (5,5), 12 % risk."),
    # A greater risk is worth something, unless both read the same.
    told_as(NothingSure(MORE, LEAST, PROGRESS),
        ". Best guess: (5,5), 25 % risk: it promises more than the safest cell, 12 %."),
    told_as(NothingSure(MORE, LEAST, ENDGAME),
        ". Best guess: (5,5), 25 % risk: it wins more often than the safest cell, 12 %."),
    told_as(NothingSure(MORE, MORE - Fraction(1, 10_000), PROGRESS),
        ". Best guess: (5,5), 25 % risk."),
    told_as(NothingSure(MORE, LEAST, LOWEST), ". Best guess: (5,5), 25 % risk."),
    # An estimate is called one, a bound is not about a bound.
    told_as(NothingSure(MORE, LEAST, PROGRESS, exact=False),
        ". Best guess: (5,5), about 25 % risk:",
        "it promises more than the safest cell, about 12 %."),
    told_as(NothingSure(BOUND, BOUND, PROGRESS, exact=False),
        ". Best guess: (5,5), under 0.1 % risk."),
    told_as(NothingSure(1 - BOUND, 1 - BOUND, PROGRESS, exact=False),
        ". Best guess: (5,5), over 99.9 % risk."),
    told_as(NothingSure(MORE, MORE, LOWEST, exact=False, is_local=True),
        " near the cursor. Best guess: (5,5), about 25 % risk."),
]  # fmt: skip


@pytest.mark.parametrize(("argument", "text"), RISKS)
def test_where_nothing_is_safe_the_risk_is_told(argument: NothingSure, text: str) -> None:
    told = sentence(Cell(5, 5), ActionKind.REVEAL, argument.chance, argument)
    assert told == f"No safe move{text}"


def test_a_flag_that_may_be_right_is_not_called_wrong() -> None:
    argument = NothingSure(LEAST, LEAST, PROGRESS)
    told = sentence(Cell(5, 5), ActionKind.FLAG, argument.chance, argument)
    assert told == "No safe move. Best guess: (5,5), 12 % risk. Remove its flag first."


FAR = tuple(ShownNumber(Cell(250 + clue, 254), clue) for clue in (1, 2, 3, 4))
FAR_MINES = tuple(Cell(column, 253) for column in range(247, 255))


@pytest.mark.parametrize(
    "argument",
    [
        NumberDone(ShownNumber(Cell(254, 254), 8), FAR_MINES, SAFE, (FULL, FULLER)),
        Overlap(FAR[3], 4, FAR[2], 1, FAR_MINES[:3], SAFE, SAFE, (NumberFull(FAR[1], MINES),)),
        EveryLayout(65_025, 65_025),
    ],
)
def test_every_hint_has_room_on_the_screen(argument: Argument) -> None:
    text = sentence(Cell(254, 254), ActionKind.FLAG, Fraction(0), argument)
    assert fits_the_screen(text)
    assert text.startswith("Remove the wrong flag at (254,254): ")


CELLS = (Cell(8, 1), Cell(8, 2), Cell(6, 3))


def test_a_cell_is_its_column_and_row() -> None:
    assert place(Cell(254, 0)) == "(254,0)"


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "(8,1)"), (2, "(8,1) and (8,2)"), (3, "(8,1), (8,2) and (6,3)")],
)
def test_lists_end_in_one_and(count: int, text: str) -> None:
    assert places(CELLS[:count]) == text


def test_a_long_list_has_commas_between_all_but_the_last() -> None:
    assert series("abcd") == "a, b, c and d"


def test_one_thing_is_one_and_more_are_many() -> None:
    assert [counted(count, "mine") for count in (0, 1, 2)] == ["0 mines", "1 mine", "2 mines"]
    assert plural(1, "cell") == "cell"
    assert [counted(count, "guess", "guesses") for count in (1, 2)] == ["1 guess", "2 guesses"]


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(1, 8), "12 %"),
        (Fraction(1, 1000), "0.1 %"),
        (Fraction(1, 10**6), "under 0.1 %"),
        (Fraction(999, 1000), "99.9 %"),
        (Fraction(9999, 10_000), "over 99.9 %"),
        (0.125, "12 %"),
        (Fraction(0), "0 %"),
        (Fraction(1), "100 %"),
    ],
)
def test_a_chance_short_of_certain_never_reads_as_certain(
    chance: Fraction | float, text: str
) -> None:
    assert percent(chance) == text


@pytest.mark.parametrize(
    ("chance", "text"),
    [(0.125, "12.5 %"), (0.0, "0.0 %"), (1.0, "100.0 %"), (1e-6, "<0.1 %"), (1 - 1e-6, ">99.9 %")],
)
def test_tables_tell_tenths(chance: float, text: str) -> None:
    assert percent_in_tenths(chance) == text
