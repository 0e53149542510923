"""A player on another device."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core.seedcode import draw_code, tidy
from jminesweeper.protocol.packets import Hello, OpenMenu, Start
from jminesweeper.protocol.vocabulary import Command, Feature
from jminesweeper.records.keys import player_id
from jminesweeper.records.players import PlayerCopy, find_player
from jminesweeper.session.player import RETRY_AFTER_MS
from jminesweeper.session.settings_menu import LIFETIME_S, MOST_TRIES, hash_code
from jminesweeper.store.port import Fault, StoreUnavailableError
from tests.world.games import ADA, flagged, waiting
from tests.world.player import BACK, Player, same_seed
from tests.world.server import ANONYMOUS, CONFIG, KNOWN, World, alone, seated

BOARD = "*..\n...\n..."
PHONE = Hello(key=b"p" * 16, features=Feature.RESUME)
BOB = player_id(PHONE.key)
NO_CODE = "No such code. A code works once, for ten minutes."


def offer(player: Player) -> str:
    """Have a code shown, and return it."""
    player.do(OpenMenu("settings"), "Play this game elsewhere")
    return next(line.strip() for line in player.text.splitlines() if line.count("-") == 2)


def phone_at_menu(world: World) -> Player:
    return world.player().do(PHONE)


def take(phone: Player, code: str) -> None:
    phone.do(OpenMenu("settings"), "Bring a game here")
    if phone.screen == "take":
        phone.choose("Code", code)


@pytest.fixture
def world() -> World:
    """Return a store with a game of Ada's that has one flag."""
    world = World()
    world.put(flagged(BOARD, times=1))
    return world


@pytest.fixture
def code(world: World) -> str:
    """Return a code that Ada has on her screen."""
    ada = world.player().do(KNOWN)
    return offer(ada)


def test_a_code_brings_the_game_to_another_device(world: World, code: str) -> None:
    phone = phone_at_menu(world)
    take(phone, code)
    assert phone.entry("mines left") == "0"
    assert phone.connection.key == ADA
    phone.send(Command.MOVE_RIGHT, Command.MOVE_RIGHT, Command.REVEAL)
    game = world.current()
    assert game is not None
    assert game.entries != flagged(BOARD, times=1).entries


def test_the_device_stays_the_player_when_it_comes_back(world: World, code: str) -> None:
    phone = phone_at_menu(world)
    take(phone, code)
    phone.hang_up()
    assert phone_at_menu(world).entry("mines left") == "0"


def test_what_was_played_on_the_device_before_stays_behind(world: World, code: str) -> None:
    world.put(replace(waiting("..*\n...\n..."), code="other"), PHONE.key)
    phone = phone_at_menu(world)
    phone.send(Command.TOGGLE_BOMB_MARK)
    take(phone, code)
    assert phone.entry("mines left") == "0"
    phone.send(Command.TOGGLE_BOMB_MARK)
    held = PlayerCopy(BOB, world.tokens)
    world.run(held.refresh())
    left = world.find(held.document.current)
    assert left is not None
    assert (left.length, world.running.length) == (1, 2)


def test_a_player_without_a_game_brings_statistics_alone(world: World) -> None:
    ada, phone = world.player(), phone_at_menu(world)
    ada.send(Hello(key=b"z" * 16))
    take(phone, offer(ada))
    assert phone.message == "This device now plays as the other one."
    assert phone.screen == "main"


def test_the_store_knows_a_player_before_the_offer() -> None:
    player, world = seated(BOARD)
    player.hang_up()
    new = world.player().do(PHONE)
    assert world.run(find_player(BOB)) is None
    new.walk("Settings", "Play this game elsewhere")
    assert world.run(find_player(BOB)) is not None


def test_no_code_is_in_the_store(world: World) -> None:
    ada = world.player().do(KNOWN)
    world.take_operations()
    code = tidy(offer(ada))
    made = repr(world.commits)
    assert hash_code(code) in made
    assert code not in made


def test_a_code_works_once(world: World, code: str) -> None:
    take(phone_at_menu(world), code)
    other = world.player().do(Hello(key=b"q" * 16))
    take(other, code)
    assert other.message == NO_CODE


def test_a_code_works_for_ten_minutes(world: World, code: str) -> None:
    phone = phone_at_menu(world)
    phone.world.let_pass(LIFETIME_S * 1000)
    take(phone, code)
    assert phone.message == NO_CODE


def test_a_wrong_code_may_be_typed_again(world: World, code: str) -> None:
    phone = phone_at_menu(world)
    take(phone, "no code")
    assert phone.message == NO_CODE
    phone.do(("Code", code)).sees({"mines left": "0"})


def test_nobody_tries_many_codes(world: World, code: str) -> None:
    phone = phone_at_menu(world)
    take(phone, "A")
    for _ in range(MOST_TRIES - 1):
        phone.choose("Code", "A")
    assert phone.message == "Too many wrong codes. Connect again to try another."
    assert "Bring a game here" in phone.items
    phone.choose("Bring a game here")
    assert phone.message == "Too many wrong codes. Connect again to try another."
    take(phone_at_menu(world), code)


def test_who_goes_back_stays_the_same(world: World) -> None:
    phone = phone_at_menu(world)
    phone.walk("Settings", "Bring a game here")
    phone.send(BACK)
    assert phone.connection.key == BOB
    assert "Bring a game here" in phone.items


def test_who_is_not_known_has_nothing_to_move() -> None:
    player = alone(CONFIG)
    player.send(ANONYMOUS, OpenMenu("settings"))
    assert "Play this game elsewhere" not in player.items
    assert "Bring a game here" not in player.items


def test_a_store_that_fails_says_so(world: World, code: str) -> None:
    phone = phone_at_menu(world)
    world.fault = StoreUnavailableError(Fault.FAILING)
    take(phone, code)
    assert phone.message == str(world.fault)
    assert phone.connection.key == BOB


def test_what_ends_while_the_store_is_away_counts_for_the_player_of_the_device(
    world: World, code: str
) -> None:
    take(phone_at_menu(world), code)
    world.fault = StoreUnavailableError(Fault.FAILING)
    phone = phone_at_menu(world)
    phone.send(Start(3, 3, 3))
    while phone.entry("state") == "playing":
        phone.send(Command.TOGGLE_BOMB_MARK, Command.MOVE_RIGHT, Command.REVEAL, Command.MOVE_DOWN)
    world.fault = None
    phone.send_after(RETRY_AFTER_MS, Command.MOVE_DOWN)
    phone.hang_up()
    assert [game.game.seats for game in world.finished] == [(ADA,)]


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("ABCD-E012-3456", "ABCDE0123456"),
        ("abcde0123456", "ABCDE0123456"),
        (" abcd e012 3456 ", "ABCDE0123456"),
        ("OIL", "011"),
        ("", ""),
    ],
)
def test_a_code_is_read_however_it_was_typed(typed: str, code: str) -> None:
    assert tidy(typed) == code


def test_a_code_has_sixty_bits_in_letters_that_nobody_misreads() -> None:
    drawn: list[int] = []

    def tokens(bits: int) -> int:
        drawn.append(bits)
        return (1 << bits) - 1

    assert draw_code(tokens, 12) == "Z" * 12
    assert sum(drawn) == 60
    assert tidy(draw_code(same_seed, 12)) == draw_code(same_seed, 12)
