"""The payloads of the packets, byte for byte, and the errors of the codec."""

import pytest

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.protocol.errors import EncodeError, ProtocolError
from jminesweeper.protocol.packets import (
    LONGEST_NAME,
    Act,
    Code,
    Drop,
    FramedPacket,
    Hello,
    Hint,
    Load,
    LookBack,
    MoveTo,
    NewGame,
    Odds,
    OpenMenu,
    Pick,
    Replay,
    Save,
    ScreenContent,
    Seek,
    Start,
    Undo,
    UnknownPacket,
    View,
)
from jminesweeper.protocol.reader import StreamError
from jminesweeper.protocol.vocabulary import (
    Button,
    Command,
    Feature,
    FirstRevealCode,
    GameKind,
    NewGameFlag,
    PickWhat,
    RulesCode,
)

KEY = bytes(range(16))

PAYLOADS: list[tuple[FramedPacket, str]] = [
    (Start(columns=20, rows=10, level=1), "14 0a 01"),
    (Start(columns=0, rows=255, level=9), "00 ff 09"),
    (Hello(Feature.LIVE, KEY, "Ada"), f"02 04 10 {KEY.hex()} 03 416461"),
    (Hello(), "02 00 00 00"),
    (Hello(name="é", version=2), "02 00 00 02 c3a9"),
    (MoveTo(column=19, row=9), "13 09"),
    (
        NewGame(
            kind=GameKind.OWN,
            columns=30,
            rows=16,
            mines=300,
            level=2,
            rules=RulesCode.CLASSIC,
            first_reveal=FirstRevealCode.ZERO,
            flags=NewGameFlag.NO_GUESS | NewGameFlag.SEEDED,
            seed=0x0102030405060708,
        ),
        "00 1e 10 012c 02 01 02 03 0102030405060708",
    ),
    (NewGame(GameKind.EXPERT), "03 00 00 0000 00 00 ff 00 0000000000000000"),
    (Undo(), "0001"),
    (Undo(steps=513), "0201"),
    (Hint(1, 2), "01 02"),
    (Odds(1, 2), "01 02"),
    (Seek(1, 2), "01 02"),
    (Save("slot"), "04 736c6f74"),
    (Load(""), "00"),
    (Drop("slot"), "04 736c6f74"),
    (OpenMenu("help"), "04 68656c70"),
    (Code("é"), "02 c3a9"),
    (Act(3, 4, Button.FLAG, 16), "03 04 01 10"),
    (Pick("é", "row"), "00 02 c3a9 03 726f77 00"),
    (Pick("", "", "on", PickWhat.DROP), "01 00 00 02 6f6e"),
    (LookBack(2), "02"),
    (Replay(258), "0102"),
    (View(b'{"left":3}', b"\x10\x01"), "0002 10 01 7b226c656674223a337d"),
    (ScreenContent(b"? ?"), "3f 20 3f"),
]


@pytest.mark.parametrize(("packet", "payload"), PAYLOADS)
def test_a_packet_has_the_documented_bytes(packet: FramedPacket, payload: str) -> None:
    assert packet.payload() == bytes.fromhex(payload)


def test_a_skipped_packet_keeps_its_size() -> None:
    assert UnknownPacket(200, 3).payload() == bytes(3)


@pytest.mark.parametrize(
    "packet",
    [
        Start(256, 10, 1),
        Start(20, -1, 1),
        Undo(65536),
        NewGame(GameKind.OWN, seed=1 << 64),
        Hello(features=256),
        Hello(key=b"short"),
        Save("x" * 256),
        Pick("", "x" * 256),
        View(cells=bytes(65_536)),
    ],
)
def test_a_value_that_does_not_fit_its_field_is_refused_when_encoding(
    packet: FramedPacket,
) -> None:
    with pytest.raises(EncodeError):
        packet.payload()


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ("02 00 05 0102030405 00", "HELLO has another layout now"),
        ("02 00 10 00 00", "HELLO has another layout now"),
        ("02 00 00 01", "HELLO has another layout now"),
        ("02 0050 0018 03 01 00 01 00 00", "HELLO has another layout now"),
        ("02 00 00 01 ff", "The name in HELLO is not valid UTF-8."),
    ],
)
def test_a_hello_that_cannot_be_taken_apart_says_why(payload: str, reason: str) -> None:
    with pytest.raises(ProtocolError, match=reason):
        Hello.parse(bytes.fromhex(payload))


def test_a_hello_from_a_later_version_still_tells_its_version() -> None:
    assert Hello.parse(Hello(version=3).payload()).version == 3


def test_a_printed_hello_does_not_show_the_key() -> None:
    secret = b"correct horse ba"
    assert "horse" not in repr(Hello(key=secret, name="Ada"))


@pytest.mark.parametrize("name", ["", "slot", "Zoë", "x" * LONGEST_NAME])
def test_a_name_is_read_back_as_it_was_written(name: str) -> None:
    assert Save.parse(Save(name).payload()) == Save(name)


@pytest.mark.parametrize("name", ["x" * (LONGEST_NAME + 1), "é" * 128, "\ud800"])
def test_a_name_that_the_wire_has_no_room_or_form_for_is_refused(name: str) -> None:
    with pytest.raises(EncodeError, match="the name in LOAD"):
        Load(name).payload()


@pytest.mark.parametrize("payload", [b"", b"\x05slot", b"\x03slot"])
def test_a_name_of_another_length_than_it_says_is_refused(payload: bytes) -> None:
    with pytest.raises(ProtocolError, match="The name in SAVE is not as long as it says"):
        Save.parse(payload)


@pytest.mark.parametrize("value", [-1, 256])
def test_a_number_out_of_its_field_names_the_packet(value: int) -> None:
    with pytest.raises(EncodeError, match="LOOK_BACK does not fit the wire"):
        LookBack(value).payload()


@pytest.mark.parametrize("error", [ProtocolError("no"), EncodeError("no")])
def test_every_error_of_the_codec_is_one_of_the_package(error: Exception) -> None:
    assert isinstance(error, JMinesweeperError)


def test_an_error_of_a_stream_says_its_reason_and_carries_the_packets_that_came_before() -> None:
    error = StreamError("There is no packet of type 0.", [Command.REVEAL])
    assert str(error) == error.reason == "There is no packet of type 0."
    assert error.packets == (Command.REVEAL,)
