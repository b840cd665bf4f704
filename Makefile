# Two commands: `make demo` and `make test`. Both set up everything they need in .venv, from the package registries alone.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test check lock clean

demo: $(VENV)/.installed
	$(BIN)/hardtack build .
	$(BIN)/hardtack verify
	$(BIN)/hardtack search -n 3 open_bundle
	$(BIN)/hardtack search -n 3 --why "where are the hashes of members checked"

test: check
	$(BIN)/pytest -q

# Everything that reads the code without running it.
check: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The stamp is older than any change to what is installed; an editable install follows the source by itself.
$(VENV)/.installed: pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

# Pin every dependency of every extra that the tests use, with its hashes.
lock: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --extra build --extra dev --generate-hashes --allow-unsafe --strip-extras --no-emit-index-url \
	  --no-emit-trusted-host --no-emit-find-links --no-header --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) build dist
