"""A run: many inputs cleaned into one folder, which always says what is done and what is not.

RUN/run.json says what the run is, and RUN/shards/NUMBER.jsonl what is done of each shard. RUN/manifest.json sums up a
finished run.
"""
