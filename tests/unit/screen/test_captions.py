"""What is written above, below and beside the field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.grid import Size
from jminesweeper.screen.captions import Foot, Header, compose_foot, compose_keys, compose_message
from jminesweeper.screen.layout import Canvas, Layout, arrange
from jminesweeper.screen.lines import Line
from jminesweeper.screen.models import CellSize, GameScreen, Message, Tone
from jminesweeper.screen.styles import Style
from jminesweeper.screen.symbols import ASCII
from tests.unit.core.boards import play
from tests.unit.screen.examples import screen_of

KEYS = (("RETURN", "reveal"), ("SPACE", "flag"), ("u", "undo"))
FIGURES = tuple(f"Figure {number} is {number}" for number in range(7))


def foot(
    model: GameScreen, columns: int = 80, rows: int = 24, size: Size | None = None
) -> tuple[Foot, Layout]:
    canvas = Canvas(columns, rows, ASCII, CellSize.AUTO)
    layout = arrange(columns, rows, size or Size(30, 16), CellSize.AUTO)
    return compose_foot(model, model.keys, canvas, layout), layout


def texts(composed: Foot) -> list[str]:
    return [line.text.strip() for line in composed.lines]


def lost(**more: Any) -> GameScreen:
    return screen_of(play("*.\n..", "classic", "reveal 0 1", "reveal 0 0"), **more)


def test_keys_move_closer_before_any_is_left_out() -> None:
    assert compose_keys(KEYS, 35).text == "RETURN reveal   SPACE flag   u undo"
    assert compose_keys(KEYS, 34).text == "RETURN reveal  SPACE flag  u undo"
    assert compose_keys(KEYS, 33).text == "RETURN reveal  SPACE flag  u undo"


def test_the_last_keys_are_left_out_where_there_is_no_room() -> None:
    assert compose_keys(KEYS, 32).text == "RETURN reveal  SPACE flag"
    assert compose_keys(KEYS, 5).text == ""


@pytest.mark.parametrize(
    ("tone", "style"),
    [
        (Tone.PLAIN, Style.PLAIN),
        (Tone.GOOD, Style.GOOD),
        (Tone.BAD, Style.BAD),
        (Tone.WARNING, Style.WARNING),
    ],
)
def test_a_message_has_the_colour_of_its_tone(tone: Tone, style: Style) -> None:
    (line,) = compose_message(Message("Hi", tone), 10, has_unicode=True)
    assert line == Line("Hi", bytes((style, style)))


def test_a_message_takes_as_many_lines_as_it_needs() -> None:
    lines = compose_message(Message("one two three"), 8, has_unicode=True)
    assert [line.text for line in lines] == ["one two", "three"]
    assert compose_message(Message(), 8, has_unicode=True) == []


def test_a_message_is_under_the_frame_and_the_keys_are_last() -> None:
    composed, _ = foot(screen_of("? ?", message=Message("Hi"), keys=KEYS))
    assert texts(composed) == ["Hi", "", "", "RETURN reveal   SPACE flag   u undo"]


def test_a_long_message_takes_the_place_of_the_keys() -> None:
    message = Message("word " * 60)
    composed, _ = foot(screen_of("? ?", message=message, keys=KEYS), 40, 12, Size(9, 9))
    assert len(composed.lines) == 2
    assert "RETURN" not in " ".join(texts(composed))


def test_figures_stand_beside_the_field_where_there_is_room() -> None:
    composed, _ = foot(lost(summary=FIGURES), 100, 30, Size(9, 9))
    assert [line.text for line in composed.beside] == list(FIGURES)


def test_figures_stand_side_by_side_under_the_field_where_there_is_room() -> None:
    composed, _ = foot(lost(summary=FIGURES, message=Message("Lost"), keys=KEYS))
    assert composed.beside == ()
    assert texts(composed)[0] == "Lost"
    assert texts(composed)[1].split("   ") == [*FIGURES[:4]]
    assert texts(composed)[2].split("   ") == [*FIGURES[4:]]


def test_a_narrow_place_beside_the_field_holds_figures_in_more_lines() -> None:
    figures = ("clicks 88: 70 left, 10 right, 8 chords", "efficiency 72 %")
    composed, layout = foot(lost(summary=figures), 80, 24, Size(16, 16))
    assert [line.text for line in composed.beside] == [
        "clicks 88: 70 left,",
        "  10 right, 8 chords",
        "efficiency 72 %",
    ]
    widest = max(line.width for line in composed.beside)
    assert layout.frame_left + layout.frame_width + 3 + widest <= 80


@pytest.mark.requirement("C:Losing Condition")
@pytest.mark.parametrize(
    ("columns", "rows", "size"),
    [(80, 24, Size(30, 16)), (40, 20, Size(16, 16)), (40, 12, Size(9, 9)), (80, 24, Size(37, 19))],
)
def test_nothing_that_is_said_at_the_end_covers_the_field(
    columns: int, rows: int, size: Size
) -> None:
    model = lost(summary=FIGURES * 2, message=Message("Lost"), keys=KEYS)
    composed, layout = foot(model, columns, rows, size)
    assert layout.foot_row + len(composed.lines) <= rows
    assert texts(composed)[0] == "Lost"
    assert texts(composed)[-1].startswith("RETURN")


AIM = "Flag every mine and nothing else."


def test_the_aim_stays_readable_under_the_message() -> None:
    with_message, _ = foot(screen_of("? ?", message=Message("Undone."), aim=AIM, keys=KEYS))
    assert texts(with_message)[:2] == ["Undone.", AIM]
    without, _ = foot(screen_of("? ?", aim=AIM, keys=KEYS))
    assert texts(without)[:2] == ["", AIM]


def test_the_aim_is_not_said_twice() -> None:
    composed, _ = foot(screen_of("? ?", message=Message(AIM), aim=AIM))
    assert texts(composed).count(AIM) == 1


def test_where_there_is_one_line_the_message_takes_it_from_the_aim() -> None:
    crowded = (40, 20, Size(16, 16))
    assert texts(foot(screen_of("? ?", aim=AIM), *crowded)[0])[0] == AIM
    long_aim = f"{AIM} Seen before, so not ranked."
    shortened = foot(screen_of("? ?", message=Message(long_aim), aim=long_aim, keys=KEYS), *crowded)
    assert texts(shortened[0]) == [AIM, "RETURN reveal   SPACE flag   u undo"]
    told = foot(screen_of("? ?", message=Message("Undone."), aim=AIM), *crowded)[0]
    assert texts(told)[0] == "Undone."


@pytest.mark.requirement("C:Losing Condition", "J:lost field")
def test_the_signs_of_a_lost_field_are_explained() -> None:
    above, _ = foot(lost())
    assert above.legend.text.split("   ")[-4:] == [
        "B mine",
        "BF flagged mine",
        "2F wrong flag",
        "B* stepped on",
    ]
    lower, _ = foot(lost(), 40, 24, Size(16, 16))
    assert lower.legend.text == ""
    assert "B* stepped on" in " ".join(texts(lower))


def test_only_a_lost_field_needs_an_explanation() -> None:
    won = screen_of(play("*.", "classic", "reveal 1 0"))
    for model in (won, screen_of("? ?")):
        assert foot(model)[0].legend.text == ""


def test_there_is_air_between_message_and_figures_where_there_is_room() -> None:
    model = lost(summary=FIGURES, message=Message("Lost"))
    composed, _ = foot(model, 60, 40, Size(28, 16))
    assert texts(composed)[:2] == ["Lost", ""]


LAYOUT = arrange(80, 24, Size(9, 9), CellSize.AUTO)


def header(model: GameScreen, width: int = 64, *, is_windowed: bool = False) -> Line:
    layout = replace(LAYOUT, left=0, width=width, is_windowed=is_windowed)
    return Header(layout, has_unicode=True).compose(model)


@pytest.mark.requirement("C:Mine Counter", "C:Timer Display")
def test_the_header_tells_what_is_played_what_is_left_and_how_long_it_took() -> None:
    text = header(screen_of("? F\n1 ?", label="expert 30x16", elapsed_ms=61_000)).text
    assert text.split() == ["JMinesweeper", "expert", "30x16", "mines", "0", "1:01"]
    assert len(text) == 64


@pytest.mark.requirement("C:Mine Counter")
def test_the_counter_may_go_below_zero() -> None:
    assert header(screen_of("F F\nF ?")).text.split()[-2] == "-2"


@pytest.mark.requirement("C:Visual Feedback")
@pytest.mark.parametrize(
    ("moves", "state", "style"),
    [
        (("reveal 1 0", "reveal 0 1", "reveal 1 1"), "WON", Style.GOOD),
        (("reveal 0 1", "reveal 0 0"), "LOST", Style.BAD),
        ((), "paused", Style.WARNING),
    ],
)
def test_the_state_is_told_in_words_and_in_colour(
    moves: tuple[str, ...], state: str, style: Style
) -> None:
    line = header(screen_of(play("*.\n..", "classic", *moves), state=state))
    assert line.styles[line.text.index(state)] == style


def test_the_name_goes_first_where_there_is_little_room_and_then_a_word() -> None:
    model = screen_of("? ?", label="intermediate 16x16")
    assert header(model, 60).text.startswith("JMinesweeper  intermediate 16x16")
    assert header(model, 40).text.startswith("intermediate 16x16")
    assert "mines" in header(model, 40).text
    assert "mines" not in header(model, 30).text
    assert header(model, 30).text.endswith("0:00")


def test_the_cursors_place_is_told_at_the_left_end_while_the_field_does_not_fit() -> None:
    model = screen_of("? ? ?\n? ? ?", (2, 1))
    assert header(model, is_windowed=True).text.startswith("  2,1    JMinesweeper")
    over = screen_of(play("*.", "classic", "reveal 1 0"))
    assert header(over, is_windowed=True).text.startswith("JMinesweeper")


def test_a_step_changes_few_columns_of_the_header() -> None:
    row = "?" * 200
    nine, ten = (header(screen_of(row, (column, 0)), is_windowed=True).text for column in (9, 10))
    assert [column for column in range(64) if nine[column] != ten[column]] == [1, 2]


def test_a_label_from_outside_is_harmless() -> None:
    assert "\x1b" not in header(screen_of("? ?", label="\x1b[2Jgone", state="\x1b[m")).text


def test_a_header_in_which_nothing_has_changed_is_the_same_line() -> None:
    kept = Header(LAYOUT, has_unicode=True)
    assert kept.compose(screen_of("? F")) is kept.compose(screen_of("? F", (1, 0), elapsed_ms=999))


headers = st.builds(
    screen_of,
    st.sampled_from(["? ? ?", "? F ?", "F F F"]),
    st.tuples(st.integers(0, 2), st.just(0)),
    label=st.sampled_from(["easy 20x10", "long " * 9]),
    state=st.sampled_from(["", "paused", "assisted " * 9]),
    elapsed_ms=st.integers(0, 9_000_000),
)


@given(st.lists(headers, min_size=1, max_size=6), st.integers(40, 90), st.booleans())
def test_a_header_kept_up_to_date_reads_like_one_composed_afresh(
    models: list[GameScreen], width: int, is_windowed: bool
) -> None:
    layout = replace(LAYOUT, width=width, is_windowed=is_windowed)
    kept = Header(layout, has_unicode=True)
    for model in models:
        assert kept.compose(model) == Header(layout, has_unicode=True).compose(model)
