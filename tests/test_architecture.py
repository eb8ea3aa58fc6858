"""The rooms of the house: imports point to rooms further up in the list, and an outside library has one home."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import victorpy

PACKAGE = Path(victorpy.__file__).parent

ROOMS = [
    "errors",
    "foundation",
    "page",
    "sources",
    "fetching",
    "features",
    "labelers",
    "annotation",
    "models",
    "output",
    "pipeline",
    "evaluation",
    "reporting",
    "annotator",
    "serve",
    "public",
    "integrations",
    "cli",
    "__main__",
]

HOMES = {
    "lxml": {"page.xml"},
    "yaml": {"foundation.yaml_options"},
    "sklearn_crfsuite": {"models.crf_learning"},
    "pycrfsuite": {"models.crf_learning"},
    "cydifflib": {"annotation.text_scores"},
    "rapidfuzz": {"annotation.text_scores"},
    "pandas": {
        "cli",
        "evaluation",
        "features.frame",
        "models.explanation",
        "models.flips",
        "models.inspection",
        "models.network_influence",
        "pipeline.adapters",
        "serve.block_reasons",
    },
    "jax": {"models.network_descent"},
    "optax": {"models.network_descent"},
    "sklearn": {"models.decision_tree_learning", "models.sklearn_estimator", "models.survey_learning"},
    "stopwordsiso": {"labelers.stopwords"},
    "py3langid": {"features.language_id"},
    "scipy": {"evaluation.comparison", "models.network_refining", "models.scope_guess"},
    "threadpoolctl": {"models.network"},
    "matplotlib": {"evaluation.plots"},
    "tqdm": {"foundation.progress"},
    "fastwarc": {"foundation.optional"},
    "isal": {"foundation.optional"},
    "langchain_core": {"integrations.langchain"},
    "llama_index": {"integrations.llama_index"},
    "mcp": {"foundation.optional", "integrations.mcp_server"},
    "scrapy": {"integrations.scrapy"},
    "itemadapter": {"integrations.scrapy"},
    "twisted": {"integrations.scrapy"},
    "urllib3": {"fetching"},
    "playwright": {"foundation.optional"},
    "protego": {"fetching.robots"},
    "publicsuffixlist": {"foundation.optional"},
    "pyarrow": {"foundation.optional"},
    "zstandard": {"foundation.optional"},
    "distributed": {"foundation.optional"},
    "rensa": {"pipeline.deduplication.signatures"},
    "multiprocessing": {"foundation.processes"},
    "datatrove": {"pipeline.adapters.datatrove"},
    "starlette": {"foundation.optional", "serve"},
    "uvicorn": {"foundation.optional", "serve"},
    "prompt_toolkit": {"annotator.app"},
    "wcwidth": {"annotator.widths"},
}


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").removesuffix(".")


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py")) if name_of(path)}


@cache
def imports(path: Path) -> set[str]:
    """All modules that a file imports, wherever in it, and what it takes from them."""
    tree = ast.parse(path.read_text("utf-8"))
    froms = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    plain = (alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names)
    return {*plain, *(f"{node.module}.{alias.name}" for node in froms for alias in node.names)}


def own_imports(name: str) -> set[str]:
    """The modules of the package that one of them imports."""
    inner = {found.removeprefix("victorpy.") for found in imports(MODULES[name]) if found.startswith("victorpy.")}
    found = {module if module in MODULES else module.rpartition(".")[0] for module in inner}
    return (found & MODULES.keys()) - {name}


def room_of(name: str) -> str:
    return name.partition(".")[0]


@pytest.mark.slow
def test_a_room_imports_only_from_rooms_above_it():
    downwards = {
        f"{name} imports {found}"
        for name in MODULES
        for found in own_imports(name)
        if ROOMS.index(room_of(found)) > ROOMS.index(room_of(name))
    }

    assert not downwards


def test_no_modules_import_each_other_in_a_circle():
    try:
        TopologicalSorter({name: own_imports(name) for name in MODULES}).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_the_rooms_are_all_there_is():
    assert {room_of(name) for name in MODULES} == set(ROOMS)


def test_no_two_modules_have_the_same_name():
    names = [name.rpartition(".")[2] for name in MODULES]

    assert sorted(names) == sorted(set(names))


def is_at_home(name: str, library: str) -> bool:
    return library not in HOMES or any(f"{name}.".startswith(f"{home}.") for home in HOMES[library])


def test_a_library_has_one_home():
    used = {(name, found.partition(".")[0]) for name, path in MODULES.items() for found in imports(path)}

    assert not [f"{name} imports {library}" for name, library in sorted(used) if not is_at_home(name, library)]


def test_every_library_with_a_home_is_used():
    assert not HOMES.keys() - {found.partition(".")[0] for path in MODULES.values() for found in imports(path)}


def test_no_two_classes_have_the_same_name():
    found = [
        node.name.lstrip("_")
        for path in MODULES.values()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]

    assert sorted(found) == sorted(set(found))
