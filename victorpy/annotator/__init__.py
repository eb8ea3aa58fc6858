"""The annotator: pages labeled in a terminal. Sessions are plain values; only `app` knows the terminal."""
