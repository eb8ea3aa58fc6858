"""Pages labeled by people: files, realignment, gold texts and how near a text comes to them."""
