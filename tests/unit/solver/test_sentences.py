from fractions import Fraction

import pytest

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


def told(argument: Argument) -> str:
    return sentence(Cell(5, 5), ActionKind.REVEAL, Fraction(0), argument)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (ONE, "the 1 at (1,7) already has its mine."),
        (TWO, "the 2 at (2,7) already has both its mines."),
        (THREE, "the 3 at (3,7) already has its 3 mines."),
    ],
)
def test_a_number_that_is_done_frees_its_neighbours(number: ShownNumber, said: str) -> None:
    mines = MINES[: number.clue]
    assert told(NumberDone(number, mines, SAFE)) == f"Reveal (5,5): {said}"


def test_a_zero_has_no_mine_around_it() -> None:
    zero = NumberDone(ShownNumber(Cell(4, 4), 0), (), SAFE)
    assert told(zero) == "Reveal (5,5): no mine is around (4,4)."


@pytest.mark.parametrize(
    ("number", "proofs", "said"),
    [
        (ONE, (FULL,), "its mine at (0,0), as the 1 at (1,1) touches only 1 covered cell."),
        (
            TWO,
            (FULLER,),
            "its mines at (0,0) and (1,0), as the 3 at (2,1) touches only 3 covered cells.",
        ),
        (
            THREE,
            (FULL, FULLER),
            (
                "its mines at (0,0), (1,0) and (2,0), as the 1 at (1,1) touches only 1 covered "
                "cell and the 3 at (2,1) only 3."
            ),
        ),
    ],
)
def test_mines_that_are_not_flagged_are_named_and_proved(
    number: ShownNumber, proofs: tuple[NumberFull, ...], said: str
) -> None:
    text = told(NumberDone(number, MINES[: number.clue], SAFE, proofs))
    assert text == f"Reveal (5,5): the {number.clue} at ({number.clue},7) already has {said}"


def test_where_there_is_no_room_first_the_names_go_then_the_proofs() -> None:
    three = (FULL, FULLER, FULL)
    text = told(NumberDone(FOUR, MINES, SAFE, three))
    assert "has its 4 mines, as the 1 at (1,1) touches" in text
    assert "only 3 and the 1 at (1,1) only 1." in text
    text = told(NumberDone(FOUR, MINES, SAFE, (*three, *three)))
    assert text.endswith("already has its mines at (0,0), (1,0), (2,0) and (3,0).")


def inside(fuller: ShownNumber, other: ShownNumber, need: int) -> Overlap:
    return Overlap(fuller, need, other, need, (), MINES, SAFE)


@pytest.mark.parametrize(
    ("overlap", "said"),
    [
        (inside(ONE, ONE, 1), "the 1 at (1,7) has its mine, the 1 at (1,7) has its mine too."),
        (inside(TWO, ONE, 1), "the 2 at (2,7) has its last mine, the 1 at (1,7) has its mine too."),
        (
            inside(TWO, THREE, 2),
            "the 2 at (2,7) has both its mines, the 3 at (3,7) has its last 2 mines too.",
        ),
        (inside(THREE, THREE, 3), "has its 3 mines, the 3 at (3,7) has its 3 mines too."),
    ],
)
def test_mines_that_two_numbers_share_are_nowhere_else(overlap: Overlap, said: str) -> None:
    text = told(overlap)
    assert text.startswith("Reveal (5,5): wherever ")
    assert text.endswith(said)


def surplus(fuller: ShownNumber, fuller_need: int, other: ShownNumber, need: int) -> Overlap:
    return Overlap(fuller, fuller_need, other, need, MINES[: fuller_need - need], SAFE, SAFE)


@pytest.mark.parametrize(
    ("overlap", "said"),
    [
        (
            surplus(TWO, 2, ONE, 1),
            (
                "the 2 at (2,7) needs 1 more mine than the 1 at (1,7), which can only be (0,0); "
                "they share the other."
            ),
        ),
        (
            surplus(FOUR, 4, TWO, 2),
            (
                "the 4 at (4,7) needs 2 more mines than the 2 at (2,7), which can only be (0,0) "
                "and (1,0); they share the others."
            ),
        ),
        (
            surplus(FOUR, 4, TWO, 1),
            (
                "the 4 at (4,7) still needs 3 more mines than the 2 at (2,7), which can only be "
                "(0,0), (1,0) and (2,0); they share the other."
            ),
        ),
    ],
)
def test_a_number_that_needs_more_fills_what_it_alone_touches(overlap: Overlap, said: str) -> None:
    assert told(overlap) == f"Reveal (5,5): {said}"


def test_two_numbers_that_show_mines_serve_as_a_proof() -> None:
    proof = Overlap(TWO, 2, ONE, 1, MINES[:1], SAFE, ())
    text = told(NumberDone(ONE, MINES[:1], SAFE, (proof,)))
    assert text.endswith(
        "its mine at (0,0), as the 2 at (2,7) needs 1 more mine than the 1 at (1,7), "
        "which can only be (0,0)."
    )


@pytest.mark.parametrize(
    ("known", "has"),
    [((Cell(3, 8),), "a mine at (3,8)"), ((Cell(2, 8), Cell(3, 8)), "mines at (2,8) and (3,8)")],
)
def test_mines_that_only_the_other_number_touches_are_told_first(
    known: tuple[Cell, ...], has: str
) -> None:
    # The number that proves them shows one more, which is far away, and one that both touch.
    proof = NumberFull(ShownNumber(Cell(2, 9), 4), (*known, Cell(9, 9), Cell(2, 6)))
    shared = (Cell(2, 6), Cell(1, 6))
    assert told(Overlap(ONE, 1, THREE, 1, (), shared, SAFE, (proof,))) == (
        f"Reveal (5,5): the 3 at (3,7) has {has}, so wherever the 1 at (1,7) has its mine, "
        "the 3 at (3,7) has its last mine too."
    )
    assert told(Overlap(TWO, 2, THREE, 1, (Cell(1, 6),), shared[:1], SAFE, (proof,))) == (
        f"Reveal (5,5): the 3 at (3,7) has {has}, so the 2 at (2,7) still needs 1 more mine, "
        "which can only be (1,6); they share the other."
    )


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        (EveryLayout(1, 0), "the only mine is certain"),
        (EveryLayout(10, 0), "all 10 mines are certain"),
        (EveryLayout(10, 1), "1 mine is left, and with it there the numbers cannot all be right"),
        (
            EveryLayout(10, 9),
            "9 mines are left, and with one there the numbers cannot all be right",
        ),
        (OnlyMines(1), "only the mine is still covered"),
        (OnlyMines(10), "only the 10 mines are still covered"),
    ],
)
def test_what_the_whole_board_shows_is_said_as_it_is(argument: Argument, said: str) -> None:
    assert told(argument) == f"Reveal (5,5): {said}."


def test_flags_are_set_and_taken_off() -> None:
    flag = sentence(Cell(0, 0), ActionKind.FLAG, Fraction(1), FULL)
    assert flag == "Flag (0,0): the 1 at (1,1) touches only 1 covered cell."
    done = NumberDone(ONE, MINES[:1], SAFE)
    wrong = sentence(Cell(5, 5), ActionKind.FLAG, Fraction(0), done)
    assert wrong == ("Remove the wrong flag at (5,5): the 1 at (1,7) already has its mine.")


LEAST, MORE = Fraction(3, 25), Fraction(1, 4)


def guessed(argument: NothingSure, action: ActionKind = ActionKind.REVEAL) -> str:
    return sentence(Cell(5, 5), action, argument.chance, argument)


def test_where_nothing_is_safe_the_risk_is_told() -> None:
    assert guessed(NothingSure(LEAST, LEAST, Reason.PROGRESS)) == (
        "No safe move. Best guess: (5,5), 12 % risk."
    )


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (Reason.PROGRESS, "it promises more than the safest cell, 12 %."),
        (Reason.ENDGAME, "it wins more often than the safest cell, 12 %."),
    ],
)
def test_a_greater_risk_is_worth_something(reason: Reason, said: str) -> None:
    text = guessed(NothingSure(MORE, LEAST, reason))
    assert text == f"No safe move. Best guess: (5,5), 25 % risk: {said}"


@pytest.mark.parametrize("lowest", [MORE - Fraction(1, 10_000), LEAST])
def test_risks_that_read_the_same_are_not_compared(lowest: Fraction) -> None:
    reason = Reason.PROGRESS if lowest != LEAST else Reason.LOWEST_RISK
    text = guessed(NothingSure(MORE, lowest, reason))
    assert text == "No safe move. Best guess: (5,5), 25 % risk."


def test_an_estimated_risk_is_called_one() -> None:
    text = guessed(NothingSure(MORE, LEAST, Reason.PROGRESS, exact=False))
    assert "about 25 % risk" in text
    assert text.endswith("the safest cell, about 12 %.")


@pytest.mark.parametrize("chance", [Fraction(1, 10**6), 1 - Fraction(1, 10**6)])
def test_a_bound_is_not_about_a_bound(chance: Fraction) -> None:
    text = guessed(NothingSure(chance, chance, Reason.PROGRESS, exact=False))
    assert "about" not in text


def test_a_guess_in_a_part_of_the_board_says_so() -> None:
    text = guessed(NothingSure(MORE, MORE, Reason.LOWEST_RISK, exact=False, is_local=True))
    assert text == "No safe move near the cursor. Best guess: (5,5), about 25 % risk."


def test_a_flag_that_may_be_right_is_not_called_wrong() -> None:
    text = guessed(NothingSure(LEAST, LEAST, Reason.PROGRESS), ActionKind.FLAG)
    assert text == "No safe move. Best guess: (5,5), 12 % risk. Remove its flag first."


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
