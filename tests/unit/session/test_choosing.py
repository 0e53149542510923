"""From what a player asks for to a game's setup."""

from dataclasses import replace
from datetime import date

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal
from jminesweeper.core.seedcode import daily_setup, format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.protocol.packets import NewGame, Start
from jminesweeper.protocol.vocabulary import FirstRevealCode, GameKind, NewGameFlag, RulesCode
from jminesweeper.session.choosing import (
    ChoiceError,
    setup_of_another,
    setup_of_code,
    setup_of_day,
    setup_of_packet,
    setup_of_same_board,
    setup_of_settings,
    setup_of_start,
)
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Match
from jminesweeper.session.settings import Settings
from tests.unit.session.backstage import CONFIG, DAY_SEEDS
from tests.unit.session.player import SEED, same_seed

DAY = date(2026, 11, 18)
SEED_OF_DAY = DAY_SEEDS.of(DAY) or b""
NO_GUESS, SEEDED = NewGameFlag.NO_GUESS, NewGameFlag.SEEDED
FORMAL = Setup.of(Size(7, 5), 6, "formal", seed=99)


def chosen(packet: NewGame, match: Match | None = None, settings: Settings | None = None) -> Setup:
    return setup_of_packet(packet, settings or Settings(), match, same_seed, config=CONFIG, day=DAY)


def match_of(setup: Setup = FORMAL) -> Match:
    return Match(Game(setup))


class TestStart:
    @pytest.mark.parametrize(
        ("level", "name", "mines"), [(1, "easy", 10), (2, "medium", 50), (3, "hard", 90)]
    )
    def test_it_is_a_level_by_the_rules_of_document_j(
        self, level: int, name: str, mines: int
    ) -> None:
        variant = Variant(name, Size(20, 10), mines, PRESETS["jminesweeper"])
        assert setup_of_start(Start(20, 10, level), same_seed) == Setup(variant, SEED)

    @pytest.mark.parametrize("packet", [Start(0, 1, 1), Start(1, 0, 1), Start(1, 1, 4)])
    def test_what_is_out_of_range_is_an_error_that_says_the_range(self, packet: Start) -> None:
        with pytest.raises(ChoiceError, match="1 to 255, levels 1 to 3"):
            setup_of_start(packet, same_seed)


class TestCode:
    @pytest.mark.parametrize(
        "setup",
        [
            Setup.of("beginner", seed=7),
            Setup.of(Size(20, 10), 10, "jminesweeper", seed=7),
            Setup.of("beginner", rules=replace(PRESETS["kata"], chording=True), seed=7),
        ],
    )
    def test_it_says_everything_about_the_board_which_is_then_a_repeat(self, setup: Setup) -> None:
        found = setup_of_code(f" {format_seed_code(setup).lower()} ")
        assert format_seed_code(found) == format_seed_code(setup)
        assert found.variant.is_repeat
        assert found.variant.label == setup.variant.label

    @pytest.mark.parametrize("code", ["", "no code", "SC1S-MR", "x" * 64])
    def test_anything_else_is_an_error(self, code: str) -> None:
        with pytest.raises(ChoiceError, match="Invalid seed code"):
            setup_of_code(code)


class TestNewGame:
    @pytest.mark.requirement("C:Difficulty Levels")
    @pytest.mark.parametrize(
        ("kind", "name", "size", "mines"),
        [
            (GameKind.BEGINNER, "beginner", Size(9, 9), 10),
            (GameKind.INTERMEDIATE, "intermediate", Size(16, 16), 40),
            (GameKind.EXPERT, "expert", Size(30, 16), 99),
        ],
    )
    def test_presets_have_their_own_boards(
        self, kind: GameKind, name: str, size: Size, mines: int
    ) -> None:
        packet = NewGame(kind, columns=3, rows=3, mines=1, rules=RulesCode.CLASSIC)
        variant = Variant(name, size, mines, PRESETS["classic"])
        assert chosen(packet) == Setup(variant, SEED)

    @pytest.mark.requirement("C:Difficulty Levels")
    def test_an_own_board_is_as_asked_for(self) -> None:
        packet = NewGame(GameKind.OWN, 12, 8, 20, rules=RulesCode.FORMAL)
        variant = Variant("custom", Size(12, 8), 20, PRESETS["formal"])
        assert chosen(packet) == Setup(variant, SEED)

    def test_a_level_may_have_any_rules(self) -> None:
        packet = NewGame(GameKind.LEVEL, 10, 10, level=2, rules=RulesCode.KATA)
        assert chosen(packet).variant == Variant("medium", Size(10, 10), 25, PRESETS["kata"])

    @pytest.mark.parametrize(
        ("code", "first_reveal"),
        [
            (FirstRevealCode.OFF, FirstReveal.OFF),
            (FirstRevealCode.SAFE, FirstReveal.SAFE),
            (FirstRevealCode.ZERO, FirstReveal.ZERO),
            (FirstRevealCode.AS_RULES, FirstReveal.SAFE),
        ],
    )
    def test_the_first_reveal_is_protected_as_asked_for(
        self, code: FirstRevealCode, first_reveal: FirstReveal
    ) -> None:
        packet = NewGame(GameKind.BEGINNER, rules=RulesCode.CLASSIC, first_reveal=code)
        assert chosen(packet).rules.first_reveal is first_reveal

    def test_a_seed_names_the_board_which_may_then_be_known(self) -> None:
        setup = chosen(NewGame(GameKind.BEGINNER, flags=SEEDED, seed=77))
        assert (setup.seed, setup.variant.is_repeat) == (77, True)

    def test_a_seed_that_is_not_meant_is_not_used(self) -> None:
        setup = chosen(NewGame(GameKind.BEGINNER, seed=77))
        assert (setup.seed, setup.variant.is_repeat) == (SEED, False)

    def test_a_board_can_be_asked_for_that_needs_no_guess(self) -> None:
        assert chosen(NewGame(GameKind.BEGINNER, flags=NO_GUESS)).variant.is_no_guess

    @pytest.mark.parametrize(
        ("packet", "reason"),
        [
            (NewGame(99), "no kind of game 99"),
            (NewGame(GameKind.OWN, 0, 5, 3), "No board of 0x5"),
            (NewGame(GameKind.OWN, 5, 0, 3), "No board of 5x0"),
            (NewGame(GameKind.OWN, 5, 5, 0), "has 1 to 24 mines, not 0"),
            (NewGame(GameKind.OWN, 5, 5, 25), "has 1 to 24 mines, not 25"),
            (NewGame(GameKind.OWN, 1, 1, 2), "has 1 to 1 mines, not 2"),
            (NewGame(GameKind.LEVEL, 0, 5, level=1), "No game of 0x5 at level 1"),
            (NewGame(GameKind.LEVEL, 5, 5, level=7), "No game of 5x5 at level 7"),
            (NewGame(GameKind.BEGINNER, rules=4), "no rules 4"),
            (NewGame(GameKind.BEGINNER, first_reveal=3), "first reveal 3"),
        ],
    )
    def test_what_makes_no_sense_is_an_error_that_says_so(
        self, packet: NewGame, reason: str
    ) -> None:
        with pytest.raises(ChoiceError, match=reason):
            chosen(packet)

    def test_one_cell_holds_one_mine(self) -> None:
        assert chosen(NewGame(GameKind.OWN, 1, 1, 1)).mine_count == 1


class TestAgain:
    @pytest.mark.requirement("C:Standard Controls")
    def test_the_same_settings_make_another_board(self) -> None:
        setup = chosen(NewGame(GameKind.SAME_SETTINGS), match_of())
        assert setup == replace(FORMAL, seed=SEED)

    def test_what_marked_the_last_game_is_not_carried_over(self) -> None:
        variant = Setup.of("beginner", seed=1).variant
        marked = replace(variant, daily=DAY, is_repeat=True, is_no_guess=True)
        match = match_of(Setup(marked, 1))
        match.allow_guesses()
        again = setup_of_another(match, same_seed)
        assert again.variant == replace(variant, is_no_guess=True)

    def test_a_board_that_was_laid_by_hand_is_drawn_anew(self) -> None:
        setup = setup_of_another(match_of(Setup.of(Size(3, 3), layout=5)), same_seed)
        assert (setup.seed, setup.layout, setup.mine_count) == (SEED, None, 2)

    def test_the_same_board_is_a_repeat(self) -> None:
        setup = chosen(NewGame(GameKind.SAME_BOARD), match_of())
        assert setup == setup_of_same_board(match_of())
        assert setup.minefield() == FORMAL.minefield()
        assert setup.variant.is_repeat

    def test_the_same_board_has_its_mines_wherever_it_is_begun(self) -> None:
        for seed in range(20):
            match = match_of(Setup.of("beginner", seed=seed))
            match.game.reveal((4, 4))
            again = Game(setup_of_same_board(match))
            again.reveal((0, 0))
            assert again.view == match.game.view

    @pytest.mark.parametrize("kind", [GameKind.SAME_SETTINGS, GameKind.SAME_BOARD])
    def test_before_the_first_game_the_settings_count(self, kind: GameKind) -> None:
        settings = Settings(board="expert")
        assert chosen(NewGame(kind), settings=settings) == Setup.of("expert", seed=SEED)


class TestDaily:
    def test_it_is_the_day_s_board_of_the_engine(self) -> None:
        setup = setup_of_day(CONFIG, "beginner", DAY)
        assert setup == daily_setup(DAY, "beginner", SEED_OF_DAY)
        assert setup.variant.daily == DAY

    @pytest.mark.parametrize(
        ("level", "board", "name"),
        [
            (1, "expert", "beginner"),
            (2, "expert", "intermediate"),
            (3, "beginner", "expert"),
            (0, "intermediate", "intermediate"),
            (0, "custom", "expert"),
        ],
    )
    def test_its_size_is_named_by_the_level_or_the_settings(
        self, level: int, board: str, name: str
    ) -> None:
        packet = NewGame(GameKind.DAILY, level=level)
        assert chosen(packet, settings=Settings(board=board)) == daily_setup(DAY, name, SEED_OF_DAY)

    def test_there_is_none_where_no_store_keeps_a_secret(self) -> None:
        with pytest.raises(ChoiceError, match="no board of the day"):
            setup_of_day(SessionConfig(), "beginner", DAY)


def test_settings_are_played_with_their_rules() -> None:
    settings = Settings(
        board="custom", columns=6, rows=5, mines=4, first_click=FirstReveal.ZERO, no_guess=True
    )
    setup = setup_of_settings(settings, same_seed)
    assert (setup.size, setup.mine_count, setup.seed) == (Size(6, 5), 4, SEED)
    assert setup.rules.first_reveal is FirstReveal.ZERO
    assert setup.variant.is_no_guess
