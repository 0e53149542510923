"""A player's games: begun, replaced, resumed, saved, loaded.

A game is a record under its code, and what a player does with games changes the player's own
document: the current game is a pointer, and a save is a label with a code and a length. Only a load
copies anything: it makes a new record with the first entries of another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from jminesweeper.core.actions import ON_A_CELL, unpack_entries, unpack_entry
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.view import Status
from jminesweeper.records.documents import (
    Due,
    Flow,
    GameDocument,
    Label,
    Note,
    Outcome,
    PlayerDocument,
    new_version,
    read_document,
)
from jminesweeper.records.keys import DUE, game_key, note_key
from jminesweeper.records.limits import AUTOMATIC_SAVES, MAX_NAMED_SAVES, NOTE_S
from jminesweeper.records.players import Change, Opened, PlayerCopy, find_game, open_game
from jminesweeper.records.results import Judgement, has_given_up, settle
from jminesweeper.store.port import (
    DONE,
    ENTRY_BYTES,
    Append,
    Check,
    Commit,
    Found,
    Importance,
    Place,
    Put,
    Read,
    StoreLimitError,
    Tail,
)


class ReplacedGame(NamedTuple):
    """The game that another replaces, as a session knows it."""

    code: str = ""
    aside: Label | None = None
    """Its label, if it waits from now on."""
    due: Due | None = None
    """It is due to be counted as given up, unless it is resumed."""
    outcome: Outcome | None = None
    """The result it is counted with."""
    is_no_game: bool = False
    """Nobody acted on it: its record goes."""

    def up_to(self, length: int) -> ReplacedGame:
        """Leave out what is not stored yet; how it is counted then follows from the store's log."""
        if self.aside is None or self.due is None or self.aside.length <= length:
            return self
        aside, due = self.aside._replace(length=length), self.due._replace(length=length)
        return self._replace(aside=aside, due=due, outcome=None)


NO_GAME = ReplacedGame()


def begin(
    held: PlayerCopy,
    code: str,
    game: GameDocument,
    entries: bytes,
    now_s: int,
    *,
    due: Due | None = None,
    find_replaced: Callable[[], ReplacedGame | None] = lambda: None,
) -> Flow[int]:
    """Store a game with its first entries, as the current one.

    The game that was the current one waits under an automatic name: another device has begun it. A
    game that is over already leaves it alone, and so does one that its player has replaced by now:
    `find_replaced` says so, and the label it gets. Return the version, 0 if there is a record of
    this code.
    """
    key = game_key(code)

    def edit(player: PlayerDocument) -> Flow[Change | None]:
        if (yield from read_document(key)).version:
            return None
        waits = (yield from open_game(player.current)) if due is not None else None
        replaced, ended, record = find_replaced(), due, game
        if replaced is not None:
            # What has been done since `entries` is stored later, and may never be.
            length = len(entries) // ENTRY_BYTES
            aside = replaced.aside and replaced.aside._replace(length=length)
            change = yield from _label(player, replaced._replace(aside=aside), now_s)
            ended = due or Due(now_s * 1000, code, length)
            record = replace(game, is_given_up=replaced.due is not None)
        elif waits is not None and _may_go_on(waits):
            change = Change(player)
        else:
            change = yield from _replace(player, code, NO_GAME, now_s)
        places = () if ended is None else (Place(DUE, ended.format()),)
        return change._replace(
            places=(*change.places, *places),
            checks=(Check(key, 0), *change.checks),
            puts=(Put(key, record.format()), *change.puts),
            appends=(Append(key, 0, b"", entries),) if entries else (),
        )

    return held.version if (yield from held.change(edit, now_s)) else 0


def put_aside(held: PlayerCopy, replaced: ReplacedGame, now_s: int, draw: RandomBits) -> Flow[None]:
    """Make room for another game: a label for the current one, or its end."""

    def edit(player: PlayerDocument) -> Flow[Change | None]:
        if player.current == replaced.code:
            return (yield from _replace(player, "", replaced, now_s))
        # A record that was made after it was replaced never was the current one.
        return (
            (yield from _release(player, [replaced.code], now_s)) if replaced.is_no_game else None
        )

    yield from held.change(edit, now_s)
    yield from settle_replaced(replaced, draw)


def settle_replaced(replaced: ReplacedGame, draw: RandomBits) -> Flow[None]:
    """Count a game that was replaced as given up."""
    if replaced.due is not None and replaced.outcome is not None:
        yield from settle(replaced.due, Judgement(replaced.outcome, is_over=False), draw)


def put_note(held: PlayerCopy, code: str, noted: Note, now_s: int) -> Flow[None]:
    """Store clock, cursor and pause; the latest counts, and nothing is checked."""
    put = Put(note_key(code), noted.format(), now_s + NOTE_S)
    yield Commit(new_version(held.draw), puts=(put,), importance=Importance.LOW)
    yield from held.prolong(now_s)


def play_on(held: PlayerCopy, code: str, now_s: int) -> Flow[None]:
    """Make a game that has ended the current one again: its end is undone."""
    yield from held.refresh()

    def edit(player: PlayerDocument) -> Flow[Change | None]:
        if player.current == code:
            return None
        asides = [
            name for name, each in player.saves.items() if each.is_aside and each.code == code
        ]
        for name in asides:
            player = _without(player, name)
        return (yield from _replace(player, code, NO_GAME, now_s))

    yield from held.change(edit, now_s)


def _may_go_on(opened: Opened) -> bool:
    """Return False if the log is known to end the game; replaying it could take seconds.

    A game that its player set aside is recorded as given up, and may be continued all the same.
    """
    if has_given_up(opened.entries):
        return False
    outcome, length = opened.game.outcome, len(opened.entries) // ENTRY_BYTES
    return outcome is None or outcome.status is Status.TERMINATED or outcome.length < length


def _was_played(log: bytes) -> bool:
    return any(unpack_entry(entry)[1] in ON_A_CELL for entry in unpack_entries(log))


def save(
    held: PlayerCopy, name: str, saved: Label, now_s: int, *, may_replace: bool = True
) -> Flow[bool]:
    """Save a game under a name; False if there is no such game.

    It takes the place of another save of that name, or is refused if it may not.
    """
    key = game_key(saved.code)

    def edit(player: PlayerDocument) -> Flow[Change | None]:
        others = [each for each in player.saves if each not in {name, *AUTOMATIC_SAVES}]
        if name not in AUTOMATIC_SAVES and len(others) >= MAX_NAMED_SAVES:
            raise StoreLimitError(f"You have {MAX_NAMED_SAVES} saved games; delete one first.")
        if name in player.saves and not may_replace:
            raise StoreLimitError("Another device has just saved a game under this name.")
        # Another device may have begun a game in place of one that nobody had acted on.
        record = yield from read_document(key)
        if not record.version:
            return None
        before = player.saves.get(name)
        after = replace(player, saves={**player.saves, name: saved})
        change = Change(after)
        if before is not None:
            change = yield from _release(after, [before.code], now_s)
        return change._replace(checks=(*change.checks, Check(key, record.version)))

    return (yield from held.change(edit, now_s))


def drop_save(held: PlayerCopy, name: str, now_s: int) -> Flow[bool]:
    """Delete a save; return whether there was one."""

    def edit(player: PlayerDocument) -> Flow[Change | None]:
        if name not in player.saves:
            return None
        return (yield from _release(_without(player, name), [player.saves[name].code], now_s))

    return (yield from held.change(edit, now_s))


def open_save(saved: Label) -> Flow[Opened | None]:
    """Read a saved game as it was saved."""
    if (opened := (yield from open_game(saved.code))) is None:
        return None
    noted = Note(saved.length, saved.clock_ms, saved.cursor)
    return opened._replace(entries=opened.entries[: saved.length * ENTRY_BYTES], note=noted)


def load(
    held: PlayerCopy, saved: Opened, code: str, now_s: int, replaced: ReplacedGame = NO_GAME
) -> Flow[Opened]:
    """Play a saved game again as a game of its own, under a new code.

    It is a repeat: its player may have seen more of the board after saving. The game it was saved
    from becomes one, too, unless it is over.
    """
    game = GameDocument(saved.game.setup.as_repeat(), (held.id,), saved.game.begun_at_ms)
    key = game_key(code)

    def edit(player: PlayerDocument) -> Flow[Change | None]:
        change = yield from _replace(player, code, replaced, now_s)
        appends = (Append(key, 0, b"", saved.entries),) if saved.entries else ()
        put = Put(key, game.format())
        return change._replace(puts=(put, *change.puts), appends=appends)

    yield from held.change(edit, now_s)
    copy = Opened(code, held.version, game, saved.entries, saved.note)
    origin_key = game_key(saved.code)
    while True:
        origin, version = yield from find_game(saved.code)
        if origin is None or origin.variant.is_repeat or origin.is_finished:
            break
        put = Put(origin_key, replace(origin, setup=origin.setup.as_repeat()).format())
        if (yield Commit(new_version(held.draw), (Check(origin_key, version),), (put,))) is DONE:
            break
    return copy


def resume(
    held: PlayerCopy, name: str, now_s: int, replaced: ReplacedGame = NO_GAME
) -> Flow[Opened | None]:
    """Continue a game that was set aside: the pointer moves, and the label goes."""
    code = ""

    def edit(player: PlayerDocument) -> Flow[Change | None]:
        nonlocal code
        code = ""
        if name not in player.saves:
            return None
        code = player.saves[name].code
        return (yield from _replace(_without(player, name), code, replaced, now_s))

    yield from held.change(edit, now_s)
    return (yield from open_game(code)) if code else None


def _replace(player: PlayerDocument, code: str, replaced: ReplacedGame, now_s: int) -> Flow[Change]:
    """Make another game the current one."""
    after = replace(player, current=code)
    if player.current in {"", code}:
        return Change(after)
    if player.current != replaced.code or replaced.is_no_game:
        # Another device may have begun a game, or acted on this one, that nobody has given up.
        replaced = yield from _as_it_is(player.current, now_s)
    if replaced.is_no_game:
        return (yield from _release(after, [player.current], now_s))
    change = yield from _label(after, replaced, now_s)
    if replaced.due is None:
        return change
    change = change._replace(places=(*change.places, Place(DUE, replaced.due.format())))
    game, version = yield from find_game(replaced.code)
    if game is None or game.is_given_up:
        return change
    # In the same commit, so that no device can look at the board elsewhere and then win it.
    put = Put(game_key(replaced.code), replace(game, is_given_up=True).format())
    return change._replace(
        checks=(*change.checks, Check(put.key, version)), puts=(*change.puts, put)
    )


def _label(player: PlayerDocument, replaced: ReplacedGame, now_s: int) -> Flow[Change]:
    """Keep a game that is not the current one under an automatic name, if it waits."""
    if replaced.aside is None:
        return Change(player)
    taken = {name: saved for name, saved in player.saves.items() if name in AUTOMATIC_SAVES}
    own = [name for name, saved in taken.items() if saved.code == replaced.code]
    free = [name for name in AUTOMATIC_SAVES if name not in taken]
    # Its own name, a free one, or that of the oldest, which goes. The first of them was set aside
    # first, whatever the hosts' clocks say.
    name = [*own, *free, *taken][0]
    gone = [taken[name].code] if name in taken else []
    after = replace(player, saves={**_without(player, name).saves, name: replaced.aside})
    return (yield from _release(after, gone, now_s))


def _as_it_is(code: str, now_s: int) -> Flow[ReplacedGame]:
    """Set a game aside that is only known by its code; one that is over needs no label."""
    opened = yield from open_game(code)
    if opened is None or not _may_go_on(opened):
        return ReplacedGame(code)
    if not _was_played(opened.entries):
        return ReplacedGame(code, is_no_game=True)
    length = len(opened.entries) // ENTRY_BYTES
    noted, variant = opened.noted, opened.game.variant
    label = Label(code, length, now_s, variant, 0.0, noted.clock_ms, noted.cursor, is_aside=True)
    return ReplacedGame(code, label, Due(now_s * 1000, code, length))


def _without(player: PlayerDocument, name: str) -> PlayerDocument:
    saves = {each: saved for each, saved in player.saves.items() if each != name}
    return replace(player, saves=saves)


def _release(player: PlayerDocument, codes: Sequence[str], now_s: int) -> Flow[Change]:
    """Delete games that nothing refers to any more: neither their player nor a history.

    One that was played and has no result is given up, and so in a history soon.
    """
    free = [code for code in dict.fromkeys(codes) if code and not player.refers_to(code)]
    if not free:
        return Change(player)
    keys = tuple(map(game_key, free))
    found: Found = yield Read(keys, tuple(map(Tail, keys)))
    checks: list[Check] = []
    puts: list[Put] = []
    places: list[Place] = []
    for code, key, document, log in zip(free, keys, found.documents, found.tails, strict=True):
        if document.version:
            game = GameDocument.parse(document.body)
            if game.outcome is None and _was_played(log):
                due = Due(now_s * 1000, code, len(log) // ENTRY_BYTES)
                places.append(Place(DUE, due.format()))
            elif not (game.is_listed or game.is_shared):
                checks.append(Check(key, document.version))
                puts += Put(key, None), Put(note_key(code), None)
    return Change(player, tuple(checks), tuple(puts), places=tuple(places))
