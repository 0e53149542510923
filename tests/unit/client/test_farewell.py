from jminesweeper.client.farewell import is_last_screen
from jminesweeper.protocol import Command, PatchFlag, ScreenContent, ScreenPatch


def test_a_last_screen_is_a_patch_that_says_so() -> None:
    assert is_last_screen(ScreenPatch(PatchFlag.LAST_SCREEN | PatchFlag.FULL_REPAINT))
    assert not is_last_screen(ScreenPatch(PatchFlag.FULL_REPAINT))
    assert not is_last_screen(ScreenContent(b"Good bye."))
    assert not is_last_screen(Command.QUIT)
