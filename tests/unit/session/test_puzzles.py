"""Puzzles: the menu, a position, an answer that is judged and stored, and what comes back."""

from __future__ import annotations

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Act, Hint, NewGame, OpenMenu, Start
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.records.keys import game_key
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.reviews import Verdict, read_puzzles, record_review
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import FindHint, FindOdds, FoundHint, FoundOdds
from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Commit, Fault, Put, StoreUnavailableError
from tests.world.games import ADA, NOW_S
from tests.world.player import BACK, SEEN, Player
from tests.world.server import ANONYMOUS, KNOWN, World, alone, seated

BOARD = "*..\n...\n..*"
TODAY = NOW_S // DAY_S
PUZZLES = OpenMenu("puzzles")
HERE = Cell(0, 2)
SAFE = FoundOdds({8: 0, 0: 50}, is_exact=True)
WHY = FoundHint("Reveal (0,2): no mine is left.", HERE, (Cell(1, 1),))


def reveal(cell: Cell) -> Act:
    return Act(*cell, Button.REVEAL, SEEN)


def at_puzzles(*needless: int) -> tuple[Player, World]:
    """Lose a game by its third action, and have it reviewed; the menu of puzzles is open."""
    player, world = seated(BOARD)
    player.do(reveal(Cell(1, 0)), 1_000, reveal(Cell(1, 1)), 1_000, reveal(Cell(0, 0)))
    player.sees({"state": "lost"})
    (game,) = world.finished
    verdict = Verdict(0.5, needless or (2,))
    assert world.run(record_review(game.code, 3, verdict, TODAY, world.tokens))
    return player.do(PUZZLES), world


def due(world: World, days: int = 0) -> int:
    return len(world.run(read_puzzles(ADA)).due(TODAY + days))


def test_the_menu_tells_how_many_there_are() -> None:
    player, _ = at_puzzles(1, 2)
    player.sees({"items": ["Five a day", "All that are due"]})
    assert [player.row(row)["value"] for row in player.items] == ["2 left", "2"]
    player.do(BACK, BACK)
    assert "Puzzles" in player.items


def test_a_puzzle_is_the_position_before_the_guess() -> None:
    player, _ = at_puzzles()
    player.do("Five a day")
    assert player.members["label"] == "puzzle 1 of 1"
    assert player.members["aim"]["text"] == "Where is it safe? Reveal a cell that cannot be a mine."
    assert player.members["keys"] == ["reveal", "hint", "back", "quit"]
    player.sees({"state": "playing", "board": "?1?\n?2?\n???", "cursor": "1 1"})


def test_a_right_answer_is_explained_and_does_not_come_back() -> None:
    player, world = at_puzzles()
    world.hints += [SAFE, WHY]
    player.do("Five a day", reveal(HERE))
    assert player.message == "Right. Reveal (0,2): no mine is left."
    player.sees({"hint": "0 2, 1 1", "board": "?1?\n?2?\n???"})
    assert player.members["keys"] == ["onward", "back", "quit"]
    odds, hint = world.questions[-2:]
    assert isinstance(odds, FindOdds)
    assert isinstance(hint, FindHint)
    assert (odds.cursor, hint.cursor) == (HERE, HERE)
    assert due(world, 9_999) == 0


@pytest.mark.parametrize(("risk", "said"), [(50, "Not safe: 50 % risk"), (100, "A mine")])
def test_a_wrong_answer_is_explained_and_comes_back_tomorrow(risk: int, said: str) -> None:
    player, world = at_puzzles()
    world.hints += [FoundOdds({8: risk}, is_exact=True), WHY]
    player.do("Five a day", reveal(HERE))
    assert player.message == f"{said}. Reveal (0,2): no mine is left."
    assert (due(world), due(world, 1)) == (0, 1)


def test_the_hint_counts_as_missed_and_is_asked_for_once() -> None:
    player, world = at_puzzles()
    world.hints.append(WHY)
    player.do("Five a day", Hint(*HERE), Hint(*HERE))
    player.sees({"hint": "0 2, 1 1"})
    assert (due(world), due(world, 1)) == (0, 1)


def test_any_press_goes_on_and_after_the_last_the_menu_is_back() -> None:
    player, world = at_puzzles(1, 2)
    world.hints += [SAFE, WHY, SAFE, WHY]
    player.do("All that are due").sees({"board": "?1?\n???\n???"})
    player.do(reveal(HERE), reveal(HERE))
    assert player.members["label"] == "puzzle 2 of 2"
    player.sees({"hint": "", "board": "?1?\n?2?\n???", "message": ""})
    player.do(reveal(HERE), reveal(Cell(1, 0)))
    player.sees({"items": ["Five a day", "All that are due"]})
    assert player.row("Five a day")["value"] == "done for today"
    player.do("All that are due")
    assert player.message == "Nothing left today. Missed puzzles come back later."


@pytest.mark.parametrize(
    ("press", "answers", "said"),
    [
        (reveal(Cell(1, 1)), [], "That cell is open. Choose a covered one."),
        (Act(9, 9, Button.REVEAL, 0), [], "There is no cell at (9,9)."),
        (Act(*HERE, Button.FLAG, SEEN), [], ""),
        (reveal(HERE), [None], "The chances were not found in time."),
        (reveal(HERE), [SAFE, None], "No hint was found in time."),
        (Hint(9, 9), [], ""),
        (Hint(*HERE), [None], "No hint was found in time."),
    ],
)
def test_what_is_no_answer_leaves_the_puzzle_as_it_is(
    press: Act | Hint, answers: list[FoundOdds | FoundHint | None], said: str
) -> None:
    player, world = at_puzzles()
    world.hints.extend(answers)
    player.do("Five a day", press)
    player.sees({"message": said, "board": "?1?\n?2?\n???", "hint": ""})
    assert due(world) == 1


def test_an_answer_is_stored_before_it_is_shown() -> None:
    player, world = at_puzzles()
    world.hints += [SAFE, WHY]
    player.do("Five a day")
    world.fault = StoreUnavailableError(Fault.BROKEN)
    player.do(reveal(HERE))
    assert "Right" not in player.message
    world.fault = None
    assert due(world) == 1


def test_back_leads_to_the_menu_and_to_the_game_that_waits() -> None:
    player, _ = at_puzzles()
    player.do(BACK, Start(3, 3, 1), PUZZLES, "Five a day").sees({"board": "?1?\n?2?\n???"})
    player.do(BACK).sees({"items": ["Five a day", "All that are due"]})
    player.do(BACK, BACK).sees({"state": "playing", "board": "???\n???\n???", "label": "easy 3x3"})


def test_a_press_on_any_other_layer_is_no_answer() -> None:
    player, _ = at_puzzles()
    before = player.text
    assert player.do(reveal(HERE), Hint(*HERE)).text == before


def test_one_whose_game_is_gone_is_left_out() -> None:
    player, world = at_puzzles()
    (game,) = world.finished
    perform(world.store, Commit(puts=(Put(game_key(game.code), None),)))
    player.do("Five a day").sees({"items": ["Five a day", "All that are due"]})
    assert due(world) == 0


def test_who_has_none_is_told_where_they_come_from() -> None:
    player, _ = seated(BOARD)
    player.do(BACK, "Puzzles")
    assert player.message == "None yet: your needless guesses become puzzles."


def test_they_need_a_player_whom_the_server_knows_and_a_solver() -> None:
    stranger = World().player().do(ANONYMOUS, NewGame("beginner"), PUZZLES)
    assert stranger.message == "Nothing is saved here: the server does not know you."
    plain = alone(SessionConfig()).do(KNOWN, NewGame("beginner"), PUZZLES)
    assert plain.message


def test_a_new_game_ends_them() -> None:
    player, _ = at_puzzles()
    player.do("Five a day", NewGame("beginner"))
    player.sees({"state": "playing", "label": "beginner 9x9"})
    player.do(Command.REFRESH).sees({"state": "playing"})
