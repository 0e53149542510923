"""A player's knowledge, and attempts to know more."""

from __future__ import annotations

import copy
import gc
import pickle
import re
import traceback
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from jminesweeper.core.errors import CellError, HiddenError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView, Status
from tests.unit.core.boards import play

BOARD = """
* . . .
. . . *
. . . .
"""
EVERYWHERE = [Cell(column, row) for row in range(3) for column in range(4)]


@pytest.fixture
def view() -> PlayerView:
    return play(BOARD, "jminesweeper", "reveal 1 1", "flag 0 0", "reveal 0 2").view


@pytest.mark.requirement("E:34c19906", "E:3452bee5", "E:e93d531d", "F:mines")
def test_size_and_number_of_mines_are_always_known() -> None:
    for moves in ([], ["reveal 1 1"], ["reveal 0 0"]):
        view = play(BOARD, "kata", *moves).view
        assert (view.size, view.mine_count) == (Size(4, 3), 2)


@pytest.mark.requirement("E:128fe573", "E:22f16924")
def test_visible_cells_and_their_number_are_always_known(view: PlayerView) -> None:
    seen = [cell for cell in EVERYWHERE if view.is_visible(cell)]
    assert seen == [(0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]
    assert view.visible_count == 5


@pytest.mark.requirement("E:361bd967", "E:ede4812f", "F:flags")
def test_flagged_cells_and_their_number_are_always_known(view: PlayerView) -> None:
    assert [cell for cell in EVERYWHERE if view.is_flagged(cell)] == [Cell(0, 0)]
    assert view.flag_count == 1


@pytest.mark.requirement("C:Flagging", "C:Mine Counter")
def test_mines_left_are_mines_less_flags_and_may_go_below_zero() -> None:
    flags = [f"flag {column} 2" for column in range(3)]
    assert [play(BOARD, "classic", *flags[:n]).view.mines_left for n in range(4)] == [2, 1, 0, -1]


@pytest.mark.requirement("E:b196dd53", "E:cb6545f1")
def test_a_clue_is_known_of_visible_cells_only(view: PlayerView) -> None:
    assert view.clue(Cell(1, 1)) == 1
    for cell in EVERYWHERE:
        if not view.is_visible(cell):
            with pytest.raises(HiddenError, match="not visible"):
                view.clue(cell)


def test_clues_off_the_board_are_an_error(view: PlayerView) -> None:
    with pytest.raises(CellError):
        view.clue(Cell(4, 0))
    with pytest.raises(CellError):
        view.is_visible(Cell(0, 3))


@pytest.mark.requirement("E:e789ed4e", "E:cb6545f1")
def test_where_the_mines_are_is_an_error_before_the_end(view: PlayerView) -> None:
    with pytest.raises(HiddenError, match="once the game is over"):
        _ = view.mines
    assert view.exploded is None


def test_the_cells_of_a_set_or_of_the_board_are_listed_in_reading_order(view: PlayerView) -> None:
    assert view.cells(view.flagged) == [Cell(0, 0)]
    assert sorted(view.cells(), key=lambda cell: (cell.row, cell.column)) == view.cells()
    assert len(view.cells()) == len(EVERYWHERE)


@pytest.mark.requirement("E:e789ed4e", "C:Losing Condition", "J:reveal bomb")
def test_where_the_mines_are_is_known_after_a_loss() -> None:
    view = play(BOARD, "classic", "reveal 3 1").view
    assert list(view.grid.cells(view.mines)) == [Cell(0, 0), Cell(3, 1)]
    assert view.exploded == Cell(3, 1)


def test_an_exploded_mine_shows_no_clue_that_the_player_did_not_earn() -> None:
    view = play("* *", "kata", "reveal 0 0").view
    assert view.clue_planes == (0, 0, 0, 0)


def test_a_view_does_not_change_with_the_game() -> None:
    game = play(BOARD, "classic", "reveal 1 1")
    before = game.view
    kept = tuple(before)
    game.reveal(Cell(3, 1), 5000)
    assert tuple(before) == kept
    assert before.status is Status.ONGOING


def test_a_view_is_named_by_what_it_shows(view: PlayerView) -> None:
    assert repr(view) == "<PlayerView 4x3, 2 mines, ongoing, 5 visible, 1 flagged>"


@pytest.mark.requirement("E:View")
def test_equal_positions_are_equal_values(view: PlayerView) -> None:
    again = play(BOARD, "jminesweeper", "flag 0 0", "reveal 0 2", "reveal 1 1").view
    assert again == view


# Two boards that differ only where nothing has been seen yet.
HIDDEN = (
    ". . . . . . . .\n. . . . . . . .\n* * . * . * . *\n. * . . . * . *",
    ". . . . . . . .\n. . . . . . . .\n* * . * . * . *\n* . . * * . . .",
)


@pytest.mark.requirement("E:cb6545f1")
@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("look", [repr, str, pickle.dumps, hash, copy.copy, tuple, dir])
def test_whatever_is_done_with_a_view_two_games_that_look_the_same_stay_the_same(
    rules: str, look: Callable[[PlayerView], object]
) -> None:
    one, other = (play(board, rules, "reveal 0 0", "flag 0 3").view for board in HIDDEN)
    assert one.visible_count > 10
    assert look(one) == look(other)


@pytest.mark.requirement("E:cb6545f1")
def test_an_error_shows_the_same_whatever_is_under_the_cell() -> None:
    def complaints(board: str) -> list[str]:
        view = play(board, "classic", "reveal 0 0").view
        return [complaint(view, cell) for cell in view.grid.cells(view.covered)]

    assert complaints(HIDDEN[0]) == complaints(HIDDEN[1])


def complaint(view: PlayerView, cell: Cell) -> str:
    """Return an error's text, with the values in its frames that a careless log would print."""
    with pytest.raises(HiddenError) as caught:
        view.clue(cell)
    report = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    inside = [frame for frame in report.stack if frame.filename.endswith("core/view.py")]
    assert inside
    return str(caught.value) + "".join(str(frame.locals) for frame in inside)


def attributes(thing: object) -> Iterator[object]:
    for name in dir(thing):
        try:
            yield getattr(thing, name)
        except (AttributeError, DeprecationWarning, HiddenError, TypeError):
            continue


def reachable(
    start: object, steps: Callable[[object], list[object]], most: int
) -> dict[int, object]:
    """Walk from object to object as far as it goes."""
    found: dict[int, object] = {}
    open_ends = [start]
    while open_ends and len(found) < most:
        thing = open_ends.pop()
        if id(thing) not in found:
            found[id(thing)] = thing
            open_ends += steps(thing)
    return found


def instance_steps(thing: object) -> list[object]:
    """Everything an object refers to, but not the code it is made of."""
    if isinstance(thing, type | ModuleType) or callable(thing):
        return []
    return [*gc.get_referents(thing), *attributes(thing)]


@pytest.mark.requirement("E:cb6545f1", "E:e789ed4e")
@pytest.mark.parametrize("rules", PRESETS)
def test_no_walk_over_attributes_and_references_of_a_view_meets_the_truth(rules: str) -> None:
    setup = Setup.of(Size(16, 16), 40, PRESETS[rules], seed=0xDECAFBADC0FFEE)
    game = Game(setup)
    truth = game.reveal_truth()
    game.reveal(next(truth.grid.cells(truth.zeros)), 0)
    truth = game.reveal_truth()
    planes = [plane for plane in truth.clue_planes if plane]
    secrets = {truth.mines, truth.safe, truth.zeros, setup.seed, *planes}
    things = list(reachable(game.view, instance_steps, 100_000).values())
    assert len(things) > 20
    assert not [thing for thing in things if isinstance(thing, Game | Minefield | Setup)]
    assert not [thing for thing in things if isinstance(thing, int) and thing in secrets]


@pytest.mark.requirement("E:cb6545f1")
def test_not_even_the_garbage_collector_leads_from_a_view_to_its_game() -> None:
    game = play(BOARD, "classic", "reveal 1 1")
    view = game.view
    forbidden = {id(game), id(game.reveal_truth()), id(game.setup), id(game.log)}
    found = reachable(view, gc.get_referents, 2_000_000)
    assert id(Grid.of(view.size)) in found or len(found) > 100
    assert not forbidden & found.keys()


@pytest.mark.requirement("E:cb6545f1")
def test_a_view_takes_no_new_attributes_and_no_new_values(view: PlayerView) -> None:
    for name in ("visible", "mines", "truth"):
        # Python 3.11 says TypeError of a name that is no field.
        with pytest.raises((AttributeError, TypeError)):
            setattr(view, name, 0)


def test_a_status_says_whether_the_game_is_over() -> None:
    assert [status for status in Status if not status.is_over] == [Status.ONGOING]


def test_before_the_end_the_mine_that_went_off_was_a_covered_cell_like_any_other() -> None:
    game = play("*.\n.*", "classic", "reveal 1 0")
    before = game.view
    game.reveal(Cell(0, 0), 0)
    assert game.view.before_the_end() == before
    assert before.before_the_end() is before


def test_a_view_is_a_collection_of_its_cells(view: PlayerView) -> None:
    assert list(view) == view.cells()
    assert len(view) == view.size.cells
    assert Cell(0, 0) in view
    assert (1, 1) in view
    for stranger in (Cell(-1, 0), (99, 0), (0,), "a1", None):
        assert stranger not in view


def test_a_cell_gives_its_number_where_one_is_shown(view: PlayerView) -> None:
    for cell in view:
        assert view[cell] == (view.clue(cell) if view.is_visible(cell) else None)
    assert view[1, 1] == view[Cell(1, 1)]
    with pytest.raises(CellError):
        _ = view[99, 0]


def test_the_mine_that_went_off_has_no_number() -> None:
    lost = play(BOARD, "kata", "reveal 0 0").view
    assert lost.exploded is not None
    assert lost[lost.exploded] is None


def test_a_notebook_draws_every_cell_as_print_does(view: PlayerView) -> None:
    drawn = re.findall(r"<td [^>]*>(.)</td>", view._repr_html_())
    assert drawn == list(str(view).replace("\n", ""))


def test_geometry_and_logs_say_in_a_few_words_what_they_are(view: PlayerView) -> None:
    assert repr(view.grid) == f"<Grid {view.size}>"
    assert repr(play(BOARD, "kata", "reveal 0 0").log) == "<Log of 1 actions>"
