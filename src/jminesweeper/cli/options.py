"""Options that can also be environment variables, and their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from jminesweeper import __version__

ENVIRONMENT: Final = "JMINESWEEPER"
LOOPBACK: Final = "127.0.0.1"
LEVEL: Final = click.Choice(["1", "2", "3", "easy", "medium", "hard"], case_sensitive=False)

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Number(click.IntRange):
    """A whole number, refused in plain words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(_refusal(value, self), param, ctx)


class Amount(click.FloatRange):
    """A number with or without a fraction, refused likewise."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(_refusal(value, self), param, ctx)


class ListenAddress(NamedTuple):
    """Where to listen."""

    host: str
    port: int


class ListenPlace(click.ParamType[ListenAddress]):
    """A port, of the loopback interface unless a host comes before it."""

    name = "[HOST:]PORT"

    def convert(
        self, value: str | ListenAddress, param: click.Parameter | None, ctx: click.Context | None
    ) -> ListenAddress:
        if not isinstance(value, str):
            return value
        host, _, port = value.rpartition(":")
        if not (port.isdecimal() and port.isascii() and int(port) <= 65535):
            self.fail(f"{value} is neither PORT nor HOST:PORT.", param, ctx)
        return ListenAddress(host.strip("[]") or LOOPBACK, int(port))


def _refusal(value: object, wanted: Number | Amount) -> str:
    if wanted.max is not None:
        return f"{value} is not a number from {wanted.min} to {wanted.max}."
    if wanted.min_open:
        return f"{value} is not a number above {wanted.min}."
    return f"{value} is not a number of {wanted.min} or more."


class VariableError(click.ClickException):
    """A wrong environment variable: reported in one line, since it was not typed here."""

    exit_code = 2


class _Option(click.Option):
    """An option that says which of its two names had the wrong value."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        try:
            return super().handle_parse_result(ctx, opts, args)
        except click.BadParameter as error:
            if ctx.get_parameter_source(self.name or "") is not ParameterSource.ENVIRONMENT:
                raise
            value = self.value_from_envvar(ctx)
            reason = f"{value} is neither 1 nor 0." if self.is_flag else error.message
            raise VariableError(f"{self.envvar}: {reason}") from error

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """Name the option alone: click would also name the variable, which is not at fault here."""
        return click.Parameter.get_error_hint(self, ctx)


def version_option(command: Decorated) -> Decorated:
    """Add `--version`, for users of the run scripts."""
    return click.version_option(
        __version__, prog_name="JMinesweeper", message="%(prog)s %(version)s"
    )(command)


def option(*names: str, variable: str = "", **settings: Any) -> Callable[[Decorated], Decorated]:
    """Declare an option that is also an environment variable, named after its long form."""
    long_name = next(name for name in names if name.startswith("--")).partition("/")[0]
    variable = variable or f"{ENVIRONMENT}{long_name[1:].replace('-', '_').upper()}"
    return click.option(*names, cls=_Option, envvar=variable, show_envvar=True, **settings)
