"""The fuzz of sessions in short; `python -m tests.fuzz.session --seconds N` is the long one."""

from random import Random

from jminesweeper.protocol.packets import FROM_CLIENT, UnknownPacket
from jminesweeper.protocol.vocabulary import Command
from tests.fuzz.session import fuzz, make_packet


def test_random_play_gets_one_harmless_reply_to_each_packet() -> None:
    assert fuzz(seed=9999, rounds=iter(range(15))) > 750


def test_the_fuzz_sends_packets_of_every_type() -> None:
    rng = Random(1)
    sent = {type(make_packet(rng)) for _ in range(5_000)}
    assert sent == {Command, UnknownPacket, *FROM_CLIENT}
