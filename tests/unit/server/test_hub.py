"""Connections share limits, the store, questions, and who plays whose game."""

from __future__ import annotations

import asyncio
import logging
import threading

import pytest

from jminesweeper.bus import player_topic
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import COVERED
from jminesweeper.protocol.packets import Act, OpenMenu, Start, Undo, encode
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.records.documents import QUICK_LOG_BYTES
from jminesweeper.records.reviews import Verdict
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import BUG
from jminesweeper.server.hub import MAX_REFUSED, ORIGIN_FULL, SERVER_FULL, SWEEP_STEPS
from jminesweeper.session.reply import FoundReview, Rebuild
from jminesweeper.store.port import Fault, Read, StoreUnavailableError
from tests.unit.server.fakes import turn
from tests.world.games import ADA, flagged
from tests.world.player import SEEN, Player
from tests.world.server import KNOWN, LIVE, World, alone, seated

FLAG = Act(0, 0, Button.FLAG, SEEN)
START = Start(9, 9, 1)


def limited(connections: int, per_address: int = 0) -> World:
    return World(server=ServerConfig(max_connections=connections, max_per_address=per_address))


def refusal(player: Player) -> str:
    """Return the words to somebody who is not let in; empty if they are."""
    return "" if player.is_connected else player.text.strip()


# Limits


def test_a_full_server_lets_nobody_in_until_somebody_leaves() -> None:
    world = limited(1)
    first = world.player().do(START)
    late = world.player()
    world.settle()
    assert SERVER_FULL in refusal(late)
    late.say(START)
    assert len(late.replies) == 1
    first.hang_up()
    assert "mines left" in world.player().send(START).text


def test_who_is_refused_counts_neither_as_a_player_nor_against_the_limits() -> None:
    world = limited(2)
    _, second, _ = (world.player() for _ in range(3))
    second.hang_up()
    world.player().send(START)
    totals = world.hub.totals
    assert (totals.connections, totals.refused.total()) == (3, 1)


def test_one_origin_has_a_limit_of_its_own() -> None:
    world = limited(0, per_address=1)
    first, late, elsewhere = (world.player(address=f"192.0.2.{host}") for host in (1, 1, 2))
    world.settle()
    assert ORIGIN_FULL in refusal(late)
    assert refusal(elsewhere) == ""
    first.hang_up()
    late = world.player(address="192.0.2.1")
    world.settle()
    assert refusal(late) == ""


def test_a_limit_of_zero_is_none() -> None:
    world = limited(0)
    players = [world.player() for _ in range(99)]
    world.settle()
    assert {refusal(each) for each in players} == {""}


def test_a_crowd_that_is_refused_is_dropped_without_a_word() -> None:
    world = limited(1)
    _, *crowd = (world.player() for _ in range(MAX_REFUSED + 2))
    assert [bool(each.transport.writes) for each in crowd] == [True] * MAX_REFUSED + [False]
    assert crowd[-1].transport.is_aborted


def test_who_comes_while_the_server_says_goodbye_is_told_as_well() -> None:
    world = World()
    first = world.player().do(START)
    world.have(world.hub.say_goodbye, "The server stops.")
    late = world.player()
    world.settle()
    for player in (first, late):
        assert "The server stops." in refusal(player)


def test_all_are_looked_at_in_turn_each_once() -> None:
    world = World(server=ServerConfig())
    players = [world.player().do(START) for _ in range(12)]
    world.let_pass(900_000)
    gone = []
    for _ in range(SWEEP_STEPS):
        with world.loop.running():
            world.hub.check_time()
        gone.append(sum(each.transport.is_half_closed for each in players))
    assert 0 < gone[0] <= 3
    assert gone[-1] == len(players)


# Coming and going


def test_coming_and_going_is_logged_with_duration_and_counts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        player = alone().do(Start(1, 1, 1), Command.REVEAL, 12_500)
        player.hang_up()
        totals = player.world.hub.totals
        assert (totals.connections, totals.packets, totals.games) == (1, 2, 1)
    peer = player.connection.peer
    assert caplog.messages == [
        f"{peer} connected",
        f"{peer} left after 12.5 s: 2 packets, 1 games ended",
    ]
    assert vars(caplog.records[1])["duration_s"] == 12.5


def test_the_last_to_leave_ends_the_waiting() -> None:
    world = World()
    player = world.player()
    with world.loop.running():
        waiting = world.loop.create_task(world.hub.emptied(60))
    world.settle()
    assert not waiting.done()
    player.hang_up()
    assert waiting.done()
    assert not world.hub.connections


# Players


def test_the_players_of_a_server_are_counted_once_on_whatever_devices() -> None:
    world = World()
    first, second = world.player().do(KNOWN), world.player().do(KNOWN)
    world.friend("Bob")
    assert world.hub.players == 2
    first.hang_up()
    assert world.hub.players == 2
    second.hang_up()
    assert world.hub.players == 1


def test_nobody_hears_of_the_games_of_others() -> None:
    world = World()
    player = world.player().do(LIVE, START, FLAG)
    world.take_operations()
    world.publish(player_topic("you"), b"other")
    world.settle()
    assert world.operations == []
    world.publish(player_topic(ADA), b"other")
    world.settle()
    assert world.operations
    assert player.members["size"] == [9, 9]


# The store


def test_what_is_asked_in_one_step_is_handed_over_together() -> None:
    world = World()
    ada, bob = world.player().do(KNOWN, START), world.friend("Bob").do(START)
    with world.slow_store(), world.loop.running():
        for player in (ada, bob):
            player.connection.hear(encode(Act(0, 0, Button.FLAG, COVERED)))
        assert not world.line.waiting
        world.loop.step()
        (batch,) = world.line.waiting
        assert len(batch) >= 2


def test_a_question_does_not_wait_until_a_flood_has_had_its_turns() -> None:
    world = World()
    flood, ada = world.player().do(START), world.player().do(START)
    flood.connection.debt_ns = 10**9
    with world.slow_store(), world.loop.running():
        flood.connection.hear(bytes((2,)) * 99)
        ada.connection.hear(encode(KNOWN))
        world.loop.step()
        assert any(isinstance(job.operation, Read) for job in world.line.waiting[0])


def test_what_was_not_handed_over_yet_is_when_the_hub_closes() -> None:
    world = World()
    ada = world.player().do(KNOWN, START)
    world.line.is_held = True
    with world.loop.running():
        ada.connection.hear(encode(Act(0, 0, Button.FLAG, COVERED)))
        world.hub.close()
    assert len(world.line.waiting) == 1
    world.settle()
    assert len(world.line.waiting) == 1


def test_an_errand_that_fails_ends_nothing() -> None:
    player, world = seated("*..\n...\n...")
    player.do(FLAG)
    world.fault = StoreUnavailableError(Fault.FULL)
    # To note a cursor is an errand: no reply waits for it.
    player.do(10_000, Command.MOVE_RIGHT, 10_000, Command.MOVE_RIGHT)
    assert player.notes
    assert player.is_connected


# Questions and work


def test_a_review_is_worked_out_while_play_continues_and_comes_back_as_an_event() -> None:
    player, world = seated("*..\n...\n..*", hello=LIVE)
    player.say(Command.REVEAL, OpenMenu("help"), OpenMenu(""))
    assert len(world.works) == 1
    world.reviewed(FoundReview((("guesses", "1"),), Verdict(0.5)))
    assert player.look()
    assert "guesses 1" in player.text


def test_what_waits_for_a_worker_is_forgotten_with_its_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, world = seated("*..\n...\n..*", hello=LIVE)
    player.send(Command.REVEAL)
    forgotten: list[object] = []
    monkeypatch.setattr(world.hub.backend.workers, "forget", forgotten.append)
    player.hang_up()
    assert forgotten == [player.connection]
    replies = len(player.replies)
    world.reviewed(None)
    assert len(player.replies) == replies


def long_game(world: World) -> Player:
    """Connect Ada, whose game is so long that it is replayed beside the loop."""
    world.put(flagged("*..\n...\n...", QUICK_LOG_BYTES // 8 + 1))
    return world.player()


def test_a_bug_in_rebuilding_ends_one_connection() -> None:
    world = World()
    other, player = world.player().do(START), long_game(world)

    def fail(_: object) -> object:
        raise ZeroDivisionError("a bug")

    world.rebuild = fail
    with pytest.raises(ZeroDivisionError):
        player.say(KNOWN)
    player.see()
    assert BUG in refusal(player)
    assert "mines left" in other.send(Undo(1)).text


async def test_what_is_to_be_rebuilt_when_the_hub_closes_is_given_up() -> None:
    world, gate, answers = World(), threading.Event(), list[object]()
    world.rebuild = lambda _: gate.wait()
    player = world.player()
    for _ in range(2):
        world.hub.ask(Rebuild(Setup.of("beginner", seed=1), b""), player.connection, answers.append)
    world.hub.close()
    gate.set()
    await asyncio.get_running_loop().run_in_executor(None, world.hub._rebuilder.shutdown)
    await turn()
    assert len(answers) < 2
