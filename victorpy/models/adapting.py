"""A model and a few pages of one's own → a model that knows such pages as well."""

import logging
from collections.abc import Iterable
from dataclasses import replace

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.digests import versions
from victorpy.models.model_folder import Card, Model, Origin, TrainingData
from victorpy.models.network import Network
from victorpy.models.network_refining import Way, best_way, between, refined
from victorpy.models.training import Tally, seen_page
from victorpy.page.blocks import LABELS, Label

log = logging.getLogger("victorpy")

# Chosen on sites other than those that benchmarks/adaptation.py reports of.
PULL = 0.1

_FEW = 5


def adapted(
    model: Model, pages: Iterable[AnnotatedPage], source: str = "", licence: str = "", pull: float = PULL
) -> Model:
    """The model after further pages, cut as its config says; the layers of its network learn, and nothing else."""
    network = network_of(model)
    tally, lessons = Tally(), []
    for annotated in (page.known_as(LABELS) for page in pages):
        tally.add(annotated)
        lessons.append(seen_page(annotated, network.features, model.config))
    _check(tally, network, model.name)
    log.info("%d pages, %d labeled blocks, adapting %s", tally.pages, tally.blocks, model.name)
    if tally.pages < _FEW:
        log.warning("fewer than %d pages say little of a site, and pages of others may be labeled worse", _FEW)
    way = best_way(network, lessons, pull)
    _tell(way)
    origin = Origin(model.name, model.digest, pull, model.card.data, way.share)
    card = _card(model, origin, tally.data(source, licence))
    new = between(network, refined(network, lessons, pull), way.share)
    return replace(model, network=new, card=card, name="", digest="")


def network_of(model: Model) -> Network:
    """What learns further; tells before long work that a model has none."""
    if model.network is None:
        raise UsageError(
            "a model without a network cannot be adapted: train one on your pages alone, with -c CONFIG", model.name
        )
    if model.config.decoding.method == "viterbi":
        raise UsageError("a model that decodes by viterbi cannot be adapted: its CRF would not learn", model.name)
    return model.network


def _check(tally: Tally, network: Network, name: str) -> None:
    tally.check()
    if Label.OTHER not in tally.counts:
        # Blocks without a label teach nothing, and who only ever sees content takes all for content.
        raise VictorError("nothing to tell apart: no block of these pages is 'other', so label their noise as well")
    for label in LABELS:
        if label in tally.counts and not network.gives(label):
            raise VictorError(
                f"'{label}' is a label that this model never gives: label with others, or train anew", name
            )


def _tell(way: Way) -> None:
    if way.share == 0:
        log.warning("pages left out in turn are labeled best by the model as it is: the new one labels as it does")
    elif way.before is not None:
        told = "pages left out in turn: loss %.4f as it is, %.4f adapted, by %.1f %% of the way"
        log.info(told, way.before, way.after, 100 * way.share)


def _card(model: Model, origin: Origin, data: TrainingData) -> Card:
    """What was said of the old model's quality does not hold of the new one."""
    chain = (*model.card.adapted_from, origin)
    # What the layers and the CRF of the old model were made by still holds.
    made_by = {**model.card.made_by, **versions("lxml", "numpy", "scipy")}
    return replace(model.card, summary="", data=data, adapted_from=chain, scores={}, made_by=made_by)
