"""The place of a replay, and the line at the bottom that shows it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.protocol.packets import LookBack, Replay
from jminesweeper.protocol.vocabulary import LookBackAt
from jminesweeper.terminal.clock import FRAME_MS, LATE_MS, SPEEDS, Playback, compose_time_line
from jminesweeper.terminal.keys import KeyAction
from jminesweeper.terminal.looks import ASCII, UNICODE, Symbols
from tests.unit.terminal.examples import Seen

TIMES = [0, 1500, 1500, 4000, 30_000]


def playing(speed: float = 1.0) -> Playback:
    playback = begun(TIMES, speed)
    playback.advance(100.0)
    return playback


def begun(times: list[int], speed: float = 1.0) -> Playback:
    playback = Playback(times, speed)
    playback.toggle()
    return playback


def watch(playback: Playback, until_ms: float) -> list[tuple[int, int]]:
    """Come whenever something is due, and note when another position is reached."""
    seen: list[tuple[int, int]] = []
    while (due_ms := playback.due_ms) is not None and due_ms <= until_ms:
        before = playback.position
        playback.advance(due_ms)
        if playback.position != before:
            seen.append((due_ms, playback.position))
    return seen


def test_it_waits_and_the_clock_begins_with_the_first_look() -> None:
    assert Playback(TIMES).due_ms is None
    playback = begun(TIMES)
    assert playback.due_ms == 0
    playback.advance(5_000_000.0)
    assert (playback.clock_ms, playback.position) == (0, 0)


@pytest.mark.parametrize(
    ("speed", "seen"),
    [
        (1.0, [(140, 1), (1600, 3), (4100, 4), (30_100, 5)]),
        (2.0, [(140, 1), (850, 3), (2100, 4), (15_100, 5)]),
    ],
)
def test_actions_come_at_their_times(speed: float, seen: list[tuple[int, int]]) -> None:
    assert watch(playing(speed), 99_999) == seen


def test_between_actions_it_comes_for_every_second_of_the_clock() -> None:
    playback = playing()
    watch(playback, 4100)
    dues = []
    while playback.clock_ms < 8000:
        assert playback.due_ms is not None
        dues.append(playback.due_ms)
        playback.advance(playback.due_ms)
    assert dues == [5100, 6100, 7100, 8100]


def test_no_more_screens_are_asked_for_than_can_be_seen() -> None:
    playback = playing(64.0)
    assert playback.due_ms == 100 + FRAME_MS


def test_at_the_end_nothing_is_due_and_playing_begins_again() -> None:
    playback = playing()
    watch(playback, 99_999)
    assert (playback.is_playing, playback.due_ms, playback.clock_ms) == (False, None, 30_000)
    playback.toggle()
    assert (playback.is_playing, playback.position, playback.clock_ms) == (True, 0, 0)


def test_while_paused_no_time_passes() -> None:
    playback = playing()
    playback.advance(600.0)
    playback.toggle()
    playback.advance(60_000.0)
    assert (playback.clock_ms, playback.position, playback.due_ms) == (500, 1, None)
    playback.toggle()
    playback.advance(60_100.0)
    assert playback.clock_ms == 600


def test_time_that_nobody_watched_is_not_played() -> None:
    playback = playing()
    playback.advance(140.0)
    playback.advance(3_600_000.0)
    assert playback.clock_ms == 1000 + LATE_MS
    playback.advance(3_600_010.0)
    assert playback.clock_ms == 1010 + LATE_MS


def test_a_clock_that_goes_backwards_takes_nothing_back() -> None:
    playback = playing()
    playback.advance(600.0)
    playback.advance(300.0)
    assert playback.clock_ms == 500


def test_steps_pause_and_go_through_actions_of_one_moment_one_by_one() -> None:
    playback = playing()
    seen = []
    for _ in range(6):
        playback.step(1)
        seen.append((playback.position, playback.clock_ms))
    assert seen == [(1, 0), (2, 1500), (3, 1500), (4, 4000), (5, 30_000), (5, 30_000)]
    assert not playback.is_playing
    playback.step(-3)
    assert (playback.position, playback.clock_ms) == (2, 1500)
    playback.step(-10)
    assert (playback.position, playback.clock_ms) == (0, 0)


def test_going_on_after_a_step_forgets_no_action() -> None:
    playback = playing()
    playback.step(2)
    playback.toggle()
    assert watch(playback, 999) == [(140, 3)]


def test_skips_go_by_the_clock_and_do_not_pause() -> None:
    playback = playing()
    playback.skip(10_000)
    assert (playback.position, playback.clock_ms, playback.is_playing) == (4, 10_000, True)
    playback.skip(-20_000)
    assert (playback.position, playback.clock_ms, playback.is_playing) == (0, 0, True)
    playback.skip(60_000)
    assert (playback.position, playback.clock_ms, playback.is_playing) == (5, 30_000, False)
    playback.skip(-10_000)
    assert (playback.position, playback.clock_ms, playback.is_playing) == (4, 20_000, False)


@pytest.mark.parametrize(
    ("speed", "slower", "faster"),
    [(1.0, 0.5, 2.0), (3.0, 2.0, 4.0), (64.0, 32.0, 64.0), (0.125, 0.125, 0.25), (500, 64, 500)],
)
def test_speed_goes_in_doublings(speed: float, slower: float, faster: float) -> None:
    playback = playing(speed)
    playback.slower()
    assert playback.speed == slower
    playback.speed = speed
    playback.faster()
    assert playback.speed == faster


COMMANDS: list[Callable[[Playback], None]] = [
    Playback.toggle,
    Playback.rewind,
    Playback.finish,
    Playback.faster,
    Playback.slower,
    lambda playback: playback.step(1),
    lambda playback: playback.step(-2),
    lambda playback: playback.skip(10_000),
    lambda playback: playback.skip(-700),
]


@given(
    st.lists(st.integers(0, 50_000), max_size=6).map(sorted),
    st.lists(st.sampled_from(COMMANDS) | st.floats(0, 5000)),
)
def test_position_and_clock_always_agree(
    times: list[int], course: list[Callable[[Playback], None] | float]
) -> None:
    playback, now_ms = begun(times), 0.0
    playback.advance(now_ms)
    for each in course:
        if isinstance(each, float):
            now_ms += each
            playback.advance(now_ms)
        else:
            each(playback)
        assert 0 <= playback.position <= playback.last
        assert 0 <= playback.clock_ms <= playback.end_ms
        assert all(at_ms <= playback.clock_ms for at_ms in times[: playback.position])
        assert all(at_ms >= playback.clock_ms for at_ms in times[playback.position :])
        assert (playback.due_ms is None) is not playback.is_playing
        assert not (playback.is_playing and playback.position == playback.last)
        assert playback.speed in SPEEDS


LINE_TIMES = [0, 10_000, 20_000, 83_500]


def at(position: int, times: list[int] | None = None, speed: float = 1.0) -> Playback:
    playback = Playback(LINE_TIMES if times is None else times, speed)
    playback.step(position)
    return playback


@pytest.mark.parametrize(
    ("playback", "columns", "symbols", "shown"),
    [
        (at(0), 49, ASCII, " 0:00.0 |----------------- 1:23.5   0/4       1x "),
        (at(3), 49, ASCII, " 0:20.0 ====|------------- 1:23.5   3/4       1x "),
        (at(4), 49, ASCII, " 1:23.5 =================| 1:23.5   4/4       1x "),
        (at(3), 52, UNICODE, "━━━━┃───────────────"),
        (at(0, speed=0.125), 60, ASCII, "0.125x "),
        (at(0, speed=64.0), 60, ASCII, "   64x "),
        (at(0, speed=1.5), 60, ASCII, "1.5x "),
        # A narrow line has no bar.
        (at(1), 40, ASCII, " 0:00.0  1:23.5   1/4       1x "),
        (at(1), 12, ASCII, " 0:00.0  1:2"),
        # A game of one moment is measured in actions.
        (at(1, [0, 0]), 43, ASCII, "=====|-----"),
        (at(0, []), 43, ASCII, "|----------"),
    ],
)
def test_the_line_shows_clock_way_position_and_speed(
    playback: Playback, columns: int, symbols: Symbols, shown: str
) -> None:
    line = compose_time_line(playback, columns, symbols).text
    assert shown in line
    assert len(line) <= columns


@pytest.mark.parametrize("times", [[646_590_775, 1], [-5, 3], [3, -1]])
def test_times_that_go_back_make_no_line_longer(times: list[int]) -> None:
    playback = begun(times)
    playback.step(1)
    assert len(compose_time_line(playback, 80, UNICODE)) == 80


def test_a_key_asks_for_the_position_that_time_alone_has_reached() -> None:
    seen = Seen("1 ?")
    seen.take({"replay": [0], "position": 0}, answers=LookBack(LookBackAt.REPLAY))
    seen.press(KeyAction.PAUSE, KeyAction.PAUSE)
    seen.now_s = 10.0
    assert seen.press(KeyAction.RIGHT) == [Replay(1)]


def test_a_replay_of_a_server_is_played_on_from_where_it_is() -> None:
    seen = Seen("1 ?")
    seen.take({"replay": [0, 5_000], "position": 0, "keys": ["play_on", "quit"]})
    assert "r play on" in seen.text
    assert seen.press(KeyAction.AGAIN) == [LookBack(LookBackAt.PLAY_ON)]
    alone = Seen("1 ?")
    alone.take({"replay": [0, 5_000], "position": 0, "keys": ["quit"]})
    assert alone.press(KeyAction.AGAIN) == []


def test_a_replay_and_a_page_that_shows_a_game_as_text_write_it_into_a_file() -> None:
    written = [LookBack(LookBackAt.RECORDING)]
    seen = Seen("1 ?")
    seen.take({"replay": [0, 5_000], "position": 0, "keys": ["step", "export", "quit"]})
    assert seen.press(KeyAction.EXPORT) == written
    page = Seen("1 ?")
    page.take({"page": {"id": "export", "title": "Export", "lines": ["a"]}, "keys": ["export"]})
    assert page.press(KeyAction.EXPORT) == written
    page.take({"page": {"id": "help", "title": "Help", "lines": ["a"]}, "keys": ["back"]})
    assert page.press(KeyAction.EXPORT) == []
