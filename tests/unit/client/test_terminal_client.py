"""A client without a terminal, a clock or a network: what happens to it, and what it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from jminesweeper.client import events
from jminesweeper.client.conversation import FIRST_WAIT_S, QUIET_S, Backoff, Profile
from jminesweeper.client.events import ConnectionRequest, Effect, Event
from jminesweeper.client.keys import ESC_WAIT_S
from jminesweeper.client.terminal_client import (
    BACKGROUND_WAIT_S,
    NOTICE_S,
    PAUSE_WAIT_S,
    TerminalClient,
)
from jminesweeper.protocol.packets import (
    Act,
    LookBack,
    NewGame,
    OpenMenu,
    Packet,
    Pick,
    RecordingContent,
    Replay,
    ScreenContent,
    Start,
    Undo,
    UnknownPacket,
    encode,
)
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Button, Command, Direction, LookBackAt
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.layout import TerminalSize
from jminesweeper.terminal.looks import Canvas, ColourDepth, Looks, Palette
from tests.integration.scripted_server import view
from tests.staged import Staged

START = Start(20, 10, 1)
GAME = NewGame("expert jminesweeper")
SCREEN = ScreenContent(b"two\r\nlines")
ANNOUNCED = ScreenContent(ANNOUNCEMENT + b"hello")
PROFILE = Profile(START, is_live=True, key=bytes(16))


KEYS = ["reveal", "flag", "quit"]
BOARD = view(size=[3, 1], state="playing", label="a game", mines=1, left=1, keys=KEYS)
SETTING = {"id": "kind", "kind": "choice", "label": "Kind", "value": "a", "choices": ["a", "b"]}
PICKS = [Pick("settings", "kind", "b"), Pick("settings", "kind", "a")]
SETTINGS = view(menu={"id": "settings", "title": "Settings", "rows": [SETTING]})


USUAL = Canvas(80, 24)


class Player(Staged):
    """Somebody at a client."""

    def __init__(self, profile: Profile = PROFILE, canvas: Canvas = USUAL, **more: Any) -> None:
        self.profile = profile
        self.client = TerminalClient(profile, Backoff(lambda: 0.0), canvas, KeyMap(), **more)
        super().__init__(self.client, canvas.columns, canvas.rows)

    def receives(self, *packets: Packet) -> list[Effect]:
        return self.after(heard(*packets))

    def types(self, data: bytes) -> list[Packet]:
        return sent(self.type(data))

    @property
    def bottom(self) -> str:
        return self.screen.lines[-1]


def playing(*greeting: Packet, profile: Profile = PROFILE, columns: int = 80) -> Player:
    player = Player(profile, Canvas(columns, 24), has_mouse=True)
    player.after(events.Connected())
    player.receives(*greeting)
    return player


def playing_1() -> Player:
    return playing(SCREEN)


def playing_2(columns: int = 80) -> Player:
    return playing(ANNOUNCED, BOARD, columns=columns)


def sent(effects: Iterable[Effect]) -> list[Packet]:
    reader = PacketReader(Direction.FROM_CLIENT)
    data = b"".join(effect.data for effect in effects if isinstance(effect, events.Send))
    return reader.feed(data)


def left(effects: Iterable[Effect]) -> events.Leave | None:
    return next((effect for effect in effects if isinstance(effect, events.Leave)), None)


def act(column: int, seen: int = 16, button: Button = Button.REVEAL) -> Act:
    return Act(column, 0, button, seen)


def flag(column: int, seen: int = 16) -> Act:
    return act(column, seen, Button.FLAG)


def heard(*packets: Packet) -> Event:
    return events.Received(b"".join(map(encode, packets)))


GREETED = (ANNOUNCED, BOARD)
REPLAY = view(replay=[0, 100, 200], position=0)
IN_VERSION_1 = [
    *(Command.MOVE_UP, Command.MOVE_LEFT, Command.MOVE_DOWN, Command.MOVE_RIGHT),
    *(Command.TOGGLE_BOMB_MARK, Command.REVEAL, Command.TOGGLE_DEBUG_MODE),
]


@pytest.mark.requirement("J:Client Requirements")
def test_start_is_the_first_packet_to_any_server() -> None:
    player = Player()
    assert player.effects == [ConnectionRequest.DIAL]
    assert sent(player.after(events.Connected())) == [START]


@pytest.mark.requirement("J:screen content", "J:key TAB", "J:key X")
@pytest.mark.parametrize(
    ("greeting", "typed", "packets", "answer", "then"),
    [
        # What is typed before the first screen waits for it, and quitting for nothing.
        ([], b"w\r", [], SCREEN, [Command.MOVE_UP, Command.REVEAL]),
        ([], b"x", [Command.QUIT], None, []),
        ([SCREEN], b"wasd \r#7q", IN_VERSION_1, None, []),
        ([SCREEN], b"\t", [START], None, []),
        ([SCREEN], b"x\r", [Command.QUIT], None, []),
        (GREETED, b"x\r", [Command.QUIT], None, []),
        (GREETED, b"\t", [NewGame()], None, []),
        (GREETED, b"l", [], None, []),
        # What a tile shows is waited for before it is pressed again.
        (GREETED, b"\r\r", [act(0)], view(bytes((0, 0, 1, 1))), [act(0, seen=1)]),
        # After a menu keys wait, and none plays blind.
        (GREETED, b"m\x1b[C\r", [OpenMenu("")], SETTINGS, [Pick("settings", "kind", "b")]),
        (GREETED, b"mf", [OpenMenu("")], UnknownPacket(99, 3), [flag(0)]),
        # Values and steps of a replay wait for nothing.
        ([*GREETED, SETTINGS], b"\x1b[C\x1b[C", PICKS, None, []),
        ([*GREETED, REPLAY], b"\x1b[C\x1b[C", [Replay(1), Replay(2)], None, []),
    ],
)
def test_keys_are_sent_at_once_or_after_what_they_wait_for(
    greeting: Sequence[Packet],
    typed: bytes,
    packets: list[Packet],
    answer: Packet | None,
    then: list[Packet],
) -> None:
    player = playing(*greeting)
    assert player.types(typed) == packets
    if Command.QUIT in packets:
        assert left(player.effects) == events.Leave(0)
    if answer is not None:
        assert sent(player.receives(answer))[: len(then)] == then
        assert bool(sent(player.effects)) == bool(then)


def test_keys_wait_until_all_that_was_sent_is_answered() -> None:
    player = playing_2()
    assert player.types(b"fuff") == [flag(0), Undo(1)]
    assert sent(player.receives(view())) == []
    assert len(sent(player.receives(view()))) == 2


LAST = view(last=True, message={"id": "goodbye", "text": "Goodbye."})
GONE = events.Lost("It is gone.")


@pytest.mark.parametrize(
    ("greeting", "event", "code", "message", "screen"),
    [
        (None, GONE, 1, "It is gone.", ""),
        ([], GONE, 1, "It is gone. If it speaks TLS, try tls://HOST.", ""),
        ([SCREEN], GONE, 1, "It is gone.", "two\nlines"),
        (GREETED, events.Stopped(129), 129, "", ""),
        (GREETED, events.Stopped(130), 130, "", ""),
        (GREETED, heard(LAST), 1, "Goodbye.", ""),
        (GREETED, heard(view(last=True)), 1, "The server ended the game.", ""),
        ([*GREETED, None], heard(LAST), 0, "Goodbye.", ""),
    ],
)
def test_what_ends_a_game_is_told_and_in_good_order(
    greeting: Sequence[Packet | None] | None, event: Event, code: int, message: str, screen: str
) -> None:
    packets = [packet for packet in greeting or () if packet is not None]
    player = Player() if greeting is None else playing(*packets)
    if greeting and greeting[-1] is None:
        player.types(b"m")  # The last view answers a key.
    effects = player.after(event)
    assert left(effects) == events.Leave(code, message, screen)
    assert (Command.QUIT in sent(effects)) == isinstance(event, events.Stopped)


@pytest.mark.parametrize(
    ("profile", "packets", "words"),
    [
        (Profile(START, GAME, needs_version_2=True), [SCREEN], "only version 1"),
        (PROFILE, [*GREETED, view(size=[0, 0])], "makes no sense"),
    ],
)
def test_what_cannot_be_played_ends_the_program(
    profile: Profile, packets: Sequence[Packet], words: str
) -> None:
    leave = left(playing(*packets, profile=profile).effects)
    assert leave is not None
    assert (leave.exit_code, words in leave.message) == (1, True)


def test_a_screen_of_version_1_is_painted_over_the_last() -> None:
    player = playing_1()
    assert player.text.startswith("two\nlines")
    player.receives(ScreenContent(b"\x1b[2J\x1b[Hthree"))
    assert player.text.startswith("three")


# Version 1


def test_what_arrives_together_leaves_in_one_send() -> None:
    player = playing_1()
    assert len(player.types(b"wwwwdddd\r" * 100)) == 900
    assert len(player.effects) == 1


def test_a_server_that_keeps_no_games_has_none_that_waits() -> None:
    player = playing(SCREEN, profile=Profile(START, resumes=True))
    assert "keeps no games" in player.bottom


# Version 2


def test_a_server_that_announces_version_2_is_greeted_in_it() -> None:
    player = playing(ANNOUNCED, profile=Profile(START, GAME))
    assert sent(player.effects) == [player.profile.hello(), GAME]
    assert events.EnableMouse() in player.effects


def test_a_view_is_painted_and_a_step_of_the_cursor_before_any_reply() -> None:
    player = playing_2()
    assert "[#]# #" in player.text
    before = player.painted
    assert player.types(b"l") == []
    assert "#[#]#" in player.text
    assert player.painted == before + 1


def test_hundreds_of_keys_hit_the_cells_that_were_seen_in_order() -> None:
    player = playing_2()
    packets = player.types(b"lfhf" * 100)
    flags = [packet for packet in packets if isinstance(packet, Act)]
    assert [flag.column for flag in flags] == [1, 0] * 100
    assert [flag.seen for flag in flags] == [16, 16, 48, 48] * 50


def test_a_lone_escape_is_the_menu_after_a_moment() -> None:
    player = playing_2()
    assert player.types(b"\x1b") == []
    assert sent(player.after(events.Expired(), player.now_s + ESC_WAIT_S)) == [OpenMenu("")]


def test_the_clock_ticks_by_itself_and_nothing_is_sent() -> None:
    player = playing(ANNOUNCED, view(size=[3, 1], state="playing", clock=900, clock_runs=True))
    assert "0:00" in player.text
    assert sent(player.wait()) == []
    assert "0:01" in player.text


@pytest.mark.parametrize("members", [{}, {"clock": 10, "clock_runs": True}, {"refresh": 1}])
def test_nobody_is_woken_in_vain(members: dict[str, Any]) -> None:
    player = playing(ANNOUNCED, view(size=[3, 1], state="playing", **members))
    for _ in range(20):
        before = player.now_s
        player.wait()
        if player.client.deadline is not None:
            assert player.client.deadline > player.now_s >= before
        if player.client._conversation.owed:
            player.receives(view())


def test_looks_that_change_are_kept() -> None:
    player = playing(ANNOUNCED, BOARD)
    player.receives(SETTINGS)
    player.types(b"\x1b[B\x1b[C")
    assert player.effects == [events.KeepLooks(Looks(Palette.CLASSIC))]


# Trouble


def test_control_z_stops_the_clock_of_the_game_before_the_program() -> None:
    player = playing_2()
    player.receives(view(clock_runs=True, keys=[*KEYS, "pause"]))
    effects = player.after(events.StopAsked())
    assert (sent(effects), events.Suspend() in effects) == ([Command.PAUSE], False)
    assert player.receives(view(state="paused", clock_runs=False)) == [events.Suspend()]


def test_control_z_waits_a_moment_for_a_server_and_not_at_all_where_no_clock_runs() -> None:
    player = playing_2()
    assert player.after(events.StopAsked()) == [events.Suspend()]
    player.receives(view(clock_runs=True, keys=[*KEYS, "pause"]))
    player.after(events.StopAsked())
    assert events.Suspend() in player.after(events.Expired(), player.now_s + PAUSE_WAIT_S)


def asked_for_the_background() -> Player:
    canvas = Canvas(80, 24, ColourDepth.INDEXED, has_unicode=True)
    player = Player(canvas=canvas, asks_background=True)
    assert events.AskBackground() not in player.after(events.Connected())
    assert events.AskBackground() in player.receives(ANNOUNCED)
    player.receives(BOARD)
    return player


def test_the_first_screen_waits_a_moment_for_the_terminal_to_tell_its_background() -> None:
    player = asked_for_the_background()
    before = player.painted
    player.types(b"\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?1;2c")
    assert (before, player.painted) == (0, 1)
    assert has_light_tiles(player)


def test_a_background_that_is_told_late_has_the_screen_painted_once_more() -> None:
    player = asked_for_the_background()
    player.after(events.Expired(), player.now_s + BACKGROUND_WAIT_S)
    assert (player.painted, has_light_tiles(player)) == (1, False)
    player.types(b"\x1b]11;rgb:ffff/ffff/ffff\x07")
    player.types(b"\x1b[?1;2c")
    assert (player.painted, has_light_tiles(player)) == (2, True)


def has_light_tiles(player: Player) -> bool:
    shown = {look.attributes for row in player.screen.looks() for look in row}
    return {"on bcbcbc", "on b2b2b2"} <= shown


def test_a_window_without_room_for_the_board_stops_the_clock_once() -> None:
    player = playing_2()
    player.receives(view(clock_runs=True, keys=[*KEYS, "pause"]))
    assert sent(player.after(events.Resized(TerminalSize(39, 12)))) == [Command.PAUSE]
    assert sent(player.after(events.Resized(TerminalSize(30, 10)))) == []
    player.receives(view(state="paused", clock_runs=False))
    assert sent(player.after(events.Resized(TerminalSize(80, 24)))) == []
    assert "paused" in player.text


def test_a_lost_game_of_version_2_is_returned_to_by_itself() -> None:
    player = playing_2()
    player.types(b"f")
    assert player.after(events.Lost("The cable is cut.")) == []
    assert player.bottom.startswith("The cable is cut. Reconnecting; RETURN tries now, x quits.")
    assert "[#]# #" in player.text
    assert player.after(events.Expired(), player.now_s + FIRST_WAIT_S) == [ConnectionRequest.DIAL]
    assert sent(player.after(events.Connected())) == [START]
    assert sent(player.receives(ANNOUNCED)) == [PROFILE.hello(returns=True)]
    player.receives(BOARD)
    assert "Reconnecting" not in player.text


def test_on_the_way_back_return_tries_at_once_and_x_ends_it() -> None:
    player = playing_2()
    player.after(events.Lost("It is gone."))
    assert player.after(events.Typed(b"fff")) == []
    assert player.after(events.Typed(b"\r")) == [ConnectionRequest.DIAL]
    assert player.types(b"x") == []
    assert left(player.effects) == events.Leave(0)


def test_how_to_leave_is_told_where_there_is_no_room_for_more() -> None:
    player = playing_2(columns=45)
    player.after(events.Lost("The server closed the connection."))
    assert player.bottom == "... Reconnecting; RETURN tries now, x quits."


def test_a_server_that_freezes_is_noticed_and_counted() -> None:
    player = playing_2()
    player.types(b"f")
    player.after(events.Expired(), player.now_s + QUIET_S)
    assert player.bottom == "The server has not answered for 2 s. Press x to quit."
    player.after(events.Expired(), player.now_s + 1)
    assert "for 3 s." in player.bottom
    player.receives(view())
    assert "answered" not in player.text


def test_what_waits_for_a_frozen_server_is_dropped_and_said_not_played_blind() -> None:
    player = playing_2()
    assert player.types(b"mff") == [OpenMenu("")]
    player.after(events.Expired(), player.now_s + QUIET_S)
    assert "2 keys are dropped. Press x" in player.bottom
    assert player.types(b"f") == []
    assert "3 keys are dropped." in player.bottom
    assert sent(player.receives(view())) == []


def test_x_leaves_a_silent_server_even_where_keys_wait() -> None:
    player = playing_2()
    player.types(b"mff")
    player.after(events.Expired(), player.now_s + QUIET_S)
    assert player.types(b"x") == [Command.QUIT]
    assert left(player.effects) == events.Leave(0)


def test_a_server_that_owes_nothing_may_be_silent() -> None:
    player = playing_2()
    player.after(events.Expired(), player.now_s + 10 * QUIET_S)
    assert "answered" not in player.text


@pytest.mark.parametrize("player", [Player(), playing()])
def test_where_there_is_no_screen_yet_silence_is_told_all_the_same(player: Player) -> None:
    player.after(events.Expired(), player.now_s + QUIET_S)
    assert player.bottom == "The server has not answered for 2 s. Press x to quit."
    assert player.painted == 1
    player.after(events.Kept(""))
    assert player.painted == 1


@pytest.mark.parametrize(
    ("code", "others", "told"),
    [
        ("KTPQAH", [{"number": 2, "name": "Bob"}], "come back with --join KTPQAH."),
        ("KTPQAH", [{"number": 2, "name": "Bob", "here": False}], ""),
        ("KTPQAH", [], ""),
        ("", [{"number": 2, "name": "Solver, calm"}], ""),
    ],
    ids=["in company", "all others away", "as the last", "in a race alone"],
)
@pytest.mark.parametrize("has_pressed", [b"x", events.Stopped(130)], ids=["x", "Ctrl-C"])
def test_who_quits_in_a_room_is_told_how_to_come_back_once_the_game_is_off_the_screen(
    code: str, others: list[dict[str, Any]], told: str, has_pressed: bytes | events.Stopped
) -> None:
    room = {"code": code, "kind": "race", "state": "running", "you": 1}
    seats = [{"number": 1, "name": "Ada"}, *others]
    player = playing(ANNOUNCED, BOARD, view(room=room, seats=seats))
    if isinstance(has_pressed, bytes):
        player.types(has_pressed)
    else:
        player.after(has_pressed)
    leave = left(player.effects)
    assert leave is not None
    assert leave.message.endswith(told)
    assert bool(leave.message) == bool(told)


# News


def test_news_about_the_connection_are_shown_until_the_player_acts() -> None:
    player = Player()
    assert player.after(events.Connected("All alone.")) == [
        events.Send(encode(START)),
        events.Tell("All alone."),
    ]
    player.receives(ANNOUNCED, BOARD)
    assert player.bottom == "All alone."
    assert "RETURN reveal" in player.text
    player.types(b"l")
    assert "All alone." not in player.text


def test_news_go_away_by_themselves() -> None:
    player = Player()
    player.after(events.Connected("All alone."))
    player.receives(ANNOUNCED, BOARD)
    player.after(events.Expired(), player.now_s + NOTICE_S)
    assert "All alone." not in player.text


def test_a_recording_is_kept_and_where_it_is_stands_at_the_bottom() -> None:
    player = playing_2()
    assert player.types(b"t") == [LookBack(LookBackAt.RECORDING)]
    assert player.receives(RecordingContent(b"a game")) == [events.KeepRecording(b"a game")]
    player.after(events.Kept("Saved to game-1.txt"))
    assert player.bottom == "Saved to game-1.txt"
