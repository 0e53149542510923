from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given

from jminesweeper.core.variant import Variant
from jminesweeper.store import Fault, FinishedGame, RunningGame, StoreUnavailableError
from jminesweeper.store.redis.encoding import (
    format_category,
    format_place,
    order_board,
    pack_finished,
    pack_running,
    parse_board,
    parse_category,
    unpack_finished,
    unpack_running,
)
from jminesweeper.store.values import reading_values
from tests.contract.examples import BEGINNER, EXPERT, MONDAY, OWN_RULES, TUESDAY, win
from tests.property.store_strategies import finished, games, players, variants


@given(games)
def test_a_running_game_survives_being_packed(game: RunningGame) -> None:
    assert unpack_running(pack_running(game)) == game


@given(finished(players))
def test_a_finished_game_survives_being_packed(game: FinishedGame) -> None:
    assert unpack_finished(game.player or "", pack_finished(game)) == game


@given(variants)
def test_a_category_survives_being_written(variant: Variant) -> None:
    assert parse_category(format_category(variant.category).encode()) == variant.category


@pytest.mark.parametrize(
    "board",
    [
        EXPERT,
        replace(BEGINNER, is_no_guess=True),
        replace(EXPERT, daily=MONDAY),
        replace(EXPERT, rules=OWN_RULES, daily=date.max),
        replace(EXPERT, daily=date.min),
    ],
)
def test_a_board_survives_being_written(board: Variant) -> None:
    assert parse_board(order_board(board).encode()) == board


def test_boards_sort_by_day_and_name() -> None:
    own = replace(EXPERT, rules=OWN_RULES)
    boards = [
        BEGINNER,
        EXPERT,
        own,
        replace(BEGINNER, daily=TUESDAY),
        replace(EXPERT, daily=TUESDAY),
        replace(BEGINNER, daily=MONDAY),
    ]
    assert sorted(boards, key=lambda board: order_board(board).encode()) == boards


def test_places_sort_by_time_and_end() -> None:
    wins = [
        win("a", 999, ended_at_s=5),
        win("b", 1000, ended_at_s=3),
        win("c", 1000, ended_at_s=20),
        win("d", (1 << 63) - 1, ended_at_s=0),
    ]
    assert sorted(wins, key=format_place) == wins


@pytest.mark.parametrize("packed", [b"", b"{}\n", b"[]\n", b'{"code": 1}\n', b"\xff", b"x" * 99])
def test_what_makes_no_sense_is_damaged(packed: bytes) -> None:
    for unpack in (unpack_running, lambda data: unpack_finished("ann", data)):
        with pytest.raises(StoreUnavailableError) as refusal, reading_values():
            unpack(packed)
        assert refusal.value.fault is Fault.DAMAGED
