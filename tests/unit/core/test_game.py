"""A game from its first action to its end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from jminesweeper.core.actions import MAX_AT_MS, Action, ActionKind, pack_entry
from jminesweeper.core.errors import ActionError, ArgumentError, CellError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rules import PRESETS, FirstReveal, MineEffect, Rules, Victory
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import ONGOING, Status
from tests.unit.core.boards import make, picture, play

ALL_PRESETS = pytest.mark.parametrize("rules", PRESETS)
CORNERS = """
* . . . .
. . . . .
. . . . *
"""


@pytest.mark.requirement("J:Minesweeper gameplay rules", "C:Game Setup", "E:53b0466c")
@ALL_PRESETS
def test_all_cells_are_covered_when_a_game_starts(rules: str) -> None:
    game = play(CORNERS, rules)
    assert picture(game) == "????? ????? ?????"
    assert game.status is Status.ONGOING
    assert not game.was_played


class TestReveal:
    """A left click."""

    @pytest.mark.requirement(
        "E:39ca2c9a", "E:7161862a", "F:reveal", "J:reveal number", "C:Cell Revelation"
    )
    @ALL_PRESETS
    def test_a_number_is_shown_and_the_game_continues(self, rules: str) -> None:
        game = play(CORNERS, rules)
        assert make(game, "reveal 1 0") == [True]
        assert picture(game) == "?1??? ????? ?????"
        assert game.status is Status.ONGOING

    @pytest.mark.requirement(
        "E:b9dd5682", "J:reveal bomb", "J:lose", "F:V.Game.loss_condition", "C:Losing Condition"
    )
    @ALL_PRESETS
    def test_a_mine_loses_at_once(self, rules: str) -> None:
        game = play(CORNERS, rules, "flag 1 0", "reveal 0 0")
        assert game.status is Status.LOST
        assert game.exploded == Cell(0, 0)
        assert picture(game) == "X!??? ????? ????B"

    @pytest.mark.requirement("E:78c5c6b6")
    @ALL_PRESETS
    def test_a_flagged_cell_stays_as_it_is(self, rules: str) -> None:
        game = play(CORNERS, rules, "flag 0 0")
        assert make(game, "reveal 0 0") == [False]
        assert picture(game) == "F???? ????? ?????"

    @pytest.mark.requirement("E:707ea419", "J:reveal revealed")
    @pytest.mark.parametrize("rules", ["jminesweeper", "kata", "formal"])
    def test_a_visible_cell_stays_as_it_is_without_chording(self, rules: str) -> None:
        game = play(CORNERS, rules, "reveal 1 0", "flag 0 0")
        assert make(game, "reveal 1 0", "chord 1 0") == [False, False]
        assert picture(game) == "F1??? ????? ?????"

    @pytest.mark.requirement("E:7c0354cf", "J:terminal state")
    @ALL_PRESETS
    def test_nothing_is_revealed_after_the_end(self, rules: str) -> None:
        game = play(CORNERS, rules, "reveal 0 0")
        before = game.view
        assert make(game, "reveal 1 0", "reveal 4 2", "chord 0 0") == [False, False, False]
        assert game.view == before

    @pytest.mark.requirement("C:Cell Revelation")
    def test_a_zero_alone_is_revealed_when_automatic_opening_is_off(self) -> None:
        rules = replace(PRESETS["classic"], auto_open=False)
        assert picture(play(CORNERS, rules, "reveal 2 0")) == "??.?? ????? ?????"

    def test_a_cell_off_the_board_is_an_error_and_leaves_no_trace(self) -> None:
        game = play(CORNERS, "classic")
        with pytest.raises(CellError):
            game.reveal(Cell(5, 0), 10)
        assert len(game.log) == 0


class TestFlag:
    """A right click."""

    @pytest.mark.requirement("E:077c330a", "E:2ab18af2", "F:flag", "F:flags", "C:Flagging")
    @ALL_PRESETS
    def test_a_covered_cell_becomes_flagged(self, rules: str) -> None:
        game = play(CORNERS, rules)
        assert make(game, "flag 2 1") == [True]
        assert picture(game) == "????? ??F?? ?????"
        assert game.view.mines_left == 1

    @pytest.mark.requirement("E:340c33a7", "F:remove_flag", "C:Flagging")
    @ALL_PRESETS
    def test_a_flagged_cell_becomes_covered(self, rules: str) -> None:
        game = play(CORNERS, rules, "flag 2 1")
        assert make(game, "flag 2 1") == [True]
        assert picture(game) == "????? ????? ?????"
        assert game.view.mines_left == 2

    @pytest.mark.requirement("E:f003796c")
    @ALL_PRESETS
    def test_a_visible_cell_stays_as_it_is(self, rules: str) -> None:
        game = play(CORNERS, rules, "reveal 1 0")
        assert make(game, "flag 1 0") == [False]
        assert picture(game) == "?1??? ????? ?????"

    @pytest.mark.requirement("E:46675b82", "J:terminal state")
    @ALL_PRESETS
    def test_nothing_is_flagged_after_the_end(self, rules: str) -> None:
        game = play(CORNERS, rules, "flag 1 1", "reveal 0 0")
        before = game.view
        assert make(game, "flag 1 0", "flag 1 1") == [False, False]
        assert game.view == before


class TestChainReaction:
    """Zeros open their surroundings."""

    @pytest.mark.requirement("J:flood fill")
    def test_four_sides_do_not_reach_what_eight_do(self) -> None:
        board = ". . *\n. . .\n* . ."
        assert picture(play(board, "jminesweeper", "reveal 0 0")) == ".1? 1?? ???"
        assert picture(play(board, "kata", "reveal 0 0")) == ".1? 12? ???"

    @pytest.mark.requirement(
        "E:b9c080c6", "E:7293c5bc", "C:Cell Revelation",
        "F:V.Empty.revealed_empty_tile_reveals_adjacents",
    )  # fmt: skip
    @pytest.mark.parametrize("rules", ["classic", "kata", "formal"])
    def test_it_spreads_to_all_eight_sides_up_to_the_numbers(self, rules: str) -> None:
        game = play(". . . .\n. . . .\n. . . .\n. . . *\n. . * .", rules, "reveal 0 0")
        assert picture(game) == ".... .... ..11 .12? .1??"

    @pytest.mark.requirement("J:flood fill")
    @ALL_PRESETS
    def test_it_never_uncovers_a_mine(self, rules: str) -> None:
        game = play(CORNERS, rules, "reveal 2 1")
        assert not game.visible & game.reveal_truth().mines
        assert game.status is not Status.LOST

    @pytest.mark.requirement("E:de17fa41")
    @ALL_PRESETS
    def test_it_takes_the_flag_off_a_cell_and_opens_it(self, rules: str) -> None:
        game = play(CORNERS + ". . . . .", rules, "flag 2 0", "flag 1 0", "flag 4 2", "reveal 0 3")
        assert game.flagged == game.grid.bit(Cell(4, 2))
        assert game.view.clue(Cell(1, 0)) == 1

    @pytest.mark.requirement("J:win", "E:de17fa41")
    def test_it_wins_by_taking_off_the_last_wrong_flag(self) -> None:
        game = play(CORNERS, "jminesweeper", "flag 2 1", "flag 0 0", "flag 4 2")
        assert not game.status.is_over
        assert make(game, "reveal 2 0") == [True]
        assert game.status is Status.WON


class TestChord:
    """A left click on a number whose flags are set."""

    @pytest.mark.requirement("E:5484072c", "E:961c88b1", "C:Chord-Clicking", "E:707ea419")
    @pytest.mark.parametrize("click", ["reveal", "chord"])
    def test_all_other_covered_cells_around_open_when_the_flags_match(self, click: str) -> None:
        game = play(". * . *\n. . . .\n. . * .", "classic", "reveal 1 1", "flag 1 0", "flag 2 2")
        assert make(game, f"{click} 1 1") == [True]
        assert picture(game) == "1F2? 123? .1F?"

    @pytest.mark.requirement("C:Chord-Clicking")
    @pytest.mark.parametrize("flags", [[], ["flag 1 0"], ["flag 1 0", "flag 2 2", "flag 0 0"]])
    def test_nothing_happens_when_fewer_or_more_flags_are_set(self, flags: list[str]) -> None:
        game = play(". * . *\n. . . .\n. . * .", "classic", "reveal 1 1", *flags)
        before = game.view
        assert make(game, "reveal 1 1", "chord 1 1") == [False, False]
        assert game.view == before

    @pytest.mark.requirement("E:85c38ac5", "C:Chord-Clicking")
    def test_a_mine_loses_as_normal(self) -> None:
        game = play(". * .\n. . .", "classic", "reveal 0 0", "flag 0 1", "reveal 0 0")
        assert game.status is Status.LOST
        assert picture(game) == "1X? !1?"

    @pytest.mark.requirement("F:V.Game.at_most_one_uncovered_mine")
    def test_of_several_mines_the_first_in_reading_order_goes_off_alone(self) -> None:
        board = ". . *\n. . .\n* . ."
        game = play(board, "classic", "reveal 1 1", "flag 0 0", "flag 2 2", "chord 1 1")
        assert game.exploded == Cell(2, 0)
        assert (game.visible & game.reveal_truth().mines).bit_count() == 1
        assert picture(game) == "!1X 121 B1!"


class TestVictory:
    """What wins, in each set of rules."""

    @pytest.mark.requirement("J:win", "F:V.Game.victory_condition")
    @pytest.mark.parametrize("rules", ["jminesweeper", "formal"])
    def test_flags_on_all_mines_and_nowhere_else_win(self, rules: str) -> None:
        game = play(CORNERS, rules, "flag 0 0", "flag 1 0", "flag 4 2")
        assert not game.status.is_over
        assert make(game, "flag 1 0") == [True]
        assert game.status is Status.WON

    @pytest.mark.requirement("C:Winning Condition", "F:V.Game.victory_condition")
    @pytest.mark.parametrize("rules", ["classic", "kata", "formal"])
    def test_every_safe_cell_visible_wins(self, rules: str) -> None:
        game = play("* . .\n. . .", rules, "reveal 2 0", "reveal 0 1")
        assert game.status is Status.WON

    @pytest.mark.requirement("C:Winning Condition", "C:Mine Counter")
    def test_a_classic_win_flags_the_remaining_mines(self) -> None:
        game = play("* . *", "classic", "flag 0 0", "reveal 1 0")
        assert picture(game) == "F2F"
        assert game.view.mines_left == 0

    @pytest.mark.requirement("J:win")
    def test_a_board_of_one_mined_cell_is_won_by_flagging_it(self) -> None:
        assert play("*", "jminesweeper", "flag 0 0").status is Status.WON

    @pytest.mark.requirement("F:V.Game.loss_condition", "F:V.Game.victory_condition")
    def test_a_chord_that_opens_the_last_safe_cells_and_a_mine_is_lost(self) -> None:
        rules = replace(PRESETS["formal"], chording=True)
        game = play(". *\n. .", rules, "reveal 0 0", "flag 1 1", "chord 0 0")
        assert game.status is Status.LOST


class TestFirstReveal:
    """What protects the first reveal."""

    @pytest.mark.requirement("C:First-Click Safety", "C:Game Setup")
    @pytest.mark.parametrize("seed", range(30))
    def test_the_first_reveal_is_safe_where_the_rules_say_so(self, seed: int) -> None:
        game = Game(Setup.of(Size(3, 3), 8, PRESETS["classic"], seed=seed))
        game.reveal(Cell(1, 1), 0)
        assert game.status is Status.WON
        assert game.view.clue(Cell(1, 1)) == 8

    @pytest.mark.requirement("C:First-Click Safety")
    @pytest.mark.parametrize("seed", range(30))
    def test_the_first_reveal_is_a_zero_where_the_rules_say_so(self, seed: int) -> None:
        rules = replace(PRESETS["classic"], first_reveal=FirstReveal.ZERO)
        game = Game(Setup.of(Size(5, 5), 16, rules, seed=seed))
        game.reveal(Cell(2, 2), 0)
        assert game.view.clue(Cell(2, 2)) == 0
        assert game.status is Status.WON

    def test_without_protection_the_first_reveal_may_be_a_mine(self) -> None:
        games = [Game(Setup.of(Size(3, 3), 4, PRESETS["kata"], seed=seed)) for seed in range(60)]
        for game in games:
            game.reveal(Cell(0, 0), 0)
        assert {game.status for game in games} == {Status.LOST, Status.ONGOING}

    def test_a_full_board_cannot_be_made_safe(self) -> None:
        game = Game(Setup.of(Size(2, 2), 4, PRESETS["classic"], seed=1))
        game.reveal(Cell(0, 0), 0)
        assert game.status is Status.LOST

    @pytest.mark.parametrize("seed", range(20))
    def test_only_the_first_reveal_is_protected_also_after_it_is_undone(self, seed: int) -> None:
        game = Game(Setup.of(Size(4, 4), 10, PRESETS["classic"], seed=seed))
        game.reveal(Cell(0, 0), 0)
        mines = game.reveal_truth().mines
        game.undo(1)
        game.reveal(next(game.grid.cells(mines)), 2)
        assert game.status is Status.LOST
        assert game.reveal_truth().mines == mines

    def test_flags_and_clicks_on_flags_do_not_use_up_the_protection(self) -> None:
        setup = Setup.of(Size(4, 4), 10, PRESETS["classic"], seed=5)
        game = Game(setup)
        first, *_, last = game.grid.cells(setup.minefield().mines)
        assert game.flag(first, 0)
        assert not game.reveal(first, 1)
        assert game.reveal(last, 2)
        assert game.status is not Status.LOST
        assert game.reveal_truth() == setup.minefield(last)


class TestUndo:
    """Taking actions back."""

    @pytest.mark.requirement("C:Standard Controls")
    def test_every_step_can_be_taken_back_to_the_start(self) -> None:
        moves = ["flag 0 0", "flag 2 0", "reveal 1 1", "reveal 0 2", "chord 1 1"]
        game = play(CORNERS, "classic")
        seen = []
        for move in moves:
            before = picture(game)
            seen += [before] * make(game, move).count(True)
        for before in reversed(seen):
            assert make(game, "undo") == [True]
            assert picture(game) == before
        assert make(game, "undo") == [False]

    def test_a_loss_can_be_taken_back(self) -> None:
        game = play(CORNERS, "classic", "reveal 1 0", "reveal 0 0")
        assert make(game, "undo") == [True]
        assert (game.status, game.exploded) == (Status.ONGOING, None)
        assert picture(game) == "?1??? ????? ?????"

    @pytest.mark.parametrize("help_taken", ["undo", "hint", "debug"])
    def test_a_game_with_an_undo_a_hint_or_debug_is_assisted_for_good(
        self, help_taken: str
    ) -> None:
        game = play(CORNERS, "classic", "reveal 1 0")
        assert not game.assisted
        make(game, help_taken, "reveal 2 0")
        assert game.assisted

    def test_an_undo_of_nothing_is_no_assistance(self) -> None:
        game = play(CORNERS, "classic", "undo")
        assert not game.assisted
        assert not game.was_played


class TestTerminate:
    """Giving up."""

    @pytest.mark.requirement("F:terminate_game")
    @ALL_PRESETS
    def test_a_running_game_can_be_ended_before_its_time(self, rules: str) -> None:
        game = play(CORNERS, rules, "reveal 1 0")
        assert game.terminate()
        assert game.status is Status.TERMINATED
        assert make(game, "reveal 2 0", "flag 0 0", "undo", "hint") == [False] * 4

    @pytest.mark.requirement("F:terminate_game")
    @pytest.mark.parametrize("end", ["reveal 0 0", "terminate"])
    def test_a_game_that_has_ended_cannot_be_ended_again(self, end: str) -> None:
        game = play(CORNERS, "classic", end)
        status, length = game.status, len(game.log)
        assert not game.terminate()
        assert (game.status, len(game.log)) == (status, length)

    @pytest.mark.requirement("F:terminate_game")
    def test_a_game_that_was_only_started_leaves_no_game_played(self) -> None:
        game = play(CORNERS, "classic")
        assert game.terminate()
        assert game.status is Status.TERMINATED
        assert not game.was_played
        assert not game.terminate()

    def test_giving_up_is_kept_in_the_log_of_a_game_played(self) -> None:
        game = play(CORNERS, "classic", "reveal 1 0")
        game.terminate()
        assert Game.replay(game.setup, game.log.entries).status is Status.TERMINATED


class TestClock:
    """Milliseconds of play."""

    @pytest.mark.requirement("C:Losing Condition", "C:Winning Condition")
    def test_the_clock_stands_at_the_last_action_of_an_ended_game(self) -> None:
        game = play(CORNERS, "classic")
        game.reveal(Cell(1, 0), 0)
        game.reveal(Cell(0, 0), 1234)
        game.reveal(Cell(2, 0), 9999)
        assert game.elapsed_ms == 1234

    def test_time_never_runs_backwards_nor_over(self) -> None:
        game = play(CORNERS, "classic")
        for at_ms in (500, 100, -3, 1 << 70):
            game.flag(Cell(0, 0), at_ms)
        assert [logged.at_ms for logged in game.log] == [500, 500, 500, MAX_AT_MS]

    def test_who_keeps_no_time_leaves_it_out(self) -> None:
        game = play(CORNERS, "classic")
        game.flag(Cell(0, 0), 500)
        game.flag(Cell(0, 0))
        game.apply(Action(ActionKind.UNDO))
        assert [logged.at_ms for logged in game.log] == [500, 500, 500]


def test_each_action_has_a_method_of_its_own() -> None:
    game = play("* . .\n. . .", "classic")
    done = [
        game.flag(Cell(0, 0), 0),
        game.reveal(Cell(1, 0), 1),
        game.chord(Cell(1, 0), 2),
        game.undo(3),
    ]
    assert done == [True, True, True, True]
    assert picture(game) == "F1? ???"


class TestLog:
    """The log is the game."""

    def test_a_log_that_is_replayed_keeps_its_authors(self) -> None:
        setup = play(CORNERS, "classic").setup
        entries = [pack_entry(5, ActionKind.FLAG, 0, author=3), pack_entry(9, ActionKind.UNDO, 0)]
        assert list(Game.replay(setup, entries).log.entries) == entries

    def test_actions_that_changed_nothing_are_logged_while_the_game_runs(self) -> None:
        game = play(CORNERS, "classic", "reveal 1 0", "flag 1 0", "reveal 0 0", "flag 2 0")
        assert [action.kind for _, action, _ in game.log] == [
            ActionKind.REVEAL,
            ActionKind.FLAG,
            ActionKind.REVEAL,
        ]

    def test_an_action_without_what_it_needs_is_an_error(self) -> None:
        game = play(CORNERS, "classic")
        with pytest.raises(ActionError, match="flag needs a cell"):
            game.apply(Action(ActionKind.FLAG), 0)
        with pytest.raises(ActionError, match="hint has no cell"):
            game.apply(Action(ActionKind.HINT, Cell(0, 0)), 0)
        assert not game.was_played

    @pytest.mark.parametrize("index", [5, 18, 60_000])
    def test_a_log_that_names_what_is_no_cell_cannot_be_replayed(self, index: int) -> None:
        setup = play(CORNERS, "classic").setup
        with pytest.raises(ActionError, match=f"cell {index}, which is not on the board"):
            Game.replay(setup, [pack_entry(0, ActionKind.FLAG, index)])

    @pytest.mark.parametrize("kind", [0, 9, 15])
    def test_a_log_with_an_unknown_kind_cannot_be_replayed(self, kind: int) -> None:
        with pytest.raises(ActionError, match=f"no action of kind {kind}"):
            Game.replay(play(CORNERS, "classic").setup, [pack_entry(0, kind, 0)])

    def test_a_log_grown_past_all_sense_takes_no_more_actions_but_can_be_given_up(self) -> None:
        game = play("* .", "classic")
        flags = 0
        while not game.is_full:
            flags += game.flag(Cell(0, 0), 0)
        assert flags == len(game.log) == 2 * 2 + 16_384
        assert not game.flag(Cell(0, 0), 0)
        assert game.terminate()
        assert game.status is Status.TERMINATED

    def test_a_cascade_cannot_be_undone_and_repeated_for_ever(self) -> None:
        size = Size(255, 255)
        game = Game(Setup.of(size, rules=PRESETS["classic"], layout=1))
        while game.reveal(Cell(254, 254), 0):
            game.undo(0)
        assert game.is_full
        assert len(game.log) < 100
        assert Game.replay(game.setup, game.log.entries).is_full

    def test_a_game_reads_as_its_size_and_state_and_not_as_its_mines(self) -> None:
        game = play(CORNERS, "classic", "reveal 1 0")
        assert repr(game) == "<Game 5x3, ongoing, 1 actions>"


def test_a_game_with_a_first_cell_opens_there_wherever_it_is_begun() -> None:
    field = parse_board("* . .\n. . .\n. . .")
    game = Game(Setup.of(field.size, layout=field.mines, first=(2, 2)))
    game.flag((2, 2))
    assert not game.reveal((2, 2))  # a flag protects its cell, as everywhere
    assert game.reveal((0, 0))
    assert picture(game) == "F1. 11. ..."
    assert game.status is Status.WON
    game.undo()
    assert picture(game) == "??? ??? ??F"
    game.flag((2, 2))
    assert game.reveal((0, 0))
    assert game.status is Status.WON


def lives(effect: MineEffect) -> Game:
    field = parse_board("* * * .\n* . . .\n. . . .")
    rules = Rules("own", mine=effect, chording=True)
    return Game(Setup.of(field.size, rules=rules, layout=field.mines))


def test_a_mine_may_cost_a_life_and_is_known_from_then_on() -> None:
    game = lives(MineEffect.LIFE)
    assert game.reveal((0, 0))
    assert (game.status, game.lives_left, game.view.mines_left) == (Status.ONGOING, 2, 3)
    assert picture(game) == "*??? ???? ????"
    assert not any((game.reveal((0, 0)), game.flag((0, 0))))
    game.reveal((1, 0))
    game.undo()
    assert (game.lives_left, picture(game)) == (2, "*??? ???? ????")
    game.reveal((1, 0))
    game.reveal((2, 0))
    assert (game.status, game.exploded, game.lives_left) == (Status.LOST, Cell(2, 0), 0)


def test_a_known_mine_counts_as_flagged_for_a_chord_and_for_who_wins_by_flags() -> None:
    game = lives(MineEffect.LIFE)
    game.reveal((3, 1))
    assert game.reveal((2, 0))
    assert game.chord((3, 1))
    assert game.view[3, 0] == 1
    rules = Rules("own", victory=Victory.FLAGS, mine=MineEffect.LIFE)
    flags = Game(Setup.of(Size(2, 1), rules=rules, layout=1))
    flags.reveal((0, 0))
    assert flags.status is Status.WON


def test_a_mine_may_cost_ten_seconds_of_whoever_hit_it() -> None:
    game = lives(MineEffect.PENALTY)
    assert game.apply(Action(ActionKind.REVEAL, Cell(0, 0)), 1_000, author=3)
    assert (game.status, game.blocked_until_ms(3), game.blocked_until_ms(4)) == (ONGOING, 11_000, 0)
    logged = len(game.log)
    assert not game.apply(Action(ActionKind.FLAG, Cell(1, 0)), 10_999, author=3)
    assert len(game.log) == logged
    assert game.apply(Action(ActionKind.FLAG, Cell(1, 0)), 5_000, author=4)
    assert game.apply(Action(ActionKind.FLAG, Cell(2, 0)), 11_000, author=3)


def test_fifteen_seats_can_act_in_one_game() -> None:
    game = Game(Setup.of("beginner", seed=1))
    for author in range(16):
        game.apply(Action(ActionKind.FLAG, Cell(0, 0)), author=author)
    assert [logged.author for logged in game.log] == list(range(16))
    with pytest.raises(ActionError, match="0 to 15"):
        game.apply(Action(ActionKind.UNDO), author=16)


def test_a_game_is_played_on_a_setup() -> None:
    with pytest.raises(ArgumentError, match="setup must be a Setup, not 'beginner'"):
        Game(cast(Any, "beginner"))
