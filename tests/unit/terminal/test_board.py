"""What keys and clicks do at the board: what is local, what is sent, what is shown meanwhile."""

from __future__ import annotations

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import EXPLODED, MINED
from jminesweeper.protocol.packets import Act, Hint, MoveTo, NewGame, Odds, OpenMenu, Seek, Undo
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.terminal.board import NOTE_S
from jminesweeper.terminal.keys import KeyAction, Keystroke, Press
from jminesweeper.terminal.looks import ColourDepth, FlagOnNumber, Looks
from jminesweeper.terminal.symbols import Style
from tests.unit.core.boards import play
from tests.unit.terminal.examples import Seen

COVERED, FLAGGED, QUESTIONED = 16, 48, 31
LARGE = "\n".join(["?" * 100] * 60)


def test_moving_sends_nothing() -> None:
    seen = Seen("? ? ?\n? ? ?")
    assert seen.press(KeyAction.RIGHT, KeyAction.RIGHT, KeyAction.DOWN, KeyAction.LEFT) == []
    assert seen.viewer.board.cursor == Cell(1, 1)


@pytest.mark.parametrize(
    ("action", "cell"),
    [
        (KeyAction.UP, (50, 29)),
        (KeyAction.JUMP_LEFT, (45, 30)),
        (KeyAction.JUMP_DOWN, (50, 35)),
        (KeyAction.PAGE_UP, (50, 20)),
        (KeyAction.PAGE_DOWN, (50, 40)),
        (KeyAction.ROW_START, (0, 30)),
        (KeyAction.ROW_END, (99, 30)),
    ],
)
def test_keys_move_near_and_far(action: KeyAction, cell: tuple[int, int]) -> None:
    seen = Seen(LARGE, cursor=[50, 30])
    seen.press(action)
    assert seen.viewer.board.cursor == cell


def test_moving_stops_at_the_edge() -> None:
    seen = Seen("? ?")
    seen.press(KeyAction.LEFT, KeyAction.UP, KeyAction.JUMP_UP)
    assert seen.viewer.board.cursor == (0, 0)
    seen.press(KeyAction.RIGHT, KeyAction.RIGHT, KeyAction.DOWN)
    assert seen.viewer.board.cursor == (1, 0)


def test_what_acts_names_its_cell_and_how_it_looked() -> None:
    seen = Seen("? F 1", cursor=[1, 0])
    assert seen.press(KeyAction.FLAG) == [Act(1, 0, Button.FLAG, FLAGGED)]
    assert seen.press(KeyAction.RIGHT, KeyAction.REVEAL) == [Act(2, 0, Button.REVEAL, 1)]
    assert seen.press(KeyAction.CHORD) == [Act(2, 0, Button.CHORD, 1)]


def test_help_from_the_server_is_about_the_cursors_cell() -> None:
    seen = Seen("? ?", cursor=[1, 0])
    packets = seen.press(KeyAction.HINT, KeyAction.ODDS, KeyAction.NEXT)
    assert packets == [Hint(1, 0), Odds(1, 0), Seek(1, 0)]


def test_other_keys_send_what_they_always_mean() -> None:
    packets = Seen().press(
        KeyAction.UNDO, KeyAction.PAUSE, KeyAction.MENU, KeyAction.HELP, KeyAction.NEW
    )
    same = NewGame()
    assert packets == [Undo(1), Command.PAUSE, OpenMenu(""), OpenMenu("help"), same]


def test_a_flag_is_seen_dim_at_once_and_another_key_knows_of_it() -> None:
    seen = Seen("? ?", colours=ColourDepth.INDEXED, has_unicode=True)
    seen.press(KeyAction.FLAG)
    assert seen.styles_of("[⚑]")[1] == Style.WAITING_FLAG
    assert seen.press(KeyAction.FLAG) == [Act(0, 0, Button.FLAG, FLAGGED)]
    assert "⚑" not in seen.text


def test_where_there_are_question_marks_the_third_flag_sees_one() -> None:
    seen = Seen("? ?", questions=True)
    packets = seen.press(KeyAction.FLAG, KeyAction.FLAG, KeyAction.FLAG)
    assert [packet.seen for packet in packets if isinstance(packet, Act)] == [
        COVERED,
        FLAGGED,
        QUESTIONED,
    ]


def test_a_pressed_tile_sinks_until_the_reply_says_what_it_is() -> None:
    seen = Seen("? ?", colours=ColourDepth.INDEXED, has_unicode=True)
    (act,) = seen.press(KeyAction.REVEAL)
    assert seen.styles_of("[ ]")[1] == Style.ZERO
    seen.take({}, bytes((0, 0, 1, 3)), answers=act)
    assert "[3]" in seen.text


def test_presses_under_way_hide_nothing_of_a_game_that_is_over() -> None:
    seen = Seen("? ? ?")
    (act,) = seen.press(KeyAction.REVEAL)
    seen.press(KeyAction.RIGHT, KeyAction.REVEAL)
    faces = bytes((0, 0, 3, EXPLODED, COVERED | 1, MINED))
    seen.take({"state": "lost"}, faces, answers=act)
    assert seen.field == ["| B*1 B |"]


def test_a_reply_that_changes_nothing_takes_the_mark_back() -> None:
    seen = Seen("? ?")
    (act,) = seen.press(KeyAction.FLAG)
    assert "F" in seen.field[0]
    seen.take({"message": {"id": "changed", "text": "That cell has changed."}}, answers=act)
    assert "F" not in seen.field[0]


@pytest.mark.parametrize("action", [KeyAction.FLAG, KeyAction.REVEAL, KeyAction.CHORD])
def test_a_press_on_a_board_that_is_gone_shows_nothing(action: KeyAction) -> None:
    seen = Seen("? ? ?", cursor=[2, 0])
    (act,) = seen.press(action)
    seen.take({"size": [2, 1], "unasked": True})
    assert seen.field == ["|[#]# |"]
    seen.press(KeyAction.FLAG)
    seen.take({}, answers=act)
    assert seen.field == ["|[F]# |"]


def test_a_chord_pushes_down_what_it_would_open() -> None:
    seen = Seen("? F\n1 ?", cursor=[0, 1], colours=ColourDepth.INDEXED, has_unicode=True)
    seen.press(KeyAction.CHORD)
    assert len(seen.viewer.board.waiting(seen.viewer.view)) == 2
    unmet = Seen("? ?\n1 ?", cursor=[0, 1])
    unmet.press(KeyAction.CHORD)
    assert not unmet.viewer.board.waiting(unmet.viewer.view)


def test_what_a_key_means_on_a_tile_that_opens_is_known_with_the_reply() -> None:
    seen, reveal = Seen("? ?"), Keystroke(action=KeyAction.REVEAL)
    assert not seen.viewer.must_wait(reveal)
    (act,) = seen.press(KeyAction.REVEAL)
    assert seen.viewer.must_wait(reveal)
    assert not seen.viewer.must_wait(Keystroke(action=KeyAction.RIGHT))
    seen.take({}, bytes((0, 0, 1, 3)), answers=act)
    assert not seen.viewer.must_wait(reveal)


def test_the_server_hears_once_where_the_cursor_rests() -> None:
    seen = Seen("? ? ?")
    seen.press(KeyAction.RIGHT)
    seen.now_s = 0.5
    seen.press(KeyAction.RIGHT)
    assert seen.viewer.deadline == 0.5 + NOTE_S
    assert seen.viewer.expire(0.9) == []
    assert seen.viewer.expire(0.5 + NOTE_S) == [MoveTo(2, 0)]
    assert seen.viewer.deadline is None


def test_an_act_says_where_the_cursor_is() -> None:
    seen = Seen("? ? ?")
    seen.press(KeyAction.RIGHT, KeyAction.FLAG)
    assert seen.viewer.deadline is None


def test_the_server_may_put_the_cursor_somewhere() -> None:
    seen = Seen("? ? ?")
    seen.press(KeyAction.RIGHT)
    seen.take({"cursor": [2, 0]})
    assert seen.viewer.board.cursor == (2, 0)
    assert seen.viewer.deadline is None


def test_another_board_begins_at_its_first_cell() -> None:
    seen = Seen("? ? ?", cursor=[2, 0])
    seen.hear("? ?")
    assert seen.viewer.board.cursor == (0, 0)


def test_once_the_game_is_over_arrows_look_around() -> None:
    seen = Seen(LARGE, state="lost")
    seen.press(KeyAction.RIGHT, KeyAction.JUMP_DOWN)
    assert seen.viewer.board.window == (1, 5)
    assert seen.press(KeyAction.REVEAL, KeyAction.FLAG) == []


def test_after_rules_that_protect_nothing_return_begins_a_classic_game() -> None:
    seen = Seen("? ?", state="lost", keys=["classic", "new"])
    (packet,) = seen.press(KeyAction.REVEAL)
    assert packet == NewGame("beginner")


class TestMouse:
    def test_a_press_acts_on_the_cell_under_it_and_takes_the_cursor_there(self) -> None:
        seen = Seen("? ?\n? ?")
        row, column = seen.find("[")
        assert seen.click(row + 1, column + 3, Press.FLAG) == [Act(1, 1, Button.FLAG, COVERED)]
        assert seen.viewer.board.cursor == (1, 1)

    def test_buttons_mean_what_they_mean_on_any_minesweeper(self) -> None:
        seen = Seen("1 ?")
        row, column = seen.find("[1]")
        packets = [
            packet
            for press in (Press.OPEN, Press.CHORD)
            for packet in seen.click(row, column + 1, press)
        ]
        assert [packet.button for packet in packets if isinstance(packet, Act)] == [
            Button.REVEAL,
            Button.CHORD,
        ]

    def test_what_is_no_cell_does_nothing(self) -> None:
        seen = Seen("? ?")
        assert seen.click(0, 0) == seen.click(23, 79) == []

    def test_the_name_of_a_key_is_pressed_like_the_key(self) -> None:
        seen = Seen("? ?")
        assert seen.click(*seen.find("m menu")) == [OpenMenu("")]
        row, column = seen.find("x quit")
        assert seen.click(row, column + 4) == [Command.QUIT]

    def test_the_wheel_moves_by_rows(self) -> None:
        seen = Seen(LARGE)
        seen.click(5, 5, Press.WHEEL_DOWN)
        assert seen.viewer.board.cursor == (0, 3)

    def test_a_paused_board_cannot_be_pressed(self) -> None:
        seen = Seen("? ?", state="paused")
        row, column = seen.find("paused")
        assert seen.click(row, column) == []


class TestOverview:
    def seen(self) -> Seen:
        seen = Seen(LARGE, cursor=[50, 30])
        seen.press(KeyAction.OVERVIEW)
        return seen

    def test_it_shows_the_whole_of_a_board_that_does_not_fit(self) -> None:
        seen = self.seen()
        assert "your part is bright" in seen.text
        assert any("#" * 40 in line for line in seen.lines)

    def test_one_key_plays_on_there(self) -> None:
        seen = self.seen()
        seen.press(KeyAction.ROW_END)
        assert seen.press(KeyAction.REVEAL) == []
        assert seen.viewer.board.cursor == (99, 30)
        assert "The whole board" not in seen.text

    def test_a_press_goes_to_the_middle_of_a_block(self) -> None:
        seen = self.seen()
        row, column = seen.find("#")
        assert seen.click(row + 2, column + 10) == []
        assert "The whole board" not in seen.text
        assert 15 <= seen.viewer.board.cursor.column <= 25

    def test_a_board_that_fits_needs_none(self) -> None:
        seen = Seen("? ?")
        seen.press(KeyAction.OVERVIEW)
        assert "on the screen already" in seen.text

    def test_blocks_are_the_lighter_the_less_is_left_in_them(self) -> None:
        rows = ["1" * 50 + "F" * 40 + "1" * 8 + "??"] * 60
        seen = Seen("\n".join(rows), has_unicode=True)
        seen.press(KeyAction.OVERVIEW)
        row = seen.field[10]
        assert set(row.strip("│")) == {"·", "█"}
        assert row.rstrip("│").endswith("█")

    def test_the_mine_that_was_stepped_on_is_found(self) -> None:
        board = "\n".join(["*" + "." * 99, *["." * 100] * 59])
        seen = Seen(play(board, "classic", "reveal 50 30", "undo", "reveal 0 0"))
        seen.press(KeyAction.OVERVIEW)
        assert "*" in seen.field[0]


def test_the_figures_of_a_game_are_a_page_of_their_own() -> None:
    seen = Seen("? ?", state="lost", figures=[["time", "12.000 s"], ["", "not ranked"]])
    assert seen.press(KeyAction.FIGURES) == []
    assert "time 12.000 s" in seen.text
    assert "stepped on" in seen.text
    assert seen.press(KeyAction.MENU) == []
    assert "Figures" not in seen.text


def test_there_are_no_figures_before_the_end() -> None:
    seen = Seen("? ?")
    seen.press(KeyAction.FIGURES)
    assert "at the end of the game" in seen.text


@pytest.mark.parametrize("answer", [KeyAction.ASK_TO_QUIT, KeyAction.REVEAL, KeyAction.QUIT])
def test_a_slip_of_a_key_does_not_quit(answer: KeyAction) -> None:
    seen = Seen("? ?")
    assert seen.press(KeyAction.ASK_TO_QUIT) == []
    assert "Quit?" in seen.text
    assert seen.press(KeyAction.LEFT) == []
    assert "Quit?" not in seen.text
    seen.press(KeyAction.ASK_TO_QUIT)
    assert seen.press(answer) == [Command.QUIT]


def test_the_chance_under_the_cursor_is_told() -> None:
    seen = Seen("? ?", odds=[[0, 12], [1, 34]])
    assert "Chance of a mine here: 12 %. Press o to hide" in seen.text
    seen.press(KeyAction.RIGHT)
    assert "34 %" in seen.text


class TestFlagsAround:
    def test_a_key_flags_around_a_number_and_shows_it_until_the_reply(self) -> None:
        seen = Seen("? 1 .\n1 1 .", cursor=[1, 1])
        assert seen.press(KeyAction.FLAG_AROUND) == [Act(1, 1, Button.FLAG_AROUND, 1)]
        assert [*seen.viewer.board.waiting(seen.viewer.view)] == [Cell(0, 0)]
        seen.press(KeyAction.UP, KeyAction.LEFT)
        assert seen.press(KeyAction.FLAG) == [Act(0, 0, Button.FLAG, FLAGGED)]

    def test_what_does_not_follow_is_left_to_the_server(self) -> None:
        seen = Seen("? 1 ?\n1 1 .", cursor=[1, 1])
        assert seen.press(KeyAction.FLAG_AROUND) == [Act(1, 1, Button.FLAG_AROUND, 1)]
        assert not seen.viewer.board.waiting(seen.viewer.view)

    def test_a_flag_on_a_number_is_meant_so_if_the_player_wants_that(self) -> None:
        looks = Looks(numbers=FlagOnNumber.AROUND)
        seen = Seen("? 1 .\n1 1 .", cursor=[1, 1], looks=looks)
        row, column = seen.find("[1]")
        around = Act(1, 1, Button.FLAG_AROUND, 1)
        assert seen.press(KeyAction.FLAG) == [around]
        assert seen.click(row, column + 1, Press.FLAG) == [around]
        plain = Seen("? 1 .\n1 1 .", cursor=[1, 1])
        assert plain.press(KeyAction.FLAG) == [Act(1, 1, Button.FLAG, 1)]
