"""What `benchmarks/fuzz.py` feeds to victorpy, and what victorpy promises whatever it is fed."""
