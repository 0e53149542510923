"""How screens go out."""

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.protocol.packets import Hello, Resize, ScreenContent, ScreenPatch, Start, View
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Command, Direction, Glyphs, PatchFlag
from jminesweeper.screen.models import (
    ColourDepth,
    GameScreen,
    MenuItem,
    MenuScreen,
    Message,
    PageScreen,
    Palette,
    ScreenModel,
    Taste,
    Terminal,
    Typing,
)
from jminesweeper.session import messages
from jminesweeper.session.presenters import (
    AnsiPresenter,
    CellsPresenter,
    PlainPresenter,
    Presenter,
    announce,
    resized,
    terminal_of,
)
from tests.unit.session.backstage import waiting
from tests.unit.session.player import Player

PAGE = PageScreen("Page", ["line"])


def a_game() -> GameScreen:
    game = Game(waiting("*..\n...\n...").setup)
    return GameScreen(game.view, Cell(1, 1), "custom 3x3", 0)


def read(reply: bytes) -> ScreenContent | ScreenPatch:
    (packet,) = PacketReader(Direction.FROM_SERVER).feed(reply)
    assert isinstance(packet, ScreenContent | ScreenPatch)
    return packet


class TestClassic:
    @pytest.fixture
    def player(self) -> Player:
        player = Player()
        player.send(Start(20, 10, 1), Command.REFRESH)
        return player

    def test_the_same_screen_is_the_same_frame(self, player: Player) -> None:
        before = player.frame
        player.send_after(999, Command.REFRESH)
        assert player.frame == before

    def test_a_frame_follows_cursor_clock_message_and_field(self, player: Player) -> None:
        frames = [player.frame]
        for packet in (Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK):
            player.send(packet)
            frames.append(player.frame)
        player.send_after(1_000, Command.REFRESH)
        frames.append(player.frame)
        player.send(Start(0, 0, 0))
        frames.append(player.frame)
        player.send(Start(5, 5, 1))
        frames.append(player.frame)
        assert len(set(frames)) == len(frames)

    def test_a_frame_does_not_depend_on_what_was_shown_before(self, player: Player) -> None:
        packets = (Start(5, 5, 2), Command.MOVE_DOWN, Command.TOGGLE_BOMB_MARK, Command.MOVE_DOWN)
        player.send(Command.REVEAL, Command.TOGGLE_BOMB_MARK, Start(9, 5, 1), *packets)
        other = Player()
        other.send(Command.REFRESH, *packets)
        assert player.frame == other.frame

    def test_the_default_game_fits_one_segment(self, player: Player) -> None:
        for _ in range(10):
            sideways = [Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK] * 20
            player.send(*sideways, *[Command.MOVE_LEFT] * 19, Command.MOVE_DOWN)
        assert max(len(reply.text) for reply in player.replies) < 1_400

    def test_a_paused_board_is_hidden(self, player: Player) -> None:
        player.send(Command.PAUSE)
        assert b"Paused" in player.frame
        assert player.frame.count(b"?") == 2, "only in the sequences that switch line wrapping"

    def test_the_announcement_comes_before_everything(self) -> None:
        reply = PlainPresenter().present(PAGE)
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

    def test_it_says_whether_the_clock_runs(self, presenter: AnsiPresenter) -> None:
        presenter.present(a_game())
        assert PatchFlag.CLOCK_RUNS not in self.flags(presenter.present(a_game()))
        flags = self.flags(presenter.present(a_game()._replace(clock_runs=True)))
        assert PatchFlag.CLOCK_RUNS in flags

    def test_a_field_takes_text(self, presenter: AnsiPresenter) -> None:
        field = MenuScreen("Save", [MenuItem("Name", typing=Typing.TEXT)], 0)
        assert PatchFlag.TAKES_TEXT in self.flags(presenter.present(field))
        assert PatchFlag.TAKES_TEXT not in self.flags(presenter.present(PAGE))

    def test_it_knows_where_a_page_stopped_that_was_scrolled(
        self, presenter: AnsiPresenter
    ) -> None:
        presenter.present(PAGE._replace(lines=["line"] * 40, first_line=99))
        assert presenter.first_line == 40 - 21

    def test_the_last_screen_comes_whole(self, presenter: AnsiPresenter) -> None:
        presenter.present(PAGE)
        flags = self.flags(presenter.present(PAGE, PatchFlag.LAST_SCREEN))
        assert PatchFlag.FULL_REPAINT | PatchFlag.LAST_SCREEN in flags

    def test_another_size_and_another_taste_repaint(self, presenter: AnsiPresenter) -> None:
        presenter.present(PAGE)
        presenter.dress(Taste(has_unicode=False))
        assert PatchFlag.FULL_REPAINT not in self.flags(presenter.present(PAGE))
        presenter.dress(Taste(has_unicode=True))
        assert PatchFlag.FULL_REPAINT in self.flags(presenter.present(PAGE))
        presenter.resize(Terminal(100, 30))
        assert PatchFlag.FULL_REPAINT in self.flags(presenter.present(PAGE))

    def test_a_screen_that_nobody_asked_for_says_so(self, presenter: AnsiPresenter) -> None:
        assert PatchFlag.UNASKED in self.flags(presenter.present(PAGE, PatchFlag.UNASKED))
        assert PatchFlag.UNASKED not in self.flags(presenter.present(PAGE))

    def test_what_is_painted_can_be_found(self, presenter: AnsiPresenter) -> None:
        presenter.present(a_game())
        cells = {presenter.locate(column, row) for column in range(80) for row in range(24)} - {
            None
        }
        assert len(cells) == Size(3, 3).cells


class TestPlain:
    def test_every_screen_is_whole(self) -> None:
        presenter = PlainPresenter()
        model = a_game()._replace(message=Message("Hm."))
        first, second = read(presenter.present(model)), read(presenter.present(model))
        assert first == second
        assert isinstance(first, ScreenContent)
        assert b"message: Hm." in first.text

    def test_messages_name_the_letters_of_plain_text(self) -> None:
        model = a_game()._replace(message=Message(messages.DEBUG_ON))
        text = read(PlainPresenter().present(model)).text
        assert b"message: Debug mode: b is a mine, f a mine under a flag." in text

    def test_it_has_no_places_no_size_and_no_looks(self) -> None:
        presenter: Presenter = PlainPresenter()
        before = presenter.present(PAGE)
        presenter.resize(Terminal(1, 1))
        presenter.dress(Taste())
        assert presenter.present(PAGE) == before
        assert presenter.locate(0, 0) is None

    @pytest.mark.parametrize("flag", [PatchFlag.LAST_SCREEN, PatchFlag.UNASKED])
    def test_a_screen_out_of_the_ordinary_says_so(self, flag: PatchFlag) -> None:
        last = read(PlainPresenter().present(PAGE, flag))
        assert isinstance(last, ScreenPatch)
        assert last.flags == flag


class TestCells:
    @pytest.fixture
    def presenter(self) -> CellsPresenter:
        return CellsPresenter(Taste())

    def see(self, presenter: CellsPresenter, model: ScreenModel, flags: int = 0) -> View:
        reply = presenter.present(model, PatchFlag(flags))
        (packet,) = PacketReader(Direction.FROM_SERVER).feed(reply)
        assert isinstance(packet, View)
        return packet

    def test_the_first_screen_is_whole_and_the_next_only_what_changed(
        self, presenter: CellsPresenter
    ) -> None:
        first = self.see(presenter, a_game())
        assert first.members()["size"] == [3, 3]
        assert first.cells == b"\x10" * 9
        assert self.see(presenter, a_game()) == View()
        moved = self.see(presenter, a_game()._replace(cursor=Cell(2, 0)))
        assert moved == View(b'{"cursor":[2,0]}')

    @pytest.mark.parametrize(
        ("flag", "name"), [(PatchFlag.LAST_SCREEN, "last"), (PatchFlag.UNASKED, "unasked")]
    )
    def test_a_screen_out_of_the_ordinary_says_so_once(
        self, presenter: CellsPresenter, flag: PatchFlag, name: str
    ) -> None:
        assert self.see(presenter, PAGE, flag).members()[name] is True
        assert name not in self.see(presenter, PAGE).members()

    def test_who_says_another_size_gets_everything(self, presenter: CellsPresenter) -> None:
        first = self.see(presenter, a_game())
        presenter.resize(Terminal(1, 1))
        assert self.see(presenter, a_game()) == first

    def test_colours_are_told(self, presenter: CellsPresenter) -> None:
        assert self.see(presenter, PAGE).members()["palette"] == "tiles"
        presenter.dress(Taste(Palette.OKABE_ITO))
        assert self.see(presenter, PAGE).members() == {"palette": "okabe-ito"}

    def test_a_place_is_a_cell_or_the_number_of_an_item(self, presenter: CellsPresenter) -> None:
        presenter.present(a_game())
        assert presenter.locate(2, 1) == Cell(2, 1)
        presenter.present(MenuScreen("Menu", [MenuItem("one"), MenuItem("two")], 0))
        assert presenter.locate(0, 1) == 1


class TestTerminals:
    def test_a_terminal_is_what_hello_says_of_it(self) -> None:
        hello = Hello(120, 40, colours=ColourDepth.INDEXED, glyphs=Glyphs.UNICODE)
        terminal = Terminal(120, 40, ColourDepth.INDEXED, has_unicode=True)
        assert terminal_of(hello) == terminal

    @pytest.mark.parametrize(("length", "side"), [(0, 1), (1, 1), (255, 255), (65535, 255)])
    def test_a_side_is_1_to_255_for_cursors_on_the_wire_are_bytes(
        self, length: int, side: int
    ) -> None:
        terminal = terminal_of(Hello(length, length))
        assert (terminal.columns, terminal.rows) == (side, side)
        again = resized(Terminal(), Resize(length, length))
        assert (again.columns, again.rows) == (side, side)

    def test_what_is_not_known_counts_as_the_least(self) -> None:
        terminal = terminal_of(Hello(80, 24, colours=99, glyphs=99))
        assert (terminal.colours, terminal.has_unicode) == (ColourDepth.NONE, False)

    def test_a_new_size_changes_nothing_else(self) -> None:
        before = Terminal(80, 24, ColourDepth.TRUE, has_unicode=True)
        after = Terminal(100, 30, ColourDepth.TRUE, has_unicode=True)
        assert resized(before, Resize(100, 30)) == after
