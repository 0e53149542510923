import ast

from tests.architecture.tree import PACKAGE, modules, named, parse

VAGUE = {"common", "helper", "helpers", "manager", "misc", "tools", "util", "utils"}


def test_every_package_says_what_it_is_in_words_of_its_own() -> None:
    packages = [path for path in modules(PACKAGE) if path.name == "__init__.py"]
    docstrings = {named(path): ast.get_docstring(parse(path)) or "" for path in packages}
    folders = {named(path.parent / "__init__.py") for path in modules(PACKAGE)}
    assert folders - docstrings.keys() == set()
    assert [path for path, docstring in docstrings.items() if not docstring] == []
    assert len(set(docstrings.values())) == len(docstrings)


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [named(path) for path in modules(PACKAGE) if path.stem in VAGUE] == []
