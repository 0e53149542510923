from collections.abc import Iterable

import pytest

from jminesweeper.client import events
from jminesweeper.client.capabilities import INDEXED_COLOURS
from jminesweeper.client.conversation import FIRST_SCREEN_WAIT_S
from jminesweeper.client.events import ConnectionRequest, Effect, Event
from jminesweeper.client.keys import ESC_WAIT_S
from jminesweeper.client.mouse import HOLD_S
from jminesweeper.client.painter import Painter
from jminesweeper.client.profile import Profile, TerminalSize, Wire
from jminesweeper.client.terminal_client import NOTICE_S, TerminalClient
from jminesweeper.client.timers import FIRST_WAIT_S, QUIET_S, Backoff
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import (
    Hello,
    LookBack,
    NewGame,
    Packet,
    Pointer,
    RecordingContent,
    Resize,
    ScreenContent,
    ScreenPatch,
    Start,
    Text,
    Undo,
    UnknownPacket,
)
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import (
    ANNOUNCEMENT,
    Button,
    Command,
    Direction,
    Feature,
    GameKind,
    LookBackAt,
    PatchFlag,
)

START = Start(20, 10, 1)
SIZE = TerminalSize(80, 24)
GAME = NewGame(GameKind.EXPERT)
SCREEN = ScreenContent(b"two\r\nlines")
ANNOUNCED = ScreenContent(ANNOUNCEMENT + b"hello")
PATCH = ScreenPatch(PatchFlag.FULL_REPAINT, 0, 0, b"two\r\nlines")
CLOCK = ScreenPatch(PatchFlag.CLOCK_RUNS)
KEY = bytes(16)


class Player:
    """A client without a terminal, a clock or a network."""

    def __init__(self, profile: Profile | None = None, size: TerminalSize = SIZE) -> None:
        self.profile = profile or Profile(START, key=KEY)
        painter, backoff = Painter(INDEXED_COLOURS), Backoff(lambda: 0.0)
        self.client = TerminalClient(self.profile, painter, backoff, size)
        self.now_s = 100.0
        self.effects: list[Effect] = self.client.begin(self.now_s)

    def after(self, event: Event, at_s: float | None = None) -> list[Effect]:
        self.now_s = self.now_s if at_s is None else at_s
        self.effects = self.client.handle(event, self.now_s)
        return self.effects

    def receives(self, *packets: Packet, at_s: float | None = None) -> list[Effect]:
        return self.after(events.Received(b"".join(map(encode, packets))), at_s)

    def types(self, data: bytes, at_s: float | None = None) -> list[Effect]:
        return self.after(events.Typed(data), at_s)

    def deadline(self) -> float | None:
        return self.client.deadline

    def waits(self) -> list[Effect]:
        assert self.client.deadline is not None
        return self.after(events.Expired(), self.client.deadline)


def playing(*greeting: Packet, profile: Profile | None = None) -> Player:
    player = Player(profile)
    player.after(events.Connected())
    player.receives(*greeting)
    return player


def playing_1() -> Player:
    return playing(SCREEN)


def playing_2(profile: Profile | None = None) -> Player:
    return playing(ANNOUNCED, PATCH, profile=profile)


def sent(effects: Iterable[Effect]) -> list[Packet]:
    reader = PacketReader(Direction.FROM_CLIENT)
    data = b"".join(effect.data for effect in effects if isinstance(effect, events.Send))
    return reader.feed(data)


def painted(effects: Iterable[Effect]) -> str:
    return "".join(effect.text for effect in effects if isinstance(effect, events.Paint))


def left(effects: Iterable[Effect]) -> events.Leave | None:
    return next((effect for effect in effects if isinstance(effect, events.Leave)), None)


def test_it_begins_by_connecting() -> None:
    assert Player().effects == [ConnectionRequest.DIAL]


@pytest.mark.requirement("J:Client Requirements")
def test_start_is_the_first_packet_to_any_server() -> None:
    player = Player()
    assert sent(player.after(events.Connected())) == [START]


@pytest.mark.requirement("J:screen content")
def test_a_server_of_version_1_is_sent_keys_and_its_screens_are_painted() -> None:
    player = playing(SCREEN)
    assert "two\r\nlines" in painted(player.effects)
    assert sent(player.types(b"wasd \r#")) == [
        Command.MOVE_UP,
        Command.MOVE_LEFT,
        Command.MOVE_DOWN,
        Command.MOVE_RIGHT,
        Command.TOGGLE_BOMB_MARK,
        Command.REVEAL,
        Command.TOGGLE_DEBUG_MODE,
    ]
    assert painted(player.receives(SCREEN, SCREEN)).count("two") == 2


def test_what_arrives_together_leaves_in_one_send() -> None:
    effects = playing_1().types(b"wwwwdddd\r" * 100)
    assert len(effects) == 1
    assert len(sent(effects)) == 900


@pytest.mark.requirement("J:key TAB")
def test_tab_starts_a_game_with_the_same_settings_on_the_same_connection() -> None:
    assert sent(playing_1().types(b"\t")) == [START]


@pytest.mark.requirement("J:key X")
def test_x_quits_and_what_was_typed_after_it_is_not_sent() -> None:
    effects = playing_1().types(b"wXd")
    assert sent(effects) == [Command.MOVE_UP, Command.QUIT]
    assert left(effects) == events.Leave(0)


def test_keys_without_a_meaning_send_nothing() -> None:
    assert playing_1().types(b"q5\x1b[99~") == []


def test_what_is_typed_before_the_first_screen_waits_for_it() -> None:
    player = Player()
    assert player.types(b"w") == []
    player.after(events.Connected())
    assert player.types(b"d\r") == []
    assert sent(player.receives(SCREEN)) == [
        Command.MOVE_UP,
        Command.MOVE_RIGHT,
        Command.REVEAL,
    ]


def test_quitting_need_not_wait_for_the_server() -> None:
    player = Player()
    assert left(player.types(b"wx")) == events.Leave(0)
    player = Player()
    player.after(events.Connected())
    player.types(b"w")
    effects = player.types(b"x")
    assert (sent(effects), left(effects)) == ([Command.MOVE_UP, Command.QUIT], events.Leave(0))


def test_a_server_that_announces_version_2_is_greeted_in_it() -> None:
    player = Player(Profile(START, GAME, has_mouse=True, key=KEY))
    player.after(events.Connected())
    effects = player.receives(ANNOUNCED)
    assert sent(effects) == [player.profile.hello(SIZE), GAME]
    assert events.EnableMouse() in effects
    assert painted(effects) == ""


def test_a_running_game_continues_if_no_other_is_asked_for() -> None:
    player = Player()
    player.after(events.Connected())
    assert sent(player.receives(ANNOUNCED)) == [player.profile.hello(SIZE)]


def test_the_player_can_refuse_version_2() -> None:
    player = playing(ANNOUNCED, profile=Profile(START, wire=Wire.ONE))
    assert "hello" in painted(player.effects)
    assert sent(player.effects) == []
    assert sent(player.types(b"u\t")) == [START]


@pytest.mark.parametrize("screen", [SCREEN, ScreenContent(b"The server is full.")])
def test_a_game_that_needs_version_2_is_not_played_in_another(screen: ScreenContent) -> None:
    player = playing(screen, profile=Profile(START, GAME, needs_version_2=True))
    leave = left(player.effects)
    assert leave is not None
    assert leave.exit_code == 1
    assert leave.message in {
        "The server is full.",
        "The server speaks only version 1, which cannot play this.",
    }


MOUSE = Profile(START, has_mouse=True, key=KEY)


def test_version_2_has_more_keys_and_the_mouse() -> None:
    player = playing_2(MOUSE)
    assert sent(player.types(b"u\x1b[<2;3;4M")) == [Undo(1), Pointer(2, 3, Button.FLAG)]


@pytest.mark.parametrize("player", [playing_1(), playing_2(), playing(SCREEN, profile=MOUSE)])
def test_the_mouse_does_nothing_unless_it_was_asked_for(player: Player) -> None:
    assert player.types(b"\x1b[<2;3;4M\x1b[<0;3;4M") == []
    assert player.client.deadline is None


FIELD = ScreenPatch(PatchFlag.TAKES_TEXT)


def test_what_is_typed_ahead_of_a_field_is_its_text() -> None:
    player = playing_2()
    assert sent(player.types(b"m\rxX\rx")) == [Command.MENU]
    assert sent(player.receives(PATCH)) == [Command.REVEAL]
    assert player.types(b"w") == []
    assert sent(player.receives(FIELD)) == [Text("x"), Text("X"), Command.REVEAL]
    player.receives(FIELD, FIELD)
    effects = player.receives(PATCH)
    assert (sent(effects), left(effects)) == ([Command.QUIT], events.Leave(0))


def test_what_waits_for_a_screen_waits_for_the_clock_as_well() -> None:
    player = playing(ANNOUNCED, CLOCK)
    player.waits()
    assert sent(player.types(b"m7")) == [Command.MENU]
    assert sent(player.receives(CLOCK)) == []
    assert sent(player.receives(PATCH)) == [Text("7")]


def test_what_waits_for_a_screen_that_never_comes_is_forgotten() -> None:
    player = playing_2()
    player.types(b"mxx")
    player.after(events.Lost("It is gone."), 200.0)
    player.waits()
    player.after(events.Connected())
    player.receives(ANNOUNCED, PATCH)
    assert sent(player.types(b"w")) == [Command.MOVE_UP]


RESUMING = Profile(START, resumes=True, key=KEY)


def test_who_resumes_says_so() -> None:
    (hello,) = sent(playing(ANNOUNCED, profile=RESUMING).effects)
    assert isinstance(hello, Hello)
    assert hello.features == Feature.RESUME | Feature.LIVE | Feature.TILES


def test_a_server_that_keeps_no_games_has_none_that_waits() -> None:
    player = playing(SCREEN, profile=RESUMING)
    assert "keeps no games; this is a new one." in painted(player.effects)
    assert "keeps no games" in painted(player.receives(SCREEN))
    player.types(b"w")
    assert "keeps no games" not in painted(player.receives(SCREEN))


def test_a_held_press_flags_when_its_time_has_come() -> None:
    player = playing_2(MOUSE)
    player.types(b"\x1b[<0;3;4M", at_s=200.0)
    assert player.client.deadline == 200.0 + HOLD_S
    assert sent(player.waits()) == [Pointer(2, 3, Button.FLAG)]


def test_a_lone_escape_is_the_menu_after_a_moment() -> None:
    player = playing_2()
    assert player.types(b"\x1b", at_s=200.0) == []
    assert player.client.deadline == 200.0 + ESC_WAIT_S
    assert sent(player.waits()) == [Command.MENU]


def test_the_clock_is_asked_for_once_a_second_while_it_runs() -> None:
    player = playing(ANNOUNCED, CLOCK)
    assert player.deadline() == 101.0
    assert sent(player.waits()) == [Command.REFRESH]
    assert player.deadline() == player.now_s + QUIET_S
    player.receives(CLOCK, at_s=101.25)
    assert player.deadline() == 102.25
    player.receives(PATCH)
    assert player.deadline() is None


def test_a_timer_that_is_not_due_yet_does_nothing() -> None:
    player = playing(ANNOUNCED, CLOCK)
    assert player.after(events.Expired(), 100.5) == []


def test_the_server_is_told_of_a_new_size() -> None:
    assert sent(playing_2().after(events.Resized(TerminalSize(100, 30)))) == [Resize(100, 30)]


def test_a_resized_terminal_is_repainted() -> None:
    effects = playing_1().after(events.Resized(TerminalSize(100, 30)))
    assert "\x1b[2J" in painted(effects)
    assert "two\r\nlines" in painted(effects)
    assert sent(effects) == []


def test_a_size_that_changes_before_the_game_is_the_one_that_is_told() -> None:
    player = Player()
    player.after(events.Connected())
    assert player.after(events.Resized(TerminalSize(100, 30))) == []
    assert sent(player.receives(ANNOUNCED)) == [player.profile.hello(TerminalSize(100, 30))]


def test_a_packet_of_a_later_version_is_an_answer_that_cannot_be_shown() -> None:
    player = playing_2()
    player.types(b"m")
    assert player.receives(UnknownPacket(99, 5)) == []
    assert sent(player.types(b"\r")) == [Command.REVEAL]


def test_a_server_that_is_not_there_ends_the_program() -> None:
    effects = Player().after(events.Lost("There is no server."))
    assert effects == [events.Leave(1, "There is no server.")]


def test_a_lost_connection_of_version_1_ends_the_program() -> None:
    leave = left(playing_1().after(events.Lost("It is gone.")))
    assert leave == events.Leave(1, "It is gone.", screen="two\nlines")


def test_the_last_words_of_a_server_are_passed_on() -> None:
    player = playing_1()
    player.receives(ScreenContent(b"\x1b[2;1H  Good bye.\x1b[K"))
    assert left(player.after(events.Lost("It is gone."))) == events.Leave(
        1, "It is gone. Good bye."
    )


def test_what_is_not_the_protocol_ends_the_program() -> None:
    effects = playing_1().after(events.Received(bytes(4)))
    leave = left(effects)
    assert ConnectionRequest.HANG_UP in effects
    assert leave is not None
    assert leave.exit_code == 1
    assert leave.message.startswith("The server does not speak JMinesweeper's protocol: ")


def test_a_server_that_stays_silent_ends_the_program() -> None:
    player = Player()
    player.after(events.Connected(), 100.0)
    effects: list[Effect] = []
    while not (leave := left(effects)):
        effects = player.waits()
    assert player.now_s == 100.0 + FIRST_SCREEN_WAIT_S
    assert leave is not None
    assert leave.exit_code == 1
    assert "sends no screen" in leave.message


@pytest.mark.parametrize("exit_code", [130, 143, 129])
def test_a_signal_ends_the_game_in_good_order(exit_code: int) -> None:
    effects = playing_1().after(events.Stopped(exit_code))
    assert sent(effects) == [Command.QUIT]
    assert left(effects) == events.Leave(exit_code)


def test_a_signal_before_there_is_a_connection_just_ends() -> None:
    assert Player().after(events.Stopped(130)) == [events.Leave(130)]


def lost_2(profile: Profile | None = None) -> Player:
    player = playing_2(profile)
    player.after(events.Lost("It is gone."), 200.0)
    return player


def test_a_lost_game_of_version_2_is_returned_to_by_itself() -> None:
    player = lost_2(Profile(START, GAME, key=KEY))
    assert "It is gone. Reconnecting" in painted(player.effects)
    assert left(player.effects) is None
    assert player.client.deadline == 200.0 + FIRST_WAIT_S
    assert player.waits() == [ConnectionRequest.DIAL]
    assert sent(player.after(events.Connected())) == [START]
    # The game that was cut off goes on, whatever was asked for in the beginning.
    assert sent(player.receives(ANNOUNCED)) == [player.profile.hello(SIZE, returns=True)]
    assert "two\r\nlines" in painted(player.receives(PATCH))
    assert sent(player.types(b"w")) == [Command.MOVE_UP]


def stopped_2() -> Player:
    player = playing_2()
    player.receives(ScreenPatch(PatchFlag.FULL_REPAINT, 0, 0, b"The server is shutting down."))
    player.after(events.Lost("It closed the connection."), 200.0)
    return player


def test_a_server_that_was_stopped_is_called_so_until_another_one_answers() -> None:
    player = stopped_2()
    assert "The server was stopped. Reconnecting" in painted(player.effects)
    player.waits()
    player.after(events.Lost("There is no server."))
    assert "The server was stopped. Reconnecting" in painted(player.effects)
    assert "was stopped" in painted(player.after(events.Resized(TerminalSize(60, 20))))
    player.waits()
    player.after(events.Connected())
    player.receives(ScreenContent(b"The server is full."))
    assert "The server is full. Reconnecting" in painted(player.effects)
    player.waits()
    player.after(events.Lost("There is no server."))
    assert "There is no server. Reconnecting" in painted(player.effects)


def test_a_server_that_goes_without_a_word_is_not_called_stopped() -> None:
    player = playing_2()
    player.types(b"w")
    player.receives(PATCH)
    player.after(events.Lost("It is gone."), 200.0)
    assert "It is gone. Reconnecting" in painted(player.effects)


def test_it_tries_again_and_again_and_ever_less_often() -> None:
    player = lost_2()
    waits = []
    for _ in range(8):
        assert player.waits() == [ConnectionRequest.DIAL]
        assert left(player.after(events.Lost("There is no server."))) is None
        assert player.client.deadline is not None
        waits.append(player.client.deadline - player.now_s)
    assert waits == sorted(waits)
    assert waits[-1] > 10


def test_a_silent_server_is_hung_up_on_and_tried_again() -> None:
    player = lost_2()
    player.waits()
    player.after(events.Connected())
    effects = player.waits()
    assert ConnectionRequest.HANG_UP in effects
    assert left(effects) is None


@pytest.mark.parametrize(
    ("screen", "words"),
    [(ScreenContent(b"The server is full."), "The server is full."), (SCREEN, "version 2")],
)
def test_a_server_that_does_not_let_the_player_in_is_tried_again(
    screen: ScreenContent, words: str
) -> None:
    player = lost_2()
    player.waits()
    player.after(events.Connected())
    effects = player.receives(screen)
    assert effects[0] == ConnectionRequest.HANG_UP
    assert words in painted(effects)
    assert player.waits() == [ConnectionRequest.DIAL]


def test_what_is_typed_at_a_dead_screen_is_forgotten() -> None:
    player = lost_2()
    assert player.types(b"wc") == []
    player.waits()
    player.after(events.Connected())
    assert player.types(b"w") == []
    player.receives(ANNOUNCED)
    assert sent(player.effects) == [player.profile.hello(SIZE, returns=True)]


def test_return_tries_at_once() -> None:
    player = lost_2()
    assert player.types(b"\r") != []
    player.after(events.Connected())
    player.receives(ANNOUNCED)
    assert sent(player.effects) == [player.profile.hello(SIZE, returns=True)]


def test_x_ends_the_trying() -> None:
    assert left(lost_2().types(b"x")) == events.Leave(0)


def test_a_dead_screen_is_repainted_with_its_notice() -> None:
    effects = lost_2().after(events.Resized(TerminalSize(60, 20)))
    assert "\x1b[20;1H" in painted(effects)
    assert "It is gone. Reconnecting" in painted(effects)


@pytest.mark.parametrize(
    ("columns", "words"),
    [(43, "It is gone. "), (42, "It is g... "), (36, "I... "), (35, ""), (31, "")],
)
def test_how_to_leave_a_dead_screen_is_told_where_there_is_no_room_for_more(
    columns: int, words: str
) -> None:
    text = painted(lost_2().after(events.Resized(TerminalSize(columns, 20))))
    assert f"\x1b[7m{words}Reconnecting; press x to quit.\x1b[0m" in text


def test_what_a_lost_connection_still_delivers_is_not_shown() -> None:
    assert lost_2().receives(PATCH) == []


def test_a_lost_clock_is_not_asked_for() -> None:
    player = playing(ANNOUNCED, CLOCK)
    player.after(events.Lost("It is gone."), 100.5)
    assert player.waits() == [ConnectionRequest.DIAL]
    assert player.client.deadline is None


def test_a_last_screen_that_was_asked_for_ends_the_program_content() -> None:
    player = playing_2()
    player.types(b"\r")
    effects = player.receives(ScreenPatch(PatchFlag.LAST_SCREEN, 0, 0, b"Thank you for playing."))
    assert left(effects) == events.Leave(0, "Thank you for playing.")


def test_a_last_screen_that_was_not_asked_for_is_an_error() -> None:
    player = playing_2()
    effects = player.receives(ScreenPatch(PatchFlag.LAST_SCREEN, 0, 0, b"You play elsewhere."))
    assert left(effects) == events.Leave(1, "You play elsewhere.")
    effects = playing_2().receives(ScreenPatch(PatchFlag.LAST_SCREEN, 0, 0, b"a board"))
    assert left(effects) == events.Leave(1, "The server ended the game.")


@pytest.mark.parametrize("greeting", [(SCREEN,), (ANNOUNCED, PATCH)])
def test_news_about_the_connection_are_shown_until_the_player_acts(
    greeting: tuple[Packet, ...],
) -> None:
    player = Player()
    assert events.Tell("All alone.") in player.after(events.Connected("All alone."))
    assert "All alone." in painted(player.receives(*greeting))
    assert "All alone." in painted(player.receives(greeting[-1]))
    covered = sent(player.types(b"w"))
    assert covered == [Command.MOVE_UP, *([Resize(80, 24)] if len(greeting) > 1 else [])]
    assert "All alone." not in painted(player.receives(greeting[-1]))
    assert sent(player.types(b"w")) == [Command.MOVE_UP]


def test_what_was_typed_ahead_does_not_take_news_away_before_they_are_seen() -> None:
    player = Player()
    player.after(events.Connected("All alone."))
    player.types(b"i")
    assert Command.HINT in sent(player.receives(ANNOUNCED))
    assert "All alone." in painted(player.receives(PATCH))
    hint = ScreenPatch(PatchFlag(0), 0, 0, b"\x1b[24;4HRETURN reveal")
    told = painted(player.receives(hint))
    assert 0 < told.find("RETURN reveal") < told.find("All alone.")


def test_news_cover_nothing_because_the_server_is_told_of_one_line_less() -> None:
    player = Player()
    player.after(events.Connected("All alone."))
    hello = next(each for each in sent(player.receives(ANNOUNCED)) if isinstance(each, Hello))
    assert (hello.columns, hello.rows) == (80, 23)
    assert "\x1b[24;1H" in painted(player.receives(PATCH))
    assert sent(player.after(events.Resized(TerminalSize(100, 30)))) == [Resize(100, 29)]


def test_news_go_away_by_themselves() -> None:
    player = Player()
    player.after(events.Connected("All alone."))
    player.receives(ANNOUNCED)
    player.receives(PATCH)
    assert sent(player.after(events.Expired(), player.now_s + NOTICE_S)) == [Resize(80, 24)]
    assert "All alone." not in painted(player.receives(PATCH))


def test_on_a_low_screen_news_cover_its_last_line() -> None:
    player = Player(size=TerminalSize(40, 10))
    player.after(events.Connected("All alone."))
    hello = next(each for each in sent(player.receives(ANNOUNCED)) if isinstance(each, Hello))
    assert hello.rows == 10
    assert "\x1b[10;1H" in painted(player.receives(PATCH))


def says_silence(effects: Iterable[Effect]) -> bool:
    return "has not answered" in painted(effects)


def test_a_server_that_freezes_is_noticed_within_two_seconds_and_counted() -> None:
    player = playing_2()
    player.types(b"w", at_s=200.0)
    assert says_silence(player.waits())
    assert player.now_s <= 202.0
    assert "answered for 2 s" in painted(player.effects)
    player.waits()
    assert says_silence(player.waits())
    assert "answered for 4 s" in painted(player.effects)
    assert "Press x to quit" in painted(player.effects)


def test_a_server_that_answers_again_repaints_the_screen() -> None:
    player = playing_2()
    player.types(b"w", at_s=200.0)
    player.waits()
    effects = player.receives(PATCH)
    assert painted(effects).startswith("\x1b[?2026h\x1b[24;1H\x1b[0m\x1b[K")
    assert sent(effects) == [Resize(80, 24)]
    player.receives(PATCH)
    assert player.deadline() is None


def test_a_server_that_owes_nothing_may_be_silent() -> None:
    assert playing_2().deadline() is None


def test_a_connection_that_does_not_come_about_is_no_blank_screen() -> None:
    assert says_silence(Player().waits())


def test_a_new_client_does_not_show_a_blank_screen_while_there_is_no_first_screen() -> None:
    player = Player()
    player.after(events.Connected())
    assert says_silence(player.waits())


def test_x_leaves_a_silent_server_even_where_keys_wait_for_a_screen() -> None:
    player = playing_2()
    player.types(b"m", at_s=200.0)
    assert left(player.types(b"x")) is None
    player.waits()
    effects = player.types(b"x")
    assert left(effects) == events.Leave(0)
    assert sent(effects) == [Command.QUIT]


def test_where_there_is_little_room_silence_is_told_in_few_words() -> None:
    player = Player(size=TerminalSize(30, 10))
    assert "No answer. Press x to quit." in painted(player.waits())


def test_a_single_line_that_ended_a_game_is_not_shown_as_its_last_screen() -> None:
    player = playing(ScreenContent(b"The server is shutting down."))
    leave = left(player.after(events.Lost("It is gone.")))
    assert leave == events.Leave(1, "It is gone. The server is shutting down.")


def test_the_last_screen_of_version_1_is_readable_however_it_was_painted() -> None:
    frame = b"\x1b[2J\x1b[H\x1b[31mYou won!\x1b[0m\x1b[3;3H* *\r\nthe end"
    leave = left(playing(ScreenContent(frame)).after(events.Lost("It is gone.")))
    assert leave is not None
    assert leave.screen == "You won!\n\n  * *\nthe end"


def test_a_recording_is_kept_and_where_it_is_stands_at_the_bottom() -> None:
    player = playing_2()
    player.receives(PATCH)
    assert sent(player.types(b"t")) == [LookBack(LookBackAt.RECORDING)]
    assert player.receives(RecordingContent(b"a game")) == [events.Keep(b"a game")]
    effects = player.after(events.Kept("The game is in game.txt now."))
    assert "The game is in game.txt now." in painted(effects)
    assert sent(effects) == [Resize(80, 23)]
    assert "The game is in game.txt now." in painted(player.receives(PATCH))
    assert sent(player.types(b"d")) == [Command.MOVE_RIGHT, Resize(80, 24)]


def test_a_recording_that_nobody_asked_for_is_not_kept() -> None:
    player = playing_2()
    player.receives(PATCH)
    assert player.receives(RecordingContent(b"a game")) == []
    player.types(b"d")
    assert player.receives(RecordingContent(b"a game")) == []
    player.types(b"td")
    assert player.receives(PATCH, RecordingContent(b"a game"))[1:] == []
