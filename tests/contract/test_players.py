"""What every store keeps of a player."""

import pytest

from jminesweeper.store.ports import FindPlayer, Greet, Player, PutSettings, UnknownPlayerError
from tests.contract.examples import ANN, CEY, NOBODY, Ask


def test_a_player_is_known_from_the_first_greeting_on(ask: Ask) -> None:
    assert ask(FindPlayer(CEY)) is None
    assert ask(Greet(CEY, "Cey", 77)) == Player(CEY, "Cey", {}, 77)
    assert ask(FindPlayer(CEY)) == Player(CEY, "Cey", {}, 77)


def test_a_later_greeting_changes_the_name_and_nothing_else(ask: Ask) -> None:
    ask(PutSettings(ANN, {"palette": "okabe-ito"}))
    assert ask(Greet(ANN, "Änne ⚑", 99)) == Player(ANN, "Änne ⚑", {"palette": "okabe-ito"}, 1)


def test_a_greeting_without_a_name_leaves_the_name(ask: Ask) -> None:
    assert ask(Greet(ANN, "", 99)).name == "Ann"


@pytest.mark.requirement("C:Settings Menu")
def test_settings_come_back_as_they_were_put(ask: Ask) -> None:
    ask(PutSettings(ANN, {"preset": "expert", "palette": "default"}))
    ask(PutSettings(ANN, {"preset": "custom", "custom": '"30x16" ⚑'}))
    player = ask(FindPlayer(ANN))
    assert player
    assert player.settings == {"preset": "custom", "custom": '"30x16" ⚑'}


def test_settings_of_an_unknown_player_are_refused(ask: Ask) -> None:
    with pytest.raises(UnknownPlayerError):
        ask(PutSettings(NOBODY, {}))
