"""A game from its first action to its end."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from _pytest.mark import ParameterSet

from jminesweeper.core.actions import MAX_AT_MS, Action, ActionKind, pack_entry
from jminesweeper.core.errors import ActionError, CellError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, MineEffect, Rules, Victory
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import ONGOING, Status, parse_board
from tests.unit.core.boards import make, picture, play

ALL = " ".join(PRESETS)
RULES = {
    **PRESETS,
    "alone": replace(PRESETS["classic"], auto_open=False),
    "formal-chords": replace(PRESETS["formal"], chording=True),
}
CORNERS = "* . . . .\n. . . . .\n. . . . *"
ISLAND = f"{CORNERS}\n. . . . ."
PINCHED = ". * . *\n. . . .\n. . * ."
ACROSS = ". . *\n. . .\n* . ."
STAIRS = ". . . .\n. . . .\n. . . .\n. . . *\n. . * ."


@dataclass(frozen=True)
class Moves:
    """Moves on a board by some rules, those in brackets without effect, and what is seen then."""

    board: str
    rules: str
    moves: str
    seen: str

    def check(self) -> None:
        for rules in self.rules.split():
            game = play(self.board, RULES[rules])
            for move in filter(None, self.moves.split(", ")):
                before = game.view
                changed = make(game, move.strip("()")) == [True]
                assert changed is (move[0] != "("), (rules, move)
                assert changed or game.view == before, (rules, move)
            assert f"{picture(game)} {game.status.value}" == self.seen, rules
            assert game.was_played is bool(self.moves)


def case(
    name: str, rules: str, moves: str, seen: str, *requirements: str, board: str = CORNERS
) -> ParameterSet:
    marks = [pytest.mark.requirement(*requirements)] if requirements else []
    return pytest.param(Moves(board, rules, moves, seen), id=name, marks=marks)


REVEALS = [
    case("all cells are covered at first", ALL, "", "????? ????? ????? ongoing",
         "J:Minesweeper gameplay rules", "C:Game Setup", "E:53b0466c"),
    case("a number is shown and the game continues", ALL, "reveal 1 0",
         "?1??? ????? ????? ongoing",
         "E:39ca2c9a", "E:7161862a", "F:reveal", "J:reveal number", "C:Cell Revelation"),
    case("a mine loses at once", ALL, "flag 1 0, reveal 0 0", "X!??? ????? ????B lost",
         "E:b9dd5682", "J:reveal bomb", "J:lose", "F:V.Game.loss_condition", "C:Losing Condition"),
    case("a flagged cell stays as it is", ALL, "flag 0 0, (reveal 0 0)",
         "F???? ????? ????? ongoing", "E:78c5c6b6"),
    case("a visible cell stays as it is without chording", "jminesweeper kata formal",
         "reveal 1 0, flag 0 0, (reveal 1 0), (chord 1 0)", "F1??? ????? ????? ongoing",
         "E:707ea419", "J:reveal revealed"),
    case("nothing is revealed after the end", ALL,
         "reveal 0 0, (reveal 1 0), (reveal 4 2), (chord 0 0)", "X???? ????? ????B lost",
         "E:7c0354cf", "J:terminal state"),
    case("a zero opens alone where nothing spreads", "alone", "reveal 2 0",
         "??.?? ????? ????? ongoing", "C:Cell Revelation"),
]  # fmt: skip
FLAGS = [
    case("a covered cell becomes flagged", ALL, "flag 2 1", "????? ??F?? ????? ongoing",
         "E:077c330a", "E:2ab18af2", "F:flag", "F:flags", "C:Flagging"),
    case("a flagged cell becomes covered", ALL, "flag 2 1, flag 2 1", "????? ????? ????? ongoing",
         "E:340c33a7", "F:remove_flag", "C:Flagging"),
    case("a visible cell stays as it is", ALL, "reveal 1 0, (flag 1 0)",
         "?1??? ????? ????? ongoing", "E:f003796c"),
    case("nothing is flagged after the end", ALL,
         "flag 1 1, reveal 0 0, (flag 1 0), (flag 1 1)", "X???? ?!??? ????B lost",
         "E:46675b82", "J:terminal state"),
]  # fmt: skip
CHAINS = [
    case("four sides reach this far", "jminesweeper", "reveal 0 0", ".1? 1?? ??? ongoing",
         "J:flood fill", board=ACROSS),
    case("eight sides reach further", "kata", "reveal 0 0", ".1? 12? ??? ongoing",
         "J:flood fill", board=ACROSS),
    case("it spreads up to the numbers", "classic kata formal", "reveal 0 0",
         ".... .... ..11 .12? .1?? ongoing", "E:b9c080c6", "E:7293c5bc", "C:Cell Revelation",
         "F:V.Empty.revealed_empty_tile_reveals_adjacents", board=STAIRS),
    case("it opens flagged cells and no mine", "classic kata formal",
         "flag 2 0, flag 1 0, flag 4 2, reveal 0 3", "?1... 11.11 ...1F ...1? ongoing",
         "E:de17fa41", "J:flood fill", board=ISLAND),
    case("it wins by taking off the last wrong flag", "jminesweeper",
         "flag 2 1, flag 0 0, flag 4 2, reveal 2 0", "F1... 11.11 ...1F won",
         "J:win", "E:de17fa41"),
]  # fmt: skip
CHORDS = [
    *(
        case(f"all other cells around open by a {click}", "classic",
             f"reveal 1 1, flag 1 0, flag 2 2, {click} 1 1", "1F2? 123? .1F? ongoing",
             "E:5484072c", "E:961c88b1", "C:Chord-Clicking", "E:707ea419", board=PINCHED)
        for click in ("reveal", "chord")
    ),
    case("nothing happens without a flag", "classic", "reveal 1 1, (reveal 1 1), (chord 1 1)",
         "???? ?2?? ???? ongoing", "C:Chord-Clicking", board=PINCHED),
    case("nothing happens with too few flags", "classic",
         "reveal 1 1, flag 1 0, (reveal 1 1), (chord 1 1)", "?F?? ?2?? ???? ongoing",
         "C:Chord-Clicking", board=PINCHED),
    case("nothing happens with too many flags", "classic",
         "reveal 1 1, flag 1 0, flag 2 2, flag 0 0, (reveal 1 1), (chord 1 1)",
         "FF?? ?2?? ??F? ongoing", "C:Chord-Clicking", board=PINCHED),
    case("a mine loses as normal", "classic", "reveal 0 0, flag 0 1, reveal 0 0",
         "1X? !1? lost", "E:85c38ac5", "C:Chord-Clicking", board=". * .\n. . ."),
    case("the first of several mines goes off alone", "classic",
         "reveal 1 1, flag 0 0, flag 2 2, chord 1 1", "!1X 121 B1! lost",
         "F:V.Game.at_most_one_uncovered_mine", board=ACROSS),
]  # fmt: skip
ENDS = [
    case("flags on all mines and nowhere else win", "jminesweeper formal",
         "flag 0 0, flag 1 0, flag 4 2, flag 1 0", "F???? ????? ????F won",
         "J:win", "F:V.Game.victory_condition"),
    case("flags on all mines and one more do not win", "jminesweeper formal",
         "flag 0 0, flag 1 0, flag 4 2", "FF??? ????? ????F ongoing", "J:win"),
    case("every safe cell visible wins and flags the mines", "classic", "reveal 2 0, reveal 0 1",
         "F1. 11. won", "C:Winning Condition", "C:Mine Counter", "F:V.Game.victory_condition",
         board="* . .\n. . ."),
    case("every safe cell visible wins", "kata formal", "reveal 2 0, reveal 0 1", "B1. 11. won",
         "C:Winning Condition", "F:V.Game.victory_condition", board="* . .\n. . ."),
    case("one mine on one cell is won by flagging it", "jminesweeper", "flag 0 0", "F won",
         "J:win", board="*"),
    case("a chord on the last safe cells and a mine is lost", "formal-chords",
         "reveal 0 0, flag 1 1, chord 0 0", "1X 1! lost",
         "F:V.Game.loss_condition", "F:V.Game.victory_condition", board=". *\n. ."),
    case("a running game can be ended before its time", ALL,
         "reveal 1 0, terminate, (reveal 2 0), (flag 0 0), (undo), (hint), (terminate)",
         "B1??? ????? ????B terminated", "F:terminate_game"),
    case("a lost game cannot be ended again", ALL, "reveal 0 0, (terminate)",
         "X???? ????? ????B lost", "F:terminate_game"),
]  # fmt: skip


@pytest.mark.parametrize("moves", REVEALS)
def test_a_left_click_reveals_a_covered_cell(moves: Moves) -> None:
    moves.check()


@pytest.mark.parametrize("moves", FLAGS)
def test_a_right_click_flags_a_covered_cell(moves: Moves) -> None:
    moves.check()


@pytest.mark.parametrize("moves", CHAINS)
def test_zeros_open_their_surroundings(moves: Moves) -> None:
    moves.check()


@pytest.mark.parametrize("moves", CHORDS)
def test_a_left_click_on_a_number_with_its_flags_opens_the_rest(moves: Moves) -> None:
    moves.check()


@pytest.mark.parametrize("moves", ENDS)
def test_a_game_ends_as_its_rules_say(moves: Moves) -> None:
    moves.check()


def test_a_cell_off_the_board_is_an_error_and_leaves_no_trace() -> None:
    game = play(CORNERS, "classic")
    with pytest.raises(CellError):
        game.reveal(Cell(5, 0), 10)
    assert len(game.log) == 0


class TestFirstReveal:
    """Rules that protect the first reveal."""

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


@pytest.mark.requirement("F:terminate_game")
def test_giving_up_is_logged_where_a_game_was_played() -> None:
    fresh, played = play(CORNERS, "classic"), play(CORNERS, "classic", "reveal 1 0")
    assert fresh.terminate()
    assert played.terminate()
    assert not fresh.terminate()
    assert (fresh.was_played, fresh.status) == (False, Status.TERMINATED)
    assert Game.replay(played.setup, played.log.entries).status is Status.TERMINATED


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
