# Resize Lab. The two that matter: `make book` and `make test`.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
INDEX := _build/html/index.html
BOOK_SOURCES := $(shell find book resizelab -type f -not -path '*/__pycache__/*' -not -path 'book/locale/*' 2>/dev/null)

# Engines that talk: TensorFlow's start-up lines are not errors, but look like it.
export TF_CPP_MIN_LOG_LEVEL := 3
export TF_ENABLE_ONEDNN_OPTS := 0
export KERAS_BACKEND := tensorflow
export JAX_PLATFORMS := cpu
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Kernels and processes of the tests would compile all modules anew, each.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help venv torch-cpu book edition messages pdf teacher notebooks recorded serve lab test \
  test-slow test-live fuzz bars \
  more-engines test-more-engines newest release golden lint type bench binder-check shots lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

# What is installed is what the lock's hashes say. Torch is not in it: it comes in two
# builds, from two places, one with gigabytes of CUDA; its version stands in binder/.
TORCH := $(shell grep -o 'torch==[0-9.*]*' binder/postBuild)
# Of two at once the second waits, where flock is, and finds the work done.
ALONE := $(if $(shell command -v flock),flock $(VENV).lock)
ASKED := requirements.lock requirements.txt pyproject.toml
$(STAMP): $(ASKED)
	@$(ALONE) sh -ec 'test -z "$$(find $(ASKED) -newer $@ 2>&1)" && exit; set -x; \
	  $(PYTHON) -m venv $(VENV); \
	  $(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements.lock; \
	  $(BIN)/python -m pip install --quiet -r requirements.txt "$(TORCH)"; \
	  $(BIN)/python -m pip install --quiet --no-deps --editable .; \
	  touch $@'

# Before `make venv`, on Linux, to keep PyPI's CUDA build of torch away.
torch-cpu: ## PyTorch's own build for the CPU, into .venv
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	PATH="$(CURDIR)/$(BIN):$$PATH" sh -c "$$(grep 'whl/cpu' binder/postBuild)"

venv: $(STAMP) ## the project's own Python environment, in .venv

$(INDEX): $(STAMP) _config.yml _toc.yml $(BOOK_SOURCES)
	$(BIN)/jupyter-book build . -W -n --keep-going
	@touch $@

LANGUAGE :=
book: $(INDEX) $(if $(LANGUAGE),edition) ## execute and build the pages (LANGUAGE=de: in German too)
	@echo "The book is built. Open $(CURDIR)/$(INDEX), or run: make serve"

# Beside the English pages; what no page says in a language ran once for all.
edition: $(INDEX)
	RESIZELAB_LANGUAGE=$(LANGUAGE) $(BIN)/jupyter-book build . -W -n --keep-going \
	  --path-output _build/$(LANGUAGE)
	rm -rf _build/html/$(LANGUAGE)
	mv _build/$(LANGUAGE)/_build/html _build/html/$(LANGUAGE)
	rm -rf _build/$(LANGUAGE)
	$(BIN)/python book/extension/editions.py _build/html

messages: $(INDEX) ## catalogues of all sentences, brought up to date (LANGUAGE=de: begun)
	$(BIN)/python book/extension/gather.py $(if $(LANGUAGE),--new $(LANGUAGE))
# Beside the book, since it needs a Chromium and the book does not; a book built anew is
# without it again.
PDF := _build/html/dist/resize-lab.pdf
$(PDF): $(INDEX)
	PYTHONPATH=tests/helpers $(BIN)/python book/extension/printed.py _build/html
pdf: $(PDF) ## the whole book as one PDF, offered on its first page (needs Chromium)
	@echo "The PDF is $(CURDIR)/$(PDF)"

# A place of its own: nothing of it can slip into the pages that are published.
teacher: $(INDEX) ## the same with solutions, keys and exams, in _build/teacher/html
	RESIZELAB_SOLUTIONS=1 $(BIN)/jupyter-book build . -W -n --keep-going \
	  --path-output _build/teacher
	rm -rf _build/teacher/html
	mv _build/teacher/_build/html _build/teacher/html
	rm -rf _build/teacher/_build
	@echo "Open $(CURDIR)/_build/teacher/html/index.html, and keys.html beside it."

notebooks: $(STAMP) ## one notebook a page, for Colab or a class, in _build/notebooks
	$(BIN)/python book/extension/notebooks.py _build/notebooks

PAGES :=
recorded: $(STAMP) ## keep what the pages' lines give without an engine (PAGES="grids")
	$(BIN)/python -W ignore book/extension/record_pages.py $(PAGES)

serve: book ## show the book on http://localhost:8000
	cd _build/html && ../../$(BIN)/python -m http.server --bind 127.0.0.1 8000

lab: $(STAMP) ## change the chapters and run them, in JupyterLab
	PATH="$(CURDIR)/$(BIN):$$PATH" JUPYTER_CONFIG_PATH="$(CURDIR)/binder" \
	  binder/start jupyter lab

# Processes of one thread each: threads of several would wait for each other. Three on
# two cores, since each waits for a browser four tenths of its time; one that has done
# its part takes over half of what another has left.
TESTS := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest
test: $(INDEX) ## the suite, with the browser tests where Chromium is
	@command -v chromium chromium-browser google-chrome >/dev/null \
	  || echo "No Chromium found: the browser tests are skipped."
	$(TESTS) -n 3 --dist worksteal

test-slow: $(INDEX) ## the same in more places: every page from disk, books built anew, ...
	$(TESTS) -n 2 --dist loadfile -m "slow and not live and not alone"

LIVE := tests resizelab
REPORT :=
test-live: $(STAMP) ## only the long comparisons, most of them with the real libraries
	$(BIN)/python -m pytest -m "live and not alone" $(LIVE) \
	  $(if $(REPORT),--junitxml=$(REPORT))

SEED :=
fuzz: $(STAMP) ## random resizes of every live row and call beside the engines (SEED=7)
	$(BIN)/python tests/recording/fuzz.py $(if $(SEED),--seed $(SEED))

newest: $(STAMP) ## the newest releases of all engines, whatever the lock says
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager '.[engines]'

release: $(STAMP) ## the sdist and the wheel in dist/, checked
	rm -rf dist
	$(BIN)/python -m hatchling build
	$(BIN)/python -m pip install --quiet 'twine>=6.1,<8'
	$(BIN)/python -m twine check --strict dist/*

# Work is counted; threads that wait for each other would count twice.
bars: $(INDEX) ## what measures time: by itself, on a machine with nothing else to do
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -m alone

# Ten engines more stand in an environment of their own: 2.6 GB, of which PyTorch is
# 0.8 (`make torch-cpu VENV=.venv-more` before it keeps PyPI's CUDA build away).
MORE := .venv-more
more-engines: ## ten engines more, in .venv-more
	test -d $(MORE) || $(PYTHON) -m venv $(MORE)
	$(MORE)/bin/python -m pip install --quiet --editable '.[more-engines]'

test-more-engines: ## the rows of those ten against the real libraries
	$(MORE)/bin/python -W ignore tests/recording/live.py --extra more-engines

golden: $(STAMP) ## record the real libraries' values anew
	$(BIN)/python tests/recording/record.py
	$(BIN)/python -W ignore tests/recording/live.py --write

lint: $(STAMP) ## style of the Python code, spelling of everything
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell $(shell git ls-files)

type: $(STAMP) ## types of the package
	$(BIN)/mypy

bench: $(STAMP) ## our speed beside the engines'
	$(BIN)/python tests/benchmarks/speed.py

CHECK :=
binder-check: $(STAMP) ## every page run as in Binder (PAGES="grids drift", CHECK=--reuse)
	$(BIN)/python tests/helpers/binder_check.py $(CHECK) $(PAGES)

shots: $(INDEX) ## pictures of every page: light, dark and phone, in _build/shots
	$(BIN)/python tests/helpers/browser.py

# For every system and Python that the package names; `binder/` takes the versions
# alone, since pip would ask a constraint's hash of everything.
LOCKED := plots widgets engines models fast volumes cluster tests
lock: $(STAMP) ## resolve requirements.lock anew, to the newest versions allowed
	$(BIN)/python -m pip install --quiet 'uv>=0.13,<1'
	mkdir -p _build && echo torch > _build/unlocked.txt
	grep -v '^-c' binder/requirements.txt | $(BIN)/uv pip compile --quiet --upgrade \
	  --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	  --no-header --no-annotate --excludes _build/unlocked.txt \
	  $(addprefix --extra ,$(LOCKED)) pyproject.toml requirements.txt - \
	  --output-file requirements.lock
	sed -n 's/^\([a-z].*[^ \]\) *\\$$/\1/p' requirements.lock > binder/constraints.txt

clean: ## remove what was built (not .venv)
	rm -rf _build .pytest_cache .mypy_cache .ruff_cache .hypothesis
