import ast

from tests.architecture.tree import PACKAGE, TESTS, functions, modules, named, parse

LONGEST_FUNCTION = 60
LONGEST_MODULE = 400
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


def test_no_function_is_too_long_to_read() -> None:
    long = [
        f"{named(path)}:{function.lineno} {function.name}"
        for folder in (PACKAGE, TESTS)
        for path in modules(folder)
        for function in functions(path)
        if (function.end_lineno or 0) - function.lineno >= LONGEST_FUNCTION
    ]
    assert long == []


def test_no_module_is_too_long_to_read() -> None:
    lengths = {
        path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules(PACKAGE)
    }
    assert [named(path) for path, length in lengths.items() if length > LONGEST_MODULE] == []
