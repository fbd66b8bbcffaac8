# Everything a developer types. Nothing is taken for granted but Rust, Python >= 3.10, make and a C compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST := Cargo.toml $(wildcard Cargo.lock) $(shell find crates -name '*.rs' -o -name '*.toml')
# A stamp says that a step is done; make runs it again only when what it was made from has changed.
INSTALLED := $(VENV)/.installed
CHECKERS := $(VENV)/.checkers

.DEFAULT_GOAL := help
# Options of the run of mutants: --quick, --whole, or names of mutants or files.
MUTANTS ?=
# Options of the list of stale figures: --quick, --write, or names of pages.
FIGURES ?=
# How much longer than usual the long tests are.
LONG_PROPTEST_CASES ?= 2000
LONG_FUZZ_CASES ?= 10000000
.PHONY: help parameters figures demo picture test test-long mutants bench lint clean

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

parameters: $(INSTALLED) ## Write docs/parameters.md again, out of the texts in the sources.
	$(BIN)/python -m tests.parameters_page

demo: $(INSTALLED) ## Replay a real ext4 trace under four schedulers; results in demo-out/.
	$(BIN)/sledsim demo --out demo-out

picture: demo ## Draw the picture of the README again.
	cp demo-out/compare.svg docs/images/demo.svg

test: lint ## Run every linter and every test.
	cargo test --workspace --quiet
	$(BIN)/python -m pytest -q

figures: $(CHECKERS) ## List figures in tables of the documentation that are stale: minutes. FIGURES=--write renews them.
	$(BIN)/python -m tests.docs_numbers $(FIGURES)

mutants: $(CHECKERS) ## Put faults into a copy of the core: which tests find each? MUTANTS=--quick for a few of them.
	$(BIN)/python -m tests.mutants $(MUTANTS)

test-long: lint ## Run all tests with many more cases, damaged traces and mutants: hours.
	PROPTEST_CASES=$(LONG_PROPTEST_CASES) SLEDSIM_FUZZ_CASES=$(LONG_FUZZ_CASES) cargo test --workspace --quiet --no-fail-fast
	$(BIN)/python -m pytest -q --hypothesis-profile=long
	$(MAKE) mutants MUTANTS=--whole

bench: $(INSTALLED) ## Run the benchmarks.
	cargo bench
	for script in $(sort $(wildcard bench/*.py)); do $(BIN)/python $$script || exit 1; done

lint: $(INSTALLED) $(CHECKERS) ## Run the linters only.
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest sledsim._native

clean: ## Remove everything that was built.
	rm -rf $(VENV) target dist demo-out python/sledsim/_native*.so .pytest_cache .mypy_cache .ruff_cache

$(VENV)/.created:
	@command -v cargo >/dev/null || { echo "error: Rust is not installed: see https://rustup.rs" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
		|| { echo "error: $(PYTHON) is older than 3.10: say make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.maturin: $(VENV)/.created
	$(BIN)/python -m pip install --disable-pip-version-check 'maturin>=1.16,<2'
	touch $@

$(INSTALLED): $(VENV)/.maturin pyproject.toml $(RUST)
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release --extras plot
	touch $@

# Only the tools are of interest here, so a change in Rust is no reason to come again.
$(CHECKERS): pyproject.toml | $(INSTALLED)
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --release --extras plot,test
	touch $@
