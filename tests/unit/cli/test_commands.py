"""The commands as a table: what is typed, the exit code, and what is printed or follows from it.

Each line is typed in Ann's home, among her files.
"""

from __future__ import annotations

import os
import shlex
import shutil
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.mark import ParameterSet
from click.testing import CliRunner, Result

from jminesweeper import __version__
from jminesweeper.cli import server
from jminesweeper.cli.client import _has_mouse, _profile, _request, _with_board, client_command
from jminesweeper.cli.main import SUBCOMMANDS, load, main
from jminesweeper.cli.terminals import canvas_of
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Profile
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import Join, NewGame, OpenRoom, Start, Watch
from jminesweeper.protocol.vocabulary import NewGameFlag, RoomKind
from jminesweeper.server.config import ServerConfig
from jminesweeper.terminal.layout import TerminalSize
from jminesweeper.terminal.looks import ColourDepth
from tests.unit.cli.kept_games import furnish

HOST: Final = "example.org:1"
NOBODY: Final = "127.0.0.1:1"
NOWHERE: Final = (
    "Unknown host exprt.invalid. It is no board either: beginner, intermediate or expert."
)
NO_TEXT: Final = os.fsdecode(b"redis://h" + bytes([255]))
DOUBT: Final = "Warning: lie.rawvf: the description says won, its clicks say lost."
BOTS: Final = "bot --preset=beginner --seed=1 --jobs=1"


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ann's home, made once."""
    home = tmp_path_factory.mktemp("home")
    furnish(home)
    return home


@pytest.fixture(autouse=True)
def home(furnished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a home of the test's own, in a plain environment."""
    home = shutil.copytree(furnished, tmp_path / "home")
    monkeypatch.chdir(home)
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "STY"):
        monkeypatch.delenv(name, raising=False)
    return home


def rows(table: str) -> list[ParameterSet]:
    """Read a table of lines that are typed, and of what is printed."""
    pairs = [row.split(" | ") for row in table.strip().splitlines()]
    return [pytest.param(line.strip(), printed.strip(), id=line.strip()) for line, printed in pairs]


def run(line: str) -> Result:
    return CliRunner().invoke(main, shlex.split(line), prog_name="jminesweeper")


MISTAKES: Final = rows(
    f"""
    dig | No such command 'dig'.
    client -r 0 | 0 is not in the range 1 to 255.
    client -r ten | 'ten' is not a valid number.
    client -c 256 | 256 is not in the range 1 to 255.
    client -l 4 | type 1, 2, 3, easy, medium or hard
    client --port 0 | 0 is not in the range 1 to 65535.
    client --seed many | invalid seed code
    client --seed {2**64} | invalid seed code
    client --color maybe | 'maybe' is not one of
    client one two | unexpected extra argument
    client --preset foo | foo
    client --daily --preset foo | foo
    client --plain [::1 | is not HOST
    client --plain [::1]:9999 --port 9998 | [::1]:9999 names its port; leave out --port
    client --plain --name {"n" * 256} | it is no text of at most 255 bytes
    client --plain --join \udcff | it is no text of at most 255 bytes
    client --plain --preset expert -r 9 | a board has its own
    client --plain --preset expert --mines 9 | a board has its own
    client --plain --preset expert -l 1 | a board has its own
    client --plain --daily --mines 9 | the daily board is the same for everybody
    client --plain --daily expert | expert is a board, not a server: --preset expert.
    client --plain --mines 9 -r 3 -c 3 | a board of 3x3 holds 1 to 8 mines, not 9
    client --plain --wire 1 | --plain needs version 2
    client --plain --resume -r 9 | --resume continues
    client --plain --race expert --preset=beginner | two boards for one room
    client --plain --race huge {HOST} | not a board: 'huge'
    client --plain --race expert --join=KTPQAH {HOST} | use only one of
    client --plain --join=KTPQAH --preset=expert {HOST} | --join plays the board
    client --plain --watch=Ada --resume {HOST} | --resume continues
    client --plain --watch=Ada --wire=1 {HOST} | --plain needs version 2
    server --port 65536 | 65536 is not in the range 0 to 65535.
    server --port none | 'none' is not a valid number.
    server --max-connections -1 | -1 is not in the range
    server --idle-timeout 0 | 0.0 is not in the range above 0.
    server --silence-timeout 0 | 0.0 is not in the range
    server --worker-memory 63 | 63 is not in the range
    server --log-format xml | 'xml' is not one of
    server --log-level loud | 'loud' is not one of
    server --seed x | 'x' is not a valid
    server elsewhere | unexpected extra argument
    server --tls-key key.pem | --tls-key needs --tls-cert.
    server --proxy-from=10.0.0.1/8 | is not a network such as 10.0.0.0/8.
    server --proxy-from=proxy.example.org | is not a network such as 10.0.0.0/8.
    server --proxy-from=10.0.0.0/33 | is not a network such as 10.0.0.0/8.
    server --proxy-from= | is not a network such as 10.0.0.0/8.
    server --store={NO_TEXT} | an address of a store is text
    bot --games 0 | 0 is not in the range from 1 up.
    bot --games many | 'many' is not a valid number.
    bot --jobs=0 | 0 is not in the range
    bot --columns=256 | 256 is not in the range
    bot --columns=2 --rows=2 --mines=4 | a board of 2x2 holds 1 to 3 mines, not 4.
    bot --columns=1 --rows=1 --mines=2 | a board of 1x1 holds 1 mine, not 2.
    bot --preset=easy | easy
    bot --preset=expert --mines=9 | A preset sets its own rows, columns and mines.
    bot --preset=expert --level=1 | A preset sets its own rows, columns and mines.
    bot --level=1 --mines=9 | The level sets the number of mines; give one or the other.
    bot '--host=a b' | is not HOST
    bot --host=localhost:0 | port 0 is not in the range 1 to 65535.
    bot --join KRTPWX | --join needs --host.
    bot --show --json | --show
    bot --show --pace=slow | 'slow' is not one of
    replay won1 --speed 0 | 0.0 is not in the range 0.01 to 1000.
    replay won1 --speed -1 | Invalid value for '--speed'
    replay won1 --speed nan | Invalid value for '--speed'
    replay won1 --speed inf | Invalid value for '--speed'
    replay won1 --speed 1001 | Invalid value for '--speed'
    replay won1 --speed fast | Invalid value for '--speed'
    games --limit 0 | 0 is not in the range
    scores --preset foo | foo
    scores --rules foo | foo
    scores --daily foo | foo
    scores --daily 18.11.2026 | 18.11.2026
    scores --ladder --rules=classic | cannot be combined
    store copy a.sqlite3 a.sqlite3 | FROM and TO are the same store.
    store copy a.sqlite3 | Missing argument
    kata --layout b | bombs are written as three rows of three among b and -
    kata --layout bb-/---/--- | a sandbox holds 1 or 3 bombs, not 2
    kata --layout b--/---/--- --bombs 1 | leave out --bombs
    kata --bombs 2 | '2' is not one of '1', '3'
    kata --bot psychic | 'psychic' is not
    kata --seed -1 | -1 is not in the range
    kata --scenarios --bombs 1 | it goes with --log alone
    kata --scenarios --layout b--/---/--- | it goes with --log alone
    kata --scenarios --bot random | it goes with --log alone
    kata --scenarios --seed 0 | it goes with --log alone
    check | Give either HOST:PORT or --client COMMAND
    check {NOBODY} --client true | Give either HOST:PORT or --client COMMAND
    check --client true --wire 1 | the latter without --wire
    check --client true --restart true | without --wire and --restart
    check {NOBODY} --restart a-program-nobody-has | There is no program a-program-nobody-has.
    check --client "a 'b" | cannot be split into words
    check --client '' | at least one word
    check --client a-program-nobody-has | There is no program a-program-nobody-has.
    check localhost:x | is not HOST, HOST:PORT
    check {NOBODY} | {NOBODY}: no connection: Connection refused.
    """
)


@pytest.mark.parametrize(("line", "printed"), MISTAKES)
def test_a_mistake_is_explained(line: str, printed: str) -> None:
    result = run(line)
    assert (result.exit_code, printed in result.stderr) == (2, True), result.output
    assert "Error: " in result.stderr


FAILURES: Final = rows(
    f"""
    client --plain --race exprt.invalid | {NOWHERE}
    client --plain --coop exprt.invalid | {NOWHERE}
    bot --host={NOBODY} | Error: There is no server at {NOBODY}.
    analyse nothing | Error: No file and no finished game is called 'nothing'.
    analyse astray | Error: The game astray cannot be read:
    export won1 bad.txt | Error: bad.txt exists already; --force overwrites it.
    export won1 no/g.txt | Error: no/g.txt cannot be written: No such file or directory.
    export flags.txt --format rawvf | Error: flags.txt cannot be written as rawvf: the game was
    stats --key none | No key found at
    stats --key damaged | is damaged
    stats --store none.sqlite3 | does not exist.
    scores --store none.sqlite3 | does not exist.
    games --store none.sqlite3 | No games yet: the store none.sqlite3 does not exist.
    store check none.sqlite3 | none.sqlite3
    store check redis://{NOBODY} | redis://{NOBODY}
    store copy none.sqlite3 copy.sqlite3 | none.sqlite3
    store copy jminesweeper/games.sqlite3 . | Error:
    kata --scenarios --log no/log | Error: cannot write no/log: No such file or directory
    """
)


@pytest.mark.parametrize(("line", "printed"), FAILURES)
def test_what_cannot_be_done_is_one_sentence(line: str, printed: str, home: Path) -> None:
    before = {path: path.is_file() and path.read_bytes() for path in home.rglob("*")}
    result = run(line)
    assert (result.exit_code, printed in result.stderr) == (1, True), result.output
    assert result.stderr.count("\n") == 1
    assert {path: path.is_file() and path.read_bytes() for path in home.rglob("*")} == before


SUCCESSES: Final = rows(
    f"""
    --version | JMinesweeper {__version__}
    client --version | JMinesweeper {__version__}
    server --version | JMinesweeper {__version__}
    client -l 4 -h | Usage
    games --imported | No games yet.
    games --imported --json | []
    scores --preset intermediate | No scores yet.
    import lie.rawvf | {DOUBT}
    export lie.rawvf | {DOUBT}
    replay lie.rawvf | {DOUBT}
    analyse lie.rawvf | {DOUBT}
    {BOTS} --games=20 | 20 games of 9x9 with 10 mines, first click safe at 0,0, seeds from 1
    {BOTS} --games=20 | 95 % between
    bot --columns=2 --rows=3 --mines=1 --games=5 --first-click=off | games of 2x3 with 1 mines
    bot --columns=2 --rows=3 --mines=1 --games=5 --first-click=safe | games of 2x3 with 1 mines
    bot --columns=2 --rows=3 --mines=1 --games=5 --first-click=zero | games of 2x3 with 1 mines
    bot --columns=1 --rows=1 --mines=1 --games=1 --jobs=1 | won 0: 0.00 %
    bot --columns=20 --rows=10 --level=medium --games=1 | 20x10 with 50 mines
    bot --columns=20 --rows=10 --level=2 --games=1 | 20x10 with 50 mines
    """
)


@pytest.mark.parametrize(("line", "printed"), SUCCESSES)
def test_a_command_prints(line: str, printed: str) -> None:
    result = run(line)
    assert (result.exit_code, printed in result.output) == (0, True), result.output


# What follows from a line


HARD: Final = Start(30, 16, 3)
USUAL: Final = Start(20, 10, 1)
EXPERT: Final = Start(30, 16, 1)
CODE: Final = format_seed_code(Setup.of(Size(30, 16), 99, PRESETS["classic"], seed=1234)).lower()
OPENED: Final = format_seed_code(Setup.of("expert", seed=1234, first=(4, 4))).lower()
RACE: Final = OpenRoom(RoomKind.RACE, board="expert classic no-guess")
SMALL_RACE: Final = OpenRoom(RoomKind.RACE, board="custom 6x5/7 classic no-guess")


def new(board: str) -> NewGame:
    return NewGame(board, NewGameFlag.AFTER_ASKING)


def told(*arguments: str) -> tuple[Profile, dict[str, Any]]:
    """Return what a client tells the server, and its options."""
    # Click keeps the help option that the first context of a command asks for.
    context = client_command.make_context("client", [*arguments], **main.context_settings)
    _with_board(context.params)
    return _profile(_request(context.params), Address(), context.params), context.params


@pytest.mark.requirement("J:option --rows", "J:option --columns", "J:option --level", "U:options")
@pytest.mark.parametrize(
    ("line", "start", "wish", "server"),
    [
        ("", USUAL, None, None),
        ("-r 16 -c 30 -l 3", HARD, new("hard 30x16 jminesweeper"), None),
        ("--rows 16 --columns 30 --level 3", HARD, new("hard 30x16 jminesweeper"), None),
        ("-r16 -c30 -l3", HARD, new("hard 30x16 jminesweeper"), None),
        ("-rows 16 -columns 30 -level HARD", HARD, new("hard 30x16 jminesweeper"), None),
        ("--rows=16 -columns=30 --level=hard", HARD, new("hard 30x16 jminesweeper"), None),
        ("-l 2", Start(20, 10, 2), new("medium 20x10 jminesweeper"), None),
        ("-l Medium", Start(20, 10, 2), new("medium 20x10 jminesweeper"), None),
        ("-l easy", USUAL, new("easy 20x10 jminesweeper"), None),
        (f"-l hard {HOST}", Start(20, 10, 3), new("hard 20x10 jminesweeper"), HOST),
        ("--seed 0", USUAL, new("easy 20x10 jminesweeper seed=0"), None),
        (f"--seed {2**64 - 1}", USUAL, new(f"easy 20x10 jminesweeper seed={2**64 - 1}"), None),
        (f"--seed {CODE}", EXPERT, new("expert classic seed=1234"), None),
        (f"--seed {OPENED}", EXPERT, new("expert classic seed=1234 first=4,4"), None),
        (
            "--preset=beginner --first-click=off",
            Start(9, 9, 1),
            new("beginner classic first-reveal=off"),
            None,
        ),
        ("--preset beginner --plain", Start(9, 9, 1), NewGame("beginner classic"), None),
        (f"--race expert {HOST}", EXPERT, RACE, HOST),
        ("--race --preset=expert", EXPERT, RACE, None),
        (f"{HOST} --race expert", EXPERT, RACE, HOST),
        ("--race -r5 -c6 --mines=7", Start(6, 5, 1), SMALL_RACE, None),
        (f"--coop {HOST}", USUAL, OpenRoom(RoomKind.SHARED, board="intermediate classic"), HOST),
        (f"--join KTPQAH {HOST}", USUAL, Join("KTPQAH"), HOST),
        ("--watch Ada", USUAL, Watch("Ada"), None),
    ],
)
def test_a_client_sends_these_packets(
    line: str, start: Start, wish: object, server: str | None
) -> None:
    profile, options = told(*line.split())
    assert (profile.start, profile.wish, options["server"]) == (start, wish, server)


@pytest.mark.requirement("E:Configuration Manager")
def test_every_option_of_a_client_is_an_environment_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    variables = "ROWS=16 COLUMNS=30 LEVEL=hard SERVER=example.org:1 NO_GUESS=1 FIRST_CLICK=zero"
    for each in f"{variables} SEED=5 RULES=formal COLOR=never MOUSE=0 NAME=Ada".split():
        monkeypatch.setenv(*f"JMINESWEEPER_{each}".split("="))
    profile, options = told()
    assert profile.wish == new("hard 30x16 formal first-reveal=zero no-guess seed=5")
    assert (profile.name, options["server"]) == ("Ada", "example.org:1")
    assert canvas_of(TerminalSize(80, 24), options["color"]).colours is ColourDepth.NONE
    assert not _has_mouse(options)


NETWORKS: Final = (ip_network("10.0.0.0/8"), ip_network("2001:db8::1"))
BOTH, KEY = Path("both.pem"), Path("key.pem")
VARIABLES: Final = (
    "HOST=127.0.0.1,PORT=1234,MAX_CONNECTIONS=5,MAX_PER_ADDRESS=6,IDLE_TIMEOUT=7,"
    "NO_DEBUG_MODE=1,SEED=8,LOG_FORMAT=json,LOG_LEVEL=warning"
)
FROM_VARIABLES: Final = ServerConfig(
    host="127.0.0.1", port=1234, max_connections=5, max_per_address=6, idle_timeout_s=7
)


@pytest.mark.requirement("E:Configuration Manager", "U:options")
@pytest.mark.parametrize(
    ("variables", "line", "config"),
    [
        ("", "", ServerConfig()),
        ("", "--host=::1 --port=0", ServerConfig(host="::1", port=0)),
        (
            "",
            "--max-connections=5 --max-per-address=0",
            ServerConfig(max_connections=5, max_per_address=0),
        ),
        (
            "",
            "--idle-timeout=.5 --silence-timeout=2",
            ServerConfig(idle_timeout_s=0.5, silence_timeout_s=2.0),
        ),
        ("", "--tls-cert=both.pem", ServerConfig(tls_files=(BOTH, BOTH))),
        ("", "--tls-cert=both.pem --tls-key=key.pem", ServerConfig(tls_files=(BOTH, KEY))),
        ("", "--proxy-from=10.0.0.0/8 --proxy-from=2001:db8::1", ServerConfig(proxies=NETWORKS)),
        ("PROXY_FROM=10.0.0.0/8 2001:db8::1", "", ServerConfig(proxies=NETWORKS)),
        (VARIABLES, "", FROM_VARIABLES),
    ],
)
def test_a_server_serves_as_it_is_told(
    variables: str, line: str, config: ServerConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[ServerConfig] = []
    monkeypatch.setattr(server, "run_server", lambda config, _open: served.append(config))
    monkeypatch.setattr(server, "log_readiness", lambda *_arguments: None)
    for each in filter(None, variables.split(",")):
        monkeypatch.setenv(*f"JMINESWEEPER_{each}".split("="))
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["server", *line.split()])
    assert served == [config]


@pytest.mark.parametrize("name", ["client", "server"])
def test_every_option_of_what_the_run_scripts_start_is_a_variable(name: str) -> None:
    variables = [each.envvar for each in load(name).params if each.name != "version"]
    assert None not in variables
    # A client's seed is a board, a server's a series of them.
    assert ("JMINESWEEPER_SEED" in variables) is (name == "client")


# Help


HELP_OF_CLIENT: Final = """
    -r, -rows, --rows  -c, -columns, --columns  -l, --level  --port  --color  HOST[:PORT]
    --preset  --mines  --rules  --seed  --plain  --wire
"""


@pytest.mark.requirement("J:option --help")
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_explains_every_option_of_a_client(option: str) -> None:
    result = run(f"client {option}")
    assert result.exit_code == 0
    assert [name for name in HELP_OF_CLIENT.split() if name not in result.output] == []


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_lists_every_subcommand_and_shows_examples(option: str) -> None:
    output = run(option).output
    assert "Examples:" in output
    for name, summary in SUBCOMMANDS.items():
        assert f"  {name}" in output
        assert summary in output


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_explains_itself_and_begins_as_it_is_listed(name: str) -> None:
    command = load(name)
    assert command.name == name
    assert command.get_short_help_str(limit=200) == SUBCOMMANDS[name]
    result = run(f"{name} --help")
    assert result.exit_code == 0
    assert f"Usage: jminesweeper {name}" in result.output
    assert "\\b" not in result.output  # a paragraph meant to keep its lines, in a raw string
