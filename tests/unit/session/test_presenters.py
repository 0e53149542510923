"""How screens go out."""

from dataclasses import replace

import pytest

from jminesweeper.core import ActionKind, Cell, Size
from jminesweeper.protocol import (
    ANNOUNCEMENT,
    Direction,
    PacketReader,
    PatchFlag,
    ScreenContent,
    ScreenPatch,
    Start,
)
from jminesweeper.screen import (
    GameScreen,
    MenuItem,
    MenuScreen,
    Message,
    PageScreen,
    Taste,
    Terminal,
    Typing,
)
from jminesweeper.session import SessionConfig, messages
from jminesweeper.session.orders import order_start
from jminesweeper.session.presenters import (
    AnsiPresenter,
    ClassicPresenter,
    PlainPresenter,
    Presenter,
    announce,
)
from jminesweeper.session.table import Table
from tests.unit.session.backstage import a_play
from tests.unit.session.player import same_seed

PAGE = PageScreen("Page", ["line"])


def a_game() -> GameScreen:
    play = a_play("*..\n...\n...")
    return GameScreen(play.game.view(), Cell(1, 1), "custom 3x3", 0)


def read(reply: bytes) -> ScreenContent | ScreenPatch:
    (packet,) = PacketReader(Direction.FROM_SERVER).feed(reply)
    assert isinstance(packet, ScreenContent | ScreenPatch)
    return packet


class TestClassic:
    @pytest.fixture
    def table(self) -> Table:
        table = Table(SessionConfig(), same_seed)
        table.begin(order_start(Start(20, 10, 1), same_seed), 0)
        return table

    def test_before_the_first_game_it_is_the_welcome(self) -> None:
        reply = ClassicPresenter().present(Table(SessionConfig(), same_seed), 0)
        assert b"Start a game to play" in read(reply).text

    def test_the_same_screen_is_the_same_frame(self, table: Table) -> None:
        presenter = ClassicPresenter()
        assert presenter.present(table, 0) == presenter.present(table, 999)

    def test_a_frame_follows_cursor_clock_message_and_field(self, table: Table) -> None:
        presenter = ClassicPresenter()
        frames = [presenter.present(table, 0)]
        table.move(1, 0, 0)
        frames.append(presenter.present(table, 0))
        table.act(ActionKind.FLAG, 0)
        frames.append(presenter.present(table, 0))
        frames.append(presenter.present(table, 1_000))
        table.say("Hm.")
        frames.append(presenter.present(table, 1_000))
        table.begin(order_start(Start(5, 5, 1), same_seed), 0)
        frames.append(presenter.present(table, 1_000))
        assert len(set(frames)) == len(frames)
        assert [frame for frame in frames if frame != ClassicPresenter().present(table, 1_000)]
        assert frames[-1] == ClassicPresenter().present(table, 1_000)

    def test_the_default_game_fits_one_segment(self, table: Table) -> None:
        presenter = ClassicPresenter()
        for row in range(10):
            for column in range(20):
                table.move_to(Cell(column, row), 0)
                table.act(ActionKind.FLAG, 0)
                assert len(presenter.present(table, 0)) < 1_448

    def test_a_paused_board_is_hidden(self, table: Table) -> None:
        table.pause(0)
        text = read(ClassicPresenter().present(table, 0)).text
        assert b"Paused" in text
        assert text.count(b"?") == 2, "only in the sequences that switch line wrapping"

    def test_the_announcement_comes_before_everything(self) -> None:
        reply = ClassicPresenter().present(Table(SessionConfig(), same_seed), 0)
        assert read(announce(reply)).text == ANNOUNCEMENT + read(reply).text


class TestAnsi:
    @pytest.fixture
    def presenter(self) -> AnsiPresenter:
        return AnsiPresenter(Terminal(80, 24), Taste(has_unicode=False))

    def flags(self, reply: bytes) -> PatchFlag:
        packet = read(reply)
        assert isinstance(packet, ScreenPatch)
        return PatchFlag(packet.flags)

    def test_the_first_patch_paints_everything_and_the_next_only_what_changed(
        self, presenter: AnsiPresenter
    ) -> None:
        assert PatchFlag.FULL_REPAINT in self.flags(presenter.present(a_game()))
        same = read(presenter.present(a_game()))
        assert same.text == b""

    def test_clock_and_work_are_told(self, presenter: AnsiPresenter) -> None:
        presenter.present(a_game())
        assert PatchFlag.CLOCK_RUNS not in self.flags(presenter.present(a_game()))
        flags = self.flags(presenter.present(replace(a_game(), clock_runs=True)))
        assert PatchFlag.CLOCK_RUNS in flags

    def test_a_field_takes_text(self, presenter: AnsiPresenter) -> None:
        field = MenuScreen("Save", [MenuItem("Name", typing=Typing.TEXT)], 0)
        assert PatchFlag.TAKES_TEXT in self.flags(presenter.present(field))
        assert PatchFlag.TAKES_TEXT not in self.flags(presenter.present(PAGE))

    def test_it_knows_where_a_page_stopped_that_was_scrolled(
        self, presenter: AnsiPresenter
    ) -> None:
        presenter.present(replace(PAGE, lines=["line"] * 40, first_line=99))
        assert presenter.first_line == 40 - 21

    def test_the_last_screen_comes_whole(self, presenter: AnsiPresenter) -> None:
        presenter.present(PAGE)
        flags = self.flags(presenter.present(PAGE, is_last=True))
        assert PatchFlag.FULL_REPAINT | PatchFlag.LAST_SCREEN in flags

    def test_another_size_and_another_taste_repaint(self, presenter: AnsiPresenter) -> None:
        presenter.present(PAGE)
        presenter.dress(Taste(has_unicode=False))
        assert PatchFlag.FULL_REPAINT not in self.flags(presenter.present(PAGE))
        presenter.dress(Taste(has_unicode=True))
        assert PatchFlag.FULL_REPAINT in self.flags(presenter.present(PAGE))
        presenter.resize(Terminal(100, 30))
        assert PatchFlag.FULL_REPAINT in self.flags(presenter.present(PAGE))

    def test_what_is_painted_can_be_found(self, presenter: AnsiPresenter) -> None:
        presenter.present(a_game())
        cells = {presenter.locate(column, row) for column in range(80) for row in range(24)} - {
            None
        }
        assert len(cells) == Size(3, 3).cells


class TestPlain:
    def test_every_screen_is_whole(self) -> None:
        presenter = PlainPresenter()
        model = replace(a_game(), message=Message("Hm."))
        first, second = read(presenter.present(model)), read(presenter.present(model))
        assert first == second
        assert isinstance(first, ScreenContent)
        assert b"message: Hm." in first.text

    def test_letters_are_told_as_they_are_written(self) -> None:
        model = replace(a_game(), message=Message(messages.DEBUG_ON))
        text = read(PlainPresenter().present(model)).text
        assert b"message: Debug mode: b is a bomb, f a bomb under a flag." in text

    def test_it_has_no_places_no_size_and_no_looks(self) -> None:
        presenter: Presenter = PlainPresenter()
        before = presenter.present(PAGE)
        presenter.resize(Terminal(1, 1))
        presenter.dress(Taste())
        assert presenter.present(PAGE) == before
        assert presenter.locate(0, 0) is None

    def test_the_last_screen_says_so(self) -> None:
        last = read(PlainPresenter().present(PAGE, is_last=True))
        assert isinstance(last, ScreenPatch)
        assert last.flags == PatchFlag.LAST_SCREEN
