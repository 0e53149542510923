from jminesweeper.client.timers import (
    FIRST_WAIT_S,
    LONGEST_WAIT_S,
    REFRESH_PERIOD_S,
    Backoff,
    RefreshTimer,
    earliest,
    is_due,
)


def test_the_earliest_deadline_is_the_first_that_is_set() -> None:
    assert earliest(None, 3.0, 2.0) == 2.0
    assert earliest(None, None) is None


def test_a_deadline_is_due_from_its_moment_on() -> None:
    assert [is_due(deadline, 2.0) for deadline in (None, 3.0, 2.0, 1.0)] == [
        False,
        False,
        True,
        True,
    ]


def test_the_clock_is_asked_for_a_second_after_it_was_seen_running() -> None:
    timer = RefreshTimer()
    timer.note_screen(1, 10.0, clock_runs=True)
    assert timer.deadline == 10.0 + REFRESH_PERIOD_S


def test_a_stopped_clock_is_left_alone() -> None:
    timer = RefreshTimer()
    timer.note_screen(1, 10.0, clock_runs=True)
    timer.note_screen(2, 10.5, clock_runs=False)
    assert timer.deadline is None


def test_playing_does_not_put_the_clock_off() -> None:
    timer = RefreshTimer()
    timer.note_screen(1, 10.0, clock_runs=True)
    timer.note_screen(2, 10.9, clock_runs=True)
    assert timer.deadline == 10.0 + REFRESH_PERIOD_S


def test_the_clock_is_never_asked_for_twice_at_once() -> None:
    timer = RefreshTimer()
    timer.note_screen(1, 10.0, clock_runs=True)
    timer.note_refresh(4)
    assert timer.deadline is None
    timer.note_screen(2, 11.1, clock_runs=True)
    timer.note_screen(3, 11.2, clock_runs=True)
    assert timer.deadline is None
    timer.note_screen(4, 11.3, clock_runs=True)
    assert timer.deadline == 11.3 + REFRESH_PERIOD_S


def test_waits_double_up_to_a_limit() -> None:
    backoff = Backoff(lambda: 0.0)
    waits = [backoff.next_wait_s() for _ in range(10)]
    assert waits[:3] == [FIRST_WAIT_S, 2 * FIRST_WAIT_S, 4 * FIRST_WAIT_S]
    assert waits[-1] == LONGEST_WAIT_S
    assert waits == sorted(waits)


def test_waits_are_spread_so_that_players_do_not_come_back_all_at_once() -> None:
    assert Backoff(lambda: 1.0).next_wait_s() == FIRST_WAIT_S / 2


def test_whoever_plays_again_is_not_made_to_wait_longer() -> None:
    backoff = Backoff(lambda: 0.0)
    backoff.next_wait_s()
    backoff.next_wait_s()
    backoff.reset()
    assert backoff.next_wait_s() == FIRST_WAIT_S
