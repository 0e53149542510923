# `make test` on a fresh machine sets itself up and passes; `make check` is for before a commit.

BIN := .venv/bin
# Tests wait for the processes that they start: two cores are busy only while several tests run. Six
# at once take 3:00, four 3:20. CI runs the browser's tests beside them.
# Those tests follow each other, so whoever is done with its share takes over half of another's.
JOBS ?= $(if $(CI),4,6)
ARGS ?=
SECONDS ?= 600
FUZZERS := $(patsubst tests/fuzz/%.py,tests.fuzz.%,\
	$(filter-out tests/fuzz/__init__.py tests/fuzz/test_%,$(wildcard tests/fuzz/*.py)))
CODE := src tests scripts $(wildcard benchmarks)

# CI enforces the coverage, `make check` too; `make test` alone is content with passing tests,
# because a machine without tmux or Redis skips what needs them.
COVERAGE := $(if $(CI),--cov --cov-report=term:skip-covered)

PAGE := -o cache_dir=.pytest_cache/page tests/browser

# CI runs once more, one by one and up to the first failure, what failed beside others on a machine
# that is not ours: its verdict is about the code. What failed only once is in its output.
AGAIN = { [ $$? = 1 ] && [ -n "$(CI)" ] && $(BIN)/python -m pytest --last-failed \
	--last-failed-no-failures=none --exitfirst $(if $(findstring --cov,$(1)),--cov-append) $(1); }

# Hundreds of tests start a program: where nothing compiled may be kept, each would compile it anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup test test-code test-page check format lint types layers requirements commands \
	reference packages release stores bench fuzz clean

setup:
	@bash -c 'set -eu; . scripts/ensure-venv.sh; ensure_venv "$$PWD" test'

# The browser's driver keeps an event loop in its thread: its tests have processes to themselves, and
# what failed of them has a list of its own. With `make --jobs=2 test` each half works while the other waits.
test: test-code test-page

test-code: setup
	$(BIN)/python -m pytest -n $(JOBS) --dist=worksteal $(COVERAGE) --ignore=tests/browser $(ARGS) \
		|| $(call AGAIN,$(COVERAGE) --ignore=tests/browser)

test-page: setup
	$(BIN)/python -m pytest -n 3 --dist=worksteal $(PAGE) $(ARGS) || $(call AGAIN,$(PAGE))

check: format lint types layers
	@$(MAKE) --no-print-directory test COVERAGE="--cov --cov-report=term:skip-covered"

# Formats in place; in CI a file that would change is a failure.
format: setup
	$(BIN)/ruff format $(if $(CI),--check) $(CODE)

lint: setup
	$(BIN)/ruff check $(CODE)

types: setup
	$(BIN)/mypy

layers: setup
	$(BIN)/lint-imports --no-logo

# Rewrites who proves what in docs/requirements.md; in CI a table that would change is a failure.
requirements: setup
	$(BIN)/python scripts/requirements.py $(if $(CI),--check)

# Rewrites the reference of commands from the commands.
commands: setup
	$(BIN)/python scripts/commands.py

# Writes the reference of the library from its docstrings: build/reference/index.html.
reference: setup
	$(BIN)/python scripts/reference.py

# Builds the packages, plays with the installed wheel, and tests the source distribution.
packages: setup
	$(BIN)/python scripts/packages.py $(ARGS)

# Checks that this commit is a release: tag, version, changelog, a kept store; then the packages.
release: setup
	$(BIN)/python scripts/release.py $(ARGS)

# Writes the store that later versions are tested with; after the release of a version never again.
stores: setup
	$(BIN)/python -m tests.upgrade.played

bench: setup
	$(BIN)/python -m benchmarks $(ARGS)

# Each fuzzer for SECONDS, then the property tests with a hundred times the examples of `make test`,
# new ones every time, a thousand servers killed, and Redis two hundred times.
fuzz: setup
	for fuzzer in $(FUZZERS); do $(BIN)/python -m $$fuzzer --seconds $(SECONDS) || exit 1; done
	$(BIN)/python -m pytest tests/property tests/integration/test_durability_crashes.py \
		tests/integration/test_durability_outages.py tests/integration/test_torture.py \
		--hypothesis-profile=long --timeout=0 -n $(JOBS) $(ARGS)

clean:
	rm -rf .venv dist build .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache \
		.import_linter_cache .hypothesis .bench
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
