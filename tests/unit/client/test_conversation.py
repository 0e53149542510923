"""The client's conversation, by scripted exchanges: what comes in, what goes out, what it tells."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.client.conversation import (
    COMING_BACK,
    FIRST_SCREEN_WAIT_S,
    FIRST_WAIT_S,
    GREETING,
    REFRESH_S,
    TRANSITIONS,
    Backoff,
    ClientConversation,
    ClientState,
    ClientTrigger,
    Profile,
    earliest,
    is_due,
)
from jminesweeper.client.events import (
    ClientEvent,
    ConnectionRequest,
    FirstScreen,
    FrameReceived,
    Interrupted,
    KeepRecording,
    Over,
    Viewed,
)
from jminesweeper.protocol.packets import (
    Join,
    LookBack,
    NewGame,
    OpenMenu,
    Packet,
    RecordingContent,
    ScreenContent,
    Start,
    UnknownPacket,
    View,
    Watch,
    encode,
)
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Command, Direction, LookBackAt
from tests.integration.scripted_server import view

START = Start(20, 10, 1)
GAME = NewGame("expert jminesweeper")
PROFILE = Profile(START, is_live=True, key=bytes(16))
OLD = ScreenContent(b"a board\r\nof version 1")
NEW = ScreenContent(ANNOUNCEMENT + b"a board")
FULL = ScreenContent(b"\x1b[HThe server is full.")


BOARD = view(b"\x10", size=[1, 1], state="playing")
MENU = view(menu={"id": "main"})
LIVE = view(unasked=True, left=3)
GOODBYE = view(message={"id": "farewell"})
LAST = view(last=True, message={"id": "goodbye"})
MENU_KEY = OpenMenu("")

DIAL, HANG_UP = ConnectionRequest.DIAL, ConnectionRequest.HANG_UP


class Talk:
    """A conversation, the clock, and the server's eyes."""

    def __init__(self, profile: Profile = PROFILE, answer_wait_s: float | None = None) -> None:
        self.profile = profile
        self.conversation = ClientConversation(profile, Backoff(lambda: 0.0), answer_wait_s)
        self.now_s = 100.0
        self._server = PacketReader(Direction.FROM_CLIENT)

    def sent(self) -> list[Packet]:
        return self._server.feed(self.conversation.data_to_send())

    def connect(self) -> list[Packet]:
        self._server = PacketReader(Direction.FROM_CLIENT)
        self.conversation.connected(self.now_s)
        return self.sent()

    def hears(self, *packets: Packet) -> list[ClientEvent]:
        return self.conversation.receive(b"".join(map(encode, packets)), self.now_s)

    def loses(self, reason: str = "It is gone.") -> list[ClientEvent]:
        return self.conversation.lose(reason, self.now_s)

    def asks(self, *packets: Packet) -> list[Packet]:
        self.conversation.send(packets, self.now_s)
        return self.sent()

    def waits(self) -> list[ClientEvent]:
        assert self.conversation.deadline is not None
        self.now_s = self.conversation.deadline
        return self.conversation.expire(self.now_s)

    def deadline(self) -> float | None:
        return self.conversation.deadline

    @property
    def state(self) -> ClientState:
        return self.conversation.state


def talking(*packets: Packet, profile: Profile = PROFILE) -> Talk:
    talk = Talk(profile)
    talk.connect()
    talk.hears(*packets)
    talk.sent()
    return talk


def interrupted(profile: Profile = PROFILE) -> Talk:
    talk = talking(NEW, BOARD, profile=profile)
    talk.loses()
    return talk


def returning() -> Talk:
    """A conversation whose second connection has been greeted."""
    talk = interrupted()
    assert talk.waits() == [DIAL]
    assert talk.connect() == [START]
    return talk


def test_every_packet_but_quit_is_owed_a_reply() -> None:
    talk = talking(OLD)
    talk.conversation.send([Command.REVEAL, Command.MOVE_UP], talk.now_s)
    assert talk.conversation.owed == 2
    assert talk.hears(OLD) == [FrameReceived(OLD)]
    assert talk.conversation.owed == 1
    talk.conversation.quit()
    assert talk.sent() == [Command.REVEAL, Command.MOVE_UP, Command.QUIT]
    assert talk.conversation.owed == 1


def test_a_view_says_what_it_answers() -> None:
    talk = talking(NEW, BOARD)
    talk.asks(Command.REVEAL, MENU_KEY)
    assert talk.hears(BOARD) == [Viewed(BOARD.members(), b"\x10", Command.REVEAL)]
    assert talk.hears(MENU) == [Viewed(MENU.members(), b"", MENU_KEY)]


def test_a_view_that_comes_unasked_answers_nothing_and_is_no_goodbye() -> None:
    talk = talking(NEW, BOARD)
    talk.asks(Command.REVEAL)
    assert talk.hears(LIVE) == [Viewed(LIVE.members())]
    assert talk.conversation.owed == 1
    talk.hears(BOARD, LIVE)
    assert talk.loses() == [Interrupted("It is gone.")]


def test_a_recording_is_kept_only_where_it_was_asked_for() -> None:
    ask, text = LookBack(LookBackAt.RECORDING), RecordingContent(b"a game")
    talk = talking(NEW, BOARD)
    talk.asks(Command.REVEAL, ask)
    assert talk.hears(text) == []
    assert talk.hears(text) == [KeepRecording(b"a game")]
    assert talk.conversation.owed == 0


def test_who_thinks_is_not_hung_up_on() -> None:
    talk = talking(NEW, BOARD)
    talk.asks(Command.REVEAL)
    talk.hears(BOARD)
    assert talk.deadline() == talk.now_s + REFRESH_S
    assert talk.waits() == []
    assert talk.sent() == [Command.REFRESH]
    assert talk.deadline() == talk.now_s + REFRESH_S


def test_a_server_may_ask_to_be_asked_sooner() -> None:
    talk = talking(NEW, view(refresh=500))
    assert talk.deadline() == talk.now_s + 0.5
    talk.waits()
    assert talk.sent() == [Command.REFRESH]
    for odd in (0, -1, 10**9, "soon", None):
        talk.hears(view(refresh=odd))
        assert talk.deadline() == talk.now_s + REFRESH_S


@pytest.mark.parametrize(
    "talk", [talking(OLD), talking(NEW, BOARD, profile=Profile(START))], ids=["old", "a program"]
)
def test_version_1_and_programs_are_asked_for_nothing(talk: Talk) -> None:
    talk.asks(Command.REVEAL)
    assert talk.deadline() is None


@pytest.mark.parametrize("profile", [PROFILE, Profile(START, GAME, key=bytes(16))])
def test_a_game_of_version_2_is_returned_to(profile: Profile) -> None:
    talk = talking(NEW, BOARD, profile=profile)
    assert talk.loses() == [Interrupted("It is gone.")]
    assert talk.deadline() == talk.now_s + FIRST_WAIT_S
    assert talk.waits() == [DIAL]
    assert talk.connect() == [START]
    assert talk.hears(NEW) == [FirstScreen(2, NEW.text)]
    # Never another game: the one that was cut off waits.
    hello = profile.hello(returns=True)
    assert talk.sent() == [hello]
    assert talk.hears(BOARD) == [Viewed(BOARD.members(), b"\x10", hello)]
    assert talk.asks(Command.REVEAL) == [Command.REVEAL]


@pytest.mark.parametrize(
    ("screen", "reason"),
    [(FULL, "The server is full."), (OLD, "The server no longer speaks version 2.")],
)
def test_a_server_that_does_not_take_the_game_up_is_tried_again(
    screen: ScreenContent, reason: str
) -> None:
    talk = returning()
    assert talk.hears(screen) == [HANG_UP, Interrupted(reason)]
    assert talk.waits() == [DIAL]


def test_a_server_that_cannot_be_reached_is_tried_less_and_less_often() -> None:
    talk = interrupted()
    waits = []
    for _ in range(8):
        assert talk.waits() == [DIAL]
        assert talk.loses("There is no server.") == [Interrupted("There is no server.")]
        deadline = talk.deadline()
        assert deadline is not None
        waits.append(deadline - talk.now_s)
    assert waits == sorted(waits)
    assert waits[-1] > 10


def test_who_plays_again_is_not_made_to_wait_longer() -> None:
    talk = returning()
    talk.hears(NEW, BOARD)
    talk.asks(Command.REVEAL)
    talk.loses()
    assert talk.deadline() == talk.now_s + FIRST_WAIT_S


def test_a_silent_server_is_given_up() -> None:
    talk = Talk()
    talk.connect()
    assert talk.deadline() == talk.now_s + FIRST_SCREEN_WAIT_S
    reason = "The server sends no screen. Is it JMinesweeper?"
    assert talk.waits() == [HANG_UP, Over(reason)]
    assert returning().waits() == [HANG_UP, Interrupted(reason)]


def test_a_driver_can_have_a_server_given_up_that_owes_an_answer() -> None:
    talk = Talk(Profile(START), answer_wait_s=30.0)
    talk.connect()
    talk.hears(NEW)
    assert talk.deadline() == talk.now_s + 30.0
    talk.hears(BOARD)
    assert talk.deadline() is None
    talk.conversation.send([Command.REVEAL], talk.now_s)
    assert talk.waits() == [HANG_UP, Interrupted("The server does not answer.")]


def test_what_came_before_bad_bytes_is_shown() -> None:
    talk = talking(NEW)
    events = talk.conversation.receive(encode(BOARD) + b"\x00", 0.0)
    assert isinstance(events[0], Viewed)
    assert events[1] is HANG_UP


@pytest.mark.parametrize(
    ("packets", "received", "reason"),
    [
        ([], b"\x15\x03\x03\x00\x02\x02\x46", "This server speaks TLS: try tls://HOST."),
        ([], encode(BOARD), "The server does not speak JMinesweeper's protocol."),
        ([NEW], encode(View(b"{..}")), "The members in VIEW are not JSON."),
    ],
    ids=["an alert of TLS", "a view before HELLO", "no JSON"],
)
def test_what_is_not_the_protocol_ends_it(
    packets: list[Packet], received: bytes, reason: str
) -> None:
    talk = talking(*packets)
    assert talk.conversation.receive(received, talk.now_s) == [HANG_UP, Over(reason)]


def test_a_server_that_hangs_up_without_a_word_may_speak_tls() -> None:
    reason = "It closed the connection. If it speaks TLS, try tls://HOST."
    assert talking().loses("It closed the connection.") == [Over(reason)]


def in_state(state: ClientState) -> Talk:
    if state in COMING_BACK:
        talk = interrupted()
        if state is not ClientState.WAITING:
            talk.waits()
        if state is ClientState.REGREETING:
            talk.connect()
        return talk
    if state is ClientState.DIALLING:
        return Talk()
    screens: dict[ClientState, list[Packet]] = {
        ClientState.PLAYING_1: [OLD],
        ClientState.PLAYING_2: [NEW, BOARD],
        ClientState.OVER: [NEW, LAST],
    }
    return talking(*screens.get(state, []))


def pull(talk: Talk, trigger: ClientTrigger) -> None:
    match trigger:
        case ClientTrigger.CONNECTED:
            talk.connect()
        case ClientTrigger.SPOKE_1:
            talk.hears(OLD)
        case ClientTrigger.SPOKE_2:
            talk.hears(NEW)
        case ClientTrigger.LOST:
            talk.loses()
        case ClientTrigger.DUE:
            talk.conversation.expire(float("inf"))


@pytest.mark.parametrize(
    ("state", "trigger"),
    [
        (state, trigger)
        for state, trigger in product(ClientState, ClientTrigger)
        # A silent server counts as lost.
        if not (state in GREETING and trigger is ClientTrigger.DUE)
    ],
)
def test_the_table_says_what_happens_and_nothing_else_does(
    state: ClientState, trigger: ClientTrigger
) -> None:
    talk = in_state(state)
    assert talk.state is state
    pull(talk, trigger)
    assert talk.state is TRANSITIONS.get((state, trigger), state)


@pytest.mark.parametrize("state", ClientState)
def test_quit_ends_it_in_every_state(state: ClientState) -> None:
    talk = in_state(state)
    talk.conversation.quit()
    is_connected = state not in {
        ClientState.DIALLING,
        ClientState.WAITING,
        ClientState.REDIALLING,
        ClientState.OVER,
    }
    assert talk.state is ClientState.OVER
    assert (Command.QUIT in talk.sent()) == is_connected


def test_who_is_in_a_hurry_reconnects_at_once() -> None:
    talk = in_state(ClientState.WAITING)
    assert talk.conversation.hurry() == [DIAL]
    assert talk.conversation.hurry() == []  # It is trying.


@pytest.mark.parametrize(
    "state", [ClientState.WAITING, ClientState.REDIALLING, ClientState.DIALLING, ClientState.OVER]
)
def test_bytes_of_a_connection_that_was_given_up_are_ignored(state: ClientState) -> None:
    talk = in_state(state)
    assert talk.conversation.receive(b"\x00\x00", talk.now_s) == []
    assert talk.state is state


@given(
    st.lists(st.sampled_from([BOARD, MENU, LIVE, UnknownPacket(99, 4)]), max_size=8),
    st.data(),
)
def test_it_does_not_matter_where_the_network_cuts(
    packets: list[Packet], data: st.DataObject
) -> None:
    stream = b"".join(map(encode, [NEW, *packets]))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    whole, pieces = Talk(), Talk()
    whole.connect()
    pieces.connect()
    expected = whole.conversation.receive(stream, 0.0)
    events = [
        event
        for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)
        for event in pieces.conversation.receive(stream[start:end], 0.0)
    ]
    assert events == expected
    assert pieces.sent() == whole.sent()


@pytest.mark.parametrize(
    ("room", "wish"),
    [
        ({"code": "KTPQAH", "you": 2}, [Join("KTPQAH")]),
        ({"code": "KTPQAH", "you": 0}, [Watch("KTPQAH")]),
        ({"code": 7, "you": 1}, []),
        ({"code": "\N{SNOWMAN}", "you": 1}, []),
        ([], []),
        (None, []),
    ],
)
def test_who_comes_back_sits_down_in_the_room_again(room: Any, wish: list[Packet]) -> None:
    talk = talking(NEW, view(room={"code": "OTHER", "you": 1}), view(room=room))
    talk.loses()
    talk.waits()
    talk.connect()
    talk.hears(NEW)
    assert talk.sent()[1:] == wish


def test_the_secret_key_is_not_shown_with_the_rest() -> None:
    assert "secret" not in repr(Profile(START, key=b"secret"))


def test_the_earliest_deadline_is_the_first_that_is_set() -> None:
    assert earliest(None, 3.0, 2.0) == 2.0
    assert earliest(None, None) is None


def test_a_deadline_is_due_from_its_moment_on() -> None:
    assert [is_due(deadline, 2.0) for deadline in (None, 3.0, 2.0, 1.0)] == [
        False,
        False,
        True,
        True,
    ]


def test_waits_are_spread_so_that_players_do_not_come_back_all_at_once() -> None:
    assert Backoff(lambda: 1.0).next_wait_s() == FIRST_WAIT_S / 2
