from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from jminesweeper.cli.client import (
    _address,
    _ask,
    _folded,
    _has_mouse,
    _is_anything_given,
    _profile,
    _request,
    _with_board,
    client_command,
)
from jminesweeper.cli.main import main
from jminesweeper.cli.terminals import canvas_of
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Profile
from jminesweeper.client.errors import RequestError
from jminesweeper.client.request import GameRequest
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, Level
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol.packets import Join, NewGame, OpenRoom, Start, Watch
from jminesweeper.protocol.vocabulary import NewGameFlag, RoomKind
from jminesweeper.terminal.layout import TerminalSize
from jminesweeper.terminal.looks import ColourDepth, Looks, Palette

SIZE = TerminalSize(80, 24)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player's home of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "STY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def context_of(*arguments: str) -> click.Context:
    # Click keeps the help option that the first context of a command asks for.
    return client_command.make_context("client", [*arguments], **main.context_settings)


def given(*arguments: str) -> dict[str, Any]:
    return context_of(*arguments).params


def asked(*arguments: str) -> GameRequest:
    return _request(given(*arguments))


def profile(*arguments: str) -> Profile:
    parameters = given(*arguments)
    return _profile(_request(parameters), Address(), parameters)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["client", *arguments])
    return result.exit_code, result.output


@pytest.mark.requirement("J:option --help")
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_explains_every_option(option: str) -> None:
    code, output = run(option)
    assert code == 0
    for name in (
        "-r, -rows, --rows",
        "-c,",
        "--columns",
        "-columns",
        "-l,",
        "--level",
        "--port",
        "--color",
    ):
        assert name in output
    for name in ("HOST[:PORT]", "--preset", "--mines", "--rules", "--seed", "--plain", "--wire"):
        assert name in output


HARD = Start(30, 16, 3)
USUAL = Start(20, 10, 1)
ASKED = NewGameFlag.AFTER_ASKING
LARGE = NewGame("hard 30x16 jminesweeper", ASKED)
MEDIUM = NewGame("medium 20x10 jminesweeper", ASKED)
CODE = format_seed_code(Setup.of(Size(30, 16), 99, PRESETS["classic"], seed=1234)).lower()
OPENED = format_seed_code(Setup.of("expert", seed=1234, first=(4, 4))).lower()
RACE = OpenRoom(RoomKind.RACE, board="expert classic no-guess")
HOST = "example.org:1"


@pytest.mark.requirement("J:option --rows", "J:option --columns", "J:option --level", "U:options")
@pytest.mark.parametrize(
    ("line", "start", "wish", "server"),
    [
        ("", USUAL, None, None),
        ("-r 16 -c 30 -l 3", HARD, LARGE, None),
        ("--rows 16 --columns 30 --level 3", HARD, LARGE, None),
        ("-r16 -c30 -l3", HARD, LARGE, None),
        ("-rows 16 -columns 30 -level HARD", HARD, LARGE, None),
        ("--rows=16 -columns=30 --level=hard", HARD, LARGE, None),
        ("-l 2", Start(20, 10, 2), MEDIUM, None),
        ("-l Medium", Start(20, 10, 2), MEDIUM, None),
        ("-l easy", USUAL, NewGame("easy 20x10 jminesweeper", ASKED), None),
        (f"-l hard {HOST}", Start(20, 10, 3), NewGame("hard 20x10 jminesweeper", ASKED), HOST),
        ("--seed 0", USUAL, NewGame("easy 20x10 jminesweeper seed=0", ASKED), None),
        (
            f"--seed {2**64 - 1}",
            USUAL,
            NewGame(f"easy 20x10 jminesweeper seed={2**64 - 1}", ASKED),
            None,
        ),
        (f"--seed {CODE}", Start(30, 16, 1), NewGame("expert classic seed=1234", ASKED), None),
        (
            f"--seed {OPENED}",
            Start(30, 16, 1),
            NewGame("expert classic seed=1234 first=4,4", ASKED),
            None,
        ),
        (f"--race expert {HOST}", Start(30, 16, 1), RACE, HOST),
        ("--race --preset=expert", Start(30, 16, 1), RACE, None),
        (f"{HOST} --race expert", Start(30, 16, 1), RACE, HOST),
        (
            "--race -r5 -c6 --mines=7",
            Start(6, 5, 1),
            OpenRoom(RoomKind.RACE, board="custom 6x5/7 classic no-guess"),
            None,
        ),
        (f"--coop {HOST}", USUAL, OpenRoom(RoomKind.SHARED, board="intermediate classic"), HOST),
        (f"--join KTPQAH {HOST}", USUAL, Join("KTPQAH"), HOST),
        ("--watch Ada", USUAL, Watch("Ada"), None),
    ],
)
def test_a_command_line_is_these_packets(
    line: str, start: Start, wish: object, server: str | None
) -> None:
    parameters = given(*line.split())
    _with_board(parameters)
    told = _profile(_request(parameters), Address(), parameters)
    assert (told.start, told.wish, parameters["server"]) == (start, wish, server)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-r", "0"], "0 is not in the range 1 to 255."),
        (["-r", "ten"], "'ten' is not a valid number."),
        (["-c", "256"], "256 is not in the range 1 to 255."),
        (["-l", "4"], "type 1, 2, 3, easy, medium or hard"),
        (["-l", "4", "-h"], "Usage"),
        (["--port", "0"], "0 is not in the range 1 to 65535."),
        (["--seed", "many"], "invalid seed code"),
        (["--seed", str(2**64)], "invalid seed code"),
        (["--color", "maybe"], "'maybe' is not one of"),
        (["one", "two"], "unexpected extra argument"),
        (["--plain", "--preset", "expert", "-r", "9"], "a board has its own"),
        (["--plain", "--preset", "expert", "--mines", "9"], "a board has its own"),
        (["--plain", "--preset", "expert", "-l", "1"], "a board has its own"),
        (["--plain", "--daily", "--mines", "9"], "the daily board is the same for everybody"),
        (["--plain", "--mines", "9", "-r", "3", "-c", "3"], "3x3 cells hold 1 to 8 mines"),
        (["--plain", "[::1"], "is not HOST"),
        (
            ["--plain", "[::1]:9999", "--port", "9998"],
            "[::1]:9999 names its port; leave out --port",
        ),
        (["--plain", "--wire", "1"], "--plain needs version 2"),
        (["--plain", "--resume", "-r", "9"], "--resume continues"),
        (["--plain", "--name", "n" * 256], "it is no text of at most 255 bytes"),
        (["--plain", "--join", "\udcff"], "it is no text of at most 255 bytes"),
        (["--plain", "--race", "expert", "--preset=beginner"], "two boards for one room"),
        (["--plain", "--race", "huge", HOST], "not a board: 'huge'"),
        (["--plain", "--race", "expert", "--join=KTPQAH", HOST], "use only one of"),
        (["--plain", "--join=KTPQAH", "--preset=expert", HOST], "--join plays the board"),
        (["--plain", "--watch=Ada", "--resume", HOST], "--resume continues"),
        (["--plain", "--watch=Ada", "--wire=1", HOST], "--plain needs version 2"),
    ],
)
def test_what_is_not_possible_is_explained(arguments: list[str], words: str) -> None:
    code, output = run(*arguments)
    assert (code, words in output) == (0 if "-h" in arguments else 2, True), output


@pytest.mark.parametrize("option", ["--race", "--coop"])
def test_what_is_neither_a_board_nor_a_host_is_told_to_be_neither(option: str) -> None:
    code, output = run("--plain", option, "exprt.invalid")
    assert (code, output) == (
        1,
        "Unknown host exprt.invalid. It is no board either: beginner, intermediate or expert.\n",
    )


def test_without_a_terminal_the_player_is_told_of_the_line_mode() -> None:
    code, output = run()
    assert code == 2
    assert "JMinesweeper needs a terminal" in output
    assert "--plain" in output


@pytest.mark.requirement("E:Configuration Manager")
def test_every_option_is_an_environment_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {
        "ROWS": "16",
        "COLUMNS": "30",
        "LEVEL": "hard",
        "SERVER": "example.org:1",
        "NO_GUESS": "1",
        "FIRST_CLICK": "zero",
        "SEED": "5",
        "RULES": "formal",
        "COLOR": "never",
        "MOUSE": "0",
        "NAME": "Ada",
    }
    for name, value in variables.items():
        monkeypatch.setenv(f"JMINESWEEPER_{name}", value)
    parameters = given()
    assert not _is_anything_given(context_of())
    assert parameters["server"] == "example.org:1"
    told = _profile(_request(parameters), Address(), parameters)
    assert told.wish == NewGame(
        "hard 30x16 formal first-reveal=zero no-guess seed=5", NewGameFlag.AFTER_ASKING
    )
    assert canvas_of(SIZE, parameters["color"]).colours is ColourDepth.NONE
    assert not _has_mouse(parameters)
    assert told.name == "Ada"


@pytest.mark.requirement("J:run_client.sh", "J:port 9999", "U:port")
def test_without_arguments_nothing_is_asked_and_the_defaults_are_played() -> None:
    context = context_of()
    assert not _is_anything_given(context)
    assert _request(context.params).start() == Start(20, 10, 1)
    assert _request(context.params).new_game() is None
    assert _address(None, None) == Address("127.0.0.1", 9999)


@pytest.mark.parametrize("argument", ["-r5", "example.org", "--color=never"])
def test_any_argument_means_that_the_rest_is_asked(argument: str) -> None:
    assert _is_anything_given(context_of(argument))


@pytest.mark.requirement("J:option host")
def test_the_server_and_its_port_may_be_named_together_or_apart() -> None:
    assert _address("example.org", None) == Address("example.org", 9999)
    assert _address("example.org", 5) == Address("example.org", 5)
    assert _address("[::1]:6", 5) == Address("::1", 6)
    assert _address(None, 5) == Address("127.0.0.1", 5)


def test_the_profile_is_what_the_options_and_the_environment_say() -> None:
    told = profile("--preset", "beginner", "--no-mouse", "--name", "Ada", "--first-click", "off")
    assert told.wish == NewGame("beginner classic first-reveal=off", NewGameFlag.AFTER_ASKING)
    by_a_program = profile("--preset", "beginner", "--plain").wish
    assert isinstance(by_a_program, NewGame)
    assert by_a_program.flags == 0
    assert (told.is_live, told.name, told.needs_version_2) == (True, "Ada", True)
    assert not profile("--plain").is_live
    assert len(told.key) == 16
    assert profile().key == told.key


@pytest.mark.parametrize(
    ("arguments", "has_mouse"), [((), False), (("--mouse",), True), (("--no-mouse",), False)]
)
def test_gnu_screen_keeps_its_escape_key_rather_than_the_mouse(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], has_mouse: bool
) -> None:
    monkeypatch.setenv("STY", "1234.pts-0.host")
    assert _has_mouse(given(*arguments)) is has_mouse


def test_looks_are_read_from_the_players_file_or_are_as_usual(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "jminesweeper").mkdir()
    (home / "jminesweeper" / "looks").write_text("palette classic")
    assert canvas_of(SIZE).looks == Looks(Palette.CLASSIC)
    (home / "jminesweeper" / "looks").write_text("palette red")
    assert canvas_of(SIZE).looks == Looks()
    assert "line 1: no such look" in capsys.readouterr().err


def test_version_1_needs_no_key(home: Path) -> None:
    assert profile("--wire", "1").key == b""
    assert not (home / "jminesweeper").exists()


def test_colours_that_are_forced_are_at_least_sixteen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "vt220")
    assert canvas_of(SIZE, "always").colours is ColourDepth.SIXTEEN


def test_a_key_that_cannot_be_used_makes_the_player_anonymous(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "jminesweeper").mkdir()
    (home / "jminesweeper" / "key").write_text("damaged")
    assert profile().key == b""
    assert "Playing anonymously" in capsys.readouterr().err


def test_the_command_is_one_of_jminesweeper() -> None:
    context = click.Context(main)
    command = main.get_command(context, "client")
    assert command is client_command


@pytest.mark.requirement("J:ask")
def test_what_is_missing_is_asked_for_and_nothing_else() -> None:
    with CliRunner().isolation(input="0\n16\n\x1b[A\n30\nhuge\nhard\n") as streams:
        assert _ask(GameRequest()).start() == Start(30, 16, 3)
        asked = streams[0].getvalue().decode()
    assert asked.count("Rows, beginner, intermediate, expert (RETURN plays 20x10, level 1): ") == 2
    assert "Error: type rows (1 to 255), beginner, intermediate or expert." in asked
    assert asked.count("Columns (1 to 255) [20]") == 2
    assert "Error: type a number, 1 to 255." in asked
    assert asked.count("Level (1, 2, 3, easy, medium, hard) [1]") == 2
    assert "Error: type 1, 2, 3, easy, medium or hard." in asked


@pytest.mark.parametrize("word", ["0", "i\x1b[Appoz", "exprt"])
def test_the_first_question_fits_80_columns_and_names_what_it_takes(word: str) -> None:
    with CliRunner().isolation(input=f"{word}\nintermediate\n") as streams:
        assert _ask(GameRequest()).preset == CLASSIC_BOARDS["intermediate"]
        *_, first, error, second = streams[0].getvalue().decode().splitlines()
    assert error == "Error: type rows (1 to 255), beginner, intermediate or expert."
    assert first == f"{second.removesuffix('intermediate')}{word}"
    assert len(second) <= 80


def test_a_board_of_the_classic_game_is_an_answer_to_all_questions() -> None:
    with CliRunner().isolation(input="expert\n"):
        assert _ask(GameRequest()) == GameRequest(preset=CLASSIC_BOARDS["expert"])


def test_one_return_takes_the_default_and_leaves_a_game_that_waits_alone() -> None:
    with CliRunner().isolation(input="\n"):
        request = _ask(GameRequest())
    assert request.start() == Start(20, 10, 1)
    assert request.new_game() is None


@pytest.mark.parametrize(
    "asked",
    [
        GameRequest(preset=CLASSIC_BOARDS["expert"]),
        GameRequest(daily=True),
        GameRequest(rows=3, columns=3, mines=2),
        GameRequest(rows=3, columns=3, level=Level.HARD),
    ],
)
def test_nothing_is_asked_when_everything_is_said(asked: GameRequest) -> None:
    with CliRunner().isolation(input=""):
        assert _ask(asked) == asked


def test_an_answer_that_fits_nothing_said_before_is_refused() -> None:
    with CliRunner().isolation(input="2\n2\n"), pytest.raises(RequestError):
        _ask(GameRequest(mines=9))


def test_a_board_is_not_mistaken_for_a_server() -> None:
    code, output = run("--plain", "--daily", "expert")
    assert code == 2
    assert "expert is a board, not a server: --preset expert." in output


def test_an_error_is_broken_between_words_and_a_path_stays_whole() -> None:
    path = "/home/somebody-with-a-long-name/.config/jminesweeper/keys"
    folded = _folded(f"{path}, line 3: a key and an action are needed.", 40)
    assert folded.splitlines() == [f"{path},", "line 3: a key and an action are needed."]


def test_usage_repeats_what_was_typed() -> None:
    environment = {"JMINESWEEPER_TYPED": "./run_client.sh"}
    result = CliRunner().invoke(main, ["client", "-r", "0"], env=environment)
    assert result.output.startswith("Usage: ./run_client.sh [OPTIONS]")
    assert "Try './run_client.sh --help' for help." in result.output
