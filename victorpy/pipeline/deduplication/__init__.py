"""Finds duplicate pages and passages: the first is kept, and later ones are marked as its duplicates."""
