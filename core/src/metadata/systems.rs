//! Content management systems by what they leave in pages: the generator, and the addresses of their files, and names of
//! their elements.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::html::tags::Tag;
use crate::markup::code_of;
use crate::tree::Tree;

pub struct System {
    pub name: &'static str,
    /// A part of what `<meta name=generator>` says, in small letters.
    generator: &'static str,
    /// Parts of attributes.
    markers: &'static [&'static str],
    /// A selector of the elements with the main content.
    pub content: &'static str,
}

const fn system(
    name: &'static str,
    generator: &'static str,
    markers: &'static [&'static str],
    content: &'static str,
) -> System {
    System { name, generator, markers, content }
}

/// The twenty commonest, and some of wikis and forums. The number of a system is its place here, from 1.
#[rustfmt::skip]
pub const SYSTEMS: [System; 24] = [
    system("WordPress", "wordpress", &["/wp-content/", "/wp-includes/"], ".entry-content, .post-content, .hentry"),
    system("Drupal", "drupal", &["/sites/default/", "/sites/all/", "data-drupal-", "/misc/drupal.js"], ".node, .field-name-body"),
    system("Joomla", "joomla", &["/media/jui/", "/media/system/js/", "com_content"], ".item-page, .com-content-article"),
    system("MediaWiki", "mediawiki", &["mw-content-text", "mw-parser-output", "mw-headline", "mediawiki"], "#mw-content-text, #bodyContent"),
    system("Blogger", "blogger", &["www.blogger.com/", "resources.blogblog.com", ".blogspot.com/feeds/"], ".post-body"),
    system("Shopify", "shopify", &["cdn.shopify.com", "shopify-section", "/cdn/shop/"], ".product-description, .rte"),
    system("Wix", "wix", &["static.wixstatic.com", "static.parastorage.com"], "#PAGES_CONTAINER"),
    system("Squarespace", "squarespace", &["static.squarespace.com", "static1.squarespace.com", "sqs-block"], ".sqs-block-content"),
    system("TYPO3", "typo3", &["typo3conf/", "typo3temp/"], ".ce-bodytext, #content"),
    system("PrestaShop", "prestashop", &["prestashop", "/modules/ps_"], "#content"),
    system("Magento", "magento", &["/skin/frontend/", "data-mage-init", "Magento_", "text/x-magento-init"], ".column.main"),
    system("Ghost", "ghost", &["/ghost/api/", "data-ghost", "gh-content", "gh-head"], ".gh-content, .post-full-content"),
    system("Movable Type", "movable type", &["mt-static/", "mt-search.cgi"], ".asset-body, .entry-body"),
    system("phpBB", "phpbb", &["styles/prosilver/", "phpbb"], ".postbody"),
    system("vBulletin", "vbulletin", &["vbulletin", "clientscript/"], ".postcontent, .post_message"),
    system("Discourse", "discourse", &["discourse-cdn", "discourse-root", "discourse-assets"], ".cooked"),
    system("DokuWiki", "dokuwiki", &["lib/exe/css.php", "lib/exe/js.php", "dokuwiki"], ".dokuwiki .page, #dokuwiki__content"),
    system("Confluence", "confluence", &["ajs-page-", "ajs-space-", "/wiki/spaces/"], "#main-content"),
    system("Plone", "plone", &["++plone++", "portal_css"], "#content-core"),
    system("Hugo", "hugo", &["/hugo-", "/hugo."], "main, article"),
    system("Jekyll", "jekyll", &["jekyll-"], ".post-content, article"),
    system("Weebly", "weebly", &["editmysite.com", "weebly.com/", "wsite-"], "#wsite-content"),
    system("Contao", "contao", &["assets/contao/"], "#main"),
    system("Sphinx", "sphinx", &["documentation_options.js", "sphinxsidebar", "sphinx_rtd_theme"], "div.body, .document main"),
];

/// The markers of all systems, and the system of each.
static MARKERS: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let all =
        SYSTEMS.iter().enumerate().flat_map(|(place, one)| one.markers.iter().map(move |marker| (*marker, place)));
    let (markers, systems): (Vec<_>, Vec<_>) = all.unzip();
    (AhoCorasick::new(markers).expect("a short list of plain words"), systems)
});

/// Links, pictures and frames often lead to other sites, so their addresses say nothing of this one.
const NOT_LOOKED_AT: [&str; 12] =
    ["a", "img", "iframe", "source", "input", "path", "svg", "option", "use", "video", "audio", "p"];
/// More of a page says nothing new. Those in the head and the first of the body name the system, if it can be known.
const MOST_ELEMENTS: usize = 2_000;
const MOST_BYTES: usize = 1_000;

/// The number of the page's system, from 1, and where it stands. The generator decides before the markers.
pub fn system_of(tree: &Tree) -> Option<(usize, String)> {
    by_generator(tree).map(|number| (number, "meta generator".to_string())).or_else(|| by_markers(tree))
}

fn by_generator(tree: &Tree) -> Option<usize> {
    let meta = tag("meta");
    let metas = (0..tree.len()).filter(|&element| tree.tags[element] == meta).take(MOST_ELEMENTS);
    metas.filter_map(|element| said(tree, element)).find_map(|said| {
        let said = said.to_lowercase();
        SYSTEMS.iter().position(|system| said.contains(system.generator)).map(|place| place + 1)
    })
}

/// What a `<meta>` says, if it is the generator.
fn said(tree: &Tree, element: usize) -> Option<String> {
    let name = tree.attribute(element, "name")?;
    let content = name.trim().eq_ignore_ascii_case("generator").then(|| tree.attribute(element, "content"))??;
    Some(content.chars().take(MOST_BYTES).collect())
}

/// The system whose markers stand in most elements; of several, the first in the table.
fn by_markers(tree: &Tree) -> Option<(usize, String)> {
    let (markers, systems) = &*MARKERS;
    let mut counts = [0; SYSTEMS.len()];
    let mut first = [0; SYSTEMS.len()];
    for element in looked_at(tree) {
        let attributes = tree.attributes[element].of(&tree.source).as_bytes();
        if let Some(found) = markers.find(&attributes[..attributes.len().min(MOST_BYTES)]) {
            let marker = found.pattern().as_usize();
            if counts[systems[marker]] == 0 {
                first[systems[marker]] = marker;
            }
            counts[systems[marker]] += 1;
        }
    }
    let most = (0..SYSTEMS.len()).rev().max_by_key(|&place| counts[place])?;
    let marker = SYSTEMS.iter().flat_map(|system| system.markers).nth(first[most])?;
    (counts[most] > 0).then(|| (most + 1, format!("marker {marker}")))
}

fn looked_at(tree: &Tree) -> impl Iterator<Item = usize> + '_ {
    let skipped = NOT_LOOKED_AT.map(tag);
    let has_attributes = |&element: &usize| !tree.attributes[element].is_empty();
    (0..tree.len())
        .filter(has_attributes)
        .filter(move |&element| !skipped.contains(&tree.tags[element]))
        .take(MOST_ELEMENTS)
}

fn tag(name: &str) -> Tag {
    Tag(code_of(name) - 1)
}
