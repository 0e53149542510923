import pytest

from jminesweeper.client.profile import Profile, TerminalSize
from jminesweeper.protocol.packets import Hello, Start
from jminesweeper.protocol.vocabulary import Feature, Glyphs, ScreenFormat
from jminesweeper.screen.models import ColourDepth


def test_hello_says_everything_about_the_client() -> None:
    profile = Profile(
        Start(20, 10, 1),
        colours=ColourDepth.TRUE,
        glyphs=Glyphs.UNICODE,
        has_mouse=True,
        name="Ada",
        key=bytes(range(16)),
    )
    assert profile.hello(TerminalSize(100, 30)) == Hello(
        100,
        30,
        ColourDepth.TRUE,
        Glyphs.UNICODE,
        ScreenFormat.ANSI,
        Feature.LIVE | Feature.TILES | Feature.MOUSE,
        bytes(range(16)),
        "Ada",
    )


def test_the_least_client_has_no_colours_no_mouse_and_no_name() -> None:
    profile = Profile(Start(20, 10, 1), screen_format=ScreenFormat.PLAIN)
    hello = profile.hello(TerminalSize(80, 24))
    assert hello == Hello(80, 24, format=ScreenFormat.PLAIN)


@pytest.mark.parametrize(
    ("resumes", "returns", "features"),
    [
        (False, False, Feature.MOUSE),
        (True, False, Feature.MOUSE | Feature.RESUME),
        (False, True, Feature.MOUSE | Feature.RESUME),
    ],
)
def test_who_wants_the_game_that_waits_says_so(
    *, resumes: bool, returns: bool, features: Feature
) -> None:
    profile = Profile(Start(20, 10, 1), has_mouse=True, resumes=resumes)
    hello = profile.hello(TerminalSize(80, 24), returns=returns)
    assert hello.features == features | Feature.LIVE | Feature.TILES


def test_the_secret_key_is_not_shown_with_the_rest() -> None:
    assert "secret" not in repr(Profile(Start(20, 10, 1), key=b"secret"))
