"""Menus, settings and what is asked of the store: everything that lies over the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from jminesweeper.core import DIFFICULTIES, RandomBits
from jminesweeper.protocol import JumpTo
from jminesweeper.screen import MenuItem, Tone
from jminesweeper.session import messages, pages
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.effects import NO_EFFECTS, Ask, Close, Jot
from jminesweeper.session.keeper import running_game
from jminesweeper.session.menus import Choice, Effects, Layer, Menu, Page
from jminesweeper.session.orders import (
    Order,
    order_again,
    order_daily,
    order_repeat,
    order_settings,
)
from jminesweeper.session.requests import Consult
from jminesweeper.session.settings import Settings
from jminesweeper.session.table import Table
from jminesweeper.store.ports import (
    Board,
    Category,
    FindSave,
    ListGames,
    ListSaves,
    Operation,
    PutSave,
    PutSettings,
    ReadLeaderboard,
    ReadStatistics,
    RunningGame,
    SaveLabel,
    StoreError,
)

UNNAMED_SAVE: Final = "quick save"

_BIG_STEPS: Final = {
    JumpTo.LEFT: -10,
    JumpTo.RIGHT: 10,
    JumpTo.ROW_START: -(1 << 16),
    JumpTo.ROW_END: 1 << 16,
}
_SETTINGS: Final = (
    ("board", "Board"),
    ("columns", "Custom columns"),
    ("rows", "Custom rows"),
    ("mines", "Custom mines"),
    ("rules", "Rules"),
    ("first_click", "First click protected"),
    ("chording", "Chording"),
    ("auto_open", "Open around zeros"),
    ("no_guess", "Boards without guesses"),
    ("palette", "Colours"),
    ("glyphs", "Unicode characters"),
    ("cell_width", "Columns of a cell"),
)


class Navigator:
    """The layers over a table, topmost last."""

    def __init__(self, config: SessionConfig, entropy: RandomBits, table: Table) -> None:
        self._config = config
        self._entropy = entropy
        self._table = table
        self._then: Callable[[Any, int], Effects] | None = None
        self.settings = Settings()
        self.layers: list[Layer] = []

    @property
    def top(self) -> Layer | None:
        return self.layers[-1] if self.layers else None

    # Moving about

    def open_menu(self, now_ms: int) -> Effects:
        return self._open(Menu("JMinesweeper", self._main_choices), now_ms)

    def open_help(self, now_ms: int) -> Effects:
        return self._open(Page("Help", pages.HELP), now_ms)

    def back(self, now_ms: int) -> Effects:
        """Close the topmost layer; below the last one the game goes on."""
        self.layers.pop()
        self._table.say("")
        return NO_EFFECTS if self.layers else self._table.go_on(now_ms)

    def step(self, columns: int, rows: int, now_ms: int) -> Effects:
        """Move the selection, turn a value, or scroll."""
        top = self.top
        if rows and top is not None:
            top.step(rows)
        elif columns and isinstance(top, Menu) and (turn := top.current.turn):
            return turn(columns)
        return NO_EFFECTS

    def jump(self, direction: int, now_ms: int) -> Effects:
        """Turn a value, or scroll, by a lot."""
        if isinstance(self.top, Page):
            rows = {JumpTo.PAGE_UP: -10, JumpTo.PAGE_DOWN: 10}.get(JumpTo(direction), 0)
            return self.step(0, rows, now_ms)
        return self.step(_BIG_STEPS.get(JumpTo(direction), 0), 0, now_ms)

    def choose(self, now_ms: int) -> Effects:
        """Do what the selected item is for."""
        top = self.top
        if not isinstance(top, Menu):
            return self.back(now_ms)
        choose = top.current.choose
        return choose(now_ms) if choose else NO_EFFECTS

    def point(self, place: object, now_ms: int) -> Effects:
        """Choose the item at a place on the screen."""
        top = self.top
        if isinstance(top, Menu) and isinstance(place, int) and top.select(place):
            return self.choose(now_ms)
        return NO_EFFECTS

    def close_all(self) -> None:
        self.layers.clear()

    def _open(self, layer: Layer, now_ms: int) -> Effects:
        effects = NO_EFFECTS if self.layers else self._table.pause(now_ms)
        self._table.say("")
        self.layers.append(layer)
        return effects

    # Beginning games

    def begin(self, order: Order, now_ms: int) -> Effects:
        """Begin a game and let the player at it."""
        self.close_all()
        return self._table.begin(order, now_ms)

    def begin_again(self, now_ms: int) -> Effects:
        """Begin another game like the one at hand, or as the settings say."""
        play = self._table.play
        if play is None:
            return self.begin(order_settings(self.settings, self._entropy), now_ms)
        return self.begin(order_again(play, self._entropy), now_ms)

    def begin_daily(self, order: Order, now_ms: int) -> Effects:
        """Begin the board of the day; who has played it before plays a repeat."""
        keeper = self._table.keeper
        if keeper is None:
            return self.begin(order, now_ms)

        def then(games: Any, now_ms: int) -> Effects:
            if not isinstance(games, StoreError) and any(
                game.daily == order.title.daily and game.category.preset == order.title.category
                for game in games
            ):
                return self.begin(order.as_repeat(), now_ms)
            return self.begin(order, now_ms)

        return self._consult(ListGames(keeper.player, 1_000), then)

    # The store

    def save(self, name: str, now_ms: int) -> Effects:
        """Save the game at hand under a name."""
        keeper, play = self._table.keeper, self._table.play
        if keeper is None or play is None:
            return self._refuse()
        name = printable(name) or UNNAMED_SAVE
        game = running_game(play, now_ms)

        def then(_answer: Any, _now_ms: int) -> Effects:
            self._table.say(f"Saved as {name}.", Tone.GOOD)
            return NO_EFFECTS

        operation = PutSave(keeper.player, name, game, self._config.seconds(now_ms))
        return self._consult(operation, then)

    def load(self, name: str, now_ms: int) -> Effects:
        """Load a saved game, or offer those there are."""
        keeper = self._table.keeper
        if keeper is None:
            return self._refuse()
        if name:
            return self._consult(FindSave(keeper.player, printable(name)), self._take_save)
        return self._consult(ListSaves(keeper.player), self._offer_saves)

    def take(self, answer: object, now_ms: int) -> Effects:
        """Go on with what a question to the store was for."""
        then, self._then = self._then, None
        if isinstance(answer, StoreError):
            self._table.say(str(answer), Tone.BAD)
            return NO_EFFECTS
        return then(answer, now_ms) if then else NO_EFFECTS

    def _consult(self, operation: Operation[Any], then: Callable[[Any, int], Effects]) -> Effects:
        self._then = then
        return (Ask(Consult(operation)),)

    def _refuse(self) -> Effects:
        self._table.say(messages.NO_STORE, Tone.WARNING)
        return NO_EFFECTS

    def _take_save(self, kept: RunningGame | None, now_ms: int) -> Effects:
        if kept is None:
            self._table.say("There is no such saved game.", Tone.WARNING)
            return NO_EFFECTS
        self.close_all()
        return self._table.load(kept, now_ms)

    def _offer_saves(self, saves: Sequence[SaveLabel], now_ms: int) -> Effects:
        if not saves:
            self._table.say("There is no saved game yet: Ctrl-S saves one.", Tone.WARNING)
            return NO_EFFECTS

        def choice(label: SaveLabel) -> Choice:
            return Choice(MenuItem(label.name), lambda now_ms: self.load(label.name, now_ms))

        return self._open(Menu("Load", lambda: [choice(label) for label in saves]), now_ms)

    def _show_statistics(self, now_ms: int) -> Effects:
        keeper = self._table.keeper
        if keeper is None:
            return self._refuse()
        return self._consult(
            ReadStatistics(keeper.player),
            lambda answer, at: self._open(Page("Statistics", pages.statistics_lines(answer)), at),
        )

    def _show_scores(self, now_ms: int) -> Effects:
        if not self._config.has_store:
            return self._refuse()
        return self._open(Menu("Best times", self._board_choices), now_ms)

    def _show_board(self, name: str, board: Board) -> Effects:
        return self._consult(
            ReadLeaderboard(board),
            lambda scores, at: self._open(Page(name, pages.score_lines(scores)), at),
        )

    # Menus

    def _main_choices(self) -> Sequence[Choice]:
        table, play = self._table, self._table.play
        is_running = play is not None and not play.is_over
        can_undo = play is not None and play.game.can_undo
        has_store = self._table.keeper is not None
        return (
            Choice(MenuItem("Continue", is_enabled=play is not None), self.back),
            Choice(
                MenuItem("New game", self._board_words(), is_adjustable=True),
                lambda now: self.begin(order_settings(self.settings, self._entropy), now),
                lambda steps: self._turn("board", steps),
            ),
            Choice(MenuItem("Board of the day", self._daily_board()), self._choose_daily),
            Choice(
                MenuItem("Same board again", is_enabled=play is not None),
                lambda now: self.begin(order_repeat(play), now) if play else NO_EFFECTS,
            ),
            Choice(
                MenuItem("Undo", is_enabled=can_undo),
                lambda now: self._at_table(lambda: table.undo(1, now), now),
            ),
            Choice(
                MenuItem("Hint", is_enabled=is_running and self._config.has_solver),
                lambda now: self._at_table(table.ask_hint, now),
            ),
            Choice(
                MenuItem("Save", is_enabled=is_running and has_store),
                lambda now: self.save("", now),
            ),
            Choice(MenuItem("Load", is_enabled=has_store), lambda now: self.load("", now)),
            Choice(MenuItem("Statistics", is_enabled=has_store), self._show_statistics),
            Choice(MenuItem("Best times", is_enabled=self._config.has_store), self._show_scores),
            Choice(MenuItem("Settings"), self._open_settings),
            Choice(MenuItem("Help"), self.open_help),
            Choice(MenuItem("Quit"), lambda now: (*table.leave(now), Close())),
        )

    def _open_settings(self, now_ms: int) -> Effects:
        return self._open(Menu("Settings", self._setting_choices), now_ms)

    def _setting_choices(self) -> Sequence[Choice]:
        values = self.settings.to_texts()

        def choice(name: str, label: str) -> Choice:
            return Choice(
                MenuItem(label, values[name], is_adjustable=True),
                lambda _now: self._turn(name, 1),
                lambda steps: self._turn(name, steps),
            )

        return [choice(name, label) for name, label in _SETTINGS]

    def _board_choices(self) -> Sequence[Choice]:
        def choice(name: str, board: Board) -> Choice:
            return Choice(MenuItem(name), lambda _now: self._show_board(name, board))

        return [
            choice(f"{preset}, {rules} rules", Board(Category(preset, rules)))
            for rules in ("classic", "jminesweeper")
            for preset in (DIFFICULTIES if rules == "classic" else ("easy", "medium", "hard"))
        ]

    def _turn(self, name: str, steps: int) -> Effects:
        self.settings = self.settings.turned(name, steps)
        keeper = self._table.keeper
        if keeper is None:
            return NO_EFFECTS
        return (Jot(PutSettings(keeper.player, self.settings.to_texts())),)

    def _at_table(self, act: Callable[[], Effects], now_ms: int) -> Effects:
        """Close the menu, then do something to the game."""
        self.close_all()
        return (*self._table.go_on(now_ms), *act())

    def _choose_daily(self, now_ms: int) -> Effects:
        day = self._config.today(now_ms)
        return self.begin_daily(order_daily(self._daily_board(), day), now_ms)

    def _daily_board(self) -> str:
        return self.settings.board if self.settings.board in DIFFICULTIES else "expert"

    def _board_words(self) -> str:
        settings = self.settings
        return f"{settings.board} {settings.size}, {settings.mine_count} mines"


def printable(name: str) -> str:
    """Keep of a name what can be shown, in one line."""
    return "".join(letter for letter in name if letter.isprintable()).strip()[:64]
