import pytest

from jminesweeper.server.config import ALL_INTERFACES, ServerConfig


@pytest.mark.requirement("J:Networking Protocol", "J:port 9999")
def test_the_port_is_that_of_the_protocol() -> None:
    assert ServerConfig().port == 9999


def test_a_server_listens_everywhere_unless_told_otherwise() -> None:
    assert ServerConfig().host == ALL_INTERFACES


def test_silent_players_have_a_quarter_of_an_hour() -> None:
    assert ServerConfig().idle_timeout_s == 15 * 60
