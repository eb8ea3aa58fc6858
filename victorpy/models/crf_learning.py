"""Training a CRF: the only place that imports CRFsuite."""

import logging
import struct
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import tee
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from victorpy.errors import VictorError
from victorpy.features.buckets import Codes
from victorpy.models.crf import CRF, Layout, compiled
from victorpy.models.learning_options import CRFOptions
from victorpy.page.blocks import LABELS, Label
from victorpy.page.elements import Floats

log = logging.getLogger("victorpy")


_OPTIONS: Mapping[str, tuple[str, ...]] = {"lbfgs": ("c1", "c2"), "l2sgd": ("c2",), "ap": (), "pa": (), "arow": ()}


_ITERATIONS_A_LINE = 10


class CodedPage(NamedTuple):
    """The codes of a page, and the label of each block, or None for a block without a label."""

    codes: Codes
    labels: Sequence[Label | None]


class Weights(NamedTuple):
    """Weights from CRFsuite: attribute → one per label, transitions (from × to), and labels that no page had."""

    states: Mapping[str, Floats]
    transitions: Floats
    unseen: tuple[int, ...]


def learn(pages: Iterable[CodedPage], layout: Layout, options: CRFOptions) -> CRF:
    """Train on the pages, in one pass over them."""
    pairs = (pair for page in pages for pair in sequences(page, layout))
    return _compiled(learned_weights(pairs, options, layout.labels), layout)


def learned_weights(
    pairs: Iterable[tuple[list[list[str]], list[str]]], options: CRFOptions, labels: Sequence[Label] = LABELS
) -> Weights:
    """Train on pairs of attributes per item and labels."""
    with _file_for_crfsuite() as file:
        items, named = tee(pairs)
        _estimator(options, file).fit((attributes for attributes, _ in items), (names for _, names in named))
        return read_weights(file.read_bytes(), labels)


@contextmanager
def _file_for_crfsuite() -> Iterator[Path]:
    """A path for CRFsuite to write to; where files without a name have a path, a kill leaves nothing behind."""
    with tempfile.TemporaryFile() as file:
        path = Path(f"/dev/fd/{file.fileno()}")
        if path.exists():
            yield path
            return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder, "crfsuite.model")


def sequences(page: CodedPage, layout: Layout) -> Iterator[tuple[list[list[str]], list[str]]]:
    """The runs of labeled blocks of the page; single blocks if labels do not depend on one another."""
    run: list[tuple[list[str], str]] = []
    for item, label in zip(attributes(page.codes, layout), page.labels, strict=True):
        if label is not None:
            run.append((item, label.value))
        if run and (label is None or not layout.templates.has_label_bigrams):
            yield _unzipped(run)
            run = []
    if run:
        yield _unzipped(run)


def _unzipped(run: list[tuple[list[str], str]]) -> tuple[list[list[str]], list[str]]:
    return [item for item, _ in run], [label for _, label in run]


def attributes(codes: Codes, layout: Layout) -> list[list[str]]:
    """The attributes of every block: `template=code`."""
    padded = layout.padded(codes)
    columns = [
        [f"{number}={code}" for code in layout.template_codes(template, padded).tolist()]
        for number, template in enumerate(layout.templates.unigrams)
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _estimator(options: CRFOptions, file: Path) -> Any:
    import pycrfsuite  # noqa: PLC0415
    import sklearn_crfsuite  # noqa: PLC0415

    class Trainer(pycrfsuite.Trainer):  # type: ignore[misc]
        def message(self, message: str) -> None:
            if self.logparser.feed(message) == "iteration":
                last = self.logparser.last_iteration
                number, most = last["num"], options.max_iterations
                level = logging.INFO if number % _ITERATIONS_A_LINE == 0 else logging.DEBUG
                log.log(level, "iteration %d of at most %d: loss %.1f", number, most, last["loss"])

    return sklearn_crfsuite.CRF(
        options.algorithm,
        min_freq=options.min_freq,
        max_iterations=options.max_iterations,
        all_possible_transitions=True,
        trainer_cls=Trainer,
        model_filename=str(file),
        **{name: getattr(options, name) for name in _OPTIONS[options.algorithm]},
    )


def _compiled(weights: Weights, layout: Layout) -> CRF:
    by_template: list[dict[int, Floats]] = [{} for _ in layout.templates.unigrams]
    for name, values in weights.states.items():
        template, code = map(int, name.split("="))
        by_template[template][code] = values
    transitions = weights.transitions if layout.templates.has_label_bigrams else np.zeros_like(weights.transitions)
    return replace(compiled(layout, by_template, transitions), unseen=weights.unseen)


# The format of CRFsuite's model file, from its crf1d_model.c and quark's cqdb.c. CRFsuite's own dump would round
# weights to six digits.
_HEADER = struct.Struct("<4sI4sI3I5I")
_FEATURE = np.dtype([("type", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
_TRANSITION = 1


def read_weights(model: bytes, labels: Sequence[Label] = LABELS) -> Weights:
    """All weights of a CRFsuite model file, in full precision."""
    if len(model) < _HEADER.size or model[:4] != b"lCRF":
        raise VictorError("nothing was learned: the training pages hold no labeled block")
    *_, features_at, labels_at, attributes_at, _, _ = _HEADER.unpack_from(model)
    count = struct.unpack_from("<I", model, features_at + 8)[0]
    features = np.frombuffer(model, _FEATURE, count, features_at + 12)
    places = [labels.index(Label(name)) for name in _strings(model, labels_at)]
    names = _strings(model, attributes_at)
    states: dict[str, Floats] = {}
    transitions = np.zeros((len(labels), len(labels)))
    for kind, source, target, weight in features.tolist():
        if kind == _TRANSITION:
            transitions[places[source], places[target]] = weight
        else:
            states.setdefault(names[source], np.zeros(len(labels)))[places[target]] = weight
    return Weights(states, transitions, tuple({*range(len(labels))} - {*places}))


def _strings(model: bytes, begin: int) -> list[str]:
    """The strings of a constant database, ordered by number."""
    count, offsets_at = struct.unpack_from("<II", model, begin + 16)
    offsets = struct.unpack_from(f"<{count}I", model, begin + offsets_at)
    return [_string(model, begin + offset) for offset in offsets]


def _string(model: bytes, begin: int) -> str:
    size = struct.unpack_from("<I", model, begin + 4)[0]
    return model[begin + 8 : begin + 8 + size - 1].decode()
