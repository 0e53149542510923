from jminesweeper.client.refresh import PERIOD_S, RefreshTimer


def test_the_clock_is_asked_for_a_second_after_it_was_seen_running() -> None:
    timer = RefreshTimer()
    timer.note_sent(1)
    timer.note_answer(10.0, clock_runs=True)
    assert timer.deadline == 10.0 + PERIOD_S


def test_a_clock_that_stands_is_left_alone() -> None:
    timer = RefreshTimer()
    timer.note_sent(2)
    timer.note_answer(10.0, clock_runs=True)
    timer.note_answer(10.5, clock_runs=False)
    assert timer.deadline is None


def test_playing_does_not_put_the_clock_off() -> None:
    timer = RefreshTimer()
    timer.note_answer(10.0, clock_runs=True)
    timer.note_sent(1)
    timer.note_answer(10.9, clock_runs=True)
    assert timer.deadline == 10.0 + PERIOD_S


def test_the_clock_is_never_asked_for_twice_at_once() -> None:
    timer = RefreshTimer()
    timer.note_answer(10.0, clock_runs=True)
    timer.note_sent(2)
    timer.note_refresh()
    assert timer.deadline is None
    timer.note_answer(11.1, clock_runs=True)
    timer.note_answer(11.2, clock_runs=True)
    assert timer.deadline is None
    timer.note_answer(11.3, clock_runs=True)
    assert timer.deadline == 11.3 + PERIOD_S


def test_it_knows_whether_an_answer_is_due() -> None:
    timer = RefreshTimer()
    due = [timer.expects_answer]
    timer.note_sent(1)
    due.append(timer.expects_answer)
    for _ in range(2):
        timer.note_answer(0.0, clock_runs=False)
        due.append(timer.expects_answer)
    assert due == [False, True, False, False]
