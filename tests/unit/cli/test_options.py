import click
import pytest
from click.testing import CliRunner

from jminesweeper.cli.options import Number, option


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


def test_a_number_is_what_lies_in_its_range() -> None:
    assert Number(1, 255).convert("255", None, None) == 255


@pytest.mark.parametrize("text", ["0", "256", "ten", "1.5", ""])
def test_what_is_no_such_number_is_refused_in_plain_words(text: str) -> None:
    with pytest.raises(click.BadParameter) as refusal:
        Number(1, 255).convert(text, None, None)
    assert refusal.value.message == f"{text} is not a number from 1 to 255."
