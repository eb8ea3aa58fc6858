"""Cleaning as a step of other programs' pipelines: what their engines call, and nothing that needs them to be there."""
