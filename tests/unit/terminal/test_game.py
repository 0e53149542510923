"""The screen of a game: the line about it, what is said, figures, keys; and its clock."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.protocol.packets import OpenMenu, Replay
from jminesweeper.terminal.keys import KeyAction, KeyMap
from jminesweeper.terminal.symbols import Style
from jminesweeper.terminal.view import Words
from jminesweeper.terminal.words import text_of
from tests.unit.core.boards import play
from tests.unit.terminal.examples import Seen

SIGNS = "B mine   BF flagged mine   2F wrong flag   B* stepped on"
BEGINNER = "\n".join(["? " * 9] * 9)
EXPERT = "\n".join(["? " * 30] * 16)


def header(seen: Seen) -> str:
    return next(line for line in seen.lines if line.strip()).strip()


def words(text: str, tone: str = "", which: str = "") -> dict[str, str]:
    return {"id": which, "text": text, "tone": tone}


@pytest.mark.requirement("C:Mine Counter", "C:Timer Display")
def test_the_header_tells_what_is_played_what_is_left_and_how_long_it_took() -> None:
    seen = Seen(EXPERT, label="expert 30x16", left=42, clock=83_000)
    assert header(seen).split() == ["JMinesweeper", "expert", "30x16", "mines", "42", "1:23"]


@pytest.mark.requirement("C:Mine Counter")
def test_the_counter_may_go_below_zero() -> None:
    assert " -3 " in header(Seen(left=-3))


@pytest.mark.requirement("C:Visual Feedback")
@pytest.mark.parametrize(
    ("members", "state", "style"),
    [
        ({"state": "won"}, "WON", Style.GOOD),
        ({"state": "lost", "remark": ["assisted"]}, "LOST assisted", Style.BAD),
        ({"state": "given up"}, "GIVEN UP", Style.WARNING),
        ({"state": "paused", "remark": ["unsaved", "odd"]}, "paused not saved", Style.WARNING),
        ({"remark": ["assisted", "repeat"]}, "assisted", Style.WARNING),
        ({"remark": ["repeat"]}, "not ranked", Style.WARNING),
        ({"pace": [10, 20], "clock": 5_000}, "2.00/s 50 %", Style.WARNING),
    ],
)
def test_the_state_is_told_in_words_and_in_colour(
    members: dict[str, Any], state: str, style: Style
) -> None:
    seen = Seen(**members)
    assert f"  {state}  " in header(seen)
    assert set(seen.styles_of(state)) == {style}


def test_the_name_goes_first_where_there_is_little_room_and_then_a_word() -> None:
    told: dict[str, Any] = {"state": "lost", "remark": ["assisted"], "label": "beginner 9x9"}
    assert header(Seen(**told, columns=64)).startswith("JMinesweeper")
    narrow = header(Seen(**told, columns=44))
    assert narrow.startswith("beginner 9x9")
    assert "mines" not in narrow


def test_remarks_go_before_the_label_is_cut() -> None:
    told: dict[str, Any] = {
        "label": "intermediate 16x16",
        "remark": ["repeat"],
        "columns": 40,
    }
    assert header(Seen(**told)).split()[:2] == ["intermediate", "16x16"]
    assert "WON" in header(Seen(**told, state="won"))
    assert "ranked" not in header(Seen(**told, state="won"))


def test_the_cursors_place_is_told_where_the_field_does_not_fit() -> None:
    large = "\n".join(["?" * 255] * 60)
    assert header(Seen(large, cursor=[200, 7])).startswith("200,7")
    assert header(Seen(large, state="lost")).startswith("JMinesweeper")


def test_a_message_has_the_colour_of_its_tone_and_stands_above_the_keys() -> None:
    seen = Seen(message=words("All is well.", "good"))
    assert set(seen.styles_of("All is well.")) == {Style.GOOD}
    assert seen.find("All is well.")[0] < seen.find("RETURN reveal")[0]


def test_an_aim_without_room_for_all_of_it_ends_with_one_full_stop() -> None:
    aim = words("Where is it safe? Reveal a cell that cannot be a mine.")
    text = " ".join(Seen(BEGINNER, columns=40, rows=12, aim=aim).text.split())
    assert "cannot be a mine." in text
    assert "mine.." not in text


def test_the_aim_stays_under_the_message_and_is_not_said_twice() -> None:
    aim = words("Open every safe cell.")
    both = Seen(BEGINNER, aim=aim, message=words("Undone."))
    assert both.find("Undone.")[0] + 1 == both.find("Open every")[0]
    assert Seen(BEGINNER, aim=aim, message=aim).text.count("Open every safe cell.") == 1


@pytest.mark.parametrize(("columns", "rows", "shown"), [(60, 24, 19), (40, 20, 14), (40, 12, 6)])
def test_a_message_in_full_matters_more_than_the_keys_and_a_row(
    columns: int, rows: int, shown: int
) -> None:
    board = "\n".join(["? " * 9] * 19)
    text = "a rather long message " * 5
    seen = Seen(board, columns=columns, rows=rows, message=words(text.strip()))
    assert " ".join(line.strip() for line in seen.lines[-4:]).count("a rather long message") == 5
    assert len(seen.field) == shown


@pytest.mark.parametrize("rows", [12, 24])
def test_a_message_of_any_length_leaves_a_row_of_the_field(rows: int) -> None:
    seen = Seen(BEGINNER, rows=rows, message=words("long " * 1_000))
    assert len(seen.field) == 1
    assert len(seen.lines) == rows


def test_keys_move_closer_before_the_last_are_left_out() -> None:
    assert "reveal   SPACE" in Seen(columns=120).text
    narrow = Seen(columns=60).lines[-1]
    assert "reveal  SPACE flag  ? help" in Seen(columns=60).text
    assert "odds" not in narrow


def test_where_only_a_part_is_seen_a_key_shows_the_whole() -> None:
    assert "v whole board" in Seen("\n".join(["?" * 100] * 60), columns=100).text


@pytest.mark.requirement("C:Losing Condition", "J:lost field")
def test_the_signs_of_a_lost_field_are_explained() -> None:
    lost = play("*.\n..", "classic", "reveal 1 1", "reveal 0 0")
    assert SIGNS in Seen(lost).text
    assert SIGNS not in Seen(play("*.", "classic", "reveal 1 0")).text


FIGURES = [["time", "12.345 s"], ["3BV", "20 of 31, 1.62 a second"], ["", "not ranked"]]


@pytest.mark.requirement("C:Losing Condition")
@pytest.mark.parametrize(("columns", "rows"), [(40, 12), (80, 24), (200, 60)])
def test_nothing_that_is_said_at_the_end_covers_the_field(columns: int, rows: int) -> None:
    lost = play("*" + "." * 8 + ("\n" + "." * 9) * 6, "classic", "reveal 8 6", "reveal 0 0")
    bare = Seen(lost, columns=columns, rows=rows)
    full = Seen(
        lost,
        columns=columns,
        rows=rows,
        figures=FIGURES,
        message=words("You lost. " * 5, "bad"),
    )
    assert [row.split("|")[1] for row in full.field] == [row.split("|")[1] for row in bare.field]


def test_figures_stand_beside_the_field_or_under_it() -> None:
    beside = Seen(BEGINNER, state="lost", figures=FIGURES)
    assert beside.find("time 12.345 s")[0] == beside.find("+-")[0] + 1
    under = Seen(EXPERT, state="lost", figures=FIGURES, rows=30)
    assert under.find("time 12.345 s")[0] > under.find("+-")[0] + 16


def test_a_seed_code_is_never_broken() -> None:
    code = "0000-0000-CTR9-Y63C-F2TP-ZAT1-Z107"
    seen = Seen(BEGINNER, state="lost", figures=[["seed code", code]], columns=90)
    assert code in seen.text


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (100, 30)])
def test_the_line_to_share_is_alone_on_its_line(columns: int, rows: int) -> None:
    line = "JMinesweeper expert 2026-11-19: won in 1:24.1 2357853211"
    figures = [*FIGURES, ["share", line]]
    for board in (BEGINNER, EXPERT):
        seen = Seen(board, state="won", figures=figures, columns=columns, rows=rows)
        assert line in [row.strip() for row in seen.text.splitlines()]


class TestClock:
    def test_it_runs_on_by_itself(self) -> None:
        seen = Seen(clock=41_300, clock_runs=True)
        assert "0:41" in header(seen)
        assert seen.viewer.deadline == pytest.approx(0.701)
        seen.now_s = 0.701
        assert "0:42" in header(seen)
        assert seen.viewer.deadline == pytest.approx(1.701)

    def test_it_stands_while_the_server_says_so(self) -> None:
        seen = Seen(clock=41_300, clock_runs=True)
        seen.now_s = 2.0
        seen.take({"clock": 43_100, "clock_runs": False, "menu": MENU})
        seen.now_s = 60.0
        seen.take({"menu": None})
        assert "0:43" in header(seen)
        assert seen.viewer.deadline is None

    def test_what_is_said_late_does_not_turn_it_back(self) -> None:
        seen = Seen(clock=0, clock_runs=True)
        seen.now_s = 5.05
        assert "0:05" in header(seen)
        seen.take({"clock": 4_960})
        assert "0:05" in header(seen)
        seen.take({"clock": 1_000})
        assert "0:01" in header(seen)

    @pytest.mark.parametrize("more", [{}, {"page": {"id": "p", "title": "", "lines": []}}])
    @pytest.mark.parametrize("size", [(80, 24), (8, 3)])
    @pytest.mark.parametrize("clock", [0, 999, 12_345_678])
    def test_nobody_is_woken_in_vain(
        self, more: dict[str, Any], size: tuple[int, int], clock: int
    ) -> None:
        seen = Seen(columns=size[0], rows=size[1], clock=clock, clock_runs=True, **more)
        for _ in range(5):
            seen.viewer.screen(seen.now_s)
            deadline = seen.viewer.deadline
            assert deadline is not None
            assert deadline > seen.now_s
            seen.now_s = deadline
            seen.viewer.expire(seen.now_s)
        assert seen.now_s >= 4


MENU = {"id": "m", "title": "Menu", "rows": [{"id": "a", "label": "a"}]}


class TestReplay:
    def seen(self) -> Seen:
        seen = Seen("1 ?", state="playing", keys=["step", "back", "odds", "quit"])
        seen.take({"replay": [0, 1000, 2500], "position": 0, "message": words("Before")})
        return seen

    def test_it_waits_and_its_line_says_where_it_is(self) -> None:
        seen = self.seen()
        assert "0/3" in seen.lines[-1]
        assert "SPACE play" in seen.text
        assert "  paused  " in header(seen)
        assert seen.viewer.deadline is None

    def test_it_plays_by_asking_for_positions_in_time(self) -> None:
        seen = self.seen()
        seen.press(KeyAction.FLAG)
        assert "SPACE pause" in seen.text
        asked = []
        while (due := seen.viewer.deadline) is not None and due < 10:
            seen.now_s = due
            asked += [(round(due, 1), packet) for packet in seen.viewer.expire(due)]
        assert asked == [(0.0, Replay(1)), (1.0, Replay(2)), (2.5, Replay(3))]
        assert "  end  " in header(seen)

    def test_it_is_left_like_a_page(self) -> None:
        assert self.seen().press(KeyAction.MENU) == [OpenMenu("")]

    def test_its_board_cannot_be_pressed(self) -> None:
        seen = self.seen()
        row, column = seen.find("[1]")
        assert seen.click(row, column + 1) == []


def test_messages_name_the_keys_of_this_player() -> None:
    won = Words("won", "You won!", "good")
    assert text_of(won, KeyMap()) == "You won! Press TAB to play again."
    assert text_of(won, KeyMap({"z": KeyAction.NEW})) == "You won! Press z to play again."
    assert text_of(Words("odd", "Whatever {NEW}."), KeyMap()) == "Whatever {NEW}."


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((39, 24), "Make the window at least 40x12"),
        ((80, 11), "Make the window at least 40x12"),
        ((8, 3), "At least 40x12"),
        ((8, 1), "40x12"),
    ],
)
def test_a_screen_too_small_says_what_to_do_and_the_game_goes_on(
    size: tuple[int, int], shown: str
) -> None:
    seen = Seen("? ?")
    seen.viewer.resize(*size)
    assert " ".join(filter(None, map(str.strip, seen.lines))) == shown
    assert len(seen.lines) == size[1]
    seen.press(KeyAction.RIGHT)
    seen.viewer.resize(80, 24)
    assert "?[?]" in seen.field[0].replace("#", "?")


def test_the_terminals_cursor_is_on_the_cell_for_magnifiers() -> None:
    seen = Seen("? 3", cursor=[1, 0])
    row, column = seen.find("[3]")
    screen = seen.viewer.screen(0.0)
    assert screen.cursor == (row, column + 1)
    assert not screen.is_typing
