import pytest

from jminesweeper.client.profile import Profile
from jminesweeper.protocol.packets import Hello, Start
from jminesweeper.protocol.vocabulary import Feature


def test_hello_says_who_plays() -> None:
    profile = Profile(Start(20, 10, 1), is_live=True, name="Ada", key=bytes(range(16)))
    assert profile.hello() == Hello(Feature.LIVE, bytes(range(16)), "Ada")
    assert Profile(Start(20, 10, 1)).hello() == Hello()


@pytest.mark.parametrize(
    ("resumes", "returns", "features"),
    [(False, False, 0), (True, False, Feature.RESUME), (False, True, Feature.RESUME)],
)
def test_who_wants_the_game_that_waits_says_so(
    *, resumes: bool, returns: bool, features: int
) -> None:
    profile = Profile(Start(20, 10, 1), resumes=resumes)
    assert profile.hello(returns=returns).features == features


def test_the_secret_key_is_not_shown_with_the_rest() -> None:
    assert "secret" not in repr(Profile(Start(20, 10, 1), key=b"secret"))
