"""Views add up to what there is to see, whatever is played."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.check.version_2 import KeptView
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import (
    COVERED,
    EXPLODED,
    FLAGGED,
    MINED,
    QUESTIONED,
    PlayerView,
    read_faces,
)
from jminesweeper.protocol.packets import (
    Act,
    Hello,
    LookBack,
    NewGame,
    OpenMenu,
    Packet,
    Pick,
    Replay,
    Start,
    Undo,
    View,
)
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Button, Command, Direction
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.ground import picture_of
from jminesweeper.session.matches import Matches
from jminesweeper.session.player import Player
from jminesweeper.session.reply import Wait
from jminesweeper.session.session import Session
from jminesweeper.session.settings import Settings
from jminesweeper.session.view import Viewer
from tests.world.player import same_seed

STEPS: st.SearchStrategy[Packet] = st.one_of(
    st.builds(
        Act,
        st.integers(0, 19),
        st.integers(0, 9),
        st.sampled_from(Button),
        st.sampled_from([0, 1, 2, COVERED, COVERED, COVERED, COVERED | FLAGGED]),
    ),
    st.sampled_from(
        [
            *([Command.REFRESH] * 3),
            *([Command.REVEAL] * 3),
            Command.TOGGLE_BOMB_MARK,
            Command.MOVE_RIGHT,
            Command.PAUSE,
            OpenMenu(""),
            OpenMenu("settings"),
            OpenMenu("help"),
            Pick("settings", "pace", "on"),
            Pick("settings", "pace", "off"),
            Pick("main", "continue"),
            Command.TOGGLE_DEBUG_MODE,
            NewGame(),
            NewGame("expert jminesweeper"),
            Start(60, 60, 1),
            Start(3, 3, 3),
            Undo(1),
            LookBack(0),
            Replay(2),
            Replay(9),
        ]
    ),
)


def read(reply: bytes) -> View:
    (view,) = PacketReader(Direction.FROM_SERVER).feed(reply)
    assert isinstance(view, View)
    return view


def whole(player: Player) -> KeptView:
    """Look at a player with the eyes of a client that knows nothing yet."""
    kept, viewer = KeptView(), Viewer()
    kept.apply(read(viewer.write(picture_of(player, viewer.known), player.now_ms)))
    return kept


def face(view: PlayerView, cell: Cell, debug_mines: int) -> int:
    """Say what a cell shows, asked one by one."""
    is_covered = not view.is_visible(cell) and cell != view.exploded
    bit = view.grid.bit(cell)
    shown = COVERED * is_covered + FLAGGED * view.is_flagged(cell)
    if view.shown_mines is None:
        clue = (
            view.clue(cell) if view.is_visible(cell) else QUESTIONED * bool(view.questioned & bit)
        )
        return shown + (MINED if is_covered and debug_mines & bit else 0) + clue
    if view.shown_mines & bit:
        return shown + MINED + EXPLODED * (cell == view.exploded)
    return shown + (view.grid.neighbours(bit) & view.shown_mines & ~bit).bit_count()


def assert_same(kept: KeptView, fresh: KeptView, gone_ms: int) -> None:
    """Compare what a client knows with what a new one is told."""
    members: dict[str, Any] = {"clock": 0, "clock_runs": False} | kept.members
    members["clock"] += gone_ms if members["clock_runs"] else 0
    told = {"clock": 0, "clock_runs": False} | fresh.members
    for name in told.keys() - {"cursor", "size"}:
        assert _known(members.get(name)) == _known(told[name]), name
    covered = {"menu", "page"} & {name for name, value in told.items() if value}
    if not covered:
        # What a new client is not told has its default.
        rest = members.keys() - told.keys() - {"cursor"}
        assert not {name: members[name] for name in rest if members[name]}


def _known(value: Any) -> Any:
    """Leave out where a menu begins, which is told once."""
    return {**value, "selected": None} if isinstance(value, dict) and "rows" in value else value


@given(steps=st.lists(st.tuples(st.integers(0, 2_500), STEPS), min_size=1, max_size=40))
def test_views_add_up_to_what_a_new_client_is_told(steps: list[tuple[int, Packet]]) -> None:
    session, kept = Session(SessionConfig(), same_seed, Matches()), KeptView()
    player = session._player
    player.settings = Settings(question_marks=True)
    now_ms = told_ms = 0
    first: list[tuple[int, Packet]] = [(0, Hello()), (0, Start(20, 10, 1))]
    for wait_ms, step in [*first, *steps]:
        now_ms += wait_ms
        before = session._viewer.known
        reply, _ = session.receive(step, now_ms)
        match, forgets = player.match, step is Command.REFRESH or isinstance(step, Hello)
        if match is not None and not forgets:
            # A held reply may be drawn again, and has lost nothing by then.
            wait = Wait(match.journal, 0, before)
            assert session.renew(wait, 1, now_ms) == [(reply, None)]
        view = read(reply)
        kept.apply(view)
        told_ms = now_ms if "clock" in view.members() else told_ms
        fresh = whole(player)
        assert_same(kept, fresh, now_ms - told_ms)
        seat = player.seat
        if seat is None or player.talks.stack or seat.is_paused:
            continue
        seen = seat.match.game.view
        debug_mines = seat.match.game.reveal_truth().mines if seat.is_debugged else 0
        expected = [face(seen, cell, debug_mines) for cell in seen]
        assert [*kept.faces] == [*fresh.faces] == expected
        unmarked = [each & ~MINED if seen.shown_mines is None else each for each in expected]
        status = seat.match.game.status
        assert str(read_faces(bytes(unmarked), seen.size, seen.mine_count, status)) == str(seen)
