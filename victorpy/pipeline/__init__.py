"""From raw pages to outcomes: one page, many pages, runs that survive a crash."""
