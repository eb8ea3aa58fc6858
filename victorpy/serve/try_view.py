"""The view *Try*: clean one page, and see what is kept and why."""

from starlette.routing import BaseRoute

from victorpy.serve.server_settings import ServerSettings


def routes(_: ServerSettings) -> list[BaseRoute]:
    """The routes of the view beside its page."""
    return []
