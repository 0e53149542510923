from __future__ import annotations

import pytest

from jminesweeper.store.blocking import perform, perform_all
from jminesweeper.store.port import (
    ABSENT,
    DONE,
    MAX_AMOUNT,
    MAX_BODY_CHARS,
    MAX_KEY_CHARS,
    MAX_LOG_BYTES,
    MAX_TEXT_CHARS,
    Add,
    Append,
    Check,
    Commit,
    Conflict,
    Document,
    Found,
    Job,
    Keep,
    Part,
    Place,
    Put,
    Read,
    Store,
    StoreLimitError,
    Tail,
)
from tests.contract.examples import KEY, append, begin, body_of, entries, entry, log_of

WORDS = ["", "Ann", "Änne ⚑", "with\nlines\0and more", "𝄞"]


def test_what_was_put_is_found_with_its_version(store: Store) -> None:
    puts = tuple(Put(f"player:{n}", text) for n, text in enumerate(WORDS))
    assert perform(store, Commit((1 << 63) - 1, puts=puts)) is DONE
    found = perform(store, Read(keys=tuple(put.key for put in puts)))
    assert list(found.documents) == [Document((1 << 63) - 1, text) for text in WORDS]


def test_what_nobody_put_is_empty(store: Store) -> None:
    everything = Read(("a",), (Tail("a"),), (Part("a", 5),), ("a",))
    assert perform(store, everything) == Found([ABSENT], [b""], [[]], [{}])


def test_a_put_replaces_and_keeps_the_log(store: Store) -> None:
    perform(store, begin(1, 2, 3))
    assert perform(store, Commit(2, puts=(Put(KEY, "later"),))) is DONE
    assert perform(store, append(3, 3, 4)) is DONE
    assert perform(store, Read(keys=(KEY,))).documents == [Document(2, "later")]
    assert log_of(store) == entries(1, 2, 3, 4)


def test_a_deleted_document_takes_its_log_along(store: Store) -> None:
    perform(store, begin(1, 2))
    assert perform(store, Commit(puts=(Put(KEY, None), Put("nothing", None)))) is DONE
    assert perform(store, Read((KEY,), (Tail(KEY),))) == Found([ABSENT], [b""], [], [])
    assert perform(store, append(2, 2, 3)) == Conflict(KEY)
    assert perform(store, begin(7)) is DONE
    assert log_of(store) == entries(7)


@pytest.mark.parametrize(
    ("key", "version", "is_so"), [(KEY, 1, True), (KEY, 2, False), (KEY, 0, False), ("b", 0, True)]
)
def test_a_commit_is_carried_out_only_if_its_checks_hold(
    store: Store, key: str, version: int, is_so: bool
) -> None:
    perform(store, begin())
    commit = Commit(
        3,
        (Check("free", 0), Check(key, version)),
        (Put("other", "new"),),
        places=(Place("board", "text"),),
        adds=(Add("counter", "field", 1),),
    )
    assert perform(store, commit) == (DONE if is_so else Conflict(key))
    found = perform(store, Read(("other",), (), (Part("board", 9),), ("counter",)))
    assert found == (
        Found([Document(3, "new")], [], [["text"]], [{"field": 1}])
        if is_so
        else Found([ABSENT], [], [[]], [{}])
    )


def test_a_refused_commit_leaves_the_others_of_its_batch_alone(store: Store) -> None:
    commits = [
        begin(1),
        append(5, 5, 6),
        append(1, 1, 2),
        Commit(1, (Check("b", 7),)),
        begin(key="c"),
    ]
    assert perform_all(store, commits) == [DONE, Conflict(KEY), DONE, Conflict("b"), DONE]
    assert log_of(store) == entries(1, 2)


def test_what_is_submitted_together_is_carried_out_in_order(store: Store) -> None:
    read = Read((KEY,), (Tail(KEY),))
    answers = perform_all(
        store, [read, begin(1), read, append(1, 1, 2), append(2, 2, 3), read, begin(9), read]
    )
    assert [each.tails[0] for each in answers if isinstance(each, Found)] == [
        b"",
        entries(1),
        entries(1, 2, 3),
        entries(1, 2, 3),
    ]
    assert answers[6] == Conflict(KEY, entries(1, 2, 3))


@pytest.mark.parametrize(
    ("appended", "since"),
    [
        (append(3, 3, 4), None),
        (append(3, 3, 4, 5, 6), None),
        (append(2, 2, 4), entries(2, 3)),
        (append(3, 9, 4), entries(3)),
        (append(2, 9, 3), entries(2, 3)),
        (append(1, 1, 2, 4), entries(1, 2, 3)),
        (append(4, 4, 5), b""),
        (append(9, 9, 10), b""),
    ],
)
def test_an_append_names_its_place_and_the_entry_before(
    store: Store, appended: Commit, since: bytes | None
) -> None:
    perform(store, begin(1, 2, 3))
    assert perform(store, appended) == (DONE if since is None else Conflict(KEY, since))
    added = b"" if since is not None else appended.appends[0].entries
    assert log_of(store) == entries(1, 2, 3) + added


@pytest.mark.parametrize("again", [append(2, 2, 3), append(1, 1, 2, 3)])
def test_what_was_appended_once_is_not_appended_again(store: Store, again: Commit) -> None:
    """An answer may be lost, and then nobody knows whether the append was stored."""
    perform_all(store, [begin(1, 2), append(2, 2, 3)])
    assert perform_all(store, [again, again]) == [DONE, DONE]
    assert log_of(store) == entries(1, 2, 3)


def test_a_repeat_of_what_others_continued_is_a_conflict_that_shows_it(store: Store) -> None:
    perform_all(store, [begin(1), append(1, 1, 2), append(2, 2, 3)])
    assert perform(store, append(1, 1, 2)) == Conflict(KEY, entries(1, 2, 3))


def test_a_document_without_a_log_takes_a_first_append_if_it_is_checked(store: Store) -> None:
    perform(store, begin())
    first = Append(KEY, 0, b"", entries(1, 2))
    assert perform(store, Commit(checks=(Check(KEY, 1),), appends=(first,))) is DONE
    assert perform(store, Commit(checks=(Check(KEY, 1),), appends=(first,))) is DONE
    other = first._replace(entries=entry(3))
    refused = perform(store, Commit(checks=(Check(KEY, 1),), appends=(other,)))
    assert refused == Conflict(KEY, entries(1, 2))


def test_logs_are_read_from_any_entry_on(store: Store) -> None:
    perform_all(
        store, [begin(1, 2), append(2, 2, 3), Commit(2, puts=(Put(KEY, "x"),)), append(3, 3, 4, 5)]
    )
    for start in range(7):
        assert log_of(store, start=start) == entries(1, 2, 3, 4, 5)[8 * start :]


def test_appends_to_many_logs_are_answered_one_by_one(store: Store) -> None:
    keys = [f"game:{n}" for n in range(200)]
    perform_all(store, [begin(1, key=key) for key in keys])
    commits = [append(1, 1 if n % 7 else 8, 2, key=key) for n, key in enumerate(keys)]
    assert perform_all(store, commits) == [
        DONE if n % 7 else Conflict(key, entry(1)) for n, key in enumerate(keys)
    ]


def test_a_board_is_sorted_by_the_bytes_of_its_texts(store: Store) -> None:
    texts = ["b", "a", "10", "9", "Z", "ä", "￿", "𝄞", "a b"]
    perform(store, Commit(places=tuple(Place("board", text) for text in (*texts, "b"))))
    perform(
        store, Commit(places=(Place("board", "Z", is_gone=True), Place("board", "?", is_gone=True)))
    )
    texts.remove("Z")
    ordered = sorted(texts, key=str.encode)
    asked = [
        Part("board", 100),
        Part("board", 3, 2),
        Part("board", 100, is_reversed=True),
        Part("board", 3, 2, is_reversed=True),
        Part("board", 5, 50),
        Part("board", 0, is_reversed=True),
        Part("board", 2, after="a"),
        Part("board", 3, 1, after="aa"),
        Part("board", 2, is_reversed=True, after="b"),
        Part("board", 9, 1, is_reversed=True, after="bb"),
    ]
    for part, found in zip(asked, perform(store, Read(parts=tuple(asked))).parts, strict=True):
        _, limit, skipped, is_reversed, after = part
        follow = [
            text
            for text in (ordered[::-1] if is_reversed else ordered)
            if not after or (text.encode() < after.encode() if is_reversed else text > after)
        ]
        assert list(found) == follow[skipped:][:limit], part


def test_an_emptied_board_and_a_counter_at_zero_are_read_as_they_are(store: Store) -> None:
    perform(store, Commit(places=(Place("b", "x"),), adds=(Add("c", "a", 2), Add("c", "b", -3))))
    perform(store, Commit(places=(Place("b", "x", is_gone=True),), adds=(Add("c", "a", -2),)))
    assert perform(store, Read(parts=(Part("b", 1),), counters=("c",))) == Found(
        [], [], [[]], [{"a": 0, "b": -3}]
    )


@pytest.mark.parametrize(
    "malformed",
    [
        pytest.param(Commit(appends=(Append(KEY, 1, entry(1), b""),)), id="an append of nothing"),
        pytest.param(Commit(appends=(Append(KEY, 1, entry(1), b"1234567"),)), id="half an entry"),
        pytest.param(Commit(appends=(Append(KEY, 1, b"", entry(1)),)), id="no entry before"),
        pytest.param(Commit(appends=(Append(KEY, -1, entry(1), entry(1)),)), id="a place below 0"),
        pytest.param(append(MAX_LOG_BYTES // 8, 1, 2), id="a log too long"),
        pytest.param(append(0, 0, 1), id="a log without a document"),
        pytest.param(begin(1)._replace(puts=(Put(KEY, None),)), id="a log of what is deleted"),
        pytest.param(
            begin(1)._replace(puts=(Put(KEY, ""), Put(KEY, ""))), id="two puts of one key"
        ),
        pytest.param(begin(version=0), id="no version"),
        pytest.param(begin(version=1 << 63), id="a version too large"),
        pytest.param(begin(key="k" * (MAX_KEY_CHARS + 1)), id="a long key"),
        pytest.param(Commit(1, puts=(Put(KEY, "x" * (MAX_BODY_CHARS + 1)),)), id="a long body"),
        pytest.param(Commit(1, puts=(Put(KEY, "\ud800"),)), id="half a character"),
        pytest.param(Commit(places=(Place("b", "x" * (MAX_TEXT_CHARS + 1)),)), id="a long text"),
        pytest.param(Commit(adds=(Add("c", "f", MAX_AMOUNT + 1),)), id="a large amount"),
        pytest.param(begin(1, until_s=-1), id="an end before all time"),
        pytest.param(Commit(keeps=(Keep(KEY, 1 << 60),)), id="an end after all time"),
    ],
)
def test_a_malformed_commit_is_refused_alone(store: Store, malformed: Commit) -> None:
    perform(store, begin(1))
    answers: list[object] = []
    store.submit([Job(append(1, 1, 2), answers.append), Job(malformed, answers.append)])
    with pytest.raises(StoreLimitError):
        perform(store, malformed)
    assert answers[0] is DONE
    assert isinstance(answers[1], StoreLimitError)
    assert body_of(store) == "{}"
    assert log_of(store) == entries(1, 2)
