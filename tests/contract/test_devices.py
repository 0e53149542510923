"""Devices that play as another player, by a code, in every store."""

import pytest

from jminesweeper.store import (
    MAX_DEVICES,
    Enter,
    FindPlayer,
    PutOffer,
    PutPlayer,
    PutRunning,
    StoreLimitError,
    TakeOffer,
    UnknownPlayerError,
)
from jminesweeper.store.transfer import ExportPlayer, ImportPlayer, PlayerData
from tests.contract.examples import ANN, BOB, CEY, GAME, NOBODY, Ask

PHONE = "f" * 32


@pytest.fixture
def offered(ask: Ask) -> Ask:
    """Ask a store that Ann offers to play as her by a code."""
    ask(PutOffer(ANN, "code", 100, 700))
    return ask


def export(ask: Ask, player: str) -> PlayerData:
    data = ask(ExportPlayer(player))
    assert data is not None
    return data


def test_a_device_plays_as_who_made_the_offer(offered: Ask) -> None:
    offered(Enter(ANN, "", "desk"))
    offered(PutRunning(ANN, "desk", GAME))
    assert offered(TakeOffer(PHONE, "code", 200))
    entrance = offered(Enter(PHONE, "", "phone"))
    assert (entrance.player.id, entrance.is_known, entrance.game) == (ANN, True, GAME)
    assert offered(FindPlayer(PHONE)) == offered(FindPlayer(ANN))


def test_a_code_works_once(offered: Ask) -> None:
    assert offered(TakeOffer(PHONE, "code", 200))
    assert not offered(TakeOffer(CEY, "code", 200))
    assert offered(FindPlayer(CEY)) is None


def test_a_code_works_until_its_end(offered: Ask) -> None:
    offered(PutOffer(BOB, "other", 100, 701))
    assert not offered(TakeOffer(PHONE, "code", 700))
    assert offered(TakeOffer(PHONE, "other", 700))


def test_a_player_has_a_bounded_number_of_devices(offered: Ask) -> None:
    for number in range(MAX_DEVICES):
        offered(PutOffer(ANN, f"code-{number}", 100, 700))
        assert offered(TakeOffer(f"{number:032x}", f"code-{number}", 200))
    offered(PutOffer(ANN, "last", 100, 700))
    assert not offered(TakeOffer(PHONE, "last", 200))
    assert offered(FindPlayer(PHONE)) is None


def test_a_code_that_nobody_offered_changes_nothing(offered: Ask) -> None:
    assert not offered(TakeOffer(PHONE, "other", 200))
    assert offered(FindPlayer(PHONE)) is None
    assert offered(TakeOffer(PHONE, "code", 200))


def test_the_latest_offer_of_a_player_counts(offered: Ask) -> None:
    offered(PutOffer(ANN, "later", 101, 701))
    assert not offered(TakeOffer(PHONE, "code", 200))
    assert offered(TakeOffer(PHONE, "later", 200))


def test_a_device_that_had_games_plays_as_another_from_then_on(offered: Ask) -> None:
    offered(TakeOffer(BOB, "code", 200))
    assert offered(Enter(BOB, "", "bobs")).player.id == ANN
    assert export(offered, BOB).player.name == "Bob"


def test_a_device_may_take_one_offer_after_the_other(offered: Ask) -> None:
    offered(TakeOffer(PHONE, "code", 200))
    offered(PutOffer(BOB, "other", 200, 800))
    offered(TakeOffer(PHONE, "other", 200))
    assert offered(Enter(PHONE, "", "phone")).player.id == BOB
    assert export(offered, ANN).devices == ()
    assert export(offered, BOB).devices == (PHONE,)


def test_only_a_known_player_makes_an_offer(ask: Ask) -> None:
    with pytest.raises(UnknownPlayerError):
        ask(PutOffer(NOBODY, "code", 100, 700))


def test_an_offer_ends_after_it_was_made() -> None:
    with pytest.raises(StoreLimitError):
        PutOffer(ANN, "code", 100, 100)


def test_devices_move_with_their_player(offered: Ask) -> None:
    offered(TakeOffer(PHONE, "code", 200))
    offered(PutOffer(ANN, "more", 200, 800))
    offered(TakeOffer(CEY, "more", 200))
    data = export(offered, ANN)
    assert data.devices == (CEY, PHONE)
    offered(PutOffer(ANN, "yet more", 200, 800))
    offered(TakeOffer(NOBODY, "yet more", 200))
    offered(ImportPlayer(data))
    offered(PutPlayer(NOBODY, "", {}, 1))
    assert export(offered, ANN) == data
    assert offered(Enter(PHONE, "", "phone")).player.id == ANN
    assert offered(Enter(NOBODY, "", "other")).player.id == NOBODY
