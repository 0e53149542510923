"""Among others: the room, the lines of a race, a shared board, watching, and what is said."""

from __future__ import annotations

import re
from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import MoveTo, OpenMenu, Packet, Pick, Ready, Say, Watch
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.terminal.board import SHOWN_S
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.keys import KeyAction, KeyMap
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.room import POINTED_S, ways_in
from jminesweeper.terminal.room import SHOWN_S as TALK_S
from jminesweeper.terminal.symbols import Style, style_of_seat
from tests.unit.terminal.examples import Seen

SIZES = [(80, 24), (100, 30), (40, 20)]
BEGINNER = "\n".join(["? ? ? ? ? ? ? ? ?"] * 9)
EXPERT = "\n".join([" ".join("?" * 30)] * 16)
KEYS = ["reveal", "flag", "say", "leave", "menu", "help", "quit"]
RACING = ["reveal", "flag", "say", "give_up", "leave", "menu", "help", "quit"]
WAITING = ["ready", "leave", "say", "menu", "help", "quit"]


def room(**members: Any) -> dict[str, Any]:
    usual = {"code": "KTPQAH", "kind": "race", "state": "running", "label": "beginner 9x9"}
    return {**usual, "mine": "penalty", "host": 1, "you": 2, "bots": True, **members}


def seat(number: int, name: str, **members: Any) -> dict[str, Any]:
    return {"number": number, "name": name, "colour": number - 1, "here": True, **members}


ADA, BOB = seat(1, "Ada", opened=667), seat(2, "Bob", opened=250, hits=1)
PLAYING: dict[str, Any] = {"room": room(), "seats": [ADA, BOB], "keys": KEYS}
SHARED: dict[str, Any] = {**PLAYING, "room": room(kind="shared", mine="life")}
OVER: dict[str, Any] = {
    "room": room(state="over", headline="Ada won the race.", score="you 1 : 2 Ada"),
    "seats": [
        seat(1, "Ada", opened=1000, place=1, time=18_820, speed=172, efficiency=85),
        seat(2, "Bob", opened=250, hits=1),
    ],
    "keys": ["ready", "replay", "leave"],
}


def waiting(columns: int = 80, rows: int = 24, *seats: dict[str, Any], **members: Any) -> Seen:
    seen = Seen(columns=columns, rows=rows)
    here = {"room": room(state="waiting", **members), "keys": WAITING, "state": None}
    seen.take({**here, "seats": [*seats] or [seat(1, "Ada", ready=True), seat(2, "Bob")]})
    return seen


# The room


@pytest.mark.parametrize("size", SIZES)
def test_the_waiting_room_says_who_is_there_and_how_others_come_in(size: tuple[int, int]) -> None:
    seen = waiting(*size)
    text = " ".join(seen.text.replace("|", " ").split())
    assert "Ada host ready" in text
    assert "Bob you ..." in text
    assert "A mine costs ten seconds." in text
    assert "under Play together." in text
    assert seen.lines[-1].strip() or seen.text.count("RETURN ready") == 1


DOORS = {"host": "192.0.2.5", "port": 9999, "page": "http://192.0.2.5:9999/", "ssh": "SHA256:x"}


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
        ("", {}, []),
    ],
    ids=["as the server knows", "as one came oneself", "behind a proxy", "unknown"],
)
def test_friends_are_told_what_to_type_or_open(
    typed: str, doors: dict[str, Any], ways: list[str]
) -> None:
    viewer = FrontEnd(Canvas(), KeyMap(), host=typed)
    members = {
        "room": room(state="waiting", doors=doors),
        "seats": [seat(1, "Ada")],
        "keys": WAITING,
    }
    viewer.take(members, b"", None, 0.0)
    room_view = viewer.view.room
    assert room_view is not None
    assert [*ways_in(room_view, typed)] == ways


def test_friends_are_told_the_server_that_one_came_to_oneself() -> None:
    viewer = FrontEnd(Canvas(), KeyMap(), host="192.0.2.5:9999")
    members = {"room": room(state="waiting"), "seats": [seat(1, "Ada")], "keys": WAITING}
    viewer.take(members, b"", None, 0.0)
    assert "--join KTPQAH 192.0.2.5" in str([line.text for line in viewer.screen(0.0).lines])


def test_a_full_room_fits_the_smallest_screen() -> None:
    seen = waiting(40, 12, *(seat(number, f"Player {number}") for number in range(1, 16)))
    assert len(seen.lines) == 12
    assert all(len(line) <= 40 for line in seen.lines)


def test_seats_that_have_no_room_are_counted() -> None:
    seen = waiting(80, 18, *(seat(number, f"Player {number}") for number in range(1, 16)))
    assert "Player 11" in seen.text
    assert "and 4 more" in seen.text


@pytest.mark.parametrize("message", [None, {"id": "said", "text": "A guest left " + "and " * 20}])
def test_the_smallest_screen_shows_code_and_seats_before_the_ways_in(message: object) -> None:
    seen = waiting(40, 12, doors=DOORS)
    seen.take({"message": message})
    code, *_ = (row for row, line in enumerate(seen.lines) if "Code KTPQAH" in line)
    assert code < seen.find("Ada")[0] < seen.find("Bob")[0]
    assert ("--join KTPQAH" in seen.text) == ("192.0.2.5" in seen.text) == (message is None)
    assert seen.text.split().count("and") == (0 if message is None else 20)


def test_who_watches_a_race_on_the_smallest_screen_hears_how_many_more_there_are() -> None:
    seats = [seat(number, f"Player {number}", opened=number) for number in range(1, 16)]
    watching: dict[str, Any] = {"watching": {"name": "room KTPQAH", "gone": False}, "state": None}
    members = {**PLAYING, "seats": seats, "room": room(you=0), **watching}
    seen = Seen(columns=40, rows=12, **{**members, "keys": ["back", "quit"]})
    shown = sum("%" in line for line in seen.lines)
    assert f"and {15 - shown} more" in seen.text


def test_return_is_ready_and_again_not_ready() -> None:
    seen = waiting()
    assert seen.press(KeyAction.REVEAL) == [Ready(1)]
    seen.take({"seats": [seat(1, "Ada"), seat(2, "Bob", ready=True)]})
    assert seen.press(KeyAction.REVEAL) == [Ready(0)]


SHEET: list[dict[str, Any]] = [
    {"id": "board", "kind": "choice", "label": "Board", "value": "expert", "choices": ["a", "b"]},
    {"id": "columns", "kind": "number", "label": "Columns", "value": "9", "range": [1, 255]},
    {"id": "begin", "label": "Begin now"},
]


@pytest.mark.parametrize("size", SIZES)
def test_the_host_chooses_in_the_waiting_room_and_return_is_ready(size: tuple[int, int]) -> None:
    seen = waiting(*size)
    seen.take({"sheet": SHEET})
    assert "> Board" in seen.text
    assert seen.press(KeyAction.REVEAL) == [Ready(1)]
    assert seen.press(KeyAction.RIGHT) == [Pick("room", "board", "a")]
    assert seen.press(KeyAction.DOWN) + seen.type("12") == []
    assert "Columns" in seen.text
    assert seen.press(KeyAction.REVEAL) == [Pick("room", "columns", "12")]
    seen.take({"sheet": [SHEET[0], {**SHEET[1], "value": "12"}, SHEET[2]]})
    assert seen.press(KeyAction.REVEAL) == [Ready(1)]
    seen.press(KeyAction.DOWN)
    assert seen.press(KeyAction.REVEAL) == [Pick("room", "begin")]
    assert seen.press(KeyAction.MENU) == [OpenMenu("")]
    assert all(name in seen.text for name in ("Ada", "Bob"))


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_the_waiting_room_has_a_sign_where_more_can_be_chosen(size: tuple[int, int]) -> None:
    seen = waiting(*size)
    seen.take({"sheet": [{**SHEET[0], "id": f"{number}"} for number in range(40)]})
    assert ("v-+" in seen.text, "^-+" in seen.text) == (True, False)
    seen.press(KeyAction.UP)
    assert ("v-+" in seen.text, "^-+" in seen.text) == (False, True)
    seen.take({"sheet": SHEET})
    assert ("v-+" in seen.text, "^-+" in seen.text) == (False, False)


CHOICES: dict[str, str] = {
    "Board": "intermediate",
    "Columns": "255",
    "Rows": "255",
    "Mines": "9999",
    "A mine costs": "one of three lives",
    "No-guess board": "off",
    "Players": "people and bots",
    "Solvers": "merciless",
    "Who may come": "everybody",
    "Locked": "off",
    "Rounds": "one at a time",
    "Begin now": "",
}


def test_all_that_the_host_chooses_fits_a_usual_screen_beside_four_friends() -> None:
    seats = [seat(number, f"Player {number}") for number in range(1, 5)]
    seen = waiting(80, 24, *seats, doors=DOORS, host=2)
    sheet = [
        {"id": label, "kind": "choice", "label": label, "value": value, "choices": [value]}
        for label, value in CHOICES.items()
    ]
    seen.take({"sheet": sheet})
    for label, value in CHOICES.items():
        assert re.search(rf"{label} +(< {value} >)?", seen.text)
    assert all(f"layer {number}" in seen.text for number in range(1, 5))
    assert "http://192.0.2.5:9999/#join=KTPQAH" in seen.text
    # They are in two columns, and down leads to the top of the second.
    row, column = seen.find("> Board")
    seen.press(*[KeyAction.DOWN] * 5)
    assert seen.find("> No-guess") == (row + 5, column)
    seen.press(KeyAction.DOWN)
    assert seen.find("> Players") == (row, column + 39)


def test_the_host_is_told_which_keys_change_a_choice() -> None:
    seen = waiting(80, 24)
    assert "LEFT/RIGHT change" not in seen.text
    seen.take({"sheet": SHEET})
    assert "RETURN ready  LEFT/RIGHT change  ESC leave" in seen.text


def test_a_long_result_on_the_smallest_screen_still_names_the_key_for_another_round() -> None:
    seen = Seen(BEGINNER, columns=40, rows=12, **PLAYING)
    seats = [seat(number, f"Player {number}", opened=number) for number in range(1, 9)]
    seen.take({**OVER, "seats": seats})
    assert "RETURN ready  ESC back" in seen.lines[-1]


def test_the_host_is_told_where_the_next_round_can_be_changed() -> None:
    seen = Seen(BEGINNER, **PLAYING)
    seen.take({**OVER, "keys": ["ready", "leave", "menu"]})
    assert "m changes" not in seen.text
    seen.take({**OVER, "room": {**OVER["room"], "you": 1}, "keys": ["ready", "leave", "menu"]})
    seen.press(KeyAction.BACK)
    seen.press(KeyAction.FIGURES)
    assert "m changes the board, the rules or the rounds." in seen.text
    assert "m menu" in seen.text
    assert seen.press(KeyAction.MENU) == [OpenMenu("")]


def test_a_race_on_the_smallest_screen_names_the_keys_by_which_one_gets_away() -> None:
    seen = Seen(BEGINNER, columns=40, rows=12, **{**PLAYING, "keys": RACING})
    assert seen.lines[-1].split() == ["RETURN", "reveal", "TAB", "give", "up", "ESC", "leave"]


def test_the_key_for_playing_together_opens_it_over_a_menu() -> None:
    seen = Seen(BEGINNER, menu={"id": "main", "title": "Menu", "rows": [SHEET[2]]})
    assert seen.press(KeyAction.PEOPLE) == [OpenMenu("people")]


def test_the_break_of_a_series_counts_down_over_the_result() -> None:
    seen = Seen(BEGINNER, **PLAYING)
    told = room(state="over", headline="Ada won.", series="round 2 of 5", share="A line")
    seen.take({**OVER, "room": told, "starts_in": 13_000})
    assert "The next round begins in 13 s." in seen.text
    assert "A line" in seen.text
    seen.press(KeyAction.BACK)
    assert "round 2 of 5" in seen.text
    assert "1 Ada 0" in seen.text


def test_who_watches_is_told_so_and_offered_nothing_to_say() -> None:
    seen = waiting(you=0)
    seen.take({"watching": {"name": "room KTPQAH", "gone": False}, "keys": ["back", "quit"]})
    assert "You watch" in seen.text
    assert "Hello!" not in seen.text


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


@pytest.mark.parametrize(("key", "sent"), [(KeyAction.REVEAL, [Command.LEAVE]), (KeyAction.UP, [])])
def test_who_leaves_is_asked_first(key: KeyAction, sent: list[Packet]) -> None:
    seen = waiting()
    assert seen.press(KeyAction.BACK) == []
    assert "Leave the room? RETURN leaves" in seen.text
    assert seen.press(key) == sent
    assert "Leave" not in seen.text


@pytest.mark.parametrize(
    ("key", "sent"), [(KeyAction.REVEAL, [Command.GIVE_UP]), (KeyAction.NEW, [])]
)
def test_who_gives_up_is_asked_first(key: KeyAction, sent: list[Packet]) -> None:
    seen = Seen(BEGINNER, **{**PLAYING, "keys": [*KEYS, "give_up"]})
    assert seen.press(KeyAction.NEW) == []
    assert "Give up this race? RETURN gives up" in seen.text
    assert seen.press(key) == sent


def test_who_leaves_a_running_round_is_told_so() -> None:
    seen = Seen(BEGINNER, **PLAYING)
    seen.press(KeyAction.BACK)
    assert "Leave the running round?" in seen.text


def test_left_and_right_choose_whose_board_is_watched() -> None:
    done = [seat(4, "Dan", time=3, place=1), seat(5, "Eve", gave_up=True)]
    seats = [ADA, BOB, seat(3, "Cy"), *done]
    seen = Seen(BEGINNER, **{**PLAYING, "seats": seats, "state": "won", "keys": ["rivals"]})
    assert "LEFT/RIGHT watch others" in seen.text
    assert seen.press(KeyAction.RIGHT) == [Watch("1")]
    seen.take({"watching": {"name": "Ada", "gone": False}, "state": "playing"})
    assert seen.press(KeyAction.RIGHT) == seen.press(KeyAction.LEFT) == [Watch("3")]
    seen.take({"seats": [BOB, *done]})
    assert seen.press(KeyAction.RIGHT) == []


def test_a_win_is_not_lit_up_again_after_a_look_at_others() -> None:
    seen = Seen(BEGINNER, **{**PLAYING, "watching": {"name": "Ada", "gone": False}})
    seen.take({"watching": None, "state": "won"})
    assert seen.viewer.deadline is None


def test_the_menu_of_a_room_has_a_key_of_its_own() -> None:
    assert waiting().press(KeyAction.MENU) == [OpenMenu("")]


def test_one_key_tells_who_is_on() -> None:
    assert Seen().press(KeyAction.PEOPLE) == [OpenMenu("people")]


# The race


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("board", [BEGINNER, EXPERT])
def test_a_race_shows_how_far_everybody_is(size: tuple[int, int], board: str) -> None:
    seen = Seen(board, columns=size[0], rows=size[1], **PLAYING)
    text = seen.text
    assert [("Ada" in text, "you" in text)] == [(True, True)]
    assert "66" in text
    assert "25" in text
    assert "*1" in text
    assert all(len(line) <= size[0] for line in seen.lines)


@pytest.mark.parametrize("members", [PLAYING, SHARED], ids=["race", "shared"])
def test_a_message_on_the_smallest_screen_leaves_the_rivals_in_sight(
    members: dict[str, Any],
) -> None:
    seen = Seen(EXPERT, columns=40, rows=12, **members, blocked=10_000)
    assert "Your keys do nothing for 10 s." in seen.text
    row, _ = seen.find("Ada")
    assert re.search("Ada .*66%.* you .*25%", seen.lines[row])
    assert "reveal" in seen.lines[row + 1]


def test_the_one_line_of_rivals_on_the_smallest_screen_has_places_and_bars() -> None:
    seats = [seat(1, "Ada", place=1, time=41_200), seat(2, "Bob", opened=500)]
    seen = Seen(EXPERT, columns=40, rows=12, **{**PLAYING, "seats": seats}, blocked=10_000)
    line = seen.lines[seen.find("Ada")[0]]
    assert re.search(r"1 Ada +0:41\.2 .*you ==-+ +50%", line)


def test_rivals_that_have_no_room_below_the_board_are_counted() -> None:
    seats = [seat(number, f"Player {number}", opened=number) for number in range(1, 16)]
    seen = Seen(EXPERT, columns=40, rows=12, **{**PLAYING, "seats": seats})
    shown = sum(line.count("%") for line in seen.lines[-3:-1])
    assert shown >= 5
    assert f"and {15 - shown} more" in seen.text


def test_of_many_rivals_below_the_board_one_is_shown_oneself() -> None:
    seats = [seat(number, f"Player {number}", opened=number) for number in range(1, 16)]
    members = {**PLAYING, "seats": seats, "room": room(you=14)}
    seen = Seen(EXPERT, columns=40, rows=12, **members)
    shown = sum(line.count("%") for line in seen.lines[-3:-1])
    assert f"and {15 - shown} more" in seen.text
    assert "Play" in seen.text
    assert " you " in seen.text


def test_a_race_without_anybody_is_no_trouble() -> None:
    assert len(Seen(BEGINNER, room=room(), seats=[], keys=KEYS).field) == 9


@pytest.mark.parametrize("size", SIZES)
def test_fifteen_seats_fit_beside_or_below_the_board(size: tuple[int, int]) -> None:
    seats = [seat(number, f"Player {number}") for number in range(1, 16)]
    seen = Seen(EXPERT, columns=size[0], rows=size[1], **{**PLAYING, "seats": seats})
    assert len(seen.lines) == size[1]
    assert all(len(line) <= size[0] for line in seen.lines)
    assert "P" in seen.text


def test_lines_are_beside_the_board_where_there_is_room() -> None:
    seen = Seen(BEGINNER, columns=120, **PLAYING)
    row, column = seen.find("Ada")
    assert column > 70
    assert seen.find("you") == (row + 1, column)
    assert "==" in seen.lines[row]


def test_where_a_bar_has_no_room_beside_a_name_it_is_below() -> None:
    seen = Seen(BEGINNER, columns=72, **PLAYING)
    row, column = seen.find("Ada")
    assert seen.find("you") == (row + 2, column)
    assert seen.lines[row + 3].endswith("25% *1")
    assert seen.lines[row + 1].count("=") == 8
    assert "66%" in seen.lines[row + 1]


@pytest.mark.parametrize("columns", [40, 80])
def test_bars_are_compared_so_all_begin_and_end_together(columns: int) -> None:
    seats = [ADA, seat(2, "A name of twenty let", opened=250, hits=1), seat(3, "Eve", opened=10)]
    seen = Seen(EXPERT, columns=columns, **{**PLAYING, "seats": seats})
    bars = [re.search(r"[=-]{4,} ", line) for line in seen.lines if "%" in line and "+" not in line]
    assert len({bar and (len(bar[0]), bar.start() % 40) for bar in bars}) <= columns // 40


def test_who_has_gone_is_marked() -> None:
    seats = [ADA, seat(2, "Bob", opened=250, here=False)]
    seen = Seen(EXPERT, **{**PLAYING, "seats": seats})
    assert "away" in seen.lines[seen.find("you")[0]]


def test_who_has_finished_a_race_has_a_time_in_place_of_a_bar() -> None:
    seen = Seen(BEGINNER, columns=120, **OVER)
    seen.press(KeyAction.BACK)
    assert "0:18.8" in seen.lines[seen.find("1 Ada")[0]]


def test_who_gave_up_is_marked() -> None:
    seats = [ADA, seat(2, "Bob", opened=250, gave_up=True)]
    seen = Seen(EXPERT, **{**PLAYING, "seats": seats})
    assert "gave up" in seen.lines[seen.find("you")[0]]


def test_the_news_of_others_are_said_for_a_while_whatever_is_pressed() -> None:
    seen = Seen(BEGINNER, **PLAYING)
    seen.take({"news": [{"id": "news.hit", "text": "Ada hit a mine."}]})
    seen.press(KeyAction.LEFT)
    seen.take({"message": None})
    assert "Ada hit a mine." in seen.text
    seen.now_s = 5.0
    seen.viewer.expire(seen.now_s)
    assert "Ada hit a mine." not in seen.text


def test_a_penalty_says_for_how_long() -> None:
    seen = Seen(BEGINNER, **PLAYING, blocked=10_000)
    assert "Your keys do nothing for 10 s." in seen.text
    seen.now_s = 9.5
    assert "Your keys do nothing for 1 s." in seen.text
    seen.take({"message": {"id": "blocked", "text": "A mine costs ten seconds."}})
    seen.now_s = 10.5
    assert "Your keys" not in seen.text
    assert "ten seconds" not in seen.text


@pytest.mark.parametrize("size", SIZES)
def test_large_figures_over_the_board_count_down_and_are_gone_at_zero(
    size: tuple[int, int],
) -> None:
    members = {**PLAYING, "room": room(state="countdown"), "state": "starting"}
    seen = Seen(BEGINNER, columns=size[0], rows=size[1], **members, starts_in=3_000)
    figures = []
    for seconds in range(4):
        seen.now_s = float(seconds)
        lines = seen.viewer.screen(seen.now_s).lines
        figures.append(sum(line.styles.count(Style.CHOSEN) for line in lines))
        # What the board shows stays as it is.
        assert " ".join(seen.field[4].strip("| ").split()) == "# # # # # # # # #"
    assert all(figures[:3])
    assert figures[3] == 0


def test_seconds_that_a_mine_costs_count_down_at_the_cursor() -> None:
    seen = Seen(BEGINNER, **PLAYING, blocked=9_000)
    assert seen.field[0].startswith("| 9s#")
    seen.now_s = 8.5
    assert seen.field[0].startswith("| 1s#")
    seen.now_s = 9.5
    assert seen.field[0].startswith("|[#]#")
    seen.take({"blocked": 10_000})
    assert seen.field[0].startswith("|10s#")


def test_seconds_that_a_mine_costs_are_one_digit_where_a_cell_has_one_column() -> None:
    seen = Seen(EXPERT, columns=40, rows=24, **PLAYING, blocked=10_000)
    assert seen.field[0].startswith("|9#")


def test_nobody_has_a_share_before_the_race_begins() -> None:
    members = {**PLAYING, "room": room(state="countdown"), "state": "starting"}
    for columns in (80, 100, 40):
        seen = Seen(BEGINNER, columns=columns, **members, starts_in=3_000)
        assert "Ada" in seen.text
        assert "you" in seen.text
        # The share in the frame is that of the board that lies there.
        assert seen.text.count("%") == 1


def test_the_columns_of_a_result_line_up() -> None:
    finished: dict[str, Any] = {"time": 18_820, "speed": 172, "efficiency": 85, "rating": "1658?"}
    seats = [
        *(seat(n, f"Player {n}", place=n, change=10 - n, **finished) for n in range(1, 11)),
        seat(11, "Zoe", gave_up=True, rating="812", change=-158),
        seat(12, "Cy", opened=250),
    ]
    seen = Seen(BEGINNER, **PLAYING)
    seen.take({**OVER, "room": room(state="over", you=2), "seats": seats})
    head, *rows = seen.lines[seen.find("Name")[0] :][:13]
    # Names stand under each other, after their places, and figures end under their heads.
    start = head.index("Name") + 4
    assert [row[start : start + 3] for row in rows[:3]] == ["Pla", "you", "Pla"]
    assert [row[start : start + 3] for row in rows[-2:]] == ["Zoe", "Cy "]
    for name in ("time", "3BV/s", "effic.", "mines", "rating", "change"):
        end = head.index(name) + len(name)
        assert all(row[end - 1] != " " and row[end] == " " for row in rows)


def test_the_others_have_so_long_after_the_first() -> None:
    seen = Seen(BEGINNER, **PLAYING, ends_in=60_000)
    assert "ends in 60 s" in seen.lines[seen.find("ends in")[0]]
    seen.now_s = 15.5
    assert "ends in 45 s" in seen.text


def test_the_result_lies_over_the_board_once_the_race_is_over() -> None:
    seen = Seen(BEGINNER, **PLAYING)
    seen.take(OVER)
    lines = [line.strip(" |").split() for line in seen.lines]
    assert ["1.", "Ada", "0:18.8", "1.72", "85", "%", "0"] in lines
    assert ["you", "25", "%", "-", "-", "1"] in lines
    assert "Ada won the race." in seen.text
    assert "You 1 : 2 Ada." in seen.text
    assert "RETURN ready" in seen.text
    assert seen.press(KeyAction.BACK) == []
    assert "effic." not in seen.text
    assert seen.press(KeyAction.FIGURES) == []
    assert "effic." in seen.text


@pytest.mark.parametrize(("code", "state"), [("KTPQAH", "OVER"), ("", "GIVEN UP")])
def test_a_race_that_is_over_was_not_given_up_by_who_had_not_finished(
    code: str, state: str
) -> None:
    cut_short = {**OVER, "room": room(state="over", code=code), "state": "given up"}
    seen = Seen(BEGINNER, **cut_short)
    seen.press(KeyAction.BACK)
    assert f" {state} " in seen.text
    assert f"{state.capitalize()}." in facts_of(seen)


@pytest.mark.parametrize("keys", [[], [KeyAction.BACK]])
def test_return_is_ready_for_the_next_round_whatever_was_before(keys: list[KeyAction]) -> None:
    ready = [seat(1, "Ada", ready=True), seat(2, "Bob", ready=True)]
    seen = Seen(BEGINNER, **{**OVER, "seats": ready})
    seen.press(*keys)
    assert seen.press(KeyAction.REVEAL) == [Ready(1)]


def test_what_has_ended_in_a_room_is_not_played_again_alone() -> None:
    seen = Seen(BEGINNER, **OVER, message={"id": "won", "text": "You won!"})
    assert "You won!" in seen.text
    assert "TAB" not in seen.text


def test_who_watches_a_race_sees_how_far_all_are_and_no_board() -> None:
    watching: dict[str, Any] = {"watching": {"name": "room KTPQAH", "gone": False}, "state": None}
    seen = Seen(**{**PLAYING, "room": room(you=0), **watching, "keys": ["back", "quit"]})
    assert "Race" in seen.text
    assert "66 %" in seen.text
    assert "join" not in seen.text


# A shared board


@pytest.mark.parametrize("columns", [80, 40])
def test_the_others_are_on_the_board_with_their_initials_in_their_colours(columns: int) -> None:
    seen = Seen(EXPERT, columns=columns, **SHARED, cursors=[[1, 3], [2, 4]])
    screen = seen.viewer.screen(0.0)
    coloured = [row for row in screen.lines if bytes((style_of_seat(0),)) in row.styles]
    assert coloured
    is_wide = columns == 80
    assert any("A" in row.text for row in coloured) == is_wide or not is_wide
    own = bytes((style_of_seat(1),))
    board = screen.lines[2:18]
    assert not any(own in row.styles for row in board)


def test_whose_flag_it_is_is_said_where_the_cursor_is() -> None:
    seen = Seen(BEGINNER, **SHARED, owners=[[0, 1], [1, 2]])
    assert "A flag of Ada." in seen.text
    seen.press(KeyAction.RIGHT)
    assert "A flag of" not in seen.text


def test_lives_are_told() -> None:
    assert "2 lives" in Seen(BEGINNER, **SHARED, lives=2).text
    assert "1 life" in Seen(BEGINNER, **SHARED, lives=1).text


def test_others_are_shown_where_the_cursor_moves_ten_times_a_second() -> None:
    seen = Seen(BEGINNER, **SHARED)
    seen.press(KeyAction.RIGHT)
    seen.now_s = SHOWN_S / 2
    seen.press(KeyAction.RIGHT)
    assert seen.viewer.deadline == SHOWN_S
    assert seen.viewer.expire(SHOWN_S) == [MoveTo(2, 0)]


def test_those_who_watch_are_shown_where_the_cursor_moves_ten_times_a_second() -> None:
    seen = Seen(BEGINNER, watchers=1)
    seen.press(KeyAction.RIGHT)
    assert seen.viewer.deadline == SHOWN_S
    assert seen.viewer.expire(SHOWN_S) == [MoveTo(1, 0)]


# What is said


def test_numbers_say_something_and_zero_points_at_a_cell() -> None:
    seen = Seen(BEGINNER, **PLAYING)
    seen.press(KeyAction.RIGHT)
    assert seen.type("10") == [Say(1, 1, 0), Say(0, 1, 0)]
    assert seen.type("7") == []


def test_what_is_said_is_shown_with_the_name_for_some_seconds() -> None:
    seen = Seen(BEGINNER, **PLAYING)
    seen.take({"said": [{"seat": 1, "id": 2, "cell": -1}]})
    assert "Ada: Well done!" in seen.text
    seen.take({})
    assert "Ada: Well done!" in seen.text
    assert seen.viewer.deadline == TALK_S
    seen.now_s = TALK_S
    seen.viewer.expire(seen.now_s)
    assert "Ada:" not in seen.text


def test_a_cell_that_somebody_points_at_is_marked_for_three_seconds() -> None:
    seen = Seen(BEGINNER, **SHARED)
    seen.take({"said": [{"seat": 1, "id": 0, "cell": 20}]})
    assert "Ada: Look here." in seen.text
    assert "<#>" in seen.text
    seen.viewer.expire(POINTED_S)
    assert "<#>" not in seen.text


# Watching


@pytest.mark.parametrize("size", SIZES)
def test_it_is_told_whose_game_is_watched(size: tuple[int, int]) -> None:
    watching: dict[str, Any] = {
        "watching": {"name": "Ada", "gone": False},
        "keys": ["back", "quit"],
    }
    seen = Seen(EXPERT, columns=size[0], rows=size[1], **watching)
    assert "watching Ada" in seen.text
    assert seen.press(KeyAction.REVEAL, KeyAction.FLAG) == []
    assert seen.press(KeyAction.BACK) == [OpenMenu("")]
    seen.take({"watching": {"name": "Ada", "gone": True}})
    assert "watching Ada (gone)" in seen.text


def test_who_is_watched_sees_by_how_many() -> None:
    assert "3 watching" in Seen(BEGINNER, watchers=3).text


# In words


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


def test_a_board_with_others_is_told_in_sentences() -> None:
    told = facts_of(Seen(BEGINNER, **SHARED, lives=2, watchers=1, blocked=4_000))
    for sentence in (
        "Watched by 1.",
        "Room KTPQAH, shared, running.",
        "A mine costs one of three lives.",
        "2 lives left.",
        "Seat 2: Bob, you, 1 mine hit.",
        "A mine! Your keys do nothing for 4 s.",
    ):
        assert sentence in told


def test_the_winner_of_a_race_is_told_in_a_sentence() -> None:
    assert "Seat 1: Ada, host, place 1, 18.8 s, not ready." in facts_of(Seen(BEGINNER, **OVER))


def test_whose_game_is_watched_is_told_in_a_sentence() -> None:
    seen = Seen(watching={"name": "Ada", "gone": True})
    assert "Watching Ada, who is gone." in facts_of(seen)


def test_own_names_stand_out() -> None:
    assert Seen(BEGINNER, **PLAYING).styles_of("you")[1:] == [Style.KEY] * 2


def test_a_cell_at_which_nobody_points_is_not_asked_for() -> None:
    seen = Seen(BEGINNER, **PLAYING)
    seen.take({"said": [{"seat": 9, "id": 99, "cell": -1}]})
    assert seen.viewer.board.cursor == Cell(0, 0)
    assert ":" not in seen.lines[-3]


def test_who_waits_for_an_opponent_is_told_so_while_the_own_game_goes_on() -> None:
    seen = Seen(BEGINNER, looking="beginner 9x9")
    assert "waiting for an opponent" in seen.text
    assert "Waiting for an opponent: beginner 9x9." in facts_of(seen)


def test_keys_of_a_replay_are_not_those_of_the_room_around_it() -> None:
    seen = Seen(BEGINNER, **OVER)
    seen.press(KeyAction.BACK)
    seen.take({"replay": [0, 1_000], "position": 2})
    assert seen.press(KeyAction.BACK) == [OpenMenu("")]


@pytest.mark.parametrize(
    ("cell", "edge"),
    [(Cell(59, 0), ">"), (Cell(0, 15), "vA"), (Cell(59, 15), "vA")],
    ids=["right", "below", "corner"],
)
def test_an_arrow_in_the_frame_says_where_a_partner_is_who_is_out_of_sight(
    cell: Cell, edge: str
) -> None:
    place, board = cell.row * 60 + cell.column, "\n".join([" ".join("?" * 60)] * 16)
    seen = Seen(board, columns=40, rows=12, **{**SHARED, "cursors": [[1, place], [2, 0]]})
    framed = seen.viewer.screen(0).lines
    shown = "".join(
        letter
        for line in framed[1:-3]
        for letter, style in zip(line.text, line.styles, strict=True)
        if style == style_of_seat(0)
    )
    assert shown == edge
