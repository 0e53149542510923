"""The fuzz of the codec in short; `python -m tests.fuzz.codec --seconds N` is the long one."""

from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Direction
from tests.fuzz.codec import SEEDS, fuzz


def test_spoiled_streams_are_packets_or_the_one_error() -> None:
    assert fuzz(seed=9999, rounds=iter(range(2000))) == 2000


def test_the_fuzz_starts_from_a_packet_of_every_type() -> None:
    for direction, packets in SEEDS.items():
        assert PacketReader(direction).feed(b"".join(map(encode, packets))) == [*packets]
    assert set(SEEDS) == set(Direction)
