"""A player at a terminal: views go in at one end, keys at the other, packets and a screen come out.

The common path of a key: `press` hands it to the top layer (`layers`), which returns packets for
the server. The common path of a view: `apply_view` adds it up (`GameView.update`), tells every
layer what changed, and opens and closes the layers that the server decides about. `screen` composes
the screen, and the painter writes what differs (`inks`).

Time is an argument: `deadline` says when to call `expire`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jminesweeper.protocol.packets import LookBack, Packet, Pick, Watch
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.terminal import words
from jminesweeper.terminal.board import Board
from jminesweeper.terminal.clock import Playback
from jminesweeper.terminal.keys import KeyAction, KeyMap, Keystroke
from jminesweeper.terminal.layers import (
    SETTINGS,
    BoardLayer,
    Desk,
    FiguresLayer,
    Height,
    MenuLayer,
    PageLayer,
    QuestionLayer,
    ReplayLayer,
    RoomLayer,
    open_figures,
)
from jminesweeper.terminal.layout import FEWEST_COLUMNS, FEWEST_ROWS
from jminesweeper.terminal.lines import Screen, StyledLine, span, wrapped
from jminesweeper.terminal.looks import Canvas, Ground, Looks, look_rows
from jminesweeper.terminal.narrator import Facts
from jminesweeper.terminal.panel import Reading
from jminesweeper.terminal.view import GameView, RowView

_HELP: Final = "help"
_OF_RESULTS: Final = frozenset({"seats", "figures"})


class FrontEnd:
    """A stack of layers, and the doors to it."""

    def __init__(
        self,
        canvas: Canvas,
        keys: KeyMap,
        *,
        host: str = "",
        look_rows: Callable[[Looks], Sequence[RowView]] = look_rows,
        help_lines: Callable[[KeyMap, GameView], Sequence[str]] = words.help_lines,
    ) -> None:
        """Add rows of looks to the settings, and lines about keys to the help."""
        self._desk = Desk(canvas, keys, host)
        self._look_rows = look_rows
        self._help_lines = help_lines
        self._game = BoardLayer(self._desk)
        self._desk.open(self._game)
        self._screen = Screen([])

    @property
    def view(self) -> GameView:
        return self._desk.view

    @property
    def canvas(self) -> Canvas:
        return self._desk.canvas

    @property
    def board(self) -> Board:
        return self._game.board

    # From the server

    def apply_view(
        self, members: Mapping[str, Any], cells: bytes, answers: Packet | None, now_s: float
    ) -> None:
        """Apply the changes of a view that answers a packet; ViewError if it makes no sense."""
        desk = self._desk
        view, had_result = desk.view, desk.view.has_result
        changed = view.update(members, cells, has_unicode=desk.canvas.has_unicode)
        desk.clock.apply_view(view, changed, now_s)
        desk.phrases.apply_view(view, now_s)
        desk.news.apply_view(view, now_s)
        for name in changed & {*desk.countdowns}:
            desk.countdowns[name].start(getattr(view, name), now_s)
        for layer in [*desk.stack]:
            layer.update(changed, answers, now_s)
        if view.room is not None and not view.state:
            if not any(isinstance(layer, RoomLayer) for layer in desk.stack):
                desk.open(RoomLayer(desk))
        else:
            desk.close(Height.ROOM)
        has_figures = any(isinstance(layer, FiguresLayer) for layer in desk.stack)
        if view.has_result and (not had_result or (has_figures and changed & _OF_RESULTS)):
            open_figures(desk)
        if changed & {"menu", "rows"}:
            self._open_menu(answers)
        if "page" in changed and (page := view.page) is None:
            desk.close(Height.PAGE)
        elif "page" in changed and page is not None:
            own = self._help_lines(desk.keys, view) if page.id == _HELP else ()
            desk.open(PageLayer(desk, Reading(page.title, (*page.lines, *own))))
        if "replay" in changed:
            desk.close(Height.REPLAY)
            if view.replay is not None:
                playback = Playback(view.replay)
                playback.step(view.position)
                if isinstance(answers, LookBack | Pick | Watch):
                    # Somebody chose this game to see it played.
                    playback.toggle()
                desk.open(ReplayLayer(desk, self._game, playback))
        self.board.follow(view, self._game.layout)

    @property
    def _menu(self) -> MenuLayer | None:
        return next((each for each in self._desk.stack if isinstance(each, MenuLayer)), None)

    def _open_menu(self, answers: Packet | None) -> None:
        desk, menu, opened = self._desk, self.view.menu, self._menu
        if menu is None:
            desk.close(Height.MENU)
            return
        if menu.id == SETTINGS:
            menu = menu._replace(rows=(*menu.rows, *self._look_rows(desk.canvas.looks)))
        if opened is not None and opened.choosing.menu.id == menu.id:
            opened.follow(menu, answers)
        else:
            desk.open(MenuLayer(desk, menu))

    @property
    def playback(self) -> Playback | None:
        """The replay that is open, if there is one."""
        return self._game.playback

    def set_background(self, background: Ground | None) -> None:
        """Compose for a terminal with this background."""
        if background is not None:
            self._desk.canvas = self.canvas._replace(background=background)

    def forget(self) -> None:
        """Forget the server: the next one's first view says everything."""
        desk = self._desk
        desk.forget()
        for layer in desk.stack[1:]:
            desk.close(layer.height)
        self.board.forget_presses()

    # From the player

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet]:
        """Carry out a keystroke; return the packets for the server."""
        desk = self._desk
        desk.own = words.Sentence()
        if stroke.click is not None:
            target = self._screen.at(stroke.click.row, stroke.click.column)
            if not isinstance(target, str):
                return desk.top.click(stroke.click, target, now_s)
            stroke = Keystroke(action=words.clicked(target))
        packets = desk.top.press(stroke, now_s)
        if packets is not None:
            return packets
        if stroke.action is KeyAction.QUIT:
            return [Command.QUIT]
        if stroke.action is KeyAction.ASK_TO_QUIT:
            desk.open(QuestionLayer(desk, Command.QUIT))
        return []

    def must_wait(self, stroke: Keystroke) -> bool:
        """Return True if what a keystroke means depends on a press under way."""
        return self._desk.top.must_wait(stroke)

    def flows(self, packet: Packet) -> bool:
        """Return True if a packet only sets a value, so that later keys need not wait."""
        menu = self._menu
        return isinstance(packet, Pick) and menu is not None and menu.flows(packet)

    @property
    def cover(self) -> str:
        """A word for the layer that covers the board; empty if nothing does."""
        if self._menu is not None:
            return "menu"
        return "page" if self.view.page is not None else ""

    def choose_row(self, place: int) -> list[Packet] | None:
        """Choose a row by its place among the selectable rows; None if there is none."""
        return None if self._menu is None else self._menu.choose_place(place)

    def do_other(self, place: int) -> list[Packet] | None:
        """Do the other thing of a row, by its place; None if it has none."""
        return None if self._menu is None else self._menu.do_other(place)

    # Time

    @property
    def deadline(self) -> float | None:
        """The time at which something happens by itself."""
        desk = self._desk
        times = (
            desk.clock.next_tick_s,
            desk.phrases.deadline,
            desk.news.deadline,
            *(countdown.next_tick_s for countdown in desk.countdowns.values()),
            *(layer.deadline for layer in desk.stack),
        )
        return min((time for time in times if time is not None), default=None)

    def expire(self, now_s: float) -> list[Packet]:
        """Do what is due; return the packets for the server."""
        self._desk.phrases.expire(now_s)
        self._desk.news.expire(now_s)
        return [packet for layer in self._desk.stack for packet in layer.expire(now_s)]

    # The screen

    def resize(self, columns: int, rows: int) -> None:
        """Compose for another terminal from now on."""
        self._desk.canvas = self.canvas._replace(columns=columns, rows=rows)
        if not self.is_too_small:
            self.board.follow(self.view, self._game.layout)

    @property
    def is_too_small(self) -> bool:
        """True while the terminal has no room for a board."""
        return self.canvas.columns < FEWEST_COLUMNS or self.canvas.rows < FEWEST_ROWS

    def screen(self, now_s: float) -> Screen:
        """Compose the screen."""
        desk = self._desk
        desk.clock.show(now_s)
        for countdown in desk.countdowns.values():
            countdown.show(now_s)
        if self.is_too_small:
            # Nothing but a sentence has room.
            columns, rows = self.canvas[:2]
            sentences = [wrapped(sentence, columns) for sentence in words.TOO_SMALL]
            said = next((each for each in sentences if len(each) <= rows), sentences[-1])
            lines = [span(line).cut(columns) for line in said]
            self._screen = Screen([*lines, *[StyledLine()] * rows][:rows])
        else:
            self._screen = desk.top.compose(desk.said())
        return self._screen

    def facts(self, now_s: float) -> Facts:
        """Return the screen as sentences, for a narrator."""
        desk = self._desk
        for countdown in desk.countdowns.values():
            countdown.show(now_s)
        desk.phrases.expire(now_s)
        desk.news.expire(math.inf)
        return {**desk.top.facts(desk.said().text, now_s), "news": desk.news.tell()}
