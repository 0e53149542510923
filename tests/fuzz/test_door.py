"""The attack on the door in short; `python -m tests.fuzz.door --seconds N` is the long one."""

from collections.abc import Callable

from tests.fuzz.door import fuzz


def test_whatever_a_connection_begins_with_harms_nobody(
    require_program: Callable[[str], str],
) -> None:
    require_program("openssl")
    assert fuzz(seed=9999, rounds=iter(range(200))) == 200
