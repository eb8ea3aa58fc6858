"""The names by which the parts of a blog are recognised."""

from dataclasses import dataclass

from victorpy.foundation.bounds import AT_LEAST_1, FROM_0_TO_1, check_bounds


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@dataclass(frozen=True)
class Patterns:
    """Shell-style patterns for classes, ids, itemprops, itemtypes and rels, in lower case.

    `meta` names facts about a post that are not its text; `noise` names parts without posts or their fields. A block
    counts as the date of a post only if it has at most `longest-byline` characters.
    Posts that hold less than the share `least-share` of a page are none.
    """

    post: tuple[str, ...] = _words(
        "hentry h-entry post-[0-9]* type-post post-outer blog-post blogpost blog-entry blogposting post entry"
        " post-entry post-item entry-box post-card"
    )
    title: tuple[str, ...] = _words(
        "entry-title p-name post-title post-full-title article-title article__title blog-title-link headline posttitle"
        " post__title post-card-title storytitle blog-post-title"
    )
    date: tuple[str, ...] = _words(
        "published dt-published date-header entry-date post-date datepublished article-date posted-on post-timestamp"
        " date post__date storypublishdate byline-meta-date post-full-meta-date"
    )
    author: tuple[str, ...] = _words(
        "author p-author byline post-author author-name entry-author post__author authorname vcard"
    )
    body: tuple[str, ...] = _words(
        "entry-content e-content post-body post-content post-full-content gh-content articlebody entry-summary"
        " p-summary entry-body article-content article-body article__content post-text post__content post-card-excerpt"
        " post-excerpt blog-post-content storybody"
    )
    meta: tuple[str, ...] = _words(
        "entry-meta post-meta entry-footer post-footer entry-header post-header tags tag-list tag-links cat-links"
        " comments-link edit-link reading-time meta post-labels more-link read-more post-card-readmore post-info"
    )
    noise: tuple[str, ...] = _words(
        "comments comment comment-* comments-* commentlist respond disqus_thread sidebar *-sidebar sidebar-* widget_*"
        " widget-area related related-* *-related jp-relatedposts recommended read-next pagination post-navigation"
        " nav-links navigation breadcrumb breadcrumbs share sharing share-* sharedaddy social-* newsletter subscribe"
        " subscribe-* author-bio author-box about-author archive-list blog-pager toc table-of-contents advert ads"
        " cookie-* popular-posts blogroll"
    )
    longest_byline: int = 120
    least_share: float = 0.05

    def __post_init__(self) -> None:
        check_bounds(self, {"longest_byline": AT_LEAST_1, "least_share": FROM_0_TO_1})
