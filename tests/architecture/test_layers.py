import sys

import grimp
import pytest
from importlinter import api
from importlinter.application.use_cases import lint_imports

from tests.architecture.tree import ROOT

CONFIGURATION = str(ROOT / "pyproject.toml")
CONTRACTS = [each["id"] for each in api.read_configuration(CONFIGURATION)["contracts_options"]]


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("jminesweeper", include_external_packages=True, cache_dir=None)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_import_contract_holds(contract: str) -> None:
    # Not by the function of its command line: that one silences every logger there is for good.
    assert lint_imports(
        config_filename=CONFIGURATION, limit_to_contracts=(contract,), cache_dir=None, no_logo=True
    )


def test_core_needs_nothing_but_the_standard_library(graph: grimp.ImportGraph) -> None:
    allowed = sys.stdlib_module_names | {"jminesweeper"}
    imported = imports_of(graph, "jminesweeper.core")
    assert {name for name in imported if name.partition(".")[0] not in allowed} == set()


def test_stores_are_known_by_their_port_alone(graph: grimp.ImportGraph) -> None:
    strangers = {
        (importer, imported)
        for imported in graph.find_descendants("jminesweeper.store") | {"jminesweeper.store"}
        for importer in graph.find_modules_that_directly_import(imported)
        if not importer.startswith(("jminesweeper.store", "jminesweeper.cli"))
    }
    port = {"jminesweeper.store.port"}
    assert {pair for pair in strangers if pair[1] not in port} == set()


def test_only_the_command_line_knows_click(graph: grimp.ImportGraph) -> None:
    importers = graph.find_modules_that_directly_import("click")
    assert {name for name in importers if not name.startswith("jminesweeper.cli")} == set()


def imports_of(graph: grimp.ImportGraph, package: str) -> set[str]:
    inside = graph.find_descendants(package) | {package}
    return {name for module in inside for name in graph.find_modules_directly_imported_by(module)}
