"""What is sent at once, and what waits for a reply."""

from __future__ import annotations

import pytest

from jminesweeper.client.typeahead import TypeAhead
from jminesweeper.protocol.packets import Act, MoveTo, NewGame, OpenMenu, Packet, Pick, Replay, Undo
from jminesweeper.protocol.vocabulary import Button, Command, GameKind
from jminesweeper.terminal.keys import KeyMap, Keystroke
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.viewer import Viewer

ACT = Act(1, 2, Button.FLAG, 16)


class Keys(Viewer):
    """Keys of one letter, each of which sends a packet or nothing."""

    def __init__(self, **packets: Packet) -> None:
        super().__init__(Canvas(), KeyMap())
        self.packets = packets
        self.waiting = ""

    def must_wait(self, stroke: Keystroke) -> bool:
        return stroke.text in self.waiting

    def press(self, stroke: Keystroke, now_s: float) -> list[Packet]:
        return [self.packets[stroke.text]] if stroke.text in self.packets else []

    def flows(self, packet: Packet) -> bool:
        return isinstance(packet, Pick)


def released(typed: TypeAhead, text: str = "") -> list[Packet]:
    sent: list[Packet] = []
    typed.hold(map(Keystroke, text))
    typed.release(0.0, sent.append)
    return sent


@pytest.mark.parametrize("packet", [ACT, MoveTo(1, 2), Replay(3), Pick("m", "r", "3")])
def test_what_says_all_it_means_goes_out_at_once(packet: Packet) -> None:
    assert released(TypeAhead(Keys(a=packet, b=ACT)), "axab") == [packet, packet, ACT]


@pytest.mark.parametrize(
    "packet",
    [OpenMenu(""), Undo(1), NewGame(GameKind.SAME_SETTINGS), Command.PAUSE, Command.REVEAL],
)
def test_after_anything_else_keys_wait_until_all_is_answered(packet: Packet) -> None:
    typed = TypeAhead(Keys(a=packet, b=ACT))
    assert released(typed, "babb") == [ACT, packet]
    typed.note_answer(is_settled=False)
    assert released(typed) == []
    typed.note_answer(is_settled=True)
    assert released(typed) == [ACT, ACT]


def test_a_key_whose_meaning_depends_on_a_reply_waits_and_so_do_those_after_it() -> None:
    keys = Keys(a=ACT, b=MoveTo(1, 2))
    typed = TypeAhead(keys)
    keys.waiting = "a"
    assert released(typed, "bab") == [MoveTo(1, 2)]
    keys.waiting = ""
    assert released(typed) == [ACT, MoveTo(1, 2)]


def test_what_waits_can_be_dropped() -> None:
    typed = TypeAhead(Keys(a=Undo(1), b=ACT))
    released(typed, "abb")
    assert typed.drop() == 2
    assert typed.drop() == 0
    typed.note_answer(is_settled=True)
    assert released(typed) == []
