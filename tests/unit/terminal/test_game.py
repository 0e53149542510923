"""The screen of a game: the line about it, what is said, figures, keys; and its clock."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.protocol.packets import OpenMenu, Replay
from jminesweeper.terminal.keys import KeyAction, KeyMap
from jminesweeper.terminal.looks import Style
from jminesweeper.terminal.view import Words
from jminesweeper.terminal.words import text_of
from tests.unit.core.boards import play
from tests.unit.terminal.examples import Seen

BEGINNER = "\n".join(["? " * 9] * 9)
EXPERT = "\n".join(["? " * 30] * 16)


def header(seen: Seen) -> str:
    return next(line for line in seen.lines if line.strip()).strip()


def words(text: str, tone: str = "", which: str = "") -> dict[str, str]:
    return {"id": which, "text": text, "tone": tone}


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


@pytest.mark.parametrize("rows", [12, 24])
def test_a_message_of_any_length_leaves_a_row_of_the_field(rows: int) -> None:
    seen = Seen(BEGINNER, rows=rows, message=words("long " * 1_000))
    assert len(seen.field) == 1
    assert len(seen.lines) == rows


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
        seen.do("flag")
        assert "SPACE pause" in seen.text
        asked = []
        while (due := seen.viewer.deadline) is not None and due < 10:
            seen.now_s = due
            asked += [(round(due, 1), packet) for packet in seen.viewer.expire(due)]
        assert asked == [(0.0, Replay(1)), (1.0, Replay(2)), (2.5, Replay(3))]
        assert "  end  " in header(seen)

    def test_it_is_left_like_a_page(self) -> None:
        assert self.seen().do("menu") == [OpenMenu("")]

    def test_its_board_cannot_be_pressed(self) -> None:
        seen = self.seen()
        row, column = seen.find("[1]")
        assert seen.click(row, column + 1) == []


def test_messages_name_the_keys_of_this_player() -> None:
    won = Words("won", "You won!", "good")
    assert text_of(won, KeyMap()) == "You won! Press TAB to play again."
    assert text_of(won, KeyMap({"z": KeyAction.NEW})) == "You won! Press z to play again."
    assert text_of(Words("odd", "Whatever {NEW}."), KeyMap()) == "Whatever {NEW}."


def test_a_window_that_was_too_small_shows_the_game_that_went_on() -> None:
    seen = Seen("? ?")
    seen.viewer.resize(8, 3)
    seen.do("right")
    seen.viewer.resize(80, 24)
    assert seen.field == ["| #[#]|"]
