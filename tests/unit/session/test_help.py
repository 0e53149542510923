"""The help explains the game to somebody who never played it, and names its aim."""

from jminesweeper.protocol.vocabulary import Command
from tests.unit.session.backstage import ANONYMOUS, Backstage, seated


def first_lines(screen: str) -> list[str]:
    lines = screen.splitlines()
    start = next(number for number, line in enumerate(lines) if "Some cells hide" in line)
    return [line.strip() for line in lines[start : start + 6]]


def test_on_the_first_screen_it_explains_minesweeper_in_five_lines() -> None:
    player = Backstage().player()
    player.send(ANONYMOUS)
    lines = first_lines(player.send(Command.HELP))
    assert lines[4] == "You win by opening every safe cell, or by flagging every mine."
    assert lines[5] == ""


def test_in_a_game_it_names_the_aim_of_that_game() -> None:
    player, _ = seated("*.", "jminesweeper")
    assert first_lines(player.send(Command.HELP))[4] == (
        "This game: Flag every mine and nothing else."
    )
