"""The web app and its REST interface: try, annotate, review, models, runs. It needs the extra `serve`."""
