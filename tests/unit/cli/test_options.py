import click
import pytest
from click.testing import CliRunner

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
