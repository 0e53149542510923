"""The line at the bottom."""

from __future__ import annotations

import pytest

from jminesweeper.client.replay import Playback
from jminesweeper.client.replay.time_line import ASCII, UNICODE, format_time_line

TIMES = [0, 10_000, 20_000, 83_500]


def at(position: int, times: list[int] | None = None, speed: float = 1.0) -> Playback:
    playback = Playback(TIMES if times is None else times, speed)
    playback.step(position)
    return playback


@pytest.mark.parametrize(
    ("position", "line"),
    [
        (0, " 0:00.0 |------------------- 1:23.5   0/4       1x "),
        (3, " 0:20.0 ====|--------------- 1:23.5   3/4       1x "),
        (4, " 1:23.5 ===================| 1:23.5   4/4       1x "),
    ],
)
def test_it_shows_clock_way_and_position(position: int, line: str) -> None:
    assert format_time_line(at(position), len(line), ASCII) == line


def test_with_unicode_it_is_drawn_with_lines() -> None:
    assert "━━━━┃───────────────" in format_time_line(at(3), 52, UNICODE)


@pytest.mark.parametrize(
    ("speed", "words"), [(0.125, "0.125x "), (64.0, "   64x "), (1.5, "1.5x ")]
)
def test_it_tells_the_speed(speed: float, words: str) -> None:
    assert format_time_line(at(0, speed=speed), 60, ASCII).endswith(words)


def test_a_narrow_line_has_no_bar_and_is_never_too_long() -> None:
    assert format_time_line(at(1), 40, ASCII) == " 0:00.0  1:23.5   1/4       1x "
    assert format_time_line(at(1), 12, ASCII) == " 0:00.0  1:2"


def test_a_game_of_one_moment_is_measured_in_actions() -> None:
    assert "=====|-----" in format_time_line(at(1, [0, 0]), 43, ASCII)
    assert "|----------" in format_time_line(at(0, []), 43, ASCII)
