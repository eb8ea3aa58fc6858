"""Texts that were there before, pages and passages: the first stays, whatever comes later is told from it."""
