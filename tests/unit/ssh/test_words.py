"""The words that may follow `ssh -t HOST`."""

from __future__ import annotations

import pytest

from jminesweeper.client.request import GameRequest
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol.packets import Join, Packet, Watch
from jminesweeper.protocol.vocabulary import RoomKind
from jminesweeper.ssh.terminal import SshWish, WordsError, parse_words

EXPERT = GameRequest(preset=CLASSIC_BOARDS["expert"])


@pytest.mark.parametrize(
    ("command", "packet"),
    [
        ("", None),
        ("expert", EXPERT.new_game(asks_first=True)),
        ("EXPERT", EXPERT.new_game(asks_first=True)),
        ("daily", GameRequest(daily=True).new_game(asks_first=True)),
        (
            "daily expert",
            GameRequest(daily=True, preset=CLASSIC_BOARDS["expert"]).new_game(asks_first=True),
        ),
        ("race", GameRequest().room(RoomKind.RACE)),
        ("coop expert", EXPERT.room(RoomKind.SHARED)),
        ("join KMTRX", Join("KMTRX")),
        ("watch Ada Lovelace", Watch("Ada Lovelace")),
    ],
)
def test_words_name_what_to_play(command: str, packet: Packet | None) -> None:
    assert parse_words(command) == SshWish(packet)


def test_a_waiting_game_is_resumed_by_a_word() -> None:
    assert parse_words("resume") == SshWish(resumes=True)


@pytest.mark.parametrize("command", ["help", "--help", "-h", "help me"])
def test_help_is_a_word_as_well(command: str) -> None:
    assert parse_words(command).wants_help


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("bogus", "'bogus' is not known. Say race, coop, "),
        ("race bogus", "'bogus' is not known."),
        ("race expert twice", "'twice' is not known."),
        ("rm -rf /", "'rm' is not known."),
        ("race expert beginner", "'beginner' is not known."),
        ("join", "join takes one code."),
        ("join KMTRX extra", "join takes one code."),
        ("watch", "watch takes a code or a name."),
    ],
)
def test_other_words_get_a_sentence(command: str, said: str) -> None:
    with pytest.raises(WordsError, match="^" + said.replace(".", r"\.")):
        parse_words(command)


def test_a_command_of_any_length_costs_little() -> None:
    with pytest.raises(WordsError) as raised:
        parse_words("x" * 60_000)
    assert len(str(raised.value)) < 400
