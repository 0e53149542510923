"""Rooms and watching, without a network: what each player sees."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.view import COVERED, FLAGGED, MINED
from jminesweeper.protocol.packets import (
    Act,
    Code,
    Hello,
    Hint,
    Join,
    MoveTo,
    NewGame,
    OpenMenu,
    Packet,
    Pick,
    Ready,
    Say,
    Seek,
    Start,
    Undo,
    Watch,
    encode_view,
)
from jminesweeper.protocol.vocabulary import Button, Command, MineCode, PickWhat, RoomFlag, RoomKind
from jminesweeper.records.keys import player_id
from jminesweeper.records.reading import list_boards, list_games, read_statistics
from jminesweeper.session.reply import FoundHint, FoundSolved
from jminesweeper.store.errors import Fault, StoreUnavailableError
from jminesweeper.store.port import Operation, Read
from tests.unit.session.party import (
    BEGINNER,
    DAILY,
    DAY,
    LIVE,
    RACE,
    SHARED,
    Party,
    bbbv,
    people,
    reveal,
    said,
    seats,
    solve,
    watch,
)
from tests.unit.session.player import SEEN, Player, cells_of


class TestWaitingRoom:
    def test_shows_who_is_there_and_who_is_ready(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, RACE)
        code = ada.members["room"]["code"]
        party.do(bob, Join(code.lower()))
        party.do(bob, Ready())
        for friend in (ada, bob):
            assert friend.members["room"]["state"] == "waiting"
            assert [row["ready"] for row in friend.members["seats"]] == [False, True]
            assert friend.members.get("state") is None
        assert (ada.members["room"]["you"], bob.members["room"]["you"]) == (1, 2)
        assert ada.members["room"]["host"] == bob.members["room"]["host"] == 1

    def test_counts_down_once_all_are_ready_over_the_board_with_its_opening(
        self, party: Party
    ) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, RACE)
        party.do(bob, Join(ada.members["room"]["code"]))
        party.do(ada, Ready())
        party.do(bob, Ready())
        assert ada.members["room"]["state"] == bob.members["room"]["state"] == "countdown"
        assert ada.members["starts_in"] == 3_000
        assert (ada.members["state"], ada.members.get("clock_runs")) == ("starting", None)
        opening = ada.faces
        assert opening == bob.faces != bytes((COVERED,)) * 81
        party.pass_time(2_900)
        assert [row["opened"] for row in ada.members["seats"]] == [0, 0]
        party.pass_time(100)
        assert ada.faces == opening
        assert ada.members["state"] == bob.members["state"] == "playing"
        assert ada.faces == bob.faces != bytes((COVERED,)) * 81

    def test_counts_down_whoever_comes_who_then_sits_out_the_race(self, party: Party) -> None:
        ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
        party.do(ada, RACE)
        party.do(bob, Join(ada.members["room"]["code"]))
        party.do(ada, Ready())
        party.do(bob, Ready())
        party.do(eve, Join(ada.members["room"]["code"]))
        assert ada.members["room"]["state"] == "countdown"
        party.pass_time(3_000)
        assert ada.members["state"] == bob.members["state"] == "playing"
        assert (eve.members["room"]["state"], eve.members.get("state")) == ("running", None)
        assert eve.members["keys"] == ["say", "leave", "menu", "help", "quit"]
        party.do(eve, Ready())
        assert said(eve) == "room.wait"

    def test_names_who_has_no_name_the_same_all_day(self, party: Party) -> None:
        nobody = party.friend("", key=b"n" * 16)
        party.do(nobody, RACE)
        (name,) = seats(nobody)
        assert len(name.split()) == 2
        party.do(nobody, Command.LEAVE)
        again = party.friend("", key=b"n" * 16)
        party.do(again, RACE)
        assert [*seats(again)] == [name]

    def test_lets_guests_in(self, party: Party) -> None:
        guest, ada = party.friend("", key=b""), party.friend("Ada")
        code = party.begin(guest, ada)
        solve(party, guest, party.minefield(code))
        assert min(row["place"] or 9 for row in ada.members["seats"]) == 1

    def test_is_left_for_the_menu_by_who_had_no_game(self, party: Party) -> None:
        ada = party.friend("Ada")
        party.do(ada, RACE)
        party.do(ada, Command.LEAVE)
        assert ada.members["room"] is None
        assert ada.screen == "main"

    def test_ends_with_its_last_player(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, RACE)
        code = ada.members["room"]["code"]
        party.do(ada, Command.LEAVE)
        party.do(bob, Join(code))
        assert said(bob) == "room.unknown"
        assert bob.members.get("room") is None

    def test_keeps_a_lost_seat_for_two_minutes_and_waits_for_nobody_there(
        self, party: Party
    ) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, SHARED)
        party.do(bob, Join(ada.members["room"]["code"]))
        ada.hang_up()
        party.players.remove(ada)
        party.look()
        assert not seats(bob)["Ada"]["here"]
        assert bob.members["room"]["host"] == 2
        party.pass_time(120_000)
        assert [*seats(bob)] == ["Bob"]

    def test_says_to_who_is_ready_alone_that_a_race_takes_two(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, RACE, Ready())
        assert said(ada) == "race.two"
        party.do(bob, Join(ada.members["room"]["code"]), Ready())
        party.pass_time(3_000)
        assert (ada.members["state"], said(ada)) == ("playing", "")


class TestHost:
    def test_is_the_next_one_when_the_first_has_gone(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, RACE)
        party.do(bob, Join(ada.members["room"]["code"]))
        party.do(ada, Command.LEAVE)
        assert bob.members["room"]["host"] == 2

    def test_chooses_another_board(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, RACE)
        party.do(bob, Join(ada.members["room"]["code"]))
        party.do(ada, OpenMenu("room"), Pick("room", "board", "expert"))
        party.do(ada, Pick("room", "mine", "the end"), OpenMenu(""))
        for friend in (ada, bob):
            assert friend.members["room"]["label"] == "expert 30x16"
            assert friend.members["room"]["mine"] == "ends"


class TestRace:
    def test_is_won_by_the_first_and_over_a_minute_later(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        field = party.minefield(party.begin(ada, bob))
        party.pass_time(5_000)
        solve(party, ada, field)
        assert ada.members["state"] == "won"
        assert bob.members["ends_in"] == 60_000
        assert seats(bob)["Ada"]["place"] == 1
        assert seats(bob)["Ada"]["time"] == 5_000
        assert seats(bob)["Ada"]["opened"] == 1_000
        assert seats(bob)["Ada"]["speed"] == 100 * bbbv(field) // 5
        assert 0 < seats(bob)["Ada"]["efficiency"] <= 100
        party.pass_time(60_000)
        assert bob.members["room"]["state"] == "over"
        assert bob.members["state"] == "given up"
        bob.send(reveal(cells_of(field, field.safe)[-1]))
        assert said(bob) == "round.over"

    def test_gives_a_time_to_those_alone_who_have_finished(self, party: Party) -> None:
        ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
        field = party.minefield(party.begin(ada, bob, eve))
        mine = cells_of(field, field.mines)[0]
        party.do(bob, Act(mine.column, mine.row, Button.FLAG, COVERED))
        party.pass_time(5_000)
        solve(party, ada, field)
        party.pass_time(60_000)
        assert eve.members["room"]["state"] == "over"
        timed = [name for name, row in seats(eve).items() if {"time", "won", "speed"} & row.keys()]
        assert timed == ["Ada"]
        assert 0 < seats(eve)["Bob"]["opened"] == seats(eve)["Eve"]["opened"] < 1_000

    def test_is_counted_once_for_each_who_played_it(self, party: Party) -> None:
        ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
        code = party.begin(ada, bob, eve)
        eve.hang_up()
        party.players.remove(eve)
        solve(party, bob, party.minefield(code))
        party.pass_time(60_000)
        for _ in range(3):
            party.pass_time(6_000)
        for friend, counts in ((ada, (1, 0)), (bob, (1, 1)), (eve, (1, 0))):
            read = party.backstage.do(read_statistics(friend.session.player_id))
            assert (read.races, read.races_won) == counts
        party.do(bob, Command.LEAVE, OpenMenu("main"))
        assert "races played 1   won 1" in bob.walk("Records", "Statistics")

    def test_begins_anew_when_all_are_ready_again(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        code = party.begin(ada, bob)
        field = party.minefield(code)
        for friend in (ada, bob):
            solve(party, friend, field)
        assert ada.members["room"]["state"] == "over"
        assert (said(ada), said(bob)) == ("race.won", "race.winner.by")
        party.do(ada, Ready())
        assert (ada.members["room"]["state"], said(ada)) == ("waiting", "")
        # The result stays for whoever looks at it.
        assert (bob.members["room"]["state"], said(bob)) == ("over", "race.winner.by")
        assert [row["place"] for row in bob.members["seats"]] == [1, 2]
        party.do(bob, Ready())
        party.pass_time(3_000)
        assert ada.members["state"] == bob.members["state"] == "playing"

    def test_keeps_who_has_finished_waiting_for_the_others(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        field = party.minefield(party.begin(ada, bob))
        solve(party, ada, field)
        assert ada.members["keys"] == ["rivals", "say", "leave", "menu", "help", "quit"]
        party.do(ada, Ready())
        assert said(ada) == "room.wait"
        solve(party, bob, field)
        assert ada.members["keys"][0] == "ready"

    def test_shows_all_with_what_the_first_cell_opened_before_they_act(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        field = party.minefield(party.begin(ada, bob))
        begun = 1000 * sum(face <= 8 for face in ada.faces) // field.safe.bit_count()
        assert begun > 0
        for friend in (ada, bob):
            assert {row["opened"] for row in seats(friend).values()} == {begun}
        mine = cells_of(field, field.mines)[0]
        party.do(ada, reveal(mine))
        party.pass_time(300)
        assert {row["opened"] for row in seats(bob).values()} == {begun}

    def test_shows_how_far_the_others_are_and_nothing_else_of_them(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        field = party.minefield(party.begin(ada, bob))
        before = bytes(bob.faces)
        party.pass_time(300)
        for cell in cells_of(field, field.safe)[-20:]:
            party.do(ada, reveal(cell))
        party.pass_time(300)
        assert seats(bob)["Ada"]["opened"] > seats(bob)["Bob"]["opened"]
        assert bob.faces == before

    def test_takes_note_of_those_whose_server_has_died(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.backstage.player_elsewhere()
        bob.send(Hello(LIVE, b"b" * 16, "Bob"))
        party.do(ada, RACE)
        bob.send(Join(ada.members["room"]["code"]))
        party.pass_time(5_000)
        assert seats(ada)["Bob"]["here"]
        assert bob.backstage is not None
        bob.backstage.die()
        party.pass_time(25_000)
        assert not seats(ada)["Bob"]["here"]


class TestSharedBoard:
    def test_says_who_opened_how_much_and_whose_flags_there_are(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        field = party.minefield(party.begin(ada, bob, kind=SHARED))
        mine, safe = cells_of(field, field.mines)[0], cells_of(field, field.safe)
        party.do(ada, Act(mine.column, mine.row, Button.FLAG, COVERED))
        place = mine.row * 9 + mine.column
        assert bob.members["owners"] == [[place, 1]]
        party.pass_time(300)
        assert [seats(bob)[name]["flags"] for name in ("Ada", "Bob")] == [1, 0]
        for cell in safe:
            bob.send(reveal(cell))
        party.look()
        party.pass_time(300)
        assert ada.members["state"] == bob.members["state"] == "won"
        assert said(ada) == said(bob) == "shared.won"
        assert seats(ada)["Ada"]["opened"] == 0 < seats(ada)["Bob"]["opened"]
        assert ada.members["room"]["state"] == "over"

    @pytest.mark.parametrize(
        ("packet", "found"),
        [
            (Hint(0, 0), FoundHint("It is safe there.", Cell(2, 1), ())),
            (Seek(0, 0), FoundSolved(Cell(2, 1), is_mine=False)),
        ],
    )
    def test_shows_others_the_cell_that_help_has_led_to(
        self, party: Party, packet: Packet, found: FoundHint | FoundSolved
    ) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.begin(ada, bob, kind=SHARED)
        party.backstage.hints.append(found)
        party.do(ada, packet)
        assert bob.members["cursors"] == [[1, 11]]

    def test_has_three_lives_if_the_room_wants_it(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        kind = replace(SHARED, mine=MineCode.LIFE)
        field = party.minefield(party.begin(ada, bob, kind=kind))
        for left, friend, mine in zip(
            (2, 1, 0), (ada, bob, ada), cells_of(field, field.mines), strict=False
        ):
            party.do(friend, reveal(mine))
            party.pass_time(300)
            assert ada.members["lives"] == bob.members["lives"] == left
        assert ada.members["state"] == bob.members["state"] == "lost"
        assert [seats(ada)[name]["hits"] for name in ("Ada", "Bob")] == [2, 1]
        assert [seats(ada)[name]["opened"] for name in ("Ada", "Bob")] == [0, 0]
        for friend in (ada, bob):
            assert friend.members["message"]["text"].startswith("Ada stepped on a mine")
        party.do(ada, Undo(1))
        assert (said(ada), ada.members["state"]) == ("round.over", "lost")

    def test_is_undone_only_by_who_acted_last(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        field = party.minefield(party.begin(ada, bob, kind=SHARED))
        mine = cells_of(field, field.mines)[0]
        party.do(ada, Act(mine.column, mine.row, Button.FLAG, COVERED))
        party.do(bob, Undo(1))
        assert said(bob) == "room.undo"
        party.do(ada, Undo(1))
        assert said(ada) == "undone"

    @pytest.mark.parametrize("undos", [[Undo(5)], [Undo(1)] * 2])
    def test_keeps_what_others_did_when_somebody_undoes_more(
        self, party: Party, undos: list[Undo]
    ) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        field = party.minefield(party.begin(ada, bob, kind=SHARED))
        first, second = cells_of(field, field.mines)[:2]
        party.do(ada, Act(*first, Button.FLAG, COVERED))
        party.do(bob, Act(*second, Button.FLAG, COVERED), *undos)
        assert bob.members["left"] == 9
        # To do nothing makes nothing one's own.
        party.do(bob, reveal(first), Undo(1))
        assert said(bob) == "room.undo"
        assert bob.members["left"] == 9

    def test_pauses_once_everybody_who_is_there_wants_it(self, party: Party) -> None:
        ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
        watcher = party.friend("Wim")
        code = party.begin(ada, bob, eve, kind=SHARED)
        party.do(watcher, Watch(code))
        party.do(eve, Command.LEAVE)
        party.pass_time(5_000)
        party.do(ada, Command.PAUSE)
        assert (said(ada), said(bob)) == ("pause.vote", "pause.wanted")
        assert ada.members["state"] == bob.members["state"] == "playing"
        party.do(bob, Command.PAUSE)
        party.pass_time(60_000)
        for friend in (ada, bob, watcher):
            assert friend.members["state"] == "paused"
            assert said(friend) in {"paused", ""}
            assert not friend.members["clock_runs"]
            assert friend.members["clock"] == 5_000
        before = bytes(ada.faces)
        party.do(ada, reveal(Cell(8, 8)), Act(0, 0, Button.FLAG, SEEN), Undo(1), Hint(0, 0))
        assert ada.faces == before
        party.pass_time(1_000)
        party.do(eve, Join(code))
        assert eve.members["state"] == "paused"
        party.do(eve, Command.PAUSE)
        party.pass_time(1_000)
        for friend in (ada, bob, eve, watcher):
            assert friend.members["state"] == "playing"
            assert friend.members["clock_runs"]
        party.do(ada, Command.REFRESH)
        assert ada.members["clock"] == 6_000

    def test_is_not_paused_by_who_takes_the_vote_back(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.begin(ada, bob, kind=SHARED)
        for friend in (ada, ada, bob):
            party.do(friend, Command.PAUSE)
        assert bob.members["state"] == "playing"
        party.do(ada, Command.LEAVE)
        assert bob.members["state"] == "paused"

    def test_takes_late_comers_in(self, party: Party) -> None:
        ada, eve = party.friend("Ada"), party.friend("Eve")
        code = party.begin(ada, kind=SHARED)
        party.do(eve, Join(code))
        assert eve.members["state"] == "playing"
        assert eve.faces == ada.faces

    def test_is_shown_again_where_a_view_was_dropped_because_others_were_faster(
        self, party: Party
    ) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.begin(ada, bob, kind=SHARED)
        # Bob's flag is not stored yet, so what Ada is to be shown of it waits, and is dropped.
        bob.session.receive(Act(0, 0, Button.FLAG, bob.faces[0]), bob.now_ms)
        _, effects = ada.session.show(ada.now_ms)
        assert effects is not None
        assert effects.wait is not None
        ada.session.draw_again(effects.wait, 0, ada.now_ms)
        party.backstage.pump()
        party.do(ada, Command.REFRESH)
        assert ada.faces[0] == COVERED | FLAGGED

    def test_is_written_once_for_all_partners_and_shows_each_their_own(
        self, party: Party, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        friends = [party.friend(f"Player {number}") for number in range(5)]
        ada, bob, *others = friends
        field = party.minefield(party.begin(*friends, kind=SHARED))
        mines, safe = cells_of(field, field.mines), cells_of(field, field.safe)
        party.do(ada, Act(*mines[0], Button.FLAG, COVERED))
        party.do(bob, Act(*mines[1], Button.FLAG, COVERED))
        written: list[bytes] = []

        def write(cells: bytes, members: bytes) -> bytes:
            written.append(encode_view(cells, members))
            return written[-1]

        monkeypatch.setattr("jminesweeper.session.view.encode_view", write)
        party.do(ada, Act(*mines[2], Button.FLAG, COVERED))
        # The reply, and one frame for four partners.
        assert len(written) == 2
        assert all(friend.faces == ada.faces for friend in friends)
        party.do(others[0], OpenMenu("help"))
        party.do(bob, reveal(safe[-1]))
        party.do(others[0], OpenMenu(""))
        party.do(ada, Command.PAUSE)
        party.do(bob, Act(*mines[3], Button.FLAG, COVERED))
        for number, friend in enumerate(friends, start=1):
            party.do(friend, Command.REFRESH)
            assert friend.faces == ada.faces
            assert friend.members["room"]["you"] == number
            assert friend.members["cursors"] == ada.members["cursors"]
            assert friend.members["seats"] == ada.members["seats"]
            assert friend.members["owners"] == ada.members["owners"]
            assert friend.members["clock"] == ada.members["clock"]

    def test_tells_each_their_own_seat_when_the_room_changes(self, party: Party) -> None:
        friends = [party.friend(f"Player {number}") for number in range(3)]
        party.begin(*friends, kind=SHARED)
        for friend in friends:
            party.do(friend, Act(0, 0, Button.FLAG, SEEN))
        party.do(friends[0], OpenMenu("room"))
        friends[0].choose("Who may come", "everybody")
        party.do(friends[0], OpenMenu(""))
        rooms = [friend.members["room"] for friend in friends]
        assert [(room["open"], room["you"]) for room in rooms] == [(True, 1), (True, 2), (True, 3)]

    def test_sends_no_frame_that_says_nothing(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.begin(ada, bob, kind=SHARED)
        party.do(ada, Act(0, 0, Button.FLAG, SEEN))
        before = len(bob.replies)
        assert bob.session._player.sitting is not None
        bob.session._player.sitting.table.changes += 1
        assert not bob.look()
        assert len(bob.replies) == before
        party.do(ada, Act(1, 0, Button.FLAG, SEEN))
        assert len(bob.replies) == before + 1

    def test_is_shown_to_all_at_one_go_thirty_times_a_second_at_most(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        code, backstage = party.begin(ada, bob, kind=SHARED), party.backstage
        shown_ms: dict[str, list[int]] = {"one": [], "another": []}
        for name, times in shown_ms.items():
            show = partial(lambda times: times.append(backstage.now_ms), times)
            backstage.matches.tables.enter(code, name, name, show)
        party.pass_time(1_000)
        for times in shown_ms.values():
            times.clear()
        begun_ms = backstage.now_ms
        for number in range(100):
            backstage.pass_time(begun_ms + 10 * number)
            party.do(ada, Act(number % 9, 0, Button.FLAG, SEEN))
        backstage.pass_time(begun_ms + 2_000)
        times = shown_ms["one"]
        assert shown_ms["another"] == times
        assert 20 <= len(times) <= 32
        assert all(later - before >= 33 for before, later in pairwise(times))
        # Nothing is left unshown.
        assert times[-1] >= begun_ms + 990

    @pytest.mark.parametrize("seed", range(8))
    def test_is_shown_to_each_as_it_is_whatever_everybody_does(
        self, party: Party, seed: int
    ) -> None:
        draw = random.Random(seed)
        friends = [party.friend(f"Player {number}") for number in range(4)]
        field = party.minefield(party.begin(*friends, kind=replace(SHARED, mine=MineCode.LIFE)))
        cells = cells_of(field, field.mines | field.safe)
        for _ in range(60):
            cell = draw.choice(cells)
            packets: list[Packet] = [
                *[Act(*cell, draw.choice([Button.OPEN, Button.FLAG]), SEEN)] * 6,
                *(MoveTo(*cell), Undo(1), Command.PAUSE, Say(1), Ready(), Command.REFRESH),
                *(OpenMenu("help"), OpenMenu(""), OpenMenu("room")),
            ]
            party.do(draw.choice(friends), draw.choice(packets))
            if draw.random() < 0.3:
                party.pass_time(draw.choice([40, 400]))
        for friend in friends:
            while friend.members.get("menu") or friend.members.get("page"):
                party.do(friend, OpenMenu(""))
        party.pass_time(1_000)
        for number, friend in enumerate(friends):
            before, faces = dict(friend.members), bytes(friend.faces)
            name = f"Player {number}"
            friend.send(Hello(LIVE, name.encode().ljust(16, b"."), name))
            for member in friend.members.keys() - {"clock", "message", "cursor", "said"}:
                assert friend.members[member] == before.get(member), member
            assert bytes(friend.faces) == faces

    def test_keeps_its_room_for_as_long_as_it_is_played(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        code = party.begin(ada, kind=SHARED)
        for column in range(9):
            party.pass_time(900_000)
            party.do(ada, Act(column, 0, Button.FLAG, SEEN))
            party.pass_time(250)
        party.do(bob, Join(code))
        assert bob.faces == ada.faces

    def test_is_in_the_history_of_late_comers_too(self, party: Party) -> None:
        ada, eve = party.friend("Ada"), party.friend("Eve")
        code = party.begin(ada, kind=SHARED)
        party.do(eve, Join(code))
        solve(party, eve, party.minefield(code))
        for name in ("Ada", "Eve"):
            player = player_id(name.encode().ljust(16, b"."))
            ((_, game),) = party.backstage.do(list_games(player, 10))
            assert game.outcome is not None
            assert not game.outcome.counts


class TestWatching:
    def test_shows_the_board_as_its_player_sees_it_and_by_how_many(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, BEGINNER, reveal(Cell(4, 4)))
        watch(party, bob, "Ada")
        assert bob.members["watching"] == {"name": "Ada", "gone": False}
        assert bob.faces == ada.faces
        assert ada.members["watchers"] == 1
        party.do(ada, Act(0, 0, Button.FLAG, SEEN))
        assert bob.faces == ada.faces
        party.do(bob, Command.LEAVE)
        assert bob.members["watching"] is None
        assert ada.members["watchers"] == 0

    def test_shows_no_help_no_message_and_no_mines(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, BEGINNER, reveal(Cell(4, 4)))
        watch(party, bob, "Ada")
        party.do(ada, Command.TOGGLE_DEBUG_MODE)
        assert any(face & MINED for face in ada.faces)
        assert not any(face & MINED for face in bob.faces)
        assert bob.members.get("message") is None
        assert not bob.members.get("figures")
        party.pass_time(3_000)
        eve = party.friend("Eve")
        party.do(eve, Watch("Ada"))
        assert said(eve) == "watch.nobody"

    def test_is_written_once_for_all_who_look_on(
        self, party: Party, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ada, *crowd = (party.friend(f"Player {number}") for number in range(9))
        party.do(ada, BEGINNER, reveal(Cell(4, 4)))
        party.do(crowd[0], NewGame("expert"), reveal(Cell(9, 9)))
        for friend in crowd:
            watch(party, friend, "Player 0")
        party.do(ada, Act(0, 0, Button.FLAG, SEEN))
        party.do(ada, Act(0, 1, Button.FLAG, SEEN))
        written: list[bytes] = []

        def write(cells: bytes, members: bytes) -> bytes:
            written.append(encode_view(cells, members))
            return written[-1]

        monkeypatch.setattr("jminesweeper.session.view.encode_view", write)
        party.do(ada, Act(0, 0, Button.FLAG, SEEN))
        assert all(friend.faces == ada.faces for friend in crowd)
        assert len(written) == 2
        party.do(crowd[0], Command.LEAVE)
        assert crowd[0].members["size"] == [30, 16]
        assert crowd[0].members["label"] == "expert 30x16"
        party.do(ada, Act(0, 1, Button.FLAG, SEEN))
        party.pass_time(3_000)
        party.do(crowd[0], Watch("Player 0"))
        party.do(ada, Act(0, 0, Button.FLAG, SEEN))
        assert all(friend.faces == ada.faces for friend in crowd)
        assert {friend.members["clock"] for friend in crowd}

    def test_of_a_room_is_counted_too(self, party: Party) -> None:
        ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
        code = party.begin(ada, bob)
        party.do(eve, Watch(code))
        assert ada.members["watchers"] == bob.members["watchers"] == 1
        party.pass_time(60_000)
        assert ada.members["watchers"] == 1
        party.do(eve, Command.LEAVE)
        assert ada.members["watchers"] == 0

    def test_goes_on_with_the_next_game_at_once(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, BEGINNER, reveal(Cell(4, 4)))
        watch(party, bob, "Ada")
        party.do(ada, NewGame("expert"))
        assert bob.members["size"] == [30, 16]
        party.do(ada, reveal(Cell(4, 4)))
        assert bob.faces == ada.faces
        # Whoever begins game after game does so twice a second for those who watch.
        party.do(ada, *(NewGame("beginner") for _ in range(9)))
        party.do(ada, reveal(Cell(4, 4)))
        party.pass_time(1_000)
        assert bob.faces == ada.faces

    def test_goes_on_at_another_server_once_the_store_has_the_next_game(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.backstage.player_elsewhere()
        party.do(ada, BEGINNER, reveal(Cell(4, 4)))
        party.pass_time(3_000)
        bob.now_ms = party.backstage.now_ms
        bob.send(Hello(LIVE, b"bob.............", "Bob"), Watch("Ada"))
        assert bob.members["watching"] == {"name": "Ada", "gone": False}
        # The servers tell each other how many watch.
        for match in party.backstage.matches:
            match.count_elsewhere(1)
        party.do(ada, NewGame("expert"))
        bob.look()
        assert "message" not in bob.said or bob.said["message"] is None
        party.do(ada, reveal(Cell(4, 4)))
        bob.look()
        assert bob.members["size"] == [30, 16]
        assert bob.faces == ada.faces

    def test_shows_where_the_player_is(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(bob, NewGame("expert"), MoveTo(29, 15))
        party.do(ada, BEGINNER, reveal(Cell(4, 4)))
        watch(party, bob, "Ada")
        assert bob.said["cursor"] == [4, 4]
        frames = len(ada.replies)
        party.do(ada, MoveTo(7, 2))
        assert bob.said["cursor"] == [7, 2]
        # The player herself is told nothing besides the answer.
        assert len(ada.replies) == frames + 1
        party.do(ada, *(MoveTo(column, 0) for column in range(9)))
        assert bob.said["cursor"] != [7, 2]
        party.do(bob, Command.LEAVE)
        assert bob.said["cursor"] == [29, 15]

    def test_is_possible_of_a_player_of_version_1(self, party: Party) -> None:
        old, bob = party.backstage.player(), party.friend("Bob")
        party.players.append(old)
        party.do(old, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        party.pass_time(3_000)
        party.do(bob, OpenMenu("people"))
        (guest,) = [row for row in bob.members["menu"]["rows"] if "(guest)" in row["label"]]
        party.do(bob, Pick("people", guest["id"]))
        assert bob.faces[0] == COVERED | 32

    @pytest.mark.parametrize(
        ("who", "is_listed", "is_let"),
        [("everybody", True, True), ("those with the code", False, True), ("nobody", False, False)],
    )
    def test_is_for_those_whom_the_player_allows(
        self, party: Party, who: str, *, is_listed: bool, is_let: bool
    ) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, BEGINNER, reveal(Cell(4, 4)))
        party.do(ada, OpenMenu("settings"), Pick("settings", "watchers", who), OpenMenu(""))
        party.do(ada, OpenMenu(""))
        watch(party, bob, "Ada")
        assert bool(bob.members.get("watching")) is is_listed
        party.do(bob, Command.LEAVE)
        party.pass_time(1_000)
        (code,) = [match.code for match in party.backstage.matches]
        party.do(bob, Watch(code))
        assert bool(bob.members.get("watching")) is is_let

    def test_of_a_days_board_is_for_those_who_have_finished_it(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, DAILY, reveal(Cell(0, 0)))
        watch(party, bob, "Ada")
        assert said(bob) == "watch.daily"
        party.do(bob, DAILY, reveal(Cell(0, 0)))
        watch(party, bob, "Ada")
        assert said(bob) == "watch.daily"
        solve(party, bob, DAY.minefield(Cell(0, 0)))
        watch(party, bob, "Ada")
        assert bob.members["watching"]

    @pytest.mark.parametrize("is_begun", [False, True])
    def test_of_a_days_board_that_is_still_played_waits_beyond_midnight(
        self, party: Party, *, is_begun: bool
    ) -> None:
        ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
        party.do(bob, DAILY, *([reveal(Cell(0, 0))] if is_begun else []))
        party.do(ada, DAILY, reveal(Cell(0, 0)))
        solve(party, ada, DAY.minefield(Cell(0, 0)))
        (code,) = [match.code for match in party.backstage.matches if match.is_over]
        party.do(eve, Watch(code))
        assert said(eve) == "watch.daily"
        party.pass_time(86_400_000)
        party.do(bob, Watch(code))
        assert said(bob) == "watch.daily"
        party.do(eve, Watch(code))
        assert eve.members["replay"]

    @pytest.mark.parametrize(
        ("waits", "comes_back"),
        [(OpenMenu(""), OpenMenu("")), (SHARED, Command.LEAVE)],
        ids=["in a menu", "in a room"],
    )
    def test_of_a_days_board_that_a_device_gave_up_leaves_it_unranked_on_all(
        self, party: Party, waits: Packet, comes_back: Packet
    ) -> None:
        ada, eve, field = party.friend("Ada"), party.friend("Eve"), DAY.minefield()
        party.do(ada, DAILY, reveal(Cell(0, 0)), waits)
        mine = cells_of(field, field.mines)[0]
        party.do(eve, DAILY, reveal(Cell(0, 0)), reveal(mine))
        phone = party.friend("Ada")
        watch(party, phone, "Eve")
        assert said(phone) == "watch.daily"
        party.do(phone, BEGINNER, reveal(Cell(4, 4)))
        watch(party, phone, "Eve")
        assert phone.members["state"] == "lost"
        party.do(ada, comes_back)
        assert ada.members["label"].startswith("daily")
        solve(party, ada, field)
        assert ada.message == "You won! Given up once, so not ranked."
        assert "today" not in dict(ada.members["figures"])
        assert party.backstage.do(list_boards()) == []

    def test_of_a_days_board_under_its_seed_code_is_no_way_around_that(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, Code(format_seed_code(DAY)), reveal(Cell(0, 0)))
        watch(party, bob, "Ada")
        assert said(bob) == "watch.daily"

    def test_of_a_shared_board_shows_it(self, party: Party) -> None:
        ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
        code = party.begin(ada, bob, kind=SHARED)
        party.do(eve, Watch(code))
        party.pass_time(300)
        assert eve.faces == ada.faces

    def test_of_a_game_that_has_ended_is_a_replay(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, NewGame("2x1/1"), reveal(Cell(0, 0)))
        (code,) = [match.code for match in party.backstage.matches]
        party.do(bob, Watch(code))
        assert len(bob.members["replay"]) == 1


def names(player: Player) -> set[str]:
    return {row["label"] for row in player.members["menu"]["rows"]}


class TestPeople:
    def test_are_listed_with_what_they_play(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, BEGINNER, reveal(Cell(4, 4)))
        party.pass_time(3_000)
        party.do(bob, OpenMenu("people"))
        row = bob.row("Ada")
        assert row["value"] == "plays beginner 9x9"
        assert row["figures"][0].endswith("%")

    def test_are_listed_with_a_game_that_has_ended_as_one_at_once(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, BEGINNER, reveal(Cell(4, 4)))
        party.pass_time(3_000)
        assert people(party, bob)[0]["value"] == "plays beginner 9x9"
        (match,) = party.backstage.matches
        field = match.game.setup.minefield()
        party.do(ada, reveal(cells_of(field, field.mines)[0]))
        assert ada.members["state"] == "lost"
        party.pass_time(3_000)
        party.do(bob, Command.REFRESH)
        assert bob.row("Ada")["value"] == "has finished beginner 9x9"
        # Watching goes on to the next game.
        assert "disabled" not in bob.row("Ada")

    def test_are_listed_above_them_with_the_boards_that_are_played(self, party: Party) -> None:
        ada = party.friend("Ada")
        for kind, row in ((RoomKind.RACE, "race"), (RoomKind.SHARED, "shared")):
            party.do(ada, OpenMenu("people"))
            rows = {each["id"]: each for each in ada.members["menu"]["rows"]}
            party.do(ada, Pick("people", row))
            assert ada.members["room"]["kind"] == kind.name.lower()
            assert rows[row]["value"] == ada.members["room"]["label"]
            party.do(ada, Command.LEAVE)
            party.pass_time(1_000)

    def test_are_listed_with_what_one_can_do_with_them(self, party: Party) -> None:
        ada, bob, cy, dan, eve = map(party.friend, ("Ada", "Bob", "Cy", "Dan", "Eve"))
        party.do(ada, BEGINNER, replace(RACE, kind=RoomKind.QUICK))
        party.do(bob, replace(SHARED, flags=RoomFlag.OPEN))
        party.do(cy, RACE)
        party.do(dan, BEGINNER, reveal(Cell(4, 4)))
        party.pass_time(3_000)
        party.do(eve, OpenMenu("people"))
        rows = {row["label"]: row for row in eve.members["menu"]["rows"]}
        assert {name: rows[name]["value"] for name in ("Ada", "Bob", "Cy", "Dan")} == {
            "Ada": "waits for a race on beginner 9x9",
            "Bob": "in an open room",
            "Cy": "in a room",
            "Dan": "plays beginner 9x9",
        }
        assert {name for name in rows if rows[name].get("other") == "watch"} == {"Ada", "Bob"}
        assert rows["Cy"]["disabled"] == "You need the room's code."
        assert cy.members["room"]["code"] not in str(eve.members["menu"])

    def test_are_accepted_joined_or_watched_by_choosing_them(self, party: Party) -> None:
        ada, bob, dan = map(party.friend, ("Ada", "Bob", "Dan"))
        party.do(ada, BEGINNER, replace(RACE, kind=RoomKind.QUICK))
        party.do(bob, replace(SHARED, flags=RoomFlag.OPEN))
        party.do(dan, BEGINNER, reveal(Cell(4, 4)))
        party.pass_time(3_000)
        for name, sees in (("Ada", "Ada"), ("Bob", "Bob")):
            eve = party.friend(f"Eve {name}")
            party.do(eve, OpenMenu("people"))
            eve.choose(name)
            party.look()
            assert sees in seats(eve)
            party.do(eve, Command.LEAVE)
        cy = party.friend("Cy")
        party.do(cy, OpenMenu("people"))
        for name, what in (("Bob", PickWhat.OTHER), ("Dan", PickWhat.CHOOSE)):
            party.do(cy, Pick("people", cy.row(name)["id"], what=what))
            assert cy.members["watching"]["name"].endswith(
                "Dan" if name == "Dan" else bob.members["room"]["code"]
            )
            party.do(cy, Command.LEAVE)
            party.pass_time(1_000)
        party.do(cy, Pick("people", cy.row("Dan")["id"], what=PickWhat.OTHER))
        assert cy.screen == "people"

    def test_are_listed_as_they_are_by_now(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, BEGINNER, reveal(Cell(4, 4)))
        party.pass_time(3_000)
        party.do(bob, OpenMenu("people"))
        assert bob.said["refresh"] == 3_000
        party.do(ada, OpenMenu("settings"), Pick("settings", "name", "Zoe"))
        party.do(ada, Pick("settings", "watchers", "nobody"))
        party.pass_time(3_000)
        party.do(bob, Command.REFRESH)
        assert bob.row("Zoe")["disabled"]
        assert "Ada" not in names(bob)
        assert bob.said["refresh"] == 3_000

    def test_are_read_anew_every_three_seconds_at_most(self, party: Party) -> None:
        bob = party.friend("Bob")
        party.do(bob, OpenMenu("people"))
        party.backstage.take_operations()
        for _ in range(30):
            bob.send_after(100, Command.REFRESH)
        assert len(party.backstage.take_operations()) == 2

    def test_come_first_with_whom_one_has_played(self, party: Party) -> None:
        crowd = [party.friend(f"Player {number}") for number in range(60)]
        party.pass_time(3_000)
        listed = [row["label"] for row in people(party, crowd[0])]
        assert len(listed) == 50
        late = [each for each in crowd[1:] if f"Player {crowd.index(each)}" not in listed]
        party.begin(crowd[0], late[0])
        party.do(crowd[0], Command.LEAVE)
        party.pass_time(3_000)
        again = [row["label"] for row in people(party, crowd[0])]
        assert again[0] == f"Player {crowd.index(late[0])}"
        assert len(again) == 50

    def test_are_listed_once_on_whatever_devices_they_play(self, party: Party) -> None:
        party.friend("Ada")
        party.friend("Ada")
        bob = party.friend("Bob")
        party.pass_time(3_000)
        assert [row["label"] for row in people(party, bob)] == ["Ada"]

    def test_are_no_guests_any_more_once_they_say_who_they_are(self, party: Party) -> None:
        ada, bob = party.backstage.player(), party.friend("Bob")
        party.players.append(ada)
        party.do(ada, Start(9, 9, 1))
        party.pass_time(3_000)
        party.do(ada, Hello(LIVE, b"a" * 16, "Ada"))
        party.pass_time(3_000)
        assert [row["label"] for row in people(party, bob)] == ["Ada"]

    @pytest.mark.parametrize("typed", ["Ada", "ada"])
    def test_are_watched_by_name_first_of_all_those_one_has_played_with(
        self, party: Party, typed: str
    ) -> None:
        others = [party.friend("Ada", key=bytes((number,)) * 16) for number in range(9)]
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.begin(ada, bob)
        for friend in (ada, bob):
            party.do(friend, Command.LEAVE)
        for number, each in enumerate((*others, ada)):
            party.do(each, BEGINNER, reveal(Cell(number % 9, number // 9)))
        party.do(ada, Act(8, 8, Button.FLAG, COVERED))
        watch(party, bob, typed)
        assert bob.faces == ada.faces

    def test_are_gone_when_they_hang_up_and_when_their_server_dies(self, party: Party) -> None:
        ada, eve, bob = party.friend("Ada"), party.friend("Eve"), party.friend("Bob")
        party.pass_time(3_000)
        ada.hang_up()
        party.players = [bob]
        party.do(bob, OpenMenu("people"))
        assert {"Eve"} == names(bob) & {"Ada", "Eve"}
        party.pass_time(80_000)
        party.do(bob, OpenMenu("people"), OpenMenu("people"))
        assert "Eve" not in names(bob)
        assert eve.is_connected

    @pytest.mark.parametrize(("row", "kind"), [("race", "race"), ("shared", "shared")])
    def test_open_rooms_from_the_menu(self, party: Party, row: str, kind: str) -> None:
        ada, bob = party.friend("Ada"), party.friend("Bob")
        party.do(ada, OpenMenu("people"), Pick("people", row))
        room = ada.members["room"]
        assert room["kind"] == kind
        party.do(bob, OpenMenu("people"), Pick("people", "join", room["code"]))
        assert bob.members["room"]["code"] == room["code"]

    def test_everybody_may_be_named_where_others_are_met(self, party: Party) -> None:
        ada, bob = party.friend("Ada"), party.friend(key=b"b" * 16)
        ada.send(BEGINNER)
        bob.send(BEGINNER)
        bob.send(OpenMenu("people"))
        bob.send(Pick("people", "name", "Bob"))
        assert said(bob) == "named"
        party.pass_time(30_000)
        ada.send(OpenMenu("people"))
        assert "Bob" in {row["label"] for row in ada.members["menu"]["rows"]}


def test_a_round_whose_record_could_not_be_read_is_opened_once_it_can_be(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    field = party.minefield(code := party.begin(ada, bob, party.friend("Cy")))
    party.do(bob, reveal(cells_of(field, field.safe)[-1]), Command.LEAVE)
    submit = party.backstage.submit

    def fail_to_read_logs(operation: Operation) -> Any:
        is_log = isinstance(operation, Read) and operation.tails
        return StoreUnavailableError(Fault.BROKEN) if is_log else submit(operation)

    with monkeypatch.context() as broken:
        broken.setattr(party.backstage, "submit", fail_to_read_logs)
        party.pass_time(1_000)
        party.do(bob, Join(code))
        assert (said(bob), bob.members["state"]) == ("store", None)
    party.pass_time(1_000)
    assert bob.members["state"] == "playing"


def test_who_waits_for_an_opponent_and_for_the_store_can_go_on(party: Party) -> None:
    party.backstage.fault = StoreUnavailableError(Fault.FULL)
    ada = party.friend("Ada")
    party.do(ada, replace(RACE, kind=RoomKind.QUICK))
    party.pass_time(10_000)
    party.do(ada, OpenMenu(""))
    assert ada.members["menu"]["id"] == "main"
    party.backstage.fault = None
    party.pass_time(10_000)
    assert ada.session.player_id
