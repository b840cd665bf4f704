# Two commands: `make demo` and `make test`. Both set up everything they need in .venv, from the package registries alone.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
TRANSFORMERS_VENV ?= .venv-transformers
TRANSFORMERS_BIN = $(TRANSFORMERS_VENV)/bin
QUERY_VENV ?= .venv-query
SUPPLY_VENV ?= .venv-supply
DOCS_VENV ?= .venv-docs
MUTATION_VENV ?= .venv-mutation
SBOM ?= build/sbom/hardtack.cdx.json
PIP_INSTALL = -m pip install --quiet --disable-pip-version-check
# What action.yml, publish/action.yml and comment/action.yml install: versions that the tests ran with, and what builds the package itself.
OF_ACTIONS = --allow-unsafe --build-deps-for wheel --constraint requirements/dev.txt
PIP_COMPILE = --quiet --generate-hashes --strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header $(ARGS)

.PHONY: demo test pytest test-query test-transformers check lint types lock pins bench bench-retrieval bench-localisation evidence mutation sbom audit wheel-twice docs clean

demo: $(VENV)/.installed
	$(BIN)/hardtack build .
	$(BIN)/hardtack verify
	$(BIN)/hardtack search -n 3 open_bundle
	$(BIN)/hardtack search -n 3 --why "where are the hashes of members checked"

test: check pytest

pytest: $(VENV)/.installed
	$(BIN)/pytest -q -n auto --dist loadfile

# The query half by itself, as who only searches installs it, with bundles that the build half made before. Its dependencies are what
# pip finds today within pyproject.toml's ranges, as they are for a user. CI runs this on macOS and Windows too.
test-query: $(VENV)/.installed
	$(BIN)/pytest -q --bundles $(QUERY_VENV)/bundles tests/unit/bundle/test_shared.py
	$(PYTHON) -m venv $(QUERY_VENV)
	$(QUERY_VENV)/bin/python $(PIP_INSTALL) ".[mcp,regex]" pytest hypothesis
	$(QUERY_VENV)/bin/python -m pytest -q --bundles $(QUERY_VENV)/bundles tests

# What `make test` skips: a real transformer as the encoder. In an environment of its own, as torch outweighs all the rest.
test-transformers: $(TRANSFORMERS_VENV)/.installed
	OMP_NUM_THREADS=1 $(TRANSFORMERS_BIN)/pytest -q -m transformers tests/unit/encoders tests/contract/test_encoder_conformance.py

# Everything that reads the code without running it.
check: lint types

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.installed
	$(BIN)/mypy

# The stamp is older than any change to what is installed; an editable install follows the source by itself. It is compiled here, as
# an installed package is: where Python may not write what it compiles, every process would take a quarter of a second for it.
$(VENV)/.installed: pyproject.toml requirements/dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q src
	touch $@

# torch first: which build there is differs from machine to machine, so it stands in no lock but its own, with a way out.
$(TRANSFORMERS_VENV)/.installed: pyproject.toml requirements/dev.txt requirements/transformers.txt requirements/torch.txt
	$(PYTHON) -m venv $(TRANSFORMERS_VENV)
	$(TRANSFORMERS_BIN)/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements/torch.txt || \
	  { echo "There is no such build of torch for processors here; taking the registry's own, which is larger." >&2; \
	    $(TRANSFORMERS_BIN)/python $(PIP_INSTALL) "$$(sed -n 's/^\(torch==[0-9.]*\).*/\1/p' requirements/torch.txt)"; }
	$(TRANSFORMERS_BIN)/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements/dev.txt
	$(TRANSFORMERS_BIN)/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements/transformers.txt
	$(TRANSFORMERS_BIN)/python $(PIP_INSTALL) --no-deps --no-build-isolation -e .
	$(TRANSFORMERS_BIN)/python -m pip check
	touch $@

# What looks at the supply chain, in an environment of its own: it shares nothing with the package.
$(SUPPLY_VENV)/.installed: requirements/supply.txt
	$(PYTHON) -m venv $(SUPPLY_VENV)
	$(SUPPLY_VENV)/bin/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements/supply.txt
	touch $@

$(DOCS_VENV)/.installed: requirements/docs.txt
	$(PYTHON) -m venv $(DOCS_VENV)
	$(DOCS_VENV)/bin/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements/docs.txt
	touch $@

# The documentation as a site in build/site; refused where a link or an anchor leads to nothing.
docs: $(DOCS_VENV)/.installed
	NO_MKDOCS_2_WARNING=1 $(DOCS_VENV)/bin/mkdocs build --clean

# What a release is made of, as CycloneDX JSON: dependencies with hashes and licences, and the files of the wheel that are no code.
sbom: $(SUPPLY_VENV)/.installed
	$(SUPPLY_VENV)/bin/python release/sbom.py $(SBOM)

# Has anything that is locked a known vulnerability? Asks pypi.org, so `make test` does not do it.
audit: $(SUPPLY_VENV)/.installed
	$(SUPPLY_VENV)/bin/python release/audit.py

# Is the wheel the same, byte for byte, wherever and whenever it is built?
wheel-twice: $(VENV)/.installed
	$(BIN)/python release/wheel_twice.py

$(MUTATION_VENV)/.installed: pyproject.toml requirements/dev.txt requirements/mutation.txt
	$(PYTHON) -m venv $(MUTATION_VENV)
	$(MUTATION_VENV)/bin/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements/dev.txt
	$(MUTATION_VENV)/bin/python $(PIP_INSTALL) --no-deps --require-hashes -r requirements/mutation.txt
	$(MUTATION_VENV)/bin/python $(PIP_INSTALL) --no-deps --no-build-isolation -e .
	touch $@

# Do tests notice when the code changes? Tries mutants of ROOMS (tests/mutation/rooms.toml), or of all; ARGS go to the script.
mutation: $(MUTATION_VENV)/.installed
	$(MUTATION_VENV)/bin/python tests/mutation/mutate.py --work $(MUTATION_VENV)/work $(ROOMS) $(ARGS)

# Pin every dependency of every extra that the tests use, with its hashes. What is pinned stays unless ARGS says otherwise: --upgrade for
# all that pyproject.toml's ranges allow, --upgrade-package NAME for one.
lock: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile $(PIP_COMPILE) --extra build --extra comment --extra dask --extra dev --extra export --extra mcp --extra page --extra regex --extra remote --extra scip --allow-unsafe --output-file requirements/dev.txt pyproject.toml
	$(BIN)/pip-compile $(PIP_COMPILE) --constraint requirements/dev.txt --extra build --extra comment --extra dask --extra export --extra mcp --extra page --extra regex --extra remote --extra scip --output-file requirements/runtime.txt pyproject.toml
	$(BIN)/pip-compile $(PIP_COMPILE) --unsafe-package torch --output-file requirements/transformers.txt requirements/transformers.in
	$(BIN)/pip-compile $(PIP_COMPILE) $(OF_ACTIONS) --extra build --extra scip --output-file requirements/action.txt pyproject.toml
	$(BIN)/pip-compile $(PIP_COMPILE) $(OF_ACTIONS) --extra remote --output-file requirements/publish.txt pyproject.toml
	$(BIN)/pip-compile $(PIP_COMPILE) $(OF_ACTIONS) --extra comment --output-file requirements/comment.txt pyproject.toml
	$(BIN)/pip-compile $(PIP_COMPILE) --allow-unsafe --output-file requirements/release.txt requirements/release.in
	$(BIN)/pip-compile $(PIP_COMPILE) --allow-unsafe --output-file requirements/supply.txt requirements/supply.in
	$(BIN)/pip-compile $(PIP_COMPILE) --output-file requirements/mutation.txt requirements/mutation.in
	$(BIN)/pip-compile $(PIP_COMPILE) --output-file requirements/docs.txt requirements/docs.in

# What do the tests show of each promise and each kind of hostile input? Runs those tests and writes docs/evidence.md.
evidence: $(VENV)/.installed
	$(BIN)/python docs/make_evidence.py

# How fast, how large, beside what? TREES is NAME=DIR of one tree or several; ARGS go to the script (--semble PYTHON).
bench: $(VENV)/.installed
	$(BIN)/python benchmarks/bench.py $(if $(TREES),$(TREES),hardtack=.) $(ARGS)

# After a release: have the reusable workflows name the action by the release's commit, as in
# `make pins REPOSITORY=owner/hardtack SHA=<40 digits> VERSION=v1.2.0`.
pins:
	@echo "$(SHA)" | grep -Eqx '[0-9a-f]{40}' && test -n "$(REPOSITORY)" && test -n "$(VERSION)"
	sed -i -E 's#(uses: )[^ /]+/hardtack(/publish)?@[0-9a-f]{40} .*#\1$(REPOSITORY)\2@$(SHA) \# $(VERSION)#' .github/workflows/index.yml .github/workflows/index-release.yml

# How good is the ranking? Wants RETRIEVAL_DIR (the harness) and RETRIEVAL_REPOS (the checkouts); ARGS go to the script.
bench-retrieval:
	@$(PYTHON) benchmarks/retrieval.py --check
	@$(MAKE) --no-print-directory $(VENV)/.installed
	$(BIN)/python benchmarks/retrieval.py $(ARGS)

# Does a real issue lead to what had to change? Wants LOCALISATION_DIR (the issues) and LOCALISATION_MIRRORS (the projects' histories).
bench-localisation: $(VENV)/.installed
	$(BIN)/python benchmarks/localisation.py $(ARGS)

clean:
	rm -rf $(VENV) $(QUERY_VENV) $(TRANSFORMERS_VENV) $(SUPPLY_VENV) $(MUTATION_VENV) $(DOCS_VENV) build dist
