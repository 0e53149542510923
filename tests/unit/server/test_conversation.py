"""Replies to a peer, their order and the end: a row is what happens, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final, TypeAlias

import pytest

from jminesweeper.protocol.packets import Join, ScreenContent, Start, View, encode
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import BUG
from jminesweeper.server.conversation import (
    IDLE,
    MAX_HELD,
    MAX_HELD_BYTES,
    TRANSITIONS,
    Phase,
    Trigger,
)
from tests.world.games import waiting
from tests.world.loop import hear
from tests.world.player import Player
from tests.world.server import ALARM, LIVE, World

CONFIG = ServerConfig(silence_timeout_s=60, idle_timeout_s=900, write_timeout_s=30)
NO_PACKET: Final = "<There is no packet of type 0.>"

Step: TypeAlias = bytes | int | Callable[[Player], object]
"""Bytes that come in one segment, milliseconds that pass, or something else that happens."""

MOVE, FLAG, QUIT = map(encode, (Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK, Command.QUIT))
QUESTION, GARBAGE = encode(Join("ZZZZZZ")), b"\x00"


@pytest.fixture(autouse=True)
def _expected_bugs() -> Iterator[None]:
    yield
    ALARM.bugs.clear()


def stored(player: Player) -> None:
    player.world.let_through()


def answered(player: Player) -> None:
    player.world.let_all_through()


def renewed(player: Player) -> None:
    """Hear that others were faster."""
    (match,) = player.world.matches
    match.notify(must_renew=True)


def stalled(player: Player) -> None:
    player.connection.pause_writing()


def caught_up(player: Player) -> None:
    player.connection.resume_writing()


def at_its_end(player: Player) -> None:
    player.connection.eof_received()


def dismissed(player: Player) -> None:
    player.connection.disconnect("bye")


def swept(player: Player) -> None:
    player.world.tick()


def failed(player: Player) -> None:
    player.world.expects_bugs = True
    player.connection._end_by_bug(ZeroDivisionError())


def peer(*, is_known: bool = True) -> Player:
    """Connect somebody whose game waits, at a server whose store answers when it is told to."""
    world = World(server=CONFIG)
    world.put(waiting("*......\n......."))
    player = world.player()
    if is_known:
        player.send(LIVE)
    else:
        # What is introduced to somebody who is no client is no packet.
        world.players.clear()
    player.replies.clear()
    world.line.is_held = True
    return player


def after(player: Player, *steps: Step) -> Player:
    for step in steps:
        match step:
            case bytes():
                player.world.have(hear, player.connection, step)
            case int():
                player.world.let_pass(step)
            case _:
                player.world.have(step, player)
    return player


def told(player: Player) -> str:
    """Return a letter for each reply: moved, flagged, answered; and last words in brackets."""
    return "".join(map(_told, player.replies))


def _told(reply: object) -> str:
    if isinstance(reply, ScreenContent):
        return f"<{BUG}>" if BUG.encode() in reply.text else "screen"
    assert isinstance(reply, View)
    said = reply.members()
    if (message := said.get("message")) and message["id"] == "farewell":
        return f"<{message['text']}>"
    return "m" if "cursor" in said else "f" if "left" in said else "a"


def ending(player: Player) -> str:
    transport = player.transport
    if transport.is_aborted:
        return "dropped"
    return "closed" if transport.is_closed else "half closed" if transport.is_half_closed else ""


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([MOVE, MOVE, MOVE], "mmm"),
        ([MOVE * 2], "mm"),
        ([QUESTION[:-1]], ""),
        ([QUESTION[:-1], QUESTION[-1:], answered], "a"),
        # A reply leaves when what it shows is stored, and later ones wait behind it.
        ([FLAG], ""),
        ([FLAG, stored], "f"),
        ([FLAG, stored, MOVE], "fm"),
        ([FLAG, MOVE, FLAG, MOVE, stored], "fm"),
        ([FLAG, MOVE, FLAG, MOVE, stored, stored], "fmfm"),
        ([MOVE + FLAG + MOVE], "m"),
        ([MOVE + FLAG + MOVE, stored], "mfm"),
        # Where others were faster held replies are renewed, and still wait.
        ([FLAG + MOVE, renewed], ""),
        ([FLAG + MOVE, renewed, stored], "ma"),
        ([MOVE, FLAG, renewed, stored], "mf"),
        # A peer that does not read is not answered until it does.
        ([MOVE, stalled, MOVE * 2], "m"),
        ([MOVE, stalled, MOVE * 2, caught_up], "mmm"),
        # A question is answered before the next packet, and errands keep nobody waiting.
        ([QUESTION + MOVE], ""),
        ([QUESTION + MOVE, answered], "am"),
        ([FLAG, stored, 10_000, MOVE], "fm"),
    ],
)
def test_what_is_said_while_it_goes_on(steps: list[Step], said: str) -> None:
    player = after(peer(), *steps)
    assert (told(player), ending(player)) == (said, "")


@pytest.mark.parametrize(
    ("steps", "said", "ends"),
    [
        # QUIT ends it without a word, once what was held has left.
        ([QUIT + MOVE, MOVE], "", "closed"),
        ([FLAG + QUIT], "", ""),
        ([FLAG + QUIT, stored], "f", "closed"),
        # What is no packet is rejected, first, in the midst or after good ones, once.
        ([GARBAGE, MOVE], NO_PACKET, "half closed"),
        ([MOVE, GARBAGE], "m" + NO_PACKET, "half closed"),
        ([MOVE + GARBAGE + MOVE], "m" + NO_PACKET, "half closed"),
        ([FLAG + GARBAGE, stored], "f" + NO_PACKET, "half closed"),
        # A peer that sends no more gets what it is owed.
        ([at_its_end], "", "closed"),
        ([FLAG, at_its_end], "", ""),
        ([FLAG, at_its_end, stored], "f", "closed"),
        ([QUESTION, at_its_end, answered], "", "closed"),
        # Who is disconnected gets one last screen, after what is owed.
        ([FLAG, dismissed, dismissed], "", ""),
        ([FLAG, dismissed, dismissed, stored], "f<bye>", "half closed"),
        # Half a packet is nothing.
        ([600_000, MOVE, 899_999, swept], "m", ""),
        ([600_000, MOVE, 900_000, swept], f"m<{IDLE}>", "half closed"),
        ([MOVE, 899_999, QUESTION[:1], 1, swept], f"m<{IDLE}>", "half closed"),
        # A peer that never reads is dropped.
        ([MOVE, stalled, 29_999, swept], "m", ""),
        ([MOVE, stalled, 30_000, swept], "m", "dropped"),
        # A bug forgets what waits and has a new session say goodbye; at the end there is none.
        ([FLAG + MOVE, failed, renewed], f"<{BUG}>", "half closed"),
        ([FLAG + QUIT, failed], "", "dropped"),
    ],
)
def test_how_it_ends(steps: list[Step], said: str, ends: str) -> None:
    player = after(peer(), *steps)
    assert (told(player), ending(player)) == (said, ends)


@pytest.mark.parametrize(
    ("steps", "ends"),
    [
        ([59_999, swept], ""),
        ([60_000, swept], "half closed"),
        ([encode(Start(9, 9, 1))[:1], 60_000, swept], "half closed"),
    ],
)
def test_who_never_says_anything_is_given_less_time(steps: list[Step], ends: str) -> None:
    assert ending(after(peer(is_known=False), *steps)) == ends


def test_packets_that_wait_keep_their_place_before_later_ones_and_reading_stops() -> None:
    player, reading = peer(), []
    for steps in ((QUESTION, MOVE), (FLAG, MOVE), (answered,)):
        after(player, *steps)
        reading.append(player.transport.is_reading_now)
    assert (told(player), reading) == ("amfm", [True, False, True])


def test_a_stuck_store_bounds_the_replies_that_wait() -> None:
    player = after(peer(), FLAG + MOVE * 2 * MAX_HELD)
    assert player.connection.conversation.packets == 1 + MAX_HELD
    assert not player.transport.is_reading_now
    after(player, stored)
    assert len(told(player)) == 1 + 2 * MAX_HELD


def test_a_stuck_store_bounds_the_bytes_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jminesweeper.server.conversation.MAX_HELD_BYTES", 100)
    assert MAX_HELD_BYTES > 100
    player = after(peer(), FLAG + MOVE * 50)
    assert 2 < player.connection.conversation.packets < 20
    after(player, stored)
    assert len(told(player)) == 1 + 50


def test_an_answer_that_nobody_waits_for_is_dropped() -> None:
    player = after(peer(), QUESTION + MOVE, answered)
    player.world.have(player.connection.conversation.answered, 1, None, 0)
    assert told(player) == "am"


def test_nothing_is_shown_unasked_before_what_is_owed() -> None:
    player = peer()
    player.world.shows_at_once = False
    other = player.world.player()
    other.say(LIVE)
    after(player, answered)
    player.replies.clear()
    after(player, FLAG)
    other.say(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
    assert player.connection.conversation.is_stale
    after(player, lambda each: each.connection.show())
    assert told(player) == ""
    after(player, answered, 100)
    assert told(player) == "ff"


def test_from_every_phase_but_the_last_a_connection_can_be_lost() -> None:
    assert all((phase, Trigger.LOSS) in TRANSITIONS for phase in Phase if phase is not Phase.GONE)


def test_who_has_left_never_plays_again() -> None:
    over = (Phase.LEAVING, Phase.LINGERING, Phase.GONE)
    later = {TRANSITIONS.get(step) for step in product(over, Trigger)} - {None}
    assert later == {Phase.LINGERING, Phase.GONE}


def test_what_the_table_does_not_hold_cannot_happen() -> None:
    player = peer()
    player.hang_up()
    with pytest.raises(KeyError):
        player.connection.conversation.lose(0)


def test_nothing_is_lost_in_any_chopping_of_the_stream() -> None:
    stream = MOVE + QUESTION + MOVE + FLAG + QUIT
    whole = after(peer(), stream, answered)
    bytewise = after(peer(), *(bytes((byte,)) for byte in stream), answered)
    assert told(whole) == told(bytewise) == "mamf"
