from jminesweeper.client.conversation import FIRST_WAIT_S, Backoff, earliest, is_due


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


def test_waits_are_spread_so_that_players_do_not_come_back_all_at_once() -> None:
    assert Backoff(lambda: 1.0).next_wait_s() == FIRST_WAIT_S / 2
