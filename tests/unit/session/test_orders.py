"""From what a player asks for to a game's setup."""

from dataclasses import replace

import pytest

from jminesweeper.core import (
    DIFFICULTIES,
    PRESETS,
    FirstReveal,
    Game,
    Setup,
    Size,
    daily_setup,
    format_seed_code,
)
from jminesweeper.protocol import FirstRevealCode, GameKind, NewGame, NewGameFlag, RulesCode, Start
from jminesweeper.session.orders import (
    Order,
    OrderError,
    order_again,
    order_code,
    order_daily,
    order_packet,
    order_repeat,
    order_settings,
    order_start,
)
from jminesweeper.session.play import Play
from jminesweeper.session.settings import FirstClick, Settings
from jminesweeper.session.titles import Title
from tests.unit.session.player import SEED, same_seed

DAY = "2026-11-18"
NO_GUESS, SEEDED = NewGameFlag.NO_GUESS, NewGameFlag.SEEDED


def order(packet: NewGame, play: Play | None = None, settings: Settings | None = None) -> Order:
    return order_packet(packet, settings or Settings(), play, DAY, same_seed)


def a_play(title: Title | None = None) -> Play:
    setup = Setup(Size(7, 5), 6, PRESETS["formal"], seed=99)
    return Play(Game(setup), title or Title("custom"))


class TestStart:
    @pytest.mark.parametrize(
        ("level", "name", "mines"), [(1, "easy", 10), (2, "medium", 50), (3, "hard", 90)]
    )
    def test_it_is_a_level_by_the_rules_of_document_j(
        self, level: int, name: str, mines: int
    ) -> None:
        ordered = order_start(Start(20, 10, level), same_seed)
        setup = Setup(Size(20, 10), mines, PRESETS["jminesweeper"], seed=SEED)
        assert ordered == Order(setup, Title(name))

    @pytest.mark.parametrize("packet", [Start(0, 1, 1), Start(1, 0, 1), Start(1, 1, 4)])
    def test_what_is_out_of_range_is_an_error_that_says_the_range(self, packet: Start) -> None:
        with pytest.raises(OrderError, match="1 to 255, levels 1 to 3"):
            order_start(packet, same_seed)


class TestCode:
    @pytest.mark.parametrize(
        ("setup", "name"),
        [
            (Setup(Size(9, 9), 10, PRESETS["classic"], seed=7), "beginner"),
            (Setup(Size(20, 10), 10, PRESETS["jminesweeper"], seed=7), "custom"),
            (
                Setup(Size(9, 9), 10, replace(PRESETS["kata"], chording=True), seed=7),
                "beginner",
            ),
        ],
    )
    def test_it_says_everything_about_the_board_which_counts_as_a_repeat(
        self, setup: Setup, name: str
    ) -> None:
        ordered = order_code(f" {format_seed_code(setup).lower()} ")
        assert format_seed_code(ordered.setup) == format_seed_code(setup)
        assert ordered.title == Title(name, is_repeat=True)

    @pytest.mark.parametrize("code", ["", "no code", "SC1S-MR", "x" * 64])
    def test_what_is_none_is_an_error(self, code: str) -> None:
        with pytest.raises(OrderError, match="no code, or there is a typing mistake"):
            order_code(code)


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
        ordered = order(NewGame(kind, columns=3, rows=3, mines=1, rules=RulesCode.CLASSIC))
        assert ordered.setup == Setup(size, mines, PRESETS["classic"], seed=SEED)
        assert ordered.title == Title(name)

    @pytest.mark.requirement("C:Difficulty Levels")
    def test_an_own_board_is_as_asked_for(self) -> None:
        ordered = order(NewGame(GameKind.OWN, 12, 8, 20, rules=RulesCode.FORMAL))
        assert ordered.setup == Setup(Size(12, 8), 20, PRESETS["formal"], seed=SEED)
        assert ordered.title == Title("custom")

    def test_a_level_may_have_any_rules(self) -> None:
        ordered = order(NewGame(GameKind.LEVEL, 10, 10, level=2, rules=RulesCode.KATA))
        assert (ordered.setup.mine_count, ordered.setup.rules.name) == (25, "kata")
        assert ordered.title == Title("medium")

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
        assert order(packet).setup.rules.first_reveal is first_reveal

    def test_a_seed_names_the_board_which_may_then_be_known(self) -> None:
        ordered = order(NewGame(GameKind.BEGINNER, flags=SEEDED, seed=77))
        assert (ordered.setup.seed, ordered.title.is_repeat) == (77, True)

    def test_a_seed_that_is_not_meant_is_not_used(self) -> None:
        ordered = order(NewGame(GameKind.BEGINNER, seed=77))
        assert (ordered.setup.seed, ordered.title.is_repeat) == (SEED, False)

    def test_a_board_can_be_asked_for_that_needs_no_guess(self) -> None:
        assert order(NewGame(GameKind.BEGINNER, flags=NO_GUESS)).title.is_no_guess

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
        with pytest.raises(OrderError, match=reason):
            order(packet)

    def test_one_cell_holds_one_mine(self) -> None:
        assert order(NewGame(GameKind.OWN, 1, 1, 1)).setup.mine_count == 1


class TestAgain:
    @pytest.mark.requirement("C:Standard Controls")
    def test_the_same_settings_make_another_board(self) -> None:
        ordered = order(NewGame(GameKind.SAME_SETTINGS), a_play())
        assert ordered == Order(replace(a_play().game.setup, seed=SEED), Title("custom"))

    def test_what_marked_the_last_game_is_not_carried_over(self) -> None:
        play = a_play(Title("beginner", DAY, is_repeat=True, is_no_guess=True))
        play.give_up_no_guess()
        assert order_again(play, same_seed).title == Title("beginner", is_no_guess=True)

    def test_a_board_that_was_laid_by_hand_is_drawn_anew(self) -> None:
        play = Play(Game(Setup.of_layout(Size(3, 3), 5, PRESETS["classic"])), Title("custom"))
        setup = order_again(play, same_seed).setup
        assert (setup.seed, setup.layout, setup.mine_count) == (SEED, None, 2)

    def test_the_same_board_is_a_repeat(self) -> None:
        ordered = order(NewGame(GameKind.SAME_BOARD), a_play())
        assert ordered == order_repeat(a_play())
        assert ordered.setup == a_play().game.setup
        assert ordered.title.is_repeat

    @pytest.mark.parametrize("kind", [GameKind.SAME_SETTINGS, GameKind.SAME_BOARD])
    def test_before_the_first_game_the_settings_count(self, kind: GameKind) -> None:
        assert order(NewGame(kind)) == order_settings(Settings(), same_seed)


class TestDaily:
    def test_it_is_the_day_s_board_of_the_engine(self) -> None:
        ordered = order_daily("beginner", DAY)
        assert ordered.setup == daily_setup(DAY, DIFFICULTIES["beginner"])
        assert ordered.title == Title("beginner", DAY)

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
        assert order(packet, settings=Settings(board=board)).title == Title(name, DAY)


class TestOrder:
    def test_settings_are_ordered_with_their_rules(self) -> None:
        settings = Settings(board="custom", columns=6, rows=5, mines=4, first_click=FirstClick.ZERO)
        ordered = order_settings(settings, same_seed)
        assert (ordered.setup.size, ordered.setup.mine_count) == (Size(6, 5), 4)
        assert ordered.setup.rules.first_reveal is FirstReveal.ZERO

    def test_a_repeat_is_another_game_than_the_one_with_the_code(self) -> None:
        ordered = order_daily("beginner", DAY).under("code")
        assert ordered.code == "code"
        assert ordered.as_repeat().code == ""
