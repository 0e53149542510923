import pytest

from jminesweeper.core import Cell, parse_position
from jminesweeper.solver.analysis import analyse, assess, is_possible
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.prospects import Prospects
from jminesweeper.solver.risks import Risks

OPEN = "? ? ? ? ? ?\n? ? ? ? ? ?\n? ? 3 ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?"


def prospects(
    text: str, mines: int, counter: Counter | None = None
) -> tuple[Knowledge, Risks, Prospects]:
    knowledge = Knowledge.of(parse_position(text, mines))
    knowledge.deduce_all()
    risks = Risks(knowledge, assess(knowledge, Frontier(knowledge), counter or Counter()))
    return knowledge, risks, Prospects(risks, risks.groups, 0.0)


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
        after = view._replace(
            visible=view.visible | bit, clue_planes=(planes[0], planes[1], planes[2], planes[3])
        )
        if not is_possible(after):
            continue
        analysis = analyse(after)
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
    knowledge, _, judge = prospects(OPEN, 8)
    prospect = judge.judge(knowledge.terrain.index(cell), 0.0)
    assert not prospect.is_dead
    assert prospect.worth == pytest.approx(by_trying(OPEN, 8, cell), abs=0.02)


def test_a_cell_that_shows_the_same_whatever_happens_is_dead() -> None:
    # The two cells are all there is: the other one is the mine if this one is not.
    knowledge, _, judge = prospects("? 1\n? 1", 1)
    assert judge.judge(knowledge.terrain.index(Cell(0, 0)), 0.0).is_dead


def test_a_candidate_that_cannot_reach_the_target_is_given_up() -> None:
    knowledge, _, judge = prospects(OPEN, 8)
    index = knowledge.terrain.index(Cell(1, 1))
    assert judge.judge(index, 0.99).worth < 0.99


def test_next_to_an_estimated_component_little_is_hoped_for() -> None:
    knowledge, risks, judge = prospects(OPEN, 8, Counter(state_limit=0))
    index = knowledge.terrain.index(Cell(1, 1))
    prospect = judge.judge(index, 0.0)
    assert prospect.worth == pytest.approx((1 - risks.chance[index]) * (1 - risks.lowest))


def test_further_cells_proved_safe_are_worth_something() -> None:
    knowledge, risks, judge = prospects(OPEN, 8)
    index = knowledge.terrain.index(Cell(0, 0))
    assert (
        Prospects(risks, risks.groups, 0.01).judge(index, 0.0).worth > judge.judge(index, 0.0).worth
    )
