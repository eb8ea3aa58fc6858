"""Ray Data: a callable class for Dataset.map_batches with batch_format="pandas"."""

from dataclasses import dataclass

from victorpy.pipeline.adapters.frames import FrameCleaner


@dataclass(frozen=True)
class Clean(FrameCleaner):
    """Cleans a batch. The arguments of the constructor are the fields of FrameCleaner."""
