# Two targets do all set-up on a fresh machine: `make play` and `make test`. Both make .venv here.
# pip, not uv: it takes the CPU build of torch where one lies in pip's --find-links.
.PHONY: play test check lint bench page engines clean

PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000

play: .venv/play.stamp
	$(BIN)/zeroply serve --port $(PORT) --open

# Two processes with one thread each: more threads than cores make all wait.
test: export OMP_NUM_THREADS = 1
test: engines lint
	$(BIN)/pytest -n 2 --dist loadfile

# Fewer examples of each law than `make test` draws; and pytest keeps the test files that it has rewritten.
check: export PYTHONDONTWRITEBYTECODE =
check: lint
	$(BIN)/pytest -n 2 --dist loadfile --hypothesis-profile quick -m "not slow and not browser and not engine"

lint: .venv/dev.stamp
	$(BIN)/ruff format --check src tests bench reproduce
	$(BIN)/ruff check src tests bench reproduce
	$(BIN)/mypy

bench: .venv/dev.stamp
	$(BIN)/python -m bench

# The page's built files are committed, so that users need no Node; run this after a change in frontend/.
page:
	cd frontend && npm ci --no-audit --no-fund && npm run build

# What tests need of Debian. Without root, or elsewhere, the tests that need them are skipped by name.
engines:
	./.ci/install-debian-packages stockfish fairy-stockfish chromium

# Debian's Python comes without venv's pip. A failed attempt must not leave a .venv that looks finished.
.venv/bin/pip:
	$(PYTHON) -m venv .venv || { rm -rf .venv; ./.ci/install-debian-packages python3-venv && $(PYTHON) -m venv .venv; } \
		|| { rm -rf .venv; echo "no virtual environment: sudo apt-get install python3-venv"; exit 1; }

.venv/play.stamp: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/dev.stamp: pyproject.toml | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ .venv/play.stamp

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build
