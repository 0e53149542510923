import click
import pytest
from click.testing import CliRunner

from jminesweeper.cli.main import main
from jminesweeper.cli.options import option


@pytest.mark.parametrize(
    ("names", "variable"),
    [
        (("--host",), "JMINESWEEPER_HOST"),
        (("-c", "--idle-timeout"), "JMINESWEEPER_IDLE_TIMEOUT"),
        (("--mouse/--no-mouse",), "JMINESWEEPER_MOUSE"),
    ],
)
def test_an_option_is_an_environment_variable_named_after_its_long_form(
    names: tuple[str, ...], variable: str
) -> None:
    @click.command()
    @option(*names)
    def say(**given: object) -> None:
        click.echo(" ".join(map(str, given.values())))

    assert CliRunner().invoke(say, env={variable: "1"}).output in {"1\n", "True\n"}
    assert variable in CliRunner().invoke(say, ["--help"]).output


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("server --port 99999", "99999 is not in the range 0 to 65535."),
        ("server --idle-timeout 0", "0.0 is not in the range above 0."),
        ("bot --games 0", "0 is not in the range from 1 up."),
        ("bot --games many", "'many' is not a valid number."),
        ("replay --speed 0 game.txt", "0.0 is not in the range 0.01 to 1000."),
    ],
)
def test_a_number_out_of_range_is_refused_in_plain_words(typed: str, said: str) -> None:
    assert said in CliRunner().invoke(main, typed.split()).output
