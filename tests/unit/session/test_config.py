from jminesweeper.session import SessionConfig


def test_a_server_without_anything_behind_it_lets_everybody_play_and_see_the_mines() -> None:
    config = SessionConfig()
    assert config.debug_allowed
    assert not config.has_store
    assert not config.has_solver


def test_the_day_follows_from_the_time_of_the_session_and_where_it_began() -> None:
    config = SessionConfig(epoch_ms=86_400_000 - 500)
    assert (config.seconds(0), config.seconds(500)) == (86_399, 86_400)
    assert (config.today(499), config.today(500)) == ("1970-01-01", "1970-01-02")


def test_days_can_be_named_otherwise() -> None:
    assert SessionConfig(name_day=lambda day: f"day {day}").today(0) == "day 0"
