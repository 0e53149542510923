"""Players: who they are, what they play, their devices, and the looks they have chosen by SSH.

A session holds a player's document as it saw it last, and changes it by compare and swap: if
another session was faster, the change is made again to what that one left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from jminesweeper.core.actions import unpack_entries
from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.core.minefield import RandomBits
from jminesweeper.records import keys
from jminesweeper.records.documents import (
    Flow,
    GameDocument,
    KeptNewcomer,
    Note,
    PlayerDocument,
    new_version,
    read_document,
)
from jminesweeper.records.limits import (
    DAY_S,
    HOUR_S,
    MAX_DEVICES,
    MAX_LABEL_CHARS,
    MAX_NEWCOMERS,
    MAX_SETTINGS_CHARS,
    NEWCOMER_S,
)
from jminesweeper.store.port import (
    DONE,
    ENTRY_BYTES,
    Append,
    Check,
    Commit,
    Document,
    Found,
    Importance,
    Place,
    Put,
    Read,
    StoreLimitError,
    Tail,
)

_FORGOTTEN: Final = "You were forgotten here, on another device; connect again to begin anew."
_TOO_MANY: Final = "Your address has brought too many new players; try later."


class Change(NamedTuple):
    """A player's document as it will be, and what is committed with it."""

    player: PlayerDocument
    checks: tuple[Check, ...] = ()
    puts: tuple[Put, ...] = ()
    appends: tuple[Append, ...] = ()
    places: tuple[Place, ...] = ()


Edit: TypeAlias = Callable[[PlayerDocument], Flow[Change | None]]


class Opened(NamedTuple):
    """A game as the store has it."""

    code: str
    version: int
    game: GameDocument
    entries: bytes
    note: Note | None

    @property
    def noted(self) -> Note:
        """The note, or what the log says where that is newer."""
        if self.note is not None and self.note.length == len(self.entries) // ENTRY_BYTES:
            return self.note
        return Note.of_log(unpack_entries(self.entries), self.game.variant.grid)


def is_forgotten(document: Document, mark: Document) -> bool:
    """Return True of a player who wished to be forgotten and has not begun anew since."""
    return bool(mark.version) and not document.version


class PlayerCopy:
    """A player's document as a session knows it."""

    __slots__ = ("_address", "document", "draw", "id", "is_renamed", "room", "version")

    def __init__(self, player: str, draw: RandomBits, *, name: str = "", address: str = "") -> None:
        self.id = player
        self.document = PlayerDocument(player, name)
        self.version = 0
        self.room = ""
        """The room in which the player had a seat as they were let in."""
        self.is_renamed = False
        """The player has given another name than the stored one."""
        self.draw = draw
        self._address = address

    @property
    def is_known(self) -> bool:
        return self.version != 0

    @property
    def importance(self) -> Importance:
        """The importance of this player's moves to a store that is nearly full."""
        return Importance.HIGH if self.document.first_end_s else Importance.LOW

    def adopt(self, found: Document) -> None:
        """Hold what was read; a store that came back empty gets name and settings anew."""
        if found.version:
            self.document = PlayerDocument.parse(self.id, found.body)
        elif self.version:
            known = self.document
            self.document = PlayerDocument(known.id, known.name, known.settings)
        self.version = found.version

    def refresh(self) -> Flow[None]:
        """Read the document again, unless it is the one that is known."""
        asked = keys.player_key(self.id), keys.forgotten_key(self.id)
        found: Found = yield Read(asked)
        document, mark = found.documents
        if document.version == self.version:
            return
        if self.version and is_forgotten(document, mark):
            raise StoreLimitError(_FORGOTTEN)
        self.adopt(document)

    def is_prolonged(self, now_s: int) -> bool:
        """Return True if what a newcomer has is kept for as long as if they played now."""
        # Once a first game has ended, on any device, all that is theirs is kept for good.
        document = self.document
        last_day = (now_s + NEWCOMER_S) // DAY_S
        return document.first_end_s > 0 or document.until_day == last_day

    def prolong(self, now_s: int) -> Flow[None]:
        """Keep what a newcomer has for another while, at most once a day."""

        def edit(player: PlayerDocument) -> Flow[Change | None]:
            yield from ()
            return None if self.is_prolonged(now_s) or not self.version else Change(player)

        yield from self.change(edit, now_s, Importance.LOW)

    def change(
        self, edit: Edit, now_s: int, importance: Importance = Importance.NORMAL
    ) -> Flow[bool]:
        """Change the player and what goes with it; False if the edit wants no change any more."""
        while True:
            # While an edit reads, another change of this session may be made.
            before = self.version
            if (change := (yield from edit(self.document))) is None:
                return False
            version, player = new_version(self.draw), change.player
            if max(map(len, (player.name, *player.saves))) > MAX_LABEL_CHARS:
                raise StoreLimitError(f"A name has at most {MAX_LABEL_CHARS} characters.")
            checks, puts, places = change.checks, change.puts, change.places
            # A newcomer who plays now is kept until then.
            day = (now_s + NEWCOMER_S) // DAY_S
            if not player.first_end_s and player.until_day != day:
                kept = KeptNewcomer(player.until_day, player.id), KeptNewcomer(day, player.id)
                old, new = (each.format() for each in kept)
                places += Place(keys.NEWCOMERS, old, is_gone=True), Place(keys.NEWCOMERS, new)
                player = replace(player, until_day=day)
            if not before and self._address:
                key, refusal = keys.newcomers_key(self._address), StoreLimitError(_TOO_MANY)
                check, put = yield from count_hourly(key, MAX_NEWCOMERS, now_s, refusal)
                checks, puts = (*checks, check), (*puts, put)
            key = keys.player_key(self.id)
            commit = Commit(
                version,
                (Check(key, before), *checks),
                (Put(key, player.format()), *puts),
                change.appends,
                places,
                importance=min(importance, self.importance),
            )
            if (yield commit) is DONE:
                self.document, self.version = player, version
                return True
            yield from self.refresh()


def count_hourly(
    key: str, limit: int, now_s: int, refusal: JMinesweeperError
) -> Flow[tuple[Check, Put]]:
    """Count what may be done only so often in an hour; after it the count ends by itself."""
    known = yield from read_document(key)
    count, end_s = map(int, known.body.split()) if known.version else (0, now_s + HOUR_S)
    if count >= limit:
        raise refusal
    return Check(key, known.version), Put(key, f"{count + 1} {end_s}", end_s)


def enter(held: PlayerCopy) -> Flow[PlayerCopy]:
    """Find the player whom a device plays as. Nothing is written."""
    device, name = held.id, held.document.name
    names = keys.device_key(device), keys.player_key(device), keys.seat_key(device)
    found: Found = yield Read(names)
    moved, own, seat = found.documents
    if moved.version:
        held.id, held.document = moved.body, PlayerDocument(moved.body, name)
        found = yield Read((keys.player_key(moved.body), keys.seat_key(moved.body)))
        own, seat = found.documents
    held.adopt(own)
    held.room = seat.body
    if name:
        held.is_renamed = own.version != 0 and held.document.name != name
        held.document = replace(held.document, name=name)
    return held


def find_player(device: str) -> Flow[PlayerDocument | None]:
    """Find a player by a device; None if the store knows none."""
    player = (yield from read_document(keys.device_key(device))).body or device
    document = yield from read_document(keys.player_key(player))
    return PlayerDocument.parse(player, document.body) if document.version else None


def find_game(code: str) -> Flow[tuple[GameDocument | None, int]]:
    """Read a game without its log, and its version."""
    document = yield from read_document(keys.game_key(code))
    return GameDocument.parse(document.body) if document.version else None, document.version


def open_game(code: str) -> Flow[Opened | None]:
    key = keys.game_key(code)
    found: Found = yield Read((key, keys.note_key(code)), (Tail(key),))
    game, note = found.documents
    if not game.version:
        return None
    noted = Note.parse(note.body) if note.version else None
    return Opened(code, game.version, GameDocument.parse(game.body), found.tails[0], noted)


def put_player(
    held: PlayerCopy, name: str, settings: Mapping[str, str], now_s: int, *beside: Put
) -> Flow[bool]:
    """Store a player's name and settings, and what belongs in the same commit."""
    if sum(map(len, (*settings, *settings.values()))) > MAX_SETTINGS_CHARS:
        raise StoreLimitError(f"Settings have at most {MAX_SETTINGS_CHARS} characters.")

    def edit(player: PlayerDocument) -> Flow[Change | None]:
        yield from ()
        return Change(replace(player, name=name, settings=dict(settings)), puts=beside)

    return (yield from held.change(edit, now_s))


def put_offer(held: PlayerCopy, code: str, now_s: int, end_s: int) -> Flow[bool]:
    """Let the device that names this code first play as this player; of two offers the latest.

    The code is a hash, so a store holds none that can be typed.
    """

    def edit(player: PlayerDocument) -> Flow[Change | None]:
        yield from ()
        puts = [Put(keys.offer_key(code), player.id, end_s)]
        if player.offer not in {"", code}:
            puts.append(Put(keys.offer_key(player.offer), None))
        return Change(replace(player, offer=code), puts=tuple(puts))

    return (yield from held.change(edit, now_s))


def accept_offer(device: str, code: str, now_s: int, draw: RandomBits) -> Flow[bool]:
    """Let a device play as the maker of an offer, from its next `enter` on."""
    key = keys.offer_key(code)
    found: Found = yield Read((key, keys.device_key(device)))
    offer, owner = found.documents
    if not offer.version:
        return False
    held = PlayerCopy(offer.body, draw)
    yield from held.refresh()
    is_taken = False

    def edit(player: PlayerDocument) -> Flow[Change | None]:
        nonlocal is_taken
        if (yield from read_document(key)) != offer:
            return None
        devices = tuple(each for each in player.devices if each != device)
        is_taken = len(devices) < MAX_DEVICES
        puts = [Put(key, None)]
        if is_taken:
            devices = (*devices, device)
            puts.append(Put(keys.device_key(device), player.id))
        change = replace(player, devices=devices, offer="")
        return Change(change, (Check(key, offer.version),), tuple(puts))

    is_done = yield from held.change(edit, now_s)
    if is_done and is_taken and owner.version and owner.body != held.id:
        # It counts no longer among the devices of the player before.
        other = PlayerCopy(owner.body, draw)
        yield from other.refresh()

        def forget(before: PlayerDocument) -> Flow[Change | None]:
            yield from ()
            devices = tuple(each for each in before.devices if each != device)
            return Change(replace(before, devices=devices))

        if other.is_known:
            yield from other.change(forget, now_s)
    return is_done and is_taken


# Looks of players who come by SSH

LOOKS_S: Final = 365 * DAY_S
"""Time for which looks are kept after they were chosen."""


def read_looks(account: str) -> Flow[str]:
    """Return the looks that a player has chosen; empty for none.

    A player at a machine of their own keeps looks there. A player by SSH brings nothing but a key,
    so the store keeps them, as text that only the terminal reads.
    """
    body: str = (yield from read_document(keys.looks_key(account))).body
    return body


def keep_looks(account: str, looks: str, draw: RandomBits, now_s: int) -> Flow[None]:
    put = Put(keys.looks_key(account), looks, now_s + LOOKS_S)
    yield Commit(new_version(draw), puts=(put,), importance=Importance.LOW)
