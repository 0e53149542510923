"""Nothing but the player's own word ends a game that was played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Drop, Load, MoveTo, NewGame, Packet, Pick, Save, Start
from jminesweeper.protocol.vocabulary import Command, GameKind, NewGameFlag
from jminesweeper.records.limits import AUTOMATIC_SAVES
from jminesweeper.session.account import RETRY_AFTER_MS
from jminesweeper.store.errors import Fault, StoreUnavailableError
from tests.unit.session.backstage import ANONYMOUS, KNOWN, UNDECIDED, Backstage, seated
from tests.unit.session.player import BACK, Player

BOARD = "*..\n...\n..*"
BEGUN = (MoveTo(1, 1), Command.REVEAL)
START = Start(9, 9, 1)
FAULT = StoreUnavailableError(Fault.BROKEN)
KEPT = "Your custom game is kept under Saves."
AGAIN = NewGame(GameKind.SAME_SETTINGS)
ASKING = NewGame(GameKind.INTERMEDIATE, level=2, rules=1, flags=NewGameFlag.AFTER_ASKING)


def begun(*more: Packet) -> tuple[Player, Backstage]:
    player, backstage = seated(BOARD)
    player.send(*BEGUN, *more)
    return player, backstage


def left_behind() -> Backstage:
    """Somebody's game waits in the store."""
    player, backstage = begun()
    player.hang_up()
    return backstage


def open_another(player: Player) -> None:
    """Begin a game of another size and open one cell of it."""
    player.send(NewGame(GameKind.OWN, 4, 4, 3, rules=1), Command.REVEAL)


class TestANewGame:
    @pytest.mark.parametrize(
        "packet",
        [START, AGAIN, NewGame(GameKind.DAILY, level=1), NewGame(GameKind.EXPERT, rules=1)],
    )
    def test_it_keeps_the_one_it_replaces(self, packet: Packet) -> None:
        player, backstage = begun()
        player.send_after(5_000, packet)
        assert player.message == KEPT
        assert player.entry("solved") == "0 %"
        assert backstage.saves == ["auto 1"]

    def test_the_kept_game_continues_as_the_very_same(self) -> None:
        player, backstage = begun()
        player.send_after(5_000, START)
        player.send(Load("auto 1"))
        assert (player.entry("size"), player.entry("solved")) == ("3x3", "14 %")
        assert player.entry("clock") == "5 s"
        assert player.message == "Welcome back. Your game continues where you left it."
        assert backstage.saves == []
        player.send(MoveTo(0, 0), Command.REVEAL)
        (game,) = backstage.finished
        assert (game.status, game.code, game.variant.is_repeat) == (Status.LOST, "given", False)

    def test_until_then_it_counts_as_given_up(self) -> None:
        _, backstage = begun(START)
        assert [game.status for game in backstage.finished] == [Status.TERMINATED]

    def test_one_in_which_cells_were_only_flagged_is_kept_too(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, START)
        assert player.message == KEPT
        assert backstage.saves == ["auto 1"]
        player.send(Load("auto 1"))
        assert player.entry("mines left") == "1"

    def test_one_whose_board_is_as_at_the_start_is_not_kept(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, Command.TOGGLE_BOMB_MARK, START)
        assert backstage.saves == []

    def test_one_that_is_over_is_not_kept(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.REVEAL, START)
        assert backstage.saves == []

    def test_one_that_is_saved_as_it_stands_is_not_kept_twice(self) -> None:
        _, backstage = begun(Save("mine"), START)
        assert backstage.saves == ["mine"]

    def test_without_a_key_there_is_nowhere_to_keep_it(self) -> None:
        player = Backstage().player()
        player.send(ANONYMOUS)
        open_another(player)
        player.send(START)
        assert "kept" not in player.message

    def test_giving_up_is_the_players_own_word(self) -> None:
        player, backstage = begun(BACK)
        player.walk("Board of the day", "Beginner")
        player.choose("Give up")
        assert backstage.saves == []
        assert [game.status for game in backstage.finished] == [Status.TERMINATED]


class TestAutomaticSaves:
    def test_the_oldest_of_three_goes(self) -> None:
        player, backstage = begun()
        for _ in range(4):
            player.now_ms += 1_000
            open_another(player)
        assert sorted(backstage.saves) == [*AUTOMATIC_SAVES]
        sizes = {str(backstage.save(name).setup.size) for name in AUTOMATIC_SAVES}
        assert sizes == {"4x4"}

    def test_they_lie_beside_twenty_named_ones(self) -> None:
        player, backstage = begun()
        for number in range(20):
            player.send(Save(f"save {number}"))
        player.send(Command.TOGGLE_BOMB_MARK, MoveTo(2, 1), Command.REVEAL, START)
        assert len(backstage.saves) == 21

    @pytest.mark.parametrize("name", AUTOMATIC_SAVES)
    def test_nobody_saves_under_their_names(self, name: str) -> None:
        player, backstage = begun(Save(name))
        assert player.message == "That name is for automatic saves. Type another one."
        assert backstage.saves == []

    def test_resuming_one_keeps_what_runs_in_its_place(self) -> None:
        player, backstage = begun()
        for _ in range(3):
            player.now_ms += 1_000
            open_another(player)
        player.send(Load("auto 1"))
        assert player.entry("size") == "3x3"
        assert sorted(backstage.saves) == [*AUTOMATIC_SAVES]
        assert str(backstage.save("auto 1").setup.size) == "4x4"

    def test_they_are_listed_and_can_be_deleted(self) -> None:
        player, backstage = begun(START, BACK)
        player.choose("Saves")
        assert "auto 1" in player.text
        player.send(Drop("auto 1"))
        assert backstage.saves == []

    def test_who_may_have_seen_the_board_elsewhere_plays_a_repeat(self) -> None:
        player, backstage = seated(BOARD)
        player.send(START, Command.REVEAL, START)
        player.send(Load("auto 1"))
        assert player.entry("remark") == "repeat"
        assert backstage.running.setup.variant.is_repeat

    def test_a_copy_of_a_game_that_was_finished_is_a_repeat(self) -> None:
        player, backstage = begun()
        kept = None
        player.send(START)
        kept = backstage.save("auto 1")
        player.send(Load("auto 1"), MoveTo(0, 0), Command.REVEAL)
        backstage.put_save("auto 1", kept)
        player.send(Load("auto 1"), MoveTo(0, 0), Command.REVEAL)
        repeats = [game.variant.is_repeat for game in backstage.finished]
        # They come in the order of their codes.
        assert sorted(repeats) == [False, True]


class TestAGameThatWaits:
    def test_its_player_is_asked(self) -> None:
        player = left_behind().player()
        player.send(UNDECIDED)
        assert player.items == ["Resume", "New game"]
        assert player.text.startswith("JMinesweeper Your custom game is waiting\n")

    def test_return_resumes_it(self) -> None:
        player = left_behind().player()
        player.send(UNDECIDED, Pick("resume", "resume"))
        assert (player.entry("solved"), player.message) == (
            "14 %",
            "Welcome back. Your game continues where you left it.",
        )

    def test_the_question_names_both_boards(self) -> None:
        player = left_behind().player()
        player.send(START, UNDECIDED)
        assert "Resume  custom 3x3" in player.text
        assert "New game  easy 9x9" in player.text
        player.send(replace(ASKING, kind=GameKind.INTERMEDIATE))
        assert "New game  intermediate 16x16" in player.text

    def test_resuming_a_game_that_was_set_aside_leaves_no_copy_of_it(self) -> None:
        backstage = left_behind()
        player = backstage.player()
        player.send(UNDECIDED, AGAIN)
        assert backstage.saves == ["auto 1"]
        player.hang_up()
        player = backstage.player()
        player.send(UNDECIDED, Load("auto 1"))
        assert (player.entry("solved"), player.message) == (
            "14 %",
            "Welcome back. Your game continues where you left it.",
        )
        assert backstage.saves == []

    @pytest.mark.parametrize("earlier", [(), (START,)])
    def test_n_starts_anew_and_keeps_it(self, earlier: tuple[Packet, ...]) -> None:
        backstage = left_behind()
        player = backstage.player()
        player.send(*earlier, UNDECIDED, AGAIN)
        assert (player.screen, player.entry("size")) == ("game", "9x9")
        assert player.message == KEPT
        assert backstage.saves == ["auto 1"]

    def test_who_wants_a_certain_board_can_be_asked_first(self) -> None:
        player = left_behind().player()
        player.send(START, UNDECIDED, ASKING)
        assert player.items == ["Resume", "New game"]
        player.choose("Resume")
        assert (player.entry("solved"), player.message) == (
            "14 %",
            "Welcome back. Your game continues where you left it.",
        )

    @pytest.mark.parametrize("kind", [GameKind.INTERMEDIATE, GameKind.DAILY])
    def test_and_then_n_begins_it_and_keeps_the_other(self, kind: GameKind) -> None:
        backstage = left_behind()
        player = backstage.player()
        player.send(START, UNDECIDED, replace(ASKING, kind=kind), Pick("resume", "new"))
        assert (player.screen, player.entry("size")) == ("game", "16x16")
        assert player.message == KEPT
        assert backstage.saves == ["auto 1"]

    def test_where_none_waits_it_begins_at_once(self) -> None:
        player = Backstage().player()
        player.send(START, UNDECIDED, ASKING)
        assert player.entry("size") == "16x16"

    def test_starting_anew_without_a_board_leads_to_the_menu(self) -> None:
        backstage = left_behind()
        player = backstage.player()
        player.send(UNDECIDED)
        assert "New game" in player.choose("New game")
        player.send(START)
        assert player.message == KEPT

    def test_a_start_in_its_place_sets_it_aside_at_once(self) -> None:
        backstage = left_behind()
        player = backstage.player()
        player.send(UNDECIDED, START)
        assert [game.status for game in backstage.finished] == [Status.TERMINATED]
        player.hang_up()
        again = backstage.player()
        again.send(UNDECIDED, START)
        assert backstage.saves == ["auto 1"], "one copy of it is enough"
        again.send(Load("auto 1"))
        assert again.entry("solved") == "14 %"
        assert backstage.finished == []

    def test_a_start_before_hello_does_not_end_it_either(self) -> None:
        backstage = left_behind()
        player = backstage.player()
        player.send(START, UNDECIDED)
        assert player.items == ["Resume", "New game"]
        player.hang_up()
        assert backstage.finished == []
        assert backstage.saves == []

    def test_the_first_action_on_another_board_takes_its_place(self) -> None:
        backstage = left_behind()
        player = backstage.player()
        player.send(UNDECIDED, START, Command.TOGGLE_BOMB_MARK)
        assert [game.status for game in backstage.finished] == [Status.TERMINATED]
        running = backstage.current()
        assert running is not None
        assert str(running.setup.size) == "9x9"
        assert backstage.save("auto 1").code == "given"

    def test_what_is_not_kept_is_said_to_end(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, Command.TOGGLE_BOMB_MARK)
        player.hang_up()
        player = backstage.player()
        player.send(UNDECIDED)
        assert player.row("New game")["help"] == "Your first move then ends the waiting game."
        player.send(START)
        assert backstage.saves == []


class TestAStoreFault:
    def test_a_game_that_could_not_be_claimed_is_kept_beside_the_new_one(self) -> None:
        backstage = left_behind()
        backstage.fault = FAULT
        player = backstage.player()
        player.send(KNOWN)
        assert player.message == "The server cannot save right now. You can play on."
        player.send(START, Command.REVEAL)
        backstage.fault = None
        player.send_after(RETRY_AFTER_MS, Command.REFRESH)
        assert player.entry("size") == "9x9"
        assert player.message == KEPT
        assert backstage.saves == ["auto 1"]
        player.send(Load("auto 1"))
        assert player.entry("solved") == "14 %"

    def test_what_could_not_be_kept_at_once_is_kept_later(self) -> None:
        player, backstage = begun()
        backstage.fault = FAULT
        player.send(START)
        assert player.message == KEPT
        backstage.fault = None
        backstage.look_again()
        assert backstage.saves == ["auto 1"]
        assert player.entry("size") == "9x9"
