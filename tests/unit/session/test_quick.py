"""Quick matches: whoever waits is told at once, and what is offered meanwhile."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Hello, OpenMenu, Pick, Ready
from jminesweeper.protocol.vocabulary import Command, Feature, RoomFlag, RoomKind
from jminesweeper.records.rooms import Finish
from jminesweeper.session.figures import Rival
from jminesweeper.session.together import MOST_OFFERS
from tests.world.player import Player
from tests.world.server import RACE, World
from tests.world.together import BEGINNER, LIVE_FEATURES, reveal, said, seats

QUICK = replace(RACE, kind=RoomKind.QUICK)
PEOPLE_ONLY = replace(QUICK, flags=RoomFlag.NO_BOTS)
EXPERT = replace(QUICK, board="expert")


def room(player: Player) -> str:
    known = player.members.get("room")
    return "" if known is None else known["code"]


def menu(player: Player) -> tuple[str, list[str]]:
    """The title and the rows of the menu that is open."""
    if (shown := player.members.get("menu")) is None:
        return "", []
    return shown["title"], [row["label"] for row in shown["rows"]]


def text_of(player: Player) -> str:
    text: str = player.members["message"]["text"]
    return text


def test_two_who_want_the_same_board_are_told_at_once(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(BEGINNER, QUICK)
    assert ada.members["looking"] == "beginner 9x9"
    assert ada.members["state"] == "playing"
    bob.send(QUICK)
    assert room(ada) == room(bob) != ""
    assert said(ada) == said(bob) == "quick.met"
    assert ada.members["looking"] is None
    # Strangers find it without its code, as all who want to play.
    assert ada.members["room"]["open"]


def test_whoever_waits_at_another_server_is_told_at_once(world: World) -> None:
    ada, bob = world.friend("Ada"), world.elsewhere().player()
    ada.send(QUICK)
    bob.send(Hello(LIVE_FEATURES, b"bob.............", "Bob"), QUICK)
    world.settle()
    assert room(ada) == room(bob) != ""
    assert set(seats(ada)) == {"Ada", "Bob"}


def test_a_wait_is_given_up_by_the_menu(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(OpenMenu("people"), Pick("people", "quick"), OpenMenu("people"))
    ada.choose("Stop waiting")
    assert (said(ada), ada.members["looking"]) == ("quick.off", None)
    bob.send(OpenMenu("people"), Pick("people", "quick"))
    assert not room(bob)


def test_there_is_a_game_to_practise_on_which_waits_meanwhile(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(OpenMenu("people"), Pick("people", "quick"))
    assert (ada.members["state"], said(ada)) == ("playing", "quick.wait")
    assert ada.members["looking"] == ada.members["label"]
    ada.send(OpenMenu("settings"))
    world.pass_time(11_000)
    assert ada.screen == "settings"
    ada.send(OpenMenu(""), OpenMenu(""), reveal(Cell(0, 0)))
    before = bytes(ada.faces)
    bob.send(OpenMenu("people"), Pick("people", "quick"))
    assert room(ada) == room(bob) != ""
    ada.send(Command.LEAVE)
    assert ada.faces == before


@pytest.mark.parametrize("leaves", [lambda ada: ada.send(Command.LEAVE), Player.hang_up])
def test_nobody_is_met_who_has_gone(world: World, leaves: Callable[[Player], object]) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(BEGINNER, QUICK)
    leaves(ada)
    bob.send(QUICK)
    assert not room(bob)


# What is offered


def test_who_waits_for_another_board_is_offered_by_name(world: World, there: World) -> None:
    ada, bob = world.friend("Ada"), there.friend("Bob")
    ada.send(QUICK)
    bob.send(EXPERT)
    # Both are asked, at once.
    assert menu(ada) == ("Bob waits for expert 30x16", ["Play", "Keep waiting"])
    assert menu(bob) == ("Ada waits for beginner 9x9", ["Play", "Keep waiting"])
    bob.send(Pick("offer", "wait"))
    assert bob.members["looking"].startswith("expert")
    ada.send(Pick("offer", "play"))
    assert room(ada) == room(bob) != ""
    assert ada.members["room"]["label"].startswith("expert")


def test_an_offer_is_made_once_and_to_nobody_who_has_a_menu_open(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(QUICK, OpenMenu("help"))
    bob.send(EXPERT, Pick("offer", "wait"))
    assert ada.screen == "help"
    ada.send(OpenMenu(""))
    world.pass_time(11_000)
    assert menu(ada)[0] == "Bob waits for expert 30x16"
    ada.send(Pick("offer", "wait"))
    world.pass_time(6_000)
    assert ada.screen != "offer"


def test_nobody_keeps_those_who_wait_busy_with_offers(world: World) -> None:
    ada = world.friend("Ada")
    ada.send(QUICK)
    asked = 0
    for number in range(MOST_OFFERS + 3):
        eve = world.friend(f"Eve {number}", address="192.0.2.66")
        eve.send(EXPERT)
        world.pass_time(1_500)
        asked += ada.screen == "offer" and menu(ada)[0].startswith("Eve")
        ada.send(Pick("offer", "wait"))
    assert asked == MOST_OFFERS


def test_after_a_while_the_solver_races_at_ones_own_pace_and_the_search_goes_on(
    world: World,
) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    finish = Finish(True, 30_000, 71, 0, speed=100)
    world.boards.append(None)
    world.rivals.append(Rival("Solver, calm", (10_000, 30_000), (500, 1_000), finish, True))
    ada.send(QUICK)
    world.pass_time(19_000)
    assert menu(ada) == ("", [])
    world.pass_time(1_500)
    assert menu(ada) == ("Nobody has come yet", ["Race the solver", "Keep waiting"])
    ada.send(Pick("offer", "solver"))
    if ada.screen == "give_up":
        ada.send(Pick("give_up", "yes"))
    assert [seat["name"] for seat in ada.members["seats"]] == ["Ada", "Solver, calm"]
    assert ada.members["seats"][1]["bot"]
    assert ada.members["looking"]
    bob.send(QUICK)
    assert room(ada) == room(bob) != ""


def test_the_solver_takes_the_usual_time_of_who_has_won_before() -> None:
    finish = Finish(True, 30_000, 71, 0, speed=100)
    rival = Rival("Solver", (10_000, 30_000), (500, 1_000), finish, True)
    fitting = rival.taking(60_000)
    assert (fitting.times, fitting.finish.time_ms) == ([20_000, 60_000], 60_000)
    assert fitting.finish.speed == 50
    assert (fitting.opened(20_000), fitting.opened(60_000)) == (500, 1_000)


@pytest.mark.parametrize("wish", [PEOPLE_ONLY, OpenMenu("people")])
def test_people_who_want_no_bots_meet_none_and_are_offered_no_solver(
    world: World, wish: object
) -> None:
    ada, bot = world.friend("Ada"), world.friend("Bot", LIVE_FEATURES | Feature.BOT)
    if wish is PEOPLE_ONLY:
        ada.send(BEGINNER, PEOPLE_ONLY)
    else:
        ada.send(BEGINNER, OpenMenu("people"), Pick("people", "bots", "people only"))
        ada.send(Pick("people", "quick"))
    board = ada.members["looking"].split()[0]
    bot.send(replace(QUICK, board=board + " no-guess"), replace(QUICK, board=board))
    world.pass_time(25_000)
    assert not room(ada)
    assert ada.screen != "offer"
    (bob := world.friend("Bob")).send(OpenMenu("people"), Pick("people", "quick"))
    assert room(bob)


def test_one_address_with_many_guests_does_not_fill_the_list_of_who_waits(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.records.meeting.MAX_WAITING", 3)
    for number in range(30):
        eve = world.friend(address="192.0.2.66", key=b"")
        eve.send(replace(QUICK, board=f"30x16/{50 + number}"))
        assert said(eve) == "quick.wait" or menu(eve)[0].endswith("waits for 30x16/50")
    ada, bob = world.friend("Ada", address="192.0.2.7"), world.friend("Bob", address="192.0.2.8")
    ada.send(QUICK)
    bob.send(QUICK)
    assert said(bob) == "quick.met"


# Leaving at once


def test_the_same_two_do_not_meet_again_within_a_minute_if_one_left_at_once(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(QUICK)
    bob.send(QUICK)
    first = room(ada)
    bob.send(Command.LEAVE)
    ada.send(Command.LEAVE)
    world.pass_time(1_000)
    ada.send(QUICK)
    bob.send(QUICK)
    world.pass_time(30_000)
    assert room(ada) == room(bob) == ""
    world.pass_seconds(35)
    assert room(ada) == room(bob) not in {"", first}


def test_who_leaves_two_matches_at_once_waits_a_minute_and_starves_nobody(world: World) -> None:
    eve = world.friend("Eve")
    players = [world.friend(name) for name in ("Ada", "Bob")]
    for player in players:
        player.send(QUICK)
        eve.send(QUICK)
        assert room(eve) == room(player) != ""
        eve.send(Command.LEAVE)
        world.pass_time(1_000)
        # Whoever was left may leave as well, and look for somebody else.
        player.send(Command.LEAVE)
        world.pass_time(1_000)
    eve.send(QUICK)
    assert text_of(eve).startswith("You left 2 quick matches; wait 5")
    assert eve.members.get("looking") is None
    (cy := world.friend("Cy")).send(QUICK)
    (dan := world.friend("Dan")).send(QUICK)
    assert room(cy) == room(dan) != ""
    world.pass_time(60_000)
    eve.send(QUICK)
    assert eve.members["looking"]


def test_who_was_left_may_leave_as_often_as_that_happens(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(QUICK)
    bob.send(QUICK)
    code = room(ada)
    ada.send(Command.LEAVE)
    # The other one has left first: that costs only the first.
    bob.send(Command.LEAVE)
    assert code
    for number in range(2):
        world.pass_time(1_000)
        (other := world.friend(f"Other {number}")).send(QUICK)
        bob.send(QUICK)
        assert room(bob) == room(other) != ""
        other.send(Command.LEAVE)
        bob.send(Command.LEAVE)


@pytest.mark.parametrize(
    ("idle_ms", "waits", "ready_ms"),
    [(0, "Ada", 20_000), (60_000, "Eve", 19_000)],
    ids=["who never gets ready", "who gets ready and leaves at once"],
)
def test_two_matches_that_came_to_nothing_are_paid_by_one(
    world: World, idle_ms: int, waits: str, ready_ms: int
) -> None:
    ada, eve = world.friend("Ada"), world.friend("Eve")
    ready, other = (ada, eve) if waits == "Ada" else (eve, ada)
    for number in range(2):
        board = replace(QUICK, board=f"30x16/{50 + number}")
        ada.send(board)
        eve.send(board)
        world.pass_time(idle_ms)
        ready.send(Ready())
        world.pass_time(ready_ms)
        ready.send(Command.LEAVE)
        other.send(Command.LEAVE)
        world.pass_time(61_000 if number == 0 else 1_000)
    eve.send(QUICK)
    assert text_of(eve).startswith("You left 2 quick matches")
    ada.send(QUICK)
    assert ada.members["looking"]


def test_words_on_the_bus_that_mean_nothing_wake_nobody(world: World) -> None:
    ada = world.friend("Ada")
    ada.send(QUICK)
    world.take_operations()
    for message in (b"met somebody", b"left", b"came"[:3]):
        world.publish("waiting", message)
    world.settle()
    assert not world.take_operations()
    # Some were missed: look again.
    world.publish("waiting", b"")
    world.settle()
    assert world.take_operations()


def test_who_finds_the_other_gone_waits_on(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(QUICK)
    # Ada has not been shown anything yet as Bob leaves.
    bob.say(QUICK, Command.LEAVE)
    assert not room(ada)
    assert ada.members["looking"]
    (cy := world.friend("Cy")).send(QUICK)
    assert room(cy) == room(ada) != ""
    # It was Bob who left, even though Ada had not come.
    world.pass_time(1_000)
    bob.send(replace(QUICK, board="30x16/5"))
    (dan := world.friend("Dan")).send(replace(QUICK, board="30x16/5"))
    bob.send(Command.LEAVE)
    world.pass_time(1_000)
    bob.send(QUICK)
    assert text_of(bob).startswith("You left 2 quick matches")
    assert dan.members["room"]
