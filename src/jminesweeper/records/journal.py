"""One process's copy of a game, and how it and the store's copy become one.

The game is shown as its players left it: the entries that the store has, and a *tail* of those done
here that it has not acknowledged. At most one operation is under way. A write takes the whole tail;
what is done meanwhile is written after it, so a peer that floods causes fewer writes and not more.

An append names the entry that it follows. So either the store's log is the one that was played
here, or the answer is a conflict, and brings the entries that were missed. Then the game is played
again: the missed entries first, and of the tail what still means the same, an action whose cell,
and what counts around it, looks as it did when its player acted. Nothing else happens, no matter
who writes, on how many devices and hosts; a frozen host that wakes up is no case of its own.

An answer may be lost, a disk may be full, a store may come back empty or with a shorter log. The
journal does not tell these apart: after any fault it reads the whole log before it writes anything.
Entries of its own that it finds there are not played twice: an entry has a time, a cell and a seat,
so it is recognised. The ones that it does not find are the tail again.

Games that replace each other here are stored in this order, however far ahead of its replies a
program sends: a record is made once the game before it is stored as it was left, and the player's
pointer has moved on. So a player who comes back after a crash is offered the game that an answer
showed last, or one begun later. Only a journal that is away is not waited for. If its record is
made later, the pointer is left to the game that overtook it.

`_start` is the number of the entry to read from before anything is written, 0 for the whole log;
None if nothing has to be read. An event that makes a read necessary sets it and leaves the state
IDLE, and the next call of `next_operation` reads.

==================  ================  ====================================================  =======
state               event             does                                                  becomes
==================  ================  ====================================================  =======
NEW                 first action      nothing, while the game before it is being stored     NEW
NEW                 first action      the record is made, with all entries                  WRITING
IDLE                action            the tail is appended                                  WRITING
IDLE                _told > stored    the entries after the last one are read               READING
IDLE                _start is set     the log is read from there                            READING
WRITING             action, _told     nothing yet                                           WRITING
WRITING             done              all that was sent is stored; replies leave            IDLE
WRITING             conflict          rebase; replies that wait are renewed                 IDLE
WRITING             it exists         _start is set to 0                                    IDLE
WRITING, READING    another log       _start is set to 0                                    IDLE
READING             found             rebase, if there is more                              IDLE
READING             found, from 0     back to the common prefix, then rebase                IDLE
READING             no document       all is written anew                                   NEW
WRITING, READING,   store error       outcome unknown; replies leave, "not saved"           AWAY
SETTLING
AWAY                action, _told     nothing; the tail grows                               AWAY
AWAY                read_anew         _start is set to 0                                    IDLE
IDLE                the game ended    its result is recorded, once, by anybody              SETTLING
IDLE                it was replaced   the player's pointer moves on, with a label for it    SETTLING
NEW                 it was overtaken  the record is made beside the player's pointer        WRITING
SETTLING            done              nothing                                               IDLE
==================  ================  ====================================================  =======
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Any, Final, TypeAlias

from jminesweeper.core.actions import ActionKind, pack_entries, unpack_entries, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import ONGOING
from jminesweeper.records.documents import Due, Flow, GameDocument, new_version
from jminesweeper.records.games import NO_GAME, ReplacedGame, begin, put_aside
from jminesweeper.records.keys import DUE, game_key, room_of
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.players import Opened, PlayerCopy
from jminesweeper.records.results import Judgement, outcome_of, settle
from jminesweeper.store.port import (
    DONE,
    ENTRY_BYTES,
    NO_END,
    Append,
    Check,
    Commit,
    Conflict,
    Document,
    Found,
    Place,
    Put,
    Read,
    StoreError,
    Tail,
)


class State(Enum):
    """The operation under way."""

    NEW = auto()
    IDLE = auto()
    WRITING = auto()
    READING = auto()
    SETTLING = auto()
    AWAY = auto()


_ANYWHERE: Final = frozenset({ActionKind.HINT, ActionKind.DEBUG, ActionKind.TERMINATE})
"""Actions on no cell, which others' actions cannot change."""


class Journal:
    """A game as it is shown here, and the part of it that the store has."""

    __slots__ = (
        "_asked",
        "_base",
        "_begins_at",
        "_draw",
        "_due",
        "_flow",
        "_held",
        "_is_overtaken",
        "_is_revised",
        "_left_at",
        "_replaced",
        "_sent",
        "_settling",
        "_setup",
        "_start",
        "_tail",
        "_told",
        "_utc_ms",
        "_version",
        "code",
        "document",
        "dropped",
        "fault",
        "game",
        "opening",
        "predecessors",
        "rebased",
        "state",
        "stored",
    )

    def __init__(
        self,
        code: str,
        document: GameDocument,
        game: Game,
        held: PlayerCopy,
        draw: RandomBits,
    ) -> None:
        self.code = code
        self.document = document
        self.game = game
        self.state = State.NEW
        self.stored = 0
        """Number of entries that the store has acknowledged or shown: the first ones of the log."""
        self.opening = 0
        """Number of entries at the start that follow from the board and need no storing."""
        self.fault: StoreError | None = None
        """The reason why nothing is stored."""
        self.rebased = self.dropped = 0
        """Number of rebases, and of actions that lost their meaning by them."""
        self._held = held
        """The player whose current game this becomes with the first action."""
        self._draw = draw
        self._version = 0
        self._setup = document.setup
        """The setup that the store has."""
        self._is_revised = False
        """Another setup is to be written."""
        self._base: Game | None = None
        """The first of the stored entries played; kept once others have acted, too."""
        self._tail: list[object] = []
        """For each entry after the stored ones, how its cell looked when it was done (`_look`)."""
        self._sent = 0
        self._told = 0
        """Length of the store's log, as others tell it."""
        self._start: int | None = None
        """Number of the entry to read from next; None if nothing has to be read first."""
        self._begins_at = 0
        """Number of the entry that the read under way begins at."""
        self._flow: Flow[Any] | None = None
        self._asked: Commit | Read | None = None
        """The next operation of the flow."""
        self._due: Due | None = None
        """The end of the game here, until that is settled."""
        self._settling: Due | None = None
        self.predecessors = 0
        """Number of games that this one replaced here, and that its record waits for."""
        self._is_overtaken = False
        """A later game did not wait for this one, which now leaves the player's pointer to it."""
        self._replaced: ReplacedGame | None = None
        """The label it gets in the player's document, since another game has replaced it here."""
        self._left_at = 0
        """Its length when it was replaced."""
        self._utc_ms = 0

    @staticmethod
    def of(opened: Opened, game: Game, held: PlayerCopy, draw: RandomBits) -> Journal:
        """Continue a record that was read, and the game that its log makes."""
        journal = Journal(opened.code, opened.game, game, held, draw)
        journal.state, journal.stored = State.IDLE, len(game.log.entries)
        journal._version = opened.version
        return journal

    @property
    def length(self) -> int:
        return len(self.game.log.entries)

    def may_show(self, length: int) -> bool:
        """Return True if `length` entries are stored, or the player is told that they are not."""
        return self.stored >= length or length <= self.opening or self.state is State.AWAY

    @property
    def is_stored(self) -> bool:
        """True if the store has the game as it is here."""
        return 0 < self.stored == self.length and self.state is not State.AWAY

    @property
    def is_at_rest(self) -> bool:
        """True if nothing is under way or pending, so that the journal may be forgotten."""
        if self.state is State.NEW:
            return not self.length
        return self.state is State.IDLE and not (
            self._tail
            or self._is_revised
            or self._due is not None
            or self._replaced is not None
            or self._start is not None
            or self._told > self.stored
        )

    @property
    def _ended_at_ms(self) -> int:
        """The time at which playing the game again would end it."""
        if self._due is not None:
            return self._due.ended_at_ms
        outcome = self.document.outcome
        return self._utc_ms if outcome is None else self.document.begun_at_ms + outcome.wall_ms

    # Acting, and hearing of others

    def act(self, kind: int, index: int, at_ms: int, author: int, utc_ms: int) -> bool:
        """Play an action here at once; return True if it changed the board or the game's status.

        `at_ms` is the time of play, `utc_ms` the time since 1970.
        """
        game = self.game
        look, length = _look(game, kind, index), len(game.log.entries)
        has_changed = game.play(kind, index, at_ms, author)
        if len(game.log.entries) > length:
            self._utc_ms = utc_ms
            self._tail.append(look)
            if not self.document.begun_at_ms:
                self.document = replace(self.document, begun_at_ms=utc_ms)
                self._is_revised = self.state is not State.NEW
            is_over = game.status is not ONGOING
            self._due = Due(utc_ms, self.code, length + 1) if is_over else None
        return has_changed

    def _act_again(self, entry: int, utc_ms: int) -> None:
        at_ms, kind, index, author = unpack_entry(entry)
        self.act(kind, index, at_ms, author, utc_ms)

    def revise(self, setup: Setup) -> None:
        """Write another setup: mines that were laid, a board that became a repeat."""
        self.document = replace(self.document, setup=setup)
        self._is_revised = self.state is not State.NEW
        self._base = None

    def note_program(self) -> None:
        """Note that a program plays."""
        if not self.document.is_program:
            self.document = replace(self.document, is_program=True)
            self._is_revised = self.state is not State.NEW

    def put_aside(self, replaced: ReplacedGame) -> None:
        """Make room for another game once all entries so far are stored."""
        if self.state is not State.NEW or self.length:
            self._replaced, self._left_at = replaced, self.length

    def let_pass(self) -> None:
        """Let a later game be stored; before this one, if the store does not take this one."""
        self._is_overtaken = self._is_overtaken or self.state is State.AWAY

    def resume(self) -> None:
        """Become the player's current game again."""
        self._is_overtaken, self._replaced = False, None

    @property
    def is_leaving(self) -> bool:
        """True while the store may still name this replaced game as the current one."""
        if self.state is State.AWAY or self.is_at_rest:
            return False
        is_made = self._version or not self.length
        return not is_made or self._replaced is not None or self._due is not None

    def note_end(self, ended_at_ms: int) -> None:
        """Note when a game ended, if it is stored only later."""
        self._due = Due(ended_at_ms, self.code, self.length)

    def note_made(self, version: int) -> None:
        """Note that the record was made before the first action."""
        if self.state is State.NEW and version:
            self.state, self._version = State.IDLE, version

    def note_length(self, length: int) -> None:
        """Note that the store's log has `length` entries, or more."""
        self._told = max(self._told, length)

    def read_anew(self) -> None:
        """Read the whole log before anything else: the store is back, and may have lost some.

        An append compares the last entry alone, which is enough as long as no log gets shorter.
        """
        if self.state is State.AWAY:
            self.state = State.IDLE
        self._start = 0

    # Asking the store

    def next_operation(self, utc_ms: int) -> Commit | Read | None:
        """Return the next operation to submit, if any; it is under way from then on.

        `utc_ms` is the time since 1970.
        """
        self._utc_ms = utc_ms
        if self._flow is not None:
            asked, self._asked = self._asked, None
            return asked
        if self.state is State.NEW and self.game.log.entries:
            return None if self.predecessors else self._make_record()
        if self.state is not State.IDLE:
            return None
        if self._start is not None or (self._told > self.stored and not self._tail):
            return self._read()
        # Another device may play on without a pause: the next game here does not wait for that.
        has_left = self._replaced is not None and self.stored >= self._left_at
        if (self._tail or self._is_revised) and not has_left:
            return self._write()
        return self._settle()

    def _make_record(self) -> Commit | Read | None:
        self.state, self._sent, self._start = State.WRITING, self.length, None
        entries, now_s = pack_entries(self.game.log.entries), self._utc_ms // 1000

        def find_replaced() -> ReplacedGame | None:
            # Asked at each try: a later game may have overtaken this one since the one before.
            return (self._replaced or NO_GAME) if self._is_overtaken else None

        return self._begin(
            begin(
                self._held,
                self.code,
                self.document,
                entries,
                now_s,
                due=self._due,
                find_replaced=find_replaced,
            )
        )

    def _read(self) -> Read:
        """Read from the last entry that is stored, or from where it was asked for."""
        start = max(0, self.stored - 1) if self._start is None else self._start
        self.state, self._begins_at, self._start = State.READING, start, None
        key = game_key(self.code)
        return Read((key,), (Tail(key, start),))

    def _write(self) -> Commit:
        """Append the tail; rarely put the document as well."""
        key, stored, entries = game_key(self.code), self.stored, self.game.log.entries
        self.state, self._sent = State.WRITING, len(entries)
        # The entry before comes first: the store compares it with its last one.
        packed = pack_entries(entries[max(0, stored - 1) :])
        place = ENTRY_BYTES if stored else 0
        # With the last action a game is due, should its host not live to settle it.
        commit = Commit(
            appends=(Append(key, stored, packed[:place], packed[place:]),) if self._tail else (),
            places=() if self._due is None else (Place(DUE, self._due.format()),),
            importance=self._held.importance,
        )
        if stored and not self._is_revised:
            return commit
        commit = commit._replace(checks=(Check(key, self._version),))
        if not self._is_revised:
            return commit
        self._version = new_version(self._draw)
        # A record in a room ends with the day, unless it is listed by then.
        end_s = self._utc_ms // 1000 + DAY_S if room_of(self.code) else NO_END
        put = Put(key, self.document.format(), end_s)
        return commit._replace(version=self._version, puts=(put,))

    def _settle(self) -> Commit | Read | None:
        """Record the result of a game that ended; else move the player's pointer on."""
        # A game that was replaced here may be ended by another device, and that is not stored yet.
        if (due := self._due) is not None and not self._tail:
            self.state, self._settling = State.SETTLING, due
            outcome = outcome_of(self.game, self.document.begun_at_ms, due.ended_at_ms)
            known = Opened(self.code, self._version, self.document, b"", None)
            return self._begin(settle(due, Judgement(outcome, is_over=True), self._draw, known))
        if self._replaced is not None:
            self.state, self._settling = State.SETTLING, None
            # Some of the actions here may have lost their meaning.
            replaced, now_s = self._replaced.up_to(self.stored), self._utc_ms // 1000
            return self._begin(put_aside(self._held, replaced, now_s, self._draw))
        return None

    def take_answer(self, answer: Any) -> bool:
        """Process an answer; return True if held replies must be renewed.

        They must where others were faster, and where the store has failed: they say so then.
        """
        if self._flow is not None:
            return self._continue(self._flow, answer)
        was, self.state = self.state, State.IDLE
        if isinstance(answer, StoreError):
            self.state, self.fault = State.AWAY, answer
            return True
        self.fault = None
        if answer is DONE and was is State.WRITING:
            self._is_revised, self._setup = False, self.document.setup
            self._acknowledge(self._sent)
            return False
        match answer:
            case Found() if not answer.documents[0].version:
                self._go_back(())
                self.document = replace(self.document, outcome=None, is_listed=False)
                self.state, self._told, self._version = State.NEW, 0, 0
                return True
            case Found():
                # A store that lost entries may have told of them.
                self._told = self.stored
                is_other = self._adopt_document(answer.documents[0])
                return self._merge_log(answer.tails[0], self._begins_at) or is_other
            case Conflict() if not answer.since:
                self._start = 0
            case Conflict():
                return self._merge_log(answer.since, max(0, self.stored - 1))
        return False

    def _begin(self, flow: Flow[Any]) -> Commit | Read | None:
        self._flow = flow
        self._continue(flow, None)
        asked, self._asked = self._asked, None
        return asked

    def _continue(self, flow: Flow[Any], answer: Any) -> bool:
        try:
            is_error = isinstance(answer, StoreError)
            self._asked = flow.throw(answer) if is_error else flow.send(answer)
        except StopIteration as end:
            self._flow = None
            return self._end(end.value)
        except StoreError as error:
            self._flow = None
            return self.take_answer(error)
        return False

    def _end(self, result: Any) -> bool:
        """Process the result of a flow: the record is made, or settled, or the pointer moved on."""
        was, self.state = self.state, State.IDLE
        if was is State.SETTLING and self._settling is None:
            self._replaced = None
        elif was is State.SETTLING:
            if self._due is self._settling:
                self._due = None
            if result is not None:
                self.document, self._version = result
        elif result:
            self._version, self._setup = result, self.document.setup
            self.fault = None
            self._acknowledge(self._sent)
        else:
            self._start = 0
        return False

    # Becoming one

    def _acknowledge(self, length: int) -> None:
        """Note that `length` entries are stored; the entries after them are the tail."""
        # A log may begin with entries that nobody did, such as the opening of a round.
        del self._tail[: len(self._tail) - (len(self.game.log.entries) - length)]
        self.stored, self._told = length, max(self._told, length)

    def _adopt_document(self, found: Document) -> bool:
        """Hold the stored document; of two setups the stored one counts."""
        if found.version == self._version:
            return False
        self._version, own = found.version, self.document.setup
        stored, is_program = GameDocument.parse(found.body), self.document.is_program
        self.document = replace(stored, is_program=is_program or stored.is_program)
        before, self._setup = self._setup, self.document.setup
        if self._is_revised and self._setup == before:
            # Only the rest was changed.
            self.document = replace(self.document, setup=own)
            return False
        self._is_revised = self.document.is_program is not stored.is_program
        setup = self._setup
        if setup == own:
            return False
        entries = self.game.log.entries
        if replace(setup, variant=own.variant) == own:
            self.game.setup, self._base = setup, None
        else:
            # Other mines: what was done here was meant for other cells.
            self.dropped += len(self._tail)
            self.game, self._base = Game.replay(setup, entries[: self.stored]), None
            self._tail, self._due = [], None
        return True

    def _merge_log(self, since: bytes, start: int) -> bool:
        """Merge the store's log, read from a known entry on, or from its first."""
        known = pack_entries(self.game.log.entries[start : self.stored])
        if since.startswith(known) and (known or not start):
            missed = unpack_entries(since[len(known) :])
            if missed:
                self._rebase(missed)
            return bool(missed)
        if start:
            self._start = 0
            return False
        log = unpack_entries(since)
        self._go_back(log)
        self._rebase(log[self.stored :])
        return True

    def _go_back(self, log: Sequence[int]) -> None:
        """Go back to the common prefix with the store's log, which has lost entries."""
        entries = self.game.log.entries
        pairs = enumerate(zip(entries, log, strict=False))
        same = next((n for n, (own, other) in pairs if own != other), min(len(entries), len(log)))
        ended_at_ms = self._ended_at_ms
        self._base = Game.replay(self.document.setup, entries[:same])
        self.stored, self.game, self._tail = same, self._base.copy(), []
        for entry in entries[same:]:
            self._act_again(entry, ended_at_ms)

    def _rebase(self, missed: Sequence[int]) -> None:
        """Play the missed entries, then again the own ones that are not among them."""
        entries = self.game.log.entries
        own = entries[len(entries) - len(self._tail) :]
        self._base = base = self._base or Game(self.document.setup)
        for entry in (*entries[len(base.log) : self.stored], *missed):
            base.push(entry)
        self.stored = len(base.log)
        self._told = max(self._told, self.stored)
        found = Counter(missed)
        looks, due, ended_at_ms = self._tail, self._due, self._ended_at_ms
        self.game, self._tail, self._due = base.copy(), [], None
        for entry, look in zip(own, looks, strict=True):
            if found[entry]:
                found[entry] -= 1
                continue
            _, kind, index, _ = unpack_entry(entry)
            length = self.length
            if _look(self.game, kind, index) == look:
                self._act_again(entry, ended_at_ms)
            self.dropped += self.length == length
        if due is not None and self.game.status is not ONGOING:
            # The last action was stored, and the answer was lost.
            self._due = due._replace(length=self.length)
        self.rebased += bool(own)


class NoJournal:
    """The journal of a game whose player has no key.

    It keeps nothing and asks for nothing, so every entry may be shown as soon as it is played.
    """

    code = ""
    state = State.IDLE
    stored = 0
    fault: StoreError | None = None
    is_at_rest = True
    is_stored = is_leaving = False

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def length(self) -> int:
        return len(self.game.log.entries)

    @property
    def document(self) -> GameDocument:
        return GameDocument(self.game.setup, ())

    def may_show(self, _length: int) -> bool:
        return True

    def act(self, kind: int, index: int, at_ms: int, author: int, _utc_ms: int) -> bool:
        return self.game.play(kind, index, at_ms, author)

    def revise(self, _setup: Setup) -> None: ...

    def note_program(self) -> None: ...

    def put_aside(self, _replaced: ReplacedGame) -> None: ...

    def let_pass(self) -> None: ...

    def resume(self) -> None: ...

    def read_anew(self) -> None: ...

    def note_length(self, _length: int) -> None: ...

    def next_operation(self, _utc_ms: int) -> None: ...

    def take_answer(self, _answer: Any) -> bool:
        return False


AnyJournal: TypeAlias = Journal | NoJournal


def _look(game: Game, kind: int, index: int) -> object:
    """Return the look of what an action is done to: its cell, and for a chord its neighbours.

    Only where that is the same after missed entries does the action mean the same.
    """
    if kind in _ANYWHERE:
        return None
    if kind == ActionKind.UNDO:
        return len(game.log)
    cell = 1 << index
    if game.visible & cell:
        around = game.grid.around(index)
        return game.flagged & around, (game.visible | game.flagged) & around
    return game.visible & cell, game.flagged & cell, game.questioned & cell
