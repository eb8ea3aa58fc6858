"""Content management systems by what they leave in pages, and the parts of pages where they put the content.

A future idea of the original: "Recognize common Content Management Systems".
"""

import re
from typing import NamedTuple

import numpy as np

from victorpy import _core
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints


class ContentSystem(NamedTuple):
    """What <meta name=generator> says, what else stands in the source, and a selector of the main content."""

    name: str
    generator: str
    markers: str
    content: str


# The twenty commonest, and some of wikis and forums. The number of a system is its place here, from 1.
SYSTEMS = (
    ContentSystem("WordPress", "wordpress", r"/wp-(?:content|includes)/", ".entry-content, .post-content, .hentry"),
    ContentSystem(
        "Drupal", "drupal", r"/sites/(?:default|all)/|Drupal\.settings|data-drupal-", ".node, .field-name-body"
    ),
    ContentSystem(
        "Joomla", "joomla", r"/media/(?:jui|system)/js/|option=com_content", ".item-page, .com-content-article"
    ),
    ContentSystem(
        "MediaWiki",
        "mediawiki",
        r"mw-(?:content-text|parser-output|headline)|wgPageName",
        "#mw-content-text, #bodyContent",
    ),
    ContentSystem("Blogger", "blogger", r"blogger\.com/|\.blogspot\.", ".post-body"),
    ContentSystem("Shopify", "shopify", r"cdn\.shopify\.com|Shopify\.theme", ".product-description, .rte"),
    ContentSystem("Wix", "wix", r"static\.(?:wixstatic|parastorage)\.com", "#PAGES_CONTAINER"),
    ContentSystem("Squarespace", "squarespace", r"static1?\.squarespace\.com", ".sqs-block-content"),
    ContentSystem("TYPO3", "typo3", r"/typo3(?:conf|temp)/", ".ce-bodytext, #content"),
    ContentSystem("PrestaShop", "prestashop", r"var prestashop|/modules/ps_", "#content"),
    ContentSystem("Magento", "magento", r"Mage\.Cookies|/static/version\d+/frontend/", ".column.main"),
    ContentSystem("Ghost", "ghost", r"/ghost/(?:api|assets)|content/images/size/", ".gh-content, .post-full-content"),
    ContentSystem("Movable Type", "movable type", r"/mt-(?:static|search\.cgi)", ".asset-body, .entry-body"),
    ContentSystem("phpBB", "phpbb", r"Powered by <a[^<>]*>phpBB|/styles/prosilver/", ".postbody"),
    ContentSystem("vBulletin", "vbulletin", r"vbulletin[-_.]|/clientscript/", ".postcontent, .post_message"),
    ContentSystem("Discourse", "discourse", r"discourse-(?:cdn|root|assets)", ".cooked"),
    ContentSystem("DokuWiki", "dokuwiki", r"/lib/exe/(?:css|js)\.php", ".dokuwiki .page, #dokuwiki__content"),
    ContentSystem("Confluence", "confluence", r"ajs-(?:page|space)-|/wiki/spaces/", "#main-content"),
    ContentSystem("Plone", "plone", r"\+\+plone\+\+|portal_css", "#content-core"),
    ContentSystem("Hugo", "hugo", r"/hugo[-.]", "main, article"),
    ContentSystem("Jekyll", "jekyll", r"jekyll-(?:seo|theme)|Jekyll v", ".post-content, article"),
    ContentSystem("Weebly", "weebly", r"editmysite\.com|weebly\.com/", "#wsite-content"),
    ContentSystem("Contao", "contao", r"/assets/contao/", "#main"),
    ContentSystem("Sphinx", "sphinx", r"documentation_options\.js|sphinxsidebar", "div.body, .document main"),
)

# Markers lie in the head, in links to styles and scripts, or in the footer. More of a page says nothing new.
_LOOKED_AT = 200_000
_MARKERS = [re.compile(system.markers) for system in SYSTEMS]


@once_per_page
def system_number(page: Page) -> int:
    """The number of the page's system, from 1; 0 if it is not known. The generator decides before the markers."""
    names = page.attributes["name"]
    contents = page.attributes["content"]
    said = " ".join(
        content.lower()
        for name, content in zip(names, contents, strict=True)
        if content and name and name.lower() == "generator"
    )
    by_generator = (number for number, system in enumerate(SYSTEMS, start=1) if system.generator in said)
    source = page.core.source[:_LOOKED_AT]
    by_marker = (number for number, marker in enumerate(_MARKERS, start=1) if marker.search(source))
    return (next(by_generator, 0) if said else 0) or next(by_marker, 0)


def content_system(page: Page) -> str | None:
    """The name of the content management system that made the page, if it is known."""
    number = system_number(page)
    return SYSTEMS[number - 1].name if number else None


def system(page: Page) -> Ints:
    return np.full(len(page), system_number(page), np.int32)


@once_per_page
def is_content_of_system(page: Page) -> Flags:
    """Is the block where the page's system puts the main content?"""
    number = system_number(page)
    if not number:
        return np.zeros(len(page), np.bool_)
    found = [page.core.selected(_core.Selector(part.strip()))[0] for part in SYSTEMS[number - 1].content.split(",")]
    inside: Flags = np.any([np.frombuffer(blocks, np.bool_) for blocks in found], axis=0)
    return inside
