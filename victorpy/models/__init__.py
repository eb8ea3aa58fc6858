"""Configs, templates, models: learning them, keeping them, using them, looking into them."""
