"""Saving the game at hand, in passing or under a name that is typed."""

import pytest

from jminesweeper.protocol.packets import Load, MoveTo, Packet, Save, Start, Text
from jminesweeper.protocol.vocabulary import Command, PatchFlag
from jminesweeper.session import messages
from jminesweeper.session.saves import MOST_NAMED_SAVES
from jminesweeper.store import Fault, ListSaves, SaveLabel, StoreUnavailableError
from tests.unit.session.backstage import ADA, ANONYMOUS, ANSI, PLAIN, Backstage, seated
from tests.unit.session.player import Player

BOARD = "*..\n...\n..*"
DOWN = StoreUnavailableError(Fault.FULL)


def only_save(backstage: Backstage) -> SaveLabel:
    """Return the one save there is, as the list shows it."""
    (label,) = backstage.look(ListSaves(ADA))
    assert isinstance(label, SaveLabel)
    return label


def field(player: Player) -> str:
    """Return the text of the field that is shown."""
    (line,) = [line for line in player.text.splitlines() if "Name  [" in line]
    return line.partition("[")[2].removesuffix("]")


def naming(*more: Packet) -> tuple[Player, Backstage]:
    """Somebody whose game is being given a name."""
    player, backstage = seated(BOARD)
    player.send(*more, Command.MENU)
    player.choose("Save")
    return player, backstage


class TestInPassing:
    def test_a_save_without_a_name_has_one_all_the_same(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("\x07"))
        assert player.entry("message") == "Saved as quick save."
        assert backstage.saves == ["quick save"]

    def test_a_paused_game_is_saved_and_says_so(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.PAUSE, Save("one"))
        assert (player.entry("state"), player.entry("message")) == ("paused", "Saved as one.")
        backstage.fault = DOWN
        player.send(Save("two"))
        assert player.entry("message") == str(DOWN)
        player.send(Command.MOVE_RIGHT)
        assert player.entry("message") == messages.PAUSED.text

    @pytest.mark.parametrize("start", [(), (Start(1, 1, 1), Command.REVEAL)])
    def test_only_a_running_game_is_saved(self, start: tuple[Packet, ...]) -> None:
        player = Backstage().player()
        player.send(PLAIN, Start(1, 1, 1), *start, Command.REVEAL, Save("over"))
        assert player.entry("message") == messages.NOTHING_TO_SAVE

    def test_without_a_key_nothing_is_saved(self) -> None:
        player = Backstage().player()
        player.send(ANONYMOUS, Start(9, 9, 1), Save("one"))
        assert player.entry("message") == messages.NO_KEY

    def test_an_error_is_reported_and_the_game_continues(self) -> None:
        player, backstage = seated(BOARD)
        backstage.fault = DOWN
        player.send(Save("one"))
        assert player.entry("message") == str(DOWN)
        assert player.entry("state") == "playing"

    def test_the_board_the_progress_and_the_time_are_saved_with_the_game(self) -> None:
        player, backstage = seated(BOARD)
        player.send(MoveTo(1, 1), Command.REVEAL)
        player.send_after(90_000, Save("half"))
        label = only_save(backstage)
        assert (label.variant.label, int(100 * label.opened_share)) == ("custom 3x3", 14)
        assert (label.clock_ms, label.saved_at_s) == (90_000, 1_000_000_091)


class TestNaming:
    @pytest.mark.requirement("C:Standard Controls")
    def test_a_name_is_typed_and_the_menu_comes_back(self) -> None:
        player, backstage = naming()
        assert player.text.startswith("JMinesweeper Save\n")
        player.send(Text("my"), Text(" "), Text("game"))
        assert field(player) == "my game"
        player.send(Command.REVEAL)
        assert player.text.startswith("JMinesweeper\nscreen: menu\n")
        assert player.entry("message") == "Saved as my game."
        assert backstage.saves == ["my game"]

    def test_the_name_that_is_offered_says_what_is_played(self) -> None:
        player, backstage = naming()
        assert field(player) == "custom 3x3"
        player.send(Command.REVEAL)
        assert backstage.saves == ["custom 3x3"]

    def test_another_game_is_offered_another_name(self) -> None:
        player, backstage = naming()
        for _ in range(2):
            player.send(Command.REVEAL)
            player.choose("Same board again")
            player.send(Command.MENU)
            player.choose("Save")
        assert field(player) == "custom 3x3 3"
        assert sorted(backstage.saves) == ["custom 3x3", "custom 3x3 2"]

    def test_a_game_keeps_its_name_unless_that_was_none(self) -> None:
        player, backstage = naming(Save(""))
        assert field(player) == "custom 3x3"
        player.send(Text("one"), Command.REVEAL)
        player.choose("Save")
        assert field(player) == "one"
        player.send(Command.REVEAL)
        assert player.entry("message") == "Saved as one."
        assert sorted(backstage.saves) == ["one", "quick save"]

    def test_a_loaded_game_has_the_name_of_its_save(self) -> None:
        player, _ = naming(Save("half"), Load("half"))
        assert field(player) == "half"

    def test_esc_saves_nothing(self) -> None:
        player, backstage = naming()
        player.send(Text("one"), Command.MENU)
        assert "Save" in player.items
        assert backstage.saves == []

    @pytest.mark.parametrize("typed", ["", "   ", "\x1b\n\u202e"])
    def test_an_empty_name_is_refused(self, typed: str) -> None:
        player, backstage = naming()
        player.send(*[Command.ERASE] * 20, Text(typed), Command.REVEAL)
        assert player.entry("message") == messages.NO_NAME
        assert backstage.saves == []

    def test_a_long_and_hostile_name_is_cut_and_cleaned(self) -> None:
        player, backstage = naming()
        player.send(*[Text("\x1b]0;evil\x07abcdefghij" * 5)] * 20, Command.REVEAL)
        (name,) = backstage.saves
        assert len(name) == 64
        assert name.isprintable()
        assert name.startswith("]0;evilabcdefghij]0;evil")

    def test_a_name_that_is_taken_is_not_taken_away_unasked(self) -> None:
        player, backstage = naming(Save("one"), Start(9, 9, 1))
        player.send(Text("one"), Command.REVEAL)
        assert player.text.startswith("JMinesweeper This name is taken\n")
        player.choose("Choose another name")
        assert field(player) == "one"
        player.send(Command.REVEAL)
        player.choose("Replace it")
        assert player.entry("message") == "Saved as one."
        assert str(only_save(backstage).variant.size) == "9x9"

    def test_a_store_that_is_full_leaves_the_name_where_it_is(self) -> None:
        player, backstage = seated(BOARD)
        for number in range(MOST_NAMED_SAVES):
            player.send(Save(f"save {number}"))
        player.send(Command.MENU)
        player.choose("Save")
        player.send(Text("one more"), Command.REVEAL)
        assert "delete one first" in player.entry("message")
        assert field(player) == "one more"
        assert len(backstage.saves) == MOST_NAMED_SAVES

    def test_without_the_list_of_saves_no_name_is_asked_for(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.MENU)
        backstage.fault = DOWN
        player.choose("Save")
        assert "Save" in player.items
        assert player.entry("message") == str(DOWN)

    def test_letters_are_text_in_the_field_alone(self) -> None:
        player, _ = seated(BOARD, hello=ANSI)
        player.send(Command.MENU)
        flags = []
        packets: list[Packet] = [*[Command.MOVE_DOWN] * 6, Command.REVEAL, Text("x"), Command.MENU]
        for packet in packets:
            player.send(packet)
            flags.append(bool(PatchFlag.TAKES_TEXT & player.patch.flags))
        assert flags == [False] * 6 + [True, True, False]


def test_a_saved_game_comes_back_as_it_was() -> None:
    player, _ = seated(BOARD)
    player.send(Command.TOGGLE_BOMB_MARK, MoveTo(2, 1), Save("half"))
    player.send(MoveTo(1, 0), Command.REVEAL, Load("half"))
    assert player.board.splitlines() == ["F??", "???", "???"]
    assert player.entry("cursor") == "2 1"
