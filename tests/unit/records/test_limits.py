"""Limits on how often anything may happen."""

from __future__ import annotations

from jminesweeper.records.limits import Limits


def test_all_that_is_due_passes_at_once_and_not_again_before_its_interval() -> None:
    limits = Limits({"settle": (10_000, 1), "look": (2_000, 1)})
    assert {*limits.pass_all(1_000)} == {"settle", "look"}
    assert not limits.pass_all(2_999)
    assert [*limits.pass_all(3_000)] == ["look"]
    assert {*limits.pass_all(11_000)} == {"settle", "look"}


def test_what_is_put_off_passes_for_the_first_time_then() -> None:
    limits = Limits({"forget": (600_000, 1), "look": (2_000, 1)})
    limits.put_off("forget", 60_000)
    assert [*limits.pass_all(59_999)] == ["look"]
    assert {*limits.pass_all(62_000)} == {"forget", "look"}
