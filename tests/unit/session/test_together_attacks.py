"""Attacks by somebody who plays together with others, item by item, and what comes of them."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from typing import get_args, get_type_hints

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import COVERED
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
from jminesweeper.protocol.vocabulary import Button, Command, MineCode, RoomFlag, RoomKind
from jminesweeper.records.keys import handle_of
from jminesweeper.records.meeting import find_room
from jminesweeper.records.reading import list_boards, list_games, read_statistics
from jminesweeper.session.talks import MOST_OPEN
from tests.world.player import SEEN, Player, cells_of
from tests.world.server import RACE, SHARED, World
from tests.world.together import (
    BEGINNER,
    DAY,
    LEAVE,
    LIVE_FEATURES,
    MENU,
    READY,
    Scene,
    Step,
    again,
    finish,
    hang_up,
    hit,
    join,
    open_last,
    people,
    race,
    remove,
    removes,
    reveal,
    said,
    scene,
    scenes,
    seats,
    sit,
    solve,
    watch,
)

MINES_END = replace(RACE, mine=MineCode.ENDS)

# By the hundred, the thousand and the million


def test_nothing_is_kept_of_players_who_have_gone(world: World) -> None:
    bob = world.friend("Bob")
    bob.send(BEGINNER, reveal(Cell(4, 4)))
    world.pass_time(3_000)
    bob.hang_up()
    world.players.remove(bob)
    gone = weakref.ref(bob)
    del bob
    gc.collect()
    assert gone() is None


def test_wrong_codes_cost_their_address_over_all_its_connections(world: World) -> None:
    ada = world.friend("Ada", address="198.51.100.7")
    ada.send(RACE)
    code = ada.members["room"]["code"]

    def guess(connection: int, packet: Packet) -> str:
        eve = world.friend(f"Eve {connection}", address="192.0.2.66")
        eve.send(packet)
        return said(eve)

    wrong = [Join("ZZZZZZ"), Watch("ZZZZZZ")]
    tried = [guess(number, wrong[number % 2]) for number in range(29)]
    assert {*tried} == {"room.unknown", "watch.none"}
    # A list to type a code into is no other way.
    eve = world.friend("Eve", address="192.0.2.66")
    eve.send(OpenMenu("people"), Pick("people", "join", "ZZZZZZ"))
    assert said(eve) == "room.unknown"
    for number in range(40, 43):
        assert guess(number, Join(code)) == guess(number, Watch(code)) == "codes.wrong"
    (bob := world.friend("Bob", address="203.0.113.9")).send(Join(code))
    assert set(seats(bob)) == {"Ada", "Bob"}
    # Two seconds for each of them: 30 a minute.
    world.pass_time(2_000)
    assert guess(50, Join("ZZZZZZ")) == "room.unknown"
    assert guess(51, Join("ZZZZZZ")) == "codes.wrong"


def test_wrong_codes_keep_nobody_at_the_address_from_watching_players_by_name(
    world: World,
) -> None:
    # The second name could be a room's code as well.
    for name in ("Ada Lovelace", "Walter"):
        player = world.friend(name, address="198.51.100.7")
        player.send(BEGINNER, reveal(Cell(0, 0)))
    world.pass_time(3_000)
    eves = [world.friend(f"Eve {number}", address="192.0.2.66") for number in range(40)]
    for eve in eves:
        eve.send(Join("ZZZZZZ"))
    assert said(eves[-1]) == "codes.wrong"
    for name in ("Ada Lovelace", "Walter"):
        neighbour = world.friend(address="192.0.2.66")
        neighbour.send(Watch(name))
        assert neighbour.members["watching"]["name"] == name
    (neighbour := world.friend(address="192.0.2.66")).send(Watch("Nobody at all"))
    assert said(neighbour) == "watch.none"


def test_codes_that_are_tried_at_the_same_time_count_before_they_are_answered(
    world: World,
) -> None:
    eves = [world.friend(f"Eve {number}", address="192.0.2.66") for number in range(200)]
    with world.slow_store():
        for eve in eves:
            eve.say(Join("ZZZZZZ"))
        assert [said(eve) for eve in eves].count("codes.wrong") == 170
    assert [said(eve) for eve in eves].count("room.unknown") == 30
    # So nobody there waits for long.
    world.pass_time(2_000)
    (neighbour := world.friend(address="192.0.2.66")).send(Join("ZZZZZZ"))
    assert said(neighbour) == "room.unknown"


def test_a_player_has_three_rooms_at_once(world: World) -> None:
    evening = Scene(world)
    for name in ("Bob", "Cy", "Di"):
        evening.play(sit(f"Ada {name}"), ("Ada", LEAVE), 1_000)
    evening.play(("Ada", RACE), {"Ada said": "rooms.own", "Ada room": None})


def test_cursors_are_passed_on_ten_times_a_second_and_never_stored(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    world.begin(ada, bob, kind=SHARED)
    world.take_operations()
    ada.send(*(MoveTo(column, 0) for column in range(9)))
    assert bob.members["cursors"] == [[1, 0]]
    # Where it came to rest is told as well.
    world.pass_time(100)
    assert bob.members["cursors"] == [[1, 8]]
    world.pass_time(100)
    ada.send(Act(7, 0, Button.FLAG, ada.faces[7]))
    assert bob.members["cursors"] == [[1, 7]]
    entries = [each.entries for one in world.commits for each in one.appends]
    # The flag, after the opening that its record begins with.
    assert list(map(len, entries)) == [16]


def test_one_address_with_many_keys_does_not_fill_the_list_of_who_is_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.records.meeting.MAX_PRESENT", 20)
    bob = world.friend("Bob", address="198.51.100.1")
    for number in range(30):
        world.friend(f"Eve {number}", address="192.0.2.66")
    friends = [
        world.friend(f"Friend {number}", address=f"203.0.113.{number}") for number in range(9)
    ]
    world.pass_time(3_000)
    listed = [row["label"] for row in people(bob)]
    assert {f"Friend {number}" for number in range(9)} <= set(listed[:10])
    assert len(listed) == 19
    for friend in friends:
        friend.hang_up()
    world.pass_time(3_000)
    assert not [row for row in people(bob) if row["label"].startswith("Friend")]


SAID = {"seat": 1, "id": 0, "cell": 11}


@scenes(
    [
        scene(
            "joining is possible once a second",
            *(("Ada", Join("KRTPWX"), Join("KRTPWX")), {"Ada said": "slow"}),
        ),
        scene(
            "a phrase is said once a second",
            *(race("Ada Bob"), ("Ada", Say(0, 2, 1)), {"Bob said.": [SAID]}, ("Ada", Say(1))),
            *({"Ada said": "slow"}, 1_000, ("Ada", Say(6))),
            {"Bob said.": [{"seat": 1, "id": 6, "cell": 0}]},
        ),
        scene(
            "there are six phrases and no free text",
            *(("Ada", SHARED, Say(7)), {"Ada said": "bad.phrase"}),
        ),
    ]
)
def test_what_may_be_done_so_often(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


# Packets that make no sense


@pytest.mark.parametrize("code", ["", "KRTP", "KRTPW1", "\x00", "ILOILO", "x" * 200])
def test_a_code_that_is_none_is_refused(world: World, code: str) -> None:
    ada = world.friend("Ada")
    ada.send(Join(code))
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
def test_a_room_that_is_none_is_refused(world: World, room: OpenRoom) -> None:
    ada = world.friend("Ada")
    ada.send(room)
    assert said(ada).startswith("bad.")
    assert ada.members.get("room") is None


def test_who_has_not_said_hello_is_in_no_room(world: World) -> None:
    nobody = world.player()
    nobody.send(Start(9, 9, 1), RACE, Join("KRTPWX"), Watch("Ada"), Ready(), Say(1))
    nobody.send(Command.LEAVE)
    assert "room" not in nobody.members


# Leaving and coming back to be rid of a penalty, and two seats to scout a race


@scenes(
    [
        scene(
            "seat and penalty are kept for who leaves",
            *(race("Ada Bob Cy"), ("Ada", hit), {"Ada blocked": 10_000}, ("Ada", LEAVE)),
            *({"Bob seats.Ada.here": False}, 4_000, ("Ada", join), {"Ada blocked": 6_000}),
            *(("Ada", open_last), {"Ada said": "blocked"}, 6_000, ("Ada", open_last)),
            {"Ada said": ""},
        ),
        scene(
            "a penalty holds on every connection of its player",
            *(race("Ada Bob"), ("Ada", hit), ("Ada:2", join), {"Ada:2 blocked": 10_000}),
            *(("Ada:2", open_last), {"Ada:2 said": "blocked"}),
        ),
        scene(
            "a player has one seat on whatever devices",
            *(race("Ada Bob"), ("Ada:2", join), {"Bob seated": ["Ada", "Bob"]}),
        ),
    ]
)
def test_what_a_player_cannot_be_rid_of(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


def test_who_sits_down_at_a_race_that_runs_sees_nothing_of_its_board(world: World) -> None:
    ada, bob, eve = world.friend("Ada"), world.friend("Bob"), world.friend("Eve")
    code = world.begin(ada, bob)
    records = [match.code for match in world.matches]
    eve.send(Join(code), LookBack(0), Undo(1), Hint(0, 0), Act(4, 4, Button.OPEN, SEEN))
    for record in records:
        world.pass_time(1_000)
        eve.send(Watch(record), Code(record), Load(record))
    assert eve.members["room"]["state"] == "running"
    assert "size" not in eve.members


@pytest.mark.parametrize("kind", [RACE, SHARED])
def test_a_guest_who_says_their_name_has_no_second_seat(world: World, kind: OpenRoom) -> None:
    ada, guest = world.friend("Ada"), world.friend(key=b"")
    ada.send(kind)
    code = ada.members["room"]["code"]
    guest.send(Join(code), Hello(LIVE_FEATURES, b"b" * 16, "Bob"))
    guest.send(*[Join(code), Ready()])
    world.pass_time(1_000)
    guest.send(Join(code))
    assert seats(ada).keys() == {"Ada", "Bob"}


# Who keeps a round from beginning, or from ending, or from being counted


PLAYING = {"Ada state": "playing", "Bob state": "playing"}


@scenes(
    [
        scene(
            "an unready player who leaves lets the others begin",
            *(sit("Ada Bob Eve"), ("Ada Bob", READY), {"Ada room.state": "waiting"}),
            *(("Eve", LEAVE), 3_000, PLAYING),
        ),
        scene(
            "and so does one who hangs up",
            *(sit("Ada Bob Eve"), ("Ada Bob", READY), ("Eve", hang_up), 3_000, PLAYING),
        ),
        scene(
            "a player who is never ready is waited for twenty seconds",
            *(sit("Ada Bob Eve"), ("Ada Bob", READY), 19_000, {"Ada room.state": "waiting"}),
            *(4_000, PLAYING, {"Eve state": None}),
        ),
        scene(
            "a host begins with those who are ready and locks the room",
            *(sit("Ada Bob Eve"), ("Ada", OpenMenu("room"), Pick("room", "lock", "on"), MENU)),
            *(("Late", join), {"Late said": "room.locked"}, ("Ada Bob", READY)),
            *(("Ada", OpenMenu("room"), Pick("room", "begin")), 3_000, PLAYING),
        ),
        scene(
            "a host is not needed to begin",
            *(sit("Eve Ada Bob"), ("Eve", LEAVE), again("Ada Bob"), PLAYING),
        ),
        scene(
            "a countdown runs on whoever takes READY back",
            *(sit("Ada Bob"), ("Ada Bob", READY), ("Ada", Ready(0)), {"Ada said": "room.wait"}),
            *(3_000, PLAYING),
        ),
    ]
)
def test_nobody_keeps_a_round_from_beginning(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


@pytest.mark.parametrize("packet", [READY, LEAVE])
def test_a_race_counts_whatever_its_loser_does_at_once(world: World, packet: Packet) -> None:
    # Nobody was shown the result before it is put away.
    evening = Scene(world).play(race("Ada Bob", MINES_END), ("Ada", finish), ("Bob", hit, packet))
    evening.play(1_000, ("Ada Bob", LEAVE))
    for name, won in (("Ada", 1), ("Bob", 0)):
        page = evening.friend(name).open("Records", "Statistics").text
        assert f"races played 1   won {won}" in page


def test_who_is_removed_from_a_race_is_told_and_in_no_result(world: World) -> None:
    evening = Scene(world).play(race("Ada Bob Eve"))
    records = world.records(evening.code)
    (record,) = [each for each, key in records.items() if key == (3,)]
    evening.play(
        ("Ada", removes("Eve")),
        {"Eve said": "room.removed", "Eve room": None},
        ("Ada Bob", finish),
        {"Ada seated": ["Ada", "Bob"]},
    )
    assert world.find(record) is None
    assert world.run(read_statistics(evening.friend("Eve").connection.key)).races == 0


def test_a_room_that_all_have_left_ends_its_round_at_once(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    code = world.begin(ada, bob)
    for friend in (ada, bob):
        friend.send(Command.LEAVE)
    room = world.run(find_room(code))
    assert room is None or room.round is None


@scenes(
    [
        scene(
            "a bot is shown",
            *(sit("Ada Bot"), {"Ada seats.Bot.bot": True, "Ada seats.Ada.bot": False}),
        ),
        scene(
            "and may be kept out",
            *(sit("Ada Bot", replace(RACE, flags=RoomFlag.NO_BOTS)), {"Bot said": "room.people"}),
        ),
    ]
)
def test_a_bot_in_a_race_of_people(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


# Reading the board of a race


def test_nobody_reads_a_race_by_watching_its_players_room_or_copies(world: World) -> None:
    ada, bob, eve = world.friend("Ada"), world.friend("Bob"), world.friend("Eve")
    code = world.begin(ada, bob, kind=replace(RACE, flags=RoomFlag.OPEN))
    watch(world, eve, "Ada")
    assert eve.members["room"]["code"] == code
    assert eve.members["room"]["you"] == 0
    assert len(eve.members["seats"]) == 2
    assert "size" not in eve.members
    for match in world.matches:
        world.pass_time(1_000)
        eve.send(Command.LEAVE)
        eve.send(Watch(match.code))
        assert "size" not in eve.members


def test_a_second_account_of_a_player_reads_no_race(world: World) -> None:
    ada, bob, spy = world.friend("Ada"), world.friend("Bob"), world.friend("Spy")
    code = world.begin(ada, bob)
    names = [code, *(match.code for match in world.matches), "Ada", "Bob"]
    for name in names:
        for packet in (Join(name), Watch(name), Load(name), Code(name)):
            world.pass_time(1_000)
            spy.send(packet, OpenMenu(""), Command.LEAVE)
            assert "size" not in spy.members


def test_a_second_device_of_a_player_reads_no_copy_that_is_lost(world: World) -> None:
    ada, bob, other = world.friend("Ada"), world.friend("Bob"), world.friend("Ada")
    field = world.minefield(world.begin(ada, bob, kind=MINES_END))
    codes = [match.code for match in world.matches]
    ada.send(reveal(cells_of(field, field.mines)[0]))
    for packet in (*map(LookBack, range(3)), *map(Watch, codes), *map(Code, codes)):
        world.pass_time(1_000)
        other.send(packet)
        assert "size" not in other.members
        assert not other.members.get("replay")


def test_a_second_device_finds_no_lost_copy_among_its_players_games(world: World) -> None:
    ada, bob, other = world.friend("Ada"), world.friend("Bob"), world.friend("Ada")
    field = world.minefield(world.begin(ada, bob, kind=MINES_END))
    ada.send(reveal(cells_of(field, field.mines)[0]))
    world.pass_time(1_000)
    look_at_own_game(other)
    assert (other.screen, said(other)) == ("games", "race.later")
    solve(world, bob, field)
    world.pass_time(1_000)
    look_at_own_game(other)
    other.send(Pick("game", "replay"))
    assert other.members["replay"]


def look_at_own_game(guest: Player) -> None:
    guest.send(OpenMenu("records"), Pick("records", "games"))
    (row,) = (row["id"] for row in guest.members["menu"]["rows"])
    guest.send(Pick("games", row))


LATER: tuple[Step, ...] = tuple(
    step for what in range(3) for step in (("Ada", LookBack(what)), {"Ada said": "race.later"})
)


def test_the_mines_of_a_lost_copy_are_told_once_all_are_done(world: World) -> None:
    Scene(world).play(
        race("Ada Bob", MINES_END),
        ("Ada", hit),
        {"Ada state": "lost", "Ada sees mines": False, "Ada figures": None},
        *LATER,
        ("Bob", finish),
        1_000,
        {"Ada sees mines": True},
    )


@pytest.mark.parametrize("is_lost", [False, True])
@pytest.mark.parametrize("row", ["boards", "daily", "code", "saves", "records", "settings"])
def test_no_row_of_the_main_menu_leads_out_of_a_race(
    world: World, row: str, *, is_lost: bool
) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    field = world.minefield(world.begin(ada, bob, kind=MINES_END))
    if is_lost:
        ada.send(reveal(cells_of(field, field.mines)[0]))
    ada.send(OpenMenu("main"), Pick("main", row))
    assert said(ada) == "changed.menu"
    assert ada.screen == "main"


@pytest.mark.parametrize("kind", [MINES_END, SHARED])
def test_no_game_in_a_room_ranks_however_well_its_board_was_scouted(
    world: World, kind: OpenRoom
) -> None:
    ada, scout = world.friend("Ada"), world.friend("Scout")
    racers = (ada,) if kind is SHARED else (ada, scout)
    solve(world, ada, world.minefield(world.begin(*racers, kind=kind)))
    assert ada.members["state"] == "won"
    world.pass_time(3_000)
    ((_, game),) = world.run(list_games(ada.connection.key, 10))
    assert game.outcome is not None
    assert not game.is_ranked
    assert world.run(list_boards()) == []


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
    world: World, packet: Packet, answer: str
) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    world.begin(ada, bob)
    world.pass_time(2_000)
    before = bytes(ada.faces)
    ada.send(packet)
    assert said(ada) == answer
    assert ada.faces == before
    assert ada.members["room"]["state"] == "running"


def test_a_race_on_the_board_of_the_day_is_another_board(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    code = world.begin(ada, bob, kind=replace(RACE, board="daily beginner"))
    room = world.run(find_room(code))
    assert room is not None
    assert room.round is not None
    assert room.round.setup is not None
    assert room.variant.daily is None
    assert room.round.setup.seed != DAY.seed


def test_nothing_can_be_done_to_the_board_before_the_countdown_is_over(world: World) -> None:
    ada, bob, eve = world.friend("Ada"), world.friend("Bob"), world.friend("Eve")
    ada.send(RACE)
    code = ada.members["room"]["code"]
    bob.send(Join(code))
    eve.send(Watch(code))
    ada.send(Ready())
    bob.send(Ready())
    opening = ada.faces
    early = (Command.REFRESH, Act(4, 4, Button.OPEN, SEEN), MoveTo(4, 4), LookBack(0), Undo(1))
    for friend in (ada, bob, eve):
        friend.send(*early)
    assert "size" not in eve.members
    bob.send(Command.LEAVE)
    world.pass_time(1_000)
    bob.send(Join(code))
    assert ada.members["room"]["state"] == bob.members["room"]["state"] == "countdown"
    world.pass_time(2_000)
    assert ada.members["state"] == bob.members["state"] == "playing"
    assert ada.faces == bob.faces == opening


# Clocks that lie, and names that look alike or carry control characters


def test_no_packet_tells_a_server_the_time() -> None:
    told = {name for packet in get_args(FramedPacket) for name in get_type_hints(packet)}
    assert not [name for name in told if "time" in name or "clock" in name or name.endswith("_ms")]


def test_a_name_that_is_taken_gets_a_number_in_the_list_of_people(world: World) -> None:
    bob = world.friend("Bob")
    for name, key in (("Ada", b"1"), ("ADA", b"2")):
        world.friend(name, key=key * 16)
    world.pass_time(3_000)
    assert [row["label"] for row in people(bob)] in (["Ada", "ADA#2"], ["ADA", "Ada#2"])


def test_names_have_no_control_characters(world: World) -> None:
    ada = world.friend("A\x1b[2Jd\u202ea")
    ada.send(RACE)
    assert [*seats(ada)] == ["A[2Jda"]


# A partner who reveals mines on purpose, and a host who is about to lose


def test_the_host_removes_somebody_for_good(world: World) -> None:
    Scene(world).play(
        race("Ada Bob", SHARED),
        ("Ada", removes("Bob")),
        {"Bob said": "room.removed"},
        ("Bob", hit),
        *({"Ada state": "playing"}, 1_000),
        ("Bob", join),
        {"Bob said": "room.removed", "Bob room": None},
    )


def test_nobody_else_removes_anybody(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(RACE)
    bob.send(Join(ada.members["room"]["code"]))
    bob.send(OpenMenu("room"))
    assert not [row for row in bob.members["menu"]["rows"] if row["id"].startswith("remove")]
    bob.send(Pick("room", f"remove.{handle_of(ada.connection.key)}"))
    assert said(bob) == "changed.menu"
    assert len(ada.members["seats"]) == 2


def test_nobody_is_removed_for_whose_seat_was_another_players(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    ada.send(RACE)
    code = ada.members["room"]["code"]
    bob.send(Join(code))
    ada.send(OpenMenu("room"))
    ada.choose("Remove Bob")
    # Before the host has answered Bob has left, and Cy has the seat.
    bob.send(Command.LEAVE)
    cy.send(Join(code))
    ada.send(Pick("remove", "yes"))
    assert [row["number"] for row in ada.members["seats"]] == [1, 2]
    assert seats(ada).keys() == {"Ada", "Cy"}
    ada.send(Pick("room", f"remove.{handle_of(bob.connection.key)}"))
    assert said(ada) == "changed.menu"


def test_the_host_keeps_nobody_from_winning_a_race_that_moves_ratings(world: World) -> None:
    ada, cy = world.friend("Ada"), world.friend("Cy")
    bob = world.friend("Bob", address="192.0.2.2")
    code = world.begin(ada, bob, cy)
    field = world.minefield(code)
    remove(ada, "Bob")
    assert bob.said["news"][-1]["text"] == "The host will remove you after this race."
    assert cy.said["news"][-1]["text"] == "The host will remove Bob after this race."
    assert "Remove Bob" not in {row["label"] for row in ada.members["menu"]["rows"]}
    ada.send(OpenMenu(""))
    for friend in (bob, ada, cy):
        world.pass_time(1_000)
        solve(world, friend, field)
    first = seats(cy)["Bob"]
    assert (first["place"], first["won"], first["change"] > 0) == (1, True, True)
    assert (said(bob), bob.members["room"]) == ("room.removed", None)
    world.pass_time(1_000)
    bob.send(Join(code))
    assert said(bob) == "room.removed"


# A watcher who never goes back, and one who acts


def test_who_watches_over_and_over_is_a_few_watchers_at_most(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(BEGINNER, reveal(Cell(4, 4)))
    watch(world, bob, "Ada")
    for _ in range(30):
        world.pass_time(1_000)
        bob.send(Watch("Ada"))
    assert ada.members["watchers"] <= MOST_OPEN
    bob.send(*[OpenMenu("")] * MOST_OPEN)
    assert ada.members["watchers"] == 0


def test_a_watcher_does_nothing(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(BEGINNER, reveal(Cell(4, 4)))
    watch(world, bob, "Ada")
    before = bytes(ada.faces)
    bob.send(reveal(Cell(0, 0)), Act(0, 0, Button.FLAG, COVERED), Undo(1), Hint(0, 0))
    assert ada.faces == before


def test_who_watched_a_player_before_sees_nothing_of_the_race(world: World) -> None:
    ada, bob, spy = world.friend("Ada"), world.friend("Bob"), world.friend("Spy")
    ada.send(BEGINNER, reveal(Cell(4, 4)))
    watch(world, spy, "Ada")
    seen = bytes(spy.faces)
    field = world.minefield(world.begin(ada, bob))
    for cell in cells_of(field, field.safe)[:20]:
        ada.send(reveal(cell))
        world.pass_time(3_000)
        assert bytes(spy.faces) == seen
    assert spy.members["watching"] == {"name": "Ada", "gone": True}
    ada.send(Command.LEAVE)
    for _ in range(2):
        world.pass_time(3_000)
    assert spy.members["watching"] == {"name": "Ada", "gone": False}


@pytest.mark.parametrize("by", ["name", "code"])
def test_who_was_watching_sees_no_more_once_nobody_may(world: World, by: str) -> None:
    ada, eve = world.friend("Ada"), world.friend("Eve")
    ada.send(BEGINNER, reveal(Cell(4, 4)))
    (code,) = [match.code for match in world.matches]
    watch(world, eve, "Ada" if by == "name" else code)
    ada.send(OpenMenu("settings"), Pick("settings", "watchers", "nobody"))
    ada.send(OpenMenu(""))
    for _ in range(2):
        world.pass_time(3_000)
    seen = bytes(eve.faces)
    assert eve.members["watching"] == {"name": "Ada", "gone": True}
    ada.send(reveal(Cell(0, 0)), reveal(Cell(8, 8)), reveal(Cell(0, 8)))
    world.pass_time(3_000)
    assert bytes(ada.faces) != seen
    assert bytes(eve.faces) == seen
    assert ada.members["watchers"] == 0


@pytest.mark.parametrize("who", ["those with the code", "nobody"])
def test_a_room_is_not_listed_with_a_player_whom_not_everybody_may_watch(
    world: World, who: str
) -> None:
    ada, eve = world.friend("Ada"), world.friend("Eve")
    ada.send(OpenMenu("settings"), Pick("settings", "watchers", who), OpenMenu(""))
    ada.send(replace(SHARED, flags=RoomFlag.OPEN))
    code = ada.members["room"]["code"]
    watch(world, eve, "Ada")
    assert said(eve) == "watch.room"
    world.pass_time(1_000)
    eve.send(OpenMenu("people"))
    assert eve.row("Ada")["disabled"] == "You need the room's code."
    assert code not in str(eve.members["menu"])


@pytest.mark.parametrize("kind", [RACE, SHARED])
def test_a_board_without_a_safe_cell_ends_nobodys_session(world: World, kind: OpenRoom) -> None:
    mined = replace(kind, mine=MineCode.ENDS, board="1x1/1")
    press = reveal(Cell(0, 0))
    Scene(world).play(race("Ada Bob", mined), ("Ada Bob", press), {"Bob room.state": "over"})
