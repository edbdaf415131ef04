# One target at a time: the long ones, the tests, use several cores themselves.
.NOTPARALLEL:
.DEFAULT_GOAL := help
SHELL := /bin/bash

# nbgrader calls the program alembic from any folder.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
SYNCPOINT := .venv/bin/syncpoint
# Each test file runs in one process, which creates its courses and sandboxes once; conftest.py puts the longest first.
# Three at a time on two cores, because most tests wait for other processes.
JOBS ?= 3
PYTEST := .venv/bin/python -m pytest --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder

COMPILE := uv pip compile --quiet --universal --upgrade --generate-hashes \
	--no-emit-index-url --no-annotate --custom-compile-command "make requirements"

# An engine's set comes before its students' set, which must agree with it; torch.in is compiled by hand, see its set.
SETS := $(addprefix scripts/requirements/,tools otter site) \
	$(basename $(wildcard syncpoint/engines/*/requirements.in) $(wildcard syncpoint/engines/*/student.in))

# Needed by tests in addition to the environments; without it, they are skipped with a message, or fail if CI=true.
HUB_PARTS := bash scripts/setup.sh hub || echo "make test: going on without the tests of the hub"
DOLOS := bash scripts/setup.sh dolos || echo "make: going on without the test of Dolos"
SITE_PARTS := bash scripts/setup.sh site || echo "make: going on without the tests of the site and of accessibility"
HUB ?= /etc/syncpoint/hub.toml

.PHONY: help setup demo test test-slow test-web test-bank test-lms test-all lint hub hub-try test-hub bench doctor experiment faults site slides screenshots requirements clean \
	releases dist simgpu-test simgpu-opdb simgpu-fuzz simgpu-fuzz-kernels simgpu-races simgpu-speed simgpu-matrix simgpu-docs cuda-check

help: ## show this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | while IFS=$$'\t' read -r name text; do \
		printf 'make %-22s%s\n' "$$name" "$$text"; done

setup: ## make the environments that are missing: .venv (tools), and .venv-<engine> of each engine that assignments use
	@bash scripts/setup.sh

demo: setup ## grade two students of each assignment, in build/demo; OPEN=1 opens the dashboard at the end
	@$(SYNCPOINT) demo $(if $(filter-out 0,$(OPEN)),--open)

test: lint ## check style and types and run the short tests, in about ten minutes; JOBS=2 for two files at a time
	$(PYTEST) --junitxml build/tests.xml -m "not slow and not exhaustive and not web and not bank"

test-slow: setup ## run the tests that grade a class, run the queue of submissions, or take more than ten seconds
	$(PYTEST) --junitxml build/tests-slow.xml -m "slow and not exhaustive and not web and not bank"

test-web: setup ## run the tests of web pages: dashboard, feedback, hub, site; needs Chromium and npm
	@$(HUB_PARTS)
	@$(SITE_PARTS)
	$(PYTEST) -m "not exhaustive and web and not bank"

test-bank: setup ## judge the solutions and cheats of the bank that each ci.txt names
	$(PYTEST) -m "not exhaustive and bank"

test-lms: setup ## test links, roster and marks with a real Moodle, whose source is in MOODLE=FOLDER; needs PHP and PostgreSQL; PICTURES=1 updates pictures
	@test -f "$(MOODLE)/version.php" || { echo "make test-lms: MOODLE=$(MOODLE) is no folder with Moodle's source."; exit 1; }
	@$(HUB_PARTS)
	MOODLE=$(abspath $(MOODLE)) $(PYTEST) -m lms tests/lms

test-all: lint ## run all tests: the whole bank, all cheats, a hundred faults (hours)
	@$(HUB_PARTS)
	@$(SITE_PARTS)
	@$(DOLOS)
	REAL_COMMANDS=1 $(PYTEST) -m ""
	@$(MAKE) simgpu-test
	$(SYNCPOINT) vet solutions
	$(SYNCPOINT) vet checks
	.venv/bin/python scripts/faults.py

lint: setup ## check style, prose, types, and which package may import which
	.venv/bin/ruff check
	.venv/bin/ruff check --preview --select DOC501 syncpoint simgpu/src
	.venv/bin/ruff format --check
	.venv/bin/python scripts/prose.py
	.venv/bin/python scripts/glossary.py
	.venv/bin/mypy
	MYPYPATH=syncpoint .venv/bin/mypy $(wildcard syncpoint/engines/*/inside/*.py)
	.venv/bin/mypy --explicit-package-bases $(wildcard grader_tests/*/scenarios.py)
	.venv/bin/lint-imports --no-logo --no-cache
	cd simgpu && PYTHONPATH=src ../.venv/bin/lint-imports --no-logo --no-cache

hub: setup ## set up a hub for a class on this server, as HUB=/etc/syncpoint/hub.toml says; needs root (docs/how-to/hub.md)
	@bash scripts/setup.sh hub
	@.venv/bin/python deploy/hub.py up $(HUB)

hub-try: setup ## try a hub in build/hub, without root; ARGS="--port 8010" for another port
	@bash scripts/setup.sh hub
	@.venv/bin/python deploy/hub.py try $(ARGS)

test-hub: setup ## test the hub with Linux users; needs root and uses a separate network
	@bash scripts/setup.sh hub
	@bash scripts/test_hub.sh

bench: setup ## measure all figures of docs/results/performance.md; QUICK=1 measures less, PUBLISH=1 writes the figures into the page
	@bash scripts/setup.sh otter || echo "make bench: going on without Otter"
	@set -e; publish="$(if $(filter-out 0,$(PUBLISH)),--publish)"; quick="$(filter-out 0,$(QUICK))"; \
	run() { .venv/bin/python -m "$$@" $$publish; }; \
	run scripts.benchmarks $${quick:+--quick}; \
	run scripts.benchmarks.processor $${quick:+--repeat 1}; \
	run scripts.benchmarks.deadline $${quick:+--students 100 --minutes 0.2}; \
	run scripts.benchmarks.feedback $${quick:+--trivial 20 --students 4}; \
	run scripts.benchmarks.disk $${quick:+--students 20}

doctor: setup ## check what this machine lacks for grading
	@$(SYNCPOINT) doctor

experiment: setup ## train the reference solutions on Fashion-MNIST; options: make experiment ARGS=--help
	@.venv/bin/python scripts/experiment.py $(ARGS)

faults: setup ## kill kernel, sandbox and judge at random moments of grading; options: make faults ARGS=--help
	@.venv/bin/python scripts/faults.py $(ARGS)

site: setup ## build the documentation and the course as a website in build/site/html; needs a network only the first time
	@bash scripts/setup.sh site
	@.venv/bin/python scripts/site_pages.py $(ARGS)

slides: setup ## make lecture slides of the notebooks, in build/slides; options: make slides ARGS="torch_streams --language en"
	@bash scripts/setup.sh slides
	@.venv/bin/python scripts/slides.py $(ARGS)

screenshots: setup ## take new pictures of feedback, and of the dashboard with a generated class
	@.venv/bin/python scripts/feedback_pictures.py
	@.venv/bin/python scripts/screenshots.py

requirements: setup ## pin the newest versions in every set of requirements, from its .in file
	for set in $(SETS); do \
		(cd "$$(dirname "$$set")" && $(COMPILE) --python-version 3.11 "$${set##*/}.in" -o "$${set##*/}.txt") || exit; done
	cd scripts/requirements && $(COMPILE) --python-version 3.9 uv.in -o uv.txt

SIMGPU := cd simgpu && PYTHONPATH=src OMP_NUM_THREADS=1 ../.venv-torch/bin/python

# Tests that depend on the connection of a program and its device; operators and pictures do not.
SIMGPU_TCP := $(addprefix tests/test_,semantics.py memory.py races.py threads.py judging.py replay.py)

simgpu-test: ## run the tests of simgpu/, and some of them again over TCP; needs PyTorch and no GPU
	@bash scripts/setup.sh torch
	@$(SIMGPU) -m pytest
	@export SIMGPU_TRANSPORT=tcp; $(SIMGPU) -m pytest -q $(SIMGPU_TCP)

simgpu-opdb: ## compare the simulated device with the CPU on PyTorch's operator database; options: ARGS=--help
	@bash scripts/setup.sh torch
	@$(SIMGPU) -m simgpu.opdb $(ARGS)

simgpu-fuzz: ## send a million valid and invalid messages to the device process
	@bash scripts/setup.sh torch
	@SIMGPU_FUZZ=1000000 bash -c '$(SIMGPU) -m pytest -q -s tests/test_safety.py -k fuzzed'

simgpu-fuzz-kernels: ## call every operation of the device with hostile arguments, between guard pages; options: ARGS=--help
	@bash scripts/setup.sh torch
	@$(SIMGPU) -m simgpu.fuzz $(ARGS)

simgpu-races: ## find the races in 20 of 40 random stream programs; PROGRAMS=n generates more
	@bash scripts/setup.sh torch
	@SIMGPU_RACE_PROGRAMS=$(or $(PROGRAMS),20) bash -c '$(SIMGPU) -m pytest -q tests/test_races.py'

simgpu-speed: ## compare the speed of simgpu with plain PyTorch
	@bash scripts/setup.sh torch
	@$(SIMGPU) -m simgpu.speed $(ARGS)

simgpu-matrix: setup ## test simgpu on pairs of Python and PyTorch, for simgpu/docs/versions.md; ARGS="'3.13 2.15'" for one
	@.venv/bin/python scripts/simgpu_matrix.py $(ARGS)

cuda-check: ## compare simgpu with a CUDA card, for docs/results/cuda.md; PYTHON= names a Python with PyTorch for CUDA
	@$(if $(PYTHON),,bash scripts/setup.sh torch)
	@$(or $(PYTHON),.venv-torch/bin/python) scripts/cuda_check.py $(ARGS)

simgpu-docs: ## write simgpu's pages on CUDA's semantics, PyTorch's assertions and torch.cuda's names
	@bash scripts/setup.sh torch
	@$(SIMGPU) tests/semantics_table.py docs

releases: setup ## make all releases again, in all languages, after a change of what students get
	@bash scripts/setup.sh torch
	@.venv/bin/python scripts/releases.py

dist: setup ## build the wheels of syncpoint and simgpu in dist/, byte for byte the same on every machine
	@.venv/bin/python -m syncpoint.course.wheel . dist
	@.venv/bin/python -m syncpoint.course.wheel simgpu dist

clean: ## remove all environments and the caches of tools; keeps gradebook, submissions and .syncpoint/
	rm -rf .venv .venv-* build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find . -name .git -prune -o -name __pycache__ -type d -exec rm -rf {} +
