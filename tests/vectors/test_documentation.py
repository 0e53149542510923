"""The codec does as docs/protocol.md says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from struct import calcsize

import pytest

from jminesweeper.core.rules import CHOSEN_RULES, PRESETS
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, LEVELS
from jminesweeper.protocol.packets import (
    Act,
    BoardPacket,
    FixedPacket,
    Hello,
    Hint,
    LookBack,
    MoveTo,
    NewGame,
    OpenRoom,
    Ready,
    Replay,
    Say,
    Start,
    Undo,
    View,
)
from jminesweeper.protocol.reader import FORMATS, PacketReader
from jminesweeper.protocol.view import MEMBERS
from jminesweeper.protocol.vocabulary import (
    ANNOUNCEMENT,
    DAILY_BOARD,
    SAME_BOARD,
    Command,
    Direction,
    PacketType,
)
from jminesweeper.session.rights import RIGHTS
from tests.vectors.notation import Described, describe

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
SENDERS = {"C": Direction.FROM_CLIENT, "S": Direction.FROM_SERVER}
WIRE_LINE = re.compile(
    r"(?P<sender>[CS]) (?P<bytes>[0-9a-f ]*[0-9a-f]) {2,}(?P<packet>\w+)(?P<fields>( \w+=\w+)*)"
)


def example_session() -> list[re.Match[str]]:
    block = re.search(r"```wire\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    lines = [WIRE_LINE.fullmatch(line) for line in block[1].splitlines()]
    return [line for line in lines if line is not None] if all(lines) else []


def read_line(reader: PacketReader, line: re.Match[str]) -> Described:
    (packet,) = reader.feed(bytes.fromhex(line["bytes"]))
    return describe(packet)


def test_the_example_session_is_what_its_bytes_say() -> None:
    readers = {sender: PacketReader(direction) for sender, direction in SENDERS.items()}
    session = example_session()
    assert session
    for line in session:
        described = {
            name: str(value) for name, value in read_line(readers[line["sender"]], line).items()
        }
        claimed = dict(field.split("=") for field in line["fields"].split())
        assert described == described | {"packet": line["packet"]} | claimed, line[0]


@pytest.mark.requirement("J:exchange", "J:one reply")
def test_the_example_session_answers_every_packet_but_quit() -> None:
    senders = [line["sender"] for line in example_session()]
    assert senders == ["C", "S"] * (len(senders) // 2) + ["C"]
    assert example_session()[-1]["packet"] == Command.QUIT.name


def test_the_announcement_is_documented_byte_for_byte() -> None:
    assert f"\n{ANNOUNCEMENT.hex(' ')}  " in PAGE


def test_every_packet_is_in_a_table_with_its_number_and_sender() -> None:
    rows = re.findall(r"^\| (\d+) \| ([A-Z_]+) \| (client|server) \|", PAGE, re.MULTILINE)
    documented = {(int(number), name, sender) for number, name, sender in rows}
    senders = {
        kind: "server" if kind in FORMATS[Direction.FROM_SERVER] else "client"
        for kind in PacketType
    }
    assert documented == {(kind.value, kind.name, senders[kind]) for kind in PacketType}


@pytest.mark.parametrize("kind", sorted(FORMATS[Direction.FROM_CLIENT].keys() - {PacketType.START}))
def test_every_payload_is_documented_with_its_length(kind: int) -> None:
    length = FORMATS[Direction.FROM_CLIENT][kind].describe_length()
    assert f"| {kind} | {PacketType(kind).name} | client | {length} |" in PAGE


def layout_table(kind: PacketType) -> list[tuple[str, str, str]]:
    """Offset, bytes and field of each row below the heading of a packet."""
    section = PAGE.partition(f"### {kind.value} {kind.name}\n")[2].partition("\n### ")[0]
    table = section.strip().partition("\n\n")[0]
    return [(row[0], row[1], row[2]) for row in re.findall(r"\| (.+?) \| (.+?) \| (.+?) \|", table)]


@pytest.mark.requirement("J:packet START")
@pytest.mark.parametrize("packet", [Start, MoveTo, Undo, Hint, Act, LookBack, Replay, Ready, Say])
def test_fixed_fields_have_the_documented_offsets(packet: type[FixedPacket]) -> None:
    names = [*packet.__match_args__]
    assert layout_table(packet.packet_type)[1:] == rows_of(packet.layout.format, names)


def rows_of(layout: str, names: list[str]) -> list[tuple[str, str, str]]:
    """The rows of the table that a layout of `struct` asks for."""
    codes = layout.removeprefix(">")
    return [
        (str(calcsize(f">{codes[:at]}")), str(calcsize(f">{code}")), name)
        for at, (code, name) in enumerate(zip(codes, names, strict=True))
    ]


@pytest.mark.parametrize(
    ("packet", "names"),
    [
        (Hello, ["version", "features", "key length"]),
        (View, ["cells length"]),
        (NewGame, ["flags"]),
        (OpenRoom, ["kind", "mine", "flags"]),
    ],
)
def test_the_fixed_head_of_a_longer_packet_has_the_documented_offsets(
    packet: type[Hello | View | BoardPacket], names: list[str]
) -> None:
    rows = rows_of(packet.layout.format, names)
    assert layout_table(packet.packet_type)[1 : len(rows) + 1] == rows


def test_every_word_of_a_board_is_documented() -> None:
    section = PAGE.partition("### 15 NEW_GAME\n")[2].partition("\n### ")[0]
    words = {*CLASSIC_BOARDS, *LEVELS, CUSTOM, *PRESETS, SAME_BOARD, DAILY_BOARD, "no-guess"}
    rules = {name.replace("_", "-") for name in CHOSEN_RULES}
    told = {word for span in re.findall(r"`([^`]+)`", section) for word in re.split("[ =]", span)}
    assert (words | rules | {"seed", "first"}) - told == set()


def test_the_list_of_members_is_the_one_of_the_protocol() -> None:
    section = PAGE.partition("### 30 VIEW\n")[2].partition("\nA row has\n")[0]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (.+?) \| (.*?) \| ", section, re.MULTILINE)
    told = [
        (name, kind, default) for names, kind, default in rows for name in re.findall(r"\w+", names)
    ]
    assert told == [
        (
            name,
            member.kind,
            "-" if member.is_momentary else json.dumps(member.default).replace('""', "empty"),
        )
        for name, member in MEMBERS.items()
    ]


def test_every_key_is_documented() -> None:
    keys = {key for rights in RIGHTS.values() for key in rights.offers}
    told = PAGE.partition("The ids of `keys`")[2].partition("Each cell has")[0]
    assert keys <= set(re.findall(r"`(\w+)`", told))
