"""The table of who may do what, held against itself and against sessions."""

import pytest

from jminesweeper.protocol.packets import (
    Code,
    Hint,
    LookBack,
    NewGame,
    OpenMenu,
    Packet,
    Save,
    Start,
)
from jminesweeper.protocol.vocabulary import Command, LookBackAt
from jminesweeper.session.messages import MESSAGES
from jminesweeper.session.rights import NEEDS, RIGHTS, VERBS, Mode, Verb


@pytest.mark.parametrize("mode", Mode)
def test_a_mode_offers_nothing_that_it_refuses(mode: Mode) -> None:
    offers, refuses = RIGHTS[mode]
    assert offers, "there is always a way out"
    assert not set(offers) & refuses.keys()


def test_every_game_and_room_says_whether_there_is_a_race_to_give_up() -> None:
    lost = [
        mode
        for mode, (offers, refuses) in RIGHTS.items()
        if refuses and (Verb.GIVE_UP in offers) is (Verb.GIVE_UP in refuses)
    ]
    assert lost == []


def test_every_refusal_has_its_message() -> None:
    assert {why for _, refuses in RIGHTS.values() for why in refuses.values()} <= MESSAGES.keys()


def test_quitting_is_offered_everywhere() -> None:
    assert all(Verb.QUIT in offers for offers, _ in RIGHTS.values())
    assert Verb.QUIT not in NEEDS


@pytest.mark.parametrize(
    ("packet", "verb"),
    [
        (Command.MOVE_LEFT, None),
        (Command.REVEAL, Verb.REVEAL),
        (Start(9, 9, 1), Verb.NEW),
        (NewGame("expert jminesweeper"), Verb.NEW),
        (NewGame("again"), Verb.AGAIN),
        (Hint(0, 0), Verb.HINT),
        (Save(""), Verb.SAVE),
        (Code("x"), Verb.CODE),
        (LookBack(LookBackAt.ANALYSIS), Verb.ANALYSIS),
        (LookBack(9), None),
        (OpenMenu(""), Verb.MENU),
        (OpenMenu("saves"), Verb.SAVES),
        (OpenMenu("reveal"), Verb.MENU),
    ],
)
def test_a_packet_asks_for_a_verb(packet: Packet, verb: Verb | None) -> None:
    rule = VERBS.get(packet if isinstance(packet, Command) else type(packet))
    assert (rule if rule is None or isinstance(rule, Verb) else rule(packet)) == verb
