"""Among others: what keys send there, what time and others change, and how it is told in words.

What it looks like stands in `tests/golden`.
"""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import MoveTo, OpenMenu, Packet, Pick, Ready, Say, Watch
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.terminal.board import SHOWN_S
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.keys import KeyAction, KeyMap
from jminesweeper.terminal.looks import Canvas, Style
from jminesweeper.terminal.room import POINTED_S, ways_in
from jminesweeper.terminal.room import SHOWN_S as TALK_S
from tests.unit.terminal.examples import (
    ADA,
    BEGINNER,
    BOB,
    DOORS,
    KEYS,
    OVER_TOGETHER,
    PLAYING_TOGETHER,
    SHARED,
    SHEET,
    Members,
    Seen,
    room,
    seat,
    waiting_room,
)


def taking(members: Members) -> Seen:
    seen = Seen(BEGINNER)
    seen.take(members)
    return seen


def waiting(**members: Any) -> Seen:
    return taking(waiting_room(**members))


OVER: Members = OVER_TOGETHER
ALL_READY: Members = {**OVER, "seats": [seat(1, "Ada", ready=True), seat(2, "Bob", ready=True)]}
IN_REPLAY: Members = {**OVER, "replay": [0, 1_000], "position": 2}
HOSTED: Members = {**OVER, "room": {**OVER["room"], "you": 1}, "keys": ["ready", "leave", "menu"]}
RACING: Members = {**PLAYING_TOGETHER, "keys": [*KEYS, "give_up"]}
WATCHING: Members = {"watching": {"name": "Ada", "gone": False}, "keys": ["back", "quit"]}
IN_MENU: Members = {"menu": {"id": "main", "title": "Menu", "rows": [SHEET[2]]}}
CHOOSING: Members = {**waiting_room(), "sheet": SHEET}
MENU = OpenMenu("")


def choose(row: str, value: str = "") -> Pick:
    return Pick("room", row, value)


@pytest.mark.parametrize(
    ("members", "steps", "sent"),
    [
        (waiting_room(), "reveal", [Ready(1)]),
        (waiting_room(seat(1, "Ada"), seat(2, "Bob", ready=True)), "reveal", [Ready(0)]),
        (waiting_room(), "menu", [MENU]),
        (waiting_room(), "back reveal", [Command.LEAVE]),
        (waiting_room(), "back up", []),
        (CHOOSING, "reveal", [Ready(1)]),
        (CHOOSING, "right", [choose("board", "a")]),
        (CHOOSING, "down =12 reveal reveal", [choose("columns", "12"), Ready(1)]),
        (CHOOSING, "down down reveal", [choose("begin")]),
        (CHOOSING, "menu", [MENU]),
        (RACING, "new reveal", [Command.GIVE_UP]),
        (RACING, "new new", []),
        (RACING, "right =10", [Say(1, 1, 0), Say(0, 1, 0)]),
        (RACING, "=7", []),
        (OVER, "back figures", []),
        (ALL_READY, "reveal", [Ready(1)]),
        (ALL_READY, "back reveal", [Ready(1)]),
        (HOSTED, "back figures menu", [MENU]),
        (IN_REPLAY, "back back", [MENU]),
        (WATCHING, "reveal flag", []),
        (WATCHING, "back", [MENU]),
        (IN_MENU, "people", [OpenMenu("people")]),
        ({}, "people", [OpenMenu("people")]),
    ],
)
def test_keys_among_others_send(members: Members, steps: str, sent: list[Packet]) -> None:
    assert taking(members).do(steps) == sent


@pytest.mark.parametrize(
    ("typed", "doors", "ways"),
    [
        (
            "",
            DOORS,
            [
                "./run_client.sh --join KTPQAH 192.0.2.5",
                "ssh -t -p 9999 192.0.2.5 join KTPQAH",
                "http://192.0.2.5:9999/#join=KTPQAH",
            ],
        ),
        (
            "tls://example.org:4444",
            DOORS,
            [
                "./run_client.sh --join KTPQAH tls://example.org:4444",
                "ssh -t -p 4444 example.org join KTPQAH",
                "http://example.org:4444/#join=KTPQAH",
            ],
        ),
        (
            "",
            {"host": "2001:db8::1", "port": 4444, "page": "https://example.org/mines/"},
            [
                "./run_client.sh --join KTPQAH [2001:db8::1]:4444",
                "https://example.org/mines/#join=KTPQAH",
            ],
        ),
        ("192.0.2.5:9999", {}, ["./run_client.sh --join KTPQAH 192.0.2.5"]),
        ("", {}, []),
    ],
    ids=["as the server knows", "as one came oneself", "behind a proxy", "known alone", "unknown"],
)
def test_friends_are_told_what_to_type_or_open(
    typed: str, doors: dict[str, Any], ways: list[str]
) -> None:
    viewer = FrontEnd(Canvas(), KeyMap(), host=typed)
    viewer.apply_view(waiting_room(doors=doors), b"", None, 0.0)
    assert viewer.view.room is not None
    assert [*ways_in(viewer.view.room, typed)] == ways
    shown = " ".join(line.text for line in viewer.screen(0.0).lines)
    assert ("--join" in shown) == bool(ways)


@pytest.mark.parametrize(
    ("members", "then", "moments"),
    [
        (
            PLAYING_TOGETHER,
            {"blocked": 10_000},
            [
                (0, "keys do nothing for 10 s."),
                (0, "|10s#"),
                (9.5, "for 1 s."),
                (10.5, "-Your keys"),
            ],
        ),
        (PLAYING_TOGETHER, {"blocked": 9_000}, [(0, "| 9s#"), (8.5, "| 1s#"), (9.5, "|[#]#")]),
        (PLAYING_TOGETHER, {"ends_in": 60_000}, [(0, "ends in 60 s"), (15.5, "ends in 45 s")]),
        (
            PLAYING_TOGETHER,
            {"news": [{"id": "news.hit", "text": "Ada hit a mine."}]},
            [(0, "Ada hit a mine."), (5, "-Ada hit")],
        ),
        (
            PLAYING_TOGETHER,
            {"said": [{"seat": 1, "id": 2, "cell": -1}]},
            [(0, "Ada: Well done!"), (TALK_S - 0.01, "Ada: Well done!"), (TALK_S, "-Ada:")],
        ),
        (
            SHARED,
            {"said": [{"seat": 1, "id": 0, "cell": 20}]},
            [(0, "Ada: Look here."), (0, "<#>"), (POINTED_S, "-<#>")],
        ),
    ],
    ids=["penalty", "penalty of one digit", "end", "news", "said", "pointed at"],
)
def test_what_happens_is_shown_for_a_while_whatever_is_pressed(
    members: Members, then: Members, moments: list[tuple[float, str]]
) -> None:
    seen = Seen(BEGINNER, **members)
    seen.take(then)
    seen.do("left")
    seen.take({"message": None})
    for seen.now_s, words in moments:
        seen.viewer.expire(seen.now_s)
        assert (words.removeprefix("-") in seen.text) is not words.startswith("-")


def test_the_reason_for_a_penalty_goes_with_it() -> None:
    seen = Seen(BEGINNER, **PLAYING_TOGETHER, blocked=10_000)
    seen.take({"message": {"id": "blocked", "text": "A mine costs ten seconds."}})
    seen.now_s = 10.5
    assert "ten seconds" not in seen.text


@pytest.mark.parametrize("members", [SHARED, {"watchers": 1}], ids=["shared", "watched"])
def test_others_are_shown_where_the_cursor_moves_ten_times_a_second(members: Members) -> None:
    seen = Seen(BEGINNER, **members)
    seen.do("right")
    seen.now_s = SHOWN_S / 2
    seen.do("right")
    assert seen.viewer.deadline == SHOWN_S
    assert seen.viewer.expire(SHOWN_S) == [MoveTo(2, 0)]


def test_a_code_that_was_refused_is_corrected_where_it_was_typed() -> None:
    join = {"id": "join", "label": "Join a room", "kind": "text", "range": [1, 20]}
    menu: dict[str, Any] = {"id": "people", "title": "Play together", "selected": "join"}
    seen = Seen(menu={**menu, "rows": [{"id": "race", "label": "Race"}, join]})
    seen.press(KeyAction.REVEAL)
    pick = Pick("people", "join", "KTPX")
    assert seen.type("KTPX") + seen.press(KeyAction.REVEAL) == [pick]
    refused = {"id": "room", "text": "A room's code has six letters.", "tone": "warning"}
    rows = [{"id": "race", "label": "Race"}, join]
    seen.take({"menu": {**menu, "rows": rows}, "message": refused}, answers=pick)
    assert "[KTPX" in seen.text
    assert seen.type("x") == []


def test_the_countdown_counts_by_itself() -> None:
    seen = waiting()
    seen.take({"starts_in": 3_000, "room": room(state="countdown")})
    assert "Starts in 3" in seen.text
    deadline = seen.viewer.deadline
    assert deadline is not None
    seen.now_s = deadline
    assert "Starts in 2" in seen.text
    seen.now_s = 3.0
    assert "Starts" not in seen.text
    assert seen.viewer.deadline is None


def test_left_and_right_choose_whose_board_is_watched() -> None:
    done = [seat(4, "Dan", time=3, place=1), seat(5, "Eve", gave_up=True)]
    seats = [ADA, BOB, seat(3, "Cy"), *done]
    seen = Seen(
        BEGINNER, **{**PLAYING_TOGETHER, "seats": seats, "state": "won", "keys": ["rivals"]}
    )
    assert seen.press(KeyAction.RIGHT) == [Watch("1")]
    seen.take({"watching": {"name": "Ada", "gone": False}, "state": "playing"})
    assert seen.press(KeyAction.RIGHT) == seen.press(KeyAction.LEFT) == [Watch("3")]
    seen.take({"seats": [BOB, *done]})
    assert seen.press(KeyAction.RIGHT) == []


def test_what_the_host_chooses_changes_under_the_hands() -> None:
    seen = taking(CHOOSING)
    seen.do("down =12 reveal")
    seen.take({"sheet": [SHEET[0], {**SHEET[1], "value": "12"}, SHEET[2]]})
    assert seen.do("right") == [choose("columns", "13")]
    seen.take({"sheet": []})
    assert seen.do("right") == []


def test_the_result_goes_when_another_round_begins() -> None:
    seen = taking(OVER)
    seen.take({"message": {"id": "said", "text": "Ada is ready."}})
    assert "effic." in seen.text
    seen.take({**PLAYING_TOGETHER, "state": "starting"})
    assert "effic." not in seen.text


def test_a_win_is_not_lit_up_again_after_a_look_at_others() -> None:
    seen = Seen(BEGINNER, **{**PLAYING_TOGETHER, "watching": {"name": "Ada", "gone": False}})
    seen.take({"watching": None, "state": "won"})
    assert seen.viewer.deadline is None


def test_large_figures_over_the_board_count_down_and_are_gone_at_zero() -> None:
    members = {**PLAYING_TOGETHER, "room": room(state="countdown"), "state": "starting"}
    seen = Seen(BEGINNER, **members, starts_in=3_000)
    figures = []
    for seconds in range(4):
        seen.now_s = float(seconds)
        lines = seen.viewer.screen(seen.now_s).lines
        figures.append(sum(line.styles.count(Style.CHOSEN) for line in lines))
        # What the board shows stays as it is.
        assert " ".join(seen.field[4].strip("| ").split()) == "# # # # # # # # #"
    assert all(figures[:3])
    assert figures[3] == 0


@pytest.mark.parametrize(("code", "state"), [("KTPQAH", "OVER"), ("", "GIVEN UP")])
def test_a_race_that_is_over_was_not_given_up_by_who_had_not_finished(
    code: str, state: str
) -> None:
    cut_short = {**OVER, "room": room(state="over", code=code), "state": "given up"}
    seen = Seen(BEGINNER, **cut_short)
    seen.press(KeyAction.BACK)
    assert f" {state} " in seen.text
    assert f"{state.capitalize()}." in facts_of(seen)


def test_whose_flag_it_is_is_said_where_the_cursor_is() -> None:
    seen = Seen(BEGINNER, **SHARED, owners=[[0, 1], [1, 2]])
    assert "A flag of Ada." in seen.text
    seen.press(KeyAction.RIGHT)
    assert "A flag of" not in seen.text


def facts_of(seen: Seen) -> list[str]:
    return [*filter(None, seen.viewer.facts(0.0).values())]


def test_a_room_is_told_in_sentences() -> None:
    assert facts_of(waiting()) == [
        "Room: beginner 9x9.",
        "Room KTPQAH, race, waiting.",
        "A mine costs ten seconds.",
        "Seat 1: Ada, host, ready.",
        "Seat 2: Bob, you, not ready.",
    ]


def test_a_cell_at_which_nobody_points_is_not_asked_for() -> None:
    seen = Seen(BEGINNER, **PLAYING_TOGETHER)
    seen.take({"said": [{"seat": 9, "id": 99, "cell": -1}]})
    assert seen.viewer.board.cursor == Cell(0, 0)
    assert ":" not in seen.lines[-3]


@pytest.mark.parametrize(
    ("members", "sentences"),
    [
        (
            {**SHARED, "lives": 2, "watchers": 1, "blocked": 4_000},
            [
                "Watched by 1.",
                "Room KTPQAH, shared, running.",
                "A mine costs one of three lives.",
                "2 lives left.",
                "Seat 2: Bob, you, 1 mine hit.",
                "A mine! Your keys do nothing for 4 s.",
            ],
        ),
        (OVER, ["Seat 1: Ada, host, place 1, 18.8 s, not ready."]),
        ({"watching": {"name": "Ada", "gone": True}}, ["Watching Ada, who is gone."]),
        ({"looking": "beginner 9x9"}, ["Waiting for an opponent: beginner 9x9."]),
    ],
    ids=["shared", "over", "watching", "looking"],
)
def test_a_board_among_others_is_told_in_sentences(members: Members, sentences: list[str]) -> None:
    told = facts_of(Seen(BEGINNER, **members))
    assert [each for each in sentences if each not in told] == []
