"""The store's side of a server: one batch for each step of the event loop.

A commit costs a write to a disk, however small it is, and a wake-up of the loop costs more than an
append. So nothing is submitted where it arises. What sessions want of the store is noted during a
step of the loop: a match that changed, a flow, a question. Once the step is done, `hand_over` asks
the journals of those matches for their operations, and submits all as one batch. The answers come
in one step as well: `_give_answer` passes a journal its own, and notifies all who are at the match,
so that held replies leave. A journal has one operation under way; what is done meanwhile is in its
next, so a store that becomes slower gets fewer and larger batches, not more of them. While many
act, a token bucket paces the batches (`GATHER_NS`); a lone action never waits for it, nor do
actions that come one after the other.

Nothing but the store is believed. While other servers are at a match, `_announce` sends them the
length of its log and its time of play; they look into the store. A message that is lost costs a
moment: the next one comes within two seconds, and servers that have not heard of each other find
out within ten.

Work that no session lives to do is done here from time to time, by every server alike, since each
step of it takes effect only once: games that are due are settled, a full store is cleared,
newcomers who stayed away are deleted. A match that could not be stored is read again every two
seconds.
"""

from __future__ import annotations

import asyncio
import logging
import os
import struct
from collections.abc import Callable, Coroutine, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from jminesweeper.bus import Unsubscribe, game_topic, player_topic, room_topic
from jminesweeper.core.actions import unpack_entries
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.records.documents import Compute, Due, Flow, LongFlow
from jminesweeper.records.forgetting import Expiry, finish_forgetting
from jminesweeper.records.journal import State
from jminesweeper.records.limits import DAY_S, Limits
from jminesweeper.records.players import open_game
from jminesweeper.records.results import judge, list_due, make_room, settle
from jminesweeper.records.reviews import Verdict, drop_review, list_reviews, record_review
from jminesweeper.records.rounds import LOOK_MS, Deserted
from jminesweeper.records.table import Now
from jminesweeper.server.config import Backend, Clock
from jminesweeper.server.measures import Measures
from jminesweeper.session.matches import DueReview, Match
from jminesweeper.session.reply import LayBoard, PlayBoard, Review
from jminesweeper.session.tables import Means, draw_board
from jminesweeper.store.port import DONE, Job, Operation, StoreError

GATHER_NS: Final = 10_000_000
AT_ONCE: Final = 20
"""A token bucket: twenty batches at once, then one every 10 ms. Without it each of some hundreds of
actions a second had a commit of its own, which cost more than the rest of the action. Compared with
5 ms, the store's thread takes 0.85 of the time (200 players in rooms on Redis, or 1,000 alone on
SQLite), and an answer comes 2.5 ms later."""
MANY: Final = 20
"""With fewer matches open a batch never waits: nothing would gather, and waking up again costs a
program that acts as fast as it can half as much again."""
LONE: Final = 10
"""After ten batches in a row for one match each the next does not wait either: these are the
actions of one player, one after the other, so nothing would gather."""
LOOK_AGAIN_MS: Final = 2_000
"""Time after which a match is read again that could not be stored."""
CHECK_S: Final = 1.0
"""Interval in which due work is done, and announcements of matches that are due again."""
HEARD_MS: Final = 10_000
"""For how long another server is known to be at a match since it was heard."""
ANNOUNCE_MS: Final = 1_000
"""Time after which a match is announced again to other servers at it."""
GREET_MS: Final = 10_000
"""Interval in which a server greets others at a match where it has heard none."""
SETTLE_EVERY_MS: Final = 10_000
SETTLE_AFTER_MS: Final = 5_000
"""A game that ended longer ago has no host that settles it."""
REVIEW_EVERY_MS: Final = 10_000
REVIEW_AFTER_MS: Final = 60_000
"""A ranked win that ended longer ago has no session whose review may still come."""
UNREVIEWED_MS: Final = DAY_S * 1000
"""A win that nobody could review is left without its luck after a day."""
FORGET_AFTER_MS: Final = 60_000
FORGET_EVERY_MS: Final = 600_000
"""Interval in which newcomers are deleted who have been away for long; the first time sooner."""
MOST_DROPPED: Final = 50
MOST_LEFT_UNSTORED: Final = 2_000
"""Matches without players that no store has yet."""

_EVERY: Final[Mapping[str, tuple[int, int]]] = {
    "look": (LOOK_AGAIN_MS, 1),  # at matches that could not be stored
    "settle": (SETTLE_EVERY_MS, 1),
    "review": (REVIEW_EVERY_MS, 1),
    "forget": (FORGET_EVERY_MS, 1),
    "deserted": (LOOK_MS, 1),  # rooms
}
_MESSAGE: Final = struct.Struct("<8s?IQIi")
_NOWHERE: Final = -1

Done = Callable[[Any], object]

logger = logging.getLogger("jminesweeper.server")


class MatchMessage(NamedTuple):
    """A message to the other servers that show a match."""

    sender: bytes
    is_greeting: bool
    """It has just opened the match, and wants to know how it is."""
    length: int
    clock_ms: int
    watchers: int
    pointer: int = _NOWHERE
    """The index of the cell where the player is, if one is here."""

    def encode(self) -> bytes:
        return _MESSAGE.pack(*self)

    @staticmethod
    def decode(message: bytes) -> MatchMessage | None:
        """Read a message; None of an empty one."""
        return MatchMessage(*_MESSAGE.unpack(message)) if len(message) == _MESSAGE.size else None


@dataclass(eq=False, slots=True)
class MatchLine:
    """The line to the other servers that are at a match."""

    unsubscribe: Unsubscribe
    announced_ms: int = 0
    announced_watchers: int = 0
    announced_moves: int = 0
    _others: dict[bytes, tuple[int, int]] = field(default_factory=dict)
    """Time at which each of the other servers was heard last, and its watchers."""

    def hear(self, message: MatchMessage, now_ms: int) -> None:
        self._others[message.sender] = now_ms, message.watchers

    def has_others(self, now_ms: int) -> bool:
        return any(now_ms < heard_ms + HEARD_MS for heard_ms, _ in self._others.values())

    def watchers(self, now_ms: int) -> int:
        """Return the number of watchers at the other servers."""
        known = self._others.values()
        return sum(count for heard_ms, count in known if now_ms < heard_ms + HEARD_MS)


_TO_NOBODY: Final = MatchLine(lambda: None)
"""The line of every match where no other server can be: one of its own took 200 bytes."""


class Keeper:
    """Submits the operations of matches, errands and questions, and hands out the answers."""

    def __init__(
        self,
        backend: Backend,
        measures: Measures,
        clock_ns: Clock,
    ) -> None:
        self._backend = backend
        self._matches = backend.matches
        self._measures = measures
        self._clock_ns = clock_ns
        self._jobs: list[Job] = []
        self._call: asyncio.Handle | None = None
        """The call of `hand_over` that is due."""
        self._paid_ns = 0
        """Time up to which the bucket is spent: each batch takes `GATHER_NS` of it."""
        self._gathers_until_ns = 0
        """Time until which the next batch gathers."""
        self._lone = 0
        """Number of batches since the last one for more than one match."""
        self._token = os.urandom(8)
        self._lines: dict[str, MatchLine] = {}
        self._is_shared = backend.bus.is_shared
        """There may be other servers, to which matches are announced."""
        self._limits = Limits(_EVERY)
        self._limits.put_off("forget", self._now_ms() + FORGET_AFTER_MS)
        self._expiry = Expiry(backend.tokens)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """The last of each kind of due work that waits for answers."""
        self._review_again_ms: dict[str, int] = {}
        """Wins whose review no worker found the time for, and when to ask again."""
        self._judge = ThreadPoolExecutor(1, "judge")
        self._deserted = Deserted()
        self._matches.on_change = self.call
        self._matches.bus = backend.bus
        self._matches.tables.means = self._means()

    # Asking

    def call(self) -> None:
        """Ask the store, once this step of the loop is done, for all that is wanted by then."""
        if self._call is not None:
            return
        loop, now_ns = asyncio.get_running_loop(), self._clock_ns()
        # The token bucket of `GATHER_NS`, where there is something to gather.
        is_paced = len(self._lines) >= MANY and self._lone < LONE
        self._gathers_until_ns = self._paid_ns - AT_ONCE * GATHER_NS if is_paced else now_ns
        if self._gathers_until_ns > now_ns:
            rest_s = (self._gathers_until_ns - now_ns) / 1_000_000_000
            self._call = loop.call_later(rest_s, self.hand_over)
        else:
            self._call = loop.call_soon(self.hand_over)

    def hand_over_early(self) -> None:
        """Submit pending operations at once, unless more are still to gather."""
        if self._call is not None and self._clock_ns() >= self._gathers_until_ns:
            self.hand_over()

    def ask(self, operation: Operation, done: Done) -> None:
        self._jobs.append(Job(operation, done))
        self.call()

    def run(self, flow: LongFlow[Any], done: Done) -> None:
        """Carry a flow out; `done` takes its result, or the StoreError that ended it."""
        self._continue(flow, done, None)

    def hand_over(self) -> None:
        """Submit, as one batch, everything that matches and flows want by now."""
        if self._call is not None:
            self._call.cancel()
            self._call = None
        begun_ns, lines, asking = self._clock_ns(), self._lines, 0
        now_ms = begun_ns // 1_000_000
        utc_ms = now_ms + self._matches.epoch_ms()
        for match in self._matches.drain_changed():
            line, is_needed = lines.get(match.code), match.is_needed
            if line is None and is_needed:
                line = _TO_NOBODY
                if self._is_shared:
                    hear = partial(self._hear, match)
                    line = MatchLine(self._backend.bus.subscribe(game_topic(match.code), hear))
                lines[match.code] = line
                if self._is_shared:
                    self._announce(match, now_ms, is_greeting=True)
                else:
                    self._say_who_plays(match)
            elif line is not None:
                announced = line.announced_watchers, line.announced_moves
                if (len(match.watchers), match.moves) != announced and line.has_others(now_ms):
                    self._announce(match, now_ms)
                if not is_needed:
                    del lines[match.code]
                    line.unsubscribe()
            if (operation := match.journal.next_operation(utc_ms)) is not None:
                self._jobs.append(Job(operation, partial(self._give_answer, match)))
                asking += 1
        if not self._jobs:
            return
        jobs, self._jobs = self._jobs, []
        self._paid_ns = max(self._paid_ns, begun_ns) + GATHER_NS
        self._lone = self._lone + 1 if asking < 2 else 0
        self._measures.batch_jobs.observe(len(jobs))
        last, done = jobs[-1]

        def end_batch(answer: Any) -> None:
            # With the answer to its last job the batch is over.
            self._measures.store_ns.observe(self._clock_ns() - begun_ns)
            done(answer)

        jobs[-1] = Job(last, end_batch)
        self._backend.store.submit(jobs)

    def _now_ms(self) -> int:
        return self._clock_ns() // 1_000_000

    async def finish(self) -> None:
        """Count the games that have ended since the last time."""
        for count in self._matches.count_ended():
            with suppress(StoreError):
                await self._result(count)

    def close(self) -> None:
        """Submit what sessions left behind."""
        for task in self._tasks.values():
            task.cancel()
        self._judge.shutdown(wait=False, cancel_futures=True)
        self.hand_over()

    def _continue(self, flow: LongFlow[Any], done: Done, answer: Any) -> None:
        try:
            is_error = isinstance(answer, StoreError)
            operation = flow.throw(answer) if is_error else flow.send(answer)
        except StopIteration as end:
            done(end.value)
        except StoreError as error:
            logger.debug("not stored: %s", error)
            done(error)
        else:
            go_on = partial(self._continue, flow, done)
            if not isinstance(operation, Compute):
                self.ask(operation, go_on)
            elif operation.is_quick:
                go_on(operation())
            else:
                loop = asyncio.get_running_loop()
                played: asyncio.Future[Any] = loop.run_in_executor(self._judge, operation.do)
                played.add_done_callback(
                    lambda each: None if each.cancelled() else go_on(each.result())
                )

    # Matches

    def _give_answer(self, match: Match, answer: object) -> None:
        """Give a match the store's answer, and notify all who wait for it."""
        journal, now_ms = match.journal, self._clock_ns() // 1_000_000
        stored = journal.stored
        must_renew = match.take_answer(answer, now_ms)
        if journal.stored > stored:
            line = self._lines.get(match.code)
            # Entries that were only read here have been announced by the server that wrote them.
            if answer is DONE and line is not None and line.has_others(now_ms):
                self._announce(match, now_ms)
            if not stored:
                self._say_who_plays(match)
        self._matches.publish_progress(match)
        match.notify(must_renew=must_renew)
        if not journal.is_at_rest or not match.seats:
            self._matches.note_change(match)

    # Other servers

    def _announce(self, match: Match, now_ms: int, *, is_greeting: bool = False) -> None:
        # A round's record is made by its first action; a server waiting for that greets before.
        if (length := match.journal.stored) or match.room:
            line, watchers = self._lines[match.code], len(match.watchers)
            line.announced_ms, line.announced_watchers = now_ms, watchers
            line.announced_moves = match.moves
            clock_ms = match.elapsed_ms(now_ms)
            cell = match.pointer if match.seats else None
            at = _NOWHERE if cell is None else match.game.grid.index(cell)
            message = MatchMessage(self._token, is_greeting, length, clock_ms, watchers, at)
            self._backend.bus.publish(game_topic(match.code), message.encode())
            if is_greeting:
                self._say_who_plays(match)

    def _hear(self, match: Match, received: bytes) -> None:
        """Process a message about a match; an empty one says that some were missed."""
        now_ms, journal, line = self._now_ms(), match.journal, self._lines.get(match.code)
        message = MatchMessage.decode(received)
        if line is None:
            return
        if message is None:
            journal.read_anew()
            self._announce(match, now_ms, is_greeting=True)
        elif message.sender == self._token:
            return
        else:
            is_new = message.is_greeting or not line.has_others(now_ms)
            line.hear(message, now_ms)
            changes = match.changes
            match.count_elsewhere(line.watchers(now_ms))
            match.set_clock(message.clock_ms, now_ms)
            if not match.seats and message.pointer not in {_NOWHERE, match.pointer_elsewhere}:
                match.point(message.pointer)
                line.announced_moves = match.moves
            if is_new:
                self._announce(match, now_ms)
            if match.changes != changes:
                match.notify(must_renew=False)
            if message.length <= journal.stored:
                return
            journal.note_length(message.length)
        self._matches.note_change(match)

    def _say_who_plays(self, match: Match) -> None:
        """Show a stored game on the player's other devices."""
        if match.journal.stored and match.seats and not (match.is_over or match.room):
            for player in match.journal.document.seats:
                self._backend.bus.publish(player_topic(player), match.code.encode())

    # Rooms

    def _means(self) -> Means:
        """Return what tables can have done here."""
        bus, matches = self._backend.bus, self._matches

        def now() -> Now:
            now_ms = self._clock_ns() // 1_000_000
            return Now(now_ms, now_ms + matches.epoch_ms())

        def call_at(at_ms: int, do: Callable[[], object]) -> Callable[[], object]:
            loop, delay_ms = asyncio.get_running_loop(), at_ms - self._now_ms()
            if delay_ms <= 0:
                return loop.call_soon(do).cancel
            return loop.call_later((delay_ms + 1) / 1000, do).cancel

        def draw(code: str, board: Variant, done: Callable[[Setup], object]) -> None:
            has_solver = self._backend.workers.load.processes > 0
            flow = draw_board(self._backend.tokens, board, has_solver=has_solver)
            self._draw_on(flow, code, done, None)

        def play(code: str, board: PlayBoard, done: Callable[[object], None]) -> None:
            self._backend.workers.ask(board, id(done), code, done)

        return Means(
            now,
            self.run,
            lambda code, message: bus.publish(room_topic(code), message),
            lambda code, hear: bus.subscribe(room_topic(code), hear),
            call_at,
            draw,
            self._backend.tokens,
            play,
        )

    def _draw_on(
        self,
        flow: Generator[LayBoard, Any, Setup],
        code: str,
        done: Callable[[Setup], object],
        laid: object,
    ) -> None:
        try:
            question = flow.send(laid)
        except StopIteration as end:
            done(end.value)
        else:
            # Of each room a worker draws one board at a time.
            go_on = partial(self._draw_on, flow, code, done)
            self._backend.workers.ask(question, id(flow), code, go_on)

    # From time to time

    def check_time(self) -> None:
        """Do the periodic work; called every `CHECK_S`."""
        now_ms, left_unstored = self._now_ms(), 0
        due = self._limits.pass_all(now_ms)
        for match in self._matches:
            journal = match.journal
            if journal.state is State.AWAY:
                left_unstored += not match.seats
                if left_unstored > MOST_LEFT_UNSTORED and not match.seats:
                    self._matches.forget(match)
                elif "look" in due:
                    journal.read_anew()
                    self._matches.note_change(match)
            if self._is_shared and (line := self._lines.get(match.code)) is not None:
                is_alone = not line.has_others(now_ms)
                if now_ms >= line.announced_ms + (GREET_MS if is_alone else ANNOUNCE_MS):
                    self._announce(match, now_ms, is_greeting=is_alone)
                if match.count_elsewhere(line.watchers(now_ms)):
                    match.notify(must_renew=False)
        if "forget" in due:
            utc_s = (now_ms + self._matches.epoch_ms()) // 1000
            self.run(self._expiry.run(utc_s, now_ms // 1000), lambda _forgotten: None)
            self.run(finish_forgetting(utc_s, self._backend.tokens), lambda _left: None)
        if "deserted" in due:
            now_s = (now_ms + self._matches.epoch_ms()) // 1000
            self.run(
                self._deserted.settle(now_ms, now_s, self._backend.tokens), lambda _settled: None
            )
        if self._backend.is_crowded():
            self.run(make_room(MOST_DROPPED, self._backend.tokens), lambda _dropped: None)
        for count in self._matches.count_ended():
            self.run(count, lambda _: None)
        if "settle" in due:
            self._begin("settle", self._settle_due)
        reviews, self._matches.reviews = self._matches.reviews, {}
        for code, reviewed in reviews.items():
            done = partial(self._end_review, code, reviewed, now_ms)
            self.run(self._recording(code, reviewed.length, reviewed.verdict), done)
        if "review" in due:
            self._begin("review", self._review_due)

    def _begin(self, what: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Begin due work; while the last of its kind is under way, it stays due."""
        task = self._tasks.get(what)
        if task is None or task.done():
            self._tasks[what] = asyncio.get_running_loop().create_task(work())
        else:
            self._limits.give_back(what)

    async def learn_days(self) -> None:
        """Get the secret that the boards of the days follow from."""
        if (seeds := self._backend.day_seeds) is not None:
            with suppress(StoreError):
                await self._result(seeds.learn(self._backend.tokens))

    def look_again(self) -> None:
        """Read everything again: the store was away, and may have lost some."""
        if (seeds := self._backend.day_seeds) is not None:
            self.run(seeds.learn(self._backend.tokens), lambda _: None)
        for match in self._matches:
            match.journal.read_anew()
            self._matches.note_change(match)

    async def _settle_due(self) -> None:
        """Settle games whose host did not live to do it; where the store fails they stay due."""
        last_ms = self._now_ms() + self._matches.epoch_ms() - SETTLE_AFTER_MS
        due: Due | None = None
        with suppress(StoreError):
            while found := await self._result(list_due(due)):
                for due in found:
                    if due.ended_at_ms > last_ms:
                        return
                    # A game that cannot be settled must not hold up those behind it.
                    with suppress(StoreError):
                        opened, verdict = await self._result(open_game(due.code)), None
                        if opened is not None:
                            loop = asyncio.get_running_loop()
                            verdict = await loop.run_in_executor(self._judge, judge, opened, due)
                        await self._result(settle(due, verdict, self._backend.tokens))

    def _end_review(self, code: str, due: DueReview, now_ms: int, is_recorded: object) -> None:
        """Try again later if a review is not recorded: a game may be settled after it."""
        if is_recorded is not True and now_ms < due.found_ms + REVIEW_AFTER_MS:
            self._matches.reviews.setdefault(code, due)

    def _recording(self, code: str, length: int, verdict: Verdict) -> Flow[bool]:
        today = (self._now_ms() + self._matches.epoch_ms()) // 1000 // DAY_S
        return record_review(code, length, verdict, today, self._backend.tokens)

    async def _review_due(self) -> None:
        """Review ranked wins whose session did not live to do it, one after the other."""
        utc_ms = self._now_ms() + self._matches.epoch_ms()
        has_workers = self._backend.workers.load.processes > 0
        last_ms = utc_ms - (REVIEW_AFTER_MS if has_workers else UNREVIEWED_MS)
        due: Due | None = None
        with suppress(StoreError):
            while found := await self._result(list_reviews(due)):
                for due in found:
                    if due.ended_at_ms > last_ms:
                        return
                    if utc_ms < self._review_again_ms.get(due.code, 0):
                        continue
                    # A game that cannot be read must not hold up those behind it.
                    with suppress(StoreError):
                        await self._review(due, utc_ms)

    async def _review(self, due: Due, utc_ms: int) -> None:
        opened, age_ms = await self._result(open_game(due.code)), utc_ms - due.ended_at_ms
        if opened is not None and self._backend.workers.load.processes > 0:
            entries = unpack_entries(opened.entries)[: due.length]
            answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

            def set_answer(found: object) -> None:
                if not answered.done():
                    answered.set_result(found)

            request = Review(opened.game.setup, entries)
            self._backend.workers.ask(request, self, "reviews", set_answer)
            if (found := await answered) is not None:
                await self._result(self._recording(due.code, due.length, found.verdict))
            elif age_ms < UNREVIEWED_MS:
                # The answer does not tell a game that takes too long from workers that are busy.
                self._review_again_ms[due.code] = utc_ms + age_ms
                return
        await self._result(drop_review(due))
        self._review_again_ms.pop(due.code, None)

    async def _result(self, flow: Flow[Any]) -> Any:
        result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def set_answer(value: Any) -> None:
            if result.done():
                return
            if isinstance(value, StoreError):
                result.set_exception(value)
            else:
                result.set_result(value)

        self.run(flow, set_answer)
        return await result
