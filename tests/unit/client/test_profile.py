from jminesweeper.client.profile import Profile
from jminesweeper.protocol.packets import Start


def test_the_secret_key_is_not_shown_with_the_rest() -> None:
    assert "secret" not in repr(Profile(Start(20, 10, 1), key=b"secret"))
