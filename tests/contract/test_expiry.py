from __future__ import annotations

import time

import pytest

from jminesweeper.store.blocking import perform, perform_all
from jminesweeper.store.port import (
    ABSENT,
    DONE,
    NO_END,
    Check,
    Commit,
    Conflict,
    Found,
    Keep,
    Put,
    Read,
    Scan,
    Store,
    Tail,
)
from tests.contract.examples import KEY, append, begin, body_of, entries, log_of

LONG_AGO_S = 1_000_000_000
IN_A_YEAR_S = int(time.time()) + 365 * 86_400


@pytest.mark.parametrize(
    "ends", [begin(1, until_s=LONG_AGO_S), Commit(keeps=(Keep(KEY, LONG_AGO_S),))]
)
def test_a_document_goes_with_its_log_when_its_time_has_come(store: Store, ends: Commit) -> None:
    perform(store, begin(1))
    perform(store, Commit(puts=(Put(KEY, None),)) if ends.puts else append(1, 1, 2))
    assert perform(store, ends) is DONE
    assert perform(store, Read((KEY,), (Tail(KEY),))) == Found([ABSENT], [b""], [], [])
    assert perform(store, append(1, 1, 2)) == Conflict(KEY)
    assert perform(store, Scan()).commits == []
    assert perform(store, begin(7)._replace(checks=(Check(KEY, 0),))) is DONE
    assert log_of(store) == entries(7)


def test_a_document_may_be_kept_longer_or_for_good(store: Store) -> None:
    perform(store, begin(1, until_s=IN_A_YEAR_S))
    for until_s in (IN_A_YEAR_S + 5, NO_END):
        assert perform(store, Commit(keeps=(Keep(KEY, until_s), Keep("nothing", 5)))) is DONE
        (found,) = perform(store, Scan()).commits
        assert found.puts == (Put(KEY, "{}", until_s),)
    assert log_of(store) == entries(1)


def test_a_put_says_anew_how_long_a_document_is_kept(store: Store) -> None:
    perform_all(store, [begin(1, until_s=IN_A_YEAR_S), Commit(2, puts=(Put(KEY, "for good"),))])
    assert perform(store, Scan()).commits[0].puts == (Put(KEY, "for good"),)
    assert perform(store, append(1, 1, 2)) is DONE


def test_what_is_appended_as_a_document_ends_is_no_log_of_the_next_one(store: Store) -> None:
    perform(store, begin(1))
    ending = append(1, 1, 2)._replace(version=2, puts=(Put(KEY, "{}", LONG_AGO_S),))
    assert perform_all(store, [ending, begin(7)]) == [DONE, DONE]
    assert log_of(store) == entries(7)


def test_a_document_ends_by_the_clock(store: Store) -> None:
    """With a log that began after the document, and with one that began with it."""
    until_s = int(time.time()) + 1
    perform(store, begin(1, until_s=until_s))
    perform(store, begin(key="room", until_s=until_s))
    late = begin(5, key="room")
    perform(store, late._replace(version=0, checks=(Check("room", 1),), puts=()))
    while body_of(store) or body_of(store, "room"):
        assert time.time() < until_s + 60
    read = Read((KEY, "room"), (Tail(KEY), Tail("room")))
    assert perform(store, read) == Found([ABSENT] * 2, [b""] * 2, [], [])
    assert perform(store, begin(2, key="room")._replace(checks=(Check("room", 0),))) is DONE
    assert log_of(store, "room") == entries(2)
