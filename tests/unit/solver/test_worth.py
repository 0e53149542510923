"""What a guess is worth."""

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.notation import parse_position
from jminesweeper.solver.analysis import analyse
from jminesweeper.solver.assessment import Assessment
from jminesweeper.solver.counting import DEFAULT_STATE_LIMIT
from jminesweeper.solver.errors import ImpossiblePositionError
from jminesweeper.solver.position import Position
from jminesweeper.solver.worth import Judge

OPEN = "? ? ? ? ? ?\n? ? ? ? ? ?\n? ? 3 ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?"


def assessed(text: str, mines: int, state_limit: int = DEFAULT_STATE_LIMIT) -> Assessment:
    return Position.of(parse_position(text, mines), state_limit).assess()


def judge_of(assessment: Assessment, clears: float = 0.0) -> Judge:
    return Judge(assessment, clears)


def index_of(assessment: Assessment, cell: Cell) -> int:
    return assessment.knowledge.terrain.grid.index(cell)


def by_trying(text: str, mines: int, cell: Cell) -> float:
    """What a reveal leads to, number by number, from whole analyses."""
    view = parse_position(text, mines)
    before = analyse(view)
    bit = view.grid.bit(cell)
    total = 0.0
    for clue in range(9):
        planes = tuple(
            plane | bit if clue >> weight & 1 else plane
            for weight, plane in enumerate(view.clue_planes)
        )
        after = replace(
            view,
            visible=view.visible | bit,
            clue_planes=(planes[0], planes[1], planes[2], planes[3]),
        )
        try:
            analysis = analyse(after)
        except ImpossiblePositionError:
            continue
        assert before.layouts is not None
        assert analysis.layouts is not None
        share = analysis.layouts / before.layouts
        total += share * standing([float(chance) for chance in analysis.chances.values()])
    return total


def standing(chances: list[float]) -> float:
    """How well a game stands: by its sure cells, or else by its two best ones."""
    sure = chances.count(0)
    if sure:
        return (0.0, 0.95, 0.98, 1.0)[min(sure, 3)]
    lowest, second = sorted(chances)[:2]
    return float(((1 - lowest) * (1 - second)) ** 0.7)


@pytest.mark.parametrize("cell", [Cell(1, 1), Cell(3, 2), Cell(0, 0), Cell(5, 4), Cell(4, 1)])
def test_a_candidate_is_worth_about_what_trying_every_number_says(cell: Cell) -> None:
    assessment = assessed(OPEN, 8)
    worth = judge_of(assessment).judge(index_of(assessment, cell), 0.0)
    assert not worth.is_dead
    assert worth.value == pytest.approx(by_trying(OPEN, 8, cell), abs=0.02)


def test_a_cell_that_shows_the_same_whatever_happens_is_dead() -> None:
    # The two cells are all there is: the other one is the mine if this one is not.
    assert judge_of(assessed("? 1\n? 1", 1)).judge(0, 0.0).is_dead


def test_a_candidate_that_cannot_reach_the_target_is_given_up() -> None:
    assessment = assessed(OPEN, 8)
    assert judge_of(assessment).judge(index_of(assessment, Cell(1, 1)), 0.99).value < 0.99


def test_next_to_an_estimated_component_little_is_hoped_for() -> None:
    assessment = assessed(OPEN, 8, 0)
    index = index_of(assessment, Cell(1, 1))
    safety = 1 - assessment.chance[index]
    worth = judge_of(assessment).judge(index, 0.0)
    assert worth.value == pytest.approx(safety * (1 - assessment.lowest))


def test_further_cells_proved_safe_are_worth_something() -> None:
    assessment = assessed(OPEN, 8)
    plain, fond = judge_of(assessment), judge_of(assessment, 0.01)
    assert fond.judge(0, 0.0).value > plain.judge(0, 0.0).value
