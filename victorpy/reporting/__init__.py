"""Reports for people: one HTML file that shows what is kept of pages, and why."""
