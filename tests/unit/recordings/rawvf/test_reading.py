"""Videos to games: those of other programs, and what only looks like one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.errors import NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.view import Status
from jminesweeper.recordings.rawvf import format_rawvf, parse_rawvf
from jminesweeper.recordings.text import format_action
from tests.unit.core.boards import play

FOREIGN = """\
Description:
RawVF_Version: Rev6
Program: Somebody's Minesweeper
Player: J\x85rg: the \u2028 miner
Level: Custom
Width: 4
Height: 2
Mines: 1
Marks: Off
SquareSize: 20
Status: won
Board:
*000
0000
Events:
-0.10 mv 1 1 (3 4)
-0.05 rc (5 5)
-0.02 rr (5 5) (r)
flag 1 1
0.00 start
0.00 lc 2 1 (25 5) (l)
pressed 2 1
0.05 mv 5 9 (99 180)
0.12 lr 4 2 (75 39)
number0 4 2
0.12 sx 4 0
1.5 mt (25 5)
1.600 lc 1 2 (5 25)
1.750 lr 1 2 (5 25)
won
"""


def moves(text: str) -> list[str]:
    return [format_action(logged) for logged in parse_rawvf(text).log]


def video(*events: str, **options: str) -> str:
    header = "".join(f"{name}: {value}\n" for name, value in options.items())
    return f"{header}Board:\n*000\n0000\nEvents:\n" + "\n".join(events)


def test_the_video_of_another_program_is_a_classic_game_on_its_board() -> None:
    game = parse_rawvf(FOREIGN)
    assert game.setup.rules == PRESETS["classic"]
    assert game.setup.size == Size(4, 2)
    assert game.status is Status.WON
    assert [format_action(logged) for logged in game.log] == [
        "0 flag 0 0",
        "120 reveal 3 1",
        "1750 reveal 0 1",
    ]


@pytest.mark.parametrize("mode", ["Cheat", "cheat"])
def test_a_video_of_a_game_with_help_is_an_assisted_game(mode: str) -> None:
    text = video("1.000 lc 2 1 (24 8)", "1.100 lr 2 1 (24 8)", Mode=mode)
    assert parse_rawvf(text).assisted
    assert moves(text) == ["0 hint", "1100 reveal 1 0"]


@pytest.mark.parametrize("mode", ["UPK", "upk"])
def test_a_video_on_a_known_board_is_a_repeat(mode: str) -> None:
    game = parse_rawvf(video(Mode=mode))
    assert game.setup.variant.is_repeat
    assert not game.assisted


@pytest.mark.parametrize("mode", ["Classic", "Density", ""])
def test_any_other_mode_is_a_game_without_help_on_an_unknown_board(mode: str) -> None:
    game = parse_rawvf(video(Mode=mode))
    assert not game.assisted
    assert not game.setup.variant.is_repeat


def test_a_repeat_and_help_are_written_and_read_again() -> None:
    game = play("*..", "classic", "hint", "reveal 1 0")
    again = Game.replay(game.setup.as_repeat(), play("*..", "classic", "reveal 1 0").log.entries)
    assert parse_rawvf(format_rawvf(game)).assisted
    assert parse_rawvf(format_rawvf(again)).setup.variant.is_repeat


def test_line_endings_blank_lines_and_the_case_of_names_do_not_matter() -> None:
    text = FOREIGN.replace("Width", "WIDTH").replace("\n", "\r\n\r\n")
    assert parse_rawvf(text).log.entries == parse_rawvf(FOREIGN).log.entries


def test_a_cell_is_told_by_the_pixel_or_else_by_its_numbers() -> None:
    assert moves(video("0.1 lc 2 1", "0.1 lr 2 1")) == ["100 reveal 1 0"]
    assert moves(video("0.1 lc (17 3)", "0.1 lr (17 3)")) == ["100 reveal 1 0"]
    assert moves(video("0.1 lc (17 3)", "0.1 lr (17 3)", SquareSize="10")) == ["100 reveal 1 0"]
    assert moves(video("0.1 lc 1 0 (17 3)", "0.1 lr 1 0 (17 3)")) == ["100 reveal 1 0"]


@pytest.mark.parametrize(
    "place", ["1 1 (-5 3)", "5 1 (70 3)", "4 1 (64 3)", "1 1 (3 -1)", "(-1 3)", "(1 -16)", ""]
)
def test_what_is_clicked_beside_the_board_is_no_action(place: str) -> None:
    assert (
        moves(video(f"0.1 lc {place}", f"0.1 lr {place}", f"0.2 mc {place}", f"0.3 mr {place}"))
        == []
    )


@pytest.mark.parametrize(
    ("written", "at_ms"), [("0", 0), ("2.5", 2500), ("2.05", 2050), ("2.005", 2005), ("-3.25", 0)]
)
def test_times_are_seconds_with_any_digits_and_none_before_the_start(
    written: str, at_ms: int
) -> None:
    assert moves(video("0 lc 1 2", f"{written} lr 1 2")) == [f"{at_ms} reveal 0 1"]


def test_a_game_that_was_broken_off_is_given_up() -> None:
    clicked = ("0.1 lc 2 1", "0.1 lr 2 1")
    for end in ("nonstandard", "0.5 nonstandard"):
        assert parse_rawvf(video(*clicked, end)).status is Status.TERMINATED
    assert parse_rawvf(video("nonstandard")).status is Status.TERMINATED


def test_a_board_without_events_line_ends_after_its_height() -> None:
    whole = video("0.1 lc 2 1", "0.1 lr 2 1", Height="2")
    assert moves(whole.replace("Events:\n", "")) == moves(whole) == ["100 reveal 1 0"]
    with pytest.raises(NotationError, match="line 4: a row of the board has 0 and"):
        parse_rawvf(video("0.1 lc 2 1").replace("Events:\n", ""))


def doubts(*events: str, **options: str) -> list[str]:
    found: list[str] = []
    parse_rawvf(video(*events, **options), found.append)
    return found


WIN = ("0.1 lc 4 1", "0.2 lr 4 1", "2.5 lc 1 2", "2.5 lr 1 2")


def test_a_description_that_agrees_with_the_clicks_raises_no_doubt() -> None:
    for claim in ("2.500", "2", "3.4", "", "unknown", "-1", "2.5.0"):
        assert doubts(*WIN, Status="Won", Time=claim) == []
    assert doubts(*WIN) == doubts(*WIN, Status="Solved") == []
    assert doubts(*WIN[:2], Status="unfinished", Time="99") == []


def test_a_description_that_contradicts_the_clicks_raises_doubts() -> None:
    assert doubts(*WIN[:2], Status="Won") == [
        "the description says won, its clicks say ongoing",
    ]
    assert doubts("0.1 lc 1 1", "0.1 lr 1 1", Status="won", Time="36.734") == [
        "the description says won, its clicks say lost",
        "the description says 36.734 s, its clicks say 0.100 s",
    ]
    assert doubts(*WIN, Status="lost", Time="3.6") == [
        "the description says lost, its clicks say won",
        "the description says 3.600 s, its clicks say 2.500 s",
    ]


@pytest.mark.parametrize("value", ["", "0", "Off"])
def test_a_helping_hand_that_is_switched_off_does_not_matter(value: str) -> None:
    assert parse_rawvf(video(Autoflag=value, Lives=value)).setup.mine_count == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Board:", "", "line 13: neither 'Name: value' nor 'Board:': '*000'"),
        ("Height: 2", "Height: 1", "line 15: Height is 1, the board has 2"),
        ("Width: 4", "Width: 5", "line 15: Width is 5, the board has 4"),
        ("Height: 2", "Height: 3", "line 15: Height is 3, the board has 2"),
        ("Mines: 1", "Mines: 2", "line 15: Mines is 2, the board has 1"),
        ("Mines: 1", "Mines: one", "line 15: Mines is no number: 'one'"),
        ("Mines: 1", "Mines: " + "9" * 5000, "line 15: Mines is no number: '9999"),
        ("Mines: 1", "Mines: \u0661", "line 15: Mines is no number"),
        ("SquareSize: 20", "SquareSize: -1", "line 15: SquareSize is no number"),
        ("*000", "*00", "line 14: a row of 4 cells below one of 3"),
        ("*000", "*0x0", "line 13: a row of the board has 0 and"),
        ("*000", "*" * 256, "line 13: columns must be 1 to 255, not 256"),
        ("*000", "*000\n" + "0000\n" * 254, "line 269: rows must be 1 to 255, not 256"),
        (
            "Mines: 1\nMarks: Off\nSquareSize: 20\nStatus: won\nBoard:\n*",
            "Board:\n0",
            "line 11: a board of 4x2 holds 1",
        ),
        ("*000\n0000\n", "", "line 13: a board needs rows"),
        ("0.12 lr", "0.12 lx", "line 24: not an event: '0.12 lx 4 2"),
        ("0.12 lr", "0.1234 lr", "line 24: not an event"),
        ("0.12 lr", "\u0660.12 lr", "line 24: not an event"),
        ("0.12 lr", "9" * 12 + " lr", "line 24: not an event"),
        ("\nwon\n", "\nDescription:\n", "line 30: not an event: 'Description:'"),
        ("\nwon\n", "\nBoard:\n", "line 30: not an event: 'Board:'"),
        ("\nwon\n", "\nreset 1 1\n", "line 30: not an event: 'reset 1 1'"),
        ("Status: won", "Lives: 3", "line 12: games with lives cannot be read"),
        ("Status: won", "NonoMouse: On", "line 12: games with nonomouse cannot be read"),
        ("Status: won", "JMinesweeper_Rules: x y", "line 15: rules have no 'y'"),
    ],
)
def test_every_mistake_is_an_error_that_names_its_line(old: str, new: str, message: str) -> None:
    assert old in FOREIGN
    with pytest.raises(NotationError) as raised:
        parse_rawvf(FOREIGN.replace(old, new, 1))
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "Width: 3\n", "Board:\n*0\n", "jminesweeper game 1\n", "\x00"]
)
def test_what_is_no_video_is_an_error(text: str) -> None:
    with pytest.raises(NotationError, match=r"^line \d+: "):
        parse_rawvf(text)


FRAGMENTS = [
    *FOREIGN.splitlines(),
    "0.1 rc 1 1",
    "0.2 rr 1 1",
    "0.3 mc 2 1",
    "0.3 mr 2 1",
    "nonstandard",
]


@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=20)))
def test_any_lines_are_a_game_or_an_error(lines: list[str]) -> None:
    try:
        game = parse_rawvf("\n".join(lines))
    except NotationError:
        return
    assert isinstance(game, Game)


@given(st.lists(st.sampled_from(FRAGMENTS[14:]) | st.text("0123456789.-()lmrcvsx ", max_size=20)))
def test_any_events_are_a_game_or_an_error(lines: list[str]) -> None:
    head = FOREIGN.partition("Events:\n")[0]
    try:
        game = parse_rawvf(f"{head}Events:\n" + "\n".join(lines))
    except NotationError:
        return
    assert game.setup.mine_count == 1


def test_no_line_keeps_the_reader_busy() -> None:
    began = time.process_time()
    for line in ("0" * 200_000, "0." + "1" * 200_000, "0.1 lc" + " " * 200_000, "-" * 200_000):
        with pytest.raises(NotationError):
            parse_rawvf(video(line + "x"))
    assert time.process_time() - began < 5
