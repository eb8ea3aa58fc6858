"""The floors of the house: imports point downwards, and an outside library has one home."""

import ast
from functools import cache
from pathlib import Path

import pytest

import victorpy

PACKAGE = Path(victorpy.__file__).parent

FLOORS = [
    {"errors", "elements", "exits", "scores", ""},
    {"extras", "markup"},
    {"arrays", "compression", "hosts", "languages", "members", "references", "sorting"},
    {"parse"},
    {"blocks", "buckets", "files", "library", "options", "progress", "sandbox", "sources"},
    {
        "decode",
        "segment",
        "templates",
        "gold",
        "subsequence",
        "realign",
        "folds",
        "crawls",
        "grouping",
        "sketch",
        "language",
        "passages",
        "dates",
    },
    {"features", "posts"},
    {"columns", "placing", "annotations", "cleaned", "labelers", "deduplication"},
    {"align", "formats", "config", "tables", "sites"},
    {"digests", "siblings"},
    {"models", "post_scores", "evaluation", "report", "plots", "agreement"},
    {"cleaner", "training", "importing", "inspection", "comparison"},
    {"batch", "estimator", "explanation", "predictions", "adapting"},
    {"sinks"},
    {"experiment", "suggesting", "quarantine", "runs", "adapters"},
    {"validation", "engines"},
    {"ablation", "tuning", "annotator"},
    {"commands"},
    {"cli"},
    {"__main__"},
]

HOMES = {
    "lxml": {"parse"},
    "yaml": {"options"},
    "sklearn_crfsuite": {"labelers.crfsuite"},
    "pycrfsuite": {"labelers.crfsuite"},
    "cydifflib": {"scores"},
    "rapidfuzz": {"scores"},
    "pandas": {
        "suggesting",
        "commands.suggest",
        "agreement",
        "commands.agree",
        "comparison",
        "plots",
        "validation",
        "ablation",
        "tuning",
        "commands.compare",
        "commands.validations",
        "inspection",
        "explanation",
        "commands.tables",
        "evaluation",
        "report",
        "commands.evaluate",
        "commands.xval",
        "experiment",
        "tables",
        "commands.features",
        "adapters.frames",
        "adapters.spark",
    },
    "catboost": {"labelers.boosting"},
    "jax": {"labelers.descent"},
    "optax": {"labelers.descent"},
    "sklearn": {"estimator", "labelers.tree_learning"},
    "stopwordsiso": {"labelers.stopwords"},
    "py3langid": {"languages"},
    "scipy": {"comparison", "labelers.refining"},
    "threadpoolctl": {"labelers.network"},
    "matplotlib": {"plots"},
    "tqdm": {"progress"},
    "fastwarc": {"extras"},
    "publicsuffixlist": {"extras"},
    "pyarrow": {"extras"},
    "zstandard": {"extras"},
    "distributed": {"extras"},
    "rensa": {"deduplication.signatures"},
    "multiprocessing": {"sandbox"},
    "datatrove": {"adapters.datatrove"},
    "prompt_toolkit": {"annotator.app"},
    "wcwidth": {"annotator.widths"},
}

FLOOR_OF = {name: number for number, floor in enumerate(FLOORS) for name in floor}
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").removesuffix(".")


@cache
def imports(path: Path) -> set[str]:
    """All modules that a file imports, wherever in it."""
    tree = ast.parse(path.read_text("utf-8"))
    froms = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    plain = (alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names)
    named = (
        f"{node.module}.{alias.name}" if node.module == "victorpy" else node.module or ""
        for node in froms
        for alias in node.names
    )
    return {*plain, *named}


def own_imports(path: Path) -> set[str]:
    names = (name.partition(".") for name in imports(path))
    inner = {rest for top, _, rest in names if top == "victorpy"}
    return {name for name in inner if name.partition(".")[0] in FLOOR_OF}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_downwards(path):
    own = name_of(path).partition(".")[0]
    if not own:
        return  # the package itself only names where things are

    too_high = {name for name in own_imports(path) if FLOOR_OF[name.partition(".")[0]] > FLOOR_OF[own]}
    beside = {
        name for name in own_imports(path) if FLOOR_OF[top := name.partition(".")[0]] == FLOOR_OF[own] and top != own
    }

    assert not too_high
    assert not beside


@pytest.mark.parametrize("library", HOMES)
def test_a_library_has_one_home(library):
    users = {name_of(path) for path in MODULES if library in {name.partition(".")[0] for name in imports(path)}}

    assert users <= HOMES[library]


def test_every_module_has_a_floor():
    assert {name_of(path).partition(".")[0] for path in MODULES} <= FLOOR_OF.keys()
