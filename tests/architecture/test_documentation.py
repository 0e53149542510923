"""The documents show what can be typed, and all that can be typed is in them."""

import contextlib
import itertools
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator

import click
import pytest

from jminesweeper.cli.main import main
from tests.architecture.tree import PACKAGE, ROOT, named

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
ASSIGNMENT = re.compile(r"\w+=")
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)")
PLACE = re.compile(r"`(\w+/[\w./]*)`")
NAMED_CODE = re.compile(r"`((?:[A-Z]\w+\.)+\w+|_\w+|[A-Z]\w*[a-z]\w*)`")
DEFINITION = r"(?m)^ *(?:(?:(?:async )?def|class) {0}\b|(?:self\.)?{0}(?::| =))"
DEFINED_IN = re.compile(r"`(\w+\.)?(\w+)` in `([\w/]+\.py)`")
PROGRAMS: dict[str, list[str]] = {
    "jminesweeper": [],
    "run_client.sh": ["client"],
    "run_server.sh": ["server"],
}
OPERATORS = set("();<>|&")


def calls() -> Iterator[tuple[str, ...]]:
    """Yield the arguments of `jminesweeper` in each line of it that a fenced block shows."""
    for block in BLOCK.findall(TEXT):
        for line in block.replace("\\\n", " ").splitlines():
            # Two blanks end a command: what follows explains it.
            command_line = re.split(r"\s{2,}", line.strip().removeprefix("$ "))[0]
            if any(program in command_line for program in PROGRAMS):
                with contextlib.suppress(ValueError):  # prose with an apostrophe
                    yield from filter(None, map(arguments_of, simple_commands(command_line)))


def simple_commands(line: str) -> Iterator[list[str]]:
    """Split a shell line at its operators; comments are gone."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words: list[str] = []
    for token in lexer:
        if set(token) <= OPERATORS:
            yield words
            words = []
        else:
            words.append(token)
    yield words


def arguments_of(words: list[str]) -> tuple[str, ...] | None:
    """The arguments, if the words call one of our programs; assignments may stand before it."""
    called = list(itertools.dropwhile(ASSIGNMENT.match, words)) or [""]
    program = called[0].rpartition("/")[2]
    return (*PROGRAMS[program], *called[1:]) if program in PROGRAMS else None


def context_of(
    command: click.Command, name: str, parent: click.Context | None = None
) -> click.Context:
    # A command remembers the help option of its first context: make none that differs.
    return click.Context(command, parent, info_name=name, **command.context_settings)


def commands(context: click.Context) -> Iterator[click.Context]:
    yield context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            subcommand = context.command.get_command(context, name)
            assert subcommand is not None
            yield from commands(context_of(subcommand, name, context))


def options() -> Iterator[tuple[str, str]]:
    for context in commands(context_of(main, "jminesweeper")):
        for parameter in context.command.get_params(context):
            if isinstance(parameter, click.Option) and not parameter.hidden:
                for name in parameter.opts + parameter.secondary_opts:
                    yield context.command_path, name


def is_documented(words: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(words)}(?![\w-])", TEXT) is not None


@pytest.mark.parametrize("arguments", sorted(set(calls())), ids=" ".join)
def test_a_command_line_that_is_shown_can_be_typed(arguments: tuple[str, ...]) -> None:
    context = context_of(main, "jminesweeper")
    _, rest, _ = main.make_parser(context).parse_args(list(arguments))
    if rest:
        subcommand = main.get_command(context, rest[0])
        assert subcommand is not None
        with contextlib.suppress(click.exceptions.Exit):  # --help
            subcommand.make_context(rest[0], rest[1:], context)


def test_the_documents_show_command_lines_at_all() -> None:
    assert len(set(calls())) >= 5


def test_the_reference_of_commands_is_up_to_date() -> None:
    result = subprocess.run(
        [sys.executable, "scripts/commands.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_man_pages_are_taken_without_a_warning(require_program: Callable[[str], str]) -> None:
    pages = sorted((ROOT / "docs" / "man").glob("*.1"))
    result = subprocess.run(
        [require_program("groff"), "-man", "-Tutf8", "-ww", "-z", *map(str, pages)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(pages) > 10
    assert result.stderr == ""


def test_every_command_is_documented() -> None:
    paths = [each.command_path for each in commands(context_of(main, "jminesweeper"))]
    assert [path for path in paths if not is_documented(path)] == []


def test_every_option_is_documented() -> None:
    assert [option for option in options() if not is_documented(option[1])] == []


def test_links_lead_somewhere() -> None:
    lost = [
        (named(document), target)
        for document in DOCUMENTS
        for target in LINK.findall(document.read_text(encoding="utf-8"))
        if not (document.parent / target).exists()
    ]
    assert lost == []


def test_what_a_newcomer_looks_for_is_where_the_page_says() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    places = PLACE.findall(page)
    assert [place for place in places if not (PACKAGE / place).exists()] == []
    definitions = DEFINED_IN.findall(page)
    texts = {place: (PACKAGE / place).read_text(encoding="utf-8") for *_, place in definitions}
    lost = [
        f"{name} in {place}"
        for _, name, place in definitions
        if not re.search(rf"^ *(?:def |class )?{name}\b", texts[place], re.MULTILINE)
    ]
    assert definitions
    assert lost == []


def stories() -> list[str]:
    """The five stories of how it is built, without the examples in them."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    told = page.partition("\n## Who wants to know")[0]
    told = re.sub(r"^```.*?^```$", "", told, flags=re.MULTILINE | re.DOTALL)
    return re.split(r"^### \d\. ", told, flags=re.MULTILINE)[1:]


def test_each_of_the_five_stories_names_eight_modules_at_most() -> None:
    named = [len(set(PLACE.findall(story))) for story in stories()]
    assert len(named) == 5
    assert [number for number in named if number > 8] == []


def test_whatever_the_five_stories_name_is_in_the_source() -> None:
    """A member is in the module of its class."""
    sources = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    names = {name for story in stories() for name in NAMED_CODE.findall(story)}

    def is_in(source: str, name: str) -> bool:
        return all(re.search(DEFINITION.format(part), source) for part in name.split("."))

    lost = [name for name in sorted(names) if not any(is_in(source, name) for source in sources)]
    assert len(names) > 50
    assert lost == []


def test_every_page_is_reached_from_the_first_one() -> None:
    linked = set(LINK.findall((ROOT / "README.md").read_text(encoding="utf-8")))
    pages = {named(document) for document in DOCUMENTS} - {"README.md"}
    assert pages - linked == set()


def test_every_target_of_make_is_documented() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z]+):", makefile, re.MULTILINE)
    assert len(targets) > 5
    assert [target for target in targets if f"`make {target}`" not in TEXT] == []


def test_every_operation_of_the_documents_is_found_in_the_library_by_its_name() -> None:
    asked = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")
    library = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    operations = re.findall(r"^\| `F:([a-z_]+)`", asked, re.MULTILINE)
    components = re.findall(r"^\| `E:([A-Z][A-Za-z ]+)`", asked, re.MULTILINE)
    assert len(operations) >= 9
    assert len(components) >= 6
    assert [name for name in operations if f"`{name}`" not in library] == []
    assert [name for name in components if f"\n| {name} |" not in library] == []
