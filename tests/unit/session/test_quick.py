"""Quick matches: whoever waits is told at once, and what is offered meanwhile."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Hello, OpenMenu, Pick, Ready
from jminesweeper.protocol.vocabulary import Command, Feature, RoomFlag, RoomKind
from jminesweeper.records.rooms import Finish
from jminesweeper.session.quick import MOST_OFFERS
from jminesweeper.session.rival import Rival
from tests.unit.session.party import BEGINNER, LIVE, RACE, Party, reveal, said, seats
from tests.unit.session.player import Player

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


def test_two_who_want_the_same_board_are_told_at_once(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, BEGINNER, QUICK)
    assert ada.members["looking"] == "beginner 9x9"
    assert ada.members["state"] == "playing"
    party.do(bob, QUICK)
    assert room(ada) == room(bob) != ""
    assert said(ada) == said(bob) == "quick.met"
    assert ada.members["looking"] is None
    # Strangers find it without its code, as all who want to play.
    assert ada.members["room"]["open"]


def test_whoever_waits_at_another_server_is_told_at_once(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.backstage.player_elsewhere()
    party.do(ada, QUICK)
    bob.send(Hello(LIVE, b"bob.............", "Bob"), QUICK)
    party.look()
    assert room(ada) == room(bob) != ""
    assert set(seats(ada)) == {"Ada", "Bob"}


def test_a_wait_is_given_up_by_the_menu(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, OpenMenu("people"), Pick("people", "quick"), OpenMenu("people"))
    ada.choose("Stop waiting")
    assert (said(ada), ada.members["looking"]) == ("quick.off", None)
    party.do(bob, OpenMenu("people"), Pick("people", "quick"))
    assert not room(bob)


def test_there_is_a_game_to_practise_on_which_waits_meanwhile(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, OpenMenu("people"), Pick("people", "quick"))
    assert (ada.members["state"], said(ada)) == ("playing", "quick.wait")
    assert ada.members["looking"] == ada.members["label"]
    party.do(ada, OpenMenu("settings"))
    party.pass_time(11_000)
    assert ada.screen == "settings"
    party.do(ada, OpenMenu(""), OpenMenu(""), reveal(Cell(0, 0)))
    before = bytes(ada.faces)
    party.do(bob, OpenMenu("people"), Pick("people", "quick"))
    assert room(ada) == room(bob) != ""
    party.do(ada, Command.LEAVE)
    assert ada.faces == before


@pytest.mark.parametrize("leaves", [lambda ada: ada.send(Command.LEAVE), Player.hang_up])
def test_nobody_is_met_who_has_gone(party: Party, leaves: Callable[[Player], object]) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, BEGINNER, QUICK)
    leaves(ada)
    party.do(bob, QUICK)
    assert not room(bob)


# What is offered


def test_who_waits_for_another_board_is_offered_by_name(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, QUICK)
    party.do(bob, EXPERT)
    # Both are asked, at once.
    assert menu(ada) == ("Bob waits for expert 30x16", ["Play", "Keep waiting"])
    assert menu(bob) == ("Ada waits for beginner 9x9", ["Play", "Keep waiting"])
    party.do(bob, Pick("offer", "wait"))
    assert bob.members["looking"].startswith("expert")
    party.do(ada, Pick("offer", "play"))
    assert room(ada) == room(bob) != ""
    assert ada.members["room"]["label"].startswith("expert")


def test_an_offer_is_made_once_and_to_nobody_who_has_a_menu_open(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, QUICK, OpenMenu("help"))
    party.do(bob, EXPERT, Pick("offer", "wait"))
    assert ada.screen == "help"
    party.do(ada, OpenMenu(""))
    party.pass_time(11_000)
    assert menu(ada)[0] == "Bob waits for expert 30x16"
    party.do(ada, Pick("offer", "wait"))
    party.pass_time(6_000)
    assert ada.screen != "offer"


def test_nobody_keeps_those_who_wait_busy_with_offers(party: Party) -> None:
    ada = party.friend("Ada")
    party.do(ada, QUICK)
    asked = 0
    for number in range(MOST_OFFERS + 3):
        eve = party.friend(f"Eve {number}", address="192.0.2.66")
        party.do(eve, EXPERT)
        party.pass_time(1_500)
        asked += ada.screen == "offer" and menu(ada)[0].startswith("Eve")
        party.do(ada, Pick("offer", "wait"))
    assert asked == MOST_OFFERS


def test_after_a_while_the_solver_races_at_ones_own_pace_and_the_search_goes_on(
    party: Party,
) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    backstage = party.backstage
    finish = Finish(True, 30_000, 71, 0, speed=100)
    backstage.boards.append(None)
    backstage.rivals.append(Rival("Solver, calm", (10_000, 30_000), (500, 1_000), finish, True))
    party.do(ada, QUICK)
    party.pass_time(19_000)
    assert menu(ada) == ("", [])
    party.pass_time(1_500)
    assert menu(ada) == ("Nobody has come yet", ["Race the solver", "Keep waiting"])
    party.do(ada, Pick("offer", "solver"))
    if ada.screen == "give_up":
        party.do(ada, Pick("give_up", "yes"))
    assert [seat["name"] for seat in ada.members["seats"]] == ["Ada", "Solver, calm"]
    assert ada.members["seats"][1]["bot"]
    assert ada.members["looking"]
    party.do(bob, QUICK)
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
    party: Party, wish: object
) -> None:
    ada, bot = party.friend("Ada"), party.friend("Bot", LIVE | Feature.BOT)
    if wish is PEOPLE_ONLY:
        party.do(ada, BEGINNER, PEOPLE_ONLY)
    else:
        party.do(ada, BEGINNER, OpenMenu("people"), Pick("people", "bots", "people only"))
        party.do(ada, Pick("people", "quick"))
    board = ada.members["looking"].split()[0]
    party.do(bot, replace(QUICK, board=board + " no-guess"), replace(QUICK, board=board))
    party.pass_time(25_000)
    assert not room(ada)
    assert ada.screen != "offer"
    party.do(bob := party.friend("Bob"), OpenMenu("people"), Pick("people", "quick"))
    assert room(bob)


def test_one_address_with_many_guests_does_not_fill_the_list_of_who_waits(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.records.quick.MAX_WAITING", 3)
    for number in range(30):
        eve = party.friend(address="192.0.2.66", key=b"")
        eve.send(replace(QUICK, board=f"30x16/{50 + number}"))
        assert said(eve) == "quick.wait" or menu(eve)[0].endswith("waits for 30x16/50")
    ada, bob = party.friend("Ada", address="192.0.2.7"), party.friend("Bob", address="192.0.2.8")
    ada.send(QUICK)
    bob.send(QUICK)
    assert said(bob) == "quick.met"


# Leaving at once


def test_the_same_two_do_not_meet_again_within_a_minute_if_one_left_at_once(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, QUICK)
    party.do(bob, QUICK)
    first = room(ada)
    party.do(bob, Command.LEAVE)
    party.do(ada, Command.LEAVE)
    party.pass_time(1_000)
    party.do(ada, QUICK)
    party.do(bob, QUICK)
    party.pass_time(30_000)
    assert room(ada) == room(bob) == ""
    party.pass_time(35_000)
    assert room(ada) == room(bob) not in {"", first}


def test_who_leaves_two_matches_at_once_waits_a_minute_and_starves_nobody(party: Party) -> None:
    eve = party.friend("Eve")
    players = [party.friend(name) for name in ("Ada", "Bob")]
    for player in players:
        party.do(player, QUICK)
        party.do(eve, QUICK)
        assert room(eve) == room(player) != ""
        party.do(eve, Command.LEAVE)
        party.pass_time(1_000)
        # Whoever was left may leave as well, and look for somebody else.
        party.do(player, Command.LEAVE)
        party.pass_time(1_000)
    party.do(eve, QUICK)
    assert text_of(eve).startswith("You left 2 quick matches; wait 5")
    assert eve.members.get("looking") is None
    party.do(cy := party.friend("Cy"), QUICK)
    party.do(dan := party.friend("Dan"), QUICK)
    assert room(cy) == room(dan) != ""
    party.pass_time(60_000)
    party.do(eve, QUICK)
    assert eve.members["looking"]


def test_who_was_left_may_leave_as_often_as_that_happens(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, QUICK)
    party.do(bob, QUICK)
    code = room(ada)
    party.do(ada, Command.LEAVE)
    # The other one has left first: that costs only the first.
    party.do(bob, Command.LEAVE)
    assert code
    for number in range(2):
        party.pass_time(1_000)
        party.do(other := party.friend(f"Other {number}"), QUICK)
        party.do(bob, QUICK)
        assert room(bob) == room(other) != ""
        party.do(other, Command.LEAVE)
        party.do(bob, Command.LEAVE)


def assert_leaver(party: Party, player: Player, left: Player) -> None:
    """Expect a player to wait because of two matches that they left, and the other not to."""
    party.do(player, QUICK)
    assert text_of(player).startswith("You left 2 quick matches")
    party.do(left, QUICK)
    assert left.members["looking"]


def test_who_never_gets_ready_pays_and_not_the_one_who_waited(party: Party) -> None:
    ada, eve = party.friend("Ada"), party.friend("Eve")
    for number in range(2):
        board = replace(QUICK, board=f"30x16/{50 + number}")
        party.do(ada, board)
        party.do(eve, board)
        party.do(ada, Ready())
        party.pass_time(20_000)
        party.do(ada, Command.LEAVE)
        party.do(eve, Command.LEAVE)
        party.pass_time(61_000 if number == 0 else 1_000)
    assert_leaver(party, eve, left=ada)


def test_who_gets_ready_and_leaves_at_once_makes_nobody_pay(party: Party) -> None:
    ada, eve = party.friend("Ada"), party.friend("Eve")
    for number in range(2):
        board = replace(QUICK, board=f"30x16/{50 + number}")
        party.do(ada, board)
        party.do(eve, board)
        party.pass_time(60_000)
        party.do(eve, Ready())
        party.pass_time(19_000)
        party.do(eve, Command.LEAVE)
        party.do(ada, Command.LEAVE)
        party.pass_time(61_000 if number == 0 else 1_000)
    assert_leaver(party, eve, left=ada)


def test_words_on_the_bus_that_mean_nothing_wake_nobody(party: Party) -> None:
    ada = party.friend("Ada")
    party.do(ada, QUICK)
    party.backstage.take_operations()
    for message in (b"met somebody", b"left", b"came"[:3]):
        party.backstage.publish("waiting", message)
    party.look()
    assert not party.backstage.take_operations()
    # Some were missed: look again.
    party.backstage.publish("waiting", b"")
    party.look()
    assert party.backstage.take_operations()


def test_who_finds_the_other_gone_waits_on(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, QUICK)
    # Ada has not been shown anything yet as Bob leaves.
    bob.send(QUICK, Command.LEAVE)
    party.look()
    assert not room(ada)
    assert ada.members["looking"]
    party.do(cy := party.friend("Cy"), QUICK)
    assert room(cy) == room(ada) != ""
    # It was Bob who left, even though Ada had not come.
    party.pass_time(1_000)
    party.do(bob, replace(QUICK, board="30x16/5"))
    party.do(dan := party.friend("Dan"), replace(QUICK, board="30x16/5"))
    party.do(bob, Command.LEAVE)
    party.pass_time(1_000)
    party.do(bob, QUICK)
    assert text_of(bob).startswith("You left 2 quick matches")
    assert dan.members["room"]
