"""One connection as a state machine.

A packet goes through one table to the method that carries it out, and whatever that did, the
reply is the screen as it is then. Where a session stands follows from what it has: no game is
the welcome, a game is being played or over, and layers of menus and pages may lie upon it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from jminesweeper.core import ActionKind, Cell, RandomBits
from jminesweeper.protocol import (
    Button,
    Command,
    GameKind,
    Hello,
    Jump,
    JumpTo,
    Load,
    MoveTo,
    NewGame,
    Packet,
    Pointer,
    ProtocolError,
    Resize,
    Save,
    ScreenFormat,
    Start,
    Undo,
    encode_screen,
)
from jminesweeper.screen import Message, ScreenModel, Terminal, Tone, paint_page
from jminesweeper.session import messages, pages
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.effects import NO_EFFECTS, Ask, Claimed, Close, Effect, Output
from jminesweeper.session.keeper import Keeper
from jminesweeper.session.menus import Page
from jminesweeper.session.navigator import Navigator, printable
from jminesweeper.session.orders import OrderError, order_packet, order_start
from jminesweeper.session.presenters import (
    AnsiPresenter,
    ClassicPresenter,
    PlainPresenter,
    Presenter,
    announce,
)
from jminesweeper.session.requests import (
    Enter,
    Entrance,
    FindHint,
    LayBoard,
    Review,
)
from jminesweeper.session.settings import Settings
from jminesweeper.session.table import Table
from jminesweeper.session.terminals import resized, terminal_of
from jminesweeper.store.ports import Append, Finish, PutRunning, StoreError, game_code, player_id

Effects = tuple[Effect, ...]
Handler = Callable[["Session", Any, int], Effects]

_STEPS: Final[Mapping[Packet, tuple[int, int]]] = {
    Command.MOVE_LEFT: (-1, 0),
    Command.MOVE_RIGHT: (1, 0),
    Command.MOVE_UP: (0, -1),
    Command.MOVE_DOWN: (0, 1),
}
_ACTIONS: Final[Mapping[object, ActionKind]] = {
    Command.REVEAL: ActionKind.REVEAL,
    Command.TOGGLE_BOMB_MARK: ActionKind.FLAG,
    Command.CHORD: ActionKind.CHORD,
    Button.REVEAL: ActionKind.REVEAL,
    Button.FLAG: ActionKind.FLAG,
    Button.CHORD: ActionKind.CHORD,
}
_WHEEL: Final[Mapping[int, int]] = {Button.WHEEL_UP: -3, Button.WHEEL_DOWN: 3}
_KEPT = (Append, PutRunning, Finish)


class Session:
    """What one player sees and may do, from the first packet to the last."""

    __slots__ = (
        "_asked",
        "_classic",
        "_config",
        "_entering",
        "_entropy",
        "_has_announced",
        "_navigator",
        "_presenter",
        "_table",
        "_terminal",
    )

    def __init__(self, config: SessionConfig, entropy: RandomBits) -> None:
        self._config = config
        self._entropy = entropy
        self._table = Table(config, entropy)
        self._classic = ClassicPresenter()
        self._has_announced = False
        # What version 2 brings; a client of version 1 never needs it.
        self._navigator: Navigator | None = None
        self._presenter: Presenter | None = None
        self._terminal = Terminal()
        self._asked: object = None
        self._entering = Enter("", "", "")

    # What the shell calls

    def receive(self, packet: Packet, now_ms: int) -> Output:
        """Carry out one packet; the reply is the screen afterwards."""
        kind = packet if packet.__class__ is Command else packet.__class__
        navigator = self._navigator
        if navigator is None or not navigator.layers:
            handle = self.AT_TABLE.get(kind)
        else:
            handle = self.IN_MENUS.get(kind)
        return self._reply(handle(self, packet, now_ms) if handle else NO_EFFECTS, now_ms)

    def resolve(self, answer: Any, now_ms: int) -> Output:
        """Go on with the answer to what was asked last."""
        asked, self._asked = self._asked, None
        match asked:
            case Enter():
                effects = self._enter(answer, now_ms)
            case FindHint():
                effects = self._table.take_hint(answer, now_ms)
            case LayBoard():
                effects = self._table.take_board(answer, now_ms)
            case Review():
                effects = self._table.take_review(answer)
            case _:
                effects = self._navigator_now.take(answer, now_ms)
        return self._reply(effects, now_ms)

    def settle(self, operation: object, answer: object) -> None:
        """Take note of how a Commit or a Jot went."""
        if self._table.keeper is not None and isinstance(operation, _KEPT):
            self._table.keeper.settle(answer)

    def reject(self, error: ProtocolError, now_ms: int) -> Output:
        """Answer bytes that are no packets: say so on a last screen."""
        return self.farewell(str(error), now_ms), (Close(),)

    def farewell(self, message: str, now_ms: int) -> bytes:
        """Return a last screen that nobody asked for; the connection ends with it."""
        if self._presenter is None:
            return encode_screen(paint_page(("", f"  {message}", "")))
        page = Page("JMinesweeper", (message,))
        return self._presenter.present(page.model(Message()))

    def leave(self, now_ms: int) -> Effects:
        """End what the player leaves behind."""
        return self._table.leave(now_ms)

    # The reply

    def _reply(self, effects: Effects, now_ms: int) -> Output:
        if effects:
            last = effects[-1]
            if isinstance(last, Ask):
                self._asked = last.request
                return b"", effects
            if isinstance(last, Close):
                return b"", effects
        if self._presenter is not None:
            return self._presenter.present(self._model(now_ms)), effects
        reply = self._classic.present(self._table, now_ms)
        if self._has_announced:
            return reply, effects
        self._has_announced = True
        return announce(reply), effects

    def _model(self, now_ms: int) -> ScreenModel:
        navigator = self._navigator
        top = navigator.top if navigator else None
        model = self._table.model(now_ms) if top is None else None
        if model is not None:
            return model
        if top is None:
            top = Page("JMinesweeper", pages.HELP)
        return top.model(self._table.message)

    # At the table

    def _move(self, packet: Command, now_ms: int) -> Effects:
        columns, rows = _STEPS[packet]
        return self._table.move(columns, rows, now_ms)

    def _act(self, packet: Command, now_ms: int) -> Effects:
        return self._table.act(_ACTIONS[packet], now_ms)

    def _toggle_debug(self, _packet: Command, _now_ms: int) -> Effects:
        return self._table.toggle_debug()

    def _start(self, packet: Start, now_ms: int) -> Effects:
        try:
            order = order_start(packet, self._entropy)
        except OrderError as error:
            self._table.say(str(error), Tone.WARNING)
            return NO_EFFECTS
        if self._navigator is not None:
            self._navigator.close_all()
        return self._table.begin(order, now_ms)

    def _quit(self, _packet: Command, now_ms: int) -> Effects:
        effects = self._table.leave(now_ms)
        self._table.play = None
        return (*effects, Close())

    def _undo(self, packet: Undo, now_ms: int) -> Effects:
        return self._table.undo(packet.steps, now_ms)

    def _hint(self, _packet: Command, _now_ms: int) -> Effects:
        return self._table.ask_hint()

    def _pause(self, _packet: Command, now_ms: int) -> Effects:
        return self._table.toggle_pause(now_ms)

    def _refresh(self, _packet: Command, now_ms: int) -> Effects:
        return self._table.refresh(now_ms)

    def _move_to(self, packet: MoveTo, now_ms: int) -> Effects:
        return self._table.move_to(packet.column, packet.row, now_ms)

    def _jump(self, packet: Jump, now_ms: int) -> Effects:
        return self._table.jump(packet.direction, now_ms)

    def _point(self, packet: Pointer, now_ms: int) -> Effects:
        if packet.button in _WHEEL:
            return self._table.move(0, _WHEEL[packet.button], now_ms)
        place = self._presenter.locate(packet.column, packet.row) if self._presenter else None
        kind = _ACTIONS.get(packet.button)
        if not isinstance(place, Cell) or kind is None:
            return NO_EFFECTS
        moved = self._table.move_to(place.column, place.row, now_ms)
        return (*moved, *self._table.act(kind, now_ms))

    # Version 2: who is there, and what lies over the table

    def _hello(self, packet: Hello, now_ms: int) -> Effects:
        """Speak version 2 from now on; a player with a key is looked up first."""
        self._terminal = terminal_of(packet)
        if self._navigator is None:
            self._navigator = Navigator(self._config, self._entropy, self._table)
        taste = self._navigator.settings.taste(terminal_has_unicode=self._terminal.has_unicode)
        if packet.format == ScreenFormat.PLAIN:
            self._presenter = PlainPresenter()
        else:
            self._presenter = AnsiPresenter(self._terminal, taste)
        if packet.key and self._config.has_store:
            owner = f"{self._entropy(128):032x}"
            self._entering = Enter(player_id(packet.key), printable(packet.name), owner)
            return (Ask(self._entering),)
        return NO_EFFECTS if self._table.play else self._navigator.open_menu(now_ms)

    def _enter(self, answer: Entrance | StoreError, now_ms: int) -> Effects:
        """Seat a known player: at the game that waits, or at the one just begun."""
        table, navigator, asked = self._table, self._navigator_now, self._entering
        if isinstance(answer, StoreError):
            table.keeper = Keeper(asked.player, asked.owner, None)
            table.say(messages.STORE_TROUBLE, Tone.WARNING)
        else:
            table.keeper = Keeper(asked.player, asked.owner, answer.holding)
            navigator.settings = Settings.from_texts(answer.player.settings)
            self._dress()
            if answer.holding.game is not None and table.take_up(answer.holding.game):
                navigator.close_all()
        if table.play is not None and not table.play.code:
            table.play.code = game_code(self._entropy)
        opened = NO_EFFECTS if table.play else navigator.open_menu(now_ms)
        return (*opened, Claimed(asked.player))

    def _resize(self, packet: Resize, _now_ms: int) -> Effects:
        self._terminal = resized(self._terminal, packet)
        if self._presenter is not None:
            self._presenter.resize(self._terminal)
        return NO_EFFECTS

    def _new_game(self, packet: NewGame, now_ms: int) -> Effects:
        day = self._config.today(now_ms)
        navigator = self._navigator_now
        try:
            order = order_packet(packet, navigator.settings, self._table.play, day, self._entropy)
        except OrderError as error:
            self._table.say(str(error), Tone.WARNING)
            return NO_EFFECTS
        if packet.kind == GameKind.DAILY:
            return navigator.begin_daily(order, now_ms)
        return navigator.begin(order, now_ms)

    def _new_game_in_menus(self, packet: NewGame, now_ms: int) -> Effects:
        """Take TAB for the way back, as ESC is; any other new game is begun."""
        if packet.kind == GameKind.SAME_SETTINGS:
            return self._back(packet, now_ms)
        return self._new_game(packet, now_ms)

    def _menu(self, _packet: Command, now_ms: int) -> Effects:
        return self._navigator_now.open_menu(now_ms) if self._presenter else self._refuse()

    def _help(self, _packet: Command, now_ms: int) -> Effects:
        return self._navigator_now.open_help(now_ms) if self._presenter else self._refuse()

    def _refuse(self) -> Effects:
        self._table.say(messages.NO_HELLO, Tone.WARNING)
        return NO_EFFECTS

    def _save(self, packet: Save, now_ms: int) -> Effects:
        return self._navigator_now.save(packet.name, now_ms)

    def _load(self, packet: Load, now_ms: int) -> Effects:
        return self._navigator_now.load(packet.name, now_ms)

    def _back(self, _packet: Packet, now_ms: int) -> Effects:
        effects = self._navigator_now.back(now_ms)
        self._dress()
        return effects

    def _step(self, packet: Command, now_ms: int) -> Effects:
        effects = self._navigator_now.step(*_STEPS[packet], now_ms)
        self._dress()
        return effects

    def _jump_in_menus(self, packet: Jump, now_ms: int) -> Effects:
        if packet.direction not in set(JumpTo):
            return NO_EFFECTS
        return self._navigator_now.jump(packet.direction, now_ms)

    def _choose(self, _packet: Command, now_ms: int) -> Effects:
        effects = self._navigator_now.choose(now_ms)
        self._dress()
        return effects

    def _point_in_menus(self, packet: Pointer, now_ms: int) -> Effects:
        if packet.button in _WHEEL:
            return self._navigator_now.step(0, 1 if _WHEEL[packet.button] > 0 else -1, now_ms)
        place = self._presenter.locate(packet.column, packet.row) if self._presenter else None
        return self._navigator_now.point(place, now_ms)

    @property
    def _navigator_now(self) -> Navigator:
        """The navigator, also for a client that sends packets of version 2 without a HELLO."""
        if self._navigator is None:
            self._navigator = Navigator(self._config, self._entropy, self._table)
        return self._navigator

    def _dress(self) -> None:
        """Let the screen look as the settings say."""
        if self._presenter is not None:
            has_unicode = self._terminal.has_unicode
            taste = self._navigator_now.settings.taste(terminal_has_unicode=has_unicode)
            self._presenter.dress(taste)

    AT_TABLE: ClassVar[Mapping[object, Handler]] = {
        **dict.fromkeys(_STEPS, _move),
        **dict.fromkeys((Command.REVEAL, Command.TOGGLE_BOMB_MARK, Command.CHORD), _act),
        Command.TOGGLE_DEBUG_MODE: _toggle_debug,
        Command.QUIT: _quit,
        Command.HINT: _hint,
        Command.MENU: _menu,
        Command.HELP: _help,
        Command.PAUSE: _pause,
        Command.REFRESH: _refresh,
        Start: _start,
        Hello: _hello,
        Resize: _resize,
        MoveTo: _move_to,
        NewGame: _new_game,
        Undo: _undo,
        Save: _save,
        Load: _load,
        Pointer: _point,
        Jump: _jump,
    }
    IN_MENUS: ClassVar[Mapping[object, Handler]] = {
        **dict.fromkeys(_STEPS, _step),
        **dict.fromkeys((Command.REVEAL, Command.TOGGLE_BOMB_MARK), _choose),
        Command.QUIT: _quit,
        Command.MENU: _back,
        Command.HELP: _help,
        Start: _start,
        Hello: _hello,
        Resize: _resize,
        NewGame: _new_game_in_menus,
        Pointer: _point_in_menus,
        Jump: _jump_in_menus,
    }
