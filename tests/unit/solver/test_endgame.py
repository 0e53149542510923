import pytest

from jminesweeper.core import Cell, parse_position
from jminesweeper.solver.component import build
from jminesweeper.solver.endgame import Endgame, TooManyNodesError
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.layouts import component_layouts
from jminesweeper.solver.terrain import Terrain


def search(text: str, mines: int, nodes: int = 10_000) -> Endgame:
    view = parse_position(text, mines)
    knowledge = Knowledge.of(view)
    number = next(index for index, room in enumerate(knowledge.room) if room)
    component = build(knowledge, number)
    layouts = [each for found in component_layouts(component).values() for each in found]
    return Endgame(layouts, component.cells, Terrain.of(view.size).neighbours, nodes)


def test_a_fifty_fifty_is_won_in_one_of_two() -> None:
    game = search("? 1\n? 1", 1)
    assert game.layouts == 2
    assert game.best().wins == 1


def test_the_cell_that_tells_the_rest_apart_is_taken() -> None:
    # One mine in the ring of eight. Whatever is opened first, its number narrows the rest down
    # so far that every layout in which it is safe is won.
    game = search("? ? ?\n? 1 ?\n? ? ?", 1)
    verdict = game.best()
    assert game.layouts == 8
    assert verdict.wins == 7


def test_a_search_that_grows_too_large_is_given_up() -> None:
    with pytest.raises(TooManyNodesError):
        search("? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?", 4, nodes=3).best()


def test_an_unreachable_cell_is_only_safe_or_not() -> None:
    terrain = Terrain.of(parse_position("? ?", 1).size)
    cell = terrain.index(Cell(1, 0))
    assert Endgame([(0,), (cell,)], [0, cell], terrain.neighbours, 100).best().wins == 1
