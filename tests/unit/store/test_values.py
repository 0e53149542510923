import random
from dataclasses import replace
from typing import Any

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.store.errors import StoreLimitError
from jminesweeper.store.values import (
    MAX_ENTRIES_BYTES,
    MAX_LABEL_CHARS,
    MAX_NUMBER,
    MAX_SAVES,
    MAX_SETTINGS_CHARS,
    KnownPlayer,
    RunningGame,
    Total,
    check_save_count,
    game_code,
    pack_entries,
    player_id,
    unpack_entries,
)
from tests.contract.examples import CUSTOM, EXPERT, GAME, WIN, loss, win


def test_entries_are_eight_bytes_each_and_little_endian() -> None:
    assert pack_entries([1, 2**64 - 1]) == b"\x01" + bytes(7) + b"\xff" * 8


def test_unpacked_entries_replay_the_game_that_was_packed() -> None:
    setup = Setup.of(Size(9, 9), 10, PRESETS["classic"], seed=5)
    game = Game(setup)
    game.reveal(Cell(0, 0), 0)
    game.flag(Cell(8, 8), 1500)
    again = Game.replay(setup, unpack_entries(pack_entries(game.log.entries)))
    assert again.view == game.view


def test_a_players_id_is_a_hash_that_does_not_contain_the_secret() -> None:
    secret = bytes(range(16))
    assert player_id(secret) == player_id(secret)
    assert player_id(secret) != player_id(bytes(16))
    assert len(player_id(secret)) == 32
    assert secret.hex() not in player_id(secret)


def test_codes_are_short_and_have_no_letters_that_are_read_as_others() -> None:
    codes = {game_code(random.Random(seed).getrandbits) for seed in range(500)}
    assert len(codes) == 500
    assert {len(code) for code in codes} == {10}
    assert not set("".join(codes)) & set("ilouILOU-_ ")


def test_a_win_ranks_only_when_nothing_helped_and_its_board_has_a_leaderboard() -> None:
    assert WIN.is_ranked
    assert not replace(WIN, is_assisted=True).is_ranked
    assert not loss("x").is_ranked
    assert not win("x", variant=EXPERT.as_repeat()).is_ranked
    assert not win("x", variant=CUSTOM).is_ranked


def test_totals_add_up() -> None:
    assert Total(EXPERT, won=1, lost=2, terminated=3).played == 6


def test_what_is_at_its_limit_is_kept() -> None:
    KnownPlayer("p" * MAX_LABEL_CHARS, settings={"k": "v" * (MAX_SETTINGS_CHARS - 1)})
    RunningGame("c", GAME.setup, bytes(MAX_ENTRIES_BYTES), MAX_NUMBER, Cell(255, 255))
    check_save_count(MAX_SAVES)


@pytest.mark.parametrize(
    "changes",
    [
        {"code": "c" * (MAX_LABEL_CHARS + 1)},
        {"code": "\ud800"},
        {"setup": Setup.of(Size(2, 2), 1, Rules("r" * (MAX_LABEL_CHARS + 1)), seed=1)},
        {"begun_at_ms": -1},
        {"entries": bytes(7)},
        {"entries": bytes(MAX_ENTRIES_BYTES + 8)},
        {"clock_ms": -1},
        {"clock_ms": MAX_NUMBER + 1},
        {"cursor": Cell(256, 0)},
        {"cursor": Cell(0, -1)},
    ],
)
def test_a_running_game_beyond_the_limits_cannot_be_made(changes: dict[str, Any]) -> None:
    with pytest.raises(StoreLimitError):
        replace(GAME, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"status": Status.ONGOING},
        {"time_ms": -1},
        {"ended_at_s": -1},
        {"wall_ms": -1},
        {"setup": Setup(replace(CUSTOM, board="b" * (MAX_LABEL_CHARS + 1)), seed=1)},
        {"figures": {"f" * (MAX_LABEL_CHARS + 1): 1.0}},
        {"code": "\udfff"},
    ],
)
def test_a_finished_game_beyond_the_limits_cannot_be_made(changes: dict[str, Any]) -> None:
    with pytest.raises(StoreLimitError):
        replace(WIN, **changes)


def test_a_player_beyond_the_limits_cannot_be_made() -> None:
    with pytest.raises(StoreLimitError):
        KnownPlayer("p", name="n" * (MAX_LABEL_CHARS + 1))
    with pytest.raises(StoreLimitError):
        KnownPlayer("p", settings={"k": "v" * MAX_SETTINGS_CHARS})
    with pytest.raises(StoreLimitError):
        KnownPlayer("p", created_at_s=-1)
    with pytest.raises(StoreLimitError):
        check_save_count(MAX_SAVES + 1)
