# The tasks of a contributor: `just` lists them. `just setup` comes first.

bin := ".venv/bin"

# List the tasks.
default:
    @just --list

# Make an environment, install victorpy into it in place, and install the hooks of git.
setup:
    python3 -m venv .venv
    {{bin}}/pip install -q -e '.[dev]'
    {{bin}}/pre-commit install

# Run formatters, linters and type checkers of both languages.
check:
    {{bin}}/ruff check .
    {{bin}}/ruff format --check .
    {{bin}}/mypy --strict victorpy
    cd core && cargo fmt --check
    cd core && cargo clippy --quiet --locked --all-targets -- --deny warnings

# Run the tests of the core and all tests of the package.
test:
    cd core && cargo test --quiet --locked
    {{bin}}/pytest -n 2

# Run the tests that start no processes, or those of a folder: `just fast tests/page`.
fast *paths:
    {{bin}}/pytest -n 2 -m "not process and not slow" {{paths}}

# Run all tests and list the lines that none of them reaches.
cover:
    {{bin}}/pytest -n 2 --cov --cov-report=term-missing

# Run the code and the commands of README and docs, and check paths, names and links.
docs:
    {{bin}}/pytest tests/docs

# Build the docs as a site (extra `docs`) and show it while they change.
site:
    {{bin}}/mkdocs serve

# Check the bounds on time, and measure the speed on our own pages.
bench:
    {{bin}}/pytest benchmarks/bounds
    {{bin}}/python benchmarks/scaling.py

# Do all that must be green before a change is sent.
ci:
    .ci/run
