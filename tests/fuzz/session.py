"""Play at random, and badly: `python -m tests.fuzz.session [--seconds N] [--seed S]`.

Packets with right and wrong values arrive at any time, before and after HELLO, in games, menus and
pages, while the store answers, fails or forgets and the solver knows or does not. What must hold:
nothing raises, every packet but QUIT gets exactly one reply, a reply says nothing a player may not
know and nothing of what was typed unescaped, and frames of version 1 stay as small as promised.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from jminesweeper.check.version_2 import KeptView
from jminesweeper.core.grid import Cell, Size, indices
from jminesweeper.core.minefield import place_mines
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.frames import ClassicFrame
from jminesweeper.protocol.packets import (
    Act,
    Code,
    Drop,
    Hello,
    Hint,
    Join,
    Load,
    LookBack,
    MoveTo,
    NewGame,
    Odds,
    OpenMenu,
    OpenRoom,
    Packet,
    Pick,
    Ready,
    RecordingContent,
    Replay,
    Save,
    Say,
    ScreenContent,
    Seek,
    Start,
    Undo,
    UnknownPacket,
    View,
    Watch,
)
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.recordings.text import parse_game
from jminesweeper.records.reviews import Verdict
from jminesweeper.records.rooms import Finish
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.figures import Rival
from jminesweeper.session.main_menu import MENUS
from jminesweeper.session.player import Player
from jminesweeper.session.reply import (
    Analyse,
    FindHint,
    FindOdds,
    FindSolved,
    FoundHint,
    FoundOdds,
    FoundReview,
    FoundSolved,
    LayBoard,
    RaceSolver,
)
from jminesweeper.store.port import Fault, StoreUnavailableError
from tests.fuzz import run
from tests.world.games import waiting
from tests.world.server import World, end_worlds

FAULTS = (StoreUnavailableError(Fault.FULL), StoreUnavailableError(Fault.LOCKED))
LARGEST_FRAME = 80 * 1024
EVIL = "\x1b]0;evil\x07\x1b[31mEVIL\u202e"
CONTROL = re.compile(rb"\x1b\]2;JMinesweeper/2\x07|\x1b\[[0-9;?]*[A-Za-z]")
STYLES = re.compile(rb"\x1b\[[0-9;]*m")
KEYS = (b"", bytes(16), bytes(range(16)))
NAMES = ("", "Ada", EVIL, "x" * 255)
COMMANDS = [command for command in Command if command is not Command.QUIT]

Rng = random.Random


BOARDS = ("", "again", "daily", "daily expert", "beginner", "intermediate", "expert", EVIL)
BOARD_WORDS = (
    ("classic", "kata", "formal", "chess"),
    ("first-reveal=zero", "chording=no", "mine=life"),
    ("no-guess", "repeat", "daily=2026-11-18"),
    ("seed=0", "seed=18446744073709551615", "seed=-1", "layout=*.", "first=0,0"),
)


def _edge(rng: Rng, usual: int, largest: int) -> int:
    """Mostly something sensible, sometimes the ends of what the field holds."""
    return rng.choice((rng.randrange(usual), rng.randrange(usual), 0, 1, largest))


def _hello(rng: Rng) -> Hello:
    return Hello(
        _edge(rng, 8, 255), rng.choice(KEYS), rng.choice(NAMES), version=_edge(rng, 3, 255)
    )


def _new_game(rng: Rng) -> NewGame:
    columns, rows, mines = (_edge(rng, most, 0xFFFF) for most in (12, 12, 30))
    board = rng.choice((*BOARDS, f"{columns}x{rows}/{mines}", f"easy {columns}x{rows}"))
    words = (rng.choice(("", *more)) for more in BOARD_WORDS)
    return NewGame(" ".join(filter(None, (board, *words))), _edge(rng, 4, 255))


def _pick(rng: Rng) -> Pick:
    """Pick something of the usual menus, whether or not it is there."""
    menu = rng.choice(("main", "boards", "settings", "records", "saves", "save", "assist", EVIL))
    row = rng.choice((*MENUS, "pace", "name", "save", "yes", "no", "=Ada", "custom", "begin", EVIL))
    value = rng.choice((*NAMES, "on", "off", "7"))
    return Pick(menu, row, value, _edge(rng, 2, 255))


def _cell(rng: Rng) -> tuple[int, int]:
    return _edge(rng, 12, 255), _edge(rng, 12, 255)


MAKERS: Sequence[tuple[int, Callable[[Rng], Packet]]] = (
    (40, lambda rng: rng.choice(COMMANDS)),
    (20, lambda rng: rng.choice((Command.REVEAL, Command.TOGGLE_BOMB_MARK))),
    (2, lambda rng: Start(*_cell(rng), _edge(rng, 4, 255))),
    (3, lambda rng: Start(rng.randrange(1, 12), rng.randrange(1, 12), rng.randrange(1, 4))),
    (2, _hello),
    (3, _new_game),
    (8, _pick),
    (8, lambda rng: OpenMenu(rng.choice(("", *MENUS, EVIL)))),
    (12, lambda rng: MoveTo(*_cell(rng))),
    (4, lambda rng: rng.choice((Hint, Odds, Seek))(*_cell(rng))),
    (4, lambda rng: LookBack(_edge(rng, 4, 255))),
    (4, lambda rng: Replay(_edge(rng, 12, 0xFFFF))),
    (20, lambda rng: Act(*_cell(rng), _edge(rng, 4, 255), rng.choice((16, 16, 48, 1, 255)))),
    (4, lambda rng: Undo(_edge(rng, 5, 0xFFFF))),
    (2, lambda rng: Save(rng.choice(NAMES))),
    (2, lambda rng: Load(rng.choice(NAMES))),
    (1, lambda rng: Drop(rng.choice(NAMES))),
    (2, lambda rng: Code(rng.choice((*NAMES, "a", " ", "7")))),
    (2, lambda rng: OpenRoom(_edge(rng, 4, 255), _edge(rng, 4, 255), _edge(rng, 3, 255))),
    (2, lambda rng: Join(rng.choice(NAMES))),
    (2, lambda rng: Watch(rng.choice(NAMES))),
    (2, lambda rng: Ready(_edge(rng, 2, 255))),
    (2, lambda rng: Say(_edge(rng, 7, 255), *_cell(rng))),
    (1, lambda rng: UnknownPacket(rng.randrange(44, 256), rng.randrange(9))),
)
WEIGHTS = [weight for weight, _ in MAKERS]


def make_packet(rng: Rng) -> Packet:
    ((_, make),) = rng.choices(MAKERS, WEIGHTS)
    return make(rng)


class FuzzWorld(World):
    """A server whose solvers say anything, or nothing."""

    def __init__(self, rng: Rng) -> None:
        super().__init__()
        self.rng = rng

    def solve(self, request: object) -> Any:
        rng = self.rng
        if rng.random() < 0.2:
            return None
        match request:
            case FindHint(view):
                cell = Cell(rng.randrange(view.size.columns), rng.randrange(view.size.rows))
                return FoundHint("Look here.", cell, (cell,))
            case FindOdds(view):
                percents = {index: rng.randrange(101) for index in indices(covered(view))}
                return FoundOdds(percents, is_exact=rng.random() < 0.5)
            case FindSolved(view):
                cells = view.grid.cells(covered(view))
                return FoundSolved(rng.choice((None, *cells)), is_mine=rng.random() < 0.5)
            case LayBoard(setup):
                return place_mines(setup.size, setup.mine_count, rng.getrandbits)
            case RaceSolver(setup, pace_ms, name):
                return Rival(name, (0, pace_ms), (500, 1_000), Finish(True, pace_ms, 1, 0), True)
            case Analyse():
                return ("Lost after 3.0 s.", "A guess.")
            case _:
                raise AssertionError(f"nobody answers {request}")


class Guest:
    """A player who sends anything, and looks at every reply."""

    def __init__(self, rng: Rng, world: FuzzWorld) -> None:
        self._rng = rng
        self._world = world
        config = SessionConfig(
            debug_allowed=rng.random() < 0.7,
            has_store=rng.random() < 0.8,
            has_solver=rng.random() < 0.7,
        )
        self.player = world.player(config, entropy=rng.getrandbits)
        # The first bytes say who comes; anything may follow.
        self.player.say(Command.REFRESH)
        self._client = KeptView()
        self._seen = 0
        self._check()

    def step(self) -> None:
        """Send one packet, or finish a review, at any time."""
        rng, world = self._rng, self._world
        world.let_pass(rng.choice((0, 1, 40, 999, 1_000, 60_000, 86_400_000)))
        world.fault = rng.choice(FAULTS) if rng.random() < 0.1 else None
        if world.reviews and rng.random() < 0.3:
            figures = rng.choice(((), (("guesses", "1"), ("luck", "50 %"))))
            found = rng.choice((None, FoundReview(figures, Verdict(0.5, (0,)))))
            world.reviewed(found, rng.randrange(len(world.reviews)))
            self._check()
        packet = make_packet(rng)
        if isinstance(packet, Hello):
            self._client = KeptView()
        before = len(self.player.replies)
        self.player.say(packet)
        if self.player.is_connected and len(self.player.replies) == before:
            raise AssertionError(f"no reply to {packet}")
        self._check()

    def end(self) -> None:
        """Leave, in one of the ways there are."""
        if self.player.is_connected:
            match self._rng.randrange(4):
                case 0:
                    before = len(self.player.replies)
                    self.player.say(Command.QUIT)
                    if len(self.player.replies) > before:
                        raise AssertionError("QUIT was answered")
                case 1:
                    self.player.hear(b"\0")
                case 2:
                    self.player.disconnect("Goodbye.")
            self._check()
        self.player.hang_up()

    def _check(self) -> None:
        """Look at the replies that have come."""
        new, self._seen = self.player.replies[self._seen :], len(self.player.replies)
        for number, reply in enumerate(new, start=1):
            check_reply(self.player.inside, self._client, reply, is_last=number == len(new))


def covered(view: PlayerView) -> int:
    return view.grid.mask & ~view.visible


def check_reply(player: Player, client: KeptView, reply: object, *, is_last: bool) -> None:
    """AssertionError unless this screen says only what may be said."""
    match reply:
        case ScreenContent(text):
            _check_characters(text)
            _check_content(player, text)
        case RecordingContent(text):
            _check_recording(player, text)
        case View():
            _check_characters(reply.text)
            client.apply(reply)
            if is_last:
                _check_cells(player, client)
        case _:
            raise AssertionError(f"the reply is {reply}")


def _check_characters(frame: bytes) -> None:
    text = CONTROL.sub(b"", frame)
    text.decode()
    if any((byte < 0x20 and byte not in b"\r\n") or byte == 0x7F for byte in text):
        raise AssertionError(f"control characters on the screen: {text!r}")
    if "\u202e".encode() in text or b"\x1b[31mEVIL" in frame:
        raise AssertionError("a name was shown as it came")


def _check_content(player: Player, text: bytes) -> None:
    seat = player.seat
    if len(text) >= LARGEST_FRAME:
        raise AssertionError(f"a frame of {len(text)} bytes")
    if seat is None or seat.is_debugged or seat.match.game.status is not Status.ONGOING:
        return
    if b"mines left" in text:
        frame = ClassicFrame(seat.match.game.grid, "")
        frame.show(seat.match.game)
        if STYLES.sub(b"", b"".join(frame.rows)) not in STYLES.sub(b"", text):
            raise AssertionError("the frame shows another field than the player's view")


def _check_recording(player: Player, text: bytes) -> None:
    match = player.match
    if match is None or match.game.status is Status.ONGOING:
        raise AssertionError("the recording of a game that has not ended")
    if parse_game(text.decode()).log.entries != match.game.log.entries:
        raise AssertionError("the recording is of another game")


def _check_cells(player: Player, client: KeptView) -> None:
    match = player.match
    is_covered = client.members.get("menu") or client.members.get("page")
    is_replay = client.members.get("replay") is not None
    if match is None or is_covered or is_replay or client.members.get("state") != "playing":
        return
    view = match.game.view
    opened = [cell for cell, face in zip(_cells(view.size), client.faces, strict=True) if face < 16]
    if opened != list(view.grid.cells(view.visible)):
        raise AssertionError("the client shows other cells than the player's view")


def _cells(size: Size) -> Sequence[Cell]:
    return [Cell(column, row) for row in range(size.rows) for column in range(size.columns)]


def play_one(seed: int, packets: int = 200) -> int:
    """Play several sessions of a few players on one store; the number of packets sent."""
    rng = random.Random(seed)
    world = FuzzWorld(rng)
    world.put(replace(waiting("*.."), entries=b"\xff" * 8), KEYS[1])
    count = 0
    for _ in range(rng.randrange(1, 4)):
        guest = Guest(rng, world)
        for _ in range(rng.randrange(packets)):
            count += 1
            guest.step()
            if not guest.player.is_connected:
                break
        guest.end()
    end_worlds()
    return count


def fuzz(seed: int, rounds: Iterator[object]) -> int:
    """Play one round after the other, reproducibly; the number of packets sent."""
    count = 0
    for number, _ in enumerate(rounds):
        try:
            count += play_one(seed + number)
        except Exception as error:
            error.add_note(f"play_one({seed + number})")
            raise
    return count


if __name__ == "__main__":
    run("Play at random, and badly.", fuzz, "packets were answered")
