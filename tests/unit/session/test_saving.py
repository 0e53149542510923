"""Saving the game at hand, in passing or under a name that is typed."""

import pytest

from jminesweeper.protocol.packets import Load, MoveTo, OpenMenu, Packet, Save, Start
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.documents import Save as Label
from jminesweeper.records.limits import MAX_NAMED_SAVES
from jminesweeper.session.names import LONGEST_NAME
from jminesweeper.store.errors import Fault, StoreUnavailableError
from tests.unit.session.backstage import ANONYMOUS, KNOWN, Backstage, seated
from tests.unit.session.player import BACK, Player

BOARD = "*..\n...\n..*"
DOWN = StoreUnavailableError(Fault.FULL)


def only_save(backstage: Backstage) -> Label:
    """Return the one save there is, as the list shows it."""
    (label,) = backstage.held().document.saves.values()
    return label


def field(player: Player) -> str:
    """Return the name that is offered."""
    value: str = player.row("Name")["value"]
    return value


def naming(*more: Packet) -> tuple[Player, Backstage]:
    """Somebody whose game is being given a name."""
    player, backstage = seated(BOARD)
    player.send(*more, BACK)
    player.walk("Saves", "Save this game")
    return player, backstage


class TestInPassing:
    def test_a_save_without_a_name_has_one_all_the_same(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("\x07"))
        assert player.message == "Saved as quick save."
        assert backstage.saves == ["quick save"]

    def test_a_paused_game_is_saved_and_says_so(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.PAUSE, Save("one"))
        assert (player.entry("state"), player.message) == ("paused", "Saved as one.")
        backstage.fault = DOWN
        player.send(Save("two"))
        assert player.message == str(DOWN)
        player.send(Command.MOVE_RIGHT)
        assert player.message == "Paused."

    @pytest.mark.parametrize("start", [(), (Start(1, 1, 1), Command.REVEAL)])
    def test_only_a_running_game_is_saved(self, start: tuple[Packet, ...]) -> None:
        player = Backstage().player()
        player.send(KNOWN, Start(1, 1, 1), *start, Command.REVEAL, Save("over"))
        assert player.message == "There is no game to save."

    def test_without_a_key_nothing_is_saved(self) -> None:
        player = Backstage().player()
        player.send(ANONYMOUS, Start(9, 9, 1), Save("one"))
        assert player.message == "Nothing is saved here: the server does not know you."

    def test_an_error_is_reported_and_the_game_continues(self) -> None:
        player, backstage = seated(BOARD)
        backstage.fault = DOWN
        player.send(Save("one"))
        assert player.message == str(DOWN)
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
    def test_a_name_is_typed_and_the_list_comes_back(self) -> None:
        player, backstage = naming()
        assert player.screen == "save"
        player.choose("Name", "my game")
        assert player.screen == "saves"
        assert player.message == "Saved as my game."
        assert player.items == ["Save this game", "my game"]
        assert backstage.saves == ["my game"]

    def test_the_name_that_is_offered_says_what_is_played(self) -> None:
        player, _ = naming()
        assert field(player) == "custom 3x3"

    def test_another_game_is_offered_another_name(self) -> None:
        player, backstage = naming()
        for _ in range(2):
            player.choose("Name", field(player))
            player.send(OpenMenu("boards"))
            player.choose("Same board again")
            player.send(OpenMenu("saves"))
            player.choose("Save this game")
        assert field(player) == "custom 3x3 3"
        assert sorted(backstage.saves) == ["custom 3x3", "custom 3x3 2"]

    def test_a_game_keeps_its_name_unless_that_was_none(self) -> None:
        player, backstage = naming(Save(""))
        assert field(player) == "custom 3x3"
        player.choose("Name", "one")
        player.choose("Save this game")
        assert field(player) == "one"
        player.choose("Name", "one")
        assert player.message == "Saved as one."
        assert sorted(backstage.saves) == ["one", "quick save"]

    def test_a_loaded_game_has_the_name_of_its_save(self) -> None:
        player, _ = naming(Save("half"), Load("half"))
        assert field(player) == "half"

    def test_who_goes_back_saves_nothing(self) -> None:
        player, backstage = naming()
        player.send(BACK)
        assert player.items == ["Save this game"]
        assert backstage.saves == []

    @pytest.mark.parametrize("typed", ["", "   ", "\x1b\n\u202e"])
    def test_an_empty_name_is_refused(self, typed: str) -> None:
        player, backstage = naming()
        player.choose("Name", typed)
        assert player.message == "Type a name."
        assert backstage.saves == []

    def test_a_long_and_hostile_name_is_cut_and_cleaned(self) -> None:
        player, backstage = naming()
        player.choose("Name", "\x1b]0;evil\x07abcdefghij" * 10)
        (name,) = backstage.saves
        assert len(name) == LONGEST_NAME
        assert name.isprintable()
        assert name.startswith("]0;evilabcdefghij]0;evil")

    def test_the_longest_name_can_be_picked_and_dropped(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("\U0001f4a3" * LONGEST_NAME), OpenMenu("saves"))
        player.drop("\U0001f4a3" * LONGEST_NAME)
        player.choose("Delete it")
        assert backstage.saves == []

    def test_a_name_that_is_taken_is_not_taken_away_unasked(self) -> None:
        player, backstage = naming(Save("one"), Start(9, 9, 1))
        player.choose("Name", "one")
        assert player.screen == "replace"
        player.choose("Choose another name")
        player.choose("Name", "one")
        player.choose("Replace it")
        assert player.message == "Saved as one."
        assert str(only_save(backstage).variant.size) == "9x9"

    def test_a_store_that_is_full_asks_for_the_name_again(self) -> None:
        player, backstage = seated(BOARD)
        for number in range(MAX_NAMED_SAVES):
            player.send(Save(f"save {number}"))
        player.open("Saves", "Save this game")
        player.choose("Name", "one more")
        assert "delete one first" in player.message
        assert player.screen == "save"
        assert len(backstage.saves) == MAX_NAMED_SAVES

    def test_without_the_list_of_saves_no_name_is_asked_for(self) -> None:
        player, backstage = seated(BOARD)
        player.send(BACK)
        backstage.fault = DOWN
        player.choose("Saves")
        assert (player.screen, player.message) == ("main", str(DOWN))


def test_a_saved_game_comes_back_as_it_was() -> None:
    player, _ = seated(BOARD)
    player.send(Command.TOGGLE_BOMB_MARK, MoveTo(2, 1), Save("half"))
    player.send(MoveTo(1, 0), Command.REVEAL, Load("half"))
    assert player.board.splitlines() == ["F??", "???", "???"]
    assert player.entry("cursor") == "2 1"
