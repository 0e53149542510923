"""The names that `import jminesweeper` gives."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import dis
import pickle
import pydoc
import re
import subprocess
import sys
import typing
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from types import FunctionType

import pytest

import jminesweeper

ROOT = Path(__file__).parents[2]
DOCUMENTED = (type, FunctionType, property, staticmethod, classmethod)
HEAVY = ("asyncio", "jminesweeper.solver", "jminesweeper.bot")


def promised() -> dict[str, str]:
    """Every name that type checkers see, with the package that has it."""
    tree = ast.parse(Path(jminesweeper.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {
        alias.name: node.module
        for node in imports
        for alias in node.names
        if node.module is not None and node.module.startswith("jminesweeper.")
    }


def modules_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


def test_every_name_of_the_library_is_what_type_checkers_take_it_for() -> None:
    assert sorted(promised()) == sorted(jminesweeper.__all__)
    for name, home in promised().items():
        value = getattr(jminesweeper, name)
        assert value is getattr(sys.modules[home], name)


def test_every_name_of_the_library_is_listed() -> None:
    assert {*jminesweeper.__all__, "__version__"} == {*dir(jminesweeper)}


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(ImportError, match="Board"):
        exec("from jminesweeper import Board")
    assert not hasattr(jminesweeper, "logging")


def test_the_solver_and_the_network_are_loaded_when_they_are_needed() -> None:
    assert modules_after("import jminesweeper").isdisjoint(HEAVY)
    assert "jminesweeper.bot" not in modules_after("from jminesweeper import analyse")
    networked = modules_after("from jminesweeper import connect")
    assert "jminesweeper.solver" not in networked
    assert len([name for name in networked if name.startswith("jminesweeper.")]) <= 60


def test_a_traceback_names_the_library_and_not_where_an_error_is_made() -> None:
    errors = [
        getattr(jminesweeper, name) for name in jminesweeper.__all__ if name.endswith("Error")
    ]
    assert {error.__module__ for error in errors} == {"jminesweeper"}
    assert all(pickle.loads(pickle.dumps(error("why"))).args == ("why",) for error in errors)


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("Setup.of((9, 9), 10, seed=1)", r"board must be a text or a Size, not \(9, 9\)"),
        ("Setup.of('beginner', 'ten', seed=1)", "mine_count must be a number, not 'ten'"),
        ("Setup.of('beginner', rules=5, seed=1)", "rules must be a text or Rules, not 5"),
        ("Setup.of('beginner', seed='x')", "seed must be a number, not 'x'"),
        ("Setup.of('beginner', layout='x')", "layout must be a set of cells as a number, not 'x'"),
        ("Setup.of('beginner', seed=1, first=4)", "first must be a column and a row, not 4"),
        ("Size('9', 9)", "columns must be a number, not '9'"),
        ("Solver(game.setup)", "rules must be a text or Rules, not <Setup"),
        ("Game('beginner')", "setup must be a Setup, not 'beginner'"),
        ("game.reveal(5)", "cell must be a column and a row, not 5"),
        ("game.reveal((4.5, 4))", r"cell must be a column and a row, not \(4.5, 4\)"),
        ("game.flag((4, 4), 2.5)", "at_ms must be whole milliseconds, not 2.5"),
        ("game.flag((4, 4), 'x')", "at_ms must be whole milliseconds, not 'x'"),
        ("game.view.cells((4, 4))", r"among must be a set of cells as a number, not \(4, 4\)"),
        ("game.grid.neighbours((4, 4))", r"mask must be a set of cells as a number, not \(4, 4\)"),
        ("is_adjacent(None, (1, 1))", "one must be a column and a row, not None"),
        ("is_adjacent((1, 1), 2)", "other must be a column and a row, not 2"),
        ("measure_board(game, game.setup.rules)", "field must be a Minefield, not <Game"),
        ("measure_board(parse_board('* .'), 3)", "rules must be Rules, not 3"),
        ("format_game(None)", "game must be a Game, not None"),
        ("format_rawvf(None)", "game must be a Game, not None"),
        ("parse_rawvf(7)", "text must be a text, not 7"),
        ("format_seed_code('x')", "setup must be a Setup, not 'x'"),
        ("daily_setup('2026-11-18', 'expert', bytes(32))", "day must be a date"),
        ("daily_setup(datetime(2026, 11, 18), 'expert', bytes(32))", "day must be a date"),
        ("daily_setup(date(2026, 11, 18), 'expert', 'x')", "seed must be bytes, not 'x'"),
        ("seeded_bits('x')", "seed must be a number, not 'x'"),
        ("connect(None)", "server must be a text, not None"),
        ("game.apply((1, 2))", r"action must be an Action, not \(1, 2\)"),
        ("game.view['a1', 2, 3]", "cell must be a column and a row, not"),
        ("analyse(game)", "view must be a PlayerView, such as game.view, not <Game"),
        ("explain(game)", "view must be a PlayerView"),
        ("explain(game.view, 5)", "near must be a column and a row, not 5"),
        ("Solver().choose(game)", "view must be a PlayerView"),
        ("Solver().choose(game.view, 5)", "near must be a column and a row, not 5"),
        ("generate_no_guess(game)", "setup must be a Setup"),
        ("review(game.view)", "game must be a Game"),
        ("parse_game(7)", "text must be a text, not 7"),
        ("parse_board(7)", "text must be a text, not 7"),
        ("parse_seed_code(7)", "text must be a text, not 7"),
    ],
)
def test_an_argument_of_another_kind_is_named_by_the_error(call: str, why: str) -> None:
    names = {name: getattr(jminesweeper, name) for name in jminesweeper.__all__}
    names["game"] = game = jminesweeper.Game(jminesweeper.Setup.of("beginner", seed=1))
    names |= {"date": date, "datetime": datetime}
    before = game.view
    with pytest.raises(jminesweeper.ArgumentError, match=f"^{why}") as refused:
        eval(call, names)
    assert isinstance(refused.value, (TypeError, jminesweeper.JMinesweeperError))
    assert (game.view, len(game.log)) == (before, 0)


@pytest.mark.parametrize("call", ["analyse(view)", "Solver().choose(view)", "explain(view)"])
def test_a_game_that_is_over_has_nothing_left_to_find_out(call: str) -> None:
    game = jminesweeper.Game(jminesweeper.Setup.of(jminesweeper.Size(2, 1), layout=1))
    game.reveal((1, 0))
    names = {name: getattr(jminesweeper, name) for name in jminesweeper.__all__}
    with pytest.raises(jminesweeper.JMinesweeperError, match="the game is over"):
        eval(call, {**names, "view": game.view})


def test_a_cell_is_a_pair_everywhere() -> None:
    game = jminesweeper.Game(jminesweeper.Setup.of("beginner", seed=1))
    game.reveal((4, 4))
    view = game.view
    assert jminesweeper.analyse(view).chance((4, 4)) == 0
    assert jminesweeper.explain(view, (0, 0)) == jminesweeper.explain(view, jminesweeper.Cell(0, 0))
    assert jminesweeper.Solver().choose(view, (0, 0)).cell in view
    assert view.cells(~view.visible) == [cell for cell in view if not view.is_visible(cell)]


def test_a_notebook_shows_a_game_and_its_chances() -> None:
    game = jminesweeper.Game(jminesweeper.Setup.of(jminesweeper.Size(3, 1), layout=1))
    game.reveal((1, 0))
    assert game._repr_html_() == game.view._repr_html_()
    chances = re.findall(r"<td[^>]*>(\d*)</td>", jminesweeper.analyse(game.view)._repr_html_())
    assert chances == ["50", "", "50"]


@pytest.mark.parametrize("rules", jminesweeper.PRESETS)
def test_a_solver_plays_by_any_rules_to_the_end(rules: str) -> None:
    game = jminesweeper.Game(jminesweeper.Setup.of("beginner", rules=rules, seed=1))
    solver = jminesweeper.Solver(rules)
    while not game.status.is_over:
        assert game.apply(solver.choose(game.view).action)


STANDARD = {*dir(builtins), *dir(typing), *dir(collections.abc), "Fraction", "date"}
STANDARD |= {"AbstractAsyncContextManager"}


def signatures() -> Iterator[tuple[str, Iterable[object]]]:
    """Annotations of everything that a program calls or looks at; constructors aside."""
    for name in jminesweeper.__all__:
        value = getattr(jminesweeper, name)
        if isinstance(value, FunctionType):
            yield name, value.__annotations__.values()
        for member, defined in vars(value).items() if isinstance(value, type) else ():
            called = defined.fget if isinstance(defined, property) else defined
            called = getattr(called, "__func__", called)
            if not member.startswith("_") and isinstance(called, FunctionType):
                yield f"{name}.{member}", called.__annotations__.values()


def test_every_name_in_a_public_signature_is_a_name_of_the_library() -> None:
    allowed = STANDARD | set(jminesweeper.__all__)
    unknown = {
        (place, word)
        for place, annotations in signatures()
        for annotation in annotations
        for word in re.findall(r"[A-Za-z_]\w*", str(annotation))
        if word not in allowed
    }
    assert unknown == set()


def test_every_name_of_the_library_is_on_its_page() -> None:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    missing = [name for name in jminesweeper.__all__ if not re.search(rf"\b{name}\b", page)]
    assert missing == []


def test_the_reference_has_every_name_with_its_words(tmp_path: Path) -> None:
    command = [sys.executable, "scripts/reference.py", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'<section id="(\w+)">', page) == sorted(jminesweeper.__all__, key=str.lower)
    assert "reveal(cell: Place, at_ms: int = 0) -&gt; bool" in page
    assert "Flag a covered cell, or remove its flag." in page
    assert " at 0x" not in page


def test_a_game_has_one_spelling_wherever_it_is_played() -> None:
    """mypy checks the assignments, this test what they are."""
    kinds: list[type[jminesweeper.AnyGame]] = [
        jminesweeper.Game,
        jminesweeper.RemoteGame,
        jminesweeper.RoomGame,
    ]

    def said_of(game: jminesweeper.AnyGame) -> tuple[str, str]:
        return game.rules.name, game.status.value

    game = jminesweeper.Game(jminesweeper.Setup.of("beginner", seed=1))
    assert said_of(game) == ("classic", "ongoing")
    spelled = [name for name in vars(jminesweeper.AnyGame) if not name.startswith("_")]
    assert spelled == ["setup", "rules", "view", "status", "elapsed_ms"]
    for name in ("reveal", "flag", "chord", "undo", "apply"):
        assert all(hasattr(kind, name) for kind in kinds)


@pytest.mark.parametrize(
    "name",
    ["status", "visible", "flagged", "questioned", "known", "exploded", "assisted", "elapsed_ms"],
)
def test_what_a_game_has_come_to_can_only_be_read(name: str) -> None:
    game = jminesweeper.Game(jminesweeper.Setup.of("beginner", seed=1))
    with pytest.raises(AttributeError):
        setattr(game, name, getattr(game, name))


def attributes_of(kind: type) -> set[str]:
    """Names that a class declares, or that its objects are given when they are made."""
    made = vars(kind).get("__init__")
    steps = dis.get_instructions(made) if isinstance(made, FunctionType) else ()
    given = {step.argval for step in steps if step.opname == "STORE_ATTR"}
    declared = set(vars(kind).get("__annotations__", ()))
    return {name for name in given | declared if not name.startswith("_")}


@pytest.mark.parametrize("name", jminesweeper.__all__)
def test_help_names_every_attribute(name: str) -> None:
    value = getattr(jminesweeper, name)
    if isinstance(value, type) and not issubclass(value, tuple | Exception | Enum):
        text = pydoc.plain(pydoc.render_doc(value))
        assert {
            each for each in attributes_of(value) if not re.search(rf"\b{each}\b", text)
        } == set()


def test_help_on_a_game_explains_its_boards() -> None:
    assert {"grid", "log", "is_full"} < attributes_of(jminesweeper.Game)
    text = pydoc.plain(pydoc.render_doc(jminesweeper.Game))
    assert re.search(r"visible\n +\|? +The visible cells\.", text)


def test_a_connection_says_where_it_leads() -> None:
    calls = (jminesweeper.connect("example.org", "beginner"), jminesweeper.connect(room="KTPQA"))
    assert [*map(repr, calls)] == [
        "<connect example.org:9999, beginner 9x9>",
        "<connect 127.0.0.1:9999, KTPQA>",
    ]


def test_everything_in_it_has_a_docstring() -> None:
    named = {name: getattr(jminesweeper, name) for name in jminesweeper.__all__}
    classes = [each for each in named.values() if isinstance(each, type)]
    members = {
        f"{each.__name__}.{name}": member
        for each in classes
        for name, member in vars(each).items()
        if not name.startswith("_") and isinstance(member, DOCUMENTED)
    }
    things = {name: each for name, each in named.items() if isinstance(each, DOCUMENTED)}
    assert [name for name, each in (things | members).items() if not each.__doc__] == []
