"""Games on a server of version 2, which says what there is to see."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from jminesweeper.bot.link import BotError
from jminesweeper.bot.remote import RemoteGame, ServerHint, connect
from jminesweeper.client.request import RequestError
from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import (
    ActionError,
    CellError,
    HiddenError,
    NoBoardError,
    NotationError,
    SetupError,
)
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.protocol.packets import Act, Hello, Hint, NewGame, Packet, Start, Undo, View
from jminesweeper.protocol.vocabulary import Button, Command
from tests.integration.scripted_server import serving, view_of
from tests.unit.bot.servers import FakeLink, OwnServer, Recorded, served

BEGINNER = "beginner classic"


async def begun(
    server: OwnServer,
    board: str = BEGINNER,
    watch: Callable[[PlayerView], None] | None = None,
) -> RemoteGame:
    """Bring our own server to version 2, as the conversation does."""
    link = FakeLink(server)
    server.ask(Start(1, 1, 1))
    await link.ask(Hello())
    server.received.clear()
    game = RemoteGame(link, Setup.of(board, seed=0), watch)
    await game.start(5)
    return game


async def test_each_call_is_one_packet() -> None:
    server = OwnServer()

    game = await begun(server)
    await game.reveal((1, 2))
    await game.flag((3, 4))
    await game.chord((5, 6))
    await game.apply(Action(ActionKind.FLAG, Cell(3, 4)))
    await game.undo()
    await game.hint()
    assert server.received == [
        NewGame(f"{BEGINNER} seed=5"),
        Act(1, 2, Button.REVEAL, 16),
        Act(3, 4, Button.FLAG, 16),
        Act(5, 6, Button.CHORD, 16),
        Act(3, 4, Button.FLAG, 48),
        Undo(1),
        Hint(0, 0),
    ]


def test_a_strategy_does_nothing_else_to_a_cell() -> None:
    async def run(action: Action) -> None:
        await (await begun(OwnServer())).apply(action)

    for action in (Action(ActionKind.REVEAL), Action(ActionKind.HINT)):
        with pytest.raises(ActionError, match="a bot does not"):
            asyncio.run(run(action))


async def test_a_cell_off_the_board_is_refused_before_anything_is_sent() -> None:
    server = OwnServer()

    with pytest.raises(CellError, match="on a board of 9x9"):
        await (await begun(server)).reveal((300, 2))
    assert server.received == [NewGame(f"{BEGINNER} seed=5")]


@pytest.mark.parametrize("seed", [-1, 1 << 64])
async def test_a_number_that_is_no_seed_is_refused_before_anything_is_sent(seed: int) -> None:
    server = OwnServer()

    with pytest.raises(SetupError, match="64 bits"):
        await (await begun(server)).start(seed)
    assert server.received == [NewGame(f"{BEGINNER} seed=5")]


async def test_a_view_is_what_a_player_sees() -> None:
    game = await begun(OwnServer())
    assert str(game.view) == "\n".join(["?" * 9] * 9)
    assert await game.reveal((0, 0))
    assert not await game.reveal((0, 0))
    opened = game.view
    assert opened.clue(Cell(0, 0)) == 0
    with pytest.raises(HiddenError):
        _ = opened.mines
    hidden = opened.cells(opened.covered)[0]
    assert await game.flag(hidden)
    flagged = game.view
    assert flagged.is_flagged(hidden)
    assert flagged.mines_left == opened.mines_left - 1
    assert await game.apply(Action(ActionKind.UNDO))
    assert game.view == opened
    assert game.elapsed_ms >= 0


async def test_mines_are_seen_once_the_game_is_over() -> None:
    game = await begun(OwnServer())
    await game.reveal((0, 0))
    while not game.status.is_over:
        await game.reveal(game.view.cells(game.view.covered)[0])
    view = game.view
    assert view.status is Status.LOST
    assert view.exploded is not None
    assert view.mines.bit_count() == 10
    assert view.mines & view.grid.bit(view.exploded)


async def test_every_view_can_be_watched() -> None:
    seen: list[PlayerView] = []

    game = await begun(OwnServer(), watch=seen.append)
    await game.reveal((0, 0))
    await game.hint()
    assert [view.visible_count > 0 for view in seen] == [False, True, True]
    assert seen[-1] == game.view


async def test_without_a_seed_any_board_is_played() -> None:
    server = OwnServer()

    await (await begun(server)).start()
    last = server.received[-1]
    assert isinstance(last, NewGame)
    assert last == NewGame(BEGINNER)


def words(text: str) -> dict[str, str]:
    return {"id": "said", "text": text}


def view(cells: bytes = b"", **members: Any) -> View:
    shown = {"size": [3, 1], "mines": 1, "state": "playing"} | members
    return view_of("", cells, **{name: each for name, each in shown.items() if each is not None})


def shown_by(*packets: Packet) -> RemoteGame:
    async def run() -> RemoteGame:
        link = FakeLink(Recorded(*packets))
        for _ in packets:
            await link.ask(Command.REFRESH)
        return RemoteGame(link, Setup.of(BEGINNER, seed=0))

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("packet", "message"),
    [
        (View(b"{}"), "shows no game"),
        (view(state=None), "shows no game"),
        (view(mines="many"), "makes no sense"),
        (view(state="asleep\x1b[2J"), r"shows no game, but 'asleep\\x1b\[2J'"),
        (view(size=[0, 1]), "columns must be 1 to 255"),
        (view(size=[3]), "makes no sense"),
        (view(b"\x10\x10"), "cut off"),
        (view(b"\x00\x02\x02\x00\x00"), "off the board"),
    ],
)
def test_what_is_no_view_is_one_sentence(packet: Packet, message: str) -> None:
    with pytest.raises(BotError, match=message):
        shown_by(packet)


def test_a_view_is_put_together_from_what_changed() -> None:
    first = view(b"\x10\x10\x10", message=words("Hello"), clock=1200)
    game = shown_by(first, View(b'{"left":0}', b"\x00\x01\x01\x30"), View(b'{"state":"paused"}'))
    assert str(game.view) == "?F?"
    assert game.view.status is Status.ONGOING
    assert (game.message, game.elapsed_ms) == ("Hello", 1200)


def test_debug_mode_tells_a_strategy_nothing() -> None:
    assert str(shown_by(view(b"\x50\x70\x01")).view) == "?F1"


def test_a_hint_is_words_and_cells_of_the_board() -> None:
    shown = shown_by(view(hint=[1, 2], message=words("Look.")))
    assert asyncio.run(shown.hint()) == ServerHint("Look.", (Cell(1, 0), Cell(2, 0)))


async def asked_for(*arguments: Any, **options: Any) -> NewGame:
    """Return the game that a connection to our own server begins with."""
    server = OwnServer()
    # What our server cannot lay was asked for all the same.
    with serving(served(server)) as listener, suppress(NoBoardError):
        async with connect(listener.address, *arguments, **options):
            pass
    return next(packet for packet in server.received if isinstance(packet, NewGame))


async def test_a_game_has_begun_once_there_is_a_connection() -> None:
    seen: list[PlayerView] = []
    with serving(served(OwnServer())) as listener:
        async with connect(listener.address, watch=seen.append) as game:
            assert str(game.view.size) == "30x16"
            assert seen == [game.view]


async def test_the_board_is_described_as_for_the_engine() -> None:
    asked = await asked_for()
    assert asked == NewGame("expert classic")
    asked = await asked_for("beginner", rules="formal", seed=9, no_guess=True)
    assert asked == NewGame("beginner formal no-guess seed=9")
    asked = await asked_for(Size(12, 8), 20)
    assert asked == NewGame("custom 12x8/20 classic")


async def test_a_board_that_the_server_refuses_is_an_error_with_its_reason() -> None:
    with (
        serving(served(OwnServer())) as listener,
        pytest.raises(SetupError, match="a board of 9x9 holds 1 to 80 mines"),
    ):
        async with connect(listener.address, Size(9, 9), 81):
            raise AssertionError


async def test_a_server_that_plays_another_board_is_noticed() -> None:
    link = FakeLink(Recorded(view(b"\x10\x10\x10")))
    await link.ask(Command.REFRESH)
    game = RemoteGame(link, Setup.of(BEGINNER, seed=0))
    with pytest.raises(SetupError, match="another board than beginner"):
        await game.start()


async def test_a_server_without_a_solver_has_no_board_without_guesses() -> None:
    with (
        serving(served(OwnServer())) as listener,
        pytest.raises(NoBoardError, match="cannot make no-guess boards"),
    ):
        async with connect(listener.address, "beginner", no_guess=True):
            raise AssertionError


async def test_a_game_says_what_it_is() -> None:
    game = await begun(OwnServer())
    assert repr(game) == "<RemoteGame 9x9, 10 mines, ongoing>"
    assert (game.rules, game.setup.size) == (Setup.of(BEGINNER, seed=0).rules, Size(9, 9))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("huge",), NotationError),
        ((Size(2, 2), 9), SetupError),
        ((Size(2, 2), 1, "x"), NotationError),
    ],
)
async def test_a_board_that_does_not_exist_is_refused_before_anything_is_sent(
    arguments: tuple[Any, ...], error: type[Exception]
) -> None:
    with pytest.raises(error):
        async with connect("127.0.0.1:1", *arguments):
            raise AssertionError


async def test_rules_that_the_wire_cannot_say_are_refused() -> None:
    with pytest.raises(RequestError, match="not a preset"):
        async with connect("127.0.0.1:1", rules=Rules("own", auto_open=False)):
            raise AssertionError
