"""The boundary, around something that only notes what it met."""

from __future__ import annotations

import asyncio

import pytest

from jminesweeper.server.boundary import session_boundary


class Guest:
    def __init__(self) -> None:
        self.troubles: list[Exception] = []
        self.sum = 0

    def give_up(self, trouble: Exception) -> None:
        self.troubles.append(trouble)

    @session_boundary
    def divide(self, number: int, *, by: int) -> None:
        self.sum += number // by

    @session_boundary
    def be_cancelled(self) -> None:
        raise asyncio.CancelledError


def test_what_goes_well_goes_on() -> None:
    guest = Guest()
    guest.divide(6, by=2)
    assert (guest.sum, guest.troubles) == (3, [])


def test_a_bug_ends_only_what_it_happened_to() -> None:
    guest = Guest()
    guest.divide(6, by=0)
    assert [type(trouble) for trouble in guest.troubles] == [ZeroDivisionError]


def test_the_end_of_the_program_is_nobodys_bug() -> None:
    guest = Guest()
    with pytest.raises(asyncio.CancelledError):
        guest.be_cancelled()
    assert guest.troubles == []
