"""Acknowledged actions stay, at any moment a server is killed and however late its store."""

from __future__ import annotations

from random import Random

import pytest

from jminesweeper.core.view import COVERED, Status
from jminesweeper.protocol.packets import Act, Load, OpenMenu, Save
from jminesweeper.protocol.vocabulary import Button
from jminesweeper.records.games import open_save
from jminesweeper.records.players import PlayerCopy, open_game, put_player
from jminesweeper.records.reading import list_games
from jminesweeper.store.blocking import run
from jminesweeper.store.memory import MemoryStore
from tests.world.games import ADA, ada_in, problems_of
from tests.world.player import new_game
from tests.world.server import KNOWN, World, late

FLAG = Act(3, 3, Button.FLAG, COVERED)
FLAG_BESIDE = Act(4, 3, Button.FLAG, COVERED)
FLAG_BELOW = Act(3, 4, Button.FLAG, COVERED)


def saved_length(store: MemoryStore, name: str) -> int:
    """Return how many entries a save has that can be loaded, 0 if it cannot."""
    saves = ada_in(store).saves
    opened = run(store, open_save(saves[name])) if name in saves else None
    length = 0 if opened is None else len(opened.entries) // 8
    return length if name in saves and saves[name].length == length else 0


def current_seed(store: MemoryStore) -> int | None:
    opened = run(store, open_game(ada_in(store).current))
    return None if opened is None else opened.game.setup.seed


def test_a_kill_while_a_name_is_used_again_leaves_a_save_that_can_be_loaded() -> None:
    world = late()
    ada = world.player()
    ada.say(KNOWN, new_game(1), FLAG, Save("one"))
    world.let_all_through()
    assert ada.messages[-1] == "Saved as one."
    ada.say(new_game(2), FLAG, FLAG_BESIDE, Save("one"))
    moments = world.let_all_through()
    assert len(moments) > 4
    assert [saved_length(moment, "one") for moment in moments].count(0) == 0
    assert saved_length(moments[-1], "one") == 2


def test_a_kill_during_an_append_leaves_the_former_save_of_the_game() -> None:
    world = late()
    ada = world.player()
    ada.say(KNOWN, new_game(1), FLAG, Save("one"))
    world.let_all_through()
    ada.say(FLAG_BESIDE)
    world.settle()
    ada.say(FLAG_BELOW, Save("one"))
    moments = world.let_all_through()
    assert {saved_length(moment, "one") for moment in moments} == {1, 3}


@pytest.mark.parametrize("seed", range(40))
def test_the_game_that_was_begun_last_is_the_current_one_however_late_the_store(
    seed: int,
) -> None:
    world, random = late(), Random(seed)
    ada = world.player()
    ada.say(KNOWN)
    world.let_all_through()
    packets = [new_game(1), FLAG, Save("one"), new_game(2), FLAG]
    while packets:
        if random.random() < 0.5:
            ada.say(packets.pop(0))
        elif random.random() < 0.5:
            world.let_through()
        else:
            change_settings(world)
    world.let_all_through()
    assert current_seed(world.store) == 2
    assert problems_of(world.store) == []


def change_settings(world: World) -> None:
    """Change a setting on another device, so that what is under way here conflicts."""
    elsewhere = PlayerCopy(ADA, Random(5).getrandbits)
    run(world.store, elsewhere.refresh())
    if elsewhere.is_known:
        run(world.store, put_player(elsewhere, "Ada", {}, 1_000_000_000))


def test_a_game_that_was_given_up_is_counted_whatever_moment_its_server_dies_at() -> None:
    world = late()
    ada = world.player()
    ada.say(KNOWN, new_game(1), FLAG, Save("one"))
    world.let_all_through()
    ada.say(new_game(2), FLAG)
    for moment in world.let_all_through()[1:]:
        World(store=moment, seed=2).pass_seconds(20)
        ((_, game),) = run(moment, list_games(ADA))
        assert game.outcome is not None
        assert game.outcome.status is Status.TERMINATED
        assert problems_of(moment) == []


def test_what_is_done_after_a_store_came_back_empty_is_stored_before_it_is_answered() -> None:
    world = late()
    ada = world.player()
    ada.say(KNOWN, new_game(1), FLAG)
    world.let_all_through()
    world.store = world.new_store()
    world.look_again()
    world.let_all_through()
    answered = len(ada.messages)
    ada.say(FLAG_BESIDE)
    assert len(ada.messages) == answered
    world.let_all_through()
    assert len(ada.messages) == answered + 1
    assert ada.members["left"] == 8


def test_a_game_that_was_just_replaced_is_listed_however_late_the_store() -> None:
    world = late()
    ada = world.player()
    ada.say(KNOWN, new_game(1), FLAG)
    world.let_all_through()
    ada.say(new_game(2), OpenMenu("saves"))
    world.let_all_through()
    assert "kept under Saves" in " ".join(ada.messages)
    assert [row["label"] for row in ada.members["menu"]["rows"]] == ["Save this game", "auto 1"]


@pytest.mark.parametrize("seed", range(40))
def test_no_game_is_set_aside_before_the_one_that_it_replaced(seed: int) -> None:
    world, random = late(), Random(seed)
    ada = world.player()
    ada.say(KNOWN, new_game(1), FLAG)
    world.let_all_through()
    ada.say(FLAG_BESIDE)
    world.settle()
    ada.say(*(packet for number in (2, 3, 4) for packet in (new_game(number), FLAG)))
    is_there = True
    while is_there:
        moment = world.copy()
        aside = [run(moment, open_game(each.code)) for each in ada_in(moment).saves.values()]
        seeds = [each.game.setup.seed or 0 for each in aside if each is not None]
        assert max(seeds, default=0) < (current_seed(moment) or 5)
        if random.random() < 0.3:
            change_settings(world)
        is_there = world.let_through()
    assert current_seed(world.store) == 4
    assert problems_of(world.store) == []


@pytest.mark.parametrize("packet", [Save("two"), Load("one")])
def test_a_save_of_a_new_board_and_a_load_leave_the_replaced_game_aside(
    packet: Save | Load,
) -> None:
    world = late()
    ada = world.player()
    ada.say(KNOWN, new_game(1), FLAG, Save("one"))
    world.let_all_through()
    ada.say(new_game(2), FLAG, new_game(3), packet)
    change_settings(world)
    world.let_all_through()
    assert current_seed(world.store) == (3 if isinstance(packet, Save) else 1)
    named = {"two": False} if isinstance(packet, Save) else {}
    names = {name: label.is_aside for name, label in ada_in(world.store).saves.items()}
    assert names == {"one": False, "auto 1": True, **named}


@pytest.mark.parametrize("seed", range(40))
def test_two_devices_that_replace_the_same_game_are_both_answered(seed: int) -> None:
    world, random = late(), Random(seed)
    ada, other = world.player(), world.player()
    ada.say(KNOWN, new_game(1), FLAG)
    world.let_all_through()
    steps = {
        ada: [FLAG_BESIDE, new_game(2), FLAG],
        other: [KNOWN, new_game(3), FLAG],
    }
    while any(steps.values()):
        device = random.choice([ada, other])
        if random.random() < 0.6 and steps[device]:
            device.say(steps[device].pop(0))
        else:
            world.let_through()
    world.let_all_through()
    assert [len(each.messages) for each in (ada, other)] == [6, 3]
    assert problems_of(world.store) == []


@pytest.mark.parametrize("seed", range(40))
def test_a_game_that_is_given_up_as_it_is_resumed_is_counted(seed: int) -> None:
    world, random = late(), Random(seed)
    ada = world.player()
    ada.say(KNOWN, new_game(1), FLAG, new_game(2), FLAG)
    world.let_all_through()
    packets = [Load("auto 1"), Save("one"), new_game(3), FLAG]
    while packets:
        if (chance := random.random()) < 0.4:
            ada.say(packets.pop(0))
        elif chance < 0.8:
            world.let_through()
        else:
            change_settings(world)
    while world.let_through():
        if random.random() < 0.5:
            change_settings(world)
        assert problems_of(world.copy()) == []


@pytest.mark.parametrize("seed", range(40))
def test_a_save_that_is_replaced_while_it_is_loaded_is_loaded_as_one_or_the_other(
    seed: int,
) -> None:
    world, random = late(), Random(seed)
    ada, other = world.player(), world.player()
    ada.say(KNOWN, new_game(1), FLAG, FLAG_BESIDE, FLAG_BELOW, Save("one"))
    world.let_all_through()
    other.say(KNOWN, new_game(2), FLAG)
    world.let_all_through()
    steps = [(ada, Load("one")), (other, Save("one"))]
    random.shuffle(steps)
    for device, packet in steps:
        device.say(packet)
        for _ in range(random.randrange(6)):
            world.let_through()
    ada.say(Save("two"))
    world.let_all_through()
    assert saved_length(world.store, "two") > 0
    assert problems_of(world.store) == []
