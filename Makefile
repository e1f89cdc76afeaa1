# make help lists what there is. Everything lives in .venv and var/; nothing is installed elsewhere.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev run test test-fast lint bench soak clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: $(VENV)/.run-ready ## the virtual environment with what the server needs

setup-dev: $(VENV)/.dev-ready ## the same with what tests and checks need

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Install python3-venv first (apt-get install python3-venv)."; exit 1; }

$(VENV)/.run-ready: $(VENV)/bin/python requirements/run.txt
	@echo "Installing what the server needs (once) .."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	@touch $@

$(VENV)/.dev-ready: $(VENV)/bin/python requirements/dev.txt
	@echo "Installing what the tests need (once) .."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

run: setup ## start web, worker and scheduler on http://127.0.0.1:8000 (Ctrl-C stops all)
	@exec $(BIN)/python manage.py serve

test: setup-dev lint ## every check and every test, also on PostgreSQL and Redis
	@$(BIN)/python tests/run.py

test-fast: setup-dev ## the tests on SQLite only
	@$(BIN)/python -m pytest -q -n 2 tests

lint: setup-dev ## format, lint, types, import directions, migrations
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@FALLUJAH_VAR=$$(mktemp -d) $(BIN)/python manage.py makemigrations --check --dry-run
	@FALLUJAH_VAR=$$(mktemp -d) $(BIN)/python manage.py check_data

bench: setup-dev ## speed, as ratios against a peer in the same run
	@$(BIN)/python bench/run.py

soak: setup-dev ## 20,000 random whole games of each ruleset
	@for game in card_assault city_fighting phantom_fury second_fallujah; do $(BIN)/python bench/soak.py $$game --games 20000 || exit 1; done

clean: ## remove the virtual environment and caches (data in var/ stays)
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache staticfiles
