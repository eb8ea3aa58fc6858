"""What is fuzzed: a table of readers and cleaners, each with inputs to begin with."""

import re
from functools import cache, partial
from random import Random
from typing import Any

import numpy as np

from fuzzing import pages, promises
from fuzzing.folders import FOLDERS
from fuzzing.kept import KEPT
from fuzzing.mutation import chance_of, plain
from fuzzing.outputs import OUTPUTS
from fuzzing.promises import promise
from fuzzing.reading import (
    SEPARATOR,
    Target,
    as_text,
    chances,
    cleaner_of,
    files,
    page_seeds,
    refused,
    small_page,
    written,
)
from fuzzing.repeated import REPEATED
from fuzzing.sources import FILES
from victorpy.annotation import anno_files, gold_texts, text_scores
from victorpy.annotation.alignment import project
from victorpy.annotator.block_source import source_of
from victorpy.features import FEATURES
from victorpy.features.table import matrix
from victorpy.foundation import hosts
from victorpy.foundation import yaml_options as options
from victorpy.labelers import site_counts
from victorpy.labelers.filters import Filtered
from victorpy.labelers.filters.language_filters import BlockLanguages, PageLanguages
from victorpy.labelers.perplexity import Perplexity
from victorpy.labelers.registry import LABELERS
from victorpy.labelers.site import Site, SiteAgainst
from victorpy.labelers.site_references import references
from victorpy.models import config, model_folder, templates
from victorpy.output.cleaned import Cleaned
from victorpy.page import dates
from victorpy.page.blocks import Label
from victorpy.page.encoding import decode, is_binary
from victorpy.page.markup import BLOCKS, STANDARD
from victorpy.page.segment import segment

# Pages


def _check_decode(data: bytes) -> None:
    is_binary(data)
    chance = chance_of(data)
    charset = chance.choice((None, None, *pages.ENCODINGS, "é", "", "\0"))
    found = decode(data, charset)
    promises.of_decoded(found, data)
    promise(found == decode(data, charset), "another text the second time")


def _html(data: bytes) -> str:
    """As text that nobody decoded."""
    return data.decode("utf-8", chance_of(data).choice(("replace", "surrogateescape")))


def _check_segment(data: bytes) -> None:
    html = decode(data).text
    for cut in (STANDARD, BLOCKS):
        page = segment(html, markup=cut)
        promises.of_page(page)
        promises.nothing_invented(page, html)
    promise(_in_short(page) == _in_short(segment(html, markup=cut)), "another page the second time")
    if len(page.elements.tags) < 500:
        promise(len(page.blocks) == len(page), "not all blocks")


def _in_short(page: Any) -> tuple[Any, ...]:
    return page.texts, page.title, page.elements.tags, page.runs.place.tolist(), page.attributes


def _check_order(data: bytes) -> None:
    """What a table may not hold stands before it, as in browsers."""
    html = pages.page(chance_of(data))
    for cut in (STANDARD, BLOCKS):
        promises.once(segment(html, markup=cut))
        promises.in_order(segment(re.sub("<table", "<div", html, flags=re.I), markup=cut))


def _check_clean(name: str, data: bytes) -> None:
    given = _html(data) if chance_of(data).random() < 0.2 else data
    url = chance_of(data, 1).choice((None, None, "https://x.example/a", "x\udcff", "\n<>", ""))
    cleaned = cleaner_of(name).clean(given, url)
    promises.of_cleaned(cleaned)
    promises.of_page(cleaned.page)
    promises.nothing_invented(cleaned.page, cleaned.source)
    promises.of_same(cleaned, cleaner_of(name).clean(given, url))


@cache
def _labelers() -> dict[str, Any]:
    filtered = Filtered(LABELERS["everything"](), (BlockLanguages(), BlockLanguages(("de",)), Perplexity()))
    return {name: kind() for name, kind in LABELERS.items()} | {
        "filtered": filtered,
        "refused": Filtered(LABELERS["density"](), (PageLanguages(("en", "cs")),)),
    }


def _check_labelers(data: bytes) -> None:
    cut = chance_of(data).choice((BLOCKS, STANDARD))
    html = decode(data).text
    page = segment(html, "x/harbour.example/y", markup=cut)
    for name, labeler in _labelers().items():
        try:
            found = labeler.labeling(page)
            promises.of_labeling(found, page)
            promise(labeler.labeling(segment(html, markup=cut)) == found, "other labels the second time")
        except promises.BrokenError as error:
            raise promises.BrokenError(f"{name}: {error}") from None


def _check_siblings(data: bytes) -> None:
    """Pages of a site, torn from the same one, each against another."""
    chance = chance_of(data)
    begin, end = sorted(chance.randint(0, len(data)) for _ in range(2))
    found = [segment(decode(part).text, markup=BLOCKS) for part in (data, data[:begin] + data[end:], data[begin:])]
    options = Site(starts_at_target=chance.random() < 0.5, least_alike=chance.choice((0, 0.15)))
    for way in ("alike", "median"):
        labeler = SiteAgainst(options, references(found, way))
        for page in found:
            promises.of_labeling(labeler.labeling(page), page)


def _check_features(data: bytes) -> None:
    html = decode(data).text
    page = segment(html, markup=chance_of(data).choice((BLOCKS, STANDARD)))
    known = config.load("base")
    figures = matrix(page, tuple(FEATURES), known.regexp)
    promise(np.isfinite(figures).all() or not len(page), "a figure that is none")
    model_folder.columns_of(known).codes(page)


def _check_formats(data: bytes) -> None:
    chance = chance_of(data)
    cleaned = cleaner_of("blog").clean(data, chance.choice((None, "https://x.example/?a&b", '"\udcff\0\n]]>')), "x\0")
    promises.of_formats(cleaned)
    labels = chance.choices(list(Label)[:5], k=len(cleaned.page))
    promises.of_formats(Cleaned(cleaned.page, labels, reason="x"))


def _check_shown(data: bytes) -> None:
    """What the annotator shows of a block."""
    html = decode(data).text
    page = segment(html)
    for block in chance_of(data).sample(range(len(page)), min(len(page), 3)):
        promise(source_of(page, html, block) or not html, "no source of a block")


# Texts


def _check_anno(data: bytes) -> None:
    path = written("page.anno", data)
    found = refused(lambda: anno_files.read(path))
    if found:
        page, labels, changes = anno_files.labeled_page(found, STANDARD)
        promise(len(labels) == len(page), "not one label per block")
        promise(anno_files.loads(anno_files.dumps(found)) == found, "written, it is read as another")
        promise(str(changes), "nothing told of changes")


def _gold_seeds() -> list[bytes]:
    chance = Random(1)
    marked = "URL: https://x.example/\n<h> Ferry\n<p> It <!-- not --> leaves\n<l> at *seven*\n"
    marks = '# Ferry\n\n> It [leaves](/a "b") ![at](c) `seven`\n\n1. a\n- [x] b\n\n|a|b|\n|-|-|\n|c|d|\n\n'
    marks += "```\ncode\n```\n~~no~~\n"
    return [marked.encode(), marks.encode(), *(pages.page(chance).encode("utf-8", "replace") for _ in range(5))]


def _check_gold(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    gold_texts.likely_format(text)
    for name, segments in gold_texts.GOLD_FORMATS.items():
        found = segments(text)
        promise(all(map(str.strip, (segment.text for segment in found))), f"{name}: a segment without text")
        promise(segments(text) == found, f"{name}: other segments the second time")


def _pair_seeds() -> list[bytes]:
    """Pages with their clean texts."""
    web = cleaner_of("web")
    return [page + SEPARATOR + web.clean(page).text.encode() for page in page_seeds()[:40]]


def _check_pair(data: bytes) -> None:
    """A page and its gold: every block gets a label, and all measures are shares."""
    html, _, text = data.partition(SEPARATOR)
    page, clean = segment(decode(html).text), text.decode("utf-8", "replace")
    segments = gold_texts.GOLD_FORMATS[chance_of(data).choice([*gold_texts.GOLD_FORMATS])](clean)
    found = project(page, segments)
    promise(len(found.labels) == len(page) and None not in found.labels, "not one label per block")
    promise(0 <= found.spurious <= 1, "no share")
    figures = (
        *text_scores.original(page.text, clean),
        *text_scores.aligned(page.text, clean),
        text_scores.words(page.text, clean),
    )
    flat = [figure for one in figures for figure in (one if isinstance(one, tuple) else (one,))]
    promise(all(np.isnan(figure) or 0 <= figure <= 1 for figure in flat), "a measure that is no share")
    text_scores.difference(page.text, clean)


def _check_template(data: bytes) -> None:
    found = refused(lambda: templates.parse(as_text(data), "PLACE", tuple(FEATURES)))
    if found:
        again = templates.parse(str(found), "again", tuple(FEATURES))
        promise(again == found, "written, it is read as another")


def _check_config(data: bytes) -> None:
    path = written("config.yaml", data)
    found = refused(lambda: config.load(path))
    if found:
        promise(options.read(config.Config, options.dump(found)) == found, "written, it is read as another")
        refused(lambda: config.templates_of(found), has_place=False)
        model_folder.columns_of(found).codes(small_page())
    refused(lambda: config.labeler(str(path)))


def _config_seeds() -> list[bytes]:
    density = b"labeler:\n  name: density\n  min-words: 5\n"
    merge = b"labeler:\n  name: merge\n  labelers: [bte]\n  weights: [1]\n"
    named = b"regexp: &a\n  url: &b [a, b]\n  date: *b\nfeatures: [regexp.url]\nbuckets: {regexp.url: {values: [1]}}\n"
    return [*files("configs", "*.yaml"), density, merge, named, b"include: web\nwithout: [block.*]\n"]


def _check_options(data: bytes) -> None:
    """Words of a command line, by lines."""
    name, *words = data.decode("utf-8", "surrogateescape").split("\n")
    refused(lambda: config.labeler(name, words), has_place=False)


def _option_seeds() -> list[bytes]:
    return [b"density\nmin-words=5", b"merge\nlabelers=bte,density", b"bte"]


def _check_addresses(data: bytes) -> None:
    """Of each line the host, the domain, the site and the date."""
    for line in as_text(data).split("\n"):
        host = hosts.host_of(line)
        promise(host is None or hosts.domain_of(host), "a host without a domain")
        for site in (site_counts.site_of(line), site_counts.site_of(None, line)):
            promise(site is None or site == site.lower(), "a site in capitals")
        found = dates.date_in(line)
        promise(found in line, "a date that is not there")


def _address_seeds() -> list[bytes]:
    addresses = (
        "https://user@www.harbour.example:80/a?b#c",
        "http://[::1]/",
        "//x.co.uk",
        "ftp://a.b.c./",
        "x/www.a.example/y",
    )
    days = ("on 6 May 2024, at 7.30", "2024-05-06T07:00", "31.12.1999", "5月6日", "le 1er janvier 2006", "06/05/24")
    return ["\n".join(addresses).encode(), "\n".join(days).encode(), *map(str.encode, (*addresses, *days))]


def _pages(check: Any, seeds: Any = page_seeds) -> Target:
    return Target(check, seeds, kind="pages")


TARGETS: dict[str, Target] = {
    "decode": _pages(_check_decode),
    "segment": _pages(_check_segment),
    **REPEATED,
    "order": Target(_check_order, chances, is_chance=True),
    "clean-web": _pages(partial(_check_clean, "web")),
    "clean-cleaneval": _pages(partial(_check_clean, "cleaneval")),
    "labelers": _pages(_check_labelers),
    "siblings": _pages(_check_siblings),
    "features": _pages(_check_features),
    "formats": _pages(_check_formats),
    "shown": _pages(_check_shown),
    **OUTPUTS,
    "anno": Target(_check_anno, partial(files, "annotations", "*.anno"), plain),
    "gold": Target(_check_gold, _gold_seeds, plain),
    "pair": Target(_check_pair, _pair_seeds),
    "template": Target(_check_template, partial(files, "templates", "*.tpl"), plain),
    "config": Target(_check_config, _config_seeds, plain),
    "options": Target(_check_options, _option_seeds, plain),
    "addresses": Target(_check_addresses, _address_seeds, plain),
    **FOLDERS,
    **KEPT,
    **FILES,
}
