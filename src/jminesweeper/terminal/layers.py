"""The layers of a front end, each over the ones before.

At the bottom is the board. What a player opens comes on top, and stays until it is closed:

    question    asks before something is done; any key answers
    figures     a page of the terminal's own: how a game or a round ended
    menu        rows to choose from, opened and closed by the server
    page        something to read, opened and closed by the server
    replay      plays a game again on the board beneath
    overview    the whole of a board that is larger than the screen
    room        who is there, before there is a board
    board       the game

Only the top layer hears keys and clicks, composes the screen, and says which keys it has. A key
that means nothing to it is left to the front end, which knows a few that work everywhere
(`front_end`). A layer through which the one beneath is seen composes that one, with words or lines
of its own. Every layer hears what the server says, on top or not, and has a deadline of its own: a
replay goes on under an open menu, and the cursor's place is noted there, too.

What all layers share is the `Desk`: the server's view, the terminal, its player's keys, and time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import ClassVar, Final

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import (
    LookBack,
    OpenMenu,
    Packet,
    Pick,
    Ready,
    Replay,
    Say,
    Watch,
)
from jminesweeper.protocol.view import Listing
from jminesweeper.protocol.vocabulary import Command, LookBackAt
from jminesweeper.terminal import words
from jminesweeper.terminal.board import PRESSES, STEPS, Board
from jminesweeper.terminal.clock import PLAYBACK_COMMANDS, Clock, Countdown, Playback
from jminesweeper.terminal.field import Overview
from jminesweeper.terminal.game import GameScreen, figure_lines
from jminesweeper.terminal.keys import Click, KeyAction, KeyMap, Keystroke, Press
from jminesweeper.terminal.layout import FEWEST_COLUMNS, FEWEST_ROWS, Layout, arrange
from jminesweeper.terminal.lines import Screen, Target, wrapped
from jminesweeper.terminal.looks import Canvas, FlagOnNumber, Motion, is_look, with_look
from jminesweeper.terminal.menu import Choosing, add_preview
from jminesweeper.terminal.narrator import Facts, game_facts, menu_facts, page_facts, room_facts
from jminesweeper.terminal.panel import Reading
from jminesweeper.terminal.room import LatestNews, LatestPhrases, compose_room, result_of
from jminesweeper.terminal.view import LOST, PAUSED, PLAYING, WON, GameView, MenuView, Words
from jminesweeper.terminal.words import Sentence

FLOURISH_S: Final = 1.0
"""Seconds that a wave of light takes across the board of a win; any key ends it."""
_FLOURISH_STEPS: Final = 12
SETTINGS: Final = "settings"
_WHEEL: Final = {Press.WHEEL_UP: KeyAction.UP, Press.WHEEL_DOWN: KeyAction.DOWN}
_LEAVING: Final = frozenset(
    {KeyAction.MENU, KeyAction.BACK, KeyAction.NEW, KeyAction.HELP, KeyAction.REVEAL}
)
"""Keys that close what the server has opened."""
_OPENING: Final = {KeyAction.HELP: "help", KeyAction.PEOPLE: "people"}
"""Keys that open something over a menu."""
_REFUSED: Final = "warning"
"""The tone in which a server says that it did nothing."""


class Desk:
    """Shared by all layers."""

    def __init__(self, canvas: Canvas, keys: KeyMap, host: str) -> None:
        self.canvas = canvas
        self.keys = keys
        self.host = host
        """The address that friends type to come to the same server."""
        self.stack: list[Layer] = []
        self.own = Sentence()
        """Said by the terminal itself, until the next key."""
        self.forget()

    def forget(self) -> None:
        """Forget the server: the next one's first view says everything."""
        self.view = GameView()
        self.clock = Clock()
        self.phrases = LatestPhrases()
        self.news = LatestNews()
        self.countdowns = {name: Countdown() for name in ("starts_in", "ends_in", "blocked")}

    # The stack

    @property
    def top(self) -> Layer:
        return self.stack[-1]

    def open(self, layer: Layer) -> None:
        """Put a layer in its place, instead of any of its kind."""
        self.close(layer.height)
        self.stack = sorted([*self.stack, layer], key=lambda each: each.height)

    def close(self, height: Height) -> None:
        """Remove the layer of a height, if there is one."""
        for layer in self.stack:
            if layer.height is height:
                layer.end()
        self.stack = [layer for layer in self.stack if layer.height is not height]

    def beneath(self, layer: Layer) -> Layer:
        """Return the layer under this one."""
        return self.stack[self.stack.index(layer) - 1]

    # Words

    def say(self, template: str, **args: int) -> None:
        """Say something until the next key."""
        self.own = words.said_for(template, self.keys, **args)

    def text_of(self, said: Words) -> str:
        """Word what the server says; among others there is nothing to play again alone."""
        is_end = self.view.room is not None and "new" not in self.view.keys
        return said.text if is_end else words.text_of(said, self.keys)

    def said(self) -> Sentence:
        """Return the message to show: the terminal's own first, then the top layer's."""
        view, left_s = self.view, {name: each.shown_s for name, each in self.countdowns.items()}
        phrases = "   ".join(filter(None, (self.news.text, self.phrases.text(view))))
        if self.own.text:
            return self.own
        if remark := self.top.remark():
            return remark
        if left_s["starts_in"]:
            is_next = view.room is not None and view.room.state != "countdown"
            template = words.NEXT_STARTS if is_next else words.STARTS
            starts = words.said_for(template, self.keys, seconds=left_s["starts_in"])
            return starts._replace(tone="good")
        if view.watching is not None and not view.state and not phrases:
            return Sentence(words.YOU_WATCH)
        if phrases:
            return Sentence(phrases, "warning" if self.news.text else "")
        if left_s["blocked"]:
            blocked = words.said_for(words.BLOCKED, self.keys, seconds=left_s["blocked"])
            return blocked._replace(tone="bad")
        if flag := self.top.flag_remark():
            return flag
        if view.message.text and view.message.id != "blocked":
            return Sentence(self.text_of(view.message), view.message.tone)
        return self.top.default_remark()


class Height(IntEnum):
    """The order of layers; there is one of each at most."""

    BOARD = 0
    ROOM = 1
    OVERVIEW = 2
    REPLAY = 3
    PAGE = 4
    MENU = 5
    FIGURES = 6
    QUESTION = 7


class Layer:
    """One thing before a player."""

    height: ClassVar[Height]
    is_panel: ClassVar[bool] = False
    """It covers everything beneath, and the wheel scrolls it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @property
    def deadline(self) -> float | None:
        """The time at which something happens by itself."""
        return None

    @property
    def view(self) -> GameView:
        return self.desk.view

    def update(self, changed: frozenset[str], answers: Packet | None, now_s: float) -> None:
        """Follow what the server has said."""

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet] | None:
        """Do what a key means here; None if it means nothing."""
        return None

    def click(self, click: Click, target: Target | None, now_s: float) -> list[Packet]:
        """Do what a press of the mouse means, or a turn of its wheel."""
        if self.is_panel and click.press in _WHEEL:
            return self.press(Keystroke(action=_WHEEL[click.press]), now_s) or []
        return []

    def must_wait(self, _stroke: Keystroke) -> bool:
        """Return True if what a key means depends on a press under way."""
        return False

    def expire(self, _now_s: float) -> list[Packet]:
        """Do what is due."""
        return []

    def end(self) -> None:
        """Leave nothing behind in other layers."""

    def remark(self) -> Sentence | None:
        """Return words of this layer that matter more than the server's."""
        return None

    def flag_remark(self) -> Sentence | None:
        """Return words about the cell under the cursor."""
        return None

    def default_remark(self) -> Sentence:
        """Return the words shown when there is no message."""
        return Sentence()

    def compose(self, said: Sentence) -> Screen:
        """Compose the screen."""
        raise NotImplementedError

    def facts(self, message: str, now_s: float) -> Facts:
        """Return the screen as sentences."""
        return self.desk.beneath(self).facts(message, now_s)


class BoardLayer(Layer):
    """The game, alone or among others."""

    height = Height.BOARD

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.board = Board()
        self.playback: Playback | None = None
        """The replay on top, which takes a line of the screen."""
        self._won_at_s: float | None = None
        """The moment of a win, while the board is lit up by it."""
        self._flourish_step = 0
        self._state = ""
        self._is_own = True
        """The board is one's own, and not one that is watched."""

    def update(self, changed: frozenset[str], answers: Packet | None, now_s: float) -> None:
        view = self.view
        self.board.apply_view(view, changed, answers)
        was_own, self._is_own = self._is_own, view.watching is None
        if (self._state, view.state, view.replay) == (PLAYING, WON, None) and was_own:
            is_still = self.desk.canvas.looks.motion is Motion.LESS
            self._won_at_s, self._flourish_step = (None if is_still else now_s), 0
        self._state = view.state

    def use_looks(self) -> None:
        """Apply the setting for flagging a number."""
        numbers = self.desk.canvas.looks.numbers
        self.board.is_flag_for_around = numbers is FlagOnNumber.AROUND

    @property
    def layout(self) -> Layout:
        canvas, view = self.desk.canvas, self.view
        columns = max(canvas.columns, FEWEST_COLUMNS)
        rows = max(canvas.rows - (self.playback is not None), FEWEST_ROWS - 1)
        # A long message takes the line of the keys as well, before it takes one of the field.
        message = wrapped(self.desk.text_of(view.message), columns)
        has_standings = view.room is not None and rows >= FEWEST_ROWS
        return arrange(
            columns,
            rows,
            view.size,
            canvas.looks.cells,
            has_tiles=canvas.has_tiles,
            more_foot=max(int(has_standings), len(message) - 2),
        )

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet] | None:
        self._won_at_s = None
        packets = press_in_room(self.desk, stroke, self.board.cursor)
        if packets is not None:
            return packets
        action = stroke.action
        match action:
            case KeyAction.BACK if "leave" in self.view.keys:
                self.desk.open(QuestionLayer(self.desk, Command.LEAVE))
            case KeyAction.NEW if "give_up" in self.view.keys:
                self.desk.open(QuestionLayer(self.desk, Command.GIVE_UP))
            case KeyAction.LEFT | KeyAction.RIGHT if "rivals" in self.view.keys:
                return watch_next(self.view, 1 if action is KeyAction.RIGHT else -1)
            case KeyAction.FIGURES:
                open_figures(self.desk)
            case KeyAction.OVERVIEW if not self.layout.is_windowed:
                self.desk.say(words.IS_WHOLE)
            case KeyAction.OVERVIEW if self.view.state != PAUSED:
                self.desk.open(OverviewLayer(self.desk, self))
            case None:
                return None
            case _:
                self.use_looks()
                return self.board.press(action, self.view, self.layout, now_s)
        return []

    def click(self, click: Click, target: Target | None, now_s: float) -> list[Packet]:
        if self.view.state in {"", PAUSED}:
            return []
        layout = self.layout
        cell = layout.cell_at(self.board.window, click.row, click.column)
        self.use_looks()
        return self.board.click(click, cell, self.view, layout, now_s)

    def must_wait(self, stroke: Keystroke) -> bool:
        cell = None
        if stroke.click is not None:
            window = self.board.window
            cell = self.layout.cell_at(window, stroke.click.row, stroke.click.column)
        elif stroke.action in PRESSES:
            cell = self.board.cursor
        return self.board.is_opening(self.view, cell)

    @property
    def deadline(self) -> float | None:
        won_at_s, step_s = self._won_at_s, FLOURISH_S / _FLOURISH_STEPS
        next_s = None if won_at_s is None else won_at_s + (self._flourish_step + 1) * step_s
        times = (self.board.note_s, next_s)
        return min((time for time in times if time is not None), default=None)

    def expire(self, now_s: float) -> list[Packet]:
        if self._won_at_s is not None:
            share = (now_s - self._won_at_s) / FLOURISH_S
            # A little more, so that rounding repeats no step.
            self._flourish_step = int(share * _FLOURISH_STEPS + 0.01)
            self._won_at_s = None if share >= 1 else self._won_at_s
        if self.board.note_s is not None and now_s >= self.board.note_s:
            return self.board.note(self.view)
        return []

    def remark(self) -> Sentence | None:
        odds, cursor = self.view.odds, self.board.cursor
        if odds is None or not self.view.is_playing or cursor not in odds:
            return None
        return words.said_for(words.CHANCE_HERE, self.desk.keys, percent=odds[cursor])

    def flag_remark(self) -> Sentence | None:
        view = self.view
        owner = view.seat(view.owners.get(self.board.cursor, 0))
        if owner is None or owner == view.own_seat or not view.is_playing:
            return None
        return Sentence(words.FLAG_OF.format(name=owner.name))

    def default_remark(self) -> Sentence:
        return Sentence(words.OPENS_FIRST if self.view.first else "")

    def compose(self, said: Sentence) -> Screen:
        names = self.view.keys
        if self.layout.is_windowed and self.view.is_playing:
            rest = [name for name in names if name != "quit"]
            names = (*rest[:4], "whole", "quit", *rest[4:])
        return self.compose_game(said, names)

    def compose_game(
        self, said: Sentence, names: Sequence[str], *, is_overview: bool = False
    ) -> Screen:
        """Compose the game for this layer or one on top of it, whose keys are named."""
        desk, playback = self.desk, self.playback
        return GameScreen(
            self.view,
            self.board,
            desk.canvas,
            self.layout,
            desk.clock.shown_ms if playback is None else playback.clock_ms,
            said,
            words.text_of(self.view.aim, desk.keys),
            names,
            desk.keys,
            playback,
            is_overview=is_overview,
            flourish=None if self._won_at_s is None else self._flourish_step / _FLOURISH_STEPS,
            ends_in_s=desk.countdowns["ends_in"].shown_s,
            pointed_at=desk.phrases.pointed_at,
            starts_in_s=desk.countdowns["starts_in"].shown_s if self.view.is_starting else 0,
            blocked_s=desk.countdowns["blocked"].shown_s,
        ).compose()

    def facts(self, message: str, now_s: float) -> Facts:
        desk = self.desk
        aim, clock_ms = words.text_of(self.view.aim, desk.keys), desk.clock.ms(now_s)
        return game_facts(self.view, self.board.cursor, clock_ms, aim, message)


def press_in_room(desk: Desk, stroke: Keystroke, cursor: Cell) -> list[Packet] | None:
    """Do what a key means only among others; None for any other key."""
    view = desk.view
    own = view.own_seat
    if "say" in view.keys and stroke.action is None and stroke.text in _SPOKEN:
        return [Say(int(stroke.text), *cursor)]
    if "ready" in view.keys and stroke.action is KeyAction.REVEAL:
        # Until the first asks for another round, seats are ready as they were for the last.
        is_ready = own is not None and own.ready and not view.is_round_over
        return [Ready(int(not is_ready))]
    return None


def watch_next(view: GameView, step: int) -> list[Packet]:
    """Watch the next player still playing, or the one before."""
    playing = [s for s in view.seats if s != view.own_seat and s.time is None and not s.gave_up]
    watched = "" if view.watching is None else view.watching.name
    place = next((n for n, seat in enumerate(playing) if seat.name == watched), -step)
    return [Watch(str(playing[(place + step) % len(playing)].number))] if playing else []


_SPOKEN: Final = frozenset(map(str, words.PHRASES))


class RoomLayer(Layer):
    """A room before there is a board, and the choices of its host; other keys are a board's."""

    height = Height.ROOM

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._choosing: Choosing | None = None
        self._follow()

    def _follow(self) -> None:
        """Update the rows to choose from."""
        menu = MenuView("room", "", self.view.sheet)
        if not menu.rows:
            self._choosing = None
        elif self._choosing is None:
            self._choosing = Choosing(menu)
        else:
            self._choosing.update(menu)

    def update(self, changed: frozenset[str], answers: Packet | None, now_s: float) -> None:
        if "sheet" in changed:
            self._follow()

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet] | None:
        choosing = self._choosing
        is_for_all = stroke.action is KeyAction.REVEAL and choosing and not choosing.takes_return
        if choosing is not None and not is_for_all:
            picks = choosing.press(stroke)
            if picks is not None:
                return [*picks]
        return self.desk.beneath(self).press(stroke, now_s)

    def compose(self, said: Sentence) -> Screen:
        desk, view = self.desk, self.view
        if view.room is None:
            return desk.beneath(self).compose(said)
        choosing = self._choosing
        return compose_room(view, said, desk.keys, desk.canvas, choosing=choosing, host=desk.host)

    def facts(self, message: str, now_s: float) -> Facts:
        view = self.view
        if view.room is None:
            return super().facts(message, now_s)
        return room_facts(view.room, view, message)


class OverviewLayer(Layer):
    """The whole of a large board, reduced; the cursor moves on it, and a key plays there."""

    height = Height.OVERVIEW

    def __init__(self, desk: Desk, game: BoardLayer) -> None:
        super().__init__(desk)
        self._game = game

    def update(self, changed: frozenset[str], answers: Packet | None, now_s: float) -> None:
        if changed & {"size", "state"}:
            self.desk.close(self.height)

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet] | None:
        game, action = self._game, stroke.action
        if action is not None and action in STEPS:
            return game.board.press(action, self.view, game.layout, now_s)
        if action in PRESSES or action in {KeyAction.MENU, KeyAction.BACK, KeyAction.OVERVIEW}:
            self.desk.close(self.height)
            return []
        return None if action is None else game.press(stroke, now_s)

    def click(self, click: Click, target: Target | None, now_s: float) -> list[Packet]:
        game = self._game
        cell = Overview.of(self.view, self.desk.canvas.symbols, game.layout).cell_at(
            click.row, click.column
        )
        if click.press in _WHEEL:
            return game.click(click, target, now_s)
        if cell is not None:
            self.desk.close(self.height)
            game.board.look_at(cell, self.view, game.layout)
        return []

    def default_remark(self) -> Sentence:
        return words.said_for(words.IS_OVERVIEW, self.desk.keys)

    def remark(self) -> Sentence | None:
        return self._game.remark()

    def flag_remark(self) -> Sentence | None:
        return self._game.flag_remark()

    def compose(self, said: Sentence) -> Screen:
        return self._game.compose_game(said, ("move", "there", "part"), is_overview=True)


class ReplayLayer(Layer):
    """A game that is played again on the board beneath; `Playback` keeps its time."""

    height = Height.REPLAY
    _KEYS: ClassVar = (
        *(
            "step",
            "back",
            "play_on",
            "speed",
            "skip",
            "leap",
            "ends",
            "figures",
            "odds",
            "export",
            "quit",
        ),
    )
    _OWN_KEYS: ClassVar = frozenset({"step", "speed", "skip", "leap", "ends"})
    """The rows that need no server."""

    def __init__(self, desk: Desk, game: BoardLayer, playback: Playback) -> None:
        super().__init__(desk)
        self._game = game
        self.playback = game.playback = playback

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet] | None:
        playback, action = self.playback, stroke.action
        if action is KeyAction.ODDS:
            playback.pause()
            return self._game.press(stroke, now_s)
        if action is KeyAction.FIGURES:
            open_figures(self.desk)
            return []
        if action is KeyAction.AGAIN and "play_on" in self.view.keys:
            playback.pause()
            return [LookBack(LookBackAt.PLAY_ON)]
        if action is KeyAction.EXPORT and "export" in self.view.keys:
            return [LookBack(LookBackAt.RECORDING)]
        if action is None or action not in PLAYBACK_COMMANDS:
            return [OpenMenu("")] if action in _LEAVING else None
        before = playback.position
        playback.advance(1000 * now_s)
        PLAYBACK_COMMANDS[action](playback)
        return self._show(before)

    def _show(self, before: int) -> list[Packet]:
        """Ask for another position."""
        position = self.playback.position
        return [Replay(position)] if position != before else []

    @property
    def deadline(self) -> float | None:
        due_ms = self.playback.due_ms
        return None if due_ms is None else due_ms / 1000

    def expire(self, now_s: float) -> list[Packet]:
        before = self.playback.position
        self.playback.advance(1000 * now_s)
        return self._show(before)

    def end(self) -> None:
        self._game.playback = None

    def compose(self, said: Sentence) -> Screen:
        known = {*self._OWN_KEYS, *self.view.keys}
        shown = [name for name in self._KEYS if name in known]
        toggle = "stop" if self.playback.is_playing else "play"
        return self._game.compose_game(said, (toggle, *shown))


class PageLayer(Layer):
    """Something to read that the server has opened."""

    height = Height.PAGE
    is_panel = True

    def __init__(self, desk: Desk, reading: Reading) -> None:
        super().__init__(desk)
        self._reading = reading

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet] | None:
        action = stroke.action
        if action is None or self._reading.press(action):
            return []
        if action is KeyAction.EXPORT and "export" in self.view.keys:
            return [LookBack(LookBackAt.RECORDING)]
        return [OpenMenu("")] if action in _LEAVING else None

    def compose(self, said: Sentence) -> Screen:
        return self._reading.compose(*said, self.view.keys, self.desk.keys, self.desk.canvas)

    def facts(self, message: str, now_s: float) -> Facts:
        return page_facts(self._reading.title, self._reading.lines, message)


class MenuLayer(Layer):
    """Rows to choose from; how the terminal looks is chosen here too, and told to nobody."""

    height = Height.MENU
    is_panel = True

    def __init__(self, desk: Desk, menu: MenuView) -> None:
        super().__init__(desk)
        self.choosing = Choosing(menu)

    def follow(self, menu: MenuView, answers: Packet | None) -> None:
        """Show the rows of the same menu as they are now."""
        self.choosing.update(menu)
        if self.view.message.tone == _REFUSED:
            self.choosing.correct(answers)

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet] | None:
        choosing, action = self.choosing, stroke.action
        picks = choosing.press(stroke)
        if picks is not None:
            return self._send(picks)
        if action in {KeyAction.QUIT, KeyAction.ASK_TO_QUIT}:
            return None
        if action in {KeyAction.MENU, KeyAction.BACK} and choosing.cancel():
            return []
        leaving: list[Packet] = [OpenMenu(_OPENING.get(action, ""))] if action else []
        does_leave = action in _LEAVING or action in _OPENING
        return [*self._send(choosing.settled()), *(leaving if does_leave else ())]

    def click(self, click: Click, target: Target | None, now_s: float) -> list[Packet]:
        if isinstance(target, int) and click.press not in _WHEEL:
            if click.press is not Press.FLAG:
                return self._send(self.choosing.choose(target))
            self.choosing.point(target)
        return super().click(click, target, now_s)

    def choose_place(self, place: int) -> list[Packet] | None:
        """Choose a row by its place among the selectable rows; None if there is none."""
        picks = self.choosing.choose_place(place)
        return None if picks is None else self._send(picks)

    def do_other(self, place: int) -> list[Packet] | None:
        """Do the other thing of a row, by its place; None if it has none."""
        picks = self.choosing.do_other(place)
        return None if picks is None else self._send(picks)

    def _send(self, picks: Iterable[Pick]) -> list[Packet]:
        desk, packets = self.desk, list[Packet]()
        for pick in picks:
            if is_look(pick):
                desk.canvas = desk.canvas._replace(looks=with_look(desk.canvas.looks, pick))
            else:
                packets.append(pick)
        return packets

    def flows(self, pick: Pick) -> bool:
        """Return True if only a value was set, and the menu stays as it was."""
        return any(row.id == pick.row and row.is_turned for row in self.choosing.menu.rows)

    def compose(self, said: Sentence) -> Screen:
        desk = self.desk
        screen = self.choosing.compose(*said, self.view.keys, desk.keys, desk.canvas)
        if self.choosing.menu.id == SETTINGS:
            add_preview(screen, desk.canvas)
        return screen

    def facts(self, message: str, now_s: float) -> Facts:
        return menu_facts(self.choosing.shown, message)


class FiguresLayer(Layer):
    """The end of a game or a round; any key closes it, but for those of a room."""

    height = Height.FIGURES
    is_panel = True
    _KEYS: ClassVar = ("ready", "back", "menu", "say", "quit")

    def __init__(self, desk: Desk, reading: Reading) -> None:
        super().__init__(desk)
        self._reading = reading

    def update(self, changed: frozenset[str], answers: Packet | None, now_s: float) -> None:
        if changed & {"size", "state"}:
            self.desk.close(self.height)

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet] | None:
        packets = press_in_room(self.desk, stroke, Cell(0, 0))
        action = stroke.action
        if packets is not None or action in {None, KeyAction.QUIT, KeyAction.ASK_TO_QUIT}:
            return packets
        if not self._reading.press(action):
            self.desk.close(self.height)
            if action is KeyAction.MENU and self.view.has_result:
                return [OpenMenu("")]
        return []

    def compose(self, said: Sentence) -> Screen:
        known = {"back", "quit", *self.view.keys} - (
            {"menu"} if not self.view.has_result else set()
        )
        names = [name for name in self._KEYS if name in known]
        if said.text == self._reading.title:
            said = Sentence()
        return self._reading.compose(*said, names, self.desk.keys, self.desk.canvas)


def open_figures(desk: Desk) -> None:
    """Show the figures of a game that has ended on a page of their own."""
    view = desk.view
    hint = ""
    if view.room is not None and view.room.you == view.room.host:
        hint = words.said_for(words.HOST_CHANGES, desk.keys).text
    lines: list[str | Listing] = [*result_of(view, hint), *figure_lines(view)]
    if not lines:
        desk.say(words.NO_FIGURES)
        return
    signs = words.LOST_SIGNS if view.state == LOST else ()
    headline = view.room.headline if view.room is not None and view.has_result else ""
    title = headline or ("Result" if view.has_result else "Figures")
    desk.open(FiguresLayer(desk, Reading(title, (*lines, *signs))))


class QuestionLayer(Layer):
    """A question before something is done; the layer beneath shows it as its words."""

    height = Height.QUESTION
    _QUESTIONS: ClassVar = {
        Command.QUIT: (
            words.ASKS_TO_QUIT,
            {KeyAction.QUIT, KeyAction.ASK_TO_QUIT, KeyAction.REVEAL},
        ),
        Command.LEAVE: (words.ASKS_TO_LEAVE, {KeyAction.REVEAL}),
        Command.GIVE_UP: (words.ASKS_TO_GIVE_UP, {KeyAction.REVEAL}),
    }
    """The question, and the keys that say yes."""

    def __init__(self, desk: Desk, command: Command) -> None:
        super().__init__(desk)
        self._command = command

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet]:
        self.desk.close(self.height)
        return [self._command] if stroke.action in self._QUESTIONS[self._command][1] else []

    def click(self, click: Click, target: Target | None, now_s: float) -> list[Packet]:
        return self.press(Keystroke(), now_s)

    def remark(self) -> Sentence | None:
        question = self._QUESTIONS[self._command][0]
        if self._command is Command.LEAVE and self.view.is_playing and self.view.room is not None:
            question = words.ASKS_TO_LEAVE_ROUND
        return words.said_for(question, self.desk.keys)

    def compose(self, said: Sentence) -> Screen:
        return self.desk.beneath(self).compose(said)
