"""Forget me: asked twice, gone for good, and nothing is stored again."""

from __future__ import annotations

import pytest

from jminesweeper.protocol.packets import Act, NewGame, OpenMenu, Save, Start
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.store.blocking import pages
from jminesweeper.store.port import Fault, StoreUnavailableError
from tests.world.games import ADA
from tests.world.player import BACK, SEEN, Player, Step
from tests.world.server import ANONYMOUS, KNOWN, LIVE, World

FLAG = Command.TOGGLE_BOMB_MARK
SETTINGS = OpenMenu("settings")
SURE = ("Forget me", "Forget me", "Forget all of it")


def settled() -> tuple[Player, World]:
    """Ada, with a finished game, a saved one, one set aside and one that runs."""
    world = World()
    player = world.player().do(KNOWN, Start(1, 1, 1), Command.REVEAL)
    player.do(NewGame("beginner"), FLAG, Save("first"), FLAG, NewGame("expert"), FLAG)
    assert len(traces(world)) > 5
    return player, world


def traces(world: World) -> list[str]:
    told: list[str] = []
    for page in pages(world.store):
        for commit in page:
            told += [f"{put.key} {put.body}" for put in commit.puts]
            told += [f"{place.board} {place.text}" for place in commit.places]
    return [each for each in told if ADA in each or "Ada" in each]


def test_it_is_asked_twice_and_the_session_ends_with_it() -> None:
    player, world = settled()
    player.do(SETTINGS, "Forget me").sees({"screen": "forget"})
    player.do("Forget me").sees({"screen": "forget_sure"})
    assert len(traces(world)) > 5
    player.do("Forget all of it")
    assert player.message == "You are forgotten here. Goodbye."
    assert player.members["last"]
    assert not player.is_connected
    assert traces(world) == [f"forgotten:{ADA} -"]
    world.settle()
    assert traces(world) == [f"forgotten:{ADA} -"]


@pytest.mark.parametrize("steps", [(BACK,), ("Keep everything",), ("Forget me", "Keep everything")])
def test_whoever_is_not_sure_keeps_everything(steps: tuple[Step, ...]) -> None:
    player, world = settled()
    before = traces(world)
    player.do(SETTINGS, "Forget me", *steps)
    assert "Forget me" in player.items
    assert traces(world) == before
    player.do(BACK, BACK).sees({"label": "expert 30x16", "state": "playing"})


def test_whoever_comes_back_is_new() -> None:
    player, world = settled()
    player.do(SETTINGS, *SURE)
    again = world.player().do(KNOWN, NewGame("beginner"), FLAG, OpenMenu("saves"))
    assert again.items == ["Save this game"]
    assert world.finished == []


def test_another_device_that_is_on_plays_on_and_stores_nothing() -> None:
    player, world = settled()
    other = world.player().do(LIVE)
    other.sees({"label": "expert 30x16"})
    player.do(SETTINGS, *SURE)
    other.do(Act(3, 3, Button.FLAG, SEEN), NewGame("beginner"), FLAG)
    world.settle()
    assert [each for each in traces(world) if each.startswith("player:")] == []


def test_a_store_that_fails_forgets_nobody_and_says_so() -> None:
    player, world = settled()
    player.do(SETTINGS, *SURE[:2])
    world.fault = StoreUnavailableError(Fault.BROKEN)
    player.do(SURE[2])
    assert player.message == str(world.fault)
    world.fault = None
    assert len(traces(world)) > 5
    assert world.player().do(KNOWN).members["label"] == "expert 30x16"


def test_whom_the_server_does_not_know_it_cannot_forget() -> None:
    player = World().player().do(ANONYMOUS, NewGame("beginner"), SETTINGS)
    assert player.row("Forget me")["disabled"]
