"""The fuzz of the web's side in short; `python -m tests.fuzz.web --seconds N` is the long one."""

from tests.fuzz.web import fuzz


def test_spoiled_requests_and_frames_are_answered_or_refused() -> None:
    assert fuzz(seed=9999, rounds=iter(range(1_500))) == 1_500
