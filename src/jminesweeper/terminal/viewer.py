"""A player at a terminal: what is on top of what, what keys mean there, and the screen.

On top is the first of these that there is: figures, a menu, a page, a replay, the board. Each has
its own module; here is what they share: the clock, what is said, looks, the mouse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import OpenMenu, Packet, Pick, Ready, Replay, Say, Watch
from jminesweeper.protocol.view import Listing
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.terminal import words
from jminesweeper.terminal.board import PRESSES, Board
from jminesweeper.terminal.clock import Clock, Countdown
from jminesweeper.terminal.game import Game, figure_lines
from jminesweeper.terminal.keys import Click, KeyAction, KeyMap, Keystroke, Press
from jminesweeper.terminal.layout import FEWEST_COLUMNS, FEWEST_ROWS, Layout, arrange
from jminesweeper.terminal.lines import Line, Screen, span, wrapped
from jminesweeper.terminal.looks import Canvas, Looks, is_look, look_rows, with_look
from jminesweeper.terminal.menu import Choosing, add_preview
from jminesweeper.terminal.narrator import Facts, game_facts, menu_facts, page_facts, room_facts
from jminesweeper.terminal.overview import Overview
from jminesweeper.terminal.panel import Reading
from jminesweeper.terminal.playback import COMMANDS, Playback
from jminesweeper.terminal.room import LatestPhrases, compose_room, result_of
from jminesweeper.terminal.view import LOST, PAUSED, PLAYING, WON, GameView, RowView, Words

FLASH_S: Final = 0.4
"""How long a win lights up the frame."""
_SETTINGS: Final = "settings"
_HELP: Final = "help"
_WHEEL: Final = {Press.WHEEL_UP: KeyAction.UP, Press.WHEEL_DOWN: KeyAction.DOWN}
_QUESTIONS: Final = {
    Command.QUIT: (words.ASKS_TO_QUIT, {KeyAction.QUIT, KeyAction.ASK_TO_QUIT, KeyAction.REVEAL}),
    Command.LEAVE: (words.ASKS_TO_LEAVE, {KeyAction.REVEAL}),
}
"""What a player is asked before something, and the keys that say yes."""
_SPOKEN: Final = frozenset(map(str, words.PHRASES))
_KEYS_OF_OVERVIEW: Final = ("move", "there", "part")
_KEYS_OF_FIGURES: Final = ("ready", "back", "say", "quit")
_OF_RESULTS: Final = frozenset({"seats", "figures"})
_REFUSED: Final = "warning"
"""The tone in which a server says that it did nothing."""
_KEYS_OF_REPLAY: Final = (
    *("step", "back", "speed", "skip", "leap", "ends", "figures", "odds", "quit"),
)
_OWN_KEYS_OF_REPLAY: Final = frozenset({"step", "speed", "skip", "leap", "ends"})
"""Those that need no server."""


class Viewer:
    """Keystrokes go in, packets for the server come out; the screen is there at any time."""

    def __init__(
        self,
        canvas: Canvas,
        keys: KeyMap,
        *,
        host: str = "HOST",
        look_rows: Callable[[Looks], Sequence[RowView]] = look_rows,
        help_lines: Callable[[KeyMap, GameView], Sequence[str]] = words.help_lines,
    ) -> None:
        """Add rows of looks to the settings, and lines about keys to the help.

        The host is what friends type to come to the same server.
        """
        self.canvas = canvas
        self._host = host
        self.view = GameView()
        self.board = Board()
        self.clock = Clock()
        self._keys = keys
        self._look_rows = look_rows
        self._help_lines = help_lines
        self._menu: Choosing | None = None
        self._page: Reading | None = None
        self._figures: Reading | None = None
        self._playback: Playback | None = None
        self._own = words.Sentence()
        """What the terminal says by itself, until the next key."""
        self._asked: Command | None = None
        """What the player is asked about."""
        self._phrases = LatestPhrases()
        self._countdowns = {name: Countdown() for name in ("starts_in", "ends_in", "blocked")}
        self._flash_until_s: float | None = None
        self._screen = Screen([])

    # From the server

    def take(
        self, members: Mapping[str, Any], cells: bytes, answers: Packet | None, now_s: float
    ) -> None:
        """Take what changed, and know what it answers; ViewError if it makes no sense."""
        view, state = self.view, self.view.state
        had_result = view.has_result
        changed = view.update(members, cells, has_unicode=self.canvas.has_unicode)
        self.clock.take(view, changed, now_s)
        self.board.take(view, changed, answers)
        self._phrases.take(view, now_s)
        for name in changed & {*self._countdowns}:
            self._countdowns[name].take(getattr(view, name), now_s)
        if state == PLAYING and view.state == WON and view.replay is None:
            self._flash_until_s = now_s + FLASH_S
        if changed & {"size", "state"}:
            self._figures = None
        if view.has_result and (not had_result or (self._figures and changed & _OF_RESULTS)):
            self._open_figures()
        if changed & {"menu", "rows"}:
            self._open_menu(answers)
        if "page" in changed:
            self._open_page()
        if "replay" in changed:
            self._playback = None if view.replay is None else Playback(view.replay)
            if self._playback is not None:
                self._playback.step(view.position)
                if isinstance(answers, Pick | Watch):
                    # Somebody chose this game to see it played.
                    self._playback.toggle()
        self.board.follow(view, self._layout)

    def _open_menu(self, answers: Packet | None) -> None:
        menu = self.view.menu
        if menu is not None and menu.id == _SETTINGS:
            menu = menu._replace(rows=(*menu.rows, *self._look_rows(self.canvas.looks)))
        if menu is None:
            self._menu = None
        elif self._menu is not None and self._menu.menu.id == menu.id:
            self._menu.update(menu)
            if self.view.message.tone == _REFUSED:
                self._menu.correct(answers)
        else:
            self._menu = Choosing(menu)

    def _open_page(self) -> None:
        page = self.view.page
        is_help = page is not None and page.id == _HELP
        own = self._help_lines(self._keys, self.view) if is_help else ()
        self._page = None if page is None else Reading(page.title, (*page.lines, *own))

    def play(self, speed: float) -> None:
        """Let a replay run."""
        if self._playback is not None:
            self._playback.speed = speed
            self._playback.toggle()

    def forget(self) -> None:
        """Know nothing of a server, whose first view says everything."""
        self.view, self.clock, self._phrases = GameView(), Clock(), LatestPhrases()
        self._countdowns = {name: Countdown() for name in self._countdowns}
        self._menu = self._page = self._figures = self._playback = None
        self.board.forget_presses()

    # From the player

    def must_wait(self, stroke: Keystroke) -> bool:
        """Whether what a keystroke means depends on a press under way."""
        if self._menu or self._page or self._figures or self._playback:
            return False
        cell = None
        if stroke.click is not None:
            cell = self._cell_at(stroke.click)
        elif stroke.action in PRESSES:
            cell = self.board.cursor
        return self.board.is_opening(self.view, cell)

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet]:
        """Do what a keystroke means here; return what the server has to know."""
        self._own = words.Sentence()
        if stroke.click is not None:
            return self._click(stroke.click, now_s)
        if self._asked is not None:
            asked, self._asked = self._asked, None
            return [asked] if stroke.action in _QUESTIONS[asked][1] else []
        is_covered = self._menu or self._page or self._playback
        is_at_board = not (is_covered or self.board.is_overview)
        if is_at_board and (packets := self._press_in_room(stroke)) is not None:
            return packets
        if self._menu is not None and self._figures is None:
            picks = self._menu.press(stroke)
            if picks is not None:
                return self._pick(picks)
        if stroke.action is None:
            return []
        action = KeyAction.MENU if stroke.action is KeyAction.BACK else stroke.action
        return self._do(action, now_s)

    def _press_in_room(self, stroke: Keystroke) -> list[Packet] | None:
        """Do what a key means only among others; None for any other key."""
        view = self.view
        own = view.own_seat
        if "say" in view.keys and stroke.action is None and stroke.text in _SPOKEN:
            return [Say(int(stroke.text), *self.board.cursor)]
        if "ready" in view.keys and stroke.action is KeyAction.REVEAL:
            # Until the first asks for another round, seats are ready as they were for the last.
            is_ready = own is not None and own.ready and not view.is_round_over
            return [Ready(int(not is_ready))]
        if self._figures is None and "leave" in view.keys and stroke.action is KeyAction.BACK:
            self._ask(Command.LEAVE)
            return []
        return None

    def _ask(self, command: Command) -> None:
        self._asked, self._own = command, words.said_for(_QUESTIONS[command][0], self._keys)

    def _do(self, action: KeyAction, now_s: float) -> list[Packet]:
        """Do what means the same everywhere, or leave it to what is on top."""
        is_at_board = not (self._figures or self._menu or self._page)
        match action:
            case KeyAction.QUIT:
                return [Command.QUIT]
            case KeyAction.ASK_TO_QUIT:
                self._ask(Command.QUIT)
            case KeyAction.FIGURES if is_at_board:
                self._open_figures()
            case KeyAction.OVERVIEW if is_at_board and self._playback is None:
                self._toggle_overview()
            case _:
                return self._do_on_top(action, now_s)
        return []

    def _do_on_top(self, action: KeyAction, now_s: float) -> list[Packet]:
        if self._figures is not None:
            self._figures = self._figures if self._figures.press(action) else None
            return []
        if self._menu is not None:
            if action is KeyAction.MENU and self._menu.cancel():
                return []
            leaving = [OpenMenu("help")] if action is KeyAction.HELP else _leaving(action)
            return [*self._pick(self._menu.settled()), *leaving]
        if self._page is not None:
            return [] if self._page.press(action) else _leaving(action)
        if self._playback is not None:
            return self._play(self._playback, action, now_s)
        return self.board.press(action, self.view, self._layout, now_s)

    def _play(self, playback: Playback, action: KeyAction, now_s: float) -> list[Packet]:
        """Do what a key means to a replay."""
        if action is KeyAction.ODDS:
            playback.pause()
            return self.board.press(action, self.view, self._layout, now_s)
        if action not in COMMANDS:
            return _leaving(action)
        playback.advance(1000 * now_s)
        before = playback.position
        COMMANDS[action](playback)
        return self._show(playback, before)

    def _show(self, playback: Playback, before: int) -> list[Packet]:
        """Ask for another position."""
        return [Replay(playback.position)] if playback.position != before else []

    @property
    def cover(self) -> str:
        """What covers the board, in a word; empty if nothing does."""
        if self._menu is not None:
            return "menu"
        return "" if self._page is None else "page"

    def choose_row(self, place: int) -> list[Packet] | None:
        """Choose a row by its place among those that can be selected; None if there is none."""
        picks = None if self._menu is None else self._menu.choose_place(place)
        return None if picks is None else self._pick(picks)

    def _pick(self, picks: Sequence[Pick]) -> list[Packet]:
        """Keep to oneself what is a matter of looks."""
        for pick in filter(is_look, picks):
            self.canvas = self.canvas._replace(looks=with_look(self.canvas.looks, pick))
        return [pick for pick in picks if not is_look(pick)]

    def flows(self, packet: Packet) -> bool:
        """Whether a value was set, after which the menu is what it was."""
        if not isinstance(packet, Pick) or self._menu is None:
            return False
        rows = self._menu.menu.rows
        return any(row.id == packet.row and row.is_turned for row in rows)

    def _toggle_overview(self) -> None:
        if self._layout.is_windowed and self.view.state != PAUSED:
            self.board.is_overview = not self.board.is_overview
        else:
            self._own = words.said_for(words.IS_WHOLE, self._keys)

    def _open_figures(self) -> None:
        """Show the figures of a game that has ended on a page of their own."""
        view = self.view
        lines: list[str | Listing] = [*result_of(view), *figure_lines(view)]
        if lines:
            signs = words.LOST_SIGNS if view.state == LOST else ()
            title = "Result" if view.has_result else "Figures"
            self._figures = Reading(title, (*lines, *signs))
        else:
            self._own = words.said_for(words.NO_FIGURES, self._keys)

    def _click(self, click: Click, now_s: float) -> list[Packet]:
        """Do what a press means where it was, or a turn of the wheel."""
        target = self._screen.at(click.row, click.column)
        is_panel = bool(self._menu or self._page or self._figures)
        if isinstance(target, str):
            return self.press(Keystroke(action=words.clicked(target)), now_s)
        if click.press in _WHEEL and is_panel:
            return self.press(Keystroke(action=_WHEEL[click.press]), now_s)
        if self._menu is not None and isinstance(target, int):
            if click.press is not Press.FLAG:
                return self._pick(self._menu.choose(target))
            self._menu.point(target)
        if is_panel or self._playback is not None or self.view.state in {"", PAUSED}:
            return []
        return self.board.click(click, self._cell_at(click), self.view, self._layout, now_s)

    def _cell_at(self, click: Click) -> Cell | None:
        layout = self._layout
        if self.board.is_overview:
            overview = Overview.of(self.view, self.canvas.symbols, layout)
            return overview.cell_at(click.row, click.column)
        return layout.cell_at(self.board.window, click.row, click.column)

    # Time

    @property
    def deadline(self) -> float | None:
        """When something happens by itself."""
        due_ms = None if self._playback is None else self._playback.due_ms
        times = (
            self.clock.next_tick_s,
            self.board.note_s,
            self._flash_until_s,
            self._phrases.deadline,
            *(each.next_tick_s for each in self._countdowns.values()),
            None if due_ms is None else due_ms / 1000,
        )
        return min((time for time in times if time is not None), default=None)

    def expire(self, now_s: float) -> list[Packet]:
        """Do what is due; return what the server has to know."""
        packets: list[Packet] = []
        self._phrases.expire(now_s)
        if self._flash_until_s is not None and now_s >= self._flash_until_s:
            self._flash_until_s = None
        if self.board.note_s is not None and now_s >= self.board.note_s:
            packets += self.board.note(self.view)
        if self._playback is not None:
            before = self._playback.position
            self._playback.advance(1000 * now_s)
            packets += self._show(self._playback, before)
        return packets

    # The screen

    def resize(self, columns: int, rows: int) -> None:
        """Compose for another terminal from now on."""
        self.canvas = self.canvas._replace(columns=columns, rows=rows)
        if not self._is_too_small:
            self.board.follow(self.view, self._layout)

    @property
    def _layout(self) -> Layout:
        canvas = self.canvas
        rows = canvas.rows - (self._playback is not None)
        columns, rows = max(canvas.columns, FEWEST_COLUMNS), max(rows, FEWEST_ROWS - 1)
        # A long message takes the line of the keys as well, before it takes one of the field.
        message = wrapped(self._text_of(self.view.message), columns)
        has_standings = self.view.room is not None and rows > FEWEST_ROWS
        return arrange(
            columns,
            rows,
            self.view.size,
            canvas.looks.cells,
            has_tiles=canvas.has_tiles,
            more_foot=max(int(has_standings), len(message) - 2),
        )

    @property
    def _is_too_small(self) -> bool:
        return self.canvas.columns < FEWEST_COLUMNS or self.canvas.rows < FEWEST_ROWS

    def screen(self, now_s: float) -> Screen:
        """Compose what there is to see."""
        clock_ms = self.clock.show(now_s)
        self._count_down(now_s)
        self._screen = self._too_small() if self._is_too_small else self._compose(clock_ms)
        return self._screen

    def facts(self, now_s: float) -> Facts:
        """Return what there is to see as sentences, for a narrator."""
        self._count_down(now_s)
        self._phrases.expire(now_s)
        message = self._said().text
        if self._menu is not None:
            return menu_facts(self._menu.shown, message)
        if self._page is not None:
            return page_facts(self._page.title, self._page.lines, message)
        if self.view.room is not None and not self.view.state:
            return room_facts(self.view.room, self.view, message)
        aim, clock_ms = words.text_of(self.view.aim, self._keys), self.clock.ms(now_s)
        return game_facts(self.view, self.board.cursor, clock_ms, aim, message)

    def _count_down(self, now_s: float) -> None:
        for countdown in self._countdowns.values():
            countdown.show(now_s)

    def _too_small(self) -> Screen:
        """Show only a sentence on a screen that is too small for anything else."""
        columns, rows = self.canvas.columns, self.canvas.rows
        sentences = [wrapped(sentence, columns) for sentence in words.TOO_SMALL]
        said = next((each for each in sentences if len(each) <= rows), sentences[-1])
        lines = [span(line).cut(columns) for line in said]
        return Screen([*lines, *[Line()] * rows][:rows])

    def _compose(self, clock_ms: int) -> Screen:
        view, canvas, keys = self.view, self.canvas, self._keys
        text, tone = self._said()
        if self._figures is not None:
            names = [name for name in _KEYS_OF_FIGURES if name in {*view.keys, "back", "quit"}]
            return self._figures.compose(text, tone, names, keys, canvas)
        if self._menu is not None:
            screen = self._menu.compose(text, tone, view.keys, keys, canvas)
            if self._menu.menu.id == _SETTINGS:
                add_preview(screen, canvas)
            return screen
        if self._page is not None:
            return self._page.compose(text, tone, view.keys, keys, canvas)
        if view.room is not None and not view.state:
            said = words.Sentence(text, tone)
            return compose_room(view, view.room, said, keys, canvas, host=self._host)
        return Game(
            view,
            self.board,
            canvas,
            self._layout,
            clock_ms if self._playback is None else self._playback.clock_ms,
            words.Sentence(text, tone),
            words.text_of(view.aim, keys),
            self._names(),
            keys,
            self._playback,
            is_flashing=self._flash_until_s is not None,
            ends_in_s=self._countdowns["ends_in"].shown_s,
            pointed_at=self._phrases.pointed_at,
        ).compose()

    def _names(self) -> Sequence[str]:
        """Say what can be done at the board; where only a part is seen also: to see the whole."""
        if self._playback is not None:
            known = {*_OWN_KEYS_OF_REPLAY, *self.view.keys}
            shown = [name for name in _KEYS_OF_REPLAY if name in known]
            return ("stop" if self._playback.is_playing else "play", *shown)
        if self.board.is_overview:
            return _KEYS_OF_OVERVIEW
        names = self.view.keys
        if not (self._layout.is_windowed and self.view.is_playing):
            return names
        rest = [name for name in names if name != "quit"]
        return (*rest[:4], "whole", "quit", *rest[4:])

    def _said(self) -> words.Sentence:
        """Return what is said: by the terminal itself first."""
        view, odds = self.view, self.view.odds
        if self._own.text:
            return self._own
        is_at_board = not view.is_covered and self._figures is None
        if odds is not None and is_at_board and view.is_playing and self.board.cursor in odds:
            percent = odds[self.board.cursor]
            return words.said_for(words.CHANCE_HERE, self._keys, percent=percent)
        if said := self._said_together():
            return said
        if view.message.text:
            return words.Sentence(self._text_of(view.message), view.message.tone)
        return (
            words.said_for(words.IS_OVERVIEW, self._keys)
            if self.board.is_overview
            else words.Sentence()
        )

    def _text_of(self, said: Words) -> str:
        """Word what the server says; among others there is nothing to play again alone."""
        is_end = self.view.room is not None and "new" not in self.view.keys
        return said.text if is_end else words.text_of(said, self._keys)

    def _said_together(self) -> words.Sentence | None:
        """Return what there is to say among others: a penalty, what they say, whose flag it is."""
        view = self.view
        if seconds := self._countdowns["starts_in"].shown_s:
            return words.said_for(words.STARTS, self._keys, seconds=seconds)._replace(tone="good")
        if view.watching is not None and not view.state and not self._phrases.text(view):
            return words.Sentence(words.YOU_WATCH)
        if seconds := self._countdowns["blocked"].shown_s:
            return words.said_for(words.BLOCKED, self._keys, seconds=seconds)._replace(tone="bad")
        if phrases := self._phrases.text(view):
            return words.Sentence(phrases)
        owner = view.seat(view.owners.get(self.board.cursor, 0))
        if owner is not None and owner != view.own_seat and view.is_playing:
            return words.Sentence(words.FLAG_OF.format(name=owner.name))
        return None


def _leaving(action: KeyAction) -> list[Packet]:
    """Leave a menu, a page or a replay; nothing for a key that means nothing there."""
    if action in {KeyAction.MENU, KeyAction.NEW, KeyAction.HELP, KeyAction.REVEAL}:
        return [OpenMenu("")]
    return []
