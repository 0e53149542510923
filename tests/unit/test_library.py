"""What `import jminesweeper` gives."""

from __future__ import annotations

import ast
import pickle
import re
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

import jminesweeper

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
        ("Setup.of((9, 9), 10, seed=1)", r"SetupError: a board is a text or a Size, not \(9, 9\)"),
        ("Setup.of('beginner', rules=5, seed=1)", "SetupError: rules are a text or Rules"),
        ("Solver(game.setup)", "SetupError: rules are a text or Rules, not <Setup"),
        ("Game('beginner')", "SetupError: a game is played on a Setup, not on 'beginner'"),
        ("game.reveal(5)", "CellError: a cell is a column and a row, not 5"),
        ("game.view['a1', 2, 3]", "CellError: a cell is a column and a row, not"),
        ("analyse(game)", "HiddenError: a solver sees a PlayerView, such as game.view, not <Game"),
        ("explain(game)", "HiddenError: a solver sees a PlayerView"),
        ("Solver().choose(game)", "HiddenError: a solver sees a PlayerView"),
    ],
)
def test_a_value_of_another_kind_is_an_error_of_the_library(call: str, why: str) -> None:
    names = {name: getattr(jminesweeper, name) for name in jminesweeper.__all__}
    names["game"] = jminesweeper.Game(jminesweeper.Setup.of("beginner", seed=1))
    with pytest.raises(jminesweeper.JMinesweeperError) as refused:
        eval(call, names)
    assert re.match(why, f"{type(refused.value).__name__}: {refused.value}")


@pytest.mark.parametrize("rules", jminesweeper.PRESETS)
def test_a_solver_plays_by_any_rules_to_the_end(rules: str) -> None:
    game = jminesweeper.Game(jminesweeper.Setup.of("beginner", rules=rules, seed=1))
    solver = jminesweeper.Solver(rules)
    while not game.status.is_over:
        assert game.apply(solver.choose(game.view).action)


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
