"""Servers that are no servers, or other ones than they say."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from jminesweeper.check.checker import SERVER_CHECKS, checks_for
from jminesweeper.check.server import Habits, ScreenPlayer, ServerUnderTest
from jminesweeper.check.suite import Budget, DeviationError, Finding, run_checks
from jminesweeper.check.version_2 import KeptView, add_up
from jminesweeper.client.address import Address
from jminesweeper.protocol.packets import Packet, ScreenContent, View, encode
from jminesweeper.protocol.vocabulary import Command
from tests.integration.scripted_server import (
    FALL_SILENT,
    Peer,
    Script,
    count_packets,
    scripted,
    serving,
)


def findings(script: Script, *names: str, patience_s: float = 20.0) -> list[Finding]:
    """Return what comes of some checks; the server is a script for each connection."""
    budget = Budget(600.0, patience_s)
    with serving(script) as scripted:
        server = ServerUnderTest(Address("127.0.0.1", scripted.port), budget)
        server.learn()
        checks = [check for check in SERVER_CHECKS if check.name in names]
        return list(run_checks(checks, server, budget))


def test_every_version_has_its_checks_and_version_1_gets_nothing_newer() -> None:
    assert {check.wire for check in checks_for(1)} == {1}
    assert {check.wire for check in checks_for(2)} == {1, 2}
    assert checks_for(3) == checks_for(2) == SERVER_CHECKS_IN_ORDER
    assert {check.wire for check in checks_for(2, 1)} == {1}
    assert {check.wire for check in checks_for(2, 2)} == {2}
    assert [check.name for check in checks_for(1, 2)] == [
        "the-first-screen-announces-version-2-and-no-other-does"
    ]


SERVER_CHECKS_IN_ORDER = [check for check in SERVER_CHECKS if not check.is_asked_for]


def test_a_server_without_a_field_fails_with_its_screen() -> None:
    (finding,) = findings(count_packets, "a-new-field-is-hidden")
    assert finding.came == "this screen:\nscreen 1\nStart"
    assert finding.expected == "a field of 9x9 `?`"
    assert finding.sent == ("START 9x9 level 1",)


def test_nothing_is_learnt_from_a_server_that_shows_nothing() -> None:
    with serving(count_packets) as scripted:
        server = ServerUnderTest(Address("127.0.0.1", scripted.port), Budget(600.0, 20.0))
        habits = server.learn()
        assert (habits.field, habits.mark) == (None, None)
    assert Habits().facts() == {"version": "1"}


def test_a_server_that_drips_is_waited_for_no_longer_than_one_that_is_silent() -> None:
    def drip(peer: Peer) -> None:
        peer.connection.sendall(encode(ScreenContent(b"x" * 2**20))[:6])
        with suppress(OSError):
            while True:
                peer.connection.sendall(b"x")

    name = "start-is-answered-with-a-screen"
    (finding,) = findings(drip, name, patience_s=0.1)
    assert finding.came == "a part of a packet, and no more of it in 0.3 s"


def test_nothing_more_is_learnt_once_the_time_is_spent() -> None:
    with serving(count_packets) as scripted:
        server = ServerUnderTest(Address("127.0.0.1", scripted.port), Budget(0.0))
        assert server.learn() == Habits()


def test_a_silent_server_fails_by_its_silence() -> None:
    say_nothing = scripted(FALL_SILENT)
    (finding,) = findings(say_nothing, "quit-closes-without-a-reply", patience_s=0.05)
    assert finding.came == "nothing for 0.2 s"
    assert finding.expected == "the end of the connection"


def test_a_screen_in_another_encoding_is_named_byte_by_byte() -> None:
    def speak_latin(peer: Peer) -> None:
        while peer.receive():
            peer.send(ScreenContent("ä".encode("latin-1")))

    (finding,) = findings(speak_latin, "screens-are-utf-8")
    assert finding.came == r"bytes that are not UTF-8: '\\xe4'"


def test_a_second_screen_for_one_packet_is_counted() -> None:
    def say_it_twice(peer: Peer) -> None:
        while peer.receive() not in {None, Command.QUIT}:
            peer.show("once")
            peer.show("twice")

    (finding,) = findings(say_it_twice, "packets-before-the-first-game-are-answered")
    assert finding.sent == ("MOVE_LEFT", "QUIT")
    assert finding.came == "one packet that nothing was sent for"


def test_a_check_that_is_asked_for_is_run_for_those_who_ask() -> None:
    asked = "a-packet-of-an-unknown-type-is-skipped"
    assert asked not in {check.name for check in checks_for(1)}
    assert checks_for(1, with_unknown=True)[-1].name == asked
    assert [check.name for check in checks_for(1, only=[asked])] == [asked]


def test_a_check_builds_upon_earlier_ones() -> None:
    names = [check.name for check in SERVER_CHECKS]
    for place, check in enumerate(SERVER_CHECKS):
        assert set(check.needs) <= set(names[:place])


def test_a_player_needs_a_game_before_it_sees_a_field() -> None:
    with serving(count_packets) as scripted:
        server = ServerUnderTest(Address("127.0.0.1", scripted.port), Budget(600.0, 20.0))
        player: ScreenPlayer = server.player()
        with pytest.raises(DeviationError, match="no field"):
            assert player.cells
        server.hang_up()


def view(members: object, cells: bytes = b"") -> View:
    return View(json.dumps(members).encode(), cells)


@pytest.mark.parametrize(
    ("packet", "came"),
    [
        (ScreenContent(b""), "SCREEN_CONTENT"),
        (View(b"{"), "not JSON"),
        (View(b"[" * 50_000), "not JSON"),
        (view([]), "not an object"),
        (view({"size": "9x9"}), "two numbers from 1 to 255"),
        (view({"size": [0, 9]}), "two numbers from 1 to 255"),
        (view({"size": [9, 1 << 70]}), "two numbers from 1 to 255"),
        (view({"size": [2, 1]}, b"\x00\x01\x02\x10\x10"), "off the board"),
    ],
)
def test_a_view_that_cannot_be_added_up_is_a_deviation(packet: Packet, came: str) -> None:
    with pytest.raises(DeviationError, match=came):
        add_up(KeptView(), packet)


def test_views_are_added_up() -> None:
    kept = KeptView()
    add_up(kept, view({"size": [2, 1], "mines": 1}))
    add_up(kept, view({"mines": 2}, b"\x00\x01\x01\x20"))
    assert kept.members == {"size": [2, 1], "mines": 2}
    assert kept.faces == b"\x10\x20"
