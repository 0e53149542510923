"""Checks of version 2, for servers that announce it.

How a screen of version 2 looks is up to the server. Its cells are certain, so boards are compared
as a client that draws cells sees them.
"""

from __future__ import annotations

import dataclasses
from typing import Final, TypeAlias

from jminesweeper.check.deviation import expect
from jminesweeper.check.every_packet import BAD_PACKETS, GAME, ODDITIES, PACKETS
from jminesweeper.check.kept_view import COVERED, KeptView, add_up
from jminesweeper.check.peer import Peer, describe
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import Checks
from jminesweeper.painted import PaintedScreen
from jminesweeper.protocol.encode import HEADER_BYTES, encode
from jminesweeper.protocol.packets import (
    Act,
    Hello,
    MoveTo,
    NewGame,
    Packet,
    Resize,
    ScreenContent,
    ScreenPatch,
    Undo,
    UnknownPacket,
    View,
)
from jminesweeper.protocol.vocabulary import (
    ANNOUNCEMENT,
    Button,
    Command,
    GameKind,
    NewGameFlag,
    PatchFlag,
    ScreenFormat,
)

ANSI: Final = Hello(80, 24)
PLAIN: Final = dataclasses.replace(ANSI, format=ScreenFormat.PLAIN)
CELLS: Final = dataclasses.replace(ANSI, format=ScreenFormat.CELLS)
SEEDED: Final = NewGame(GameKind.BEGINNER, flags=NewGameFlag.SEEDED, seed=7)

_PACKETS_AT_ONCE: Final = 16

Reply: TypeAlias = type[ScreenContent] | type[ScreenPatch] | type[View]


announcement = Checks[ServerUnderTest]()
"""What is asked of a server that may announce nothing."""
check = Checks[ServerUnderTest]()


def greet(peer: Peer, hello: Hello = ANSI) -> Packet:
    """Wait for the announcement, then send HELLO; return the answer."""
    first = peer.ask(GAME)
    came = f"a first screen that starts with {first[:24]!r}"
    expect(first.startswith(ANNOUNCEMENT), came, f"one that starts with {ANNOUNCEMENT!r}")
    peer.send(hello)
    return peer.receive(f"one reply to {describe(hello)}")


@announcement(
    "The announcement: The text of the first screen of a connection starts with these bytes", wire=2
)
def the_first_screen_announces_version_2_and_no_other_does(server: ServerUnderTest) -> None:
    for first in (GAME, Command.MOVE_LEFT):
        peer = server.peer()
        screens = [peer.ask(packet) for packet in (first, GAME, Command.MOVE_RIGHT)]
        announced = [ANNOUNCEMENT in screen for screen in screens]
        came = f"screens that announce version 2: {announced.count(True)} of {len(screens)}"
        expect(announced == [True, False, False], came, "the first one, and no other")


@check(
    "Replies after HELLO: Without HELLO the packets of version 2 work too, but for "
    "menus and help, and are answered with screens of version 1.",
    wire=2,
)
def without_hello_screens_are_those_of_version_1(server: ServerUnderTest) -> None:
    peer = server.peer()
    for packet in (GAME, MoveTo(3, 4), Command.REFRESH, Undo(), UnknownPacket(200, 3)):
        peer.ask(packet)


@check("13 SCREEN_PATCH: the text paints everything; what was on the screen counts no more", wire=2)
def hello_is_answered_with_a_patch_that_paints_everything(server: ServerUnderTest) -> None:
    patch = greet(server.peer())
    is_full = isinstance(patch, ScreenPatch) and bool(patch.flags & PatchFlag.FULL_REPAINT)
    expect(is_full, describe(patch), "a SCREEN_PATCH with FULL_REPAINT")


@check("Replies after HELLO: Still exactly one for every packet but QUIT.", wire=2)
def packets_of_version_1_are_answered_with_patches_after_hello(server: ServerUnderTest) -> None:
    peer = server.peer()
    greet(peer)
    for packet in (GAME, Command.MOVE_RIGHT, Command.REVEAL):
        peer.send(packet)
        peer.receive_patch(f"one SCREEN_PATCH for {describe(packet)}")
    peer.expect_no_more()


@check("Replies after HELLO: After a HELLO with format 0 each is a SCREEN_PATCH", wire=2)
def after_hello_every_packet_is_answered_with_one_patch(server: ServerUnderTest) -> None:
    expect_one_reply_each(server, ANSI, ScreenPatch)


@check(
    "Replies after HELLO: after one with format 1 each is a SCREEN_CONTENT of plain text", wire=2
)
def after_a_plain_hello_every_packet_is_answered_with_one_plain_screen(
    server: ServerUnderTest,
) -> None:
    for packet, reply in expect_one_reply_each(server, PLAIN, ScreenContent):
        text = encode(reply)[HEADER_BYTES:].decode(errors="backslashreplace")
        is_plain = all(letter.isprintable() or letter == "\n" for letter in text)
        expect(is_plain, f"for {describe(packet)}: {text!r}", "lines without control sequences")


@check("Replies after HELLO: after one with format 2 each is a VIEW", wire=2)
def after_a_hello_for_cells_every_packet_is_answered_with_one_view(
    server: ServerUnderTest,
) -> None:
    kept = KeptView()
    for _, view in expect_one_reply_each(server, CELLS, View):
        add_up(kept, view)


def expect_one_reply_each(
    server: ServerUnderTest, hello: Hello, kind: Reply
) -> list[tuple[Packet, Packet]]:
    """Send every packet there is, each in a game of its own; all packets and their replies."""
    peer = server.peer()
    replies: list[tuple[Packet, Packet]] = [(hello, greet(peer, hello))]
    packets = [each for packet in (*PACKETS, *ODDITIES) for each in (GAME, packet)]
    for start in range(0, len(packets), _PACKETS_AT_ONCE):
        together = packets[start : start + _PACKETS_AT_ONCE]
        peer.expect_nothing_unasked()
        peer.send(*together)
        replies += [(each, receive_reply(peer, each, kind)) for each in together]
    peer.expect_no_more()
    return replies


def receive_reply(peer: Peer, packet: Packet, kind: Reply) -> Packet:
    due = f"one {kind.packet_type.name} for {describe(packet)}"
    reply = peer.receive(due)
    expect(isinstance(reply, kind), describe(reply), due)
    return reply


def kept_view(peer: Peer, *packets: Packet) -> KeptView:
    """Send HELLO for cells, then packets, and add up the views."""
    kept = KeptView()
    add_up(kept, greet(peer, CELLS))
    follow(kept, peer, *packets)
    return kept


def follow(kept: KeptView, peer: Peer, *packets: Packet) -> None:
    for packet in packets:
        peer.send(packet)
        add_up(kept, peer.receive(f"one VIEW for {describe(packet)}"))


@check("30 VIEW: RESIZE is answered with everything.", wire=2)
def views_add_up_to_what_resize_is_answered_with(server: ServerUnderTest) -> None:
    peer = server.peer()
    first = dataclasses.replace(SEEDED, first_reveal=2)
    kept = kept_view(
        peer, first, Act(4, 4, Button.REVEAL), Act(0, 0, Button.FLAG), Command.MOVE_DOWN
    )
    fresh = KeptView()
    follow(fresh, peer, Resize(0, 0))
    came = f"cells that differ: {_differing(kept.faces, fresh.faces)}"
    expect(kept.faces == fresh.faces, came, "the same cells as the views before added up to")
    for member in sorted(kept.members.keys() - {"clock", "clock_runs"}):
        added, told = kept.members[member], fresh.members.get(member)
        expect(added == told, f"{member} is {told!r}", f"{added!r}, as the views before said")


def _differing(some: bytearray, other: bytearray) -> str:
    if len(some) != len(other):
        return f"{len(some)} and {len(other)} of them"
    return str([at for at, (one, two) in enumerate(zip(some, other, strict=True)) if one != two])


@check("Replies after HELLO: after one with format 2 each is a VIEW, for clients that draw", wire=2)
def a_game_asked_for_with_new_game_is_covered(server: ServerUnderTest) -> None:
    asked = NewGame(GameKind.OWN, columns=9, rows=8, mines=10)
    kept = kept_view(server.peer(), asked)
    size, mines = kept.members.get("size"), kept.members.get("mines")
    expect([size, mines] == [[9, 8], 10], f"size {size}, mines {mines}", "size [9, 8], mines 10")
    expect(set(kept.faces) == {COVERED}, f"faces {set(kept.faces)}", "covered cells only")


@check("Replies after HELLO: the cursor goes to a cell", wire=2)
def the_cursor_is_where_it_was_moved_to(server: ServerUnderTest) -> None:
    kept = kept_view(server.peer(), MoveTo(0, 0), MoveTo(7, 3))
    cursor = kept.members.get("cursor")
    expect(cursor == [7, 3], f"the cursor at {cursor}", "[7, 3]")


@check("15 NEW_GAME: the same settings and seed are the same board", wire=2)
def the_same_seed_is_the_same_board(server: ServerUnderTest) -> None:
    seeded = NewGame(GameKind.EXPERT, flags=NewGameFlag.SEEDED, seed=2024)
    boards = [
        kept_view(server.peer(name), seeded, Act(15, 8, Button.REVEAL)).faces
        for name in ("Ada", "Bob")
    ]
    expect(len(set(boards[0])) > 1, "a reveal that shows nothing", "an opened cell, or a mine")
    came = f"cells that differ: {_differing(*boards)}"
    expect(boards[0] == boards[1], came, "the same cells for the same seed and reveal")


@check("13 SCREEN_PATCH: A patch is true on the screen that the reply before it left", wire=2)
def patches_add_up_to_a_full_repaint(server: ServerUnderTest) -> None:
    peer = server.peer()
    greet(peer)
    patched, repainted = PaintedScreen(), PaintedScreen()
    # The game stays running: after its end, more may become known between two screens.
    steps = [Command.MOVE_RIGHT, Command.MOVE_DOWN, Command.TOGGLE_BOMB_MARK]
    game = dataclasses.replace(SEEDED, first_reveal=1)
    packets: list[Packet] = [Resize(80, 24), game, Command.REVEAL, *steps * 5]
    for packet in packets:
        paint(peer, patched, packet)
    full = paint(peer, repainted, Resize(80, 24))
    expect(bool(full.flags & PatchFlag.FULL_REPAINT), describe(full), "FULL_REPAINT after RESIZE")
    came = f"patch by patch the screen became:\n{patched.text}"
    expected = f"what a full repaint shows:\n{repainted.text}"
    expect(_without_clock(patched) == _without_clock(repainted), came, expected)


def paint(peer: Peer, screen: PaintedScreen, packet: Packet) -> ScreenPatch:
    """Send a packet and paint its patch."""
    peer.send(packet)
    patch = peer.receive_patch(f"one SCREEN_PATCH for {describe(packet)}")
    screen.paint(patch.text)
    return patch


def _without_clock(screen: PaintedScreen) -> str:
    """Return the screen without its clock, which may run between two answers."""
    return "".join("0" if letter.isdigit() else letter for letter in screen.text)


@check("Bad input and limits: inner lengths that do not add up", wire=2)
def a_bad_packet_of_version_2_ends_that_connection_alone(server: ServerUnderTest) -> None:
    other = server.peer("another player")
    other.ask(GAME)
    for bad in BAD_PACKETS:
        peer = server.peer()
        peer.ask(GAME)
        peer.send_bytes(bytes.fromhex(bad))
        peer.expect_closed(most=1)
        other.ask(Command.MOVE_RIGHT)
