"""A page as blocks: its markup, text, passages, dates and posts."""
