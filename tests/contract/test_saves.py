"""Games that players save under names, in every store."""

from dataclasses import replace

import pytest

from jminesweeper.core.setup import Setup
from jminesweeper.store import (
    MAX_SAVES,
    DropSave,
    FindSave,
    ListSaves,
    PutSave,
    SaveLabel,
    StoreLimitError,
)
from tests.contract.examples import ANN, BOB, EXPERT, GAME, SETUPS, Ask


@pytest.mark.requirement("C:Standard Controls")
def test_a_save_is_found_as_it_was_put(ask: Ask) -> None:
    paused = replace(GAME, is_paused=True)
    ask(PutSave(ANN, "before the guess", paused, 100))
    assert ask(FindSave(ANN, "before the guess")) == paused


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_save_keeps_its_setup(ask: Ask, setup: Setup) -> None:
    game = replace(GAME, setup=setup)
    ask(PutSave(ANN, "one", game, 100))
    assert ask(FindSave(ANN, "one")) == game
    assert [label.variant for label in ask(ListSaves(ANN))] == [setup.variant]


def test_what_was_not_saved_is_not_found(ask: Ask) -> None:
    ask(PutSave(ANN, "mine", GAME, 100))
    assert ask(FindSave(ANN, "other")) is None
    assert ask(FindSave(BOB, "mine")) is None
    assert ask(ListSaves(BOB)) == ()


def test_saving_under_a_name_again_replaces_the_save(ask: Ask) -> None:
    ask(PutSave(ANN, "one", GAME, 100))
    ask(PutSave(ANN, "one", replace(GAME, code="later"), 200))
    assert ask(FindSave(ANN, "one")) == replace(GAME, code="later")
    assert [label.saved_at_s for label in ask(ListSaves(ANN))] == [200]


def test_the_list_says_of_a_save_what_is_shown(ask: Ask) -> None:
    ask(PutSave(ANN, "one", GAME, 100, opened_share=0.37))
    assert ask(ListSaves(ANN)) == (SaveLabel("one", 100, EXPERT, GAME.clock_ms, 0.37),)


def test_saves_are_listed_latest_first(ask: Ask) -> None:
    for name, at_s in (("old", 1), ("b", 3), ("a", 3), ("mid", 2)):
        ask(PutSave(ANN, name, GAME, at_s))
    assert [label.name for label in ask(ListSaves(ANN))] == ["a", "b", "mid", "old"]


def test_a_dropped_save_is_gone(ask: Ask) -> None:
    ask(PutSave(ANN, "one", GAME, 1))
    assert not ask(DropSave(BOB, "one"))
    assert ask(DropSave(ANN, "one"))
    assert not ask(DropSave(ANN, "one"))
    assert ask(FindSave(ANN, "one")) is None


def test_a_player_keeps_a_limited_number_of_saves(ask: Ask) -> None:
    for number in range(MAX_SAVES):
        ask(PutSave(ANN, f"save {number}", GAME, number))
    with pytest.raises(StoreLimitError, match="delete one first"):
        ask(PutSave(ANN, "one more", GAME, 99))
    ask(PutSave(ANN, "save 0", GAME, 99))
    ask(PutSave(BOB, "one more", GAME, 99))
    assert len(ask(ListSaves(ANN))) == MAX_SAVES
