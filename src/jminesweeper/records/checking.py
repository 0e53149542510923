"""Checks that a store makes sense: logs play, pointers have an end, counts add up.

Everything is checked as it comes by, a page at a time, and questions are asked back about a page.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from jminesweeper.core.actions import unpack_entries
from jminesweeper.core.errors import CoreError
from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.records.documents import (
    OTHERS,
    Due,
    GameDocument,
    Note,
    PlayerDocument,
    Win,
    code_of_entry,
    parse_count,
    parse_races,
    parse_sums,
)
from jminesweeper.records.forgetting import NOBODY
from jminesweeper.records.keys import (
    DUE,
    REVIEWS,
    game_key,
    history_board,
    kept_board,
    player_key,
    room_of,
    tally_key,
)
from jminesweeper.records.ladder import parse_ratings
from jminesweeper.records.reviews import PuzzleDocument
from jminesweeper.records.statistics import CategorySums
from jminesweeper.store.port import ENTRY_BYTES, Commit, Found, Read, StoreUnavailableError, Tail

Ask: TypeAlias = Callable[[Read], Found]

TOTAL: Final = "total"


class Checks:
    """Problems of a store, a sentence each."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._listed: Counter[tuple[str, str, str]] = Counter()
        """Games in histories, by player, category and how they ended."""
        self._unsettled: dict[str, str] = {}
        """The problems of games, by code, that are none if the games are due to be settled."""
        self._due: set[str] = set()
        self._hoards: Counter[str] = Counter()
        """By player, the games that may go, less the counted ones."""
        self._counted: Counter[str] = Counter()
        self._totals: Counter[str] = Counter()

    def check(self, commits: Sequence[Commit]) -> Iterator[str]:
        """Check a page of a scan."""
        for commit in commits:
            for put in commit.puts:
                log = b"".join(append.entries for append in commit.appends)
                kind, _, name = put.key.partition(":")
                try:
                    yield from self._check_document(kind, name, put.body or "", log)
                except StoreUnavailableError:
                    yield f"{put.key} cannot be read."
            for add in commit.adds:
                if add.counter.startswith(f"{TOTAL}:"):
                    self._totals[add.field] += add.amount
        # What is listed and ranked has to be there, and to say the same.
        listed: list[tuple[str, str, str]] = []
        for board, text, _ in (place for commit in commits for place in commit.places):
            kind, _, name = board.partition(":")
            self._hoards[name] += board == history_board(name)
            if board == DUE:
                self._due.add(Due.parse(text).code)
            elif board == REVIEWS:
                listed.append((board, text, Due.parse(text).code))
            if board in {history_board(name), kept_board(name)}:
                listed.append((board, text, code_of_entry(text)))
            elif kind in {"own", "board"}:
                try:
                    listed.append((board, text, Win.parse(text).code))
                except StoreUnavailableError:
                    yield f"{board} has a place that cannot be read: {text}."
        found = self._ask(Read(tuple(game_key(code) for _, _, code in listed)))
        for (board, text, code), document in zip(listed, found.documents, strict=True):
            if not document.version or not _has_place(board, text, document.body):
                yield f"{board} has game {code}, which is not there or not such a game."

    def check_sums(self) -> Iterator[str]:
        """Check what only all pages together tell."""
        for code, problem in sorted(self._unsettled.items()):
            if code not in self._due:
                yield problem
        for player, games in sorted(self._hoards.items()):
            # A store that was full may have counted more than it had room to take back.
            if games > 0:
                yield f"Of the finished games of {player}, {games} are not counted."
        seen: dict[str, CategorySums] = {}
        for (player, line, status), games in sorted(self._listed.items()):
            for key in (tally_key(player, line), tally_key(player, OTHERS)):
                if key not in seen:
                    (found,) = self._ask(Read((key,))).documents
                    seen[key] = parse_sums(found.body)
            counted = sum(
                getattr(seen[tally_key(player, each)].counts, status) for each in (line, OTHERS)
            )
            if counted < games:
                yield f"The statistics of {player} count {counted} of {games} games {status}."
        for name, games in sorted(self._counted.items()):
            if self._totals[name] < games:
                yield f"Players have {games} games {name}, all together {self._totals[name]}."

    def _check_document(self, kind: str, name: str, body: str, log: bytes) -> Iterator[str]:
        match kind:
            case "game":
                yield from self._check_game(name, GameDocument.parse(body), log)
            case "player":
                yield from self._check_player(PlayerDocument.parse(name, body))
            case "tally":
                sums = parse_sums(body).counts
                for status in ("won", "lost", "terminated"):
                    self._counted[status] += getattr(sums, status)
            case "note":
                Note.parse(body)
            case "listed":
                self._hoards[name] -= parse_count(body)
            case "races":
                parse_races(body)
            case "ladder":
                parse_ratings(body)
            case "puzzles":
                PuzzleDocument.parse(body)
            case "device":
                if not self._ask(Read((player_key(body),))).documents[0].version:
                    yield f"The device {name} plays as {body}, whom nobody knows."

    def _check_game(self, code: str, game: GameDocument, log: bytes) -> Iterator[str]:
        replayed = _replay(game.setup, log)
        if replayed is None:
            yield f"The log of game {code} cannot be played."
            return
        outcome = game.outcome
        if replayed.status.is_over:
            is_counted = outcome is not None and outcome.length >= len(replayed.log)
            # The end of a round closes the games that nobody finished; its result tells of them.
            is_cut_short = bool(room_of(code)) and replayed.status is Status.TERMINATED
            if not (is_counted or is_cut_short or (outcome and outcome.status is Status.WON)):
                self._unsettled[code] = f"Game {code} has ended, and is not counted."
        elif outcome is None and not room_of(code) and not self._is_somebodys(code, game):
            self._unsettled[code] = f"Game {code} is neither its player's nor given up."
        if outcome is None:
            return
        ended = _replay(game.setup, log[: outcome.length * ENTRY_BYTES])
        status = ended.status if ended and ended.status.is_over else Status.TERMINATED
        if status is not outcome.status:
            yield f"Game {code} is recorded as {outcome.status.value}, but its log is not."
        if game.is_listed:
            for player in {*game.seats} - {NOBODY}:
                line = game.variant.category.text
                self._listed[player, line, outcome.status.value] += 1

    def _is_somebodys(self, code: str, game: GameDocument) -> bool:
        keys = tuple(map(player_key, game.seats))
        players = zip(game.seats, self._ask(Read(keys)).documents, strict=True)
        try:
            return any(
                not each.version or PlayerDocument.parse(seat, each.body).refers_to(code)
                for seat, each in players
            )
        except StoreUnavailableError:
            # That is a problem of the player's document, and named there.
            return True

    def _check_player(self, player: PlayerDocument) -> Iterator[str]:
        lengths = {save.code: 0 for save in player.saves.values()}
        for save in player.saves.values():
            lengths[save.code] = max(lengths[save.code], save.length)
        if player.current:
            lengths.setdefault(player.current, 0)
        keys = [game_key(code) for code in lengths]
        found = self._ask(Read(tuple(keys), tuple(map(Tail, keys))))
        for (code, length), document, log in zip(
            lengths.items(), found.documents, found.tails, strict=True
        ):
            if not document.version or len(log) < length * ENTRY_BYTES:
                yield f"Game {code} of player {player.id} is not there, or too short."


def _has_place(board: str, text: str, body: str) -> bool:
    try:
        game = GameDocument.parse(body)
    except StoreUnavailableError:
        return False
    if (outcome := game.outcome) is None:
        return False
    if board == REVIEWS:
        return game.is_ranked and outcome.length == Due.parse(text).length
    if board.startswith(("own:", "board:")):
        win = Win.parse(text)
        return game.is_ranked and (win.wall_ms, win.player in game.seats) == (outcome.wall_ms, True)
    return board.partition(":")[2] in game.seats and text.startswith(f"{outcome.order}|")


def _replay(setup: Setup, log: bytes) -> Game | None:
    """Replay a log; None if it does not fit the board."""
    try:
        return Game.replay(setup, unpack_entries(log))
    except (CoreError, struct.error):
        return None
