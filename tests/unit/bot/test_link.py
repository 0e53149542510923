"""A bot's connection: packets go out, and what answers them comes back."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from jminesweeper.bot.link import BotError, ServerLink, link_to
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Profile
from jminesweeper.client.events import Viewed
from jminesweeper.protocol.packets import Act, Hello, Packet, Start, View
from jminesweeper.protocol.vocabulary import Button, Command
from tests.integration.scripted_server import (
    ANNOUNCE,
    FALL_SILENT,
    HEAR,
    RESET,
    Peer,
    Script,
    ScriptedServer,
    scripted,
    serving,
    view_of,
)

START = Start(9, 9, 1)
CLASSIC = Profile(START, needs_version_2=True)
ACT = Act(1, 1, Button.REVEAL, 16)


def linked(
    server: ScriptedServer, profile: Profile = CLASSIC, timeout_s: float = 15
) -> AbstractAsyncContextManager[ServerLink]:
    return link_to(Address("127.0.0.1", server.port), profile, timeout_s)


async def complaint(script: Script, profile: Profile = CLASSIC, timeout_s: float = 15) -> str:
    with serving(script) as server:
        with pytest.raises(BotError) as refusal:
            async with linked(server, profile, timeout_s) as link:
                await link.ask(Command.REVEAL)
        return str(refusal.value).replace(str(server.port), "PORT")


def answer_with_views(peer: Peer) -> None:
    packet: Packet | None = peer.announce()
    while packet is not None and packet is not Command.QUIT:
        peer.send(View(f'{{"label":"{type(packet).__name__}"}}'.encode()))
        packet = peer.receive()


async def test_every_view_counts() -> None:
    with serving(answer_with_views) as server:
        async with linked(server) as link:
            await link.ask(ACT)
            assert list(link.take_shown()) == [
                Viewed({"label": "Hello"}, b"", Hello()),
                Viewed({"label": "Act"}, b"", ACT),
            ]
        server.expect(START, Hello(), ACT, Command.QUIT)


async def test_two_who_ask_at_once_are_answered_one_after_the_other() -> None:
    with serving(answer_with_views) as server:
        async with linked(server) as link:
            await asyncio.gather(
                *(link.ask(Act(column, 0, Button.FLAG, 16)) for column in range(9))
            )
            assert len(link.take_shown()) == 10


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([HEAR], "The server closed the connection."),
        (
            [ANNOUNCE, view_of("a view"), HEAR, "a frame", HEAR],
            "The server sent something that is not a view.",
        ),
        ([HEAR, "The server is full."], "The server is full."),
        ([ANNOUNCE], "The server closed the connection."),
        ([HEAR, RESET], "The server is gone: Connection reset by peer."),
        ([HEAR, view_of("a view"), HEAR], "The server does not speak JMinesweeper's protocol."),
        ([ANNOUNCE, view_of("You play elsewhere.", last=True), HEAR], "You play elsewhere."),
        (
            [HEAR, b"HTTP/1.1 400\r\n\r\n", HEAR],
            "The server does not speak JMinesweeper's protocol: ",
        ),
        (
            [HEAR, b"\x09\xff\xff\xff\xff", HEAR],
            "The server does not speak JMinesweeper's protocol: ",
        ),
    ],
)
async def test_whatever_a_server_does_is_one_sentence(steps: list[Any], message: str) -> None:
    said = await complaint(scripted(*steps))
    assert said.startswith(f"127.0.0.1:PORT: {message}")
    assert said.endswith(".")
    assert not said.endswith("..")
    assert said.isprintable()


async def test_a_server_that_keeps_silent_is_not_waited_for_for_ever() -> None:
    said = await complaint(scripted(FALL_SILENT), timeout_s=0.05)
    assert said == "127.0.0.1:PORT: The server does not answer."


async def test_a_connection_that_has_ended_takes_no_more_packets() -> None:
    def answer_once(peer: Peer) -> None:
        peer.announce()
        peer.send(View())
        peer.receive()

    with serving(answer_once) as server:
        async with linked(server) as link:
            with pytest.raises(BotError, match=r"closed the connection\."):
                await link.ask(Command.REVEAL)
            with pytest.raises(BotError, match=r"The connection has ended\."):
                await link.ask(Command.REVEAL)
