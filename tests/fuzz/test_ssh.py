"""The attack on SSH in short; `python -m tests.fuzz.ssh --seconds N` is the long one."""

from tests.fuzz.ssh import fuzz


def test_whatever_an_ssh_client_says_harms_nobody() -> None:
    assert fuzz(seed=9999, rounds=iter(range(120))) == 120
