"""What can go wrong with a server that is in use."""

from collections.abc import Iterator

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.store import (
    Enter,
    Fault,
    FencedError,
    FindPlayer,
    KnownPlayer,
    PutPlayer,
    PutRunning,
    StoreUnavailableError,
    UnknownPlayerError,
    pack_entries,
)
from jminesweeper.store.redis.backend import RedisDesk
from jminesweeper.store.redis.link import LIBRARY
from tests.contract.examples import ANN, BOB, GAME, NOBODY, append, note
from tests.ports import free_port
from tests.redis_process import RedisProcess
from tests.unit.store.redis.conftest import States, answers, desk_with_a_game, only, open_desk


@pytest.fixture
def states() -> States:
    return []


@pytest.fixture
def desk(redis: RedisProcess, states: States) -> Iterator[RedisDesk]:
    with desk_with_a_game(redis.url, states) as opened:
        yield opened


def fault(desk: RedisDesk, operation: object) -> Fault:
    answer = only(desk, operation)
    assert isinstance(answer, StoreUnavailableError), answer
    return answer.fault


def kept_entries(desk: RedisDesk) -> bytes:
    game = only(desk, Enter(ANN, "", "next")).game
    assert game is not None
    entries: bytes = game.entries
    return entries


def test_what_one_write_is_refused_does_not_touch_the_others(desk: RedisDesk) -> None:
    given = answers(
        desk,
        append(1, 3),
        append(2, 4, owner="second"),
        append(2, 4, player=NOBODY),
        append(2, 4),
    )
    assert [type(answer) for answer in given] == [int, FencedError, UnknownPlayerError, int]
    assert kept_entries(desk) == pack_entries([1, 2, 3, 4])


def test_answers_come_in_the_order_of_the_questions(desk: RedisDesk) -> None:
    given = answers(desk, FindPlayer(ANN), append(1, 3), FindPlayer(BOB), append(2, 4))
    assert given == [KnownPlayer(ANN, "Ann", {}, 1), 2, None, 3]


def test_what_is_acknowledged_survives_a_kill(
    redis: RedisProcess, desk: RedisDesk, states: States
) -> None:
    for number in range(3, 100):
        assert only(desk, append(number - 2, number)) == number - 1
    redis.kill()
    assert fault(desk, append(98, 100)) is Fault.UNREACHABLE
    assert fault(desk, FindPlayer(ANN)) is Fault.UNREACHABLE
    redis.start()
    assert kept_entries(desk) == pack_entries(range(1, 100))
    assert states == [Fault.UNREACHABLE, None]


def test_a_connection_that_is_lost_while_nobody_plays_is_made_anew(
    redis: RedisProcess, desk: RedisDesk, states: States
) -> None:
    redis.client.client_kill_filter(_type="normal", skipme=True)
    assert desk.answer([]) == []
    assert only(desk, append(1, 3)) == 2
    assert states == [Fault.UNREACHABLE, None]


def test_a_server_that_is_full_answers_questions_and_takes_no_writes(
    redis: RedisProcess, desk: RedisDesk, states: States
) -> None:
    redis.client.config_set("maxmemory", 1)
    assert fault(desk, append(1, 3)) is Fault.OUT_OF_MEMORY
    assert answers(desk, FindPlayer(ANN)) == [KnownPlayer(ANN, "Ann", {}, 1)]
    redis.client.config_set("maxmemory", 0)
    assert only(desk, append(1, 3)) == 2
    assert states == [Fault.OUT_OF_MEMORY, None]


def test_a_server_that_became_a_replica_takes_no_writes(
    redis: RedisProcess, desk: RedisDesk, states: States
) -> None:
    redis.client.replicaof("127.0.0.1", str(free_port()))
    assert fault(desk, append(1, 3)) is Fault.READ_ONLY
    assert only(desk, FindPlayer(ANN)) == KnownPlayer(ANN, "Ann", {}, 1)
    redis.client.replicaof("NO", "ONE")
    assert only(desk, append(1, 3)) == 2
    assert states == [Fault.READ_ONLY, None]


def test_a_server_that_loads_is_waited_for(
    redis: RedisProcess, desk: RedisDesk, states: States
) -> None:
    with redis.client.pipeline(transaction=False) as pipeline:
        for number in range(8_000):
            pipeline.set(f"filler:{number}", "x")
        pipeline.execute()
    redis.kill()
    assert fault(desk, append(1, 3)) is Fault.UNREACHABLE
    redis.start_loading(key_load_delay=100)
    assert fault(desk, append(1, 3)) is Fault.LOADING
    redis.wait_until_ready()
    assert only(desk, append(1, 3)) == 2
    assert states == [Fault.UNREACHABLE, Fault.LOADING, None]


def test_a_frozen_server_is_not_waited_for(redis: RedisProcess, states: States) -> None:
    # More than a busy machine needs for a reply when nothing is wrong.
    with desk_with_a_game(f"{redis.url}?socket_timeout=2", states) as desk:
        redis.freeze()
        assert fault(desk, append(1, 3)) is Fault.UNREACHABLE
        redis.thaw()
        # Whether the write arrived is not known; that it is applied once is.
        assert only(desk, append(1, 3)) == 2
        assert kept_entries(desk) == pack_entries([1, 2, 3])


def test_functions_that_were_deleted_are_loaded_again(
    redis: RedisProcess, desk: RedisDesk, states: States
) -> None:
    redis.client.function_delete(LIBRARY)
    assert fault(desk, append(1, 3)) is Fault.FAILING
    assert only(desk, append(1, 3)) == 2
    assert states == [Fault.FAILING, None]


def test_a_store_that_was_emptied_takes_up_the_games_of_those_who_play(
    redis: RedisProcess, desk: RedisDesk, states: States
) -> None:
    redis.client.flushall()
    assert isinstance(only(desk, append(1, 3)), UnknownPlayerError)
    assert only(desk, PutRunning(ANN, "first", GAME)) == 1
    assert redis.client.exists("jm:schema")
    assert states == []


def test_a_damaged_key_concerns_its_player_alone(redis: RedisProcess, desk: RedisDesk) -> None:
    answers(desk, PutPlayer(BOB, "Bob", {}, 1), PutRunning(BOB, "bobs", GAME))
    redis.client.delete(f"jm:log:{BOB}")
    redis.client.set(f"jm:log:{BOB}", "other")
    given = answers(desk, append(1, 3, player=BOB, owner="bobs"), append(1, 3))
    assert given[1] == 2
    assert isinstance(given[0], StoreUnavailableError)
    assert given[0].fault is Fault.DAMAGED


def test_values_that_make_no_sense_are_damage(redis: RedisProcess, desk: RedisDesk) -> None:
    redis.client.lset(f"jm:log:{ANN}", 0, "other")
    assert fault(desk, Enter(ANN, "", "next")) is Fault.DAMAGED
    assert only(desk, FindPlayer(ANN)) == KnownPlayer(ANN, "Ann", {}, 1)


def test_nothing_is_acknowledged_that_no_replica_has(
    redis: RedisProcess, replica: RedisProcess, states: States
) -> None:
    with desk_with_a_game(f"{redis.url}?replicas=1", states) as desk:
        replica.kill()
        assert fault(desk, append(1, 3)) is Fault.UNREPLICATED
        assert fault(desk, append(1, 3)) is Fault.UNREPLICATED
        replica.start()
        redis.await_replicas()
        assert only(desk, append(1, 3)) == 2
        assert states == [Fault.UNREPLICATED, None]


def test_a_server_that_lost_its_only_replica_serves_alone(
    redis: RedisProcess, replica: RedisProcess, states: States
) -> None:
    with desk_with_a_game(redis.url, states) as desk:
        replica.kill()
        assert fault(desk, append(1, 3)) is Fault.UNREPLICATED
        assert only(desk, append(1, 3)) == 2
        assert states == [Fault.UNREPLICATED, None]


def test_a_replica_has_what_is_acknowledged_when_it_takes_over(
    redis: RedisProcess, replica: RedisProcess, states: States
) -> None:
    with desk_with_a_game(redis.url, states) as desk:
        for number in range(3, 100):
            assert only(desk, append(number - 2, number)) == number - 1
        assert only(desk, note(7_000)) is None
        redis.kill()
        replica.client.replicaof("NO", "ONE")
    with open_desk(replica.url, states) as desk:
        game = only(desk, Enter(ANN, "", "next")).game
        assert game.entries == pack_entries(range(1, 100))
        assert (game.clock_ms, game.cursor) == (7_000, Cell(7, 8))
