"""Actions in words."""

from __future__ import annotations

import pytest

from jminesweeper.client.replay import Reel
from jminesweeper.client.replay.captions import caption
from jminesweeper.screen import Message, Tone
from tests.unit.core.boards import play

FIELD = "*...\n...."


def last_caption(*moves: str, board: str = FIELD, rules: str = "classic") -> Message:
    reel = Reel(play(board, rules, *moves))
    return caption(reel, reel.last)


@pytest.mark.parametrize(
    ("moves", "words", "tone"),
    [
        ([], "Before the first action", Tone.PLAIN),
        (["flag 0 0"], "flag 0 0: set", Tone.PLAIN),
        (["flag 0 0", "flag 0 0"], "flag 0 0: removed", Tone.PLAIN),
        (["reveal 1 0"], "reveal 1 0: opens 1 cell", Tone.PLAIN),
        (["reveal 3 1"], "reveal 3 1: opens 6 cells", Tone.PLAIN),
        (["reveal 3 1", "flag 3 1"], "flag 3 1: changes nothing", Tone.PLAIN),
        (["reveal 3 1", "reveal 0 1"], "reveal 0 1: opens 1 cell, the game is won", Tone.GOOD),
        (["reveal 0 0"], "reveal 0 0: steps on a mine", Tone.BAD),
        (["flag 0 0", "undo"], "undo: takes back action 1, flag 0 0", Tone.WARNING),
        (["hint"], "a hint", Tone.PLAIN),
        (["debug"], "debug mode: the mines were shown", Tone.PLAIN),
        (["reveal 1 0", "terminate"], "the game is given up", Tone.WARNING),
    ],
)
def test_an_action_is_told_with_what_came_of_it(moves: list[str], words: str, tone: Tone) -> None:
    assert last_caption(*moves) == Message(words, tone)


def test_a_chord_is_told_apart_from_a_reveal() -> None:
    chord = last_caption("flag 0 0", "reveal 1 1", "chord 1 1")
    assert chord == Message("chord 1 1: opens 6 cells, the game is won", Tone.GOOD)


def test_a_flag_that_wins_says_so() -> None:
    assert last_caption("flag 0 0", rules="jminesweeper") == Message(
        "flag 0 0: set, the game is won", Tone.GOOD
    )


def test_a_flag_after_an_undo_that_came_back_to_the_same_count_is_told_as_set() -> None:
    assert last_caption("flag 0 0", "undo", "flag 1 0").text == "flag 1 0: set"
