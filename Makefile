# Everything sets itself up: `make demo` and `make test` work in a fresh clone.
PYTHON ?= python3
BIN := .venv/bin
# Tests wait for PostgreSQL and browsers as long as they compute: three workers per processor.
WORKERS ?= $(shell expr 3 \* $$(nproc))
PYTEST := $(BIN)/python -m pytest --dist=worksteal
# Processes that tests start reuse compiled files.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo serve check pure test slow fuzz model chaos mutants guard lint audit release artifacts image types clients fmt lock openapi lint-openapi bench golden docs weights calibration puzzles site pictures clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

# The marker is created last, so an interrupted installation never counts as complete.
.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "mcmulti needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch .venv/ready

demo: .venv/ready ## Four bots play a whole game over HTTP on a real Postgres
	$(BIN)/mcmulti demo $(ARGS)

serve: .venv/ready ## Keep a server running on ./data
	$(BIN)/mcmulti serve --folder data $(ARGS)

check: .venv/ready ## Lint, types, and the tests that need no database, server, or other program
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target lint types pure

pure: .venv/ready
	TESTS=quick $(PYTEST) --numprocesses=logical tests/pure $(ARGS)

test: .venv/ready ## Check every behavior once; ARGS=--all-checked fails if a program is missing, --times shows where time goes
	$(PYTEST) --numprocesses=$(WORKERS) --ignore=tests/slow $(ARGS)

slow: .venv/ready ## Run the long campaigns: faults, model, fuzz, generated clients, whole games in the browser
	$(PYTEST) --numprocesses=$(WORKERS) tests/slow $(ARGS)

fuzz: .venv/ready ## Look for bad responses at random; ARGS=--max-examples=1000 takes longer
	$(BIN)/python -m tests.slow.fuzz $(ARGS)

model: .venv/ready ## Compare servers with a model of them at random; ARGS="--examples 500 --steps 50 --seed 1"
	$(BIN)/python -m tests.slow.model $(ARGS)

chaos: .venv/ready ## Drive servers through every fault we know; ARGS="--seconds 120 --seed 1"
	$(BIN)/python -m tests.slow.chaos $(ARGS)

mutants: .venv/ready ## Change the code at random, report what no test notices; ARGS="--seconds 3600 --only mcmulti/domain"
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement tests/slow/mutants/requirements.lock
	$(BIN)/python -m tests.slow.mutants $(ARGS)

guard: .venv/ready ## Write the table of what requests cost, and print what changed
	$(BIN)/python -m tests.guard

lint: .venv/ready ## Check style, security, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

audit: .venv/ready ## Look up known vulnerabilities of what is installed, where their list can be reached
	$(BIN)/python -m tests.vulnerabilities

release: .venv/ready ## Check everything that a release needs; ARGS=--facts only version, changelog, and lock files
	$(BIN)/python -m tests.releasing $(ARGS)

artifacts: .venv/ready ## Build the packages of the last commit, with bills of materials and provenance, in dist/release
	$(BIN)/python -m tests.release.artifacts

image: .venv/ready ## Build the container image of the last commit in dist/image (needs podman and bubblewrap)
	$(BIN)/python -m tests.release.image

types: .venv/ready ## Check types
	$(BIN)/mypy

fmt: .venv/ready ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clients: .venv/ready ## Play on generated clients (needs node)
	$(BIN)/python -m pytest tests/clients tests/slow/clients $(ARGS)

openapi: .venv/ready ## Write the OpenAPI document into openapi/; ARGS=--breaking if clients may break
	$(BIN)/python -m tests.api.record_examples
	$(BIN)/mcmulti openapi openapi $(ARGS)

lint-openapi: .venv/ready ## Lint the OpenAPI document and those of each rule set (needs node)
	$(BIN)/mcmulti openapi openapi $(ARGS)
	cd openapi && npm ci --ignore-scripts --no-audit --no-fund && npm run --silent lint

bench: .venv/ready ## Run all benchmarks, write benchmarks/RESULTS.md; ARGS="--quick --only rules" (see ARGS=--help)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement benchmarks/requirements.lock
	$(BIN)/python -m benchmarks $(ARGS)

LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
  --no-annotate --upgrade

lock: .venv/ready ## Renew all lock files (needs uv)
	$(LOCK) --group dev --extra mcp --extra otel --extra training pyproject.toml --output-file requirements.lock
	$(LOCK) --extra otel --constraint requirements.lock pyproject.toml --output-file deploy/requirements.lock
	$(LOCK) deploy/image/tools.in --output-file deploy/image/tools.lock
	$(BIN)/python -m tests.release.image --lock
	$(LOCK) examples/python_bot/requirements.in --output-file examples/python_bot/requirements.lock
	$(LOCK) tests/slow/clients/requirements.in --output-file tests/slow/clients/requirements.lock
	$(LOCK) --constraint requirements.lock tests/slow/mutants/requirements.in --output-file tests/slow/mutants/requirements.lock
	$(LOCK) --constraint requirements.lock docs/requirements.in --output-file docs/requirements.lock
	printf 'catanatron\neventsourcing[postgres]\nopen-spiel\npygame\n' | $(LOCK) - --output-file benchmarks/requirements.lock

golden: .venv/ready ## Record missing golden games, and the files that later versions must match
	$(BIN)/python -m tests.golden.record
	$(BIN)/python -m tests.api.record_examples
	$(BIN)/python -m tests.golden.released
	$(BIN)/python -m tests.golden.example

docs: .venv/ready ## Write what follows from the code and the contract: tables, vectors, types of bots
	$(BIN)/python -m tests.bots.contract_types
	$(BIN)/python -m tests.docs.tables
	$(BIN)/python -m tests.docs.vectors

weights: .venv/ready ## Make the weights of the networks at the ends of rollouts from their seeds, byte for byte: 2,500 games, 3 minutes
	rm -rf dist/weights
	$(BIN)/python -m benchmarks.magnate play dist/weights --games 2500
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.magnate fit dist/weights

calibration: .venv/ready ## Measure how far to trust winning chances, and draw the plots: 6 minutes; ARGS="--only mcmulti"
	$(BIN)/python -m benchmarks.calibration $(ARGS)
	$(MAKE) docs

puzzles: .venv/ready ## Make the puzzles that come with the package, from their seeds
	$(BIN)/mcmulti puzzles --ruleset mcmulti --players 2 --games 8 --most 8 --rollouts 100 --seed 1 --output mcmulti/puzzles/mcmulti.json

site: .venv/ready ## Build the docs as a static site with search in dist/site; a dead link is an error
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement docs/requirements.lock
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs dist/site

pictures: .venv/ready ## Take the pictures of the README and make the icons anew (needs chromium)
	$(BIN)/python -m tests.docs.icons
	$(BIN)/python -m tests.docs.pictures

clean: ## Remove everything that can be rebuilt
	rm -rf .venv .mypy_cache .ruff_cache .hypothesis dist
