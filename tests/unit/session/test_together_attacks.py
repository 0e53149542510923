"""What somebody might try who plays together with others, item by item, and what comes of it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import get_args, get_type_hints

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import COVERED, MINED
from jminesweeper.protocol.packets import (
    Act,
    Code,
    Drop,
    FramedPacket,
    Hello,
    Hint,
    Join,
    Load,
    LookBack,
    MoveTo,
    Odds,
    OpenMenu,
    OpenRoom,
    Packet,
    Pick,
    Ready,
    Save,
    Say,
    Seek,
    Start,
    Undo,
    Watch,
)
from jminesweeper.protocol.vocabulary import Button, Command, Feature, MineCode, RoomFlag, RoomKind
from jminesweeper.records.keys import handle_of
from jminesweeper.records.meeting import find_room
from jminesweeper.records.reading import list_boards, list_games, read_statistics
from jminesweeper.records.rooms import NoRoomError
from jminesweeper.session.talks import MOST_OPEN
from tests.unit.session.party import (
    BEGINNER,
    DAY,
    LIVE,
    RACE,
    SHARED,
    Party,
    people,
    remove,
    reveal,
    said,
    seats,
    solve,
    watch,
)
from tests.unit.session.player import SEEN, Player, cells_of

# By the hundred, the thousand and the million


def test_joining_is_possible_once_a_second(party: Party) -> None:
    ada = party.friend("Ada")
    party.do(ada, Join("KRTPWX"), Join("KRTPWX"))
    assert said(ada) == "slow"


def test_nothing_is_kept_of_players_who_have_gone(party: Party) -> None:
    bob = party.friend("Bob")
    party.do(bob, BEGINNER, reveal(Cell(4, 4)))
    party.pass_time(3_000)
    bob.hang_up()
    party.players.remove(bob)
    gone = weakref.ref(bob)
    del bob
    gc.collect()
    assert gone() is None


def test_wrong_codes_cost_their_address_over_all_its_connections(party: Party) -> None:
    ada = party.friend("Ada", address="198.51.100.7")
    party.do(ada, RACE)
    code = ada.members["room"]["code"]

    def guess(connection: int, packet: Packet) -> str:
        eve = party.friend(f"Eve {connection}", address="192.0.2.66")
        party.do(eve, packet)
        return said(eve)

    wrong = [Join("ZZZZZZ"), Watch("ZZZZZZ")]
    tried = [guess(number, wrong[number % 2]) for number in range(29)]
    assert {*tried} == {"room.unknown", "watch.none"}
    # A list to type a code into is no other way.
    eve = party.friend("Eve", address="192.0.2.66")
    party.do(eve, OpenMenu("people"), Pick("people", "join", "ZZZZZZ"))
    assert said(eve) == "room.unknown"
    for number in range(40, 43):
        assert guess(number, Join(code)) == guess(number, Watch(code)) == "codes.wrong"
    party.do(bob := party.friend("Bob", address="203.0.113.9"), Join(code))
    assert set(seats(bob)) == {"Ada", "Bob"}
    # Two seconds for each of them: 30 a minute.
    party.pass_time(2_000)
    assert guess(50, Join("ZZZZZZ")) == "room.unknown"
    assert guess(51, Join("ZZZZZZ")) == "codes.wrong"


def test_wrong_codes_keep_nobody_at_the_address_from_watching_players_by_name(
    party: Party,
) -> None:
    # The second name could be a room's code as well.
    for name in ("Ada Lovelace", "Walter"):
        player = party.friend(name, address="198.51.100.7")
        party.do(player, BEGINNER, reveal(Cell(0, 0)))
    party.pass_time(3_000)
    eves = [party.friend(f"Eve {number}", address="192.0.2.66") for number in range(40)]
    for eve in eves:
        party.do(eve, Join("ZZZZZZ"))
    assert said(eves[-1]) == "codes.wrong"
    for name in ("Ada Lovelace", "Walter"):
        neighbour = party.friend(address="192.0.2.66")
        party.do(neighbour, Watch(name))
        assert neighbour.members["watching"]["name"] == name
    party.do(neighbour := party.friend(address="192.0.2.66"), Watch("Nobody at all"))
    assert said(neighbour) == "watch.none"


def test_codes_that_are_tried_at_the_same_time_count_before_they_are_answered(
    party: Party,
) -> None:
    eves = [party.friend(f"Eve {number}", address="192.0.2.66") for number in range(200)]
    asked = []
    for eve in eves:
        _, effects = eve.session.receive(Join("ZZZZZZ"), eve.now_ms)
        if effects is not None and effects.question is not None:
            asked.append(eve)
    assert len(asked) == 30
    for eve in asked:
        eve.session.resolve(NoRoomError("room.unknown", code="ZZZZZZ"), eve.now_ms)
    # So nobody there waits for long.
    party.pass_time(2_000)
    party.do(neighbour := party.friend(address="192.0.2.66"), Join("ZZZZZZ"))
    assert said(neighbour) == "room.unknown"


def test_a_player_has_three_rooms_at_once(party: Party) -> None:
    ada = party.friend("Ada")
    for name in ("Bob", "Cy", "Di"):
        party.do(ada, RACE)
        party.do(party.friend(name), Join(ada.members["room"]["code"]))
        party.do(ada, Command.LEAVE)
        party.pass_time(1_000)
    party.do(ada, RACE)
    assert said(ada) == "rooms.own"
    assert ada.members["room"] is None


def test_cursors_are_passed_on_ten_times_a_second_and_never_stored(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.begin(ada, bob, kind=SHARED)
    party.backstage.take_operations()
    party.do(ada, *(MoveTo(column, 0) for column in range(9)))
    assert bob.members["cursors"] == [[1, 0]]
    # Where it came to rest is told as well.
    party.pass_time(100)
    assert bob.members["cursors"] == [[1, 8]]
    party.pass_time(100)
    party.do(ada, Act(7, 0, Button.FLAG, ada.faces[7]))
    assert bob.members["cursors"] == [[1, 7]]
    entries = [each.entries for one in party.backstage.commits for each in one.appends]
    # The flag, after the opening that its record begins with.
    assert list(map(len, entries)) == [16]


def test_a_phrase_is_said_once_a_second(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.begin(ada, bob)
    party.do(ada, Say(0, 2, 1))
    assert bob.said["said"] == [{"seat": 1, "id": 0, "cell": 11}]
    party.do(ada, Say(1))
    assert said(ada) == "slow"
    party.pass_time(1_000)
    party.do(ada, Say(6))
    assert bob.said["said"][0]["id"] == 6


def test_one_address_with_many_keys_does_not_fill_the_list_of_who_is_on(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.records.meeting.MAX_PRESENT", 20)
    bob = party.friend("Bob", address="198.51.100.1")
    for number in range(30):
        party.friend(f"Eve {number}", address="192.0.2.66")
    friends = [
        party.friend(f"Friend {number}", address=f"203.0.113.{number}") for number in range(9)
    ]
    party.pass_time(3_000)
    listed = [row["label"] for row in people(party, bob)]
    assert {f"Friend {number}" for number in range(9)} <= set(listed[:10])
    assert len(listed) == 19
    for friend in friends:
        friend.hang_up()
    party.pass_time(3_000)
    assert not [row for row in people(party, bob) if row["label"].startswith("Friend")]


def test_there_are_six_phrases_and_no_free_text(party: Party) -> None:
    ada = party.friend("Ada")
    party.do(ada, SHARED, Say(7))
    assert said(ada) == "bad.phrase"


# Packets that make no sense


@pytest.mark.parametrize("code", ["", "KRTP", "KRTPW1", "\x00", "ILOILO", "x" * 200])
def test_a_code_that_is_none_is_refused(party: Party, code: str) -> None:
    ada = party.friend("Ada")
    party.do(ada, Join(code))
    assert said(ada) == "room.code"


@pytest.mark.parametrize(
    "room",
    [
        replace(RACE, kind=9),
        replace(RACE, mine=9),
        replace(RACE, board="chess"),
        replace(RACE, board="beginner chess"),
        replace(RACE, board="beginner mine=life"),
        replace(RACE, board="3x1/1 layout=*.."),
        replace(RACE, board="daily weekly"),
        OpenRoom(RoomKind.SHARED, board="0x5/1"),
    ],
    ids=repr,
)
def test_a_room_that_is_none_is_refused(party: Party, room: OpenRoom) -> None:
    ada = party.friend("Ada")
    party.do(ada, room)
    assert said(ada).startswith("bad.")
    assert ada.members.get("room") is None


def test_who_has_not_said_hello_is_in_no_room(party: Party) -> None:
    nobody = party.backstage.player()
    nobody.send(Start(9, 9, 1), RACE, Join("KRTPWX"), Watch("Ada"), Ready(), Say(1))
    nobody.send(Command.LEAVE)
    assert "room" not in nobody.members


# Leaving and coming back to be rid of a penalty


def test_seat_and_penalty_are_kept_for_who_leaves(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = party.begin(ada, bob, party.friend("Cy"))
    field = party.minefield(code)
    party.do(ada, reveal(cells_of(field, field.mines)[0]))
    assert ada.members["blocked"] == 10_000
    party.do(ada, Command.LEAVE)
    assert not seats(bob)["Ada"]["here"]
    party.pass_time(4_000)
    party.do(ada, Join(code))
    assert ada.members["blocked"] == 6_000
    party.do(ada, reveal(cells_of(field, field.safe)[-1]))
    assert said(ada) == "blocked"
    party.pass_time(6_000)
    party.do(ada, reveal(cells_of(field, field.safe)[-1]))
    assert said(ada) != "blocked"


def test_a_penalty_holds_on_every_connection_of_its_player(party: Party) -> None:
    ada, bob, again = party.friend("Ada"), party.friend("Bob"), party.friend("Ada")
    code = party.begin(ada, bob)
    field = party.minefield(code)
    party.do(ada, reveal(cells_of(field, field.mines)[0]))
    party.do(again, Join(code))
    assert again.members["blocked"] == 10_000
    party.do(again, reveal(cells_of(field, field.safe)[-1]))
    assert said(again) == "blocked"


# Two seats for one person to scout a race


def test_a_player_has_one_seat_on_whatever_devices(party: Party) -> None:
    ada, bob, again = party.friend("Ada"), party.friend("Bob"), party.friend("Ada")
    code = party.begin(ada, bob)
    party.do(again, Join(code))
    assert len(bob.members["seats"]) == 2


def test_who_sits_down_at_a_race_that_runs_sees_nothing_of_its_board(party: Party) -> None:
    ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
    code = party.begin(ada, bob)
    records = [match.code for match in party.backstage.matches]
    party.do(eve, Join(code), LookBack(0), Undo(1), Hint(0, 0), Act(4, 4, Button.OPEN, SEEN))
    for record in records:
        party.pass_time(1_000)
        party.do(eve, Watch(record), Code(record), Load(record))
    assert eve.members["room"]["state"] == "running"
    assert "size" not in eve.members


@pytest.mark.parametrize("kind", [RACE, SHARED])
def test_a_guest_who_says_their_name_has_no_second_seat(party: Party, kind: OpenRoom) -> None:
    ada, guest = party.friend("Ada"), party.friend(key=b"")
    party.do(ada, kind)
    code = ada.members["room"]["code"]
    party.do(guest, Join(code), Hello(LIVE, b"b" * 16, "Bob"))
    party.do(guest, *[Join(code), Ready()])
    party.pass_time(1_000)
    party.do(guest, Join(code))
    assert seats(ada).keys() == {"Ada", "Bob"}


# Who sees to it that a race is not counted


@pytest.mark.parametrize("packet", [Ready(), Command.LEAVE])
def test_a_race_counts_whatever_its_loser_does_at_once(party: Party, packet: Packet) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = party.begin(ada, bob, kind=replace(RACE, mine=MineCode.ENDS))
    field = party.minefield(code)
    solve(party, ada, field)
    # Nobody was shown the result before it is put away.
    bob.send(reveal(cells_of(field, field.mines)[0]), packet)
    party.pass_time(1_000)
    party.do(ada, Command.LEAVE)
    assert "races played 1   won 1" in ada.open("Records", "Statistics")
    party.do(bob, Command.LEAVE)
    assert "races played 1   won 0" in bob.open("Records", "Statistics")


# Who keeps a round from beginning, or from ending


def test_a_storm_of_ready_in_a_countdown_writes_nothing(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, RACE)
    party.do(bob, Join(ada.members["room"]["code"]), Ready())
    party.do(ada, Ready())
    assert ada.members["room"]["state"] == "countdown"
    party.backstage.take_operations()
    party.do(ada, *[Ready(), Ready(0)] * 50)
    assert party.backstage.commits == []
    assert said(ada) == "room.wait"
    party.pass_time(3_000)
    assert ada.members["state"] == bob.members["state"] == "playing"


def test_a_room_changes_once_a_second_for_each_player_after_the_first_few(party: Party) -> None:
    ada = party.friend("Ada")
    party.do(ada, RACE)
    since_ms = party.backstage.now_ms
    party.backstage.take_operations()
    party.do(ada, *[Ready(), Ready(0)] * 20)
    seconds = (party.backstage.now_ms - since_ms) / 1_000
    assert len(party.backstage.commits) <= seconds + 5


@pytest.mark.parametrize("goes", [lambda eve: eve.send(Command.LEAVE), Player.hang_up])
def test_an_unready_player_who_goes_lets_the_others_begin(
    party: Party, goes: Callable[[Player], object]
) -> None:
    ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
    party.do(ada, RACE)
    for friend in (bob, eve):
        party.do(friend, Join(ada.members["room"]["code"]))
    for friend in (ada, bob):
        party.do(friend, Ready())
    assert ada.members["room"]["state"] == "waiting"
    goes(eve)
    party.pass_time(3_000)
    assert ada.members["state"] == bob.members["state"] == "playing"


def test_a_player_who_is_never_ready_is_waited_for_twenty_seconds(party: Party) -> None:
    ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
    party.do(ada, RACE)
    for friend in (bob, eve):
        party.do(friend, Join(ada.members["room"]["code"]))
    for friend in (ada, bob):
        party.do(friend, Ready())
    party.pass_time(19_000)
    assert ada.members["room"]["state"] == "waiting"
    party.pass_time(4_000)
    assert ada.members["state"] == bob.members["state"] == "playing"
    assert eve.members.get("state") is None


def test_a_host_begins_with_those_who_are_ready_and_locks_the_room(party: Party) -> None:
    ada, bob, eve, late = (party.friend(name) for name in ("Ada", "Bob", "Eve", "Late"))
    party.do(ada, RACE)
    code = ada.members["room"]["code"]
    for friend in (bob, eve):
        party.do(friend, Join(code))
    party.do(ada, OpenMenu("room"), Pick("room", "lock", "on"), OpenMenu(""))
    party.do(late, Join(code))
    assert said(late) == "room.locked"
    for friend in (ada, bob):
        party.do(friend, Ready())
    party.do(ada, OpenMenu("room"), Pick("room", "begin"))
    party.pass_time(3_000)
    assert ada.members["state"] == bob.members["state"] == "playing"


def test_the_winner_waits_for_nobody_who_has_left(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    field = party.minefield(party.begin(ada, bob, cy))
    party.do(bob, Command.LEAVE)
    solve(party, ada, field)
    assert ada.members["room"]["state"] == "running"
    party.do(cy, Command.LEAVE)
    assert ada.members["room"]["state"] == "over"
    assert seats(ada)["Ada"]["place"] == 1


def test_the_last_one_left_keeps_those_who_have_lost_waiting_for_a_minute(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    mines = replace(RACE, mine=MineCode.ENDS)
    field = party.minefield(party.begin(ada, bob, kind=mines))
    party.do(ada, reveal(cells_of(field, field.mines)[0]))
    assert ada.members["ends_in"] == 60_000
    for _ in range(58):
        party.pass_time(1_000)
        party.do(bob, Command.REFRESH)
    assert ada.members["room"]["state"] == "running"
    for _ in range(5):
        party.pass_time(1_000)
        party.do(bob, Command.REFRESH)
    assert (ada.members["room"]["state"], bob.members["state"]) == ("over", "given up")


def test_who_is_removed_from_a_race_is_told_and_in_no_result(party: Party) -> None:
    ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
    code = party.begin(ada, bob, eve)
    field = party.minefield(code)
    (record,) = [each for each, key in party.records(code).items() if key == (3,)]
    remove(party, ada, "Eve")
    assert (said(eve), eve.members["room"]) == ("room.removed", None)
    for friend in (ada, bob):
        solve(party, friend, field)
    assert seats(ada).keys() == {"Ada", "Bob"}
    assert party.backstage.find(record) is None
    read = party.backstage.do(read_statistics(eve.session.player_id))
    assert read.races == 0


def test_a_room_that_all_have_left_ends_its_round_at_once(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = party.begin(ada, bob)
    for friend in (ada, bob):
        party.do(friend, Command.LEAVE)
    room = party.backstage.do(find_room(code))
    assert room is None or room.round is None


# A bot in a race of people


def test_a_bot_is_shown_and_may_be_kept_out(party: Party) -> None:
    ada, bot = party.friend("Ada"), party.friend("Bot", LIVE | Feature.BOT)
    party.do(ada, replace(RACE, flags=RoomFlag.NO_BOTS))
    party.do(bot, Join(ada.members["room"]["code"]))
    assert said(bot) == "room.people"
    party.do(ada, Command.LEAVE)
    party.pass_time(1_000)
    party.do(ada, RACE)
    party.do(bot, Join(ada.members["room"]["code"]))
    assert seats(ada)["Bot"]["bot"]


# Reading the board of a race


def test_nobody_reads_a_race_by_watching_its_players_room_or_copies(party: Party) -> None:
    ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
    code = party.begin(ada, bob, kind=replace(RACE, flags=RoomFlag.OPEN))
    watch(party, eve, "Ada")
    assert eve.members["room"]["code"] == code
    assert eve.members["room"]["you"] == 0
    assert len(eve.members["seats"]) == 2
    assert "size" not in eve.members
    for match in party.backstage.matches:
        party.pass_time(1_000)
        party.do(eve, Command.LEAVE)
        party.do(eve, Watch(match.code))
        assert "size" not in eve.members


def test_a_second_account_of_a_player_reads_no_race(party: Party) -> None:
    ada, bob, spy = party.friend("Ada"), party.friend("Bob"), party.friend("Spy")
    code = party.begin(ada, bob)
    names = [code, *(match.code for match in party.backstage.matches), "Ada", "Bob"]
    for name in names:
        for packet in (Join(name), Watch(name), Load(name), Code(name)):
            party.pass_time(1_000)
            party.do(spy, packet, OpenMenu(""), Command.LEAVE)
            assert "size" not in spy.members


def test_a_second_device_of_a_player_reads_no_copy_that_is_lost(party: Party) -> None:
    ada, bob, other = party.friend("Ada"), party.friend("Bob"), party.friend("Ada")
    field = party.minefield(party.begin(ada, bob, kind=replace(RACE, mine=MineCode.ENDS)))
    codes = [match.code for match in party.backstage.matches]
    party.do(ada, reveal(cells_of(field, field.mines)[0]))
    for packet in (*map(LookBack, range(3)), *map(Watch, codes), *map(Code, codes)):
        party.pass_time(1_000)
        party.do(other, packet)
        assert "size" not in other.members
        assert not other.members.get("replay")


def test_a_second_device_finds_no_lost_copy_among_its_players_games(party: Party) -> None:
    ada, bob, other = party.friend("Ada"), party.friend("Bob"), party.friend("Ada")
    field = party.minefield(party.begin(ada, bob, kind=replace(RACE, mine=MineCode.ENDS)))
    party.do(ada, reveal(cells_of(field, field.mines)[0]))
    party.pass_time(1_000)
    look_at_own_game(party, other)
    assert (other.screen, said(other)) == ("games", "race.later")
    solve(party, bob, field)
    party.pass_time(1_000)
    look_at_own_game(party, other)
    party.do(other, Pick("game", "replay"))
    assert other.members["replay"]


def look_at_own_game(party: Party, guest: Player) -> None:
    party.do(guest, OpenMenu("records"), Pick("records", "games"))
    (row,) = (row["id"] for row in guest.members["menu"]["rows"])
    party.do(guest, Pick("games", row))


def test_the_mines_of_a_lost_copy_are_told_once_all_are_done(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    field = party.minefield(party.begin(ada, bob, kind=replace(RACE, mine=MineCode.ENDS)))
    party.do(ada, reveal(cells_of(field, field.mines)[0]))
    assert ada.members["state"] == "lost"
    assert not any(face & MINED for face in ada.faces)
    assert not ada.members.get("figures")
    for what in range(3):
        party.do(ada, LookBack(what))
        assert said(ada) == "race.later"
    solve(party, bob, field)
    party.pass_time(1_000)
    assert any(face & MINED for face in ada.faces)


@pytest.mark.parametrize("is_lost", [False, True])
@pytest.mark.parametrize("row", ["boards", "daily", "code", "saves", "records", "settings"])
def test_no_row_of_the_main_menu_leads_out_of_a_race(
    party: Party, row: str, *, is_lost: bool
) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    field = party.minefield(party.begin(ada, bob, kind=replace(RACE, mine=MineCode.ENDS)))
    if is_lost:
        party.do(ada, reveal(cells_of(field, field.mines)[0]))
    party.do(ada, OpenMenu("main"), Pick("main", row))
    assert said(ada) == "changed.menu"
    assert ada.screen == "main"


@pytest.mark.parametrize("kind", [replace(RACE, mine=MineCode.ENDS), SHARED])
def test_no_game_in_a_room_ranks_however_well_its_board_was_scouted(
    party: Party, kind: OpenRoom
) -> None:
    ada, scout = party.friend("Ada"), party.friend("Scout")
    racers = (ada,) if kind is SHARED else (ada, scout)
    solve(party, ada, party.minefield(party.begin(*racers, kind=kind)))
    assert ada.members["state"] == "won"
    party.pass_time(3_000)
    ((_, game),) = party.backstage.do(list_games(ada.session.player_id, 10))
    assert game.outcome is not None
    assert not game.is_ranked
    assert party.backstage.do(list_boards()) == []


@pytest.mark.parametrize(
    ("packet", "answer"),
    [
        (Undo(1), "race.alone"),
        (Hint(0, 0), "race.alone"),
        (Odds(0, 0), "race.alone"),
        (Seek(0, 0), "race.alone"),
        (Start(9, 9, 1), "room.first"),
        (BEGINNER, "room.first"),
        (Save("x"), "room.first"),
        (Load("x"), "room.first"),
        (Drop("x"), "room.first"),
        (Code("x"), "room.first"),
        (Command.PAUSE, "race.pause"),
        (Command.TOGGLE_DEBUG_MODE, "race.alone"),
        (OpenMenu("code"), "room.first"),
        (OpenMenu("daily"), "room.first"),
        (OpenMenu("settings"), "room.first"),
        (Watch("Bob"), "room.first"),
        (SHARED, "room.first"),
    ],
    ids=repr,
)
def test_a_race_is_played_without_help_or_other_games(
    party: Party, packet: Packet, answer: str
) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.begin(ada, bob)
    party.pass_time(2_000)
    before = bytes(ada.faces)
    party.do(ada, packet)
    assert said(ada) == answer
    assert ada.faces == before
    assert ada.members["room"]["state"] == "running"


def test_a_race_on_the_board_of_the_day_is_another_board(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = party.begin(ada, bob, kind=replace(RACE, board="daily beginner"))
    room = party.backstage.do(find_room(code))
    assert room is not None
    assert room.round is not None
    assert room.round.setup is not None
    assert room.variant.daily is None
    assert room.round.setup.seed != DAY.seed


def test_nothing_can_be_done_to_the_board_before_the_countdown_is_over(party: Party) -> None:
    ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
    party.do(ada, RACE)
    code = ada.members["room"]["code"]
    party.do(bob, Join(code))
    party.do(eve, Watch(code))
    party.do(ada, Ready())
    party.do(bob, Ready())
    opening = ada.faces
    early = (Command.REFRESH, Act(4, 4, Button.OPEN, SEEN), MoveTo(4, 4), LookBack(0), Undo(1))
    for friend in (ada, bob, eve):
        party.do(friend, *early)
    assert "size" not in eve.members
    party.do(bob, Command.LEAVE)
    party.pass_time(1_000)
    party.do(bob, Join(code))
    assert ada.members["room"]["state"] == bob.members["room"]["state"] == "countdown"
    party.pass_time(2_000)
    assert ada.members["state"] == bob.members["state"] == "playing"
    assert ada.faces == bob.faces == opening


# Clocks that lie


def test_no_packet_tells_a_server_the_time() -> None:
    told = {name for packet in get_args(FramedPacket) for name in get_type_hints(packet)}
    assert not [name for name in told if "time" in name or "clock" in name or name.endswith("_ms")]


# Names that look alike or carry control characters


def test_a_name_that_is_taken_gets_a_number(party: Party) -> None:
    ada, other = party.friend("Ada"), party.friend("ADA")
    party.do(ada, RACE)
    party.do(other, Join(ada.members["room"]["code"]))
    assert [*seats(ada)] == ["Ada", "ADA#2"]


def test_a_name_that_is_taken_gets_a_number_in_the_list_of_people(party: Party) -> None:
    bob = party.friend("Bob")
    for name, key in (("Ada", b"1"), ("ADA", b"2")):
        party.friend(name, key=key * 16)
    party.pass_time(3_000)
    assert [row["label"] for row in people(party, bob)] in (["Ada", "ADA#2"], ["ADA", "Ada#2"])


def test_names_have_no_control_characters(party: Party) -> None:
    ada = party.friend("A\x1b[2Jd\u202ea")
    party.do(ada, RACE)
    assert [*seats(ada)] == ["A[2Jda"]


# A host that never starts


def test_a_host_is_not_needed_to_begin(party: Party) -> None:
    ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
    party.do(ada, RACE)
    for friend in (bob, eve):
        party.do(friend, Join(ada.members["room"]["code"]))
    party.do(ada, Command.LEAVE)
    party.do(bob, Ready())
    party.do(eve, Ready())
    party.pass_time(3_000)
    assert bob.members["state"] == "playing"


def test_a_host_who_is_never_ready_holds_up_nobody_who_goes_elsewhere(party: Party) -> None:
    ada, bob, eve = party.friend("Ada"), party.friend("Bob"), party.friend("Eve")
    party.do(ada, RACE)
    for friend in (bob, eve):
        party.do(friend, Join(ada.members["room"]["code"]))
        party.do(friend, Ready())
        party.do(friend, Command.LEAVE)
    party.pass_time(1_000)
    party.begin(bob, eve)
    assert bob.members["state"] == eve.members["state"] == "playing"


# A partner who reveals mines on purpose


def test_the_host_removes_somebody_for_good(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = party.begin(ada, bob, kind=SHARED)
    field = party.minefield(code)
    remove(party, ada, "Bob")
    assert said(bob) == "room.removed"
    party.do(bob, reveal(cells_of(field, field.mines)[0]))
    assert ada.members["state"] == "playing"
    party.pass_time(1_000)
    party.do(bob, Join(code))
    assert said(bob) == "room.removed"
    assert bob.members["room"] is None


def test_nobody_else_removes_anybody(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, RACE)
    party.do(bob, Join(ada.members["room"]["code"]))
    party.do(bob, OpenMenu("room"))
    assert not [row for row in bob.members["menu"]["rows"] if row["id"].startswith("remove")]
    party.do(bob, Pick("room", f"remove.{handle_of(ada.session.player_id)}"))
    assert said(bob) == "changed.menu"
    assert len(ada.members["seats"]) == 2


def test_nobody_is_removed_for_whose_seat_was_another_players(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    party.do(ada, RACE)
    code = ada.members["room"]["code"]
    party.do(bob, Join(code))
    party.do(ada, OpenMenu("room"))
    ada.choose("Remove Bob")
    # Before the host has answered Bob has left, and Cy has the seat.
    party.do(bob, Command.LEAVE)
    party.do(cy, Join(code))
    party.do(ada, Pick("remove", "yes"))
    assert [row["number"] for row in ada.members["seats"]] == [1, 2]
    assert seats(ada).keys() == {"Ada", "Cy"}
    party.do(ada, Pick("room", f"remove.{handle_of(bob.session.player_id)}"))
    assert said(ada) == "changed.menu"


# A host who is about to lose


def test_the_host_keeps_nobody_from_winning_a_race_that_moves_ratings(party: Party) -> None:
    ada, cy = party.friend("Ada"), party.friend("Cy")
    bob = party.friend("Bob", address="192.0.2.2")
    code = party.begin(ada, bob, cy)
    field = party.minefield(code)
    remove(party, ada, "Bob")
    assert bob.said["news"][-1]["text"] == "The host will remove you after this race."
    assert cy.said["news"][-1]["text"] == "The host will remove Bob after this race."
    assert "Remove Bob" not in {row["label"] for row in ada.members["menu"]["rows"]}
    party.do(ada, OpenMenu(""))
    for friend in (bob, ada, cy):
        party.pass_time(1_000)
        solve(party, friend, field)
    first = seats(cy)["Bob"]
    assert (first["place"], first["won"], first["change"] > 0) == (1, True, True)
    assert (said(bob), bob.members["room"]) == ("room.removed", None)
    party.pass_time(1_000)
    party.do(bob, Join(code))
    assert said(bob) == "room.removed"


# A watcher who never goes back, and one who acts


def test_who_watches_over_and_over_is_a_few_watchers_at_most(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, BEGINNER, reveal(Cell(4, 4)))
    watch(party, bob, "Ada")
    for _ in range(30):
        party.pass_time(1_000)
        party.do(bob, Watch("Ada"))
    assert ada.members["watchers"] <= MOST_OPEN
    party.do(bob, *[OpenMenu("")] * MOST_OPEN)
    assert ada.members["watchers"] == 0


def test_a_watcher_does_nothing(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, BEGINNER, reveal(Cell(4, 4)))
    watch(party, bob, "Ada")
    before = bytes(ada.faces)
    party.do(bob, reveal(Cell(0, 0)), Act(0, 0, Button.FLAG, COVERED), Undo(1), Hint(0, 0))
    assert ada.faces == before


def test_who_watched_a_player_before_sees_nothing_of_the_race(party: Party) -> None:
    ada, bob, spy = party.friend("Ada"), party.friend("Bob"), party.friend("Spy")
    party.do(ada, BEGINNER, reveal(Cell(4, 4)))
    watch(party, spy, "Ada")
    seen = bytes(spy.faces)
    field = party.minefield(party.begin(ada, bob))
    for cell in cells_of(field, field.safe)[:20]:
        party.do(ada, reveal(cell))
        party.pass_time(3_000)
        assert bytes(spy.faces) == seen
    assert spy.members["watching"] == {"name": "Ada", "gone": True}
    party.do(ada, Command.LEAVE)
    for _ in range(2):
        party.pass_time(3_000)
    assert spy.members["watching"] == {"name": "Ada", "gone": False}


@pytest.mark.parametrize("by", ["name", "code"])
def test_who_was_watching_sees_no_more_once_nobody_may(party: Party, by: str) -> None:
    ada, eve = party.friend("Ada"), party.friend("Eve")
    party.do(ada, BEGINNER, reveal(Cell(4, 4)))
    (code,) = [match.code for match in party.backstage.matches]
    watch(party, eve, "Ada" if by == "name" else code)
    ada.send(OpenMenu("settings"), Pick("settings", "watchers", "nobody"))
    party.do(ada, OpenMenu(""))
    for _ in range(2):
        party.pass_time(3_000)
    seen = bytes(eve.faces)
    assert eve.members["watching"] == {"name": "Ada", "gone": True}
    party.do(ada, reveal(Cell(0, 0)), reveal(Cell(8, 8)), reveal(Cell(0, 8)))
    party.pass_time(3_000)
    assert bytes(ada.faces) != seen
    assert bytes(eve.faces) == seen
    assert ada.members["watchers"] == 0


@pytest.mark.parametrize("who", ["those with the code", "nobody"])
def test_a_room_is_not_listed_with_a_player_whom_not_everybody_may_watch(
    party: Party, who: str
) -> None:
    ada, eve = party.friend("Ada"), party.friend("Eve")
    ada.send(OpenMenu("settings"), Pick("settings", "watchers", who), OpenMenu(""))
    party.do(ada, replace(SHARED, flags=RoomFlag.OPEN))
    code = ada.members["room"]["code"]
    watch(party, eve, "Ada")
    assert said(eve) == "watch.room"
    party.pass_time(1_000)
    party.do(eve, OpenMenu("people"))
    assert eve.row("Ada")["disabled"] == "You need the room's code."
    assert code not in str(eve.members["menu"])


@pytest.mark.parametrize("kind", [RACE, SHARED])
def test_a_board_without_a_safe_cell_ends_nobodys_session(party: Party, kind: OpenRoom) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    mined = replace(kind, mine=MineCode.ENDS, board="1x1/1")
    party.begin(ada, bob, kind=mined)
    party.do(ada, reveal(Cell(0, 0)))
    party.do(bob, reveal(Cell(0, 0)))
    assert bob.members["room"]["state"] == "over"
