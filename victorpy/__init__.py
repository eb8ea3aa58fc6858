"""Web pages in, their text and its structure out: label text blocks with a trained model."""

__version__ = "0.1.0"
