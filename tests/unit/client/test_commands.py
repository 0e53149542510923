import pytest

from jminesweeper.client.commands import FORMS, KEYS, explain_commands, is_help, parse_command
from jminesweeper.client.errors import CommandError
from jminesweeper.protocol.packets import Act, Drop, Load, MoveTo, NewGame, Packet, Save, Text, Undo
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, RulesCode


@pytest.mark.parametrize(
    ("line", "packet"),
    [
        ("open 3 4", Act(3, 4, Button.REVEAL)),
        ("OPEN 0 254", Act(0, 254, Button.REVEAL)),
        ("open", Command.REVEAL),
        ("flag 0 0", Act(0, 0, Button.FLAG)),
        ("chord 2 1", Act(2, 1, Button.CHORD)),
        ("go 2 1", MoveTo(2, 1)),
        ("undo", Undo(1)),
        ("undo 12", Undo(12)),
        ("hint", Command.HINT),
        ("new", NewGame(GameKind.SAME_SETTINGS)),
        ("new expert", NewGame(GameKind.EXPERT, 30, 16, 99, 1, RulesCode.CLASSIC)),
        ("new daily", NewGame(GameKind.DAILY)),
        ("new again", NewGame(GameKind.SAME_BOARD)),
        ("save", Save("")),
        ("save my best game", Save("my best game")),
        ("load x", Load("x")),
        ("load " + "x" * 64, Load("x" * 64)),
        ("save " + "x" * 256, Save("x" * 255)),
        ("save " + "é" * 128, Save("é" * 127)),
        ("delete", Command.ERASE),
        ("delete my best game", Drop("my best game")),
        ("type my best game", Text("my best game")),
        ("erase", Command.ERASE),
        ("pause", Command.PAUSE),
        ("menu", Command.MENU),
        ("choose", Command.REVEAL),
        ("up", Command.MOVE_UP),
        ("show", Command.REFRESH),
        ("quit", Command.QUIT),
        ("help", None),
        ("", None),
        ("   ", None),
    ],
)
def test_a_line_says_what_to_send(line: str, packet: Packet | None) -> None:
    assert parse_command(line) == packet


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dig 3 4", "Unknown command 'dig'"),
        ("open 3", "column and a row"),
        ("open -1 4", "0 to 254"),
        ("open 3 255", "0 to 254"),
        ("open a b", "'a' is not a number"),
        ("open 3 4 5", "column and a row"),
        ("go", "column and a row"),
        ("undo -1", "not a number"),
        ("undo 70000", "not a number"),
        ("new hard", "beginner"),
        ("hint please", "takes no arguments"),
        ("help me", "takes no arguments"),
    ],
)
def test_a_line_that_is_no_command_is_explained(line: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        parse_command(line)


def test_a_name_always_fits_its_packet() -> None:
    save = parse_command("save " + "😀" * 500)
    assert isinstance(save, Save)
    assert len(save.name.encode()) <= 255


def test_help_lists_every_command() -> None:
    assert is_help(" Help ")
    assert not is_help("open 3 4")
    lines = explain_commands().splitlines()
    assert [line.split()[0] for line in lines[:-2]] == [*FORMS, "help"]


@pytest.mark.parametrize(
    ("key", "command"),
    [
        ("b", "replay"),
        ("ctrl-s", "save"),
        ("del", "delete"),
        ("esc", "menu"),
        ("g", "next"),
        ("i", "hint"),
        ("m", "menu"),
        ("n", "new"),
        ("o", "odds"),
        ("p", "pause"),
        ("r", "new again"),
        ("return", "choose"),
        ("space", "flag"),
        ("t", "export"),
        ("tab", "new"),
        ("u", "undo"),
        ("x", "quit"),
        ("y", "analysis"),
    ],
)
def test_a_key_that_a_message_names_is_a_command(key: str, command: str) -> None:
    assert key in KEYS
    assert parse_command(f" {key.upper()} ") == parse_command(command)


def test_the_key_for_help_lists_the_commands() -> None:
    assert is_help(" ? ")
    assert parse_command("?") is None


def test_a_key_has_no_arguments() -> None:
    with pytest.raises(CommandError, match="Unknown command 'p'"):
        parse_command("p 3")
