"""Rooms and watching, without a network: what each player sees."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.view import COVERED, FLAGGED
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
    View,
    Watch,
    encode_view,
)
from jminesweeper.protocol.vocabulary import Button, Command, MineCode, PickWhat, RoomFlag, RoomKind
from jminesweeper.records import keys
from jminesweeper.records.keys import player_id
from jminesweeper.records.reading import list_boards, list_games, read_statistics
from jminesweeper.session.ground import picture_of
from jminesweeper.session.picture import Picture
from jminesweeper.session.reply import FoundHint, FoundSolved
from jminesweeper.store.port import Fault, Job, Read, StoreUnavailableError
from tests.world.player import SEEN, Player, cells_of
from tests.world.server import RACE, SHARED, World
from tests.world.together import (
    BEGINNER,
    DAILY,
    DAY,
    LEAVE,
    LIVE_FEATURES,
    MENU,
    READY,
    Deed,
    Scene,
    Step,
    again,
    bbbv,
    finish,
    flag,
    hang_up,
    hit,
    hit_mine,
    join,
    look_on,
    open_last,
    people,
    race,
    reveal,
    safe_cells,
    said,
    scene,
    scenes,
    seats,
    sit,
    solve,
    watch,
)


@scenes(
    [
        scene(
            "shows who is there and who is ready",
            *(sit("Ada Bob"), ("Bob", READY)),
            *(
                {
                    f"{name} room.state": "waiting",
                    f"{name} room.host": 1,
                    f"{name} room.you": number,
                    f"{name} seats.Ada.ready": False,
                    f"{name} seats.Bob.ready": True,
                    f"{name} state": None,
                }
                for number, name in enumerate(("Ada", "Bob"), start=1)
            ),
        ),
        scene(
            "counts down whoever comes who then sits out the race",
            *(sit("Ada Bob"), ("Ada Bob", READY), ("Eve", join), {"Ada room.state": "countdown"}),
            *(3_000, {"Ada state": "playing", "Bob state": "playing"}),
            {"Eve room.state": "running", "Eve state": None},
            {"Eve keys": ["say", "leave", "menu", "help", "quit"]},
            *(("Eve", READY), {"Eve said": "room.wait"}),
        ),
        scene("lets guests in", race("~ Ada"), ("~", finish), {"~ room.state": "running"}),
        scene(
            "is left for the menu by who had no game",
            *(("Ada", RACE, LEAVE), {"Ada room": None, "Ada screen": "main"}),
        ),
        scene(
            "ends with its last player",
            *(sit("Ada"), ("Ada", LEAVE), ("Bob", join)),
            {"Bob said": "room.unknown", "Bob room": None},
        ),
        scene(
            "keeps a lost seat for two minutes",
            *(sit("Ada Bob", SHARED), ("Ada", hang_up)),
            {"Bob seats.Ada.here": False, "Bob room.host": 2},
            *(120_000, {"Bob seated": ["Bob"]}),
        ),
        scene(
            "says to who is ready alone that a race takes two",
            *(sit("Ada"), ("Ada", READY), {"Ada said": "race.two"}, ("Bob", join, READY), 3_000),
            {"Ada state": "playing", "Ada said": ""},
        ),
        scene(
            "has the board that its host chooses",
            *(sit("Ada Bob", RACE, ("board", "expert"), ("mine", "the end")),),
            *(
                {f"{name} room.label": "expert 30x16", f"{name} room.mine": "ends"}
                for name in ("Ada", "Bob")
            ),
        ),
    ]
)
def test_a_waiting_room(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


def test_a_countdown_is_over_the_board_with_its_opening(world: World) -> None:
    evening = Scene(world).play(sit("Ada Bob"), ("Ada Bob", READY))
    ada, bob = evening.friends("Ada Bob")
    evening.play(
        {"Ada room.state": "countdown", "Bob room.state": "countdown", "Ada starts_in": 3_000},
        {"Ada state": "starting", "Ada clock_runs": None},
    )
    opening = bytes(ada.faces)
    assert opening == bob.faces != bytes((COVERED,)) * 81
    evening.play(2_900, {"Ada seats.Ada.opened": 0, "Ada seats.Bob.opened": 0}, 100)
    evening.play({"Ada state": "playing", "Bob state": "playing"})
    assert ada.faces == bob.faces == opening


def test_who_has_no_name_has_the_same_all_day(world: World) -> None:
    nobody = world.friend("", key=b"n" * 16).send(RACE)
    (name,) = seats(nobody)
    assert len(name.split()) == 2
    nobody.send(LEAVE)
    assert [*seats(world.friend("", key=b"n" * 16).send(RACE))] == [name]


def test_a_room_is_left_for_the_game_that_waited(world: World) -> None:
    ada = world.friend("Ada").do(BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    ada.do(SHARED, LEAVE).sees({"screen": "game", "state": "playing"})
    assert ada.faces == before


OVER_KEYS = ("ready", "replay", "analysis", "export")


@scenes(
    [
        scene(
            "begins anew when all are ready again",
            *(race("Ada Bob"), ("Ada Bob", finish), {"Ada room.state": "over"}),
            *({"Ada said": "race.won", "Bob said": "race.winner.by"}, ("Ada", READY)),
            {"Ada room.state": "waiting", "Ada said": ""},
            # The result stays for whoever looks at it.
            {"Bob room.state": "over", "Bob said": "race.winner.by"},
            {"Bob seats.Ada.place": 1, "Bob seats.Bob.place": 2},
            *(again("Bob"), {"Ada state": "playing", "Bob state": "playing"}),
        ),
        scene(
            "keeps who has finished waiting for the others",
            *(race("Ada Bob"), ("Ada", finish)),
            {"Ada keys": ["rivals", "say", "leave", "menu", "help", "quit"]},
            *(("Ada", READY), {"Ada said": "room.wait"}, ("Bob", finish)),
            {"Ada keys": [*OVER_KEYS, "say", "leave", "menu", "help", "quit"]},
        ),
    ]
)
def test_a_race(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


class TestRace:
    def test_is_won_by_the_first_and_over_a_minute_later(self, world: World) -> None:
        evening = Scene(world).play(race("Ada Bob"), 5_000, ("Ada", finish), {"Ada state": "won"})
        field, winner = evening.field, seats(evening.friend("Bob"))["Ada"]
        wanted = {"place": 1, "time": 5_000, "opened": 1_000, "speed": 100 * bbbv(field) // 5}
        assert {name: winner[name] for name in wanted} == wanted
        assert 0 < winner["efficiency"] <= 100
        last = reveal(safe_cells(evening.friend("Bob"), field)[-1])
        evening.play({"Bob ends_in": 60_000}, 60_000, {"Bob room.state": "over"})
        evening.play({"Bob state": "given up"}, ("Bob", last), {"Bob said": "round.over"})

    def test_gives_a_time_to_those_alone_who_have_finished(self, world: World) -> None:
        evening = Scene(world).play(race("Ada Bob Eve"), 5_000, ("Ada", finish), 60_000)
        rows = seats(evening.play({"Eve room.state": "over"}).friend("Eve"))
        timed = [name for name, row in rows.items() if {"time", "won", "speed"} & row.keys()]
        assert timed == ["Ada"]
        assert 0 < rows["Bob"]["opened"] == rows["Eve"]["opened"] < 1_000

    def test_is_counted_once_for_each_who_played_it(self, world: World) -> None:
        evening = Scene(world).play(race("Ada Bob Eve"), ("Eve", hang_up), ("Bob", finish), 60_000)
        evening.play(*[6_000] * 3)
        for name, counts in (("Ada", (1, 0)), ("Bob", (1, 1)), ("Eve", (1, 0))):
            read = world.run(read_statistics(evening.friend(name).connection.key))
            assert (read.races, read.races_won) == counts
        bob = evening.friend("Bob").send(LEAVE, OpenMenu("main"))
        assert "races played 1   won 1" in bob.walk("Records", "Statistics").text

    def test_shows_all_with_what_the_first_cell_opened_before_they_act(self, world: World) -> None:
        evening = Scene(world).play(race("Ada Bob"))
        ada, bob = evening.friends("Ada Bob")
        begun = 1000 * sum(face <= 8 for face in ada.faces) // evening.field.safe.bit_count()
        assert begun > 0
        for friend in (ada, bob):
            assert {row["opened"] for row in seats(friend).values()} == {begun}
        evening.play(
            ("Ada", hit), 300, {f"Bob seats.{name}.opened": begun for name in ("Ada", "Bob")}
        )

    def test_shows_how_far_the_others_are_and_nothing_else_of_them(self, world: World) -> None:
        evening = Scene(world).play(race("Ada Bob"))
        bob = evening.friend("Bob")
        before = bytes(bob.faces)
        evening.play(300, ("Ada", *[open_last] * 20), 300)
        assert seats(bob)["Ada"]["opened"] > seats(bob)["Bob"]["opened"]
        assert bob.faces == before

    def test_takes_note_of_those_whose_server_has_died(self, world: World) -> None:
        ada, bob = world.friend("Ada"), world.elsewhere().friend("Bob")
        ada.send(RACE)
        bob.send(Join(ada.members["room"]["code"]))
        world.pass_time(5_000)
        assert seats(ada)["Bob"]["here"]
        bob.world.die()
        world.pass_time(25_000)
        assert not seats(ada)["Bob"]["here"]


UNDOS: tuple[tuple[Deed, ...], ...] = ((Undo(5),), (Undo(1), Undo(1)))


@scenes(
    [
        scene(
            "has three lives if the room wants it",
            race("Ada Bob", replace(SHARED, mine=MineCode.LIFE)),
            *(("Ada", hit), 300, {"Ada lives": 2, "Bob lives": 2}, ("Bob", hit_mine(1)), 300),
            *({"Ada lives": 1, "Bob lives": 1}, ("Ada", hit_mine(2)), 300),
            {"Ada lives": 0, "Ada state": "lost", "Bob state": "lost"},
            {"Ada seats.Ada.hits": 2, "Ada seats.Bob.hits": 1, "Ada seats.Ada.opened": 0},
            {f"{name} message.id": "shared.lost" for name in ("Ada", "Bob")},
            *(("Ada", Undo(1)), {"Ada said": "round.over", "Ada state": "lost"}),
        ),
        scene(
            "is undone only by who acted last",
            *(race("Ada Bob", SHARED), ("Ada", flag(0)), ("Bob", Undo(1))),
            *({"Bob said": "room.undo"}, ("Ada", Undo(1)), {"Ada said": "undone"}),
        ),
        *(
            scene(
                f"keeps what others did when somebody undoes {len(undos)} times",
                *(race("Ada Bob", SHARED), ("Ada", flag(0)), ("Bob", flag(1)), ("Bob", *undos)),
                {"Bob left": 9},
                # To do nothing makes nothing one's own.
                *(("Bob", hit, Undo(1)), {"Bob said": "room.undo", "Bob left": 9}),
            )
            for undos in UNDOS
        ),
        scene(
            "is not paused by who takes the vote back",
            *(race("Ada Bob", SHARED), ("Ada", Command.PAUSE, Command.PAUSE)),
            *(("Bob", Command.PAUSE), {"Bob state": "playing"}),
            *(("Ada", LEAVE), {"Bob state": "paused"}),
        ),
        scene(
            "takes late comers in for as long as it is played",
            race("Ada", SHARED),
            *(step for number in range(9) for step in (900_000, ("Ada", flag(number)), 250)),
            *(("Eve", join), {"Eve state": "playing", "Eve sees as Ada": True}),
        ),
        scene(
            "is shown to those who watch",
            *(race("Ada Bob", SHARED), ("Eve", look_on), 300, {"Eve sees as Ada": True}),
        ),
        scene(
            "tells each their own seat when the room changes",
            *(race("Ada Bob Cy", SHARED), ("Ada Bob Cy", flag(0)), ("Ada", OpenMenu("room"))),
            ("Ada", Pick("room", "open", "everybody"), MENU),
            *(
                {f"{name} room.open": True, f"{name} room.you": you}
                for you, name in enumerate(("Ada", "Bob", "Cy"), start=1)
            ),
        ),
    ]
)
def test_a_shared_board(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


@pytest.mark.parametrize(
    ("packet", "found"),
    [
        (Hint(0, 0), FoundHint("It is safe there.", Cell(2, 1), ())),
        (Seek(0, 0), FoundSolved(Cell(2, 1), is_mine=False)),
    ],
)
def test_partners_are_shown_the_cell_that_help_has_led_to(
    world: World, packet: Packet, found: FoundHint | FoundSolved
) -> None:
    world.hints.append(found)
    Scene(world).play(race("Ada Bob", SHARED), ("Ada", packet), {"Bob cursors": [[1, 11]]})


class TestSharedBoard:
    def test_says_who_opened_how_much_and_whose_flags_there_are(
        self, world: World, there: World
    ) -> None:
        ada, bob = world.friend("Ada"), there.friend("Bob")
        field = world.minefield(world.begin(ada, bob, kind=SHARED))
        mine, safe = cells_of(field, field.mines)[0], cells_of(field, field.safe)
        ada.send(Act(mine.column, mine.row, Button.FLAG, COVERED))
        place = mine.row * 9 + mine.column
        assert bob.members["owners"] == [[place, 1]]
        world.pass_time(300)
        assert [seats(bob)[name]["flags"] for name in ("Ada", "Bob")] == [1, 0]
        for cell in safe:
            bob.send(reveal(cell))
        world.settle()
        world.pass_time(300)
        assert ada.members["state"] == bob.members["state"] == "won"
        assert said(ada) == said(bob) == "shared.won"
        assert seats(ada)["Ada"]["opened"] == 0 < seats(ada)["Bob"]["opened"]
        assert ada.members["room"]["state"] == "over"

    def test_pauses_once_everybody_who_is_there_wants_it(self, world: World, there: World) -> None:
        ada, bob, eve = world.friend("Ada"), there.friend("Bob"), world.friend("Eve")
        watcher = world.friend("Wim")
        code = world.begin(ada, bob, eve, kind=SHARED)
        watcher.send(Watch(code))
        eve.send(Command.LEAVE)
        world.pass_time(5_000)
        ada.send(Command.PAUSE)
        assert (said(ada), said(bob)) == ("pause.vote", "pause.wanted")
        assert ada.members["state"] == bob.members["state"] == "playing"
        bob.send(Command.PAUSE)
        world.pass_time(60_000)
        for friend in (ada, bob, watcher):
            assert friend.members["state"] == "paused"
            assert said(friend) in {"paused", ""}
            assert not friend.members["clock_runs"]
            assert friend.members["clock"] == 5_000
        before = bytes(ada.faces)
        ada.send(reveal(Cell(8, 8)), Act(0, 0, Button.FLAG, SEEN), Undo(1), Hint(0, 0))
        assert ada.faces == before
        world.pass_time(1_000)
        eve.send(Join(code))
        assert eve.members["state"] == "paused"
        eve.send(Command.PAUSE)
        world.pass_time(1_000)
        for friend in (ada, bob, eve, watcher):
            assert friend.members["state"] == "playing"
            assert friend.members["clock_runs"]
        ada.send(Command.REFRESH)
        assert ada.members["clock"] == 6_000

    def test_is_shown_again_where_a_view_was_dropped_because_others_were_faster(
        self, world: World
    ) -> None:
        ada, bob = world.friend("Ada"), world.friend("Bob")
        world.begin(ada, bob, kind=SHARED)
        # Bob's flag is not stored yet, so what Ada is to be shown of it waits, and is dropped.
        with world.slow_store():
            bob.say(Act(0, 0, Button.FLAG, bob.faces[0]))
            replies = ada.connection.conversation.replies
            assert replies.to_renew != (None, 0)
            told = ada.connection.conversation.match_changed
            world.have(partial(told, world.now_ms, must_renew=True))
            assert replies.to_renew == (None, 0)
        ada.send(Command.REFRESH)
        assert ada.faces[0] == COVERED | FLAGGED

    def test_tells_a_phrase_that_a_held_reply_brings_though_the_store_fails(
        self, world: World
    ) -> None:
        ada, bob = world.friend("Ada"), world.friend("Bob")
        world.begin(ada, bob, kind=SHARED)
        before = len(ada.replies)
        with world.slow_store():
            ada.say(Act(0, 0, Button.FLAG, ada.faces[0]))
            bob.say(Say(2))
            # The first of these brings the phrase, and waits for the flag to be stored.
            ada.say(Command.REFRESH, Command.REFRESH)
            assert len(ada.replies) == before
            world.fault = StoreUnavailableError(Fault.BROKEN)
        views = [view.members() for view in ada.replies[before:] if isinstance(view, View)]
        assert views[0]["remark"] == ["unsaved"], "the replies were renewed"
        assert [one["id"] for view in views for one in view.get("said", ())] == [2]

    def test_is_written_once_for_all_partners_and_shows_each_their_own(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        friends = [world.friend(f"Player {number}") for number in range(5)]
        ada, bob, *others = friends
        field = world.minefield(world.begin(*friends, kind=SHARED))
        mines, safe = cells_of(field, field.mines), cells_of(field, field.safe)
        ada.send(Act(*mines[0], Button.FLAG, COVERED))
        bob.send(Act(*mines[1], Button.FLAG, COVERED))
        written: list[bytes] = []

        def write(cells: bytes, members: bytes) -> bytes:
            written.append(encode_view(cells, members))
            return written[-1]

        monkeypatch.setattr("jminesweeper.session.view.encode_view", write)
        ada.send(Act(*mines[2], Button.FLAG, COVERED))
        # The reply, and one frame for four partners.
        assert len(written) == 2
        assert all(friend.faces == ada.faces for friend in friends)
        others[0].send(OpenMenu("help"))
        bob.send(reveal(safe[-1]))
        others[0].send(OpenMenu(""))
        ada.send(Command.PAUSE)
        bob.send(Act(*mines[3], Button.FLAG, COVERED))
        for number, friend in enumerate(friends, start=1):
            friend.send(Command.REFRESH)
            assert friend.faces == ada.faces
            assert friend.members["room"]["you"] == number
            assert friend.members["cursors"] == ada.members["cursors"]
            assert friend.members["seats"] == ada.members["seats"]
            assert friend.members["owners"] == ada.members["owners"]
            assert friend.members["clock"] == ada.members["clock"]

    def test_sends_no_frame_that_says_nothing(self, world: World) -> None:
        ada, bob = world.friend("Ada"), world.friend("Bob")
        code = world.begin(ada, bob, kind=SHARED)
        ada.send(Act(0, 0, Button.FLAG, SEEN))
        before = len(bob.replies)
        bob.look()
        table = world.matches.tables.find(code)
        assert table is not None
        table.changes += 1
        assert not bob.look()
        assert len(bob.replies) == before
        ada.send(Act(1, 0, Button.FLAG, SEEN))
        assert len(bob.replies) == before + 1

    def test_is_shown_to_all_at_one_go_thirty_times_a_second_at_most(self, world: World) -> None:
        ada, bob = world.friend("Ada"), world.friend("Bob")
        code = world.begin(ada, bob, kind=SHARED)
        shown_ms: dict[str, list[int]] = {"one": [], "another": []}
        for name, times in shown_ms.items():
            show = partial(lambda times: times.append(world.now_ms), times)
            world.matches.tables.enter(code, name, name, show)
        world.let_pass(1_000)
        for times in shown_ms.values():
            times.clear()
        begun_ms = world.now_ms
        for number in range(100):
            ada.send(Act(number % 9, 0, Button.FLAG, SEEN))
            world.let_pass(10)
        world.let_pass(1_000)
        times = shown_ms["one"]
        assert shown_ms["another"] == times
        assert 20 <= len(times) <= 32
        assert all(later - before >= 33 for before, later in pairwise(times))
        # Nothing is left unshown.
        assert times[-1] >= begun_ms + 990

    @pytest.mark.parametrize("seed", range(8))
    def test_is_shown_to_each_as_it_is_whatever_everybody_does(
        self, world: World, seed: int
    ) -> None:
        draw = random.Random(seed)
        friends = [world.friend(f"Player {number}") for number in range(4)]
        field = world.minefield(world.begin(*friends, kind=replace(SHARED, mine=MineCode.LIFE)))
        cells = cells_of(field, field.mines | field.safe)
        for _ in range(60):
            cell = draw.choice(cells)
            packets: list[Packet] = [
                *[Act(*cell, draw.choice([Button.OPEN, Button.FLAG]), SEEN)] * 6,
                *(MoveTo(*cell), Undo(1), Command.PAUSE, Say(1), Ready(), Command.REFRESH),
                *(OpenMenu("help"), OpenMenu(""), OpenMenu("room")),
            ]
            draw.choice(friends).send(draw.choice(packets))
            if draw.random() < 0.3:
                world.pass_time(draw.choice([40, 400]))
        for friend in friends:
            while friend.members.get("menu") or friend.members.get("page"):
                friend.send(OpenMenu(""))
        world.pass_time(1_000)
        for number, friend in enumerate(friends):
            before, faces = dict(friend.members), bytes(friend.faces)
            name = f"Player {number}"
            friend.send(Hello(LIVE_FEATURES, name.encode().ljust(16, b"."), name))
            for member in friend.members.keys() - {"clock", "message", "cursor", "said"}:
                assert friend.members[member] == before.get(member), member
            assert bytes(friend.faces) == faces

    def test_is_in_the_history_of_late_comers_too(self, world: World) -> None:
        ada, eve = world.friend("Ada"), world.friend("Eve")
        code = world.begin(ada, kind=SHARED)
        eve.send(Join(code))
        solve(world, eve, world.minefield(code))
        for name in ("Ada", "Eve"):
            player = player_id(name.encode().ljust(16, b"."))
            ((_, game),) = world.run(list_games(player, 10))
            assert game.outcome is not None
            assert not game.outcome.counts


PLAYS = (BEGINNER, reveal(Cell(4, 4)))
NEXT = NewGame("expert")
MANY: tuple[Deed, ...] = (BEGINNER,) * 9


def watches(name: str) -> Callable[[Scene, Player], None]:
    return lambda scene, player: watch(scene.world, player, name)


def watches_by_code(scene: Scene, player: Player) -> None:
    (code,) = [match.code for match in scene.world.matches]
    player.send(Watch(code))


def allows(who: str) -> tuple[Packet, ...]:
    return (OpenMenu("settings"), Pick("settings", "watchers", who), MENU, MENU)


def finish_daily(scene: Scene, player: Player) -> None:
    solve(scene.world, player, DAY.minefield(Cell(0, 0)))


@scenes(
    [
        scene(
            "shows no help, no message and no mines",
            *(("Ada", *PLAYS), ("Bob", watches("Ada")), ("Ada", Command.TOGGLE_DEBUG_MODE)),
            {"Ada sees mines": True, "Bob sees mines": False, "Bob message": None},
            {"Bob figures": None},
            *(3_000, ("Eve", Watch("Ada")), {"Eve said": "watch.nobody"}),
        ),
        scene(
            "of a room is counted too",
            *(race("Ada Bob"), ("Eve", look_on), {"Ada watchers": 1, "Bob watchers": 1}),
            *(60_000, {"Ada watchers": 1}, ("Eve", LEAVE), {"Ada watchers": 0}),
        ),
        scene(
            "goes on with the next game at once",
            *(("Ada", *PLAYS), ("Bob", watches("Ada")), ("Ada", NEXT), {"Bob size": [30, 16]}),
            *(("Ada", reveal(Cell(4, 4))), {"Bob sees as Ada": True}),
            # Whoever begins game after game does so twice a second for those who watch.
            *(("Ada", *MANY, reveal(Cell(4, 4))), 1_000, {"Bob sees as Ada": True}),
        ),
        scene(
            "shows where the player is",
            *(("Bob", NEXT, MoveTo(29, 15)), ("Ada", *PLAYS), ("Bob", watches("Ada"))),
            *({"Bob cursor": [4, 4]}, ("Ada", MoveTo(7, 2)), {"Bob cursor": [7, 2]}),
            *(("Bob", LEAVE), {"Bob cursor": [29, 15]}),
        ),
        scene(
            "of a game that has ended is a replay",
            *(("Ada", NewGame("2x1/1"), reveal(Cell(0, 0))), ("Bob", watches_by_code)),
            {"Bob replay": [0]},
        ),
        scene(
            "is for everybody if the player allows it",
            *(("Ada", *PLAYS, *allows("everybody")), ("Bob", watches("Ada"))),
            {"Bob watching.name": "Ada"},
        ),
        scene(
            "is for those alone who have the code",
            *(("Ada", *PLAYS, *allows("those with the code")), ("Bob", watches("Ada"))),
            *({"Bob watching": None}, 1_000, ("Bob", watches_by_code)),
            {"Bob watching.name": "Ada"},
        ),
        scene(
            "is for nobody",
            *(("Ada", *PLAYS, *allows("nobody")), ("Bob", watches("Ada"))),
            *({"Bob watching": None}, 1_000, ("Bob", watches_by_code), {"Bob watching": None}),
        ),
        scene(
            "of a day's board is for those who have finished it",
            *(("Ada", DAILY, reveal(Cell(0, 0))), ("Bob", watches("Ada"))),
            *({"Bob said": "watch.daily"}, ("Bob", DAILY, reveal(Cell(0, 0)), watches("Ada"))),
            *({"Bob said": "watch.daily"}, ("Bob", finish_daily, watches("Ada"))),
            {"Bob watching.name": "Ada"},
        ),
        scene(
            "of a day's board under its seed code is no way around that",
            *(("Ada", Code(format_seed_code(DAY)), reveal(Cell(0, 0))), ("Bob", watches("Ada"))),
            {"Bob said": "watch.daily"},
        ),
    ]
)
def test_watching(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


class TestWatching:
    def test_shows_the_board_as_its_player_sees_it_and_by_how_many(
        self, world: World, there: World
    ) -> None:
        ada, bob = world.friend("Ada"), there.friend("Bob")
        ada.send(BEGINNER, reveal(Cell(4, 4)))
        watch(world, bob, "Ada")
        assert bob.members["watching"] == {"name": "Ada", "gone": False}
        assert bob.faces == ada.faces
        assert ada.members["watchers"] == 1
        ada.send(Act(0, 0, Button.FLAG, SEEN))
        assert bob.faces == ada.faces
        bob.send(Command.LEAVE)
        assert bob.members["watching"] is None
        assert ada.members["watchers"] == 0

    def test_is_described_and_written_once_for_all_who_look_on(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ada, *crowd = (world.friend(f"Player {number}") for number in range(9))
        ada.send(BEGINNER, reveal(Cell(4, 4)))
        crowd[0].send(NewGame("expert"), reveal(Cell(9, 9)))
        for friend in crowd:
            watch(world, friend, "Player 0")
        ada.send(Act(0, 0, Button.FLAG, SEEN))
        ada.send(Act(0, 1, Button.FLAG, SEEN))
        written: list[bytes] = []

        def write(cells: bytes, members: bytes) -> bytes:
            written.append(encode_view(cells, members))
            return written[-1]

        described: list[Picture] = []

        def describe(*args: Any) -> Picture:
            described.append(picture_of(*args))
            return described[-1]

        monkeypatch.setattr("jminesweeper.session.view.encode_view", write)
        monkeypatch.setattr("jminesweeper.session.session.picture_of", describe)
        ada.send(Act(0, 0, Button.FLAG, SEEN))
        assert all(friend.faces == ada.faces for friend in crowd)
        assert len(written) == len(described) == 2
        crowd[0].send(Command.LEAVE)
        assert crowd[0].members["size"] == [30, 16]
        assert crowd[0].members["label"] == "expert 30x16"
        ada.send(Act(0, 1, Button.FLAG, SEEN))
        world.pass_time(3_000)
        crowd[0].send(Watch("Player 0"))
        ada.send(Act(0, 0, Button.FLAG, SEEN))
        assert all(friend.faces == ada.faces for friend in crowd)
        assert {friend.members["clock"] for friend in crowd}

    def test_goes_on_at_another_server_once_the_store_has_the_next_game(self, world: World) -> None:
        ada, bob = world.friend("Ada"), world.elsewhere().player()
        ada.send(BEGINNER, reveal(Cell(4, 4)))
        world.pass_time(3_000)
        bob.send(Hello(LIVE_FEATURES, b"bob.............", "Bob"), Watch("Ada"))
        assert bob.members["watching"] == {"name": "Ada", "gone": False}
        # The servers tell each other how many watch.
        for match in world.matches:
            match.count_elsewhere(1)
        ada.send(NewGame("expert"))
        bob.look()
        assert "message" not in bob.said or bob.said["message"] is None
        ada.send(reveal(Cell(4, 4)))
        bob.look()
        assert bob.members["size"] == [30, 16]
        assert bob.faces == ada.faces

    def test_is_possible_of_a_player_of_version_1(self, world: World) -> None:
        old, bob = world.player(), world.friend("Bob")
        world.players.append(old)
        old.send(Start(9, 9, 1))
        world.pass_time(5_000)
        old.send(Command.TOGGLE_BOMB_MARK)
        world.pass_time(1_000)
        bob.send(OpenMenu("people"))
        # Much of what speaks version 1 comes and goes: it is listed once it has played for a while.
        assert not [row for row in bob.members["menu"]["rows"] if "(guest)" in row["label"]]
        bob.send(OpenMenu(""))
        world.pass_time(2_000)
        bob.send(OpenMenu("people"))
        (guest,) = [row for row in bob.members["menu"]["rows"] if "(guest)" in row["label"]]
        bob.send(Pick("people", guest["id"]))
        assert bob.faces[0] == COVERED | 32

    @pytest.mark.parametrize("is_begun", [False, True])
    def test_of_a_days_board_that_is_still_played_waits_beyond_midnight(
        self, world: World, *, is_begun: bool
    ) -> None:
        ada, bob, eve = world.friend("Ada"), world.friend("Bob"), world.friend("Eve")
        bob.send(DAILY, *([reveal(Cell(0, 0))] if is_begun else []))
        ada.send(DAILY, reveal(Cell(0, 0)))
        solve(world, ada, DAY.minefield(Cell(0, 0)))
        (code,) = [match.code for match in world.matches if match.is_over]
        eve.send(Watch(code))
        assert said(eve) == "watch.daily"
        world.pass_time(86_400_000)
        bob.send(Watch(code))
        assert said(bob) == "watch.daily"
        eve.send(Watch(code))
        assert eve.members["replay"]

    @pytest.mark.parametrize(
        ("waits", "comes_back"),
        [(OpenMenu(""), OpenMenu("")), (SHARED, Command.LEAVE)],
        ids=["in a menu", "in a room"],
    )
    def test_of_a_days_board_that_a_device_gave_up_leaves_it_unranked_on_all(
        self, world: World, waits: Packet, comes_back: Packet
    ) -> None:
        ada, eve, field = world.friend("Ada"), world.friend("Eve"), DAY.minefield()
        ada.send(DAILY, reveal(Cell(0, 0)), waits)
        mine = cells_of(field, field.mines)[0]
        eve.send(DAILY, reveal(Cell(0, 0)), reveal(mine))
        phone = world.friend("Ada")
        watch(world, phone, "Eve")
        assert said(phone) == "watch.daily"
        phone.send(BEGINNER, reveal(Cell(4, 4)))
        watch(world, phone, "Eve")
        assert phone.members["state"] == "lost"
        ada.send(comes_back)
        assert ada.members["label"].startswith("daily")
        solve(world, ada, field)
        assert ada.message == "You won! Given up once, so not ranked."
        assert "today" not in dict(ada.members["figures"])
        assert world.run(list_boards()) == []


def names(player: Player) -> set[str]:
    return {row["label"] for row in player.members["menu"]["rows"]}


class TestPeople:
    def test_are_listed_with_a_game_that_has_ended_as_one_at_once(self, world: World) -> None:
        ada, bob = world.friend("Ada"), world.friend("Bob")
        ada.send(BEGINNER, reveal(Cell(4, 4)))
        world.pass_time(3_000)
        (row,) = people(bob)
        assert row["value"] == "plays beginner 9x9"
        assert row["figures"][0].endswith("%")
        (match,) = world.matches
        field = match.game.setup.minefield()
        ada.send(reveal(cells_of(field, field.mines)[0]))
        assert ada.members["state"] == "lost"
        world.pass_time(3_000)
        bob.send(Command.REFRESH)
        assert bob.row("Ada")["value"] == "has finished beginner 9x9"
        # Watching goes on to the next game.
        assert "disabled" not in bob.row("Ada")

    def test_are_listed_above_them_with_the_boards_that_are_played(self, world: World) -> None:
        ada, bob = world.friend("Ada"), world.friend("Bob")
        for kind, row in ((RoomKind.RACE, "race"), (RoomKind.SHARED, "shared")):
            ada.send(OpenMenu("people"))
            rows = {each["id"]: each for each in ada.members["menu"]["rows"]}
            ada.send(Pick("people", row))
            assert ada.members["room"]["kind"] == kind.name.lower()
            assert rows[row]["value"] == ada.members["room"]["label"]
            bob.send(OpenMenu("people"), Pick("people", "join", ada.members["room"]["code"]))
            assert seats(ada).keys() == {"Ada", "Bob"}
            for friend in (ada, bob):
                friend.send(Command.LEAVE)
            world.pass_time(1_000)

    def test_are_listed_with_what_one_can_do_with_them(self, world: World) -> None:
        ada, bob, cy, dan, eve = map(world.friend, ("Ada", "Bob", "Cy", "Dan", "Eve"))
        ada.send(BEGINNER, replace(RACE, kind=RoomKind.QUICK))
        bob.send(replace(SHARED, flags=RoomFlag.OPEN))
        cy.send(RACE)
        dan.send(BEGINNER, reveal(Cell(4, 4)))
        world.pass_time(3_000)
        eve.send(OpenMenu("people"))
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

    def test_are_accepted_joined_or_watched_by_choosing_them(self, world: World) -> None:
        ada, bob, dan = map(world.friend, ("Ada", "Bob", "Dan"))
        ada.send(BEGINNER, replace(RACE, kind=RoomKind.QUICK))
        bob.send(replace(SHARED, flags=RoomFlag.OPEN))
        dan.send(BEGINNER, reveal(Cell(4, 4)))
        world.pass_time(3_000)
        for name, sees in (("Ada", "Ada"), ("Bob", "Bob")):
            eve = world.friend(f"Eve {name}")
            eve.send(OpenMenu("people"))
            eve.choose(name)
            world.settle()
            assert sees in seats(eve)
            eve.send(Command.LEAVE)
        cy = world.friend("Cy")
        cy.send(OpenMenu("people"))
        for name, what in (("Bob", PickWhat.OTHER), ("Dan", PickWhat.CHOOSE)):
            cy.send(Pick("people", cy.row(name)["id"], what=what))
            assert cy.members["watching"]["name"].endswith(
                "Dan" if name == "Dan" else bob.members["room"]["code"]
            )
            cy.send(Command.LEAVE)
            world.pass_time(1_000)
        cy.send(Pick("people", cy.row("Dan")["id"], what=PickWhat.OTHER))
        assert cy.screen == "people"

    def test_are_listed_as_they_are_by_now(self, world: World) -> None:
        ada, bob = world.friend("Ada"), world.friend("Bob")
        ada.send(BEGINNER, reveal(Cell(4, 4)))
        world.pass_time(3_000)
        bob.send(OpenMenu("people"))
        assert bob.said["refresh"] == 3_000
        ada.send(OpenMenu("settings"), Pick("settings", "name", "Zoe"))
        ada.send(Pick("settings", "watchers", "nobody"))
        world.pass_time(3_000)
        bob.send(Command.REFRESH)
        assert bob.row("Zoe")["disabled"]
        assert "Ada" not in names(bob)
        assert bob.said["refresh"] == 3_000

    def test_are_read_anew_every_three_seconds_at_most(self, world: World) -> None:
        bob = world.friend("Bob")
        bob.send(OpenMenu("people"))
        world.take_operations()
        for _ in range(30):
            bob.send_after(100, Command.REFRESH)
        assert len(world.take_operations()) == 2

    def test_come_first_with_whom_one_has_played(self, world: World) -> None:
        crowd = [world.friend(f"Player {number}") for number in range(60)]
        world.pass_time(3_000)
        listed = [row["label"] for row in people(crowd[0])]
        assert len(listed) == 50
        late = [each for each in crowd[1:] if f"Player {crowd.index(each)}" not in listed]
        world.begin(crowd[0], late[0])
        crowd[0].send(Command.LEAVE)
        world.pass_time(3_000)
        again = [row["label"] for row in people(crowd[0])]
        assert again[0] == f"Player {crowd.index(late[0])}"
        assert len(again) == 50

    def test_are_listed_once_on_whatever_devices_they_play(self, world: World) -> None:
        world.friend("Ada")
        world.friend("Ada")
        bob = world.friend("Bob")
        world.pass_time(3_000)
        assert [row["label"] for row in people(bob)] == ["Ada"]

    def test_are_no_guests_any_more_once_they_say_who_they_are(self, world: World) -> None:
        ada, bob = world.player(), world.friend("Bob")
        world.players.append(ada)
        ada.send(Start(9, 9, 1))
        world.pass_time(3_000)
        ada.send(Hello(LIVE_FEATURES, b"a" * 16, "Ada"))
        world.pass_time(3_000)
        assert [row["label"] for row in people(bob)] == ["Ada"]

    @pytest.mark.parametrize("typed", ["Ada", "ada"])
    def test_are_watched_by_name_first_of_all_those_one_has_played_with(
        self, world: World, typed: str
    ) -> None:
        others = [world.friend("Ada", key=bytes((number,)) * 16) for number in range(9)]
        ada, bob = world.friend("Ada"), world.friend("Bob")
        world.begin(ada, bob)
        for friend in (ada, bob):
            friend.send(Command.LEAVE)
        for number, each in enumerate((*others, ada)):
            each.send(BEGINNER, reveal(Cell(number % 9, number // 9)))
        ada.send(Act(8, 8, Button.FLAG, COVERED))
        watch(world, bob, typed)
        assert bob.faces == ada.faces

    def test_are_gone_when_they_hang_up_and_when_their_server_dies(self, world: World) -> None:
        ada, eve, bob = world.friend("Ada"), world.elsewhere().friend("Eve"), world.friend("Bob")
        world.pass_time(3_000)
        ada.hang_up()
        eve.world.die()
        bob.send(OpenMenu("people"))
        assert {"Eve"} == names(bob) & {"Ada", "Eve"}
        world.pass_time(80_000)
        bob.send(OpenMenu("people"), OpenMenu("people"))
        assert "Eve" not in names(bob)

    def test_everybody_may_be_named_where_others_are_met(self, world: World) -> None:
        ada, bob = world.friend("Ada"), world.friend(key=b"b" * 16)
        ada.send(BEGINNER)
        bob.send(BEGINNER)
        bob.send(OpenMenu("people"))
        bob.send(Pick("people", "name", "Bob"))
        assert said(bob) == "named"
        world.pass_time(30_000)
        ada.send(OpenMenu("people"))
        assert "Bob" in {row["label"] for row in ada.members["menu"]["rows"]}


def test_a_round_whose_record_could_not_be_read_is_opened_once_it_can_be(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    field = world.minefield(code := world.begin(ada, bob, world.friend("Cy")))
    bob.send(reveal(safe_cells(bob, field)[-1]), Command.LEAVE)
    submit = world.line.submit

    def fail_to_read_logs(jobs: Sequence[Job]) -> None:
        for job in jobs:
            if isinstance(job.operation, Read) and job.operation.tails:
                world.loop.call_soon(job.done, StoreUnavailableError(Fault.BROKEN))
            else:
                submit((job,))

    with monkeypatch.context() as broken:
        broken.setattr(world.line, "submit", fail_to_read_logs)
        world.pass_time(1_000)
        bob.send(Join(code))
        assert (said(bob), bob.members["state"]) == ("store", None)
    world.pass_time(1_000)
    assert bob.members["state"] == "playing"


def test_who_waits_for_an_opponent_and_for_the_store_can_go_on(world: World) -> None:
    world.fault = StoreUnavailableError(Fault.FULL)
    ada = world.friend("Ada")
    ada.send(replace(RACE, kind=RoomKind.QUICK))
    world.pass_time(10_000)
    ada.send(OpenMenu(""))
    assert ada.members["menu"]["id"] == "main"
    world.fault = None
    world.pass_time(10_000)
    assert ada.connection.key


def test_players_who_came_at_once_are_not_stored_as_online_again_at_once(world: World) -> None:
    friends = [world.friend(f"Player {number}") for number in range(20)]
    world.pass_seconds(5)
    world.take_operations()
    stored = []
    for _ in range(30):
        world.pass_seconds(1)
        boards = [place.board for each in world.commits for place in each.places]
        stored.append(boards.count(keys.PRESENT))
        world.take_operations()
    assert sum(stored) >= len(friends)
    assert max(stored) < len(friends) / 2
