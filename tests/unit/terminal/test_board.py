"""Keys and clicks at the board: what is local, what is sent, what is shown meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import EXPLODED, MINED
from jminesweeper.protocol.packets import (
    Act,
    Hint,
    MoveTo,
    NewGame,
    Odds,
    OpenMenu,
    Packet,
    Seek,
    Undo,
)
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.terminal.board import NOTE_S
from jminesweeper.terminal.keys import KeyAction, Keystroke, Press
from jminesweeper.terminal.looks import ColourDepth, FlagOnNumber, Looks, Style
from tests.unit.terminal.examples import Members, Seen

COVERED, FLAGGED, QUESTIONED = 16, 48, 31
LARGE = "\n".join(["?" * 100] * 60)
SMALL = "? ? ?\n? ? ?"
AROUND = Looks(numbers=FlagOnNumber.AROUND)
TILES: dict[str, Any] = {"colours": ColourDepth.INDEXED, "has_unicode": True}


def act(column: int, row: int = 0, seen: int = COVERED, button: Button = Button.REVEAL) -> Act:
    return Act(column, row, button, seen)


def flag(column: int, row: int = 0, seen: int = COVERED) -> Act:
    return act(column, row, seen, Button.FLAG)


@pytest.mark.parametrize(
    ("board", "begins_at", "steps", "ends_at"),
    [
        (SMALL, (0, 0), "right right down left", (1, 1)),
        (SMALL, (0, 0), "left up jump-up", (0, 0)),
        (SMALL, (2, 1), "right right down", (2, 1)),
        (LARGE, (50, 30), "up", (50, 29)),
        (LARGE, (50, 30), "jump-left", (45, 30)),
        (LARGE, (50, 30), "jump-down", (50, 35)),
        (LARGE, (50, 30), "page-up", (50, 20)),
        (LARGE, (50, 30), "page-down", (50, 40)),
        (LARGE, (50, 30), "row-start", (0, 30)),
        (LARGE, (50, 30), "row-end", (99, 30)),
        (LARGE, (0, 0), "down@#", (0, 3)),
        # One key plays on from the view of the whole board.
        (LARGE, (50, 30), "overview row-end reveal", (99, 30)),
    ],
)
def test_moving_sends_nothing(
    board: str, begins_at: tuple[int, int], steps: str, ends_at: tuple[int, int]
) -> None:
    seen = Seen(board, cursor=[*begins_at])
    assert seen.do(steps) == []
    assert seen.viewer.board.cursor == ends_at
    assert "The whole board" not in seen.text


AROUND_1 = act(1, 1, 1, Button.FLAG_AROUND)


@pytest.mark.parametrize(
    ("board", "members", "steps", "sent"),
    [
        # What acts names its cell and how it looked.
        ("? F 1", {"cursor": [1, 0]}, "flag right reveal", [flag(1, seen=FLAGGED), act(2, seen=1)]),
        ("? F 1", {"cursor": [2, 0]}, "chord", [act(2, 0, 1, Button.CHORD)]),
        ("? ?", {}, "flag flag", [flag(0), flag(0, seen=FLAGGED)]),
        (
            "? ?",
            {"questions": True},
            "flag flag flag",
            [flag(0), flag(0, seen=FLAGGED), flag(0, seen=QUESTIONED)],
        ),
        ("? ?", {"cursor": [1, 0]}, "hint odds next", [Hint(1, 0), Odds(1, 0), Seek(1, 0)]),
        (
            "? ?",
            {},
            "undo pause menu help new",
            [Undo(1), Command.PAUSE, OpenMenu(""), OpenMenu("help"), NewGame()],
        ),
        ("? ?", {"state": "lost", "keys": ["classic", "new"]}, "reveal", [NewGame("beginner")]),
        # A slip of a key does not quit.
        ("? ?", {}, "ask-to-quit left", []),
        ("? ?", {}, "ask-to-quit reveal", [Command.QUIT]),
        ("? ?", {}, "ask-to-quit ask-to-quit", [Command.QUIT]),
        ("? ?", {}, "ask-to-quit quit", [Command.QUIT]),
        # The mouse.
        ("1 ?", {}, "@1] chord@1]", [act(0, seen=1), act(0, 0, 1, Button.CHORD)]),
        ("? ?", {}, "'@m menu'", [OpenMenu("")]),
        ("? ?", {}, "'@quit'", [Command.QUIT]),
        ("? ?", {}, "@JMinesweeper", []),
        ("? ?", {"state": "paused"}, "@paused", []),
        # Flags around a number.
        ("? 1 .\n1 1 .", {"cursor": [1, 1]}, "flag-around", [AROUND_1]),
        ("? 1 ?\n1 1 .", {"cursor": [1, 1]}, "flag-around", [AROUND_1]),
        (
            "? 1 .\n1 1 .",
            {"cursor": [1, 1]},
            "flag-around up left flag",
            [AROUND_1, flag(0, seen=FLAGGED)],
        ),
        ("? 1 .\n1 1 .", {"cursor": [1, 1]}, "flag", [flag(1, 1, 1)]),
        (
            "? 1 .\n1 1 .",
            {"cursor": [1, 1], "looks": AROUND},
            "flag flag@1]",
            [AROUND_1, AROUND_1],
        ),
        # The figures of a game are a page of their own.
        ("? ?", {"state": "lost", "figures": [["time", "12 s"]]}, "figures menu", []),
        ("? ?", {"state": "lost"}, "right reveal flag", []),
    ],
)
def test_keys_and_clicks_send(board: str, members: Members, steps: str, sent: list[Packet]) -> None:
    assert Seen(board, **members).do(steps) == sent


def test_a_flag_is_seen_dim_at_once() -> None:
    seen = Seen("? ?", **TILES)
    seen.do("flag")
    assert seen.styles_of("[⚑]")[1] == Style.WAITING_FLAG
    seen.do("flag")
    assert "⚑" not in seen.text


def test_a_pressed_tile_sinks_until_the_reply_says_what_it_is() -> None:
    seen, again = Seen("? ?", **TILES), Keystroke(action=KeyAction.REVEAL)
    assert not seen.viewer.must_wait(again)
    (packet,) = seen.do("reveal")
    assert seen.styles_of("[ ]")[1] == Style.ZERO
    # What the key means there is known with the reply.
    assert seen.viewer.must_wait(again)
    assert not seen.viewer.must_wait(Keystroke(action=KeyAction.RIGHT))
    seen.take({}, bytes((0, 0, 1, 3)), answers=packet)
    assert "[3]" in seen.text
    assert not seen.viewer.must_wait(again)


def test_presses_under_way_hide_nothing_of_a_game_that_is_over() -> None:
    seen = Seen("? ? ?")
    first, _ = seen.do("reveal right reveal")
    faces = bytes((0, 0, 3, EXPLODED, COVERED | 1, MINED))
    seen.take({"state": "lost"}, faces, answers=first)
    assert seen.field == ["| B*1 B |"]


def test_a_reply_that_changes_nothing_takes_the_mark_back() -> None:
    seen = Seen("? ?")
    (packet,) = seen.do("flag")
    assert "F" in seen.field[0]
    seen.take({"message": {"id": "changed", "text": "That cell has changed."}}, answers=packet)
    assert "F" not in seen.field[0]


@pytest.mark.parametrize("step", ["flag", "reveal", "chord"])
def test_a_press_on_a_board_that_is_gone_shows_nothing(step: str) -> None:
    seen = Seen("? ? ?", cursor=[2, 0])
    (packet,) = seen.do(step)
    seen.take({"size": [2, 1], "unasked": True})
    assert seen.field == ["|[#]# |"]
    seen.do("flag")
    seen.take({}, answers=packet)
    assert seen.field == ["|[F]# |"]


@pytest.mark.parametrize(
    ("board", "cursor", "step", "waiting"),
    [
        ("? F\n1 ?", [0, 1], "chord", {Cell(0, 0), Cell(1, 1)}),
        ("? ?\n1 ?", [0, 1], "chord", set()),
        ("? 1 .\n1 1 .", [1, 1], "flag-around", {Cell(0, 0)}),
        ("? 1 ?\n1 1 .", [1, 1], "flag-around", set()),
    ],
)
def test_what_follows_from_a_number_is_shown_until_the_reply(
    board: str, cursor: list[int], step: str, waiting: set[Cell]
) -> None:
    seen = Seen(board, cursor=cursor)
    seen.do(step)
    assert {*seen.viewer.board.waiting(seen.viewer.view)} == waiting


def test_the_server_hears_once_where_the_cursor_rests() -> None:
    seen = Seen("? ? ?")
    seen.do("right")
    seen.now_s = 0.5
    seen.do("right")
    assert seen.viewer.deadline == 0.5 + NOTE_S
    assert seen.viewer.expire(0.9) == []
    assert seen.viewer.expire(0.5 + NOTE_S) == [MoveTo(2, 0)]
    assert seen.viewer.deadline is None


def test_an_act_says_where_the_cursor_is() -> None:
    seen = Seen("? ? ?")
    seen.do("right flag")
    assert seen.viewer.deadline is None


def test_the_server_may_put_the_cursor_somewhere() -> None:
    seen = Seen("? ? ?")
    seen.do("right")
    seen.take({"cursor": [2, 0]})
    assert seen.viewer.board.cursor == (2, 0)
    assert seen.viewer.deadline is None


def test_another_board_begins_at_its_first_cell() -> None:
    seen = Seen("? ? ?", cursor=[2, 0])
    seen.hear("? ?")
    assert seen.viewer.board.cursor == (0, 0)


def test_once_the_game_is_over_arrows_look_around() -> None:
    seen = Seen(LARGE, state="lost")
    seen.do("right jump-down")
    assert seen.viewer.board.window == (1, 5)


def test_a_press_takes_the_cursor_to_the_cell_under_it() -> None:
    seen = Seen("? ?\n? ?")
    row, column = seen.find("[")
    assert seen.click(row + 1, column + 3, Press.FLAG) == [flag(1, 1)]
    assert seen.viewer.board.cursor == (1, 1)
    assert seen.click(0, 0) == seen.click(23, 79) == []


def test_a_press_on_the_whole_board_goes_to_the_middle_of_a_block() -> None:
    seen = Seen(LARGE, cursor=[50, 30])
    seen.do("overview")
    row, column = seen.find("#")
    assert seen.click(row, 0) == []
    assert seen.viewer.board.cursor == (50, 30)
    assert seen.click(row + 2, column + 10) == []
    assert "The whole board" not in seen.text
    assert 15 <= seen.viewer.board.cursor.column <= 25


@pytest.mark.parametrize(
    ("members", "steps", "text"),
    [
        ({}, "overview", "on the screen already"),
        ({}, "figures", "at the end of the game"),
        ({}, "ask-to-quit", "Quit?"),
        ({"odds": [[0, 12], [1, 34]]}, "", "Chance of a mine here: 12 %. Press o to hide"),
        ({"odds": [[0, 12], [1, 34]]}, "right", "34 %"),
    ],
)
def test_a_key_is_answered_in_words(members: Members, steps: str, text: str) -> None:
    seen = Seen("? ?", **members)
    assert seen.do(steps) == []
    assert text in seen.text
