PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
DEMO := gemm_warp_specialized

.DEFAULT_GOAL := help
.PHONY: help compiled demo ptxas test check lint docs bench

help: ## list what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /make \1\t/' | expand -t 14

# Every target that runs something installs the project first, if that is not up to date, and
# compiles it, which an environment with PYTHONDONTWRITEBYTECODE would do at each start again.
$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

compiled: $(INSTALLED)
	@$(BIN)/python -m compileall -q tcgen05_dialect passes

demo: compiled ## compile the warp-specialised GEMM to PTX and to a cubin, under build/
	@mkdir -p build
	$(BIN)/tcgen05 compile examples/$(DEMO).mlir -o build/$(DEMO).ptx
	$(BIN)/tcgen05 compile examples/$(DEMO).mlir --emit cubin -o build/$(DEMO).cubin
	@sed -nE '/^\.(version|target)/p' build/$(DEMO).ptx | paste -sd ' '
	@grep -c 'tcgen05\.' build/$(DEMO).ptx | sed 's/$$/ tcgen05 instructions/'
	@wc -c build/$(DEMO).ptx build/$(DEMO).cubin | sed '$$d;s/^ *\([0-9]*\)/\1 bytes/'

ptxas: compiled ## fetch the oldest ptxas of each target, which the tests use, into build/ptxas
	$(BIN)/python tests/support/oldest_ptxas.py

test: compiled ptxas ## run all tests
	$(BIN)/lit -q lit-tests
	$(BIN)/pytest -q -n auto

check: compiled ## run the Python tests that are fast: less than a minute
	$(BIN)/pytest -q -n auto -m 'not slow'

# The type checker looks for tcgen05_dialect.passes where pyproject.toml says, which is not where the
# folder is: setuptools maps it. This is the same mapping for the checker.
TYPING := .venv/typing/tcgen05_dialect
lint: $(INSTALLED) ## check style and types
	@mkdir -p $(TYPING) && touch $(TYPING)/__init__.py && ln -sfn ../../../passes $(TYPING)/passes
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/basedpyright

docs: compiled ## write the reference pages of docs/, and the output of each command in the others
	$(BIN)/python -m docs.generate

bench: compiled ## measure start-up, each stage of a compilation, and the emulator
	$(BIN)/python benchmarks/start_up.py
	$(BIN)/python benchmarks/stages.py
	OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/simulator.py
