"""Cleaning as a step of other programs' pipelines. No module here, except that of datatrove, imports its program."""
