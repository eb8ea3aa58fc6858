"""What the programs in benchmarks/ and core/ import from the package exists."""

import ast
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAMS = [
    *sorted(ROOT.glob("benchmarks/**/*.py")),
    *sorted(ROOT.glob("core/fuzz/*.py")),
    *sorted(ROOT.glob("core/tables/*.py")),
]


def imports(path):
    """The names that a program takes from modules of the package."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "victorpy":
            yield from ((node.module, alias.name) for alias in node.names)


def is_there(module, name):
    try:
        if hasattr(import_module(module), name):
            return True
        import_module(f"{module}.{name}")
    except ImportError:
        return False
    return True


def test_what_programs_import_is_there():
    assert PROGRAMS
    assert not [
        f"{path.name}: {module}.{name}"
        for path in PROGRAMS
        for module, name in imports(path)
        if not is_there(module, name)
    ]
