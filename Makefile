# Everything a developer types. Nothing is taken for granted but Rust, Python >= 3.10, make and a C compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST := Cargo.toml $(wildcard Cargo.lock) $(shell find crates -name '*.rs' -o -name '*.toml')
# A stamp says that a step is done; make runs it again only when what it was made from has changed.
# The extension has one place and two builds, of which the last is there: the release, as users have it, and that of the tests, which is built
# much faster, runs slower, and checks its arithmetic.
INSTALLED := $(VENV)/.installed
TESTED := $(VENV)/.tested
# Which of them is to show things: continuous integration has only the second.
BUILD ?= $(INSTALLED)
# A worker for every processor, and one more for while others wait; the tiers, and the groups that share a worker, are in tests/tiers.py.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST = $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup --no-loadscope-reorder
# What maturin tells the build script of PyO3; told anything else it runs again, and all that stands on it is built again.
AS_MATURIN = $(addprefix PYO3_BUILD_EXTENSION_MODULE=1 PYO3_CONFIG_FILE=,$(shell ls $(CURDIR)/target/maturin/pyo3-config-*.txt 2>/dev/null))

# With it the linters, the tests and the extension that is tested share one build of the core.
AS_TESTED := --features sledsim-py/as-tested
# What is built so builds the binding, too, as maturin did. Tests of servers wait more than they work, so more of them run than there are
# processors.
CARGO_TEST = $(AS_MATURIN) RUST_TEST_THREADS=8 cargo test --workspace $(AS_TESTED) --quiet

.DEFAULT_GOAL := help
# Options of the run of mutants: --quick, --whole, or names of mutants or files; --random N --seed S draws N instead.
MUTANTS ?=
# Options of the list of stale figures: --quick, --write, or names of pages.
FIGURES ?=
# Tests whose costs are measured again: files, or all.
TESTS ?=
# How much longer than usual the long tests are.
LONG_PROPTEST_CASES ?= 2000
LONG_FUZZ_CASES ?= 10000000
LONG_SOAK_REQUESTS ?= 10000000
# The simulator as WebAssembly, and the page that holds it, which is a part of the site where it can be built.
MODULE := target/wasm32-unknown-unknown/small/sledsim_wasm.wasm
LIVE := live/dist/live.html
# The copy that `sledsim view` puts runs into.
VIEWED := python/sledsim/pages/live.html
BUNDLER := live/node_modules/.package-lock.json
# It is left out of the site where Node or the target is not there.
CAN_LIVE = $(shell command -v npm >/dev/null && test -d "$$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null)" \
	&& echo live)
# The target is looked for only where the site is asked for.
.SECONDEXPANSION:
.PHONY: help about live release-check parameters figures site demo picture test test-all test-rust test-python test-long costs mutants bench \
	lint lint-rust lint-python lint-stubs format clean

help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Before anything is built: cargo refuses crates that ask for different versions of each other.
about: $(VENV)/.maturin ## Write again what says the version or the project's URL, out of Cargo.toml.
	PYTHONPATH=python $(BIN)/python -m tests.about

release-check: $(TESTED) ## Build everything as it would be uploaded, and try it as users have it: a quarter of an hour.
	.ci/release-check

parameters: $(BUILD) ## Write docs/reference/parameters.md, counts of verdicts and pictures of tables again.
	$(BIN)/python -m tests.parameters_page
	$(BIN)/python -m docs.images.figures

site: $(VENV)/.docs $$(CAN_LIVE) ## Build the documentation as a web site in site/, offline.
	$(BIN)/python -m docs.site --live $(LIVE)

demo: $(BUILD) ## Replay a real ext4 trace under four schedulers; results in demo-out/.
	$(BIN)/sledsim demo --out demo-out

live: $(BUNDLER) ## Build the page in which the simulator runs, live/dist/live.html: Node, and rustup target add wasm32-unknown-unknown.
	cargo build --package sledsim-wasm --profile small --target wasm32-unknown-unknown
	node live/tools/size.js $(MODULE)
	npm run --silent check --prefix live
	node live/tools/build.js $(MODULE) $(LIVE)
	cp $(LIVE) $(VIEWED)

picture: demo ## Draw the picture of the README again.
	cp demo-out/compare.svg docs/images/demo.svg

test: lint ## Run every linter, all Rust tests, and the every-change tier of the Python tests.
	$(CARGO_TEST) --no-run
	$(MAKE) --no-print-directory -j2 test-rust test-python TIER=--every-change

test-all: lint ## Run every linter, every test, a few mutants and the demo.
	$(CARGO_TEST) --no-run
	$(MAKE) --no-print-directory -j2 test-rust test-python
	$(MAKE) mutants MUTANTS=--quick
	$(MAKE) demo BUILD=$(TESTED)

# Properties draw the same cases each time; make test-long draws others. What Rust tests print comes at their end, so that it does not stand
# among the dots of the Python tests.
test-rust:
	@printed=$$(MAKEFLAGS= PROPTEST_RNG_SEED=1 $(CARGO_TEST) 2>&1); status=$$?; printf '%s\n' "$$printed"; exit $$status

test-python:
	MAKEFLAGS= $(PYTEST) $(TIER)

# Tests beside each other slow each other down, and would cost more.
costs: WORKERS = 1
costs: $(TESTED) ## Measure again what each test costs, for tests/costs.json. TESTS=tests/cli for some of them.
	$(PYTEST) --costs tests/costs.json $(TESTS)

figures: $(TESTED) ## List figures in tables of the documentation that are stale: minutes. FIGURES=--write renews them.
	$(BIN)/python -m tests.docs_numbers $(FIGURES)

mutants: $(TESTED) ## Put faults into a copy of the crates: which tests find each? MUTANTS=--quick for a few, '--random N' for drawn ones.
	$(BIN)/python -m tests.mutants $(MUTANTS)

test-long: lint ## Run all tests with many more cases, damaged traces and mutants: hours.
	PROPTEST_CASES=$(LONG_PROPTEST_CASES) SLEDSIM_FUZZ_CASES=$(LONG_FUZZ_CASES) SLEDSIM_SOAK_REQUESTS=$(LONG_SOAK_REQUESTS) \
		$(CARGO_TEST) --no-fail-fast
	$(PYTEST) --hypothesis-profile=long
	$(MAKE) mutants MUTANTS=--whole

bench: $(INSTALLED) ## Run the benchmarks, first what each case costs against bench/baseline.json.
	$(BIN)/python bench/baseline.py
	cargo bench
	for script in $(sort $(filter-out bench/baseline.py,$(wildcard bench/*.py))); do $(BIN)/python $$script || exit 1; done

lint: $(VENV)/.maturin ## Run the linters only.
	$(MAKE) --no-print-directory -j2 lint-rust lint-python lint-stubs

# Each keeps one processor busy; that of Python runs while the extension is built.
lint-rust: $(TESTED)
	rustfmt --check $(filter %.rs,$(RUST))
	$(AS_MATURIN) cargo clippy --workspace $(AS_TESTED) --all-targets --quiet -- -D warnings

lint-python: $(VENV)/.packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lint-stubs: $(TESTED)
	$(BIN)/python -m mypy.stubtest sledsim._native

# Not cargo's: it passes over files that the macro of a table declares.
format: $(VENV)/.packages ## Format all sources.
	rustfmt $(filter %.rs,$(RUST))
	$(BIN)/ruff format .

clean: ## Remove everything that was built.
	rm -rf $(VENV) target dist site demo-out live/dist live/node_modules python/sledsim/_native*.so $(VIEWED) \
		.pytest_cache .mypy_cache .ruff_cache

$(BUNDLER): live/package-lock.json
	npm ci --silent --no-audit --no-fund --prefix live

$(VENV)/.created:
	@command -v cargo >/dev/null || { echo "error: Rust is not installed: see https://rustup.rs" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
		|| { echo "error: $(PYTHON) is older than 3.10: say make PYTHON=python3.12" >&2; exit 1; }
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

# All that tests and linters of Python need but the extension, which takes much longer.
$(VENV)/.packages: $(VENV)/.maturin pyproject.toml
	$(BIN)/uv pip install --python $(BIN)/python --quiet -r pyproject.toml --extra plot --extra test --extra docs
	touch $@

$(TESTED): $(VENV)/.packages $(RUST)
	VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/maturin develop --uv $(AS_TESTED)
	rm -f $(INSTALLED)
	touch $@
