"""The line mode: a command in, sentences out, for screen readers and for pipes.

Every command is answered before the next line is read. An answer says what changed. If the
connection is lost before the answer, the answer tells of the resumed game, and the command is not
repeated.

A command does what a key does at the terminal: `FORMS` is the table of them all, and each stands
for an `Order`.
"""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from jminesweeper.client import ClientError, events
from jminesweeper.client.conversation import (
    QUIET_S,
    Backoff,
    ClientConversation,
    ClientState,
    Profile,
    SilenceTimer,
    earliest,
    is_due,
)
from jminesweeper.client.driver import Driver, Program
from jminesweeper.client.events import (
    ClientEvent,
    ConnectionRequest,
    Effect,
    Event,
    Leave,
    OutletEffect,
)
from jminesweeper.client.own_files import keep_recording
from jminesweeper.client.request import DEFAULT_BOARD, GameRequest
from jminesweeper.client.transport import Dial, Network
from jminesweeper.core.errors import NotationError
from jminesweeper.core.grid import Cell
from jminesweeper.core.variant import Variant, asked_board
from jminesweeper.protocol import packets
from jminesweeper.protocol.vocabulary import DAILY_BOARD, SAME_BOARD, Command, RoomFlag, RoomKind
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.keys import KeyAction, KeyMap, Keystroke
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.narrator import Narrator, describe_cell, describe_row, draw_board
from jminesweeper.terminal.view import PAUSED, GameView, ViewError
from jminesweeper.terminal.words import PHRASES

ANSWER_WAIT_S: Final = 30.0
_STILL_CONNECTING: Final = "The server does not answer; still connecting."
_COVERED: Final = {
    "menu": "A menu is open: choose NUMBER chooses a row, menu goes back.",
    "page": "A page is open: menu goes back.",
}
_SILENCE_REPEAT_S: Final = 5.0
_PIPE_CLOSED: Final = 1
"""The exit code of every other command of this program whose output nobody reads."""


class PlainClient:
    """Plays line by line; a `Program` whose effects are lines read and answers printed."""

    def __init__(
        self,
        profile: Profile,
        backoff: Backoff,
        *,
        answer_wait_s: float = ANSWER_WAIT_S,
        quiet_s: float = QUIET_S,
    ) -> None:
        self._conversation = ClientConversation(profile, backoff, answer_wait_s)
        self._front = FrontEnd(
            Canvas(),
            CommandNames(),
            look_rows=lambda _looks: (),
            help_lines=lambda _keys, _view: (),
        )
        self._narrator = Narrator()
        self._silence = SilenceTimer(quiet_s, _SILENCE_REPEAT_S)
        self._is_answering = True
        """A command, or the beginning of the game, has no answer yet."""
        self._told = ""
        """The answer to the last command, in place of the view."""
        self._awaits_file = False
        """A recording is being written, and the answer says where."""
        self._was_interrupted = False

    @property
    def deadline(self) -> float | None:
        return earliest(self._conversation.deadline, self._silence.deadline)

    def begin(self, now_s: float, /) -> list[Effect]:
        """Connect for the first time."""
        self._silence.note(now_s, is_owed=True)
        return [ConnectionRequest.DIAL]

    def handle(self, event: Event, now_s: float, /) -> list[Effect]:
        """Handle an event; a command that is answered asks for the next one."""
        effects = self._effects(event, now_s)
        conversation = self._conversation
        if data := conversation.data_to_send():
            effects.insert(0, events.Send(data))
        self._silence.note(
            now_s,
            is_owed=conversation.is_waiting,
            has_heard=isinstance(event, events.Received),
        )
        is_answered = conversation.is_playing and not (conversation.owed or self._awaits_file)
        if self._is_answering and is_answered:
            front = self._front
            answer = self._told or self._narrator.tell(
                front.facts(now_s), front.view, front.board.cursor
            )
            self._is_answering = self._was_interrupted = False
            self._told = ""
            effects += [events.Print(answer), events.ReadLine()]
        return effects

    def paint(self, _now_s: float, /) -> str:
        """Return nothing: answers are printed."""
        return ""

    def _effects(self, event: Event, now_s: float) -> list[Effect]:
        conversation = self._conversation
        match event:
            case events.LineRead(line):
                return self._obey(line, now_s)
            case events.Received(data):
                return self._follow(conversation.receive(data, now_s), now_s)
            case events.Lost(reason):
                return self._follow(conversation.lose(reason, now_s), now_s)
            case events.Connected(notice):
                conversation.connected(now_s)
                return [events.Tell(notice)] if notice else []
            case events.Kept(notice):
                self._told, self._awaits_file = notice, False
            case events.Stopped(exit_code):
                conversation.quit()
                return [events.Leave(exit_code)]
            case events.Expired():
                is_dialling = conversation.state is ClientState.DIALLING
                effects = self._follow(conversation.expire(now_s), now_s)
                if is_due(self._silence.deadline, now_s):
                    silent_s = self._silence.expire(now_s)
                    told = f"The server has not answered for {silent_s} s."
                    effects.append(events.Tell(_STILL_CONNECTING if is_dialling else told))
                return effects
            case _:
                # Keys and sizes belong to screens.
                pass
        return []

    def _obey(self, line: str | None, now_s: float) -> list[Effect]:
        """Do what a line asks for; at the end of the input, quit."""
        conversation = self._conversation
        if line is not None and is_help(line):
            return [events.Print(explain_commands()), events.ReadLine()]
        try:
            order = _QUIT if line is None else parse_command(line)
            if order is None:
                return [events.ReadLine()]
            if order == _QUIT:
                conversation.quit()
                return [events.Leave(0)]
            packets = self._carry_out(order, line or "", now_s)
        except CommandError as error:
            return [events.Print(str(error)), events.ReadLine()]
        if packets:
            self._narrator.expect_message()
            conversation.send(packets, now_s)
        self._is_answering = True
        return []

    def _carry_out(self, order: Order, line: str, now_s: float) -> list[packets.Packet]:
        """Do what an order asks for; return what the server has to know.

        A game that was lost before that is not meant: the answer is then what is there instead.
        """
        front = self._front
        if not self._conversation.is_playing:
            return []
        if is_for_board(line) and front.cover:
            raise CommandError(_COVERED[front.cover])
        if order.cell is not None and not front.board.go_to(order.cell, front.view):
            raise CommandError(f"There is no cell at {order.cell.column} {order.cell.row}.")
        if order.read_out is not None:
            self._told = order.read_out(front.view, front.board.cursor)
        if order.packet is Command.REFRESH:
            self._narrator.forget()
        if order.row is not None:
            chosen = front.choose_row(order.row - 1)
            if chosen is None:
                raise CommandError(f"There is no row {order.row} to choose.")
            return chosen
        if order.other is not None:
            done = front.do_other(order.other - 1)
            if done is None:
                raise CommandError(f"Row {order.other} offers nothing else.")
            return done
        packets = [] if order.packet is None else [order.packet]
        for stroke in order.strokes:
            packets += front.press(stroke, now_s)
        return packets

    def _follow(self, happened: Iterable[ClientEvent], now_s: float) -> list[Effect]:
        effects: list[Effect] = []
        for event in happened:
            match event:
                case ConnectionRequest():
                    effects.append(event)
                case events.KeepRecording():
                    self._awaits_file = True
                    effects.append(event)
                case events.Viewed(members, cells, answers):
                    if answers is None and not members.get("last"):
                        # The goodbye of a server that is being stopped answers no command.
                        continue
                    try:
                        self._front.apply_view(members, cells, answers, now_s)
                    except ViewError as error:
                        effects.append(events.Leave(1, str(error)))
                case events.Interrupted(reason):
                    if not self._was_interrupted:
                        effects.append(events.Tell(f"{reason} Reconnecting."))
                    self._was_interrupted = True
                case events.Dismissed(was_asked_for):
                    message = self._front.view.message.text
                    effects.append(events.Leave(0 if was_asked_for else 1, message))
                case events.Over(reason):
                    effects.append(events.Leave(1, reason))
                case events.FirstScreen():
                    # HELLO is on its way, and its answer says everything.
                    self._front.forget()
                case events.FrameReceived():
                    pass
        return effects


class PlainShell:
    """Standard input and output, or what stands for them: the outlet of the line mode."""

    def __init__(
        self,
        program: Program,
        dial: Dial,
        lines: AsyncIterator[str],
        *,
        write: Callable[[str], None],
        tell: Callable[[str], None],
        folder: Path | None = None,
    ) -> None:
        self._lines = lines
        self._tell = tell
        self._folder = folder or Path.cwd()
        self.write = write
        self._driver = Driver(program)
        self._network = Network(self._driver.deliver, dial)

    async def run(self) -> Leave:
        """Play until the input ends, the player quits, or Ctrl-C."""
        # asyncio's own handling of Ctrl-C does not wake a loop that was just about to wait.
        loop, interrupted = asyncio.get_running_loop(), events.Stopped(128 + signal.SIGINT)
        loop.add_signal_handler(signal.SIGINT, self._driver.deliver, interrupted)
        try:
            leave = await self._driver.run(self, self._network)
        finally:
            loop.remove_signal_handler(signal.SIGINT)
        await self._network.finish()
        return leave

    @property
    def is_ready(self) -> bool:
        return True

    def perform(self, effect: OutletEffect) -> None:
        match effect:
            case events.Print(text):
                try:
                    # A blank line tells programs that the answer is complete.
                    self.write(f"{text}\n")
                except BrokenPipeError:
                    # Nobody reads on, as after `| head`: quit as if asked to.
                    self._driver.deliver(events.Stopped(_PIPE_CLOSED))
            case events.ReadLine():
                self._driver.spawn(self._read_line())
            case events.Tell(text):
                self._tell(text)
            case events.KeepRecording(text):
                now = datetime.now().astimezone()
                self._driver.deliver(events.Kept(keep_recording(text, self._folder, now)))
            case _:
                # There is no screen, and no mouse.
                pass

    async def _read_line(self) -> None:
        self._driver.deliver(events.LineRead(await anext(self._lines, None)))


# Commands

_Words: TypeAlias = Sequence[str]
_OPEN: Final = "open"

_LAST: Final = 254
_MOST_STEPS: Final = 0xFFFF


_ReadOut: TypeAlias = Callable[[GameView, Cell], str]
"""Says something of a view and its cursor."""


class CommandError(ClientError):
    """The line is not a command."""


class Order(NamedTuple):
    """A line typed: a place for the cursor, keys to press, a packet to send, or a question."""

    cell: Cell | None = None
    strokes: Sequence[Keystroke] = ()
    packet: packets.Packet | None = None
    row: int | None = None
    """The row of a menu to choose, counted from 1."""
    other: int | None = None
    """The row of a menu whose other thing is to be done."""
    read_out: _ReadOut | None = None


_QUIT: Final = Order(strokes=[Keystroke(action=KeyAction.QUIT)])


class _Form(NamedTuple):
    """A command: its arguments, its purpose, and the order it stands for."""

    arguments: str
    purpose: str
    order: Callable[[_Words], Order]


def _on_cell(action: KeyAction) -> Callable[[_Words], Order]:
    def order(words: _Words) -> Order:
        return Order(_cell(words) if words else None, [Keystroke(action=action)])

    return order


def _key(action: KeyAction) -> Callable[[_Words], Order]:
    def order(words: _Words) -> Order:
        _expect_nothing(words)
        return Order(strokes=[Keystroke(action=action)])

    return order


def _expect_nothing(words: _Words) -> None:
    if words:
        raise CommandError(f"This command takes no arguments: '{' '.join(words)}'.")


def _cell(words: _Words) -> Cell:
    if len(words) != 2:
        raise CommandError("A cell is a column and a row, for instance 3 4.")
    column, row = (_number(word, 0, _LAST) for word in words)
    return Cell(column, row)


def _number(word: str, least: int, most: int) -> int:
    number = int(word) if re.fullmatch(r"[0-9]{1,5}", word) else -1
    if not least <= number <= most:
        raise CommandError(f"'{word}' is not a number from {least} to {most}.")
    return number


def _undo(words: _Words) -> Order:
    return Order(packet=packets.Undo(_number(words[0], 1, _MOST_STEPS) if words else 1))


def _new(words: _Words) -> Order:
    if not words:
        return Order(packet=packets.NewGame())
    text = " ".join(words)
    if words[0] not in {DAILY_BOARD, SAME_BOARD}:
        text = _read_board(text).text
    return Order(packet=packets.NewGame(_cut(text)))


def _read_board(text: str) -> Variant:
    try:
        return asked_board(text)
    except NotationError as error:
        reason = str(error)
        raise CommandError(f"{reason[:1].upper()}{reason[1:]}.") from error


def _show(words: _Words) -> Order:
    _expect_nothing(words)
    return Order(packet=Command.REFRESH)


def _look(words: _Words) -> Order:
    asked = _cell(words) if words else None

    def read_out(view: GameView, cursor: Cell) -> str:
        cell = cursor if asked is None else asked
        if cell.column >= view.size.columns or cell.row >= view.size.rows:
            raise CommandError(f"There is no cell at {cell.column} {cell.row}.")
        return describe_cell(cell, view)

    return Order(read_out=_unless_paused(read_out))


def _row(words: _Words) -> Order:
    asked = _number(words[0], 0, _LAST) if words else None

    def read_out(view: GameView, cursor: Cell) -> str:
        row = cursor.row if asked is None else asked
        if row >= view.size.rows:
            raise CommandError(f"There is no row {row}.")
        return describe_row(row, view)

    return Order(read_out=_unless_paused(read_out))


def _board(words: _Words) -> Order:
    _expect_nothing(words)
    return Order(read_out=_unless_paused(lambda view, _cursor: draw_board(view)))


def _unless_paused(read_out: _ReadOut) -> _ReadOut:
    def read(view: GameView, cursor: Cell) -> str:
        if view.state in {"", PAUSED}:
            raise CommandError("No board is shown now.")
        return read_out(view, cursor)

    return read


def _choose(words: _Words) -> Order:
    if words:
        return Order(row=_number(words[0], 1, _MOST_STEPS))
    return Order(strokes=[Keystroke(action=KeyAction.REVEAL)])


def _type(words: _Words) -> Order:
    """Fill in a row and be done with it."""
    text = Keystroke(_cut(" ".join(words)))
    return Order(strokes=[text, Keystroke(action=KeyAction.REVEAL)])


def _room(kind: RoomKind) -> Callable[[_Words], Order]:
    def order(words: _Words) -> Order:
        flags = RoomFlag.OPEN if [*words[-1:]] == [_OPEN] else RoomFlag(0)
        board = _read_board(" ".join(words[: len(words) - bool(flags)]) or DEFAULT_BOARD)
        return Order(packet=GameRequest(preset=board).room(kind, flags))

    return order


def _ready(words: _Words) -> Order:
    if [*words] not in ([], ["no"]):
        raise CommandError("It is ready, or ready no.")
    return Order(packet=packets.Ready(int(not words)))


def _say(words: _Words) -> Order:
    phrase = _number(words[0] if words else "", 0, max(PHRASES))
    cell = _cell(words[1:]) if words[1:] else Cell(0, 0)
    return Order(packet=packets.Say(phrase, *cell))


def _leave(words: _Words) -> Order:
    _expect_nothing(words)
    return Order(packet=Command.LEAVE)


def _give(words: _Words) -> Order:
    if [*words] != ["up"]:
        raise CommandError("Type give up to give up a race.")
    return Order(packet=Command.GIVE_UP)


def _named(packet: Callable[[str], packets.Packet]) -> Callable[[_Words], Order]:
    return lambda words: Order(packet=packet(_cut(" ".join(words))))


def _named_or(
    packet: Callable[[str], packets.Packet], action: KeyAction
) -> Callable[[_Words], Order]:
    return lambda words: _named(packet)(words) if words else _key(action)(words)


def _cut(text: str) -> str:
    """Cut a text to the bytes that a packet has room for."""
    return text.encode(errors="ignore")[: packets.LONGEST_NAME].decode(errors="ignore")


_CELL: Final = "[COLUMN ROW]"
_BOARD: Final = "[BOARD]"
FORMS: Final[Mapping[str, _Form]] = {
    "open": _Form(_CELL, "reveal a cell, or around a number", _on_cell(KeyAction.REVEAL)),
    "flag": _Form(_CELL, "flag a cell, or remove the flag", _on_cell(KeyAction.FLAG)),
    "follow": _Form(
        _CELL,
        "flag the cells around a number that must be mines",
        _on_cell(KeyAction.FLAG_AROUND),
    ),
    "chord": _Form(_CELL, "reveal around a number", _on_cell(KeyAction.CHORD)),
    "go": _Form("COLUMN ROW", "move the cursor", lambda words: Order(_cell(words))),
    "look": _Form(_CELL, "say what a cell shows, and what is around it", _look),
    "row": _Form("[ROW]", "say what the cells of a row show", _row),
    "board": _Form("", "write the whole board, a character for each cell", _board),
    "undo": _Form("[STEPS]", "undo the last steps", _undo),
    "redo": _Form("", "do again what was undone", _key(KeyAction.REDO)),
    "hint": _Form("", "show a safe cell", _key(KeyAction.HINT)),
    "odds": _Form("", "show the chances of a mine, or hide them", _key(KeyAction.ODDS)),
    "next": _Form("", "go to the next cell that a rule solves", _key(KeyAction.NEXT)),
    "new": _Form("[BOARD|daily|again]", "start another game, like the last or as named", _new),
    "code": _Form("CODE", "play the board of a seed code", _named(packets.Code)),
    "save": _Form("[NAME]", "save the game", _named(packets.Save)),
    "load": _Form(
        "[NAME]", "load a saved game, or list them", _named_or(packets.Load, KeyAction.LOAD)
    ),
    "delete": _Form(
        "[NAME]",
        "delete a saved game, or the one selected",
        _named_or(packets.Drop, KeyAction.ERASE),
    ),
    "replay": _Form("", "replay the game that has ended", _key(KeyAction.REPLAY)),
    "analysis": _Form("", "show which reveals were guesses", _key(KeyAction.ANALYSIS)),
    "export": _Form("", "write the game into a file", _key(KeyAction.EXPORT)),
    "pause": _Form("", "stop the clock, or resume", _key(KeyAction.PAUSE)),
    "people": _Form("", "see who is online, to play together", _key(KeyAction.PEOPLE)),
    "race": _Form(_BOARD, "open a room for a race", _room(RoomKind.RACE)),
    "coop": _Form(_BOARD, "open a room to share a board", _room(RoomKind.SHARED)),
    "join": _Form("CODE", "sit down in a room", _named(packets.Join)),
    "watch": _Form("CODE|NAME", "watch a game, a room or a player", _named(packets.Watch)),
    "ready": _Form("[no]", "be ready for the round, or not", _ready),
    "say": _Form("NUMBER [COLUMN ROW]", "say something in a room; 0 points at a cell", _say),
    "leave": _Form("", "leave the room, or stop watching", _leave),
    "give": _Form("up", "give up a race", _give),
    "menu": _Form("", "open the menu, or go back", _key(KeyAction.MENU)),
    "choose": _Form("[NUMBER]", "choose a row of a menu", _choose),
    "other": _Form(
        "NUMBER",
        "do the other thing that a row offers",
        lambda words: Order(other=_number(" ".join(words[:1]), 1, _MOST_STEPS)),
    ),
    "up": _Form("", "move up", _key(KeyAction.UP)),
    "down": _Form("", "move down", _key(KeyAction.DOWN)),
    "left": _Form("", "move left, or turn a value back", _key(KeyAction.LEFT)),
    "right": _Form("", "move right, or turn a value on", _key(KeyAction.RIGHT)),
    "type": _Form("TEXT", "fill in the selected row", _type),
    "debug": _Form("", "turn debug mode on or off", _key(KeyAction.DEBUG)),
    "show": _Form("", "say again how things are", _show),
    "quit": _Form("", "leave; a known player's game waits", _key(KeyAction.QUIT)),
}
_FOR_BOARD: Final = re.compile(
    r"\s*(open|flag|follow|chord|go|look|row|board|undo|redo|hint|odds|next|save|replay|analysis|export|pause|debug)\b",
    re.IGNORECASE,
)
_HELP: Final = "help"
_ASKS_FOR_HELP: Final = frozenset({_HELP, "?"})
_COMMANDS_OF: Final[Mapping[KeyAction, str]] = {
    **{action: action.value for action in KeyAction if action.value in FORMS},
    KeyAction.REVEAL: "open",
    KeyAction.AGAIN: "new again",
    KeyAction.ERASE: "delete",
    KeyAction.BACK: "menu",
}


class CommandNames(KeyMap):
    """Commands as names of keys, so that messages name them instead."""

    def label(self, action: KeyAction) -> str:
        """Return the command that does what a key does at the terminal."""
        return _COMMANDS_OF.get(action, "")


def parse_command(line: str) -> Order | None:
    """Return what a line asks for, or None for `help` and a blank line."""
    words = line.split()
    if not words:
        return None
    name = words[0].lower()
    if name in _ASKS_FOR_HELP:
        _expect_nothing(words[1:])
        return None
    form = FORMS.get(name)
    if form is None:
        raise CommandError(f"Unknown command '{words[0]}'. Type help for a list.")
    return form.order(words[1:])


def is_for_board(line: str) -> bool:
    """Return True if the line means nothing while a menu or a page covers the board."""
    return _FOR_BOARD.match(line) is not None


def is_help(line: str) -> bool:
    """Return True if the line asks for the list of commands."""
    return line.strip().lower() in _ASKS_FOR_HELP


def explain_commands() -> str:
    """Describe every command on a line of its own."""
    rows = [(f"{name} {form.arguments}".strip(), form.purpose) for name, form in FORMS.items()]
    rows.append((_HELP, "list the commands"))
    width = max(len(written) for written, _ in rows)
    lines = [f"{written:{width}}  {purpose}" for written, purpose in rows]
    return "\n".join([*lines, "Columns and rows count from 0, from the top left."])
