"""What was acknowledged stays, whatever moment a server is killed at and however late its store."""

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
from tests.late_server import ADA, HELLO, LateServer, ada_in, new_game, problems_of
from tests.unit.server.fakes import turn

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


async def test_a_kill_while_a_name_is_used_again_leaves_a_save_that_can_be_loaded() -> None:
    server = LateServer()
    ada = server.connect()
    ada.say(HELLO, new_game(1), FLAG, Save("one"))
    await server.rest()
    assert ada.look_at_replies()[-1] == "Saved as one."
    ada.say(new_game(2), FLAG, FLAG_BESIDE, Save("one"))
    moments = await server.rest()
    assert len(moments) > 4
    assert [saved_length(moment, "one") for moment in moments].count(0) == 0
    assert saved_length(moments[-1], "one") == 2


async def test_a_kill_during_an_append_leaves_the_former_save_of_the_game() -> None:
    server = LateServer()
    ada = server.connect()
    ada.say(HELLO, new_game(1), FLAG, Save("one"))
    await server.rest()
    ada.say(FLAG_BESIDE)
    await turn()
    ada.say(FLAG_BELOW, Save("one"))
    moments = await server.rest()
    assert {saved_length(moment, "one") for moment in moments} == {1, 3}


@pytest.mark.parametrize("seed", range(40))
async def test_the_game_that_was_begun_last_is_the_current_one_however_late_the_store(
    seed: int,
) -> None:
    server, random = LateServer(), Random(seed)
    ada = server.connect()
    ada.say(HELLO)
    await server.rest()
    packets = [new_game(1), FLAG, Save("one"), new_game(2), FLAG]
    while packets:
        if random.random() < 0.5:
            ada.say(packets.pop(0))
        elif random.random() < 0.5:
            await server.let_through()
        else:
            change_settings(server)
    await server.rest()
    assert current_seed(server.store.kept) == 2
    assert problems_of(server.store.kept) == []


def change_settings(server: LateServer) -> None:
    """Change a setting on another device, so that what is under way here conflicts."""
    elsewhere = PlayerCopy(ADA, Random(5).getrandbits)
    run(server.store.kept, elsewhere.refresh())
    if elsewhere.is_known:
        run(server.store.kept, put_player(elsewhere, "Ada", {}, 1_000_000_000))


async def test_a_game_that_was_given_up_is_counted_whatever_moment_its_server_dies_at() -> None:
    server = LateServer()
    ada = server.connect()
    ada.say(HELLO, new_game(1), FLAG, Save("one"))
    await server.rest()
    ada.say(new_game(2), FLAG)
    for moment in (await server.rest())[1:]:
        heir = LateServer(moment, seed=1)
        await heir.settle()
        ((_, game),) = run(moment, list_games(ADA))
        assert game.outcome is not None
        assert game.outcome.status is Status.TERMINATED
        assert problems_of(moment) == []


async def test_what_is_done_after_a_store_came_back_empty_is_stored_before_it_is_answered() -> None:
    server = LateServer()
    ada = server.connect()
    ada.say(HELLO, new_game(1), FLAG)
    await server.rest()
    server.store.kept = MemoryStore()
    server.hub.keeper.look_again()
    await server.rest()
    answered = len(ada.look_at_replies())
    ada.say(FLAG_BESIDE)
    assert len(ada.look_at_replies()) == answered
    await server.rest()
    assert len(ada.look_at_replies()) == answered + 1
    assert ada.members["left"] == 8


async def test_a_game_that_was_just_replaced_is_listed_however_late_the_store() -> None:
    server = LateServer()
    ada = server.connect()
    ada.say(HELLO, new_game(1), FLAG)
    await server.rest()
    ada.say(new_game(2), OpenMenu("saves"))
    await server.rest()
    assert "kept under Saves" in " ".join(ada.look_at_replies())
    assert [row["label"] for row in ada.members["menu"]["rows"]] == ["Save this game", "auto 1"]


@pytest.mark.parametrize("seed", range(40))
async def test_no_game_is_set_aside_before_the_one_that_it_replaced(seed: int) -> None:
    server, random = LateServer(), Random(seed)
    ada = server.connect()
    ada.say(HELLO, new_game(1), FLAG)
    await server.rest()
    ada.say(FLAG_BESIDE)
    await turn()
    ada.say(*(packet for number in (2, 3, 4) for packet in (new_game(number), FLAG)))
    is_there = True
    while is_there:
        moment = server.copy()
        aside = [run(moment, open_game(each.code)) for each in ada_in(moment).saves.values()]
        seeds = [each.game.setup.seed or 0 for each in aside if each is not None]
        assert max(seeds, default=0) < (current_seed(moment) or 5)
        if random.random() < 0.3:
            change_settings(server)
        is_there = await server.let_through()
    assert current_seed(server.store.kept) == 4
    assert problems_of(server.store.kept) == []


@pytest.mark.parametrize("packet", [Save("two"), Load("one")])
async def test_a_save_of_a_new_board_and_a_load_leave_the_replaced_game_aside(
    packet: Save | Load,
) -> None:
    server = LateServer()
    ada = server.connect()
    ada.say(HELLO, new_game(1), FLAG, Save("one"))
    await server.rest()
    ada.say(new_game(2), FLAG, new_game(3), packet)
    change_settings(server)
    await server.rest()
    assert current_seed(server.store.kept) == (3 if isinstance(packet, Save) else 1)
    named = {"two": False} if isinstance(packet, Save) else {}
    names = {name: label.is_aside for name, label in ada_in(server.store.kept).saves.items()}
    assert names == {"one": False, "auto 1": True, **named}


@pytest.mark.parametrize("seed", range(40))
async def test_two_devices_that_replace_the_same_game_are_both_answered(seed: int) -> None:
    server, random = LateServer(), Random(seed)
    ada, other = server.connect(), server.connect()
    ada.say(HELLO, new_game(1), FLAG)
    await server.rest()
    steps = {
        ada: [FLAG_BESIDE, new_game(2), FLAG],
        other: [HELLO, new_game(3), FLAG],
    }
    while any(steps.values()):
        device = random.choice([ada, other])
        if random.random() < 0.6 and steps[device]:
            device.say(steps[device].pop(0))
        else:
            await server.let_through()
    await server.rest()
    assert [len(each.look_at_replies()) for each in (ada, other)] == [6, 3]
    assert problems_of(server.store.kept) == []


@pytest.mark.parametrize("seed", range(40))
async def test_a_game_that_is_given_up_as_it_is_resumed_is_counted(seed: int) -> None:
    server, random = LateServer(), Random(seed)
    ada = server.connect()
    ada.say(HELLO, new_game(1), FLAG, new_game(2), FLAG)
    await server.rest()
    packets = [Load("auto 1"), Save("one"), new_game(3), FLAG]
    while packets:
        if (chance := random.random()) < 0.4:
            ada.say(packets.pop(0))
        elif chance < 0.8:
            await server.let_through()
        else:
            change_settings(server)
    while await server.let_through():
        if random.random() < 0.5:
            change_settings(server)
        assert problems_of(server.copy()) == []


@pytest.mark.parametrize("seed", range(40))
async def test_a_save_that_is_replaced_while_it_is_loaded_is_loaded_as_one_or_the_other(
    seed: int,
) -> None:
    server, random = LateServer(), Random(seed)
    ada, other = server.connect(), server.connect()
    ada.say(HELLO, new_game(1), FLAG, FLAG_BESIDE, FLAG_BELOW, Save("one"))
    await server.rest()
    other.say(HELLO, new_game(2), FLAG)
    await server.rest()
    steps = [(ada, Load("one")), (other, Save("one"))]
    random.shuffle(steps)
    for device, packet in steps:
        device.say(packet)
        for _ in range(random.randrange(6)):
            await server.let_through()
    ada.say(Save("two"))
    await server.rest()
    assert saved_length(server.store.kept, "two") > 0
    assert problems_of(server.store.kept) == []
