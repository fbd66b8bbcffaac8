# Commands for developers. Requirements: Rust, Python >= 3.10, make and a C compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST := Cargo.toml $(wildcard Cargo.lock) $(shell find crates -name '*.rs' -o -name '*.toml')
# A stamp marks a step as done; make runs it again only when its sources have changed.
# The extension has one place and two builds, of which the last one stays: the release build for users, and the build for tests, which
# compiles much faster, runs slower, and checks its arithmetic.
INSTALLED := $(VENV)/.installed
TESTED := $(VENV)/.tested
# Build for demos and pictures: continuous integration has only the second.
BUILD ?= $(INSTALLED)
# One worker per processor, and one more to use waiting time; tests/tiers.py has the tiers, and the groups that share a worker.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST = $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup --no-loadscope-reorder
# Settings that maturin gives the build script of PyO3; other settings would rebuild PyO3 and everything that depends on it.
AS_MATURIN = $(addprefix PYO3_BUILD_EXTENSION_MODULE=1 PYO3_CONFIG_FILE=,$(shell ls $(CURDIR)/target/maturin/pyo3-config-*.txt 2>/dev/null))

# Share one build of the core among the linters, the tests and the tested extension.
AS_TESTED := --features sledsim-py/as-tested
# This command also builds the binding, with the settings of maturin. Tests of servers mostly wait, so more threads run than there are
# processors.
CARGO_TEST = $(AS_MATURIN) RUST_TEST_THREADS=8 cargo test --workspace $(AS_TESTED) --quiet

.DEFAULT_GOAL := help
# Options of the run of mutants: --quick, --whole, or names of mutants or files; --random N --seed S draws N mutants.
MUTANTS ?=
# Options of the list of stale figures: --quick, --write, or names of pages.
FIGURES ?=
# Tests to measure again: files, or all.
TESTS ?=
# Numbers of cases of the long tests.
LONG_PROPTEST_CASES ?= 2000
LONG_FUZZ_CASES ?= 10000000
LONG_SOAK_REQUESTS ?= 10000000
# The simulator as WebAssembly, and the page that contains it, which is part of the site if it can be built.
MODULE := target/wasm32-unknown-unknown/small/sledsim_wasm.wasm
LIVE := live/dist/live.html
# Copy of the page into which `sledsim view` puts runs.
VIEWED := python/sledsim/pages/live.html
BUNDLER := live/node_modules/.package-lock.json
# The site leaves the page out if Node or the target is missing.
CAN_LIVE = $(shell command -v npm >/dev/null && test -d "$$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null)" \
	&& echo live)
# Look for the target only when the site is built.
.SECONDEXPANSION:
.PHONY: help about live release-check parameters figures site demo picture test test-all test-rust test-python test-long costs mutants bench \
	lint lint-rust lint-python lint-stubs format clean

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Runs before any build: cargo refuses crates that require different versions of each other.
about: $(VENV)/.maturin ## Update the version and the project's URL in all files from Cargo.toml.
	PYTHONPATH=python $(BIN)/python -m tests.about

release-check: $(TESTED) ## Build all files of a release and try them as a user would: takes a quarter of an hour.
	.ci/release-check

parameters: $(BUILD) ## Regenerate docs/reference/parameters.md, counts of verdicts and pictures of tables.
	$(BIN)/python -m tests.parameters_page
	$(BIN)/python -m docs.images.figures

site: $(VENV)/.docs $$(CAN_LIVE) ## Build the documentation as a web site in site/, offline.
	$(BIN)/python -m docs.site --live $(LIVE)

demo: $(BUILD) ## Replay a real ext4 trace under four schedulers; results in demo-out/.
	$(BIN)/sledsim demo --out demo-out

live: $(BUNDLER) ## Build the page in which the simulator runs, live/dist/live.html; needs Node, and rustup target add wasm32-unknown-unknown.
	cargo build --package sledsim-wasm --profile small --target wasm32-unknown-unknown
	node live/tools/size.js $(MODULE)
	npm run --silent check --prefix live
	node live/tools/build.js $(MODULE) $(LIVE)
	cp $(LIVE) $(VIEWED)

picture: demo ## Redraw the picture of the README.
	cp demo-out/compare.svg docs/images/demo.svg

test: lint ## Run every linter, all Rust tests, and the every-change tier of the Python tests.
	$(CARGO_TEST) --no-run
	$(MAKE) --no-print-directory -j2 test-rust test-python TIER=--every-change

test-all: lint ## Run every linter, every test, a few mutants and the demo.
	$(CARGO_TEST) --no-run
	$(MAKE) --no-print-directory -j2 test-rust test-python
	$(MAKE) mutants MUTANTS=--quick
	$(MAKE) demo BUILD=$(TESTED)

# Property tests draw equal cases each time; make test-long draws others. The output of the Rust tests is printed at their end, apart from
# the dots of the Python tests.
test-rust:
	@printed=$$(MAKEFLAGS= PROPTEST_RNG_SEED=1 $(CARGO_TEST) 2>&1); status=$$?; printf '%s\n' "$$printed"; exit $$status

test-python:
	MAKEFLAGS= $(PYTEST) $(TIER)

# One worker only: parallel tests slow each other down and would seem more costly.
costs: WORKERS = 1
costs: $(TESTED) ## Measure the cost of each test for tests/costs.json. TESTS=tests/cli measures some tests.
	$(PYTEST) --costs tests/costs.json $(TESTS)

figures: $(TESTED) ## List stale numbers in tables of the documentation: takes minutes. FIGURES=--write updates them.
	$(BIN)/python -m tests.docs_numbers $(FIGURES)

mutants: $(TESTED) ## Put faults into a copy of the crates and list the tests that find each. MUTANTS=--quick tries a few, '--random N' draws N.
	$(BIN)/python -m tests.mutants $(MUTANTS)

test-long: lint ## Run all tests with many more cases, damaged traces and mutants: takes hours.
	PROPTEST_CASES=$(LONG_PROPTEST_CASES) SLEDSIM_FUZZ_CASES=$(LONG_FUZZ_CASES) SLEDSIM_SOAK_REQUESTS=$(LONG_SOAK_REQUESTS) \
		$(CARGO_TEST) --no-fail-fast
	$(PYTEST) --hypothesis-profile=long
	$(MAKE) mutants MUTANTS=--whole

bench: $(INSTALLED) ## Run the benchmarks, first the cost of each case against bench/baseline.json.
	$(BIN)/python bench/baseline.py
	cargo bench
	for script in $(sort $(filter-out bench/baseline.py,$(wildcard bench/*.py))); do $(BIN)/python $$script || exit 1; done

lint: $(VENV)/.maturin ## Run the linters only.
	$(MAKE) --no-print-directory -j2 lint-rust lint-python lint-stubs

# Each linter keeps one processor busy; the Python linter runs while the extension is built.
lint-rust: $(TESTED)
	rustfmt --check $(filter %.rs,$(RUST))
	$(AS_MATURIN) cargo clippy --workspace $(AS_TESTED) --all-targets --quiet -- -D warnings

lint-python: $(VENV)/.packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lint-stubs: $(TESTED)
	$(BIN)/python -m mypy.stubtest sledsim._native

# Call rustfmt directly: cargo fmt skips files that the macro of a table declares.
format: $(VENV)/.packages ## Format all sources.
	rustfmt $(filter %.rs,$(RUST))
	$(BIN)/ruff format .

clean: ## Remove all build results.
	rm -rf $(VENV) target dist site demo-out live/dist live/node_modules python/sledsim/_native*.so $(VIEWED) \
		.pytest_cache .mypy_cache .ruff_cache

$(BUNDLER): live/package-lock.json
	npm ci --silent --no-audit --no-fund --prefix live

$(VENV)/.created:
	@command -v cargo >/dev/null || { echo "error: Rust is not installed: see https://rustup.rs" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
		|| { echo "error: $(PYTHON) is older than 3.10: run make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.maturin: $(VENV)/.created
	$(BIN)/python -m pip install --disable-pip-version-check 'maturin>=1.16,<2' 'uv>=0.9,<1'
	touch $@

$(VENV)/.docs: $(BUILD)
	$(BIN)/uv pip install --python $(BIN)/python --quiet 'sledsim[docs]'
	touch $@

$(INSTALLED): $(VENV)/.maturin pyproject.toml $(RUST)
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --uv --release --extras plot
	rm -f $(TESTED)
	touch $@

# All packages for tests and linters of Python; the extension takes much longer to build.
$(VENV)/.packages: $(VENV)/.maturin pyproject.toml
	$(BIN)/uv pip install --python $(BIN)/python --quiet -r pyproject.toml --extra plot --extra test --extra docs
	touch $@

$(TESTED): $(VENV)/.packages $(RUST)
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --uv $(AS_TESTED)
	rm -f $(INSTALLED)
	touch $@
