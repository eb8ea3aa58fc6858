"""Learns which of a page's candidates are its title, its authors and its date.

    train_metadata.py DATA                          # writes core/src/metadata/weights.tsv
    train_metadata.py DATA --cross-validate FOLDER  # writes FOLDER/metadata.jsonl, made by six folds of sites

DATA/wcxb-dev holds html/, meta.jsonl and pages.tsv. The core finds candidates, each with the names of its features; a
candidate's score is the sum of its features' weights, and its chance the softmax over all candidates of its page. The
weights maximise the likelihood of what is right, with a penalty on their squares. One candidate stands for "none": its
weight is lowered until it is wrongly passed over on as many pages as SPARED says, counted on pages left out.
The address of a page is not given: it is taken from the page itself, as for the other tools.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from victorpy import _core
from victorpy.models.config import load

FIELDS = ("title", "author", "date")
FOLDS = 6
# The pages without an author or date for which one may be given. By cross-validation, within the bounds of the project.
SPARED = {"author": 0.09, "date": 0.32}
# By cross-validation, as large as a field allows.
PENALTIES = {"title": 13.0, "author": 4.0, "date": 16.0}
LEAST_PAGES = 3
SMALLEST = 0.02

Floats = np.ndarray[Any, np.dtype[np.float64]]
Candidate = tuple[str, str, list[str]]


@dataclass(frozen=True)
class Page:
    id: str
    fold: int
    gold: dict[str, str | None]
    candidates: dict[str, list[Candidate]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cross-validate", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    pages = list(read(options.data / "wcxb-dev"))
    if options.cross_validate:
        options.cross_validate.mkdir(parents=True, exist_ok=True)
        lines = map(json.dumps, cross_validated(pages))
        (options.cross_validate / "metadata.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    else:
        target = Path(__file__).parents[1] / "core" / "src" / "metadata" / "weights.tsv"
        lines = (line for number, field in enumerate(FIELDS) for line in table(number, learned(pages, field)))
        target.write_text("".join(lines), "utf-8")


def read(folder: Path):
    markup = load("web").markup.core
    hosts = dict(line.split("\t")[::2][:2] for line in (folder / "pages.tsv").read_text("utf-8").splitlines())
    for line in (folder / "meta.jsonl").read_text("utf-8").splitlines():
        gold = json.loads(line)
        html = (folder / "html" / f"{gold['id']}.html").read_bytes()
        found = _core.of_bytes(html, None, markup).metadata_candidates("")
        fold = int(sha256(hosts[gold["id"]].strip().encode()).hexdigest(), 16) % FOLDS
        yield Page(gold["id"], fold, gold, dict(zip(FIELDS, found, strict=True)))


def cross_validated(pages: Sequence[Page]):
    chosen: dict[str, dict[str, str | None]] = {page.id: {"id": page.id} for page in pages}
    for fold in range(FOLDS):
        known = [page for page in pages if page.fold != fold]
        for field in FIELDS:
            weights = learned(known, field)
            for page in pages:
                if page.fold == fold:
                    scores = [score(weights, candidate) for candidate in page.candidates[field]]
                    chosen[page.id][field] = page.candidates[field][int(np.argmax(scores))][0] or None
    yield from chosen.values()


def table(number: int, weights: dict[str, float]):
    for feature, weight in sorted(weights.items()):
        if abs(weight) >= SMALLEST:
            yield f"{number}\t{feature}\t{weight:.3f}\n"


def learned(pages: Sequence[Page], field: str) -> dict[str, float]:
    """The weights of features, with that of "none" lowered as SPARED says."""
    weights = fitted(pages, field)
    if field in SPARED:
        weights["none"] = weights.get("none", 0.0) - lowered(pages, field)
    return weights


def lowered(pages: Sequence[Page], field: str) -> float:
    """By how much "none" has to be lowered, by pages that were left out in turn."""
    margins = []
    for part in range(3):
        weights = fitted([page for page in pages if page.fold % 3 != part], field)
        for page in pages:
            if page.fold % 3 == part and not page.gold[field]:
                scores = [score(weights, candidate) for candidate in page.candidates[field]]
                margins.append(scores[-1] - max(scores[:-1], default=-np.inf))
    return float(max(0.0, np.quantile(margins, SPARED[field])))


def score(weights: dict[str, float], candidate: Candidate) -> float:
    return sum(weights.get(feature, 0.0) for feature in candidate[2])


def fitted(pages: Sequence[Page], field: str) -> dict[str, float]:
    every = [(candidate, gain) for page in pages for candidate, gain in gains(page, field)]
    sizes = np.array([len(page.candidates[field]) for page in pages])
    pages_of = Counter(name for page in pages for name in {name for one in page.candidates[field] for name in one[2]})
    names = sorted(name for name, count in pages_of.items() if count >= LEAST_PAGES)
    numbers = {name: number for number, name in enumerate(names)}
    listed = [[numbers[name] for name in candidate[2] if name in numbers] for candidate, _ in every]
    rows = np.repeat(np.arange(len(listed)), [len(one) for one in listed])
    columns = [number for one in listed for number in one]
    features = sparse.csr_matrix((np.ones(len(columns)), (rows, columns)), (len(every), len(names)))
    gained = np.array([gain for _, gain in every])
    return dict(zip(names, best_weights(features, gained, sizes, PENALTIES[field]).tolist(), strict=True))


def best_weights(features: sparse.csr_matrix, gained: Floats, sizes: Any, penalty: float) -> Floats:
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    page = np.repeat(np.arange(len(sizes)), sizes)
    is_known = np.maximum.reduceat(gained, starts) > 0

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = features @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, starts)[page])
        chances = powers / np.add.reduceat(powers, starts)[page]
        right = np.maximum(np.add.reduceat(chances * gained, starts), 1e-12)
        slopes = np.where(is_known[page], chances - chances * gained / right[page], 0.0)
        cost = penalty / 2 * weights @ weights
        return -np.log(right[is_known]).sum() + cost, features.T @ slopes + penalty * weights

    found: Floats = minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return found


def gains(page: Page, field: str) -> list[tuple[Candidate, float]]:
    """How right each candidate is, from 0 to 1."""
    gold = page.gold[field]
    return [(candidate, _gain(field, gold, candidate[0])) for candidate in page.candidates[field]]


def _gain(field: str, gold: str | None, value: str) -> float:
    if not gold or not value:
        return float(not gold and not value)
    if field == "author":
        wanted, given = _names(gold), _names(value)
        return 2 * len(wanted & given) / (len(wanted) + len(given)) if given else 0.0
    return float(value == gold[:10] if field == "date" else _folded(value) == _folded(gold))


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _names(text: str) -> set[str]:
    parts = re.split(r"\s*(?:,|;|&|\||/|\band\b|\bund\b|\by\b)\s*", text)
    return {_folded(part) for part in parts} - {""}


if __name__ == "__main__":
    main()
