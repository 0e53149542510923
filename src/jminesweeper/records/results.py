"""Games that ended: recorded once, counted, ranked, listed, and dropped when there are too many.

A game is over by its log. The commit with the last entry puts a `Due` on a board, and recording is
a step of its own, which anybody may take who has replayed the log, at once or after a crash. It
can be taken only once: the commit that counts a game puts the outcome into its document, and checks
that the document is as it was read. A lost game that is undone and played on ends again, at a
greater length; then it counts as it ended last. A game given up is the same: if it is resumed, the
outcome is taken back. What was won stays won.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from jminesweeper.core.errors import CoreError
from jminesweeper.core.game import Game
from jminesweeper.core.generator import RandomBits
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.recordings.figures import Figures
from jminesweeper.records.documents import (
    OTHERS,
    Due,
    GameDocument,
    Outcome,
    PlayerDocument,
    Win,
    code_of_entry,
    format_board,
    format_category,
    format_entry,
    format_number,
    format_sums,
    parse_sums,
    unpack_entries,
)
from jminesweeper.records.flows import Flow, new_version, read_document
from jminesweeper.records.keys import (
    BOARDS,
    DUE,
    OLDEST,
    TOTALS,
    device_key,
    game_key,
    history_board,
    kept_board,
    leader_board,
    lines_board,
    note_key,
    own_board,
    player_key,
    races_counter,
    tally_key,
    total_counter,
)
from jminesweeper.records.limits import DAY_S, MAX_CATEGORIES, MAX_GAMES, MAX_OWN_BEST
from jminesweeper.records.players import Opened, find_game
from jminesweeper.records.statistics import SPEED_FIGURE, Result
from jminesweeper.store.port import (
    DONE,
    NO_END,
    Add,
    Check,
    Commit,
    Document,
    Found,
    Importance,
    Keep,
    Part,
    Place,
    Put,
    Read,
)

DROPPED_AT_ONCE: Final = 20


# How a game ended


def judge(opened: Opened, due: Due) -> Outcome | None:
    """Replay a game that is due; None if it goes on after all. A long log takes seconds."""
    entries = unpack_entries(opened.entries)
    if len(entries) < due.length:
        return None
    try:
        game = Game.replay(opened.game.setup, entries[: due.length])
    except CoreError:
        return None
    if not game.status.is_over and len(entries) > due.length:
        return None
    return outcome_of(game, opened.game.begun_at_ms, due.ended_at_ms)


def outcome_of(game: Game, begun_at_ms: int, ended_at_ms: int) -> Outcome:
    """Say how a game ended; one that still runs is given up."""
    return Outcome(
        game.status if game.status.is_over else Status.TERMINATED,
        len(game.log),
        game.elapsed_ms,
        # The clocks of two hosts may differ.
        max(game.elapsed_ms, ended_at_ms - (begun_at_ms or ended_at_ms)),
        ended_at_ms // 1000,
        game.assisted,
        figures_by_name(game),
    )


def figures_by_name(game: Game) -> Mapping[str, float]:
    """Return the figures to compare between games, without those that mean nothing yet."""
    figures = Figures.of(game)
    values = {
        "3bv": figures.bbbv,
        "3bv solved": figures.solved,
        SPEED_FIGURE: figures.bbbv_per_second,
        "openings": figures.board.openings,
        "islands": figures.board.islands,
        "left clicks": figures.left_clicks,
        "right clicks": figures.right_clicks,
        "chords": figures.chords,
        "efficiency": figures.efficiency,
        "correctness": figures.correctness,
    }
    return {name: value for name, value in values.items() if value is not None}


# Recording


def settle(
    due: Due, outcome: Outcome | None, draw: RandomBits, known: Opened | None = None
) -> Flow[tuple[GameDocument, int] | None]:
    """Record how a game ended, unless that is done or it goes on; then it is due no more.

    Return its document with the version. With those that a session knows this takes two reads and
    one commit.
    """
    gone = Place(DUE, due.format(), is_gone=True)
    version, before = (known.version, known.game) if known else (0, None)
    while outcome is not None:
        if before is None:
            before, version = yield from find_game(due.code)
        if before is None or _is_settled(before.outcome, outcome):
            break
        order = before.outcome.order if before.outcome else format_number(due.ended_at_ms)
        counts = not (outcome.is_assisted or before.variant.is_repeat or before.is_shared)
        recorded = outcome._replace(order=order, counts=counts)
        game = replace(before, outcome=recorded, is_listed=True)
        draft = Draft([gone])
        draft.replace(game_key(due.code), version, game.format())
        if after := (yield from _record(draft, due.code, before, game, draw)):
            return game, after
        before = None
    yield Commit(places=(gone,))
    return None if before is None else (before, version)


def take_back(code: str, draw: RandomBits) -> Flow[None]:
    """Take back that a game was given up: it is played again."""
    while True:
        before, version = yield from find_game(code)
        if before is None or before.outcome is None:
            return
        if before.outcome.status is not Status.TERMINATED:
            return
        game = replace(before, outcome=None, is_listed=False)
        draft = Draft()
        draft.replace(game_key(code), version, game.format())
        if (yield from _record(draft, code, before, game, draw)):
            return


def is_resumed(code: str) -> Flow[bool]:
    """Whether a game that was given up is its player's current one again."""
    game, _ = yield from find_game(code)
    seats = game.seats if game is not None else ()
    found: Found = yield Read(tuple(map(player_key, seats)))
    players = zip(seats, found.documents, strict=True)
    return any(
        each.version and PlayerDocument.parse(seat, each.body).current == code
        for seat, each in players
    )


def list_due(limit: int = 20) -> Flow[Sequence[Due]]:
    """List games that ended and are not settled, the earliest first."""
    found: Found = yield Read(parts=(Part(DUE, limit),))
    return [Due.parse(text) for text in found.parts[0]]


def count_anonymous(result: Result) -> Flow[None]:
    """Count a game that nobody keeps in the totals alone."""
    draft = Draft()
    line = format_category(result.category)
    found: Found = yield Read(parts=(_room(TOTALS),), counters=(total_counter(line),))
    _count_total(draft, result, 1, found)
    yield draft.commit(0)._replace(importance=Importance.LOW)


def count_race(code: str, *, is_won: bool, now_s: int, draw: RandomBits) -> Flow[None]:
    """Count a race for those who played this copy of its board, once."""
    key = game_key(code)
    while True:
        before, version = yield from find_game(code)
        if before is None or before.is_raced:
            return
        adds = [Add(races_counter(player), "played", 1) for player in before.seats]
        adds += [Add(races_counter(player), "won", 1) for player in before.seats if is_won]
        until_s = NO_END if before.is_listed else now_s + DAY_S
        put = Put(key, replace(before, is_raced=True).format(), until_s)
        checks = (Check(key, version),)
        if (yield Commit(new_version(draw), checks, (put,), adds=tuple(adds))) is DONE:
            return


def _is_settled(former: Outcome | None, outcome: Outcome) -> bool:
    if former is None:
        return False
    return former.status is Status.WON or former.length >= outcome.length


class Draft:
    """What a commit will consist of, gathered for one seat after the other."""

    def __init__(self, places: Sequence[Place] = ()) -> None:
        self.checks: list[Check] = []
        self.puts: list[Put] = []
        self.places = [*places]
        self.adds: list[Add] = []
        self.keeps: list[Keep] = []

    def replace(self, key: str, version: int, body: str) -> None:
        self.checks.append(Check(key, version))
        self.puts.append(Put(key, body))

    def commit(self, version: int) -> Commit:
        return Commit(
            version,
            tuple(self.checks),
            tuple(self.puts),
            (),
            tuple(self.places),
            tuple(self.adds),
            tuple(self.keeps),
            Importance.HIGH,
        )


def _record(
    draft: Draft, code: str, before: GameDocument, game: GameDocument, draw: RandomBits
) -> Flow[int]:
    """Put a game in place of what it was, counted and listed for each of its players.

    Return the version, 0 if something has changed meanwhile.
    """
    line = format_category(game.variant.category)
    found: Found = yield Read(parts=(_room(TOTALS),), counters=(total_counter(line),))
    if (former := before.result) is not None:
        _count_total(draft, former, -1, found)
    if (result := game.result) is not None:
        _count_total(draft, result, 1, found)
    for player in dict.fromkeys(game.seats):
        yield from _record_for(draft, player, code, before, game)
    version = new_version(draw)
    return version if (yield draft.commit(version)) is DONE else 0


def _room(lines: str) -> Part:
    """There is no room for another category once there is one in this place."""
    return Part(lines, 1, skipped=MAX_CATEGORIES - 1)


def _count_total(draft: Draft, result: Result, games: int, found: Found) -> None:
    """Count in the totals. Of two new categories at the limit both may get a line."""
    line = format_category(result.category)
    if not found.counters[0]:
        line = OTHERS if found.parts[0] else line
        draft.places.append(Place(TOTALS, line))
    draft.adds.append(Add(total_counter(line), result.status.value, games))


def _record_for(
    draft: Draft, player: str, code: str, before: GameDocument, game: GameDocument
) -> Flow[None]:
    """Count, rank and list a game for one of its players."""
    line = format_category(game.variant.category)
    board = format_board(game.variant) if game.is_ranked else ""
    found: Found = yield Read(
        (player_key(player), tally_key(player, line), tally_key(player, OTHERS)),
        parts=(
            _room(lines_board(player)),
            Part(own_board(player, board), MAX_OWN_BEST),
            Part(history_board(player), DROPPED_AT_ONCE, skipped=MAX_GAMES - 1, is_reversed=True),
        ),
    )
    document, own_line, others_line = found.documents
    last_line, wins, spare = found.parts
    if not own_line.version:
        if last_line:
            line, own_line = OTHERS, others_line
        draft.places.append(Place(lines_board(player), line))
    _count(draft, tally_key(player, line), own_line, before, game)
    listing = _Listing(player)
    if game.outcome is None:
        listing.forget(code, before)
    else:
        outcome, order = game.outcome, game.outcome.order
        is_kept = game.is_first_daily
        if game.is_ranked:
            win = Win(outcome.wall_ms, outcome.ended_at_s, order, code, player)
            is_kept = _rank(draft, listing, wins, game.variant, win) or is_kept
        if not before.is_listed:
            listing.add(code, order, is_kept=is_kept)
        elif is_kept and not before.is_first_daily:
            listing.keep(code, order)
        known = PlayerDocument.parse(player, document.body) if document.version else None
        if known is not None and not known.has_finished:
            _keep_for_good(draft, known, document, code)
        if spare and (surplus := listing.surplus(spare)):
            yield from _drop(draft, listing, surplus, known)
    draft.places += listing.places


def _count(
    draft: Draft, key: str, document: Document, before: GameDocument, game: GameDocument
) -> None:
    """Count a game in its player's line of its category; of one counted before, take that back."""
    sums = parse_sums(document.body)
    former, result = before.result, game.result
    if former is not None:
        sums = sums.minus(former)
    if result is not None:
        sums = sums.plus(result, is_again=former is not None)
    draft.replace(key, document.version, format_sums(sums))


class _Listing:
    """Changes to a player's history: games that may go, and games that are kept for good."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.places: list[Place] = []
        self._added: list[str] = []
        self._has_room = False

    def add(self, code: str, order: str, *, is_kept: bool) -> None:
        entry = format_entry(order, code)
        if is_kept:
            self.places.append(Place(kept_board(self.player), entry))
        else:
            self._added.append(entry)
            self.places.append(Place(history_board(self.player), entry))
            self.places.append(Place(OLDEST, f"{entry}|{self.player}"))

    def remove(self, entry: str) -> None:
        self._has_room = True
        self.places.append(Place(history_board(self.player), entry, is_gone=True))
        self.places.append(Place(OLDEST, f"{entry}|{self.player}", is_gone=True))

    def keep(self, code: str, order: str) -> None:
        self.remove(format_entry(order, code))
        self.add(code, order, is_kept=True)

    def release(self, code: str, order: str) -> None:
        entry = format_entry(order, code)
        self.places.append(Place(kept_board(self.player), entry, is_gone=True))
        self.add(code, order, is_kept=False)

    def forget(self, code: str, before: GameDocument) -> None:
        if before.outcome is not None:
            entry = format_entry(before.outcome.order, code)
            self.remove(entry)
            self.places.append(Place(kept_board(self.player), entry, is_gone=True))

    def surplus(self, spare: Sequence[str]) -> Sequence[str]:
        """Of the last game there is room for, those after it and those added, all but one go."""
        return [] if self._has_room else sorted([*spare, *self._added], reverse=True)[1:]


def _rank(draft: Draft, listing: _Listing, wins: Sequence[str], variant: Variant, win: Win) -> bool:
    """Give a win its place among its player's own, and on the leaderboard if it is the best.

    Return whether the game is among the best, which are kept.
    """
    board, text = format_board(variant), win.format()
    others = [each for each in wins if each != text]
    if not others or text < others[0]:
        if others:
            draft.places.append(Place(leader_board(board), others[0], is_gone=True))
        draft.places += Place(leader_board(board), text), Place(BOARDS, board)
    own = own_board(win.player, board)
    if len(others) == MAX_OWN_BEST:
        last = others[-1]
        if text > last:
            return False
        draft.places.append(Place(own, last, is_gone=True))
        former = Win.parse(last)
        if variant.daily is None:
            listing.release(former.code, former.order)
    draft.places.append(Place(own, text))
    return True


def _keep_for_good(draft: Draft, player: PlayerDocument, document: Document, code: str) -> None:
    """From the first game that ends on, a player does not expire, nor does any game of theirs."""
    after = replace(player, has_finished=True)
    draft.replace(player_key(player.id), document.version, after.format())
    codes = {player.current, *(save.code for save in player.saves.values())} - {"", code}
    draft.keeps += [Keep(game_key(each)) for each in sorted(codes)]
    draft.keeps += [Keep(device_key(each)) for each in player.devices]


def _drop(
    draft: Draft, listing: _Listing, entries: Sequence[str], player: PlayerDocument | None
) -> Flow[None]:
    """Take the oldest games out of a history, and delete those that nothing else refers to."""
    keys = [game_key(code_of_entry(entry)) for entry in entries]
    found: Found = yield Read(tuple(keys))
    for entry, key, document in zip(entries, keys, found.documents, strict=True):
        code = code_of_entry(entry)
        listing.remove(entry)
        if not document.version:
            continue
        if player is not None and player.refers_to(code):
            unlisted = replace(GameDocument.parse(document.body), is_listed=False)
            draft.replace(key, document.version, unlisted.format())
        else:
            draft.checks.append(Check(key, document.version))
            draft.puts += Put(key, None), Put(note_key(code), None)


def make_room(limit: int, draw: RandomBits) -> Flow[int]:
    """Drop the oldest games of all players, at most so many; return how many went."""
    found: Found = yield Read(parts=(Part(OLDEST, limit),))
    dropped = 0
    for line in found.parts[0]:
        entry, _, player = line.rpartition("|")
        known = yield from read_document(player_key(player))
        listing, draft = _Listing(player), Draft()
        document = PlayerDocument.parse(player, known.body) if known.version else None
        yield from _drop(draft, listing, [entry], document)
        draft.places += listing.places
        # Of two who make room at once one does it.
        dropped += (yield draft.commit(new_version(draw))) is DONE
    return dropped
