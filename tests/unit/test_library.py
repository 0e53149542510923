"""What `import jminesweeper` gives."""

from __future__ import annotations

import ast
import pickle
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
    assert {*jminesweeper.__all__, "__version__"} <= {*dir(jminesweeper)}


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
