"""Games as videos."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Rules, Victory
from jminesweeper.core.seedcode import daily_setup
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.recordings.rawvf import format_rawvf, parse_rawvf, without_undone
from jminesweeper.recordings.text import format_action
from tests.property.core_strategies import actions, setups
from tests.unit.core.boards import play


def events(game: Game) -> list[str]:
    return format_rawvf(game).partition("Events:\n")[2].splitlines()[1:]


def moves(game: Game) -> list[str]:
    return [format_action(logged) for logged in game.log]


def test_a_flag_that_is_removed_closes_its_cell_and_a_chord_is_the_middle_button() -> None:
    game = play("*.", "classic", "flag 1 0", "flag 1 0", "flag 0 0", "reveal 1 0")
    assert "closed 2 1" in events(game)
    game = play("*..\n...", "classic", "reveal 1 1", "flag 0 0", "chord 1 1")
    assert events(game)[6:9] == ["2.000 mc 2 2 (24 24)", "2.000 mr 2 2 (24 24)", "number1 2 1"]


def test_a_game_that_was_given_up_ends_out_of_the_ordinary_and_one_that_continues_not_at_all() -> (
    None
):
    game = play("*..", "kata", "reveal 1 0")
    assert events(game)[-1] == "number1 2 1"
    assert "Status" not in format_rawvf(game)
    game.terminate()
    assert events(game)[-1] == "nonstandard"


@pytest.mark.parametrize(
    ("columns", "rows", "mines", "level"),
    [
        (9, 9, 10, "Beginner"),
        (16, 16, 40, "Intermediate"),
        (30, 16, 99, "Expert"),
        (9, 9, 9, "Custom"),
    ],
)
def test_the_boards_of_the_classic_game_have_their_names(
    columns: int, rows: int, mines: int, level: str
) -> None:
    setup = Setup.of(Size(columns, rows), mines, PRESETS["classic"], seed=7)
    assert f"\nLevel: {level}\n" in format_rawvf(Game(setup))


def test_a_game_that_would_have_been_won_on_its_mines_as_they_are_cannot_be_written() -> None:
    rules = Rules("own", victory=Victory.FLAGS, first_reveal=FirstReveal.SAFE)
    setups_ = (Setup.of(Size(2, 1), 1, rules, seed=seed) for seed in range(9))
    setup = next(each for each in setups_ if each.minefield().mines == 0b01)
    game = Game(setup)
    game.flag(Cell(1, 0), 0)
    game.reveal(Cell(0, 0), 10)  # moves the mine under the flag
    assert game.status is Status.WON
    with pytest.raises(NotationError, match="other mines before its first reveal"):
        format_rawvf(game)


@st.composite
def games(draw: st.DrawFn) -> Game:
    setup = draw(setups(6))
    game = Game(setup)
    at_ms = 0
    for action in draw(st.lists(actions(setup.size), max_size=25)):
        at_ms += draw(st.integers(0, 2000))
        marked = game.flagged | game.questioned
        is_click = action.kind is not ActionKind.QUESTION or (
            action.cell is not None and marked & game.grid.bit(action.cell)
        )
        if action.kind is not ActionKind.TERMINATE and is_click:
            game.apply(action, at_ms)
    if draw(st.booleans()):
        game.terminate()
    return game


def carried(game: Game) -> Game:
    try:
        return without_undone(game)
    except NotationError:
        assume(False)
        raise


def helped(shown: Game) -> Game:
    """The same game, begun with a hint: that there was help is all that a video says of it."""
    game = Game(shown.setup)
    game.apply(Action(ActionKind.HINT), 0)
    for at_ms, action, _ in shown.log:
        game.apply(action, at_ms)
    if shown.status is Status.TERMINATED:
        game.terminate()
    return game


@settings(max_examples=200)
@given(games())
def test_a_video_read_again_is_the_game_that_was_written(game: Game) -> None:
    shown = carried(game)
    again = parse_rawvf(format_rawvf(game))
    expected = helped(shown) if game.assisted else shown
    assert again.setup == expected.setup
    assert again.log.entries == expected.log.entries
    assert again.view == game.view


@settings(max_examples=200)
@given(games())
def test_only_help_is_left_out(game: Game) -> None:
    shown = carried(game)
    is_helped = any(action.kind in HELP for _, action, _ in game.log)
    if not is_helped and game.setup.first is None:
        assert shown.log.entries == game.log.entries
    assert not shown.assisted
    assert all(action.kind not in HELP for _, action, _ in shown.log)


HELP = {ActionKind.UNDO, ActionKind.HINT, ActionKind.DEBUG}


@given(games())
def test_board_events_add_up_to_the_board(game: Game) -> None:
    shown = carried(game)
    visible: set[Cell] = set()
    flagged: set[Cell] = set()
    for event in events(game):
        match event.split():
            case [word, column, row]:
                cell = Cell(int(column) - 1, int(row) - 1)
                flagged.discard(cell)
                if word == "flag":
                    flagged.add(cell)
                elif word not in {"closed", "questionmark"}:
                    visible.add(cell)
    assert visible == set(shown.grid.cells(shown.visible))
    assert flagged == set(shown.grid.cells(shown.flagged))


def test_the_largest_board_is_written_and_read() -> None:
    game = Game(Setup.of(Size(255, 255), 1, PRESETS["classic"], seed=1))
    game.apply(Action(ActionKind.REVEAL, Cell(100, 100)), 0)
    assert parse_rawvf(format_rawvf(game)).view == game.view


def test_a_board_with_a_first_cell_is_written_as_if_that_had_been_clicked() -> None:
    game = Game(daily_setup(date(2026, 11, 18), "beginner", bytes(32)))
    game.reveal((8, 8), 300)
    first = game.setup.first
    assert first is not None
    written = format_rawvf(game)
    assert f"0.300 lc {first.column + 1} {first.row + 1} " in written
    assert parse_rawvf(written).view == game.view
