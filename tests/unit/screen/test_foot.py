from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.core import Size
from jminesweeper.screen import CellWidth, GameScreen, Message, Tone
from jminesweeper.screen.canvas import Canvas
from jminesweeper.screen.foot import Foot, compose_foot, compose_keys, compose_message
from jminesweeper.screen.layout import Layout, arrange
from jminesweeper.screen.styles import Style
from jminesweeper.screen.symbols import ASCII
from tests.unit.core.boards import play
from tests.unit.screen.examples import screen_of

KEYS = (("RETURN", "reveal"), ("SPACE", "flag"), ("u", "undo"))
FIGURES = tuple(f"Figure {number} is {number}" for number in range(7))


def foot(
    model: GameScreen, columns: int = 80, rows: int = 24, size: Size | None = None
) -> tuple[Foot, Layout]:
    canvas = Canvas(columns, rows, ASCII, CellWidth.AUTO)
    layout = arrange(columns, rows, size or Size(30, 16), CellWidth.AUTO)
    return compose_foot(model, canvas, layout), layout


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
    assert line == ("Hi", bytes((style, style)))


def test_a_message_takes_as_many_lines_as_it_needs() -> None:
    lines = compose_message(Message("one two three"), 8, has_unicode=True)
    assert [line.text for line in lines] == ["one two", "three"]
    assert compose_message(Message(), 8, has_unicode=True) == []


def test_a_message_is_under_the_frame_and_the_keys_are_last() -> None:
    composed, layout = foot(screen_of("? ?", message=Message("Hi"), keys=KEYS))
    assert composed.first_row == layout.foot_row
    assert texts(composed) == ["Hi", "", "", "RETURN reveal   SPACE flag   u undo"]


def test_a_long_message_takes_the_place_of_the_keys() -> None:
    message = Message("word " * 60)
    composed, layout = foot(screen_of("? ?", message=message, keys=KEYS), 40, 12, Size(9, 9))
    assert composed.first_row == layout.foot_row
    assert len(composed.lines) == 2
    assert "RETURN" not in " ".join(texts(composed))


def test_figures_stand_beside_the_field_where_there_is_room() -> None:
    composed, _ = foot(lost(summary=FIGURES), 100, 30, Size(9, 9))
    assert [line.text for line in composed.beside] == list(FIGURES)


def test_figures_stand_side_by_side_under_the_field_where_there_is_room() -> None:
    composed, layout = foot(lost(summary=FIGURES, message=Message("Lost"), keys=KEYS))
    assert composed.beside == ()
    assert composed.first_row == layout.foot_row
    assert texts(composed)[0] == "Lost"
    assert texts(composed)[1].split("   ") == [*FIGURES[:4]]
    assert texts(composed)[2].split("   ") == [*FIGURES[4:]]


def test_figures_take_the_place_of_the_lowest_rows_where_there_is_no_other() -> None:
    model = lost(summary=FIGURES, message=Message("Lost"), keys=KEYS)
    composed, layout = foot(model, 40, 12, Size(9, 9))
    assert layout.frame_row < composed.first_row < layout.foot_row
    assert texts(composed)[0] == "Lost"
    assert texts(composed)[-1].startswith("RETURN")


@pytest.mark.requirement("C:Losing Condition", "J:lost field")
def test_the_signs_of_a_lost_field_are_explained() -> None:
    above, _ = foot(lost())
    assert above.legend.text.split("   ")[-4:] == [
        "B mine",
        "BF flagged mine",
        "2F wrong flag",
        "B* stepped on",
    ]
    crowded, _ = foot(lost(), 40, 12, Size(9, 9))
    assert crowded.legend.text == ""
    assert "B* stepped on" in " ".join(texts(crowded))


def test_only_a_lost_field_needs_an_explanation() -> None:
    won = screen_of(play("*.", "classic", "reveal 1 0"))
    for model in (won, screen_of("? ?")):
        assert foot(model)[0].legend.text == ""


def test_there_is_air_between_message_and_figures_where_there_is_room() -> None:
    model = lost(summary=FIGURES, message=Message("Lost"))
    composed, _ = foot(model, 60, 40, Size(28, 16))
    assert texts(composed)[:2] == ["Lost", ""]
