"""What every room stands on: files, compression, digests, options in YAML, processes."""
