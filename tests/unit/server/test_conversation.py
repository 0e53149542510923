"""The server's side of a conversation, without a transport, a loop or a clock."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.conversation import READ_AHEAD, ServerConversation
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.measures import Measures
from jminesweeper.server.phases import IDLE, TRANSITIONS, Ending, Phase, Trigger
from jminesweeper.server.replies import MAX_HELD, MAX_HELD_BYTES
from jminesweeper.session.reply import Effects, Review, Reviewed
from tests.unit.server.fakes import (
    GARBAGE,
    MOVE,
    MOVE_BYTE,
    QUIT_BYTE,
    START,
    Errands,
    FakeSession,
    Plan,
    ask,
)

CONFIG = ServerConfig(silence_timeout_s=60, idle_timeout_s=900, write_timeout_s=30)
QUESTION = Effects(question=ask("question"))
REVIEW = Review(Setup.of(Size(3, 3), 1, seed=1), ())


class Talk:
    """A conversation that is driven the way a connection drives it, at a time that a test sets."""

    def __init__(self, plan: Plan | None = None) -> None:
        self.session = FakeSession(plan)
        sessions: list[Any] = [FakeSession(), self.session]
        self.conversation = ServerConversation(sessions.pop, 0, Measures().packets)
        self.now_ms = 0
        self.sent: list[bytes] = []

    def hear(self, data: bytes) -> None:
        self.conversation.take_in(data, self.now_ms)
        self.go_on()

    def hear_in_pieces(self, data: bytes) -> None:
        for byte in data:
            self.hear(bytes((byte,)))

    def store(self, stored: int, *, is_rebased: bool = False) -> None:
        self.session.journal.stored = stored
        self.conversation.match_changed(self.now_ms, is_rebased=is_rebased)
        self.go_on()

    def show(self) -> None:
        self.conversation.show(self.now_ms)
        self.go_on()

    def go_on(self) -> None:
        self._take_out()
        while self.conversation.can_answer:
            self.conversation.answer_next(self.now_ms)
            self._take_out()

    def _take_out(self) -> None:
        self.sent += self.conversation.replies.take_outgoing()

    @property
    def phase(self) -> Phase:
        return self.conversation.phase

    @property
    def said(self) -> bytes:
        return b"".join(self.sent)


# Packets and replies


def test_each_packet_gets_one_reply() -> None:
    talk = Talk()
    for _ in range(3):
        talk.hear(MOVE_BYTE)
    assert talk.sent == [b"<1>", b"<2>", b"<3>"]


def test_packets_that_come_together_are_answered_in_their_order() -> None:
    talk = Talk()
    talk.hear(b"\x01\x02")
    assert talk.session.received == [Command.MOVE_LEFT, MOVE]
    assert talk.sent == [b"<1>", b"<2>"]


def test_half_a_packet_gets_no_reply_until_it_is_whole() -> None:
    talk = Talk()
    talk.hear_in_pieces(START[:-1])
    assert talk.said == b""
    talk.hear(START[-1:])
    assert talk.said == b"<1>"


def test_packets_and_games_are_counted() -> None:
    talk = Talk({2: Effects(games_ended=1)})
    talk.hear(MOVE_BYTE)
    talk.hear(MOVE_BYTE * 2)
    assert (talk.conversation.packets, talk.conversation.games) == (3, 1)


def test_packets_that_wait_keep_their_place_before_later_ones() -> None:
    talk = Talk()
    talk.conversation.take_in(MOVE_BYTE, 0)
    talk.conversation.take_in(b"\x01\x03", 0)
    talk.go_on()
    assert talk.session.received == [MOVE, Command.MOVE_LEFT, Command.MOVE_UP]


def test_reading_stops_while_packets_wait_and_not_for_one_alone() -> None:
    talk = Talk()
    was_reading = []
    for packets in (1, READ_AHEAD - 1):
        talk.conversation.take_in(MOVE_BYTE * packets, 0)
        was_reading.append(talk.conversation.is_reading)
    talk.go_on()
    was_reading.append(talk.conversation.is_reading)
    assert was_reading == [True, False, True]


# At the door


@pytest.mark.parametrize("typed", [b"hello\r\n", b"\r", b"GET / HTTP/1.1", b"\x16\x03\x01"])
def test_who_does_not_speak_the_protocol_is_told_what_this_is(typed: bytes) -> None:
    talk = Talk()
    talk.hear_in_pieces(typed)
    assert talk.said == INTRODUCTION
    assert talk.conversation.ending is Ending.AFTER_THE_PEER
    assert talk.session.received == []


def test_who_says_nothing_is_disconnected_after_a_short_time() -> None:
    talk = Talk()
    talk.conversation.check_time(CONFIG, 59_999)
    assert talk.conversation.ending is None
    talk.conversation.check_time(CONFIG, 60_000)
    talk.go_on()
    assert talk.said == f"<{IDLE}>".encode()


def test_half_a_packet_does_not_count_as_having_come_in() -> None:
    talk = Talk()
    talk.hear(START[:1])
    talk.conversation.check_time(CONFIG, 60_000)
    assert talk.phase is Phase.LINGERING


# What waits for the store


def test_a_reply_leaves_when_what_it_shows_is_stored() -> None:
    talk = Talk({1: 1})
    talk.hear(MOVE_BYTE)
    assert talk.said == b""
    talk.store(1)
    assert talk.said == b"<1>"


def test_later_replies_wait_behind_it_and_keep_their_order() -> None:
    talk = Talk({1: 1, 3: 2})
    for _ in range(4):
        talk.hear(MOVE_BYTE)
    talk.store(1)
    assert talk.said == b"<1><2>"
    talk.store(2)
    assert talk.said == b"<1><2><3><4>"


def test_only_what_comes_after_it_waits() -> None:
    talk = Talk({2: 1})
    talk.hear(MOVE_BYTE * 3)
    assert talk.said == b"<1>"
    talk.store(1)
    assert talk.said == b"<1><2><3>"


def test_then_replies_go_straight_out_again() -> None:
    talk = Talk({1: 1})
    talk.hear(MOVE_BYTE)
    talk.store(1)
    talk.hear(MOVE_BYTE)
    assert talk.said == b"<1><2>"


def test_where_others_were_faster_what_waits_is_drawn_again() -> None:
    talk = Talk({1: 1, 2: 1})
    talk.hear(MOVE_BYTE * 2)
    talk.store(1, is_rebased=True)
    assert talk.said == b""
    talk.store(2)
    assert talk.said == b"<again 1><again 2>"


def test_what_has_left_is_not_drawn_again() -> None:
    talk = Talk({2: 1})
    talk.hear(MOVE_BYTE)
    talk.store(0, is_rebased=True)
    talk.hear(MOVE_BYTE)
    talk.store(2, is_rebased=True)
    assert talk.said == b"<1><again 1>"


def test_errands_are_handed_on_and_no_reply_waits_for_them() -> None:
    talk = Talk({1: Errands().to("a", "b")})
    talk.hear(MOVE_BYTE)
    assert talk.said == b"<1>"
    assert len(talk.conversation.errands) == 2


def test_a_stuck_store_bounds_the_replies_that_wait() -> None:
    talk = Talk({1: 1})
    talk.hear(MOVE_BYTE * (2 * MAX_HELD))
    assert len(talk.session.received) == MAX_HELD
    assert not talk.conversation.is_reading
    talk.store(1)
    assert len(talk.session.received) == 2 * MAX_HELD


def test_a_stuck_store_bounds_the_bytes_that_wait() -> None:
    talk = Talk({1: 1})
    talk.session.reply_size = MAX_HELD_BYTES // 2
    talk.hear(MOVE_BYTE * 9)
    assert len(talk.session.received) == 2


# A peer that does not read


def test_a_peer_that_does_not_read_is_not_answered_until_it_reads() -> None:
    talk = Talk()
    talk.hear(MOVE_BYTE)
    talk.conversation.replies.stall(0)
    talk.hear(MOVE_BYTE * 2)
    assert talk.said == b"<1>"
    talk.conversation.replies.catch_up()
    talk.go_on()
    assert talk.said == b"<1><2><3>"


def test_a_peer_that_never_reads_is_dropped() -> None:
    talk = Talk()
    talk.hear(MOVE_BYTE)
    talk.conversation.replies.stall(1_000)
    talk.conversation.check_time(CONFIG, 30_999)
    assert talk.conversation.ending is None
    talk.conversation.check_time(CONFIG, 31_000)
    assert talk.conversation.ending is Ending.AT_ONCE


# Questions


def test_a_question_is_answered_before_the_next_packet() -> None:
    talk = Talk({1: QUESTION})
    talk.hear(MOVE_BYTE * 2)
    assert talk.phase is Phase.ASKING
    assert talk.conversation.question == (1, ask("question"))
    assert len(talk.session.received) == 1
    talk.conversation.answered(1, 42, 0)
    talk.go_on()
    assert talk.said == b"<answer 42><2>"


def test_an_answer_that_nobody_waits_for_is_dropped() -> None:
    talk = Talk({1: QUESTION, 2: QUESTION})
    talk.hear(MOVE_BYTE * 2)
    talk.conversation.answered(1, "first", 0)
    talk.go_on()
    talk.conversation.answered(1, "late", 0)
    assert talk.session.answers == ["first"]
    talk.conversation.end_stream()
    talk.conversation.answered(2, "too late", 0)
    assert talk.session.answers == ["first"]


# What nobody asked for


def test_it_is_shown_where_nothing_is_owed() -> None:
    talk = Talk()
    talk.hear(MOVE_BYTE)
    talk.conversation.notice(Reviewed(REVIEW, None), 0)
    talk.show()
    assert talk.said == b"<1><shown>"
    talk.show()
    assert talk.said == b"<1><shown>"


def test_it_is_not_shown_while_a_reply_waits() -> None:
    talk = Talk({1: 1})
    talk.hear(MOVE_BYTE)
    talk.session.is_stale = True
    talk.show()
    talk.store(1)
    assert talk.said == b"<1>"
    talk.show()
    assert talk.said == b"<1><shown>"


def test_it_is_not_shown_to_a_peer_that_does_not_read_or_has_packets_waiting() -> None:
    talk = Talk()
    talk.hear(MOVE_BYTE)
    talk.session.is_stale = True
    talk.conversation.replies.stall(0)
    talk.show()
    talk.conversation.replies.catch_up()
    talk.conversation.take_in(MOVE_BYTE, 0)
    talk.conversation.show(0)
    assert talk.said == b"<1>"


def test_who_waits_for_an_answer_hears_of_no_event() -> None:
    talk = Talk({1: QUESTION})
    talk.hear(MOVE_BYTE)
    talk.conversation.notice(Reviewed(REVIEW, None), 0)
    assert talk.session.events == []


def test_who_has_left_hears_of_no_event() -> None:
    talk = Talk()
    talk.hear(QUIT_BYTE)
    talk.conversation.notice(Reviewed(REVIEW, None), 0)
    assert talk.session.events == []


def test_work_is_handed_on() -> None:
    talk = Talk({1: Effects(work=REVIEW), 2: Effects()})
    talk.hear(MOVE_BYTE * 2)
    assert talk.conversation.work is REVIEW


# The end


def test_quit_ends_it_without_a_word() -> None:
    talk = Talk()
    talk.hear(QUIT_BYTE + MOVE_BYTE)
    talk.hear(MOVE_BYTE)
    assert talk.said == b""
    assert talk.session.received == [Command.QUIT]
    assert talk.conversation.ending is Ending.NOW


def test_a_player_who_quits_still_gets_what_was_held() -> None:
    talk = Talk({1: 1})
    talk.hear(MOVE_BYTE + QUIT_BYTE)
    assert talk.phase is Phase.LEAVING
    assert talk.conversation.ending is None
    assert not talk.conversation.is_reading
    talk.store(1)
    assert talk.said == b"<1>"
    assert talk.conversation.ending is Ending.NOW


def test_bytes_that_are_no_packets_get_a_last_screen_after_the_good_ones() -> None:
    talk = Talk()
    talk.hear(MOVE_BYTE + GARBAGE + MOVE_BYTE)
    assert talk.said == b"<1><rejected>"
    assert talk.conversation.ending is Ending.AFTER_THE_PEER
    assert talk.conversation.rejected is not None
    assert talk.conversation.rejected.reason == "There is no packet of type 0."


def test_bytes_that_are_no_packets_are_rejected_when_they_are_the_first_ones() -> None:
    talk = Talk()
    talk.hear(GARBAGE)
    assert talk.said == b"<rejected>"


def test_bytes_that_are_no_packets_are_rejected_in_the_midst_of_a_game() -> None:
    talk = Talk()
    talk.hear(MOVE_BYTE)
    talk.hear(GARBAGE)
    assert talk.said == b"<1><rejected>"


def test_after_bytes_that_are_no_packets_nothing_more_is_taken() -> None:
    talk = Talk({1: QUESTION})
    talk.hear(MOVE_BYTE + GARBAGE)
    talk.hear(MOVE_BYTE)
    assert talk.conversation.packets == 1
    assert not talk.conversation.is_reading


def test_after_the_last_screen_bytes_are_taken_only_to_be_thrown_away() -> None:
    talk = Talk()
    talk.hear(GARBAGE)
    assert talk.conversation.is_reading
    talk.hear(MOVE_BYTE)
    assert talk.session.received == []


def test_a_peer_that_sends_no_more_gets_what_it_is_owed() -> None:
    talk = Talk({1: 1})
    talk.hear(MOVE_BYTE)
    talk.conversation.end_stream()
    assert talk.phase is Phase.LEAVING
    talk.store(1)
    assert talk.said == b"<1>"
    assert talk.conversation.ending is Ending.NOW


def test_the_end_of_the_stream_means_nothing_after_the_end() -> None:
    talk = Talk()
    talk.hear(GARBAGE)
    talk.conversation.end_stream()
    assert talk.phase is Phase.LINGERING


def test_a_player_who_is_disconnected_gets_one_last_screen_after_what_is_owed() -> None:
    talk = Talk({1: 1})
    talk.hear(MOVE_BYTE)
    talk.conversation.let_go("bye", 0)
    talk.conversation.let_go("bye again", 0)
    talk.go_on()
    assert talk.said == b""
    talk.store(1)
    assert talk.said == b"<1><bye>"


def test_a_silent_player_is_disconnected_with_a_notice() -> None:
    talk = Talk()
    talk.now_ms = 600_000
    talk.hear(MOVE_BYTE)
    talk.conversation.check_time(CONFIG, 1_499_999)
    assert talk.phase is Phase.PLAYING
    talk.conversation.check_time(CONFIG, 1_500_000)
    talk.go_on()
    assert talk.said == f"<1><{IDLE}>".encode()


def test_bytes_that_never_make_a_packet_count_as_silence() -> None:
    talk = Talk()
    talk.hear(MOVE_BYTE)
    talk.now_ms = 899_999
    talk.hear(START[:1])
    talk.conversation.check_time(CONFIG, 900_000)
    assert talk.phase is Phase.LINGERING


def test_time_means_nothing_after_the_end() -> None:
    talk = Talk()
    talk.hear(GARBAGE)
    talk.conversation.check_time(CONFIG, 10_000_000)
    talk.go_on()
    assert talk.said == b"<rejected>"


def test_what_a_session_leaves_behind_is_stored_when_the_connection_is_lost() -> None:
    talk = Talk({1: 1})
    talk.session.on_leave = Effects(errands=Errands().to("last").errands, games_ended=1)
    talk.hear(MOVE_BYTE)
    talk.conversation.lose(0)
    talk.go_on()
    assert talk.phase is Phase.GONE
    assert talk.conversation.games == 1
    assert len(talk.conversation.errands) == 1
    talk.store(1)
    assert talk.said == b""


# Bugs


def test_a_bug_forgets_what_waits_and_has_a_new_session_say_goodbye() -> None:
    talk = Talk({1: 1})
    talk.hear(MOVE_BYTE * 2)
    talk.conversation.fail("a bug", 0)
    talk.go_on()
    assert talk.said == b"<a bug>"
    talk.store(1, is_rebased=True)
    talk.conversation.lose(0)
    assert not talk.session.has_left


def test_a_bug_at_the_end_drops_the_connection() -> None:
    talk = Talk()
    talk.hear(QUIT_BYTE)
    talk.conversation.fail("a bug", 0)
    assert talk.said == b""
    assert talk.conversation.ending is Ending.AT_ONCE


# The table


def test_from_every_phase_but_the_last_a_connection_can_be_lost() -> None:
    assert all((phase, Trigger.LOSS) in TRANSITIONS for phase in Phase if phase is not Phase.GONE)


def test_who_has_left_never_plays_again() -> None:
    over = (Phase.LEAVING, Phase.LINGERING, Phase.GONE)
    later = {TRANSITIONS.get(step) for step in product(over, Trigger)} - {None}
    assert later == {Phase.LINGERING, Phase.GONE}


def test_what_the_table_does_not_hold_cannot_happen() -> None:
    talk = Talk()
    talk.conversation.lose(0)
    with pytest.raises(KeyError):
        talk.conversation.lose(0)


def test_nothing_is_lost_in_any_chopping_of_the_stream() -> None:
    stream = START + MOVE_BYTE + START + QUIT_BYTE
    whole = Talk()
    whole.hear(stream)
    bytewise = Talk()
    bytewise.hear_in_pieces(stream)
    assert whole.sent == bytewise.sent == [b"<1>", b"<2>", b"<3>"]
