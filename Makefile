# Every target sets up .venv first, anew when the requirements have changed.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: help setup demo play train leaderboard test check bench pictures docs notebooks clean

help:
	@echo "make demo    train a player for a few minutes and see how it fares"
	@echo "make play    the table at http://127.0.0.1:8000/"
	@echo "make train   train the two-deck player (a quarter of an hour; resumable)"
	@echo "make leaderboard  play what it lacks, and put its table into the README"
	@echo "make test    the everyday tests; SLOW=1 for all, ARGS='-k follow' for some"
	@echo "make check   style, types, import directions"
	@echo "make bench   speed, beside other environments; writes tests/bench/RESULTS.md"
	@echo "make pictures  the README's pictures, into docs/pictures"
	@echo "make docs    these pages as a site: build/docs/index.html"
	@echo "make notebooks  run the notebooks: pages in build/notebooks"
	@echo "make clean   remove what tools have made, .venv excepted"

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet -c constraints.txt -e ".[all]"
	@# the page is tested in a real browser
	@command -v chromium > /dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null \
		&& apt-get update -qq && apt-get install -y -qq chromium > /dev/null; } \
		|| echo "no Chromium: the tests of the page in a browser are left out"
	touch $@

demo: $(READY)
	$(BIN)/python -m train.demo

play: $(READY)
	$(BIN)/python -m agents.play

train: $(READY)
	$(BIN)/python -m train.dmc --config configs/train/dmc_two_deck.yaml

leaderboard: $(READY)
	$(BIN)/python -m agents.arena play --config configs/eval/leaderboard.yaml --out docs/results/leaderboard
	$(BIN)/python -m agents.arena readme docs/results/leaderboard README.md

test: export SLOW := $(SLOW)
test: $(READY)
	$(BIN)/python -m pytest $(ARGS)

check: $(READY)
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/pip install --quiet -c constraints.txt -e ".[bench]"
	$(BIN)/python -m tests.bench

pictures: $(READY)
	$(BIN)/python docs/pictures/make.py
	$(BIN)/python -m tests.web.pictures docs/pictures

docs: $(READY)
	$(BIN)/python docs/generate.py
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html docs build/docs
	@echo "build/docs/index.html"

notebooks: $(READY)
	$(BIN)/python -m jupyter nbconvert --config notebooks/nbconvert_config.py --execute \
		--output-dir build/notebooks notebooks/*.ipynb

clean:
	rm -rf build dist .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis
	find . -name __pycache__ -not -path "./.venv/*" -prune -exec rm -rf {} +
