"""A model and a few annotated pages -> the model adapted to such pages."""

import logging
from collections.abc import Iterable
from dataclasses import replace

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.digests import versions
from victorpy.models.model_card import Card, Origin, TrainingData
from victorpy.models.model_folder import Model
from victorpy.models.network import Network
from victorpy.models.network_refining import Step, best_step, interpolated, refined
from victorpy.models.training import Tally, network_page
from victorpy.page.blocks import LABELS, Label

log = logging.getLogger("victorpy")

# Chosen on sites other than those in the report of benchmarks/adaptation.py.
REGULARIZATION = 0.1

_FEW = 5


def adapted(
    model: Model,
    pages: Iterable[AnnotatedPage],
    source: str = "",
    licence: str = "",
    regularization: float = REGULARIZATION,
) -> Model:
    """The model after training the layers of its network on more pages; nothing else changes.

    The pages show the scope of its decoding. The other scopes keep what makes them different from that.
    """
    whole, scope = network_of(model), model.config.decoding.scope
    network = whole.of_scope(scope)
    tally, network_pages = Tally(), []
    for annotated in (page.known_as(LABELS) for page in pages):
        tally.add(annotated)
        network_pages.append(network_page(annotated, network.features, model.config))
    _check(tally, network, model.name)
    log.info("%d pages, %d labeled blocks, adapting %s", tally.pages, tally.blocks, model.name)
    if tally.pages < _FEW:
        log.warning("fewer than %d pages may not represent a site, and other pages may be labeled worse", _FEW)
    step = best_step(network, network_pages, regularization)
    _log_step(step)
    origin = Origin(model.name, model.digest, regularization, model.card.data, step.share)
    card = _card(model, origin, tally.data(source, licence))
    new = interpolated(network, refined(network, network_pages, regularization), step.share)
    return replace(model, network=whole.with_refined(new, scope), card=card, name="", digest="")


def can_be_adapted(model: Model) -> bool:
    return model.network is not None and model.config.decoding.method != "viterbi"


def network_of(model: Model) -> Network:
    """The network of a model that can be adapted; refuses all other models before any work."""
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
        # Blocks without a label are not used. A network that gets only content learns to keep everything.
        raise VictorError("no block of these pages is 'other': label their noise as well")
    for label in LABELS:
        if label in tally.counts and not network.gives(label):
            raise VictorError(
                f"'{label}' is a label that this model never gives: use others, or train a new model", name
            )


def _log_step(step: Step) -> None:
    if step.share == 0:
        log.warning("no step labels held-out pages better for certain: the adapted model labels as it does")
    elif step.before is not None:
        message = "held-out pages: loss %.4f before, %.4f adapted, by %.1f %% of the full step"
        log.info(message, step.before, step.after, 100 * step.share)


def _card(model: Model, origin: Origin, data: TrainingData) -> Card:
    """The card of the new model; the scores and the summary of the old one do not apply to it."""
    chain = (*model.card.adapted_from, origin)
    # The versions that trained the other parts of the model still apply.
    made_by = {**model.card.made_by, **versions("lxml", "numpy", "scipy")}
    return replace(model.card, summary="", data=data, adapted_from=chain, scores={}, made_by=made_by)
