"""The shell patterns that the paper prints, by the step of its algorithm (section 4)."""

import re
from collections.abc import Sequence
from fnmatch import translate
from functools import lru_cache

# 1a: any attribute of a <div>.
POSTS = ("post*", "*hentry*", "divlog", "*entry*post*", "*post-*", "snap_preview")
# 2a: the class of the post itself; 2b: the class of a <div> in it.
OWN_BODIES = ("*post-body*", "posts", "entry", "content", "*entry-content*", "snap_preview")
INNER_BODIES = ("*post-body*", "posts", "entry*", "content", "*entry-content*", "text", "entrybody")
# 3a: any attribute of these elements in the post, in this order; 3b: these siblings before it.
TITLES, TITLE_TAGS = ("*post-title*", "*entry-title*", "*title*"), ("h3", "h2", "a")
TITLE_SIBLINGS = ("h1", "h2", "h3", "h4", "h5")
# 4a: the class of a <div>; 4b: the class of another, with a <span> or a <small> in it.
DATE_DIVS = ("*posted-in*", "datepost", "entrymeta", "date")
FACT_DIVS = ("postinfo", "info", "*-head")
DATE_SPANS, DATE_SMALLS = ("postdate", "date"), ("postdate", "date", "*time*", "*date*")
# 4c: an attribute of these siblings before it.
DATES_BEFORE, DATE_SIBLINGS = ("*date-header*", "*date*"), (*TITLE_SIBLINGS, "span", "small")

# Not in the paper, whose authors left comments open: any attribute of a <div>, <li>, <ol> or <ul>.
COMMENTS, COMMENT_TAGS = ("comment", "comment *", "comment-*", "comments", "comments *"), ("div", "li", "ol", "ul")


@lru_cache
def matcher(patterns: Sequence[str]) -> re.Pattern[str]:
    """Matches the whole value of an attribute, as Tcl's `string match` does."""
    return re.compile("|".join(map(translate, patterns)))
