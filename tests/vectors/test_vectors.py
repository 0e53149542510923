"""The codec does what the vectors say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jminesweeper.check.version_2 import KeptView
from jminesweeper.protocol.packets import Packet, UnknownPacket, View, encode
from jminesweeper.protocol.reader import PacketReader, StreamError
from jminesweeper.protocol.vocabulary import Command, Direction, PacketType
from tests.vectors.notation import FOLDER, Exchange, Vector, describe, load_exchanges, load_vectors

FILES = {
    "client-version-1.json": Direction.FROM_CLIENT,
    "client-version-2.json": Direction.FROM_CLIENT,
    "client-invalid.json": Direction.FROM_CLIENT,
    "server.json": Direction.FROM_SERVER,
}
VECTORS = [
    pytest.param(direction, vector, id=f"{Path(file).stem}: {vector['name']}")
    for file, direction in FILES.items()
    for vector in load_vectors(FOLDER / file)
]
SHOWN = {
    each["name"]: each
    for each in json.loads((FOLDER / "views.json").read_text(encoding="utf-8"))["views"]
}
EXCHANGES = [pytest.param(exchange, id=exchange["name"]) for exchange in load_exchanges()]


def read(direction: Direction, pieces: list[bytes]) -> tuple[list[Packet], str | None]:
    reader = PacketReader(direction)
    packets: list[Packet] = []
    for piece in pieces:
        try:
            packets += reader.feed(piece)
        except StreamError as error:
            return [*packets, *error.packets], error.reason
    return packets, None


def bytes_of(vector: Vector) -> list[bytes]:
    return [bytes.fromhex(piece) for piece in vector["pieces"]]


@pytest.mark.requirement(
    "J:Networking Protocol",
    "J:packet MOVE_LEFT",
    "J:packet MOVE_RIGHT",
    "J:packet MOVE_UP",
    "J:packet MOVE_DOWN",
    "J:packet REVEAL",
    "J:packet TOGGLE_BOMB_MARK",
    "J:packet START",
    "J:packet QUIT",
    "J:packet SCREEN_CONTENT",
    "J:packet TOGGLE_DEBUG_MODE",
)
@pytest.mark.parametrize(("direction", "vector"), VECTORS)
def test_the_bytes_say_what_the_vector_says(direction: Direction, vector: Vector) -> None:
    packets, reason = read(direction, bytes_of(vector))
    assert [describe(packet) for packet in packets] == vector["packets"]
    assert reason == vector.get("error")


@pytest.mark.parametrize(("direction", "vector"), VECTORS)
def test_the_bytes_say_the_same_one_by_one(direction: Direction, vector: Vector) -> None:
    stream = b"".join(bytes_of(vector))
    single_bytes = [stream[at : at + 1] for at in range(len(stream))]
    assert read(direction, single_bytes) == read(direction, bytes_of(vector))


@pytest.mark.parametrize(("direction", "vector"), VECTORS)
def test_the_packets_are_written_as_the_bytes_of_the_vector(
    direction: Direction, vector: Vector
) -> None:
    packets, reason = read(direction, bytes_of(vector))
    written = b"".join(map(encode, packets))
    stream = b"".join(bytes_of(vector))
    if any(isinstance(packet, UnknownPacket) for packet in packets):
        assert len(written) == len(stream)  # what was skipped is not remembered
    else:
        assert stream.startswith(written)
        assert len(written) == len(stream) or reason is not None


def test_every_packet_type_is_in_a_vector() -> None:
    described = {
        packet["packet"]
        for file in FILES
        for vector in load_vectors(FOLDER / file)
        for packet in vector["packets"]
    }
    assert {kind.name for kind in PacketType} <= described


def test_no_file_of_vectors_is_left_out() -> None:
    assert {path.name for path in FOLDER.glob("*.json")} == {*FILES, "exchanges.json", "views.json"}


@pytest.mark.parametrize("name", SHOWN)
def test_views_add_up_to_what_the_vector_says(name: str) -> None:
    kept = KeptView()
    for view in SHOWN[name]["views"]:
        packet = View(json.dumps(view["members"]).encode(), bytes.fromhex(view["cells"]))
        kept.apply(View.parse(packet.payload()))
    assert kept.members == SHOWN[name]["shown"]
    assert kept.faces.hex() == SHOWN[name]["faces"]


@pytest.mark.requirement("J:Networking Protocol")
@pytest.mark.parametrize("exchange", EXCHANGES)
def test_an_exchange_has_a_reply_for_each_packet_but_quit(exchange: Exchange) -> None:
    for step in exchange["steps"]:
        pieces = [bytes.fromhex(piece) for piece in step["send"]]
        packets, reason = read(Direction.FROM_CLIENT, pieces)
        assert (reason is not None) == step.get("error", False)
        if reason is None:
            assert step["replies"] == sum(packet is not Command.QUIT for packet in packets)
        assert step.get("closes", False) == (reason is not None or Command.QUIT in packets)
