"""Programs in rooms: what they are shown before a round, in it, and after it ended without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from jminesweeper.bot.link import BotError
from jminesweeper.bot.remote import RoomGame, RoomSeat, connect
from jminesweeper.core.errors import NoBoardError, SetupError
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Join, Packet, View
from tests.integration.scripted_server import view
from tests.unit.bot.servers import FakeLink, Recorded

ROOM = {"code": "KRTPWX", "kind": "race", "state": "waiting", "label": "beginner 9x9", "you": 1}
ADA = {"number": 1, "name": "Ada", "bot": True, "ready": True}
BOB = {"number": 2, "name": "Bob", "here": False}


WAITING = view(room=ROOM, seats=[ADA, BOB])
COVERED = b"\x10" * 81
PLAYING = view(
    COVERED, room={**ROOM, "state": "running"}, state="playing", size=[9, 9], mines=10, left=10
)


def game_of(*shown: Packet) -> RoomGame:
    return RoomGame(FakeLink(Recorded(*shown)), Setup.of("beginner", seed=1))


async def in_round(*after: Packet) -> RoomGame:
    game = game_of(WAITING, WAITING, PLAYING, *after)
    await game.join("KRTPWX")
    assert await game.next_round()
    return game


async def test_there_is_no_board_before_the_first_round() -> None:
    game = game_of(WAITING)
    await game.join("KRTPWX")
    assert repr(game) == "<RoomGame without a board yet>"
    for look in (lambda: game.view, lambda: game.status):
        with pytest.raises(BotError, match="no board before the first round"):
            look()


async def test_seats_are_values_with_names_and_types() -> None:
    result = [
        {**ADA, "opened": 505, "hits": 1, "place": 2, "points": 1},
        {**BOB, "opened": 1000, "place": 1, "time": 41_200, "won": True, "points": 2},
    ]
    game = game_of(view(room={**ROOM, "state": "over"}, seats=result))
    await game.join("KRTPWX")
    bob, ada = await game.result()
    assert ada == RoomSeat(1, "Ada", True, True, True, 0.505, 0, 1, 2, None, False, 1)
    assert (bob.name, bob.place, bob.time_ms, bob.is_won, bob.is_here) == (
        *("Bob", 1, 41_200, True),
        False,
    )
    assert game.place == 2


ENDED: Sequence[Any] = [
    pytest.param(view(state="given up", room={**ROOM, "state": "over"}), id="the board is closed"),
    pytest.param(view(state=None, room={**ROOM, "state": "countdown"}), id="the next one begins"),
    pytest.param(view(state=None, room=None), id="the program was removed"),
    pytest.param(
        view(b"\x00\x00\x01\x00", state="playing", room=None), id="removed, and shown a game alone"
    ),
]


@pytest.mark.parametrize("ended", ENDED)
async def test_a_round_that_ends_without_a_program_is_terminated(ended: View) -> None:
    game = await in_round(ended)
    assert game.status is Status.ONGOING
    turns = 0
    while not game.status.is_over:
        turns += 1
        await game.flag((0, 0))
    assert (turns, game.status) == (1, Status.TERMINATED)
    assert game.view.visible_count == 0


async def test_the_next_round_has_its_own_board() -> None:
    game = await in_round(view(state=None, room={**ROOM, "state": "countdown"}), WAITING, PLAYING)
    await game.flag((0, 0))
    ended = game.status
    assert await game.next_round()
    assert (ended, game.status) == (Status.TERMINATED, Status.ONGOING)


async def test_a_room_that_has_ended_has_no_next_round_and_nobody_in_it() -> None:
    game = await in_round(view(room=None, state=None))
    assert not await game.next_round()
    assert (game.code, game.seats) == ("", ())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"room": "KRTPWX", "seed": 7}, "A room draws its own boards"),
        ({"room": "race", "seed": 0}, "A room draws its own boards"),
        ({"name": "Ada"}, "Outside a room nobody sees a name"),
    ],
)
async def test_what_would_be_ignored_is_an_error(options: dict[str, Any], why: str) -> None:
    with pytest.raises(SetupError, match=why):
        async with connect("127.0.0.1:1", **options):
            pass


async def test_a_code_of_no_room_is_said_in_a_sentence() -> None:
    refused = view(message={"id": "room", "text": "There is no room KRTPWX.", "tone": "warning"})
    with pytest.raises(BotError, match="There is no room"):
        await game_of(refused).join("KRTPWX")
    assert Join("KRTPWX").name == "KRTPWX"


async def test_a_board_that_a_room_cannot_have_is_an_error_of_its_kind() -> None:
    refused = view(message={"id": "bad.board", "text": "No such game.", "tone": "warning"})
    with pytest.raises(SetupError, match="No such game"):
        await game_of(refused).join("race")


@pytest.mark.parametrize("label", ["beginner 9x9", "beginner no-guess 9x9"])
async def test_a_round_on_a_board_with_guesses_is_an_error_if_there_should_be_none(
    label: str,
) -> None:
    board = Setup.of("beginner no-guess", seed=1)
    playing = view(COVERED, room=ROOM, state="playing", size=[9, 9], mines=10, label=label)
    game = RoomGame(FakeLink(Recorded(WAITING, WAITING, playing)), board)
    await game.join("race")
    if "no-guess" in label:
        assert await game.next_round()
    else:
        with pytest.raises(NoBoardError, match="may need guesses"):
            await game.next_round()


def sheet(value: str) -> dict[str, Any]:
    row = {"id": "series", "kind": "choice", "label": "Rounds", "choices": ["off", "best of 3"]}
    return {"sheet": [{**row, "value": value}]}


async def test_the_host_of_a_room_chooses_what_is_on_its_sheet() -> None:
    game = game_of(view(room=ROOM, **sheet("off")), view(**sheet("best of 3")))
    await game.join("race")
    await game.choose("series", "best of 3")


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        (view(room=ROOM, **sheet("off")), "series: off, best of 3"),
        (view(room=ROOM), "Only the host chooses"),
        (view(room=ROOM, message={"id": "room", "text": "No.", "tone": "warning"}), "No."),
    ],
)
async def test_a_choice_that_a_room_does_not_take_is_an_error(shown: View, why: str) -> None:
    game = game_of(view(room=ROOM), shown)
    await game.join("race")
    with pytest.raises(BotError, match=f"does not take series as 'best of 4'. {why}"):
        await game.choose("series", "best of 4")


async def test_a_series_says_how_far_it_is_and_has_a_line_to_share_at_its_end() -> None:
    on = {**ROOM, "series": "round 2 of 3"}
    ended = {**ROOM, "series": "best of 3", "share": "Ada 3, Bob 1"}
    game = game_of(view(room=on), view(room=ended))
    await game.join("KRTPWX")
    assert (game.series, game.share) == ("round 2 of 3", "")
    await game.look()
    assert game.share == "Ada 3, Bob 1"
