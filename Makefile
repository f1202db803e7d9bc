PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
DEMO := gemm_warp_specialized

.DEFAULT_GOAL := help
.PHONY: help compiled demo ptxas test sweep snapshot check lint docs page site bench

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /make \1\t/' | expand -t 14

# Each target that runs the project first installs it, unless pyproject.toml is older than the
# installation, and compiles it. With PYTHONDONTWRITEBYTECODE, each start would compile it again, and
# each worker of pytest its tests.
unexport PYTHONDONTWRITEBYTECODE

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

compiled: $(INSTALLED)
	@$(BIN)/python -m compileall -q tcgen05_dialect passes

demo: compiled ## compile the warp-specialised GEMM to PTX and to a cubin, under build/, and a linalg.matmul, and emulate it
	@mkdir -p build
	$(BIN)/tcgen05 compile examples/$(DEMO).mlir -o build/$(DEMO).ptx
	$(BIN)/tcgen05 compile examples/$(DEMO).mlir --emit cubin -o build/$(DEMO).cubin
	$(BIN)/tcgen05 compile examples/linalg/matmul.mlir -o build/matmul.ptx
	$(BIN)/tcgen05 sim examples/linalg/matmul.mlir
	@sed -nE '/^\.(version|target)/p' build/$(DEMO).ptx | paste -sd ' '
	@grep -c 'tcgen05\.' build/$(DEMO).ptx | sed 's/$$/ tcgen05 instructions/'
	@wc -c build/$(DEMO).ptx build/$(DEMO).cubin | sed '$$d;s/^ *\([0-9]*\)/\1 bytes/'

ptxas: compiled ## fetch the oldest ptxas of each target, which the tests use, into build/ptxas
	$(BIN)/python tests/support/oldest_ptxas.py

test: compiled ptxas ## run all tests, with a sample of each sweep
	$(BIN)/lit -q lit-tests
	$(BIN)/pytest -q -n auto --dist worksteal

sweep: compiled ptxas ## run all Python tests, and of each sweep all cases instead of a sample
	TCGEN05_SWEEP=1 $(BIN)/pytest -q -n auto --dist worksteal

snapshot: compiled ## record what users see in build/snapshot.jsonl, and compare it with the record before
	@mkdir -p build && touch build/snapshot.jsonl && mv build/snapshot.jsonl build/before.jsonl
	$(BIN)/python -m tests.support.snapshot build/snapshot.jsonl
	$(BIN)/python -m tests.support.snapshot build/before.jsonl build/snapshot.jsonl

check: compiled ## run the fast Python tests
	$(BIN)/pytest -q -n auto --dist worksteal -m 'not slow'

# setuptools maps the folder passes to the package tcgen05_dialect.passes. The type checker knows
# nothing of that, and finds the folder by this link instead.
TYPING := .venv/typing/tcgen05_dialect
lint: $(INSTALLED) ## check style and types
	@mkdir -p $(TYPING) && touch $(TYPING)/__init__.py && ln -sfn ../../../passes $(TYPING)/passes
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/basedpyright

docs: compiled ## write the reference pages of docs/, and the output of each command in the others
	$(BIN)/python -m docs.generate

page: $(INSTALLED) ## build the page of the playground, which tcgen05 serve serves; needs npm
	$(BIN)/python -m docs.site.page

site: compiled ## build the site, with the playground in it, in build/site; needs npm
	$(BIN)/python -m docs.site.build

bench: compiled ## measure check and compile (BENCH="--against FOLDER" compares a checkout) beside their peers, start-up, the stages of a compilation, machine code, launch, verification and the emulator
	$(BIN)/python benchmarks/waiting.py $(BENCH)
	$(BIN)/python benchmarks/start_up.py
	$(BIN)/python benchmarks/stages.py
	$(BIN)/python benchmarks/ws.py
	$(BIN)/python benchmarks/machine_code.py
	$(BIN)/python benchmarks/hosts.py
	$(BIN)/python benchmarks/foreign.py
	OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/verification.py
	OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/simulator.py
