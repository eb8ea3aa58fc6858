"""An open page as JSON: what the view Annotate shows of its blocks."""

from collections.abc import Mapping
from typing import Any

from victorpy.annotator.session import Labels
from victorpy.annotator.widths import visible
from victorpy.page.safe_copies import MARK, POLICY
from victorpy.serve.page_leases import Lease

# The frame has the app's origin, so that the app can mark blocks in it, but no script runs there.
FRAME_HEADERS = {
    "content-security-policy": f"{POLICY}; frame-ancestors 'self'; sandbox allow-same-origin",
    "cross-origin-resource-policy": "same-origin",
}

# Colours on the page itself, which is nearly always light. `l` is the label, `s` the suggested one, `c` the cursor.
FRAME_STYLE = f"""
:where(html){{background:#fff;color:#111;color-scheme:light}}
{MARK}{{cursor:pointer;outline:1px dotted #0003;outline-offset:1px;border-radius:2px}}
{MARK}:hover{{outline:2px solid #0b6459}}
{MARK}[s=p]{{background:#0b645914}}
{MARK}[s=h]{{background:#7a2e9c1a}}
{MARK}[s=l]{{background:#0a6a8f1a}}
{MARK}[s=c]{{background:#2a52be1a}}
{MARK}[l=p]{{background:#0b645940;outline:1px solid #0b6459}}
{MARK}[l=h]{{background:#7a2e9c40;outline:1px solid #7a2e9c}}
{MARK}[l=l]{{background:#0a6a8f40;outline:1px solid #0a6a8f}}
{MARK}[l=c]{{background:#2a52be40;outline:1px solid #2a52be}}
{MARK}[l=o]{{background:#8a5a1226;outline:1px solid #8a5a1288;text-decoration:line-through #8a5a1288}}
{MARK}[m]{{box-shadow:0 0 0 3px #0b645966}}
{MARK}[f]{{box-shadow:inset 3px 0 #c22}}
{MARK}[c]{{outline:3px solid #d9480f!important;outline-offset:2px;scroll-margin:30vh}}
""".replace("\n", "")


def page_record(lease: Lease) -> dict[str, Any]:
    """The page without suggestions, which come later."""
    page = lease.opened.page
    return {
        "id": lease.entry.id,
        "anno": lease.entry.anno.name,
        "title": visible(page.title) or page.id,
        "url": page.url,
        "texts": [visible(text) for text in page.texts],
        "leads": page.leads,
        "labels": label_names(lease.labels),
        "cursor": lease.cursor,
        "flags": lease.flags,
        "messages": lease.opened.messages,
    }


def label_names(labels: Labels | list[Any]) -> list[str | None]:
    return [None if label is None else label.value for label in labels]


def as_changes(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = body.get("changes", [])
    if not isinstance(found, list) or not all(isinstance(change, dict) for change in found):
        raise ValueError("changes: expected a list of objects")
    return found
