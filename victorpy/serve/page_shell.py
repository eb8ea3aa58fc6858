"""The page around a view: navigation, style sheets, and the script that fills it."""

from collections.abc import Mapping
from html import escape

from victorpy.serve.views import View

_SHELL = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · Victor</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/victor.css">
<link rel="stylesheet" href="/static/{name}.css">
<script type="module" src="/static/victor.js"></script>
</head>
<body data-view="{name}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><svg viewBox="0 0 32 32" aria-hidden="true">
<path d="M5 6h22M5 13h14M5 20h18M5 27h10"/></svg>Victor</a>
<nav aria-label="Views">
{links}
</nav>
</header>
<main id="main" tabindex="-1"><noscript>This page needs JavaScript.</noscript></main>
<div id="messages" role="status" aria-live="polite"></div>
</body>
</html>
"""


def page_shell(name: str, views: Mapping[str, View]) -> str:
    """The HTML of the page of a view."""
    links = "\n".join(_link(other, view, is_current=other == name) for other, view in views.items())
    return _SHELL.format(name=name, title=escape(views[name].title), links=links)


def _link(name: str, view: View, *, is_current: bool) -> str:
    current = ' aria-current="page"' if is_current else ""
    return f'<a href="/{name}" title="{escape(view.purpose)}"{current}>{escape(view.title)}</a>'
