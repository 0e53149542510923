"""The field: what a cell shows, what is laid over cells, and the frame around them."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.protocol.packets import Undo
from jminesweeper.terminal.keys import KeyAction
from jminesweeper.terminal.layers import FLOURISH_S
from jminesweeper.terminal.layout import CellSize
from jminesweeper.terminal.looks import REASON, TARGET, ColourDepth, Looks, Motion, Style
from tests.unit.core.boards import play
from tests.unit.terminal.examples import Seen

NARROW = Looks(cells=CellSize.ONE)
COLOURED: dict[str, Any] = {"colours": ColourDepth.INDEXED, "has_unicode": True}


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


def test_hints_outside_the_window_are_not_shown() -> None:
    seen = Seen("\n".join(["?" * 100] * 30), hint=[90, 91])
    assert not any(
        style & REASON for line in seen.viewer.screen(0.0).lines for style in line.styles
    )


def test_debug_mode_shows_a_mine_under_the_cursor() -> None:
    game = play("*.*", "classic")
    mines = game.reveal_truth().mines
    assert Seen(game, debug_mines=mines, cursor=[0, 0]).field == ["|[B]# B |"]


class TestFrame:
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


@pytest.mark.parametrize("looks", [Looks(), NARROW], ids=["wide", "narrow"])
def test_the_cell_that_opens_first_is_marked_and_told_of(looks: Looks) -> None:
    seen = Seen("? ? ?", first=[2], cursor=[0, 0], looks=looks)
    row, column = seen.viewer.screen(0.0).cursor or (0, 0)
    sign = column + (2 if looks == NARROW else 4)
    assert seen.viewer.screen(0.0).lines[row].styles[sign] & TARGET == TARGET
    assert "Wherever you begin, the marked cell opens." in seen.text
    assert "marked cell" not in Seen("? ? ?", cursor=[0, 0], looks=looks).text
