# make         sets up .venv/bin/kortlek
# make play    a game in the terminal         make test    all tests
# make check   ruff and mypy                  make bench   ours and peers, side by side
# make docs    run the examples in the docs   make clean   forget the environment

PYTHON ?= python3.11
BIN := .venv/bin

.PHONY: setup play test check bench docs clean

setup: .venv/play
	@echo "Kortlek is ready: $(BIN)/kortlek --help"

play: .venv/play
	@$(BIN)/kortlek play plump

test: .venv/test
	$(BIN)/kortlek warmup
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report=term --cov-fail-under=95

check: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/bench
	$(BIN)/kortlek bench

docs: .venv/test
	$(BIN)/python -m pytest tests/test_docs.py

clean:
	rm -rf .venv

# Each environment is made once, and again when pyproject.toml changes.
.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Kortlek needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 2; }
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/play: .venv/made pyproject.toml
	@echo "Setting up Kortlek in .venv (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[fast]'
	@touch $@

.venv/test: .venv/made pyproject.toml
	@echo "Setting up Kortlek and its tests in .venv (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ .venv/play

.venv/bench: .venv/test pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@
