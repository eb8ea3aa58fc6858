"""Configs, templates and models: training, saving, labeling, and explaining."""
