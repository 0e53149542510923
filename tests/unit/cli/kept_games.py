"""A data directory with a key, finished games in a store, and games to put into files."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import date
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from click.testing import CliRunner, Result

from jminesweeper.cli.archives import local_player
from jminesweeper.cli.main import main
from jminesweeper.core.actions import pack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Rules, Victory
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.core.view import Status
from jminesweeper.recordings.rawvf import format_rawvf
from jminesweeper.recordings.text import format_game
from jminesweeper.records.documents import Due, Flow, GameDocument, Outcome, PlayerDocument
from jminesweeper.records.games import begin
from jminesweeper.records.players import Change, PlayerCopy
from jminesweeper.records.results import Judgement, count_anonymous, settle
from jminesweeper.store.blocking import run as run_flow
from jminesweeper.store.port import Store
from jminesweeper.store.sqlite import SqliteStore
from tests.unit.core.boards import play

SECRET = bytes(range(16))
ANN = local_player(SECRET)
BOB = "b" * 32
DAY = date(2026, 11, 18)
EXPERT = CLASSIC_BOARDS["expert"]
BEGINNER = CLASSIC_BOARDS["beginner"]
CUSTOM = Variant("custom", Size(5, 4), 6, PRESETS["classic"])
NOW_S = int(time.time())
_DRAW = Random(1).getrandbits
_NUMBERS = count()
WON = play("*...\n....", "classic", "flag 0 0", "reveal 3 1", "reveal 0 1")
LOST = play("*..\n..*", "classic", "reveal 1 0", "undo", "reveal 1 0", "reveal 0 0")


def _won_by_flags() -> Game:
    """A game by rules that RAWVF has no word for."""
    rules = Rules("own", victory=Victory.FLAGS, first_reveal=FirstReveal.SAFE)
    setups = (Setup.of(Size(2, 1), 1, rules, seed=seed) for seed in range(9))
    game = Game(next(each for each in setups if each.minefield().mines == 0b01))
    game.flag(Cell(1, 0), 0)
    game.reveal(Cell(0, 0), 10)
    return game


GAMES = {
    "begun": ("*..\n..*", "flag 0 0", "reveal 1 1"),
    "flagged": ("*..\n...", "flag 0 0"),
    # The two 1s at the top see the same mine, so both cells on the right are safe.
    "needless": ("...\n*..", "reveal 0 0", "reveal 1 0", "reveal 1 1"),
    "known": (
        "*..\n...\n..*",
        "reveal 1 0",
        "reveal 0 1",
        "reveal 1 1",
        "reveal 2 0",
        "reveal 0 0",
    ),
    # One of the five around the 1, one of the six further away.
    "safer": ("*....*\n......", "reveal 1 0", "reveal 2 1"),
    "lost": ("*....*\n......", "reveal 1 0", "reveal 3 0", "reveal 5 0"),
}
FILES = {
    **{
        f"{name}.txt": format_game(play(board, "kata", *moves))
        for name, (board, *moves) in GAMES.items()
    },
    "won.txt": format_game(WON),
    "won.rawvf": format_rawvf(WON),
    "lie.rawvf": format_rawvf(LOST).replace("Status: lost", "Status: won"),
    "flags.txt": format_game(_won_by_flags()),
    "bad.txt": "bad",
    "key.pem": "",
    "both.pem": "",
    "damaged": "not a key",
    "other": "ff" * 16,
}


def with_variant(game: Game, **changes: Any) -> Setup:
    variant = replace(game.setup.variant, **changes)
    return replace(game.setup, variant=variant)


class Finished(NamedTuple):
    """A game to be recorded."""

    code: str
    setup: Setup
    status: Status
    time_ms: int
    ended_at_s: int = 1_700_000_000
    wall_ms: int = 0
    player: str = ANN
    entries: bytes = b""
    is_assisted: bool = False
    figures: Mapping[str, float] = {}

    @property
    def length(self) -> int:
        return len(self.entries) // 8

    @property
    def outcome(self) -> Outcome:
        """The game's end."""
        times = self.time_ms, self.wall_ms, self.ended_at_s
        return Outcome(self.status, self.length, *times, self.is_assisted, self.figures)


def finished(code: str, game: Game, **changes: Any) -> Finished:
    values = {
        "entries": pack_entries(game.log.entries),
        "is_assisted": game.assisted,
        **changes,
    }
    return Finished(code, game.setup, game.status, game.elapsed_ms)._replace(**values)


def win(code: str, wall_ms: int = 90_750, variant: Variant = EXPERT, **changes: Any) -> Finished:
    """Make a win whose clock shows as much as the wall's."""
    figures = {"3bv": 174, "3bv/s": 1.923, "clicks": 201}
    values = {"time_ms": wall_ms, "wall_ms": wall_ms, "figures": figures, **changes}
    return Finished(code, Setup(variant, seed=31), Status.WON, 0)._replace(**values)


def loss(code: str, variant: Variant = EXPERT, **changes: Any) -> Finished:
    return win(code, variant=variant, **{"status": Status.LOST, **changes})


def introduce(store: Store, player: str, name: str) -> None:
    """Store a player whose first game ended long ago."""

    def edit(document: PlayerDocument) -> Flow[Change | None]:
        yield from ()
        return Change(replace(document, name=name, first_end_s=1))

    run_flow(store, PlayerCopy(player, _DRAW).change(edit, NOW_S))


def record(store: Store, game: Finished) -> None:
    """Record a game of a player."""
    held = PlayerCopy(game.player, _DRAW)
    run_flow(store, held.refresh())
    document = GameDocument(game.setup, (game.player,), 1)
    due = Due(game.ended_at_s * 1000 + next(_NUMBERS), game.code, game.length)
    run_flow(store, begin(held, game.code, document, game.entries, NOW_S, due=due))
    run_flow(store, settle(due, Judgement(game.outcome, is_over=True), _DRAW))


def store_games(path: Path, *games: Finished) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(SqliteStore(path)) as store:
        introduce(store, ANN, "Ann")
        introduce(store, BOB, "Bob\x1b[2J")
        for game in games:
            record(store, game)
        run_flow(store, count_anonymous(EXPERT, Status.LOST, 1))


def furnish(home: Path) -> Path:
    """Make Ann's home with her store, her key and some files; return the store."""
    folder = home / "jminesweeper"
    store_games(
        folder / "games.sqlite3",
        win("slow", 90_500),
        win("fast", 80_000, player=BOB),
        win("small", 4_000, variant=BEGINNER),
        win("today", 70_000, variant=replace(EXPERT, daily=DAY)),
        win("formal", 1_000, variant=replace(EXPERT, rules=PRESETS["formal"])),
        win("aided", 10, is_assisted=True, figures={}),
        loss("two"),
        finished("won1", WON),
        finished("bobs", WON, player=BOB),
        finished("lost1", LOST, setup=with_variant(LOST, daily=DAY)),
        finished("astray", WON, entries=pack_entries([1 << 16 | 999])),
    )
    (folder / "key").write_text(SECRET.hex())
    (folder / "key").chmod(0o600)
    for name, text in FILES.items():
        (home / name).write_text(text)
    return folder / "games.sqlite3"


def run(home: Path, *arguments: str) -> Result:
    return CliRunner(env={"XDG_DATA_HOME": str(home)}).invoke(main, arguments)
