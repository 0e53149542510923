"""The server's side of a conversation, without a transport, a loop or a clock."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, TypeAlias

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.conversation import (
    IDLE,
    MAX_HELD,
    MAX_HELD_BYTES,
    READ_AHEAD,
    TRANSITIONS,
    Ending,
    Phase,
    ServerConversation,
    Trigger,
)
from jminesweeper.server.measures import Measures
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

    def store(self, stored: int, *, must_renew: bool = False) -> None:
        self.session.journal.stored = stored
        self.conversation.match_changed(self.now_ms, must_renew=must_renew)
        self.go_on()

    def go_on(self) -> None:
        self._take_out()
        while self.conversation.answer_next(self.now_ms):
            self._take_out()

    def _take_out(self) -> None:
        self.sent += self.conversation.replies.take_outgoing()

    @property
    def said(self) -> bytes:
        return b"".join(self.sent)


Step: TypeAlias = bytes | int | Callable[[Talk], object]
"""What comes in, how much is stored, or something else that happens."""

M, Q = MOVE_BYTE, QUIT_BYTE


def talking(*steps: Step, plan: Plan | None = None) -> Talk:
    talk = Talk(plan)
    for step in steps:
        match step:
            case bytes():
                talk.hear(step)
            case int():
                talk.store(step)
            case _:
                step(talk)
                talk.go_on()
    return talk


def rebased(stored: int) -> Step:
    return lambda talk: talk.store(stored, must_renew=True)


def at(ms: int) -> Step:
    return lambda talk: setattr(talk, "now_ms", ms)


def checked(ms: int) -> Step:
    return lambda talk: talk.conversation.check_time(CONFIG, ms)


def answered(number: int, answer: object) -> Step:
    return lambda talk: talk.conversation.answered(number, answer, 0)


def dismissed(message: str) -> Step:
    return lambda talk: talk.conversation.disconnect(message, 0)


def stalled(talk: Talk) -> None:
    talk.conversation.replies.stall(1_000)


def caught_up(talk: Talk) -> None:
    talk.conversation.replies.catch_up()


def noticed(talk: Talk) -> None:
    talk.conversation.notice(Reviewed(REVIEW, None), 0)


def shown(talk: Talk) -> None:
    talk.conversation.show(talk.now_ms)


def at_its_end(talk: Talk) -> None:
    talk.conversation.end_stream()


def lost(talk: Talk) -> None:
    talk.conversation.lose(0)


def failed(talk: Talk) -> None:
    talk.conversation.fail("a bug", 0)


@pytest.mark.parametrize(
    ("plan", "steps", "said"),
    [
        ({}, [M, M, M], "<1><2><3>"),
        ({}, [b"\x01\x02"], "<1><2>"),
        ({}, [START[:-1]], ""),
        ({}, [START[:-1], START[-1:]], "<1>"),
        # A reply leaves when what it shows is stored, and later ones wait behind it.
        ({1: 1}, [M], ""),
        ({1: 1}, [M, 1], "<1>"),
        ({1: 1}, [M, 1, M], "<1><2>"),
        ({1: 1, 3: 2}, [M, M, M, M, 1], "<1><2>"),
        ({1: 1, 3: 2}, [M, M, M, M, 1, 2], "<1><2><3><4>"),
        ({2: 1}, [M * 3], "<1>"),
        ({2: 1}, [M * 3, 1], "<1><2><3>"),
        ({1: Errands().to("a", "b")}, [M], "<1>"),
        # Where others were faster what waits is drawn again, and not what has left.
        ({1: 1, 2: 1}, [M * 2, rebased(1)], ""),
        ({1: 1, 2: 1}, [M * 2, rebased(1), 2], "<again 1><again 2>"),
        ({2: 1}, [M, rebased(0), M, rebased(2)], "<1><again 1>"),
        # A peer that does not read is not answered until it does.
        ({}, [M, stalled, M * 2], "<1>"),
        ({}, [M, stalled, M * 2, caught_up], "<1><2><3>"),
        # A question is answered before the next packet.
        ({1: QUESTION}, [M * 2], ""),
        ({1: QUESTION}, [M * 2, answered(1, 42)], "<answer 42><2>"),
        # What nobody asked for is shown once, and only to who reads and is owed nothing.
        ({}, [M, noticed, shown], "<1><shown>"),
        ({}, [M, noticed, shown, shown], "<1><shown>"),
        ({1: 1}, [M, noticed, shown, 1], "<1>"),
        ({1: 1}, [M, noticed, shown, 1, shown], "<1><shown>"),
        ({}, [M, noticed, stalled, shown, caught_up], "<1>"),
    ],
)
def test_what_is_said_while_it_goes_on(plan: Plan, steps: list[Step], said: str) -> None:
    talk = talking(*steps, plan=plan)
    assert talk.said == said.encode()
    assert talk.conversation.ending is None


@pytest.mark.parametrize(
    ("plan", "steps", "said", "ending"),
    [
        # QUIT ends it without a word, once what was held has left.
        ({}, [Q + M, M], "", Ending.NOW),
        ({1: 1}, [M + Q], "", None),
        ({1: 1}, [M + Q, 1], "<1>", Ending.NOW),
        # What is no packet is rejected, first, in the midst or after good ones, once.
        ({}, [GARBAGE], "<rejected>", Ending.AFTER_THE_PEER),
        ({}, [M, GARBAGE], "<1><rejected>", Ending.AFTER_THE_PEER),
        ({}, [M + GARBAGE + M], "<1><rejected>", Ending.AFTER_THE_PEER),
        ({}, [GARBAGE, at_its_end], "<rejected>", Ending.AFTER_THE_PEER),
        ({}, [GARBAGE, checked(10_000_000)], "<rejected>", Ending.AFTER_THE_PEER),
        # A peer that sends no more gets what it is owed.
        ({1: 1}, [M, at_its_end], "", None),
        ({1: 1}, [M, at_its_end, 1], "<1>", Ending.NOW),
        # Who is disconnected gets one last screen, after what is owed.
        ({1: 1}, [M, dismissed("bye"), dismissed("bye again")], "", None),
        ({1: 1}, [M, dismissed("bye"), dismissed("again"), 1], "<1><bye>", Ending.AFTER_THE_PEER),
        # Who never says anything is given less time; half a packet is nothing.
        ({}, [checked(59_999)], "", None),
        ({}, [checked(60_000)], f"<{IDLE}>", Ending.AFTER_THE_PEER),
        ({}, [START[:1], checked(60_000)], f"<{IDLE}>", Ending.AFTER_THE_PEER),
        ({}, [at(600_000), M, checked(1_499_999)], "<1>", None),
        ({}, [at(600_000), M, checked(1_500_000)], f"<1><{IDLE}>", Ending.AFTER_THE_PEER),
        (
            {},
            [M, at(899_999), START[:1], checked(900_000)],
            f"<1><{IDLE}>",
            Ending.AFTER_THE_PEER,
        ),
        # A peer that never reads is dropped.
        ({}, [M, stalled, checked(30_999)], "<1>", None),
        ({}, [M, stalled, checked(31_000)], "<1>", Ending.AT_ONCE),
        # A bug forgets what waits and has a new session say goodbye; at the end there is none.
        ({1: 1}, [M * 2, failed, rebased(1)], "<a bug>", Ending.AFTER_THE_PEER),
        ({}, [Q, failed], "", Ending.AT_ONCE),
    ],
)
def test_how_it_ends(plan: Plan, steps: list[Step], said: str, ending: Ending | None) -> None:
    talk = talking(*steps, plan=plan)
    assert (talk.said, talk.conversation.ending) == (said.encode(), ending)


def test_packets_and_games_are_counted() -> None:
    talk = talking(M, M * 2, plan={2: Effects(games_ended=1)})
    assert (talk.conversation.packets, talk.conversation.games) == (3, 1)


def test_packets_that_wait_keep_their_place_before_later_ones() -> None:
    talk = Talk()
    talk.conversation.take_in(M, 0)
    talk.conversation.take_in(b"\x01\x03", 0)
    talk.go_on()
    assert talk.session.received == [MOVE, Command.MOVE_LEFT, Command.MOVE_UP]


def test_nothing_is_shown_unasked_before_packets_that_wait() -> None:
    talk = talking(M, noticed)
    talk.conversation.take_in(M, 0)
    talk.conversation.show(0)
    assert talk.said == b"<1>"


def test_reading_stops_while_packets_wait_and_not_for_one_alone() -> None:
    talk = Talk()
    was_reading = []
    for packets in (1, READ_AHEAD - 1):
        talk.conversation.take_in(M * packets, 0)
        was_reading.append(talk.conversation.is_reading)
    talk.go_on()
    was_reading.append(talk.conversation.is_reading)
    assert was_reading == [True, False, True]


def test_a_stuck_store_bounds_the_replies_that_wait() -> None:
    talk = talking(M * (2 * MAX_HELD), plan={1: 1})
    assert len(talk.session.received) == MAX_HELD
    assert not talk.conversation.is_reading
    talk.store(1)
    assert len(talk.session.received) == 2 * MAX_HELD


def test_a_stuck_store_bounds_the_bytes_that_wait() -> None:
    talk = Talk({1: 1})
    talk.session.reply_size = MAX_HELD_BYTES // 2
    talk.hear(M * 9)
    assert len(talk.session.received) == 2


def test_an_answer_that_nobody_waits_for_is_dropped() -> None:
    talk = talking(M * 2, plan={1: QUESTION, 2: QUESTION})
    assert talk.conversation.question == (1, ask("question"))
    talk.conversation.answered(1, "first", 0)
    talk.go_on()
    talk.conversation.answered(1, "late", 0)
    talk.conversation.end_stream()
    talk.conversation.answered(2, "too late", 0)
    assert talk.session.answers == ["first"]


@pytest.mark.parametrize(("plan", "heard"), [({1: QUESTION}, M), ({}, Q)])
def test_who_waits_for_an_answer_or_has_left_hears_of_no_event(plan: Plan, heard: bytes) -> None:
    assert talking(heard, noticed, plan=plan).session.events == []


def test_errands_and_work_are_handed_on() -> None:
    talk = talking(M * 3, plan={1: Effects(work=REVIEW), 2: Errands().to("a", "b"), 3: Effects()})
    assert talk.conversation.work is REVIEW
    assert len(talk.conversation.errands) == 2


def test_who_quits_or_sends_what_is_no_packet_plays_no_more() -> None:
    assert talking(Q + M, M).session.received == [Command.QUIT]
    rejected = talking(GARBAGE)
    assert rejected.conversation.rejected is not None
    assert rejected.conversation.rejected.reason == "There is no packet of type 0."
    # What still comes is read, only to be thrown away.
    assert rejected.conversation.is_reading
    rejected.hear(M)
    assert rejected.session.received == []
    assert talking(M + GARBAGE, M, plan={1: QUESTION}).conversation.packets == 1


def test_what_a_session_leaves_behind_is_stored_when_the_connection_is_lost() -> None:
    talk = Talk({1: 1})
    talk.session.on_leave = Effects(errands=Errands().to("last").errands, games_ended=1)
    talk.hear(M)
    talk.conversation.lose(0)
    talk.go_on()
    assert talk.conversation.phase is Phase.GONE
    assert talk.conversation.games == 1
    assert len(talk.conversation.errands) == 1
    talk.store(1)
    assert talk.said == b""


def test_a_session_with_a_bug_is_not_asked_what_it_leaves_behind() -> None:
    assert not talking(M, failed, lost).session.has_left


def test_from_every_phase_but_the_last_a_connection_can_be_lost() -> None:
    assert all((phase, Trigger.LOSS) in TRANSITIONS for phase in Phase if phase is not Phase.GONE)


def test_who_has_left_never_plays_again() -> None:
    over = (Phase.LEAVING, Phase.LINGERING, Phase.GONE)
    later = {TRANSITIONS.get(step) for step in product(over, Trigger)} - {None}
    assert later == {Phase.LINGERING, Phase.GONE}


def test_what_the_table_does_not_hold_cannot_happen() -> None:
    with pytest.raises(KeyError):
        talking(lost, lost)


def test_nothing_is_lost_in_any_chopping_of_the_stream() -> None:
    stream = START + M + START + Q
    bytewise = talking(*(bytes((byte,)) for byte in stream))
    assert talking(stream).sent == bytewise.sent == [b"<1>", b"<2>", b"<3>"]
