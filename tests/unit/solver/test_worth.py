"""The worth of a guess."""

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import parse_position
from jminesweeper.solver.endgame import component_layouts
from jminesweeper.solver.guess import Judge, WhatIf, local_odds, unseen_shares
from jminesweeper.solver.knowledge import UNKNOWN, ImpossiblePositionError, Knowledge
from jminesweeper.solver.position import DEFAULT_STATE_LIMIT, Assessment, Position, analyse
from tests.unit.solver.positions import component_of, known

OPEN = "? ? ? ? ? ?\n? ? ? ? ? ?\n? ? 3 ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?"


def assessed(text: str, mines: int, state_limit: int = DEFAULT_STATE_LIMIT) -> Assessment:
    return Position.of(parse_position(text, mines), state_limit).assess()


def index_of(assessment: Assessment, cell: Cell) -> int:
    return assessment.knowledge.grid.index(cell)


def by_trying(text: str, mines: int, cell: Cell) -> float:
    """Follow a reveal, number by number, by whole analyses."""
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
    """Rate a game by its sure cells, or else by its two best ones."""
    sure = chances.count(0)
    if sure:
        return (0.0, 0.95, 0.98, 1.0)[min(sure, 3)]
    lowest, second = sorted(chances)[:2]
    return float(((1 - lowest) * (1 - second)) ** 0.7)


@pytest.mark.parametrize("cell", [Cell(1, 1), Cell(3, 2), Cell(0, 0), Cell(5, 4), Cell(4, 1)])
def test_a_candidate_is_worth_about_what_trying_every_number_says(cell: Cell) -> None:
    assessment = assessed(OPEN, 8)
    worth = Judge(assessment).judge(index_of(assessment, cell))
    assert worth == pytest.approx(by_trying(OPEN, 8, cell), abs=0.02)


def test_a_cell_that_shows_the_same_whatever_happens_is_dead() -> None:
    # The two cells are all there is: the other one is the mine if this one is not.
    assert Judge(assessed("? 1\n? 1", 1)).judge(0) is None


# Every unknown cell is seen, so the odds of other cells play no part and what-ifs are exact.
TEXT = "? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?"
MINES = 3


def what_if() -> tuple[Knowledge, WhatIf]:
    return known(TEXT, MINES), WhatIf(component_of(TEXT, MINES), 1.0)


def share_mined(*cells: int) -> float:
    """The share of the layouts in which all these cells hold mines."""
    by_mines = component_layouts(component_of(TEXT, MINES))
    layouts = [set(layout) for same in by_mines.values() for layout in same]
    return sum(layout.issuperset(cells) for layout in layouts) / len(layouts)


def around(knowledge: Knowledge, index: int) -> set[int]:
    near = knowledge.neighbours[index]
    return {each for each in near if knowledge.status[each] == UNKNOWN}


def test_possibilities_share_out_the_chance_to_be_safe() -> None:
    knowledge, it = what_if()
    for index in it.position_of:
        possibilities = it.possibilities(index, around(knowledge, index))
        safe = 1 - share_mined(index)
        assert sum(possibility.share for possibility in possibilities) == pytest.approx(safe)


def test_a_possibility_says_how_likely_the_cells_around_are_mines() -> None:
    knowledge, it = what_if()
    for index in it.position_of:
        possibilities = it.possibilities(index, around(knowledge, index))
        for possibility in possibilities:
            expected = sum(
                len(cells) * chance
                for cells, chance in possibility.near
                if set(cells) & around(knowledge, index)
            )
            assert expected == pytest.approx(possibility.mines)


def test_the_chances_beyond_the_span_add_up_to_those_of_the_component() -> None:
    knowledge, it = what_if()
    for candidate in it.position_of:
        possibilities = it.possibilities(candidate, around(knowledge, candidate))
        for cells, _ in it.elsewhere(possibilities[0]):
            after = [dict(it.elsewhere(each))[cells] for each in possibilities]
            while_safe = sum(
                each.share * chance for each, chance in zip(possibilities, after, strict=True)
            )
            both = share_mined(candidate, cells[0])
            assert while_safe + both == pytest.approx(share_mined(cells[0]))


def test_the_odds_follow_the_weights() -> None:
    assert local_odds((15, 50), (8.0, 2.0)) == pytest.approx(0.25)
    assert local_odds((15, 50), (8.0, 0.0)) == 1.0


def test_mines_among_unseen_cells_follow_the_density() -> None:
    assert unseen_shares(2, 0.25) == pytest.approx([0.5625, 0.375, 0.0625])
