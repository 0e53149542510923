"""Version 2 of the wire, on servers that announce it."""

from __future__ import annotations

import dataclasses

import pytest

from jminesweeper.protocol import (
    ANNOUNCEMENT,
    Act,
    Button,
    Command,
    Drop,
    GameKind,
    Hello,
    Jump,
    JumpTo,
    Load,
    MoveTo,
    NewGame,
    NewGameFlag,
    Packet,
    PatchFlag,
    Pointer,
    Resize,
    Save,
    ScreenContent,
    ScreenFormat,
    ScreenPatch,
    Start,
    Text,
    Undo,
    UnknownPacket,
    View,
    encode,
)
from tests.conformance.peer import Address, Peer
from tests.conformance.terminal import Terminal, find_hidden_field
from tests.property.cells_client import CellsClient

pytestmark = pytest.mark.usefixtures("needs_version_2")

ANSI = Hello(80, 24)
PLAIN = dataclasses.replace(ANSI, format=ScreenFormat.PLAIN)
CELLS = dataclasses.replace(ANSI, format=ScreenFormat.CELLS)
START = Start(20, 10, 1)
ODDITIES: list[Packet] = [
    UnknownPacket(30, 0),
    UnknownPacket(200, 5000),
    MoveTo(255, 255),
    NewGame(kind=99),
    NewGame(GameKind.OWN, columns=0, rows=0, mines=0),
    NewGame(GameKind.OWN, columns=9, rows=9, mines=65535),
    NewGame(GameKind.LEVEL, columns=9, rows=9, level=7),
    NewGame(GameKind.BEGINNER, rules=77),
    NewGame(GameKind.BEGINNER, first_reveal=78),
    NewGame(GameKind.BEGINNER, flags=0xFF, seed=(1 << 64) - 1),
    Undo(0),
    Undo(65535),
    Pointer(65535, 65535, Button.REVEAL),
    Pointer(5, 5, 99),
    Jump(99),
    Save(""),
    Save("\x1b[2J\x07"),
    Load("no such game"),
    Drop("no such game"),
    Text("\x1b[2J\x07"),
    Command.ERASE,
    Resize(0, 0),
    Resize(65535, 65535),
    Resize(1, 1),
]
PACKETS: list[Packet] = [
    *[command for command in Command if command is not Command.QUIT],
    *[NewGame(kind, columns=9, rows=9, mines=10, level=1) for kind in GameKind],
    *[Pointer(5, 5, button) for button in Button],
    *[Jump(target) for target in JumpTo],
    START,
    MoveTo(3, 4),
    Undo(),
    Save("slot"),
    Load("slot"),
    Resize(100, 30),
]


@pytest.mark.parametrize("first", [START, Command.MOVE_LEFT, ANSI, PLAIN])
def test_the_first_screen_of_a_connection_announces_version_2_and_no_other_does(
    peer: Peer, first: Packet
) -> None:
    peer.send(Command.MOVE_LEFT, first, START, Command.QUIT)
    announced = [ANNOUNCEMENT in encode(packet) for packet in peer.receive_until_closed()]
    assert announced == [True, False, False]


def test_hello_is_answered_with_a_patch_that_paints_everything(peer: Peer) -> None:
    peer.ask(START)
    peer.send(ANSI)
    assert peer.receive_patch().flags & PatchFlag.FULL_REPAINT


def test_a_client_that_never_says_hello_gets_screens_of_version_1(peer: Peer) -> None:
    for packet in (START, MoveTo(3, 4), Command.REFRESH, Undo(), UnknownPacket(99, 3)):
        assert isinstance(peer.ask(packet), bytes)


def greet(peer: Peer, hello: Hello = ANSI) -> Packet:
    """Wait for the announcement, then say who one is; the answer."""
    peer.ask(START)
    peer.send(hello)
    return peer.receive()


@pytest.mark.parametrize("packet", PACKETS + ODDITIES)
def test_after_hello_any_packet_is_answered_with_exactly_one_patch(
    peer: Peer, packet: Packet
) -> None:
    greet(peer)
    peer.send(packet)
    peer.receive_patch()
    peer.send(Command.QUIT)
    assert peer.receive_until_closed() == []


@pytest.mark.parametrize("packet", PACKETS + ODDITIES)
def test_after_a_plain_hello_any_packet_is_answered_with_one_screen_free_of_control_sequences(
    peer: Peer, packet: Packet
) -> None:
    greet(peer, PLAIN)
    peer.send(packet)
    text = peer.receive_screen().decode()
    assert all(character.isprintable() or character == "\n" for character in text)
    peer.send(Command.QUIT)
    assert peer.receive_until_closed() == []


@pytest.mark.parametrize("packet", PACKETS + ODDITIES)
def test_after_a_hello_for_cells_any_packet_is_answered_with_exactly_one_view(
    peer: Peer, packet: Packet
) -> None:
    client = CellsClient()
    client.apply(view_of(greet(peer, CELLS)))
    peer.send(packet)
    client.apply(view_of(peer.receive()))
    peer.send(Command.QUIT)
    assert peer.receive_until_closed() == []


def test_views_add_up_to_what_a_client_that_comes_anew_is_shown(peer: Peer) -> None:
    kept, fresh = CellsClient(), CellsClient()
    kept.apply(view_of(greet(peer, CELLS)))
    seeded = NewGame(GameKind.BEGINNER, flags=NewGameFlag.SEEDED, seed=7)
    for packet in (seeded, Act(4, 4, Button.REVEAL), Act(0, 0, Button.FLAG), Command.MOVE_DOWN):
        peer.send(packet)
        kept.apply(view_of(peer.receive()))
    peer.send(Resize(0, 0))
    fresh.apply(view_of(peer.receive()))
    assert len(fresh.faces) == 81
    assert fresh.faces == kept.faces
    changing = {"clock": 0, "clock_runs": True}
    assert fresh.members | changing == kept.members | changing


def view_of(packet: Packet) -> View:
    assert isinstance(packet, View), f"a VIEW was due, not {packet}"
    return packet


@pytest.mark.parametrize(
    "bad_bytes",
    [
        "0b 00000003 02 00 00",
        "0b 0000000c 02 0050 0018 03 01 00 01 00 01 ff",
        "0c 00000003 000000",
        "0f 00000001 00",
        "12 00000003 04 4142",
        "63 00010001",
    ],
)
def test_what_cannot_be_taken_apart_ends_that_connection_and_no_other(
    peer: Peer, address: Address, bad_bytes: str
) -> None:
    peer.ask(START)
    peer.send_bytes(bytes.fromhex(bad_bytes))
    assert len(peer.receive_until_closed()) <= 1, "at most a last screen"
    with Peer(address) as newcomer:
        newcomer.ask(START)


def paint(peer: Peer, terminal: Terminal, packet: Packet) -> ScreenPatch:
    """Send a packet and paint its patch."""
    peer.send(packet)
    patch = peer.receive_patch()
    terminal.paint(patch.text)
    return patch


def test_a_game_asked_for_with_new_game_is_all_hidden(peer: Peer) -> None:
    greet(peer)
    terminal = Terminal()
    paint(peer, terminal, Resize(80, 24))
    paint(peer, terminal, NewGame(GameKind.OWN, columns=9, rows=8, mines=10))
    assert find_hidden_field(terminal.lines, 9, 8), terminal.text


def test_the_cursor_is_where_it_was_moved_to(peer: Peer) -> None:
    greet(peer)
    peer.send(MoveTo(0, 0), MoveTo(7, 3))
    home, there = peer.receive_patch(), peer.receive_patch()
    assert there.cursor_row - home.cursor_row == 3
    assert there.cursor_column - home.cursor_column in (7, 14)


def test_a_cursor_move_costs_few_bytes(peer: Peer) -> None:
    greet(peer)
    peer.send(*[Command.MOVE_RIGHT, Command.MOVE_DOWN] * 4)
    patches = [peer.receive_patch() for _ in range(8)]
    assert max(len(encode(patch)) for patch in patches) <= 16


def test_patches_add_up_to_what_a_full_repaint_shows(peer: Peer) -> None:
    greet(peer)
    patched, repainted = Terminal(), Terminal()
    paint(peer, patched, Resize(80, 24))
    seeded = NewGame(GameKind.BEGINNER, flags=NewGameFlag.SEEDED, seed=7)
    paint(peer, patched, seeded)
    # The game goes on: once it is over, its review may be on the second screen alone.
    steps = [Command.MOVE_RIGHT, Command.MOVE_DOWN, Command.TOGGLE_BOMB_MARK]
    for key in [Command.REVEAL, *steps * 5]:
        paint(peer, patched, key)
    full = paint(peer, repainted, Resize(80, 24))
    assert full.flags & PatchFlag.FULL_REPAINT
    assert fields_of(patched) == fields_of(repainted)


def fields_of(terminal: Terminal) -> list[str]:
    """The screen but for its clock, which may go on between two answers."""
    return [
        "".join("0" if character.isdigit() else character for character in line)
        for line in terminal.lines
    ]


def test_the_same_seed_is_the_same_board(peer: Peer, other_peer: Peer) -> None:
    seeded = NewGame(GameKind.EXPERT, flags=NewGameFlag.SEEDED, seed=2024)
    fields = []
    for each in (peer, other_peer):
        greet(each, PLAIN)
        each.send(seeded, MoveTo(15, 8), Command.REVEAL, Command.QUIT)
        *_, last = each.receive_until_closed()
        assert isinstance(last, ScreenContent)
        fields.append([line for line in last.text.decode().splitlines() if line.count("?") > 5])
    assert fields[0]
    assert fields[0] == fields[1]


def test_version_1_goes_on_after_hello(peer: Peer) -> None:
    greet(peer)
    peer.send(Start(9, 9, 1), Command.MOVE_RIGHT, Command.REVEAL, Command.QUIT)
    assert [type(packet) for packet in peer.receive_until_closed()] == [ScreenPatch] * 3
