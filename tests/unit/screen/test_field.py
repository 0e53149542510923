from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell, Size
from jminesweeper.screen.field import FieldComposer, Frame, frame_of
from jminesweeper.screen.layout import Window, arrange
from jminesweeper.screen.lines import AnyLine
from jminesweeper.screen.models import CellSize, GameScreen, Odds
from jminesweeper.screen.styles import HINTED, SELECTED, TONED, Style
from jminesweeper.screen.symbols import ASCII, TILES, UNICODE, Symbols
from tests.unit.core.boards import play
from tests.unit.screen.examples import ASCII_CANVAS, screen_of

START = Window(0, 0)


def composer(size: Size, width: CellSize = CellSize.TWO, window: Window = START) -> FieldComposer:
    return FieldComposer(ASCII_CANVAS, arrange(80, 24, size, width), size, window)


def lines(
    model: GameScreen,
    selected: Cell | None = None,
    *,
    width: CellSize = CellSize.TWO,
) -> list[AnyLine]:
    return composer(model.view.size, width).compose(model, START, selected)


def rows(model: GameScreen, width: CellSize = CellSize.TWO) -> list[str]:
    return [line.text.strip() for line in lines(model, width=width)[1:-1]]


def test_cells_stand_in_two_columns_or_in_one() -> None:
    model = screen_of("? F\n. 3")
    assert rows(model) == ["| # F |", "| . 3 |"]
    assert rows(model, CellSize.ONE) == ["|#F|", "|.3|"]


def test_the_selected_cell_is_reversed_where_marks_have_no_place() -> None:
    line = lines(screen_of("? 3"), Cell(1, 0), width=CellSize.ONE)[1]
    assert line.styles[line.text.index("3")] == Style.CLUE_3 | SELECTED


def test_a_reveal_writes_its_own_row_anew_and_no_other() -> None:
    field = composer(Size(3, 3))
    game = play("*..\n...\n..*", "classic", "reveal 1 0")
    before = field.compose(screen_of(game), START, None)
    game.reveal(Cell(1, 1), 0)
    after = field.compose(screen_of(game), START, None)
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
    assert rows(hinted) == ["|(# #)#(#)|"]
    line = lines(hinted)[1]
    assert line.styles[line.text.index("#")] == Style.COVERED | HINTED


def test_hinted_cells_are_underlined_where_brackets_have_no_place() -> None:
    hinted = screen_of("? ?", hint_cells=1)
    assert rows(hinted, CellSize.ONE) == ["|##|"]
    line = lines(hinted, width=CellSize.ONE)[1]
    start = line.text.index("#")
    assert list(line.styles[start : start + 2]) == [Style.COVERED | HINTED, Style.COVERED]


def test_hints_outside_the_window_are_not_shown() -> None:
    model = screen_of("\n".join(["?" * 100] * 30), hint_cells=1 << 90)
    field = composer(model.view.size)
    shown = field.compose(model, START, None)
    assert not any(style & HINTED for line in shown for style in line.styles)
    moved = field.compose(model, Window(60, 0), None)
    assert any(style & HINTED for line in moved for style in line.styles)


def test_a_pause_hides_the_board() -> None:
    paused = screen_of("? F\n. 3\n1 1", is_paused=True)
    assert not set("".join(rows(paused))) & set("#F.13")
    assert "paused" not in "".join(rows(screen_of("? F")))


def test_debug_mode_shows_mines_beside_marks() -> None:
    game = play("*.*", "classic", "flag 0 0", "flag 1 0")
    debugged = screen_of(game, debug_mines=game.reveal_truth().mines)
    assert rows(debugged) == ["| FBF #B|"]
    assert rows(debugged, CellSize.ONE) == ["|@FB|"]


@pytest.mark.requirement("J:lost field", "J:reveal bomb", "C:Losing Condition")
def test_a_lost_field_shows_everything_and_what_was_flagged_where() -> None:
    moves = ("flag 1 0", "flag 3 0", "reveal 4 1", "reveal 0 0")
    lost = screen_of(play("**..*\n.....", "classic", *moves))
    assert rows(lost) == ["| B*BF1 1FB |", "| 2 2 1 1 1 |"]
    assert rows(lost, CellSize.ONE) == ["|*@1aB|", "|22111|"]


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
    size, window = Size(100, 30), Window(20, 18)
    layout = arrange(40, 12, size, CellSize.TWO)
    shown = FieldComposer(ASCII_CANVAS, layout, size, window).compose(model, window, None)
    inside = [line.text[1:-1].replace(" ", "") for line in shown[1:-1]]
    assert inside == [("1" * (row - 20)).ljust(18, "#") for row in range(18, 25)]


def test_the_same_lines_are_returned_while_nothing_changes() -> None:
    field, game = composer(Size(2, 1)), play("*.", "classic")
    before = field.compose(screen_of(game), START, None)
    assert field.compose(screen_of(game), START, None) is before
    game.flag(Cell(0, 0), 0)
    assert field.compose(screen_of(game), START, None) is not before


def test_what_was_done_during_a_pause_shows_after_it() -> None:
    field, game = composer(Size(2, 1)), play("*.", "classic")
    field.compose(screen_of(game), START, None)
    field.compose(screen_of(game, is_paused=True), START, None)
    game.flag(Cell(0, 0), 0)
    assert field.compose(screen_of(game), START, None)[1].text.strip() == "| F # |"


def test_a_cell_that_two_games_show_has_the_number_of_the_second() -> None:
    field = composer(Size(3, 2))
    first = play("*..\n...", "classic", "reveal 1 0")
    second = play("*..\n*..", "classic", "reveal 1 0")
    for game, number in ((first, "1"), (second, "2"), (first, "1")):
        assert field.compose(screen_of(game), START, None)[1].text.strip() == f"| # {number} # |"


def framed(
    columns: int,
    rows: int,
    window: Window | None = None,
    symbols: Symbols = ASCII,
) -> Frame:
    size = Size(columns, rows)
    layout = arrange(80, 24, size, CellSize.AUTO)
    return frame_of(symbols, layout, window or START, size)


def bottom(columns: int, rows: int, share: float | None = None) -> str:
    return framed(columns, rows).bottom(share).text.strip()


def test_a_frame_goes_around_the_field() -> None:
    frame = framed(9, 9)
    assert frame.top.text.strip() == bottom(9, 9) == "+" + "-" * 19 + "+"
    assert [side.text.strip() for side in frame.sides(0)] == ["|", "|"]


def test_unicode_frames_have_round_corners() -> None:
    frame = framed(9, 9, symbols=UNICODE)
    assert frame.top.text.strip() == "╭" + "─" * 19 + "╮"
    assert frame.bottom(None).text.strip() == "╰" + "─" * 19 + "╯"


def test_signs_tell_where_the_field_continues() -> None:
    start, middle = framed(255, 255), framed(255, 255, window=Window(50, 50))
    end = framed(255, 255, window=Window(255 - 38, 255 - 19))
    assert ("^" in start.top.text, "v" in start.bottom(None).text) == (False, True)
    assert ("^" in middle.top.text, "v" in middle.bottom(None).text) == (True, True)
    assert ("^" in end.top.text, "v" in end.bottom(None).text) == (True, False)
    sides = [[side.text.strip() for side in frame.sides(1)] for frame in (start, middle, end)]
    assert sides == [["|", ">"], ["<", ">"], ["<", "|"]]
    assert [side.text.strip() for side in middle.sides(0)] == ["|", "|"]


def test_the_last_line_fills_as_the_board_is_solved() -> None:
    assert bottom(16, 16, 0.0) == "+" + "-" * 27 + " 0 % -+"
    assert bottom(16, 16, 0.5) == "+" + "=" * 12 + "-" * 14 + " 50 % -+"
    assert bottom(16, 16, 1.0) == "+" + "=" * 25 + " 100 % -+"


def test_the_share_is_told_by_style_as_well() -> None:
    line = framed(16, 16).bottom(0.5)
    assert line.styles.count(Style.DONE) == 12


def test_a_narrow_frame_tells_the_share_by_its_line_alone() -> None:
    assert bottom(3, 3, 0.5) == "+===----+"


def test_a_share_beyond_all_sense_is_taken_for_all_or_nothing() -> None:
    assert bottom(3, 3, 7.0) == "+=======+"
    assert bottom(3, 3, -7.0) == "+-------+"


class TestOdds:
    ODDS = Odds({0: 100, 1: 0, 2: 4, 3: 96, 4: 50})
    """Of a line of five cells."""

    def test_they_are_tenths_and_signs_for_what_is_certain(self) -> None:
        model = screen_of("? ? ? ? ?", odds=self.ODDS)
        assert rows(model) == ["| * 0 1 9 5 |"]
        assert rows(model, CellSize.ONE) == ["|*0195|"]

    def test_without_tiles_they_are_underlined_unlike_numbers(self) -> None:
        line = lines(screen_of("? ? ? ? ?", odds=self.ODDS), width=CellSize.ONE)[1]
        start = line.text.index("*")
        assert list(line.styles[start : start + 5]) == [
            style | HINTED
            for style in (Style.BAD, Style.GOOD, Style.MINE, Style.WRONG_FLAG, Style.WRONG_FLAG)
        ]

    def test_a_tile_is_coloured_as_a_whole_and_keeps_its_tone(self) -> None:
        canvas = replace(ASCII_CANVAS, symbols=TILES)
        layout = arrange(80, 24, Size(5, 1), CellSize.TWO, has_tiles=True)
        model = screen_of("? ? ? ? ?", odds=self.ODDS)
        line = FieldComposer(canvas, layout, Size(5, 1), START).compose(model, START, None)[1]
        start = line.text.index("*")
        assert list(line.styles[start : start + 4]) == [Style.BAD] * 2 + [Style.GOOD] * 2
        assert {style & TONED for style in line.styles[start + 4 : start + 6]} == {0}

    def test_a_flag_beside_a_sign_makes_room(self) -> None:
        game = play("*.*", "classic", "flag 0 0", "reveal 2 0")
        assert "@" not in rows(screen_of(game, odds=Odds({0: 10, 2: 20})))[0]
        assert "F" not in rows(screen_of(game, odds=Odds({0: 10, 2: 20})))[0]

    def test_those_outside_the_window_are_not_shown(self) -> None:
        model = screen_of("\n".join(["?" * 100] * 30), odds=Odds({90: 100}))
        assert not any("*" in row for row in rows(model))


def test_what_lacks_flags_is_marked_like_a_hint() -> None:
    assert rows(screen_of("? 1 ?", flash_cells=0b101)) == ["|(#)1(#)|"]
