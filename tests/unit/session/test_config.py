from datetime import date

import pytest

from jminesweeper.session.config import SessionConfig
from jminesweeper.session.messages import day_of


def test_a_server_without_anything_behind_it_lets_everybody_play_and_see_the_mines() -> None:
    config = SessionConfig()
    assert config.debug_allowed
    assert not config.has_store
    assert not config.has_solver


def test_the_day_follows_from_the_time_of_the_session_and_where_it_began() -> None:
    config = SessionConfig(epoch_ms=lambda: 86_400_000 - 500)
    assert (config.seconds(0), config.seconds(500)) == (86_399, 86_400)
    assert (config.today(499), config.today(500)) == (date(1970, 1, 1), date(1970, 1, 2))


@pytest.mark.parametrize(
    ("at_s", "day"),
    [
        (0, date(1970, 1, 1)),
        (1_794_960_000, date(2026, 11, 18)),
        (-1, date(1969, 12, 31)),
        (1 << 60, date(9999, 12, 31)),
    ],
)
def test_every_time_has_a_day(at_s: int, day: date) -> None:
    assert day_of(at_s) == day
