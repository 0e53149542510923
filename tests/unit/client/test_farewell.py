import pytest

from jminesweeper.client.farewell import is_last_screen, trouble_in
from jminesweeper.protocol import Command, PatchFlag, ScreenContent, ScreenPatch


def test_a_last_screen_is_a_patch_that_says_so() -> None:
    assert is_last_screen(ScreenPatch(PatchFlag.LAST_SCREEN | PatchFlag.FULL_REPAINT))
    assert not is_last_screen(ScreenPatch(PatchFlag.FULL_REPAINT))
    assert not is_last_screen(ScreenContent(b"Good bye."))
    assert not is_last_screen(Command.QUIT)


@pytest.mark.parametrize(
    ("columns", "words"),
    [(35, "It is gone. "), (34, "It is g... "), (28, "I... "), (27, ""), (9, "")],
)
def test_trouble_is_cut_short_for_what_can_be_done(columns: int, words: str) -> None:
    assert trouble_in(columns, "It is gone.") == f"{words}Trying again; X leaves."
