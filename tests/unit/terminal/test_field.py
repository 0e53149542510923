"""The field: what a cell shows, what is laid over cells, and the frame around them."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Undo
from jminesweeper.terminal.keys import KeyAction
from jminesweeper.terminal.layers import FLOURISH_S
from jminesweeper.terminal.layout import CellSize
from jminesweeper.terminal.looks import ColourDepth, Looks, Motion
from jminesweeper.terminal.symbols import HEAT, REASON, TARGET, Style
from tests.unit.core.boards import play
from tests.unit.terminal.examples import Seen

NARROW = Looks(cells=CellSize.ONE)
COLOURED: dict[str, Any] = {"colours": ColourDepth.INDEXED, "has_unicode": True}


def test_cells_stand_in_two_columns_or_in_one() -> None:
    assert Seen("? F\n. 3", cursor=[1, 1]).field == ["| # F |", "| .[3]|"]
    assert Seen("? F\n. 3", looks=NARROW).field == ["|#F|", "|.3|"]


def test_the_cursor_is_marked_beside_its_cell_or_on_it_where_there_is_no_room() -> None:
    wide, narrow = Seen("? 3", cursor=[1, 0]), Seen("? 3", cursor=[1, 0], looks=NARROW)
    assert wide.styles_of("[3]") == [Style.MARK, Style.CLUE_3, Style.MARK]
    assert narrow.styles_of("#3") == [Style.COVERED, Style.MARK]


@pytest.mark.parametrize(
    "more",
    [
        {"hint": [1, 0, 2]},
        {"flash": [0, 1]},
        {"odds": [[0, 10], [1, 20], [2, 30]]},
        {"debug_mines": 0b111},
    ],
    ids=lambda more: next(iter(more)),
)
@pytest.mark.parametrize("looks", [Looks(), NARROW], ids=["wide", "narrow"])
def test_the_cursor_is_seen_over_whatever_is_shown(more: dict[str, Any], looks: Looks) -> None:
    seen = Seen("? ? ?", cursor=[1, 0], looks=looks, **more)
    screen = seen.viewer.screen(0.0)
    row, column = screen.cursor or (0, 0)
    places = [column] if looks == NARROW else [column - 1, column + 1]
    assert {screen.lines[row].styles[place] for place in places} == {Style.MARK}


def test_the_target_of_a_hint_is_marked_otherwise_than_its_reasons() -> None:
    seen = Seen("? ? ? ? ?\n1 1 1 1 1", hint=[4, 0, 1, 3], cursor=[0, 1])
    assert seen.field[0] == "0|(# #)#(#<#>|"
    assert seen.styles_of("#<#>")[1:] == [TARGET, Style.COVERED | TARGET, TARGET]


def test_hinted_cells_are_underlined_where_brackets_have_no_place() -> None:
    seen = Seen("? ? ?", hint=[1, 0], cursor=[2, 0], looks=NARROW)
    assert seen.styles_of("###")[:2] == [Style.COVERED | REASON, Style.COVERED | TARGET]


def test_hints_outside_the_window_are_not_shown() -> None:
    seen = Seen("\n".join(["?" * 100] * 30), hint=[90, 91])
    assert not any(
        style & REASON for line in seen.viewer.screen(0.0).lines for style in line.styles
    )


def test_numbers_of_columns_and_rows_are_shown_while_cells_are_spoken_of() -> None:
    board = "\n".join(["? ? ? ? ? ? ? ? ? ? ?"] * 6)
    top = "0---------5---------10"
    assert top not in Seen(board).text
    for more in ({"hint": [0]}, {"odds": [[0, 10]]}):
        seen = Seen(board, **more)
        assert top in seen.text
        assert [line.strip()[0] for line in seen.lines if line.strip()[:1].isdigit()] == ["0", "5"]


def test_a_pause_hides_the_board() -> None:
    paused = Seen("? F\n. 3\n1 1", state="paused")
    assert not set("".join(paused.field)) & set("#F.13")
    assert "paused" not in "".join(Seen("? F").field)


def test_debug_mode_shows_mines_beside_marks() -> None:
    game = play("*.*", "classic", "flag 0 0", "flag 1 0")
    mines = game.reveal_truth().mines
    assert Seen(game, debug_mines=mines, cursor=[1, 0]).field == ["| F[F]B |"]
    assert Seen(game, debug_mines=mines, looks=NARROW).field == ["|@FB|"]


def test_debug_mode_shows_a_mine_under_the_cursor() -> None:
    game = play("*.*", "classic")
    mines = game.reveal_truth().mines
    assert Seen(game, debug_mines=mines, cursor=[0, 0]).field == ["|[B]# B |"]


@pytest.mark.requirement("J:lost field", "J:reveal bomb", "C:Losing Condition")
def test_a_lost_field_shows_everything_and_what_was_flagged_where() -> None:
    moves = ("flag 1 0", "flag 3 0", "reveal 4 1", "reveal 0 0")
    lost = play("**..*\n.....", "classic", *moves)
    assert Seen(lost).field == ["| B*BF1 1FB |", "| 2 2 1 1 1 |"]
    assert Seen(lost, looks=NARROW).field == ["|*@1aB|", "|22111|"]


def test_what_the_player_had_opened_is_told_apart_at_the_end() -> None:
    lost = Seen(play("*..\n...", "classic", "reveal 1 1", "reveal 0 0"))
    assert lost.styles_of("B*1")[2] == Style.UNOPENED
    assert lost.styles_of("1 1 .")[2] == Style.CLUE_1


@pytest.mark.requirement("C:Winning Condition")
def test_a_won_field_shows_its_flags() -> None:
    assert Seen(play("*.", "classic", "reveal 1 0")).field == ["| F 1 |"]


def test_a_small_window_shows_its_part_of_the_field() -> None:
    position = "\n".join("1" * row + "?" * (100 - row) for row in range(30))
    seen = Seen(position, columns=40, rows=12, cursor=[29, 21])
    seen.viewer.screen(0.0)
    first = seen.viewer.board.window
    inside = [line[1:-1].replace(" ", "").strip("[]") for line in seen.field]
    whole = ["1" * row + "#" * (100 - row) for row in range(30)]
    part = [whole[first.row + row][first.column : first.column + 18] for row in range(7)]
    assert [line.replace("[", "").replace("]", "") for line in inside] == part


class TestFrame:
    def test_it_goes_around_the_field(self) -> None:
        rows = [line.strip() for line in Seen("? ?").lines]
        assert "+-----+" in rows
        unicode = Seen("? ?", has_unicode=True).text
        assert "╭─────╮" in unicode
        assert "╰─────╯" in unicode

    @pytest.mark.parametrize(
        ("cursor", "signs"), [([0, 0], "v>"), ([127, 127], "^v<>"), ([254, 254], "^<")]
    )
    def test_signs_tell_where_the_field_continues(self, cursor: list[int], signs: str) -> None:
        seen = Seen("\n".join(["?" * 255] * 255), cursor=cursor)
        frame = [line for line in seen.lines if line[:1] in {"+", "|", "<"} or line[-1:] == ">"]
        assert {sign for sign in "^v<>" if any(sign in line for line in frame)} == set(signs)

    def test_its_last_line_fills_as_the_board_is_solved(self) -> None:
        board = "\n".join(["1 " * 8 + "? " * 8] * 4 + ["? " * 16] * 4)
        assert "=" * 6 + "-" * 20 + " 25 % -+" in Seen(board).text
        assert "+==---+" in Seen("1 1\n? ?\n? ?").text

    def test_its_last_line_claims_nothing_of_a_paused_board_that_was_never_seen(self) -> None:
        board = "\n".join(["? " * 16] * 8)
        assert " 0 % " in Seen(board).text
        assert " % " not in Seen(board, state="paused").text
        assert " % " in Seen(board.replace("?", "1", 16), state="paused").text

    def won(self, **more: Any) -> Seen:
        seen = Seen("\n".join(["? " * 16] * 8), **COLOURED, **more)
        seen.hear(play("\n".join(["*" + "." * 15, *["." * 16] * 7]), "classic", "reveal 15 7"))
        return seen

    def lit(self, seen: Seen) -> int:
        lines = seen.viewer.screen(seen.now_s).lines
        return sum(line.styles.count(Style.GOOD) for line in lines)

    def pass_time(self, seen: Seen) -> None:
        seen.now_s = seen.viewer.deadline or 0.0
        seen.viewer.expire(seen.now_s)

    def test_a_win_sends_a_second_of_light_across_it_and_changes_no_character(self) -> None:
        seen = self.won()
        begun_s, text, lit = seen.now_s, seen.text, []
        while seen.viewer.deadline is not None:
            self.pass_time(seen)
            lit.append(self.lit(seen))
            assert seen.text == text
        assert len(lit) == 12
        assert max(lit) > lit[-1] == self.lit(seen)
        assert seen.now_s - begun_s == pytest.approx(FLOURISH_S)
        assert seen.styles_of("╭──") == [Style.FRAME] * 3

    def test_any_key_ends_the_light_and_does_what_it_does(self) -> None:
        seen = self.won()
        self.pass_time(seen)
        assert seen.press(KeyAction.UNDO) == [Undo(1)]
        assert seen.viewer.deadline is None
        assert seen.styles_of("╭──") == [Style.FRAME] * 3

    def test_who_wants_less_motion_sees_none(self) -> None:
        assert self.won(looks=Looks(motion=Motion.LESS)).viewer.deadline is None


class TestOdds:
    ODDS = ((0, 100), (1, 0), (2, 4), (3, 96), (4, 50))
    """Of a line of five cells."""

    def seen(self, looks: Looks, **more: Any) -> Seen:
        board = "? ? ? ? ?\n1 1 1 1 1"
        odds = [list(each) for each in self.ODDS]
        return Seen(board, odds=odds, cursor=[4, 1], looks=looks, **more)

    def test_they_are_tenths_and_signs_for_what_is_certain(self) -> None:
        assert self.seen(Looks()).field[0] == "0| * 0 1 9 5 |"
        assert self.seen(NARROW).field[0] == "0|*0195|"

    def test_a_cell_is_coloured_as_a_whole_the_hotter_the_likelier_a_mine(self) -> None:
        seen = self.seen(Looks(), **COLOURED)
        styles = seen.styles_of("* 0 1 9 5 ")
        hot, safe, cold, hotter, warm = styles[::2]
        assert styles[::2] == styles[1::2]
        assert (hot, safe) == (Style.HEAT_MINE, Style.HEAT_SAFE)
        assert [HEAT.index(Style(each)) for each in (cold, warm, hotter)] == [0, 3, 3]

    def test_of_cells_that_no_number_touches_one_has_the_figure(self) -> None:
        board = "1 ? ? ? ?\n1 ? ? ? ?"
        odds = [[index, 40 if index % 5 == 1 else 20] for index in (1, 2, 3, 4, 6, 7, 8, 9)]
        seen = Seen(board, odds=odds, cursor=[0, 1], **COLOURED)
        assert [line.strip("0│ ").split() for line in seen.field] == [["1", "4", "2"], ["[1]4"]]

    def test_those_outside_the_window_are_not_shown(self) -> None:
        seen = Seen("\n".join(["?" * 100] * 30), odds=[[90, 100]])
        assert not any("*" in row for row in seen.field)


def test_what_lacks_flags_is_marked_like_a_reason() -> None:
    seen = Seen("? 1 ?\n1 1 1", flash=[0, 2], cursor=[0, 1])
    assert seen.field[0] == "|(#)1(#)|"


def test_a_cell_may_have_five_columns_and_three_rows_with_its_sign_in_the_middle() -> None:
    seen = Seen("1 2", looks=Looks(cells=CellSize.FIVE), cursor=[1, 0])
    assert seen.field == ["|          |", "|  1   [2] |", "|          |"]
    assert seen.viewer.board.cursor == Cell(1, 0)


@pytest.mark.parametrize("looks", [Looks(), NARROW], ids=["wide", "narrow"])
def test_the_cell_that_opens_first_is_marked_and_told_of(looks: Looks) -> None:
    seen = Seen("? ? ?", first=[2], cursor=[0, 0], looks=looks)
    row, column = seen.viewer.screen(0.0).cursor or (0, 0)
    sign = column + (2 if looks == NARROW else 4)
    assert seen.viewer.screen(0.0).lines[row].styles[sign] & TARGET == TARGET
    assert "Wherever you begin, the marked cell opens." in seen.text
    assert "marked cell" not in Seen("? ? ?", cursor=[0, 0], looks=looks).text
