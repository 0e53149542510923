"""Nothing but the player's own word ends a game that was played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Drop, Load, MoveTo, NewGame, Packet, Save, Start
from jminesweeper.protocol.vocabulary import Command, NewGameFlag
from jminesweeper.records.limits import AUTOMATIC_SAVES
from jminesweeper.session.player import RETRY_AFTER_MS
from jminesweeper.store.port import Fault, StoreUnavailableError
from tests.world.player import BACK, Player, Step, case, table
from tests.world.server import ANONYMOUS, KNOWN, UNDECIDED, World, seated

BOARD = "*..\n...\n..*"
BEGUN = (MoveTo(1, 1), Command.REVEAL)
START = Start(9, 9, 1)
FAULT = StoreUnavailableError(Fault.BROKEN)
KEPT = "Your custom game is kept under Saves."
RESUMED = "Welcome back. Your game continues where you left it."
AUTOMATIC = "That name is for automatic saves. Type another one."
AGAIN = NewGame()
ASKING = NewGame("intermediate", NewGameFlag.AFTER_ASKING)


def begun(*more: Packet) -> tuple[Player, World]:
    player, world = seated(BOARD)
    return player.do(*BEGUN, *more), world


def left_behind() -> World:
    """Somebody's game waits in the store."""
    player, world = begun()
    player.hang_up()
    return world


def open_another(player: Player) -> None:
    """Begin a game of another size and open one cell of it."""
    player.send(NewGame("4x4/3"), Command.REVEAL)


@table(
    [
        case("START", 5_000, START, message=KEPT, solved="0 %", saves=["auto 1"]),
        case("TAB", AGAIN, message=KEPT, solved="0 %", saves=["auto 1"]),
        case("a daily board", NewGame("daily beginner"), message=KEPT, saves=["auto 1"]),
        case("a named board", NewGame("expert"), message=KEPT, saves=["auto 1"]),
        case(
            "the kept game continues as the very same",
            *(5_000, START, Load("auto 1")),
            size="3x3",
            solved="14 %",
            clock="5 s",
            message=RESUMED,
            saves=[],
        ),
        case("one that is over is not kept", MoveTo(0, 0), Command.REVEAL, START, saves=[]),
        case("one that is saved as it stands is not kept twice", Save("a"), START, saves=["a"]),
        case(
            "nor one that its player gives up",
            *(BACK, "Board of the day", "Beginner", "Give up"),
            saves=[],
        ),
        case("nobody saves under such a name", Save("auto 1"), message=AUTOMATIC, saves=[]),
        case("nor under the last one", Save(AUTOMATIC_SAVES[-1]), message=AUTOMATIC, saves=[]),
        case("they can be deleted", START, BACK, "Saves", Drop("auto 1"), saves=[]),
    ]
)
def test_a_new_game_keeps_the_one_it_replaces(
    steps: tuple[Step, ...], seen: dict[str, Any]
) -> None:
    player, _ = begun()
    player.do(*steps).sees(seen)


class TestANewGame:
    def test_until_the_kept_one_continues_it_counts_as_given_up(self) -> None:
        player, world = begun(START)
        assert [game.status for game in world.finished] == [Status.TERMINATED]
        player.send(Load("auto 1"), MoveTo(0, 0), Command.REVEAL)
        (game,) = world.finished
        assert (game.status, game.code, game.variant.is_repeat) == (Status.LOST, "given", True)

    @pytest.mark.parametrize(("times", "kept"), [(1, ["auto 1"]), (2, [])])
    def test_one_is_kept_if_its_board_is_not_as_at_the_start(
        self, times: int, kept: list[str]
    ) -> None:
        player, _ = seated(BOARD)
        player.do(*[Command.TOGGLE_BOMB_MARK] * times, START).sees({"saves": kept})

    def test_without_a_key_there_is_nowhere_to_keep_it(self) -> None:
        player = World().player().do(ANONYMOUS)
        open_another(player)
        player.do(START)
        assert "kept" not in player.message


class TestAutomaticSaves:
    def test_the_oldest_of_three_goes(self) -> None:
        player, world = begun()
        for _ in range(4):
            player.world.let_pass(1_000)
            open_another(player)
        assert sorted(world.saves) == [*AUTOMATIC_SAVES]
        sizes = {str(world.save(name).setup.size) for name in AUTOMATIC_SAVES}
        assert sizes == {"4x4"}

    def test_they_lie_beside_twenty_named_ones(self) -> None:
        player, world = begun()
        for number in range(20):
            player.send(Save(f"save {number}"))
        player.send(Command.TOGGLE_BOMB_MARK, MoveTo(2, 1), Command.REVEAL, START)
        assert len(world.saves) == 21

    def test_resuming_one_keeps_what_runs_in_its_place(self) -> None:
        player, world = begun()
        for _ in range(3):
            player.world.let_pass(1_000)
            open_another(player)
        player.do(Load("auto 1")).sees({"size": "3x3"})
        assert sorted(world.saves) == [*AUTOMATIC_SAVES]
        assert str(world.save("auto 1").setup.size) == "4x4"

    def test_who_resumes_one_plays_a_repeat(self) -> None:
        """Meanwhile they may have seen the board on another device."""
        player, world = begun()
        player.do(START, Load("auto 1")).sees({"remark": "repeat"})
        assert world.running.setup.variant.is_repeat


class TestAGameThatWaits:
    def test_its_player_is_asked_and_may_resume_it(self) -> None:
        player = left_behind().player().do(UNDECIDED)
        assert player.items == ["Resume", "New game"]
        assert player.text.startswith("JMinesweeper Your custom game is waiting\n")
        player.do("Resume").sees({"solved": "14 %", "message": RESUMED})

    def test_the_question_names_both_boards(self) -> None:
        player = left_behind().player().do(START, UNDECIDED)
        assert "Resume  custom 3x3" in player.text
        assert "New game  easy 9x9" in player.text
        player.send(replace(ASKING, board="intermediate"))
        assert "New game  intermediate 16x16" in player.text

    def test_resuming_a_game_that_was_set_aside_leaves_no_copy_of_it(self) -> None:
        world = left_behind()
        player = world.player().do(UNDECIDED, AGAIN)
        assert world.saves == ["auto 1"]
        player.hang_up()
        player = world.player().do(UNDECIDED, Load("auto 1"))
        player.sees({"solved": "14 %", "message": RESUMED, "saves": []})

    @pytest.mark.parametrize("earlier", [(), (START,)])
    def test_n_starts_anew_and_keeps_it(self, earlier: tuple[Packet, ...]) -> None:
        world = left_behind()
        player = world.player().do(*earlier, UNDECIDED, AGAIN)
        player.sees({"screen": "game", "size": "9x9", "message": KEPT, "saves": ["auto 1"]})

    def test_who_wants_a_certain_board_can_be_asked_first(self) -> None:
        player = left_behind().player().do(START, UNDECIDED, ASKING)
        assert player.items == ["Resume", "New game"]
        player.do("Resume").sees({"solved": "14 %", "message": RESUMED})

    @pytest.mark.parametrize("board", ["intermediate", "daily intermediate"])
    def test_and_then_n_begins_it_and_keeps_the_other(self, board: str) -> None:
        world = left_behind()
        player = world.player().do(START, UNDECIDED, replace(ASKING, board=board), "New game")
        player.sees({"screen": "game", "size": "16x16", "message": KEPT, "saves": ["auto 1"]})

    def test_where_none_waits_it_begins_at_once(self) -> None:
        player = World().player().do(START, UNDECIDED, ASKING)
        assert player.entry("size") == "16x16"

    def test_starting_anew_without_a_board_leads_to_the_menu(self) -> None:
        world = left_behind()
        player = world.player().do(UNDECIDED)
        assert "New game" in player.choose("New game").text
        player.do(START).sees({"message": KEPT})

    def test_a_start_in_its_place_sets_it_aside_at_once(self) -> None:
        world = left_behind()
        player = world.player().do(UNDECIDED, START)
        assert [game.status for game in world.finished] == [Status.TERMINATED]
        player.hang_up()
        again = world.player().do(UNDECIDED, START)
        assert world.saves == ["auto 1"], "one copy of it is enough"
        again.do(Load("auto 1")).sees({"solved": "14 %"})
        assert world.finished == []

    def test_a_start_before_hello_does_not_end_it_either(self) -> None:
        world = left_behind()
        player = world.player().do(START, UNDECIDED)
        assert player.items == ["Resume", "New game"]
        player.hang_up()
        assert world.finished == []
        assert world.saves == []

    def test_the_first_action_on_another_board_takes_its_place(self) -> None:
        world = left_behind()
        world.player().do(UNDECIDED, START, Command.TOGGLE_BOMB_MARK)
        assert [game.status for game in world.finished] == [Status.TERMINATED]
        running = world.current()
        assert running is not None
        assert str(running.setup.size) == "9x9"
        assert world.save("auto 1").code == "given"

    def test_what_is_not_kept_is_said_to_end(self) -> None:
        player, world = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, Command.TOGGLE_BOMB_MARK)
        player.hang_up()
        player = world.player().do(UNDECIDED)
        assert player.row("New game")["help"] == "Your first move then ends the waiting game."
        player.send(START)
        assert world.saves == []


class TestAStoreFault:
    def test_a_game_that_could_not_be_claimed_is_kept_beside_the_new_one(self) -> None:
        world = left_behind()
        world.fault = FAULT
        player = world.player().do(KNOWN)
        assert player.message == "The server cannot save right now. You can play on."
        player.send(START, Command.REVEAL)
        world.fault = None
        player.do(RETRY_AFTER_MS, Command.REFRESH)
        player.sees({"size": "9x9", "message": KEPT, "saves": ["auto 1"]})
        player.do(Load("auto 1")).sees({"solved": "14 %"})

    def test_what_could_not_be_kept_at_once_is_kept_later(self) -> None:
        player, world = begun()
        world.fault = FAULT
        player.do(START).sees({"message": KEPT})
        world.fault = None
        world.look_again()
        assert world.saves == ["auto 1"]
        assert player.entry("size") == "9x9"
