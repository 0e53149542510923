"""What is asked before a running game is given up for something else."""

import pytest

from jminesweeper.core.grid import Grid
from jminesweeper.protocol.packets import Drop, Load, MoveTo, NewGame, Packet, Save, Start, Undo
from jminesweeper.protocol.vocabulary import Command, GameKind
from tests.unit.session.backstage import ANONYMOUS, Backstage, seated
from tests.unit.session.player import BACK, Player, cells_of, minefield_of

BOARD = "*..\n...\n..*"
QUESTION = "JMinesweeper Give up this game?\n"
BEGUN = (MoveTo(1, 1), Command.REVEAL)


def begun(*more: Packet) -> tuple[Player, Backstage]:
    """Somebody before the menu, whose game has been begun."""
    player, backstage = seated(BOARD)
    player.send(*BEGUN, *more, BACK)
    return player, backstage


def choose_beginner(player: Player) -> str:
    player.choose("New game")
    return player.choose("Beginner")


def enter_code(player: Player) -> str:
    player.choose("Seed code")
    return player.choose("Play a code", "92GB-0ZF1-F1A4-3BH4")


def load_other(player: Player) -> str:
    player.choose("Saves")
    return player.choose("other")


WAYS = {
    "new game": choose_beginner,
    "board of the day": lambda player: player.walk("Board of the day", "Beginner"),
    "same board": lambda player: player.walk("New game", "Same board again"),
    "code": enter_code,
    "load": load_other,
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_game_that_was_begun_is_not_given_up_unasked(way: str) -> None:
    player, _ = begun(Save("other"), Command.TOGGLE_BOMB_MARK, MoveTo(0, 0), Command.REVEAL, Undo())
    assert WAYS[way](player).startswith(QUESTION)
    player.choose("Give up")
    assert player.screen == "game"
    assert player.entry("solved") == ("14 %" if way == "load" else "0 %")


def test_one_that_was_only_looked_at_is(way: str) -> None:
    player, _ = seated(BOARD)
    player.send(*BEGUN, Save("other"), Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, BACK)
    WAYS[way](player)
    assert player.screen == "game"


def test_one_that_has_ended_is_over(way: str) -> None:
    player, _ = begun(Save("other"), MoveTo(0, 0), Command.REVEAL)
    WAYS[way](player)
    assert player.screen == "game"
    assert player.entry("state") == "playing"


def test_one_that_is_saved_as_it_is_now_is_not_lost(way: str) -> None:
    player, _ = begun(Save("other"))
    WAYS[way](player)
    assert player.screen == "game"


@pytest.mark.parametrize("packets", [(Command.TOGGLE_BOMB_MARK,), (Undo(),), (Drop("one"),)])
def test_an_action_after_the_save_or_the_end_of_the_save_puts_it_at_stake(
    packets: tuple[Packet, ...],
) -> None:
    player, _ = begun(MoveTo(2, 1), Command.REVEAL, Save("one"), Save("two"), Save("one"), *packets)
    assert player.walk("Board of the day", "Beginner").startswith(QUESTION)


def test_a_loaded_game_is_at_stake_from_its_next_action_on() -> None:
    player, _ = begun(Save("one"), Load("one"))
    player.walk("Board of the day", "Beginner")
    assert player.entry("size") == "9x9"
    player.send(Load("one"), Command.TOGGLE_BOMB_MARK, BACK)
    assert player.walk("Board of the day", "Beginner").startswith(QUESTION)


def test_choosing_to_continue_closes_the_menus() -> None:
    player, _ = begun()
    choose_beginner(player)
    player.choose("Keep playing")
    assert (player.entry("size"), player.entry("solved")) == ("3x3", "14 %")
    player.send(BACK)
    assert player.row("New game")["value"].startswith("custom 3x3")


def test_esc_leads_back_to_the_menu_before() -> None:
    player, _ = begun()
    choose_beginner(player)
    player.send(BACK)
    assert player.text.startswith("JMinesweeper New game\n")


def test_what_is_chosen_is_kept_only_with_the_game_that_is_begun() -> None:
    player, _ = begun()
    player.choose("New game")
    player.choose("Expert")
    player.send(BACK, BACK)
    assert player.row("New game")["value"].startswith("custom 3x3, 2 mines")


def test_saving_first_asks_for_a_name_and_then_begins_the_other_game(way: str) -> None:
    player, backstage = begun(Save("other"), Command.TOGGLE_BOMB_MARK, MoveTo(2, 1), Command.REVEAL)
    WAYS[way](player)
    player.choose("Save first")
    assert player.text.startswith("JMinesweeper Save\n")
    player.choose("Name", "mine")
    assert player.screen == "game"
    assert {*backstage.saves} == {"mine", "other"}
    player.send(Load("mine"))
    assert player.entry("solved") == "28 %"


def test_not_saving_after_all_leads_back_to_the_question() -> None:
    player, backstage = begun()
    player.walk("Board of the day", "Beginner")
    player.choose("Save first")
    assert player.send(BACK).startswith(QUESTION)
    assert backstage.saves == []


def test_a_save_that_is_gone_gives_nothing_up() -> None:
    player, _ = begun(Save("other"), Command.TOGGLE_BOMB_MARK, MoveTo(2, 1), Command.REVEAL)
    player.choose("Saves")
    player.choose("other")
    player.send(Drop("other"))
    player.choose("Give up")
    assert player.message == "There is no such saved game."
    player.send(BACK)
    assert player.entry("solved") == "28 %"


def test_without_a_key_nothing_can_be_saved_and_going_on_comes_first() -> None:
    player = Backstage().player()
    start = Start(20, 10, 1)
    safe, *_ = cells_of(field := minefield_of(start), ~field.mines & Grid.of(field.size).mask)
    player.send(ANONYMOUS, start, MoveTo(*safe), Command.REVEAL, BACK)
    assert player.walk("Board of the day", "Beginner").startswith(QUESTION)
    assert player.items == ["Give up", "Keep playing"]
    assert player.members["menu"]["selected"] == "no"


def test_quitting_at_the_question_leaves_the_game_to_wait() -> None:
    player, backstage = begun()
    player.walk("Board of the day", "Beginner")
    player.send(Command.QUIT)
    kept = backstage.running
    assert str(kept.setup.size) == "3x3"
    assert kept.entries


@pytest.mark.parametrize(
    "packet",
    [Start(9, 9, 1), NewGame(GameKind.SAME_SETTINGS), NewGame(GameKind.DAILY, level=1)],
)
def test_who_says_on_the_wire_what_to_play_is_not_asked(packet: Packet) -> None:
    player, _ = seated(BOARD)
    player.send(*BEGUN, packet)
    assert (player.screen, player.entry("solved")) == ("game", "0 %")


def test_a_start_packet_answers_the_question_too() -> None:
    player, _ = begun()
    player.walk("Board of the day", "Beginner")
    player.send(Start(5, 5, 1))
    assert (player.screen, player.entry("size")) == ("game", "5x5")
