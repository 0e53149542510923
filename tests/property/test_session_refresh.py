"""A REFRESH shows what a session that keeps nothing from its last screen would show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.grid import Size
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import Hello, Jump, MoveTo, NewGame, Packet, Resize, Start, Undo
from jminesweeper.protocol.vocabulary import Command, GameKind, JumpTo, ScreenFormat
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import Review, Reviewed
from jminesweeper.session.session import Session
from tests.unit.session.player import same_seed

HELLOS: dict[str, Packet] = {
    "patches": Hello(80, 24, colours=3, glyphs=1),
    "plain text": Hello(80, 24, format=ScreenFormat.PLAIN),
    "cells": Hello(0, 0, format=ScreenFormat.CELLS),
}
STEPS = st.one_of(
    st.builds(MoveTo, st.integers(0, 19), st.integers(0, 9)),
    st.sampled_from(
        [
            *([Command.REFRESH] * 12),
            *([Command.REVEAL] * 4),
            Command.TOGGLE_BOMB_MARK,
            Command.CHORD,
            Command.MOVE_RIGHT,
            Command.PAUSE,
            Command.MENU,
            Command.TOGGLE_DEBUG_MODE,
            NewGame(GameKind.SAME_SETTINGS),
            NewGame(GameKind.EXPERT),
            Start(60, 60, 1),
            Undo(1),
            Jump(JumpTo.OVERVIEW),
            Jump(JumpTo.PAGE_DOWN),
            Resize(60, 20),
        ]
    ),
)
SOMETHING_ELSE = Reviewed(Review(Setup.of(Size(2, 2), 1, seed=0), ()), None)
"""An event that changes no screen, but after which a session describes its screen afresh."""


def replies(
    hello: Packet, steps: Sequence[tuple[int, Packet]], *, is_disturbed: bool
) -> Iterator[bytes]:
    session = Session(SessionConfig(), same_seed)
    now_ms = 0
    for wait_ms, step in [(0, hello), (0, Start(20, 10, 1)), *steps]:
        now_ms += wait_ms
        if is_disturbed:
            assert not session.notice(SOMETHING_ELSE, now_ms, may_show=True).screen
        yield session.receive(step, now_ms).screen


@pytest.mark.parametrize("screens", HELLOS)
@given(steps=st.lists(st.tuples(st.integers(0, 2_500), STEPS), min_size=1, max_size=40))
def test_what_is_kept_from_screen_to_screen_changes_no_reply(
    screens: str, steps: list[tuple[int, Packet]]
) -> None:
    hello = HELLOS[screens]
    undisturbed = list(replies(hello, steps, is_disturbed=False))
    assert undisturbed == list(replies(hello, steps, is_disturbed=True))
