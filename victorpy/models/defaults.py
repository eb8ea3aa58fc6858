"""The default model of the commands, and the default config."""

import logging

log = logging.getLogger("victorpy")

DEFAULT_MODEL = "web"

# Training the default model's network from scratch needs JAX and far more than a few pages.
DEFAULT_TRAINED_CONFIG = "cleaneval"


def config_to_train(name: str | None) -> str:
    """The given config, or the default for training from scratch, with the reason in the log."""
    if name:
        return name
    log.info(
        "config %s, because that of the default model %s trains a network, which needs JAX: choose it with -c %s",
        DEFAULT_TRAINED_CONFIG,
        DEFAULT_MODEL,
        DEFAULT_MODEL,
    )
    return DEFAULT_TRAINED_CONFIG
