import pytest
from readchar import key

from jminesweeper.client.keys import ESC_WAIT_S, IN_VERSION_1, Controls
from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import Command, PacketType
from jminesweeper.terminal.keys import KEYS, Action, KeyMap, Keystroke, label_of


@pytest.mark.requirement(
    *(f"J:key {name}" for name in ("w", "a", "s", "d", "TAB", "SPACE", "RETURN", "X", "#"))
)
@pytest.mark.parametrize(
    ("keys", "action", "packet"),
    [
        ("wW", Action.UP, Command.MOVE_UP),
        ("aA", Action.LEFT, Command.MOVE_LEFT),
        ("sS", Action.DOWN, Command.MOVE_DOWN),
        ("dD", Action.RIGHT, Command.MOVE_RIGHT),
        (" ", Action.FLAG, Command.TOGGLE_BOMB_MARK),
        ("\r\n", Action.REVEAL, Command.REVEAL),
        ("xX", Action.QUIT, Command.QUIT),
        ("#", Action.DEBUG, Command.TOGGLE_DEBUG_MODE),
        ("\t", Action.NEW, None),
    ],
)
def test_the_keys_of_document_j_do_what_it_says(
    keys: str, action: Action, packet: Packet | None
) -> None:
    assert [KEYS[each] for each in keys] == [action] * len(keys)
    assert IN_VERSION_1.get(action) is packet


def test_arrows_and_hjkl_move() -> None:
    directions = [Action.LEFT, Action.DOWN, Action.UP, Action.RIGHT]
    assert [KEYS[each] for each in "hjkl"] == directions
    assert [KEYS[each] for each in (key.LEFT, key.DOWN, key.UP, key.RIGHT)] == directions


def test_version_1_sends_nothing_that_its_servers_might_not_know() -> None:
    types = {packet.packet_type for packet in IN_VERSION_1.values()}
    assert all(number <= PacketType.TOGGLE_DEBUG_MODE for number in types)


@pytest.mark.parametrize("action", Action)
def test_every_action_has_a_key_with_a_name(action: Action) -> None:
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
        Keystroke("u", Action.UNDO),
        Keystroke("w", Action.UP),
        Keystroke("7"),
        Keystroke("", Action.NEW),
    ]


def test_pasted_text_is_nothing_but_text() -> None:
    typed = Controls(KeyMap()).decode(b"\x1b[200~two words\x1b[201~", 0.0)
    assert typed == [Keystroke("two words")]


def test_a_lone_escape_comes_out_when_its_time_is_over() -> None:
    controls = Controls(KeyMap())
    assert controls.decode(b"\x1b", 1.0) == []
    assert controls.deadline == 1.0 + ESC_WAIT_S
    assert controls.expire(1.0) == []
    assert controls.expire(1.0 + ESC_WAIT_S) == [Keystroke("", Action.BACK)]
    assert controls.deadline is None
