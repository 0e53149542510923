from __future__ import annotations

import pytest

from jminesweeper.core import Cell, Size
from jminesweeper.screen import CellWidth, GameScreen
from jminesweeper.screen.field import Field
from jminesweeper.screen.layout import Window, arrange
from jminesweeper.screen.lines import Line
from jminesweeper.screen.styles import HINTED, SELECTED, Style
from tests.unit.core.boards import play
from tests.unit.screen.examples import ASCII_CANVAS, screen_of


def lines(
    model: GameScreen,
    selected: Cell | None = None,
    *,
    field: Field | None = None,
    width: CellWidth = CellWidth.TWO,
) -> list[Line]:
    layout = arrange(80, 24, model.view.size, width)
    return (field or Field()).compose(model, ASCII_CANVAS, layout, Window(0, 0), selected)


def rows(model: GameScreen, width: CellWidth = CellWidth.TWO) -> list[str]:
    return [line.text.strip() for line in lines(model, width=width)[1:-1]]


def test_cells_stand_in_two_columns_or_in_one() -> None:
    model = screen_of("? F\n. 3")
    assert rows(model) == ["| ? F |", "| . 3 |"]
    assert rows(model, CellWidth.ONE) == ["|?F|", "|.3|"]


def test_the_selected_cell_is_reversed_where_marks_have_no_place() -> None:
    line = lines(screen_of("? 3"), Cell(1, 0), width=CellWidth.ONE)[1]
    assert line.styles[line.text.index("3")] == Style.CLUE_3 | SELECTED


def test_a_reveal_writes_its_own_row_anew_and_no_other() -> None:
    field = Field()
    game = play("*..\n...\n..*", "classic", "reveal 1 0")
    before = lines(screen_of(game), field=field)
    game.reveal(Cell(1, 1), 0)
    after = lines(screen_of(game), field=field)
    assert [old is new for old, new in zip(before, after, strict=True)] == [
        True,
        True,
        False,
        True,
        True,
    ]


def test_hinted_cells_are_in_brackets_group_by_group() -> None:
    model = screen_of("? ? ? ?")
    grid = model.view.grid
    hinted = screen_of("? ? ? ?", hint_cells=sum(grid.bit(Cell(column, 0)) for column in (0, 1, 3)))
    assert rows(hinted) == ["|(? ?)?(?)|"]
    line = lines(hinted)[1]
    assert line.styles[line.text.index("?")] == Style.COVERED | HINTED


def test_hinted_cells_are_underlined_where_brackets_have_no_place() -> None:
    hinted = screen_of("? ?", hint_cells=1)
    assert rows(hinted, CellWidth.ONE) == ["|??|"]
    line = lines(hinted, width=CellWidth.ONE)[1]
    start = line.text.index("?")
    assert list(line.styles[start : start + 2]) == [Style.COVERED | HINTED, Style.COVERED]


def test_hints_outside_the_window_are_not_shown() -> None:
    model = screen_of("\n".join(["?" * 100] * 30), hint_cells=1 << 90)
    layout = arrange(80, 24, model.view.size, CellWidth.TWO)
    shown = Field().compose(model, ASCII_CANVAS, layout, Window(0, 0), None)
    assert not any(style & HINTED for line in shown for style in line.styles)
    moved = Field().compose(model, ASCII_CANVAS, layout, Window(60, 0), None)
    assert any(style & HINTED for line in moved for style in line.styles)


def test_a_pause_hides_the_board() -> None:
    paused = screen_of("? F\n. 3\n1 1", is_paused=True)
    assert not set("".join(rows(paused))) & set("?F.13")
    assert "paused" not in "".join(rows(screen_of("? F")))


def test_debug_mode_shows_mines_beside_marks() -> None:
    game = play("*.*", "classic", "flag 0 0", "flag 1 0")
    debugged = screen_of(game, debug_mines=game.reveal_truth().mines)
    assert rows(debugged) == ["| FBF ?B|"]
    assert rows(debugged, CellWidth.ONE) == ["|#FB|"]


@pytest.mark.requirement("J:lost field", "J:reveal bomb", "C:Losing Condition")
def test_a_lost_field_shows_everything_and_what_was_flagged_where() -> None:
    moves = ("flag 1 0", "flag 3 0", "reveal 4 1", "reveal 0 0")
    lost = screen_of(play("**..*\n.....", "classic", *moves))
    assert rows(lost) == ["| B*BF1 1FB |", "| 2 2 1 1 1 |"]
    assert rows(lost, CellWidth.ONE) == ["|*#1XB|", "|22111|"]


def test_what_the_player_had_opened_is_told_apart_at_the_end() -> None:
    lost = screen_of(play("*..\n...", "classic", "reveal 1 1", "reveal 0 0"))
    opened, never = lines(lost)[2], lines(lost)[1]
    assert opened.styles[opened.text.index("1") + 2] == Style.CLUE_1
    assert never.styles[never.text.index("1")] == Style.UNOPENED


@pytest.mark.requirement("C:Winning Condition")
def test_a_won_field_shows_its_flags() -> None:
    assert rows(screen_of(play("*.", "classic", "reveal 1 0"))) == ["| F 1 |"]


def test_a_small_window_shows_its_part_of_the_field() -> None:
    position = "\n".join("1" * row + "?" * (100 - row) for row in range(30))
    model = screen_of(position)
    layout = arrange(40, 12, Size(100, 30), CellWidth.TWO)
    shown = Field().compose(model, ASCII_CANVAS, layout, Window(20, 18), None)
    inside = [line.text[1:-1].replace(" ", "") for line in shown[1:-1]]
    assert inside == [("1" * (row - 20)).ljust(18, "?") for row in range(18, 25)]
