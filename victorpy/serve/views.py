"""The table of views: the navigation shows them in this order."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from starlette.routing import BaseRoute

from victorpy.serve import annotate_view, models_view, runs_view, try_view
from victorpy.serve.server_settings import ServerSettings


class View(NamedTuple):
    """A view: its title, what it is for, and a function that gives its routes.

    The view NAME has the page `/NAME`, the script `static/NAME.js` and the style sheet `static/NAME.css`.
    Its script exports `show(root)`, which fills the main part of the page.
    """

    title: str
    purpose: str
    routes: Callable[[ServerSettings], Sequence[BaseRoute]]


VIEWS = {
    "try": View("Try", "Clean a page and see why", try_view.routes),
    "annotate": View("Annotate", "Label the pages of a folder", annotate_view.routes),
    "review": View("Review", "Decide between two annotators", lambda _: []),
    "models": View("Models", "Adapt and train models", models_view.routes),
    "runs": View("Runs", "Look at the outcomes of runs", runs_view.routes),
}
