"""Newcomers who stay away are forgotten, and nobody is because a clock went wrong."""

from __future__ import annotations

import pytest

from jminesweeper.core.view import Status
from jminesweeper.records.documents import Note
from jminesweeper.records.forgetting import Expiry
from jminesweeper.records.games import put_note, save
from jminesweeper.records.keys import CLOCK, NEWCOMERS
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.players import PlayerCopy, accept_offer, put_offer
from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Part, Read, Scan
from tests.unit.records.club import Club

HOUR_S = 3_600


class Host:
    """A server that looks for newcomers every hour, by a clock of its own."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.now_s = club.now_s
        self._steady_s = 0
        self._expiry = Expiry(club.draw)

    def run(self, hours: int = 1) -> None:
        for _ in range(hours):
            self.now_s += HOUR_S
            self._steady_s += HOUR_S
            self.club.do(self._expiry.run(self.now_s, self._steady_s))


@pytest.fixture
def host(club: Club) -> Host:
    host = Host(club)
    host.run()
    return host


def test_a_newcomer_is_forgotten_with_all_they_have(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    club.do(save(ann, "mine", club.label(code), club.now_s))
    club.do(put_note(ann, code, Note(1, 5, club.label(code).cursor), club.now_s))
    club.do(put_offer(ann, "first", club.now_s, club.now_s + 600))
    assert club.do(accept_offer("phone", "first", club.now_s, club.draw))
    club.do(put_offer(club.enter("ann"), "second", club.now_s, club.now_s + 600))
    club.pass_days(31)
    left = perform(club.store, Scan()).commits
    assert [put.key for commit in left for put in commit.puts] == []
    assert [place for commit in left for place in commit.places] == []


def test_who_finished_a_game_is_a_newcomer_no_more(club: Club, ann: PlayerCopy) -> None:
    club.end(club.begin(ann), Status.LOST)
    assert perform(club.store, Read(parts=(Part(NEWCOMERS, 10),))).parts == [[]]


def test_a_game_in_a_room_stays_with_those_who_play_it(club: Club, ann: PlayerCopy) -> None:
    shared = club.begin(ann, code="KRTPWX-game")
    club.pass_days(31)
    assert club.find(shared)


def test_a_server_that_runs_forgets_newcomers_after_their_month(
    club: Club, ann: PlayerCopy, host: Host
) -> None:
    code = club.begin(ann)
    host.run(29 * 24)
    assert club.find(code)
    host.run(3 * 24)
    assert club.find(code) is None


def test_a_clock_that_jumps_ahead_deletes_nothing_within_a_day(
    club: Club, ann: PlayerCopy, host: Host
) -> None:
    code = club.begin(ann)
    host.now_s += 40 * DAY_S
    host.run(23)
    host.now_s -= 40 * DAY_S
    host.run(48)
    assert club.find(code)


def test_a_server_that_was_off_for_long_believes_its_clock_after_a_day(
    club: Club, ann: PlayerCopy, host: Host
) -> None:
    code = club.begin(ann)
    host.now_s += 40 * DAY_S
    host.run(24)
    assert club.find(code)
    host.run(2)
    assert club.find(code) is None


def test_a_server_does_not_believe_its_clock_while_another_one_differs(
    club: Club, ann: PlayerCopy, host: Host
) -> None:
    code, wrong = club.begin(ann), Host(club)
    wrong.now_s += 40 * DAY_S
    for _ in range(20):
        host.run(2)
        wrong.run(2)
    assert club.find(code)


def test_a_clock_that_goes_back_is_believed(club: Club, ann: PlayerCopy, host: Host) -> None:
    code = club.begin(ann)
    host.now_s -= 400 * DAY_S
    host.run()
    (document,) = perform(club.store, Read((CLOCK,))).documents
    assert int(document.body) == host.now_s
    assert club.find(code)
