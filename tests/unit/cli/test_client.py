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
    client_command,
)
from jminesweeper.cli.main import main
from jminesweeper.cli.terminals import canvas_of
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Profile
from jminesweeper.client.request import GameRequest, RequestError
from jminesweeper.core.rules import Level
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol.packets import Start
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


def test_a_player_who_plays_line_by_line_is_a_program_and_each_has_a_key() -> None:
    told = profile("--preset", "beginner")
    assert (told.is_live, told.needs_version_2) == (True, True)
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


def test_an_error_is_broken_between_words_and_a_path_stays_whole() -> None:
    path = "/home/somebody-with-a-long-name/.config/jminesweeper/keys"
    folded = _folded(f"{path}, line 3: a key and an action are needed.", 40)
    assert folded.splitlines() == [f"{path},", "line 3: a key and an action are needed."]


def test_usage_repeats_what_was_typed() -> None:
    environment = {"JMINESWEEPER_TYPED": "./run_client.sh"}
    result = CliRunner().invoke(main, ["client", "-r", "0"], env=environment)
    assert result.output.startswith("Usage: ./run_client.sh [OPTIONS]")
    assert "Try './run_client.sh --help' for help." in result.output
