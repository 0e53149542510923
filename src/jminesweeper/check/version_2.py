"""Checks of version 2, for servers that announce it.

What a server says in words is up to it. Members and cells are certain, so boards are compared
as a client that draws them adds them up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jminesweeper.check.server import ServerUnderTest
from jminesweeper.check.suite import Checklist, DeviationError, expect
from jminesweeper.check.wire import Peer, Version2
from jminesweeper.core.grid import MAX_SIDE
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol import packets
from jminesweeper.protocol.view import paint_faces
from jminesweeper.protocol.vocabulary import (
    ANNOUNCEMENT,
    ANOTHER_GAME,
    DAILY_BOARD,
    SAME_BOARD,
    Button,
    Command,
    ProtocolError,
)

GAME: Final = packets.Start(9, 9, 1)
SIDES: Final = range(1, MAX_SIDE + 1)
COVERED: Final = 16
FLAGGED: Final = 32
ODDITIES: Final[Sequence[packets.Packet]] = (
    packets.UnknownPacket(200, 0),
    packets.UnknownPacket(200, 5000),
    packets.MoveTo(255, 255),
    packets.Act(255, 255, 99, 255),
    packets.NewGame("no such board"),
    packets.NewGame("0x0/0"),
    packets.NewGame("9x9/65535"),
    packets.NewGame("easy"),
    packets.NewGame("beginner chess"),
    packets.NewGame("beginner first-reveal=last"),
    packets.NewGame("beginner seed=18446744073709551616", flags=0xFF),
    packets.Undo(0),
    packets.Undo(65535),
    packets.Hint(255, 255),
    packets.Odds(255, 255),
    packets.Seek(255, 255),
    packets.OpenMenu("no such menu"),
    packets.Pick("no such menu", "row", "value", 99),
    packets.Pick("", ""),
    packets.Replay(65535),
    packets.LookBack(99),
    packets.Save(""),
    packets.Save("\x07"),
    packets.Load("no such game"),
    packets.Drop("no such game"),
    packets.Code("\x07"),
)
PACKETS: Final[Sequence[packets.Packet]] = (
    *[command for command in Command if command is not Command.QUIT],
    *map(
        packets.NewGame,
        (ANOTHER_GAME, SAME_BOARD, DAILY_BOARD, "easy 9x9", "9x9/11", *CLASSIC_BOARDS),
    ),
    *[packets.Act(3, 4, button, COVERED) for button in Button],
    GAME,
    packets.MoveTo(3, 4),
    packets.Undo(),
    packets.Hint(3, 4),
    packets.Odds(3, 4),
    packets.Seek(3, 4),
    packets.OpenMenu(""),
    packets.OpenMenu("help"),
    packets.Replay(0),
    packets.Save("slot"),
    packets.Load("slot"),
)
BAD_PACKETS: Final = (
    "0b 00000003 02 00 00",
    "0b 0000000c 02 0050 0018 03 01 00 01 00 01 ff",
    "0e 00000003 000000",
    "0f 00000001 00",
    "12 00000003 04 4142",
    "63 00010001",
)
IN_ONE_VIEW: Final = ("cursor", "said", "unasked", "last")
HELLO: Final = packets.Hello()
SEEDED: Final = packets.NewGame("beginner jminesweeper seed=7")
PACKETS_AT_ONCE: Final = 16

announcement = Checklist[ServerUnderTest]()
"""Checks of a server that may announce nothing."""
check = Checklist[ServerUnderTest]()


class KeptView:
    """Members and faces, as docs/protocol.md says how they change."""

    def __init__(self) -> None:
        self.members: dict[str, Any] = {}
        self.faces = bytearray()

    def apply(self, view: packets.View) -> None:
        for alone in IN_ONE_VIEW:
            self.members.pop(alone, None)
        members = view.members()
        self.members |= members
        if rows := self.members.pop("rows", None):
            # They replace those of the menu that have their ids.
            match self.members.get("menu"), rows:
                case {"rows": [*known]}, [*changed]:
                    by_id = {row.get("id"): row for row in changed if isinstance(row, dict)}
                    self.members["menu"]["rows"] = [by_id.get(row.get("id"), row) for row in known]
                case _:
                    raise ProtocolError("There are rows in VIEW, and no menu.")
        match members:
            case {"size": [int(columns), int(rows)]} if columns in SIDES and rows in SIDES:
                self.faces = bytearray((COVERED,)) * (columns * rows)
            case {"size": _}:
                raise ProtocolError("The size in VIEW is not two numbers from 1 to 255.")
        paint_faces(self.faces, view.cells)


def add_up(kept: KeptView, view: packets.Packet) -> None:
    """Apply a view; it is a deviation if it cannot be."""
    if not isinstance(view, packets.View):
        raise DeviationError(Version2.describe(view), "a VIEW")
    try:
        kept.apply(view)
    except ProtocolError as error:
        raise DeviationError(error.reason, "a VIEW that says what changed") from error


def greet(peer: Peer) -> packets.Packet:
    """Wait for the announcement, then send HELLO; return the answer."""
    first = peer.ask(GAME)
    came = f"a first screen that starts with {first[:24]!r}"
    expect(first.startswith(ANNOUNCEMENT), came, f"one that starts with {ANNOUNCEMENT!r}")
    peer.send(HELLO)
    return peer.receive("one VIEW for HELLO")


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
    needs=[the_first_screen_announces_version_2_and_no_other_does],
)
def without_hello_screens_are_those_of_version_1(server: ServerUnderTest) -> None:
    peer = server.peer()
    for packet in (
        GAME,
        packets.MoveTo(3, 4),
        Command.REFRESH,
        packets.Undo(),
        packets.UnknownPacket(200, 3),
    ):
        peer.ask(packet)


@check(
    "Replies after HELLO: Still exactly one for every packet but QUIT",
    wire=2,
    needs=[the_first_screen_announces_version_2_and_no_other_does],
)
def after_hello_every_packet_is_answered_with_one_view(server: ServerUnderTest) -> None:
    """Send every packet there is, each in a game of its own."""
    peer, kept = server.peer(), KeptView()
    add_up(kept, greet(peer))
    sent = [each for packet in (*PACKETS, *ODDITIES) for each in (GAME, packet)]
    for start in range(0, len(sent), PACKETS_AT_ONCE):
        together = sent[start : start + PACKETS_AT_ONCE]
        peer.expect_nothing_unasked()
        peer.send(*together)
        for each in together:
            add_up(kept, peer.receive(f"one VIEW for {Version2.describe(each)}"))
    peer.expect_no_more()


def kept_view(peer: Peer, *sent: packets.Packet) -> KeptView:
    """Send HELLO, then packets, and add up the views."""
    kept = KeptView()
    add_up(kept, greet(peer))
    follow(kept, peer, *sent)
    return kept


def follow(kept: KeptView, peer: Peer, *sent: packets.Packet) -> None:
    for packet in sent:
        peer.send(packet)
        add_up(kept, peer.receive(f"one VIEW for {Version2.describe(packet)}"))


@check(
    "Replies after HELLO: HELLO may be sent again, and is answered with everything.",
    wire=2,
    needs=[after_hello_every_packet_is_answered_with_one_view],
)
def views_add_up_to_what_another_hello_is_answered_with(server: ServerUnderTest) -> None:
    peer = server.peer()
    first = packets.NewGame("beginner jminesweeper first-reveal=zero seed=7")
    opened, flagged = (
        packets.Act(4, 4, Button.OPEN, COVERED),
        packets.Act(0, 0, Button.FLAG, COVERED),
    )
    kept, fresh = kept_view(peer, first, opened, flagged), KeptView()
    follow(fresh, peer, HELLO)
    came = f"cells that differ: {_differing(kept.faces, fresh.faces)}"
    expect(kept.faces == fresh.faces, came, "the same cells as the views before added up to")
    for member in sorted(kept.members.keys() - {"clock", "clock_runs", "cursor", "message"}):
        added, told = kept.members[member], fresh.members.get(member)
        # What has its default need not be told.
        is_same = added == told or (not added and told is None)
        expect(is_same, f"{member} is {told!r}", f"{added!r}, as the views before said")


def _differing(some: bytearray, other: bytearray) -> str:
    if len(some) != len(other):
        return f"{len(some)} and {len(other)} of them"
    return str([at for at, (one, two) in enumerate(zip(some, other, strict=True)) if one != two])


@check(
    "30 VIEW: the size of the field; with it all cells are covered until told otherwise",
    wire=2,
    needs=[after_hello_every_packet_is_answered_with_one_view],
)
def a_game_asked_for_with_new_game_is_covered(server: ServerUnderTest) -> None:
    asked = packets.NewGame("9x8/10")
    kept = kept_view(server.peer(), asked)
    size, mines = kept.members.get("size"), kept.members.get("mines")
    expect([size, mines] == [[9, 8], 10], f"size {size}, mines {mines}", "size [9, 8], mines 10")
    expect(set(kept.faces) == {COVERED}, f"faces {set(kept.faces)}", "covered cells only")


@check(
    "31 ACT: If the cell looks otherwise nothing happens",
    wire=2,
    needs=[after_hello_every_packet_is_answered_with_one_view],
)
def a_cell_that_changed_since_it_was_seen_is_left_alone(server: ServerUnderTest) -> None:
    kept = kept_view(server.peer(), SEEDED, packets.Act(4, 4, Button.REVEAL, COVERED | FLAGGED))
    expect(set(kept.faces) == {COVERED}, f"faces {set(kept.faces)}", "covered cells only")


@check(
    "15 NEW_GAME: the same board and seed have the same mines",
    wire=2,
    needs=[after_hello_every_packet_is_answered_with_one_view],
)
def the_same_seed_is_the_same_board(server: ServerUnderTest) -> None:
    seeded = packets.NewGame("expert jminesweeper seed=2024")
    boards = [
        kept_view(server.peer(name), seeded, packets.Act(15, 8, Button.REVEAL, COVERED)).faces
        for name in ("Ada", "Bob")
    ]
    expect(len(set(boards[0])) > 1, "a reveal that shows nothing", "an opened cell, or a mine")
    came = f"cells that differ: {_differing(*boards)}"
    expect(boards[0] == boards[1], came, "the same cells for the same seed and reveal")


@check(
    "Bad input and limits: inner lengths that do not add up",
    wire=2,
    needs=[
        "two-players-have-a-game-each",
        the_first_screen_announces_version_2_and_no_other_does,
    ],
)
def a_bad_packet_of_version_2_ends_that_connection_alone(server: ServerUnderTest) -> None:
    other = server.peer("another player")
    other.ask(GAME)
    for bad in BAD_PACKETS:
        peer = server.peer()
        peer.ask(GAME)
        peer.send_bytes(bytes.fromhex(bad))
        peer.expect_closed(most=1)
        other.ask(Command.MOVE_RIGHT)
