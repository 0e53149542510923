"""Games that ended: recorded once, counted, ranked, listed, and dropped when there are too many.

A game is over by its log. The commit with the last entry puts a `Due` on a board, and recording is
a step of its own, which anybody may take who has replayed the log, at once or after a crash. It
can be taken only once: the commit that counts a game puts the outcome into its document, and checks
that the document is as it was read. A lost game that is undone and played on ends again, at a
greater length; then it counts as it ended last. What was won stays won.

A game whose log does not end it counts as given up once another has replaced it. That is what its
players' pointers say, so the commit checks their documents as well: a game that is resumed
meanwhile is not given up. If it is resumed later, the outcome is taken back.

A game that was given up once never ranks again: its player may have seen the board elsewhere
since, on any device. The commit that gives it up writes that into its document, and from then on
it ends as a repeat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from jminesweeper.core.actions import ON_A_CELL, ActionKind, unpack_entries, unpack_entry
from jminesweeper.core.errors import CoreError
from jminesweeper.core.game import Game
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.recordings.figures import Figures
from jminesweeper.records import keys
from jminesweeper.records.documents import (
    OTHERS,
    Due,
    Flow,
    GameDocument,
    Hoard,
    KeptNewcomer,
    Leaderboard,
    Outcome,
    PlayerDocument,
    Win,
    code_of_entry,
    format_entry,
    format_number,
    format_sums,
    new_version,
    parse_count,
    parse_sums,
    read_document,
    review_of,
)
from jminesweeper.records.forgetting import forget_newcomers
from jminesweeper.records.limits import MAX_CATEGORIES, MAX_GAMES, MAX_OWN_BEST, SAFE_GAMES
from jminesweeper.records.players import Opened, find_game, is_forgotten, open_game
from jminesweeper.records.statistics import SPEED_FIGURE
from jminesweeper.store.port import (
    DONE,
    ENTRY_BYTES,
    NO_END,
    Add,
    Check,
    Commit,
    Document,
    Found,
    Importance,
    Part,
    Place,
    Put,
    Read,
    StoreFullError,
)

DROPPED_AT_ONCE: Final = 20
LEAST_3BV: Final = 10
FASTEST_3BV_PER_S: Final = 15.0
SHORTEST_PAUSE_MS: Final = 60
"""From a board of some 3BV on, a win at a higher speed, or with a lower median of the times between
two actions, is a program's. The fastest people reach about half of that speed."""
_AFTER_ALL_DAYS: Final = 1 << 40


# How a game ended


class Judgement(NamedTuple):
    """The result of a game that is due."""

    outcome: Outcome
    is_over: bool
    """Its log ends it. If not, it was given up, unless its player has resumed it."""


def judge(opened: Opened, due: Due) -> Judgement | None:
    """Replay a game that is due; None if it ended later than that. A long log takes seconds."""
    entries = unpack_entries(opened.entries)
    if len(entries) < due.length:
        return None
    try:
        game = Game.replay(opened.game.setup, entries[: due.length])
        is_over = game.status.is_over
        if not is_over:
            # Another device may have acted since it was set aside.
            for entry in entries[due.length :]:
                game.push(entry)
    except CoreError:
        return None
    if game.status.is_over and not is_over:
        return None
    return Judgement(outcome_of(game, opened.game.begun_at_ms, due.ended_at_ms), is_over)


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
        is_fast=is_faster_than_hands(game),
    )


def is_faster_than_hands(game: Game) -> bool:
    """Return True for a win that no hand can do; lucky boards of a few clicks prove nothing."""
    figures = Figures.of(game)
    if game.status is not Status.WON or figures.bbbv < LEAST_3BV:
        return False
    entries = map(unpack_entry, game.log.entries)
    times = [at_ms for at_ms, kind, *_ in entries if kind in ON_A_CELL]
    pauses = [after - before for before, after in pairwise(times)]
    speed = figures.bbbv_per_second
    if speed is None or speed > FASTEST_3BV_PER_S:
        return True
    # The library's median would be loaded by each server and client that starts.
    pauses.sort()
    middle = len(pauses) // 2
    return bool(pauses) and pauses[middle] + pauses[~middle] < 2 * SHORTEST_PAUSE_MS


def figures_by_name(game: Game) -> Mapping[str, float]:
    """Return the figures to compare between games, without meaningless ones."""
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


def has_given_up(entries: bytes) -> bool:
    """Return True if a log ends with its player's word."""
    last = unpack_entries(entries[-ENTRY_BYTES:])
    return any(unpack_entry(entry)[1] == ActionKind.TERMINATE for entry in last)


# Recording


def settle(
    due: Due, verdict: Judgement | None, draw: RandomBits, known: Opened | None = None
) -> Flow[tuple[GameDocument, int] | None]:
    """Record a game's result once, unless the game continues; it is not due any more.

    Return its document with the version. With those that a session knows this takes two reads and
    one commit.
    """
    gone = Place(keys.DUE, due.format(), is_gone=True)
    if verdict is None:
        yield Commit(places=(gone,))
        return None
    outcome, key = verdict.outcome, keys.game_key(due.code)
    version, before = (known.version, known.game) if known else (0, None)
    while True:
        draft = Draft([gone])
        if before is None:
            before, version = yield from find_game(due.code)
        seats = before.seats if before is not None and not verdict.is_over else ()
        goes_on = yield from _is_current(draft, due.code, seats)
        recorded = None if before is None else before.outcome
        is_settled = recorded is not None and (
            recorded.status is Status.WON or recorded.length >= outcome.length
        )
        if before is None or goes_on or is_settled:
            # Meanwhile it may have been resumed, or set aside again.
            draft.checks.append(Check(key, version))
            if (yield draft.commit(0)) is DONE:
                return None if before is None else (before, version)
            before = None
            continue
        order = before.outcome.order if before.outcome else format_number(due.ended_at_ms)
        is_together = before.is_shared or keys.room_of(due.code)
        was_given_up = before.is_given_up and outcome.status is not Status.TERMINATED
        setup = before.setup.as_repeat() if was_given_up else before.setup
        counts = not (outcome.is_assisted or setup.variant.is_repeat or is_together)
        recorded = outcome._replace(order=order, counts=counts)
        game = replace(before, setup=setup, outcome=recorded, is_listed=True)
        draft.replace(key, version, game.format())
        if game.is_ranked and not game.leaderboard.is_of_programs:
            review = review_of(due.code, recorded)
            draft.places.append(Place(keys.REVIEWS, review.format()))
        if after := (yield from _record(draft, due.code, before, game, draw)):
            return game, after
        before = None


def withdraw_end(code: str, draw: RandomBits) -> Flow[None]:
    """Withdraw the end of a game that was given up, if its player plays it again."""
    while True:
        draft = Draft()
        opened = yield from open_game(code)
        if opened is None or (outcome := opened.game.outcome) is None:
            return
        # Its player may have given it up a second time, and then for good.
        if outcome.status is not Status.TERMINATED or has_given_up(opened.entries):
            return
        before, version = opened.game, opened.version
        if not (yield from _is_current(draft, code, before.seats)):
            return
        game = replace(before, outcome=None, is_listed=False)
        draft.replace(keys.game_key(code), version, game.format())
        if (yield from _record(draft, code, before, game, draw)):
            return


def _is_current(draft: Draft, code: str, seats: Sequence[str]) -> Flow[bool]:
    """Return True if a game is a player's current one, and have the draft check that it is not."""
    if not seats:
        return False
    player_keys = tuple(map(keys.player_key, dict.fromkeys(seats)))
    found: Found = yield Read(player_keys)
    for key, player in zip(player_keys, found.documents, strict=True):
        draft.checks.append(Check(key, player.version))
    players = zip(dict.fromkeys(seats), found.documents, strict=True)
    return any(
        each.version and PlayerDocument.parse(seat, each.body).current == code
        for seat, each in players
    )


def list_due(after: Due | None = None, limit: int = 20) -> Flow[Sequence[Due]]:
    """List games that ended and are not settled, the earliest first."""
    part = Part(keys.DUE, limit, after=after.format() if after is not None else "")
    found: Found = yield Read(parts=(part,))
    return [Due.parse(text) for text in found.parts[0]]


def count_anonymous(category: Variant, status: Status, games: int) -> Flow[None]:
    """Count games that nobody keeps in the totals alone."""
    draft, line = Draft(), category.text
    found: Found = yield Read(
        parts=(_last_line(keys.TOTALS),), counters=(keys.total_counter(line),)
    )
    _count_total(draft, line, status, games, found)
    yield draft.commit(0)._replace(importance=Importance.LOW)


class Draft:
    """The parts of a commit, gathered for one seat after the other."""

    def __init__(self, places: Sequence[Place] = ()) -> None:
        self.checks: list[Check] = []
        self.puts: list[Put] = []
        self.places = [*places]
        self.adds: list[Add] = []
        self.importance = Importance.HIGH
        self.moved: Counter[str] = Counter()
        """By player, how many more games may go."""

    def replace(self, key: str, version: int, body: str, until_s: int = NO_END) -> None:
        self.checks.append(Check(key, version))
        self.puts.append(Put(key, body, until_s))

    def list_game(self, player: str, entry: str, board: str = "", *, was: str = "") -> None:
        """List a game on one board of its player's history, as it may go or is kept; or on none."""
        may_go, kept = keys.history_board(player), keys.kept_board(player)
        self.places += (
            Place(may_go, entry, is_gone=board != may_go),
            Place(kept, entry, is_gone=board != kept),
        )
        self.moved[player] += (board == may_go) - (was == may_go)

    def count_listed(self, player: str, listed: Document) -> None:
        """Count the games that may go, and have the player found by their number."""
        before = parse_count(listed.body)
        after = max(0, before + self.moved[player])
        if after == before:
            return
        self.replace(keys.listed_key(player), listed.version, f"{after}")
        for games in filter(None, (before, after)):
            hoard = Hoard(games, player).format()
            self.places.append(Place(keys.HOARDS, hoard, is_gone=games == before))

    def commit(self, version: int) -> Commit:
        return Commit(
            version,
            tuple(self.checks),
            tuple(self.puts),
            (),
            tuple(self.places),
            tuple(self.adds),
            importance=self.importance,
        )


def _record(
    draft: Draft, code: str, before: GameDocument, game: GameDocument, draw: RandomBits
) -> Flow[int]:
    """Store a game as it is now, counted and listed for each of its players.

    Return the version, 0 if something has changed meanwhile.
    """
    line = game.variant.category.text
    found: Found = yield Read(
        parts=(_last_line(keys.TOTALS),), counters=(keys.total_counter(line),)
    )
    # A shared game counts for each of its players, in the totals as in their own statistics.
    players = dict.fromkeys(game.seats)
    if before.result is not None:
        _count_total(draft, line, before.result.status, -len(players), found)
    if game.result is not None:
        _count_total(draft, line, game.result.status, len(players), found)
    for player in players:
        yield from _record_for(draft, player, code, before, game)
    version = new_version(draw)
    return version if (yield draft.commit(version)) is DONE else 0


def _last_line(lines: str) -> Part:
    """Ask for the last category that has a line of its own: once it is there, others share one."""
    return Part(lines, 1, skipped=MAX_CATEGORIES - 1)


def _count_total(draft: Draft, line: str, status: Status, games: int, found: Found) -> None:
    """Count in the totals. Of two new categories at the limit both may get a line."""
    if not found.counters[0]:
        line = OTHERS if found.parts[0] else line
        draft.places.append(Place(keys.TOTALS, line))
    draft.adds.append(Add(keys.total_counter(line), status.value, games))


def _record_for(
    draft: Draft, player: str, code: str, before: GameDocument, game: GameDocument
) -> Flow[None]:
    """Count, rank and list a game for one of its players."""
    line = game.variant.category.text
    board = game.leaderboard.format() if game.is_ranked else ""
    clean = game.leaderboard._replace(is_clean=True).format() if game.is_ranked else ""
    may_go = keys.history_board(player)
    found: Found = yield Read(
        (
            keys.player_key(player),
            keys.listed_key(player),
            keys.tally_key(player, line),
            keys.tally_key(player, OTHERS),
            keys.forgotten_key(player),
        ),
        parts=(
            _last_line(keys.lines_board(player)),
            Part(keys.own_board(player, board), MAX_OWN_BEST),
            Part(keys.own_board(player, clean), 1),
            Part(may_go, DROPPED_AT_ONCE, skipped=MAX_GAMES - 1, is_reversed=True),
        ),
    )
    document, listed, own_line, others_line, mark = found.documents
    if is_forgotten(document, mark):
        if game.outcome is not None:
            # It ended while its player was forgotten, and goes with what is left of them.
            entry = format_entry(game.outcome.order, code)
            draft.places += Place(may_go, entry), Place(keys.FORGETTING, player)
        return
    last_line, wins, clean_wins, spare = found.parts
    if not own_line.version:
        if last_line:
            line, own_line = OTHERS, others_line
        draft.places.append(Place(keys.lines_board(player), line))
    _count(draft, keys.tally_key(player, line), own_line, before, game)
    # A player who dropped the first game on a board of the day could play it again.
    variant = game.variant
    is_kept = variant.daily is not None and code == keys.daily_code(player, variant)
    was = keys.kept_board(player) if is_kept else may_go
    if game.outcome is None:
        if before.outcome is not None:
            draft.list_game(player, format_entry(before.outcome.order, code), was=was)
            draft.count_listed(player, listed)
        return
    known = PlayerDocument.parse(player, document.body) if document.version else None
    outcome = game.outcome
    may_rank = known is not None and known.may_rank_at(outcome.ended_at_s)
    if game.is_ranked and (may_rank or variant.daily is None):
        win = Win(outcome.wall_ms, outcome.ended_at_s, outcome.order, code, player)
        also_kept = {Win.parse(text).code for text in clean_wins}
        is_kept = rank(draft, wins, game.leaderboard, win, also_kept, most=MAX_OWN_BEST) or is_kept
    if is_kept or not before.is_listed:
        entry = format_entry(game.outcome.order, code)
        board = keys.kept_board(player) if is_kept else may_go
        draft.list_game(player, entry, board, was=was if before.is_listed else "")
    if known is not None and not known.first_end_s:
        # From the first game that ends on, a player does not expire, nor does any game of theirs.
        after = replace(known, first_end_s=max(1, outcome.ended_at_s), until_day=0)
        draft.replace(keys.player_key(player), document.version, after.format())
        until = KeptNewcomer(known.until_day, player).format()
        draft.places.append(Place(keys.NEWCOMERS, until, is_gone=True))
        # Otherwise strangers who finish games would take the last room from known players.
        draft.importance = Importance.NORMAL
    if spare and not before.is_listed:
        added = [each.text for each in draft.places if each.board == may_go and not each.is_gone]
        # `spare` is the oldest game there is room for, and older ones. With what is added there is
        # room for one of them, the newest.
        yield from _drop(draft, player, document, sorted([*spare, *added], reverse=True)[1:])
    draft.count_listed(player, listed)


def _count(
    draft: Draft, key: str, document: Document, before: GameDocument, game: GameDocument
) -> None:
    """Count a game in its player's line of its category; of one counted before, take that back."""
    sums = parse_sums(document.body)
    counted, result = before.result, game.result
    if counted is not None:
        sums = sums.minus(counted)
    if result is not None:
        sums = sums.plus(result, is_again=counted is not None)
    draft.replace(key, document.version, format_sums(sums))


def rank(
    draft: Draft,
    wins: Sequence[str],
    leaderboard: Leaderboard,
    win: Win,
    also_kept: Collection[str],
    *,
    most: int,
) -> bool:
    """Give a win its place among its player's best, and on the leaderboard if it is the best.

    Return whether the game is among the best, which are kept. The one that is not any more may go,
    unless it is kept for another reason.
    """
    board, text = leaderboard.format(), win.format()
    others = [each for each in wins if each != text]
    if not others or text < others[0]:
        if others:
            draft.places.append(Place(keys.leader_board(board), others[0], is_gone=True))
        draft.places += Place(keys.leader_board(board), text), Place(keys.BOARDS, board)
    own = keys.own_board(win.player, board)
    if len(others) == most:
        last, dropped = others[-1], Win.parse(others[-1])
        if text > last:
            return False
        draft.places.append(Place(own, last, is_gone=True))
        if leaderboard.variant.daily is None and dropped.code not in also_kept:
            entry = format_entry(dropped.order, dropped.code)
            may_go, kept = keys.history_board(win.player), keys.kept_board(win.player)
            draft.list_game(win.player, entry, may_go, was=kept)
    draft.places.append(Place(own, text))
    return True


def _drop(draft: Draft, player: str, document: Document, entries: Sequence[str]) -> Flow[None]:
    """Take the oldest games out of a history, and delete the ones without another reference."""
    known = PlayerDocument.parse(player, document.body) if document.version else None
    # Meanwhile the player may save one of them.
    draft.checks.append(Check(keys.player_key(player), document.version))
    codes = [code_of_entry(entry) for entry in entries]
    found: Found = yield Read(tuple(map(keys.game_key, codes)))
    for entry, code, (version, body) in zip(entries, codes, found.documents, strict=True):
        draft.list_game(player, entry, was=keys.history_board(player))
        if not version:
            continue
        key, game = keys.game_key(code), GameDocument.parse(body)
        is_listed = False
        if others := [seat for seat in game.seats if seat != player]:
            boards = (*map(keys.history_board, others), *map(keys.kept_board, others))
            parts = tuple(Part(each, 1, is_reversed=True, after=f"{entry} ") for each in boards)
            listed: Found = yield Read(parts=parts)
            is_listed = any(entry in part for part in listed.parts)
        if is_listed or (known is not None and known.refers_to(code)):
            draft.replace(key, version, replace(game, is_listed=is_listed).format())
        else:
            draft.checks.append(Check(key, version))
            draft.puts += Put(key, None), Put(keys.note_key(code), None)


def make_room(limit: int, draw: RandomBits) -> Flow[int]:
    """Make room in a full store: drop at most `limit` players or games; return how many went.

    First go players none of whose games ever ended, the longest away first: anybody can invent
    thousands. Then the oldest games of the player with most, but no player's last `SAFE_GAMES`: a
    full store rather refuses new games than drops those of somebody who plays now and then.
    """
    if forgotten := (yield from forget_newcomers(_AFTER_ALL_DAYS, limit)):
        return forgotten
    found: Found = yield Read(parts=(Part(keys.HOARDS, 1, is_reversed=True),))
    hoards = [Hoard.parse(text) for text in found.parts[0]]
    return (yield from _drop_oldest(hoards[0], limit, draw)) if hoards else 0


def _drop_oldest(hoard: Hoard, limit: int, draw: RandomBits) -> Flow[int]:
    """Drop a player's oldest games; return how many went."""
    if hoard.games <= SAFE_GAMES:
        return 0
    player, dropped = hoard.player, 0
    found: Found = yield Read(parts=(Part(keys.history_board(player), limit + SAFE_GAMES),))
    (listed,) = found.parts
    for entry in listed[:-SAFE_GAMES]:
        known = yield from read_document(keys.player_key(player))
        draft = Draft()
        yield from _drop(draft, player, known, [entry])
        # If two servers make room at once, only one of them drops a game. One that a save names is
        # put again, for which a full store has no room; the next ones to go make some.
        with suppress(StoreFullError):
            dropped += (yield draft.commit(new_version(draw))) is DONE
    # Counting takes room, so it comes after what makes some, and may be left out: then there are
    # fewer games than was counted.
    is_whole, is_counted = len(listed) < limit + SAFE_GAMES, False
    while not is_counted:
        draft = Draft()
        draft.moved[player] = (len(listed) - hoard.games if is_whole else 0) - dropped
        draft.count_listed(player, (yield from read_document(keys.listed_key(player))))
        try:
            is_counted = (yield draft.commit(new_version(draw))) is DONE
        except StoreFullError:
            break
    return dropped
