"""From the bytes that a terminal sends to keystrokes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from readchar import key

from jminesweeper.client.keys import (
    ESC_WAIT_S,
    HOLD_S,
    IN_VERSION_1,
    MOST_PASTED,
    PASTE_WAIT_S,
    SEQUENCE_WAIT_S,
    BackgroundAnswer,
    Controls,
    Gestures,
    Input,
    KeyDecoder,
    MouseReport,
    Pasted,
)
from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import Command, PacketType
from jminesweeper.terminal.keys import KEYS, Click, KeyAction, KeyMap, Keystroke, Press, label_of
from jminesweeper.terminal.looks import Ground


def decode(*chunks: bytes) -> list[Input]:
    decoder = KeyDecoder()
    return [each for chunk in chunks for each in decoder.feed(chunk, 0.0)]


@pytest.mark.requirement("J:Client Requirements")
def test_characters_are_keys() -> None:
    assert decode(b"wasdX#\t \r\n") == [*"wasdX#\t \r\n"]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"\x1b[A", key.UP),
        (b"\x1bOA", key.UP),
        (b"\x1b[1;2A", key.UP),
        (b"\x1b[1;129A", key.UP),
        (b"\x1b[a", key.UP),
        (b"\x1bOa", key.UP),
        (b"\x1b[B", key.DOWN),
        (b"\x1b[C", key.RIGHT),
        (b"\x1bOD", key.LEFT),
        (b"\x1b[H", key.HOME),
        (b"\x1bOH", key.HOME),
        (b"\x1b[1~", key.HOME),
        (b"\x1b[7~", key.HOME),
        (b"\x1b[1;5~", key.HOME),
        (b"\x1b[F", key.END),
        (b"\x1b[4~", key.END),
        (b"\x1b[8~", key.END),
        (b"\x1b[3~", key.DELETE),
        (b"\x1b[5~", key.PAGE_UP),
        (b"\x1b[5;5~", key.PAGE_UP),
        (b"\x1b[6~", key.PAGE_DOWN),
        (b"\x1bOP", key.F1),
        (b"\x1b[11~", key.F1),
        (b"\x1b[[A", key.F1),
        (b"\x1b[1;2P", key.F1),
        (b"\x1b[Z", key.SHIFT_TAB),
        (b"\x1bOM", key.CR),
    ],
)
def test_every_terminals_sequence_is_the_same_key(sent: bytes, expected: str) -> None:
    assert decode(sent) == [expected]


@pytest.mark.parametrize(
    "sent",
    [
        b"\x1b[99~",
        b"\x1b[12;40R",
        b"\x1bw",
        b"\x1b\r",
        b"\x1bOz",
        b"\x1b[[Z",
        b"\x1b[27;5;119~",
        b"\x1b[119;5u",
        b"\x1b[1;2\x18",
        b"\xff\xc3",
        b"\xe0\x80\x80",
        b"\xf0\x9f\x98",
        b"\x1b[M !!",
    ],
)
def test_what_is_no_known_key_vanishes_whole(sent: bytes) -> None:
    assert [each for each in decode(b"a" + sent + b"b") if each != "\x18"] == ["a", "b"]


@pytest.mark.parametrize(
    ("answer", "ground"),
    [
        (b"\x1b]11;rgb:ffff/ffff/ffff\x07", Ground.LIGHT),
        (b"\x1b]11;rgb:ff/fa/e3\x1b\\", Ground.LIGHT),
        (b"\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\", Ground.DARK),
        (b"\x1b]11;rgba:0000/0000/0000/c000\x07", Ground.DARK),
        (b"\x1b[?62;22c", None),
    ],
)
def test_a_terminal_tells_its_background(answer: bytes, ground: Ground | None) -> None:
    assert decode(b"w" + answer + b"s") == ["w", BackgroundAnswer(ground), "s"]


@pytest.mark.parametrize(
    "answer",
    [
        b"\x1b]11;\x07",
        b"\x1b]11;rgb:ff/ff\x07",
        b"\x1b]10;rgb:ff/ff/ff\x07",
        b"\x1b]52;c;cm0gLXJm\x07",
        b"\x1b]11;" + b"f" * 300 + b"\n",
        b"\x1b]11;rgb:ff\n",
        b"\x1b]11;rgb:ff\x1b[I",
    ],
)
def test_no_answer_of_a_terminal_is_ever_typed(answer: bytes) -> None:
    assert [each for each in decode(answer + b"w") if each not in {"\n", "\x07"}] == ["w"]
    decoder = KeyDecoder()
    assert decoder.feed(answer[:-1], 0.0) in ([], ["\n"])
    decoder.expire()
    assert decoder.feed(b"w", 9.0) == ["w"]


def test_letters_beyond_ascii_are_keys_as_well() -> None:
    assert decode("aé漢😀b".encode()) == [*"aé漢😀b"]


@pytest.mark.parametrize(
    ("begun", "wait_s", "key_after"),
    [
        (b"\x1b", ESC_WAIT_S, [key.ESC]),
        # Half a letter and half a sequence are dropped, and a lost end does not deafen the game.
        ("é".encode()[:1], SEQUENCE_WAIT_S, []),
        (b"\x1b[1", SEQUENCE_WAIT_S, []),
        (b"\x1b[200~www\x1b", PASTE_WAIT_S, []),
    ],
)
def test_what_is_only_begun_is_waited_for_and_then_left(
    begun: bytes, wait_s: float, key_after: list[Input]
) -> None:
    decoder = KeyDecoder()
    assert (decoder.feed(begun, 10.0), decoder.deadline) == ([], 10.0 + wait_s)
    assert (decoder.expire(), decoder.deadline) == (key_after, None)
    assert decoder.feed(b"w", 12.0) == ["w"]


@pytest.mark.parametrize(
    ("pasted", "text"),
    [
        (b"", ""),
        (b"wasd\rXX\x1b[A", "wasd\rXX\x1b[A"),
        ("Žofie".encode(), "Žofie"),
        (b"x" * 999, "x" * MOST_PASTED),
        ("😀".encode() * 99, "😀" * (MOST_PASTED // 4)),
    ],
)
def test_what_is_pasted_comes_out_as_a_whole_and_not_as_keys(pasted: bytes, text: str) -> None:
    for _ in range(2):
        assert decode(b"a\x1b[200~" + pasted + b"\x1b[201~b") == ["a", Pasted(text), "b"]


def test_mouse_reports_count_from_zero() -> None:
    assert decode(b"\x1b[<0;1;1M\x1b[<2;80;24m") == [
        MouseReport(code=0, column=0, row=0, pressed=True),
        MouseReport(code=2, column=79, row=23, pressed=False),
    ]
    assert decode(b"\x1b[<0;0;0M") == [MouseReport(code=0, column=0, row=0, pressed=True)]


def test_the_first_of_two_escapes_need_not_wait() -> None:
    assert decode(b"\x1b\x1b") == [key.ESC]
    assert decode(b"\x1b\x1b[A") == [key.ESC, key.UP]


def test_an_idle_decoder_needs_no_timer() -> None:
    decoder = KeyDecoder()
    decoder.feed(b"w\x1b[A", 0.0)
    assert decoder.deadline is None


sequences = st.sampled_from(
    [
        b"w",
        b"X",
        b"\r",
        b"\t",
        b"\x1b[A",
        b"\x1bOB",
        b"\x1b[1;5C",
        b"\x1b[5~",
        b"\x1b[[A",
        b"\x1b[<0;10;20M",
        b"\x1b[<35;10;20m",
        b"\x1b[M abc",
        b"\x1b[200~was\x1b[A\x1b[201~",
        "é".encode(),
        "😀".encode(),
        "漢".encode()[:2],
        b"\xe0\x80\x80",
        b"\x1bw",
        b"\x1b",
        b"\x1b[?6c",
        b"\x1b]11;rgb:ffff/ffff/ffff\x07",
        b"\x1b]11;rgb:1/2/3\x1b\\",
        b"\x1b]4;",
        b"\x1b]",
        b"\x1b[200~",
    ]
)
typed = st.lists(sequences, max_size=20).map(b"".join) | st.binary(max_size=60)


@given(typed, st.data())
def test_keys_do_not_depend_on_how_their_bytes_arrive(sent: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=8)))
    chunks = [sent[a:b] for a, b in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    assert decode(*chunks) == decode(sent)
    assert decode(*(bytes((byte,)) for byte in sent)) == decode(sent)


@given(st.text(st.sampled_from("wasdxWASDX# \t\rhjkl"), max_size=200))
def test_nothing_typed_is_lost_or_reordered(text: str) -> None:
    assert decode(text.encode()) == [*text]


LEFT, MIDDLE, RIGHT, CTRL, SHIFT, MOTION = 0, 1, 2, 16, 4, 32


def press(code: int, column: int = 10, row: int = 5) -> MouseReport:
    return MouseReport(code=code, column=column, row=row, pressed=True)


def release(code: int, column: int = 10, row: int = 5) -> MouseReport:
    return MouseReport(code=code, column=column, row=row, pressed=False)


EXPIRED = None
OPENED, FLAGGED = Click(5, 10, Press.OPEN), Click(5, 10, Press.FLAG)
GESTURES: dict[str, list[tuple[MouseReport | None, Click | None]]] = {
    "a short press reveals": [(press(LEFT), None), (release(LEFT), OPENED)],
    "a long press flags, and its release does nothing more": [
        (press(LEFT), None),
        (EXPIRED, FLAGGED),
        (release(LEFT), None),
    ],
    "a press that shakes is still one": [
        (press(LEFT), None),
        (press(LEFT | MOTION, 11, 5), None),
        (release(LEFT, 11, 5), OPENED),
    ],
    "a drag does nothing": [
        (press(LEFT), None),
        (press(LEFT | MOTION, 20, 5), None),
        (release(LEFT, 20, 5), None),
        (EXPIRED, None),
    ],
    "another button's release does not end a press": [
        (press(LEFT), None),
        (release(RIGHT), None),
        (release(LEFT), OPENED),
    ],
    "motion alone does nothing": [(press(3 | MOTION), None)],
    "a button of no meaning does nothing": [(press(128), None)],
    "the right button flags": [(press(RIGHT), FLAGGED), (release(RIGHT), None)],
    "the left button with Control flags": [(press(LEFT | CTRL), FLAGGED)],
    "Shift changes nothing": [(press(RIGHT | SHIFT), FLAGGED)],
    "the middle button chords": [(press(MIDDLE), Click(5, 10, Press.CHORD))],
    "the wheel scrolls": [
        (press(64), Click(5, 10, Press.WHEEL_UP)),
        (press(65), Click(5, 10, Press.WHEEL_DOWN)),
    ],
}


@pytest.mark.requirement("C:Mobile Support")
@pytest.mark.parametrize("steps", GESTURES.values(), ids=GESTURES)
def test_presses_and_their_releases_are_gestures(
    steps: list[tuple[MouseReport | None, Click | None]],
) -> None:
    gestures = Gestures()
    for report, click in steps:
        assert (gestures.expire() if report is EXPIRED else gestures.report(report, 1.0)) == click
        is_held = report == press(LEFT) or (gestures.deadline is not None)
        assert gestures.deadline == (1.0 + HOLD_S if is_held else None)


@pytest.mark.requirement(
    *(f"J:key {name}" for name in ("w", "a", "s", "d", "TAB", "SPACE", "RETURN", "X", "#"))
)
@pytest.mark.parametrize(
    ("keys", "action", "packet"),
    [
        ("wW", KeyAction.UP, Command.MOVE_UP),
        ("aA", KeyAction.LEFT, Command.MOVE_LEFT),
        ("sS", KeyAction.DOWN, Command.MOVE_DOWN),
        ("dD", KeyAction.RIGHT, Command.MOVE_RIGHT),
        (" ", KeyAction.FLAG, Command.TOGGLE_BOMB_MARK),
        ("\r\n", KeyAction.REVEAL, Command.REVEAL),
        ("xX", KeyAction.QUIT, Command.QUIT),
        ("#", KeyAction.DEBUG, Command.TOGGLE_DEBUG_MODE),
        ("\t", KeyAction.NEW, None),
    ],
)
def test_the_keys_of_document_j_do_what_it_says(
    keys: str, action: KeyAction, packet: Packet | None
) -> None:
    assert [KEYS[each] for each in keys] == [action] * len(keys)
    assert IN_VERSION_1.get(action) is packet


def test_arrows_and_hjkl_move() -> None:
    directions = [KeyAction.LEFT, KeyAction.DOWN, KeyAction.UP, KeyAction.RIGHT]
    assert [KEYS[each] for each in "hjkl"] == directions
    assert [KEYS[each] for each in (key.LEFT, key.DOWN, key.UP, key.RIGHT)] == directions


def test_version_1_sends_nothing_that_its_servers_might_not_know() -> None:
    types = {packet.packet_type for packet in IN_VERSION_1.values()}
    assert all(number <= PacketType.TOGGLE_DEBUG_MODE for number in types)


@pytest.mark.parametrize("action", KeyAction)
def test_every_action_has_a_key_with_a_name(action: KeyAction) -> None:
    assert KeyMap().label(action).isprintable()
    assert KeyMap().label(action)


def test_keys_are_called_what_is_printed_on_them() -> None:
    keys = (key.CR, key.SPACE, key.TAB, key.ESC, key.DELETE, key.CTRL_S, "?", "m")
    assert [label_of(each) for each in keys] == [
        "RETURN",
        "SPACE",
        "TAB",
        "ESC",
        "DEL",
        "Ctrl-S",
        "?",
        "m",
    ]


def test_a_key_is_text_and_an_action() -> None:
    assert Controls(KeyMap()).decode(b"uw7\t", 0.0) == [
        Keystroke("u", KeyAction.UNDO),
        Keystroke("w", KeyAction.UP),
        Keystroke("7"),
        Keystroke("", KeyAction.NEW),
    ]


def test_pasted_text_is_nothing_but_text() -> None:
    typed = Controls(KeyMap()).decode(b"\x1b[200~two words\x1b[201~", 0.0)
    assert typed == [Keystroke("two words")]


def test_a_lone_escape_comes_out_when_its_time_is_over() -> None:
    controls = Controls(KeyMap())
    assert controls.decode(b"\x1b", 1.0) == []
    assert controls.deadline == 1.0 + ESC_WAIT_S
    assert controls.expire(1.0) == []
    assert controls.expire(1.0 + ESC_WAIT_S) == [Keystroke("", KeyAction.BACK)]
    assert controls.deadline is None
