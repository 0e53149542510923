"""A server's words are checked and cleaned once: beyond that nothing of them is trusted."""

from __future__ import annotations

from typing import Any

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.grid import Cell, Size
from jminesweeper.protocol.packets import LookBack
from jminesweeper.protocol.view import MEMBERS, Listing, RowKind
from jminesweeper.protocol.vocabulary import LookBackAt
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.inks import Painter
from jminesweeper.terminal.keys import Click, KeyAction, KeyMap, Keystroke, Press
from jminesweeper.terminal.looks import Canvas, ColourDepth
from jminesweeper.terminal.view import _READERS, SILENCE, GameView, RowView, ViewError
from tests.unit.terminal.examples import Seen

HOSTILE = "a\x1b]0;b\x07\x9bc\u202ed名\n"
CLEAN = "a]0;bcd?"


def view(**members: Any) -> GameView:
    shown = GameView()
    shown.update(members, b"")
    return shown


def test_what_was_said_once_stays_until_it_is_said_again() -> None:
    shown = view(label="a game", left=3)
    assert shown.update({"left": 2}, b"") == {"left"}
    assert (shown.label, shown.left) == ("a game", 2)


def test_another_size_covers_all_cells() -> None:
    shown = view(size=[2, 1])
    shown.update({}, bytes((1, 2)))
    shown.update({"size": [1, 2]}, b"")
    assert (shown.size, bytes(shown.faces)) == (Size(1, 2), b"\x10\x10")


def test_cells_are_counted_in_reading_order() -> None:
    shown = view(size=[3, 2], hint=[4, 0], odds=[[5, 100]], cursor=[2, 1])
    assert shown.hint == ((1, 1), (0, 0))
    assert shown.odds == {Cell(2, 1): 100}
    assert shown.cursor == (2, 1)


def test_the_cursor_counts_for_one_view_alone() -> None:
    shown = view(size=[3, 2], cursor=[2, 1])
    shown.update({}, b"")
    assert shown.cursor is None


def test_changed_rows_of_a_menu_take_the_places_of_those_with_their_ids() -> None:
    rows = [{"id": "a", "label": "one"}, {"id": "b", "label": "two"}]
    shown = view(menu={"id": "m", "title": "Menu", "rows": rows})
    assert shown.update({"rows": [{"id": "b", "label": "zwei"}, {"id": "c"}]}, b"") == {"rows"}
    assert shown.menu is not None
    assert [row.label for row in shown.menu.rows] == ["one", "zwei"]


def test_a_page_has_texts_and_tables() -> None:
    lines = ["text", {"head": ["", "won"], "rows": [["easy", "3"]]}]
    page = view(page={"id": "p", "title": "Page", "lines": lines}).page
    assert page is not None
    assert page.lines == ("text", Listing(("", "won"), (("easy", "3"),)))


def test_every_text_that_can_be_shown_is_cleaned() -> None:
    row: dict[str, Any] = {
        "id": HOSTILE,
        **dict.fromkeys(("label", "value", "help", "disabled"), HOSTILE),
    }
    row |= {"choices": [HOSTILE], "figures": [HOSTILE]}
    words = {"id": HOSTILE, "text": HOSTILE}
    shown = view(
        label=HOSTILE,
        aim=words,
        message=words,
        figures=[[HOSTILE, HOSTILE]],
        menu={"id": HOSTILE, "title": HOSTILE, "rows": [row]},
        page={"id": HOSTILE, "title": HOSTILE, "lines": [HOSTILE]},
    )
    assert shown.menu is not None
    assert shown.page is not None
    assert shown.menu.rows == (
        RowView(HOSTILE, RowKind.ROW, CLEAN, CLEAN, (CLEAN,), (0, 0), CLEAN, (CLEAN,), CLEAN),
    )
    texts = (shown.label, shown.aim.text, shown.message.text, shown.menu.title, shown.page.title)
    assert {*texts, *shown.page.lines, *shown.figures[0]} == {CLEAN}


def test_names_that_are_sent_back_stay_as_they_came() -> None:
    menu = view(menu={"id": "m", "title": "", "rows": [{"id": "名前"}]}).menu
    assert menu is not None
    assert menu.rows[0].id == "名前"


@pytest.mark.parametrize(
    "members",
    [
        {"size": [0, 1]},
        {"size": [256, 1]},
        {"size": [1]},
        {"size": "9x9"},
        {"label": 3},
        {"left": "3"},
        {"left": 1.5},
        {"left": True},
        {"clock": 1 << 60},
        {"cursor": [1, 0]},
        {"hint": [1]},
        {"hint": [-1]},
        {"odds": [[0, 101]]},
        {"odds": [[0]]},
        {"message": "hello"},
        {"message": {"id": "x"}},
        {"menu": {"title": "x"}},
        {"menu": {"id": "m", "title": "x", "rows": [3]}},
        {"menu": {"id": "m", "title": "x", "rows": [{"label": 3}]}},
        {"page": {"id": "p", "title": "x", "lines": [3]}},
        {"page": {"id": "p", "title": "x", "lines": [{"head": [], "rows": []}]}},
        {"keys": [3]},
        {"replay": [1, "2"]},
        {"pace": [1]},
    ],
    ids=repr,
)
def test_what_makes_no_sense_is_refused(members: dict[str, Any]) -> None:
    with pytest.raises(ViewError, match="makes no sense"):
        view(**members)


@pytest.mark.parametrize("cells", [b"\0\0\x02\0\0", b"\0\x01\x01\0", b"\0\0", b"\0\0\x01"])
def test_cells_off_the_board_are_refused(cells: bytes) -> None:
    with pytest.raises(ViewError):
        view().update({}, cells)


def test_what_is_not_known_is_left_out() -> None:
    shown = view(weather="fine", keys=["reveal", "dance"], remark=["tired"])
    assert shown.keys == ("reveal", "dance")


texts = st.text(max_size=12)
words = st.fixed_dictionaries({"id": texts, "text": texts}, optional={"tone": texts})
rows = st.fixed_dictionaries(
    {"id": texts},
    optional={
        "kind": st.sampled_from(["row", "choice", "number", "text", "heading", "odd"]),
        **dict.fromkeys(("label", "value", "help", "disabled"), texts),
        "choices": st.lists(texts, max_size=3),
        "figures": st.lists(texts, max_size=3),
        "range": st.tuples(st.integers(-9, 99), st.integers(-9, 99)).map(list),
        "drop": st.booleans(),
    },
)
tables = st.builds(
    lambda head, body: {"head": ["", *head], "rows": [[name, *head] for name in body]},
    st.lists(texts, max_size=3),
    st.lists(texts, max_size=3),
)
numbers = st.integers(-(1 << 40), 1 << 40)
rooms = st.fixed_dictionaries(
    {
        "code": texts,
        "kind": st.sampled_from(["race", "shared", "odd"]),
        "state": st.sampled_from(["waiting", "countdown", "running", "over", "odd"]),
    },
    optional={"label": texts, "mine": texts, "host": st.integers(0, 15), "you": st.integers(0, 15)},
)
seats = st.lists(
    st.fixed_dictionaries(
        {"number": st.integers(0, 15)},
        optional={
            "name": texts,
            "colour": st.integers(0, 14),
            **dict.fromkeys(("here", "ready", "won"), st.booleans()),
            "opened": st.integers(0, 1000),
            **dict.fromkeys(("flags", "hits", "place", "time", "speed", "efficiency"), numbers),
        },
    ),
    max_size=15,
)
said = st.fixed_dictionaries(
    {"size": st.tuples(st.integers(1, 255), st.integers(1, 20)).map(list)},
    optional={
        "state": st.sampled_from(["playing", "paused", "won", "lost", "given up", "odd", ""]),
        "label": texts,
        "aim": words | st.none(),
        "message": words | st.none(),
        "remark": st.lists(texts, max_size=2),
        "mines": numbers,
        "left": numbers,
        "clock": numbers,
        "clock_runs": st.booleans(),
        "pace": st.tuples(numbers, numbers).map(list),
        "hint": st.just([0]),
        "odds": st.just([[0, 7]]),
        "figures": st.lists(st.lists(texts, max_size=2), max_size=3),
        "replay": st.lists(numbers, max_size=3) | st.none(),
        "position": numbers,
        "menu": st.fixed_dictionaries(
            {"id": st.sampled_from(["settings", "x"]), "title": texts, "rows": st.lists(rows)}
        )
        | st.none(),
        "page": st.fixed_dictionaries(
            {"id": st.just("help"), "title": texts, "lines": st.lists(texts | tables)}
        )
        | st.none(),
        "keys": st.lists(st.sampled_from(["reveal", "back", "say", "quit", "odd"])),
        "room": rooms | st.none(),
        "seats": seats,
        "said": st.just([{"seat": 1, "id": 0, "cell": 0}]),
        "watching": st.fixed_dictionaries({"name": texts, "gone": st.booleans()}) | st.none(),
        **dict.fromkeys(("starts_in", "ends_in", "blocked", "lives"), numbers | st.none()),
    },
)
faces_of_boards = st.binary(min_size=1, max_size=255)
sides = st.sampled_from([(1, 1), (8, 3), (40, 12), (80, 24), (300, 20)])
keys = st.builds(Keystroke, texts, st.sampled_from(KeyAction) | st.none())
clicks = st.builds(Click, st.integers(0, 24), st.integers(0, 90), st.sampled_from(Press))
strokes = st.lists(keys | clicks.map(lambda click: Keystroke(click=click)), max_size=6)


@given(views=st.tuples(said, said), faces=faces_of_boards, side=sides, strokes=strokes)
def test_whatever_is_said_and_typed_only_printable_text_reaches_the_terminal(
    views: tuple[dict[str, Any], ...],
    faces: bytes,
    side: tuple[int, int],
    strokes: list[Keystroke],
) -> None:
    canvas = Canvas(*side, colours=ColourDepth.INDEXED, has_unicode=True)
    viewer, painter, screen = FrontEnd(canvas, KeyMap()), Painter(canvas), pyte.Screen(*side)
    for each in views:
        columns, rows = each["size"]
        viewer.apply_view(each, (faces * 255 * 20)[: columns * rows], None, 0.0)
        for stroke in (Keystroke(), *strokes):
            viewer.press(stroke, 0.0)
            text = painter.paint(viewer.screen(0.0), viewer.canvas)
            plain = text.replace("\x1b", "")
            assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in plain)
            assert len(viewer.screen(0.0).lines) == side[1]
            pyte.Stream(screen).feed(text)
            viewer.facts(0.0)


ROOM = {"code": "KTPQAH", "kind": "race", "state": "waiting", "label": HOSTILE, "you": 1}


def test_a_room_its_seats_and_what_is_said_are_cleaned() -> None:
    shown = view(
        size=[3, 2],
        room={**ROOM, "unknown": 1},
        seats=[{"number": 1, "name": HOSTILE * 20, "colour": 14}],
        watching={"name": HOSTILE},
        said=[{"seat": 1, "id": 0, "cell": 5}],
    )
    assert shown.room is not None
    assert shown.watching is not None
    assert (shown.room.label, shown.watching.name) == (CLEAN, CLEAN)
    assert [len(seat.name) for seat in shown.seats] == [20]
    assert shown.own_seat == shown.seats[0]
    assert shown.said[0].cell == (2, 1)
    shown.update({}, b"")
    assert shown.said == ()


@pytest.mark.parametrize(
    "members",
    [
        {"room": []},
        {"room": {"code": "KTPQAH"}},
        {"room": {**ROOM, "you": 16}},
        {"room": {**ROOM, "bots": 1}},
        {"seats": [{"number": number % 15} for number in range(16)]},
        {"seats": [{"name": "nobody"}]},
        {"seats": [{"number": 1, "opened": 1001}]},
        {"seats": [{"number": 1, "colour": 15}]},
        {"seats": [{"number": 1, "time": "soon"}]},
        {"cursors": [[1, 6]]},
        {"cursors": [[16, 0]]},
        {"cursors": [1]},
        {"owners": [[6, 1]]},
        {"blocked": 1.5},
        {"lives": "many"},
        {"watching": {}},
        {"said": [{"seat": 1}]},
        {"said": [{"seat": 1, "id": 0, "cell": 6}]},
        {"starts_in": 1 << 53},
    ],
)
def test_a_room_that_makes_no_sense_is_refused(members: dict[str, Any]) -> None:
    with pytest.raises(ViewError):
        view(size=[3, 2], **members)


def test_a_board_that_is_gone_has_no_state() -> None:
    shown = view(state="playing")
    shown.update({"state": None, "room": ROOM}, b"")
    assert not shown.state


def test_a_replay_that_was_asked_for_plays() -> None:
    seen = Seen("1 ?")
    members = {"replay": [1000, 2000], "position": 0}
    seen.take(members, answers=LookBack(LookBackAt.REPLAY))
    assert seen.viewer.deadline is not None
    unasked = Seen("1 ?")
    unasked.take(members)
    assert unasked.viewer.deadline is None


def test_every_member_of_the_protocol_is_read_and_begins_as_it_says() -> None:
    assert _READERS.keys() == MEMBERS.keys() - {"rows"}
    blank = GameView()
    begins = {name: getattr(blank, name) for name in _READERS.keys() - {"size", "aim", "message"}}
    differing = [name for name in begins if bool(begins[name]) != bool(MEMBERS[name].default)]
    assert (differing, blank.aim, blank.message) == ([], SILENCE, SILENCE)
