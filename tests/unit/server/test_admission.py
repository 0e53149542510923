from jminesweeper.server.admission import ORIGIN_FULL, SERVER_FULL, Admission


def test_a_full_server_lets_nobody_in_until_somebody_leaves() -> None:
    admission = Admission(max_connections=2, max_per_origin=0)
    admission.enter("a")
    assert admission.refusal("b") is None
    admission.enter("b")
    assert admission.refusal("c") == SERVER_FULL
    admission.leave("a")
    assert admission.refusal("c") is None


def test_one_origin_cannot_take_all_the_seats() -> None:
    admission = Admission(max_connections=0, max_per_origin=1)
    admission.enter("a")
    assert admission.refusal("a") == ORIGIN_FULL
    assert admission.refusal("b") is None
    admission.leave("a")
    assert admission.refusal("a") is None


def test_a_cap_of_zero_is_no_cap() -> None:
    admission = Admission(max_connections=0, max_per_origin=0)
    for _ in range(1000):
        admission.enter("a")
    assert admission.refusal("a") is None
