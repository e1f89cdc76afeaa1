# make help lists what there is. Everything lives in .venv and var/; nothing is installed elsewhere.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev run test test-fast lint examples bench soak soak-api clean

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
	@FALLUJAH_VAR=$$(mktemp -d) $(BIN)/python manage.py check_schema

examples: setup-dev ## record the examples of the API reference anew (api/examples/)
	@FALLUJAH_WRITE_EXAMPLES=1 $(BIN)/python -m pytest -q -n 0 tests/api/test_examples.py

bench: setup-dev ## speed, as ratios against a peer in the same run
	@$(BIN)/python bench/run.py

soak: setup-dev ## every proof in full size: games, clocks, forgeries, storms, killed servers
	@FALLUJAH_PROVE=50 FALLUJAH_FUZZ=3000 FALLUJAH_LEAK_PAIRS=50 $(BIN)/python -m pytest -q -n 2 -s \
		-o faulthandler_timeout=7200 tests/api/test_schemathesis.py tests/api/test_raw.py tests/api/test_hidden.py
	@for game in card_assault city_fighting phantom_fury second_fallujah; do $(BIN)/python bench/soak.py $$game --games 20000 || exit 1; done
	@FALLUJAH_SCHEDULES=100000 FALLUJAH_HISTORIES=20000 FALLUJAH_CLOCK_MATCHES=10000 FALLUJAH_REMINDER_GAMES=1000 \
		$(BIN)/python -m pytest -q -o faulthandler_timeout=0 tests/ledger/test_calendar.py tests/ledger/test_timing.py tests/ledger/test_clock.py \
		tests/ledger/test_reminders.py
	@$(BIN)/python bench/guesses.py
	@FALLUJAH_FORGED=5880 FALLUJAH_STORM=10000 FALLUJAH_SURVIVAL=30 $(BIN)/python -m pytest -q -n 0 -s -o faulthandler_timeout=0 \
		tests/notifications/test_forged_matrix.py tests/notifications/test_storms.py tests/notifications/test_survival.py
	@$(BIN)/python bench/kills.py

soak-api: setup-dev ## the API's races, repeats and streams at full size, on PostgreSQL and Redis
	@FALLUJAH_ROUNDS=2000 FALLUJAH_ACTIONS=10000 FALLUJAH_CUTS=1000 FALLUJAH_IDLE=500 TEST_PROCESSES=0 \
		$(BIN)/python tests/run.py tests/api/test_big_races.py tests/api/test_stream_strength.py -s

clean: ## remove the virtual environment and caches (data in var/ stays)
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache staticfiles
