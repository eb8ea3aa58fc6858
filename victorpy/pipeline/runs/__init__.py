"""A run: many inputs cleaned into one folder, which tells at any moment what is done and what is not.

RUN/run.json says what the run is, RUN/shards/NUMBER.jsonl what is done of each shard, RUN/manifest.json all of it once
there is nothing left to do.
"""
