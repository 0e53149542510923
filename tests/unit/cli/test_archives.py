"""What commands that read a store have in common."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.cli.archives import describe, printable
from tests.unit.cli.kept_games import CUSTOM, DAY, EXPERT


@pytest.mark.parametrize("hostile", ["\x1b[2J", "a\nb", "\x9b31m", "\u202eevil", "\x07"])
def test_what_players_call_themselves_does_nothing_to_the_terminal(hostile: str) -> None:
    assert printable(hostile).isprintable()
    assert len(printable(hostile)) == len(hostile)


def test_honest_names_stay_as_they_are() -> None:
    assert printable("Änne ⚑ 李") == "Änne ⚑ 李"


def test_what_is_played_is_described_in_one_line() -> None:
    assert describe(EXPERT) == "expert 30x16, 99 mines, classic rules"
    one_mine = replace(CUSTOM, mine_count=1, is_no_guess=True)
    assert describe(one_mine) == "custom no-guess 5x4, 1 mine, classic rules"
    assert describe(replace(EXPERT, board="e\x9b", daily=DAY)) == (
        "daily e? 2026-11-18 30x16, 99 mines, classic rules"
    )
