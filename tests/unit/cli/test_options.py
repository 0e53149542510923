import click
import pytest
from click.testing import CliRunner

from jminesweeper.cli.options import Amount, Number, option


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


@pytest.mark.parametrize(
    ("wanted", "refusal"),
    [
        (Number(1), "x is not a number of 1 or more."),
        (Amount(0, min_open=True), "x is not a number above 0."),
        (Amount(0.5, 2.5), "x is not a number from 0.5 to 2.5."),
    ],
)
def test_so_is_what_is_outside_of_any_range(wanted: Number | Amount, refusal: str) -> None:
    with pytest.raises(click.BadParameter) as caught:
        wanted.convert("x", None, None)
    assert caught.value.message == refusal


def test_an_amount_may_have_a_fraction() -> None:
    assert Amount(0, min_open=True).convert("0.5", None, None) == 0.5


@click.command()
@option("--rows", type=Number(1, 255))
@option("--mouse/--no-mouse")
def play(**given: object) -> None:
    click.echo(str(given))


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("JMINESWEEPER_ROWS", "256", "JMINESWEEPER_ROWS: 256 is not a number from 1 to 255."),
        ("JMINESWEEPER_MOUSE", "perhaps", "JMINESWEEPER_MOUSE: perhaps is neither 1 nor 0."),
    ],
)
def test_a_wrong_variable_is_told_in_one_line(variable: str, value: str, told: str) -> None:
    result = CliRunner().invoke(play, env={variable: value})
    assert (result.exit_code, result.output) == (2, f"Error: {told}\n")


def test_a_wrong_option_is_told_by_the_name_that_was_typed() -> None:
    result = CliRunner().invoke(play, ["--rows", "0"], env={"JMINESWEEPER_ROWS": "5"})
    assert result.exit_code == 2
    assert "Invalid value for '--rows': 0 is not a number from 1 to 255.\n" in result.output
