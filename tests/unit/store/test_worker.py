import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

from jminesweeper.store.backend import MAX_BATCH, Retrier, Worker, hand_out
from jminesweeper.store.port import (
    Deliver,
    Fault,
    Job,
    Operation,
    Read,
    StoreError,
    StoreUnavailableError,
    deliver_at_once,
    ignore_state,
)

WAIT_S = 60.0
FAR_S = time.monotonic() + 100_000.0


class Echo:
    """Answers each operation with its key, in batches that can be held up."""

    def __init__(self, due_s: float = FAR_S) -> None:
        self.due_s = due_s
        self.batches: SimpleQueue[list[str]] = SimpleQueue()
        self.gate = Event()
        self.gate.set()
        self.is_closed = Event()

    def carry_out(self, operations: Sequence[Operation]) -> Sequence[Any]:
        keys = [name_of(operation) for operation in operations]
        self.batches.put(keys)
        assert self.gate.wait(WAIT_S)
        if "bug" in keys:
            raise ZeroDivisionError
        return keys

    def close(self) -> None:
        self.is_closed.set()


def name_of(operation: Operation) -> str:
    assert isinstance(operation, Read)
    return operation.keys[0]


def job(name: str, done: Callable[[Any], None] = lambda _: None) -> Job:
    return Job(Read(keys=(name,)), done)


def note(answers: SimpleQueue[tuple[str, str]], name: str, answer: str) -> None:
    answers.put((name, answer))


def work(echo: Echo, deliver: Deliver = deliver_at_once) -> Worker:
    return Worker("echo", Retrier(lambda: echo, deliver, ignore_state, retry_s=0), deliver)


@pytest.fixture
def echo() -> Echo:
    return Echo()


@pytest.fixture
def worker(echo: Echo) -> Iterator[Worker]:
    with closing(work(echo)) as opened:
        yield opened


def test_each_gets_the_answer_to_what_it_asked(worker: Worker) -> None:
    answers: SimpleQueue[tuple[str, str]] = SimpleQueue()
    names = [f"player {number}" for number in range(300)]
    for name in names:
        worker.submit([job(name, partial(note, answers, name))])
    assert [answers.get(timeout=WAIT_S) for _ in names] == [(name, name) for name in names]


def test_what_gathers_while_a_batch_is_served_is_the_next_batch(worker: Worker, echo: Echo) -> None:
    echo.gate.clear()
    worker.submit([job("first")])
    assert echo.batches.get(timeout=WAIT_S) == ["first"]
    worker.submit([job("second"), job("third")])
    worker.submit([])
    worker.submit([job("fourth")])
    echo.gate.set()
    assert echo.batches.get(timeout=WAIT_S) == ["second", "third", "fourth"]


def test_a_batch_is_delivered_at_once(echo: Echo) -> None:
    delivered: SimpleQueue[Callable[[], None]] = SimpleQueue()
    answers: list[str] = []
    echo.gate.clear()
    with closing(work(echo, delivered.put)) as worker:
        worker.submit([job("first")])
        echo.batches.get(timeout=WAIT_S)
        worker.submit([job("second", answers.append)])
        worker.submit([job("third", answers.append)])
        echo.gate.set()
        delivered.get(timeout=WAIT_S)
        delivered.get(timeout=WAIT_S)()
    assert answers == ["second", "third"]
    assert delivered.empty()


def test_closing_serves_what_was_submitted_and_refuses_the_rest(echo: Echo) -> None:
    answers: list[Any] = []
    worker = work(echo)
    for number in range(10):
        worker.submit([job(f"{number}", answers.append)])
    worker.close()
    worker.close()
    assert answers == [f"{number}" for number in range(10)]
    assert echo.is_closed.is_set()
    worker.submit([job("late", answers.append)])
    assert isinstance(answers[-1], StoreUnavailableError)
    assert answers[-1].fault is Fault.CLOSED


def test_a_store_that_is_due_is_asked_again_without_jobs() -> None:
    echo = Echo(due_s=0.0)
    with closing(work(echo)):
        assert echo.batches.get(timeout=WAIT_S) == []
        assert echo.batches.get(timeout=WAIT_S) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_leaves_nobody_waiting(echo: Echo) -> None:
    answers: SimpleQueue[Any] = SimpleQueue()
    echo.gate.clear()
    worker = work(echo)
    worker.submit([job("bug", answers.put)])
    echo.batches.get(timeout=WAIT_S)
    worker.submit([job("behind it", answers.put)])
    echo.gate.set()
    for _ in range(2):
        assert isinstance(answers.get(timeout=WAIT_S), StoreUnavailableError)
    assert echo.is_closed.wait(WAIT_S)
    worker.submit([job("late", answers.put)])
    assert isinstance(answers.get(timeout=WAIT_S), StoreUnavailableError)
    worker.close()


def test_a_completion_that_fails_does_not_keep_the_others_from_their_answers() -> None:
    loop: list[Callable[[], None]] = []
    answers: list[Any] = []

    def note_or_fail(answer: int | StoreError) -> None:
        answers.append(10 // answer if isinstance(answer, int) else answer)

    divisors = [5, 0, 2, 0, 1]
    jobs = [job(str(divisor), note_or_fail) for divisor in divisors]
    loop.append(partial(hand_out, loop.append, jobs, divisors))
    while loop:
        with suppress(ZeroDivisionError):
            loop.pop(0)()
    assert answers == [2, 5, 10]


def test_a_batch_is_all_that_waits_but_hardly_more_than_its_limit(
    worker: Worker, echo: Echo
) -> None:
    names = [f"{number}" for number in range(MAX_BATCH + 5)]
    echo.gate.clear()
    worker.submit([job("first")])
    assert echo.batches.get(timeout=WAIT_S) == ["first"]
    for name in names:
        worker.submit([job(name)])
    echo.gate.set()
    assert echo.batches.get(timeout=WAIT_S) == names[:MAX_BATCH]
    assert echo.batches.get(timeout=WAIT_S) == names[MAX_BATCH:]


def test_what_was_submitted_together_stays_together(worker: Worker, echo: Echo) -> None:
    names = [f"{number}" for number in range(MAX_BATCH + 5)]
    echo.gate.clear()
    worker.submit([job("first")])
    assert echo.batches.get(timeout=WAIT_S) == ["first"]
    worker.submit([job(name) for name in names])
    worker.submit([job("later")])
    echo.gate.set()
    assert echo.batches.get(timeout=WAIT_S) == names
    assert echo.batches.get(timeout=WAIT_S) == ["later"]
