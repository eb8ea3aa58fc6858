"""What is fuzzed: a table of readers and cleaners, each with inputs to begin with."""

import hashlib
import io
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from fuzzing import archives, pages, promises
from fuzzing.mutation import Fragments, chance_of, markup, plain
from fuzzing.promises import promise
from victorpy import annotations, cleaner, config, gold, models, options, predictions, quarantine, sites, templates
from victorpy.annotator import journal as journals
from victorpy.blocks import Label
from victorpy.cleaned import Cleaned
from victorpy.decode import decode, is_binary
from victorpy.errors import VictorError
from victorpy.features import FEATURES
from victorpy.labelers.perplexity import Perplexity
from victorpy.labelers.tradition import LABELERS
from victorpy.language import folders
from victorpy.language.model import Shape
from victorpy.language.training import learn
from victorpy.markup import BLOCKS, NAMED_BLOCKS, STANDARD
from victorpy.runs import journal, plan
from victorpy.runs.manifest import counted
from victorpy.segment import segment
from victorpy.sources import COLUMNS, SOURCES, Columns, RawPage, records

ROOT = Path(__file__).resolve().parents[2]
LARGEST_PAGE = 1 << 20

_FOLDER = Path(tempfile.mkdtemp(prefix="victorpy-fuzz-"))


class Target(NamedTuple):
    """`check` raises for whatever should not be; what the reader refuses as it should, it keeps to itself."""

    check: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    fragments: Fragments = markup
    # Random bytes of which something is built; there is no sense in tearing them.
    is_chance: bool = False


def clear() -> None:
    shutil.rmtree(_FOLDER, ignore_errors=True)


# Pages


def _page_seeds() -> list[bytes]:
    chance = Random(1)
    own = [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.html"))]
    labeled = [annotations.read(path).html.encode() for path in sorted((ROOT / "annotations").glob("*.anno"))]
    made = [pages.encoded(chance, pages.page(chance)) for _ in range(60)]
    return [page for page in (*own, *labeled, *made) if len(page) <= 1 << 16]


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
    for cut in (STANDARD, BLOCKS, NAMED_BLOCKS):
        page = segment(html, markup=cut)
        promises.of_page(page)
        promises.nothing_invented(page, html)
    promise(_in_short(page) == _in_short(segment(html, markup=cut)), "another page the second time")
    if len(page.elements.tags) < 500:
        promise(len(page.blocks) == len(page), "not all blocks")


def _in_short(page: Any) -> tuple[Any, ...]:
    return page.texts, page.title, page.elements.tags, page.runs.place.tolist(), page.attributes


def _check_order(data: bytes) -> None:
    html = pages.page(chance_of(data))
    for cut in (STANDARD, BLOCKS):
        promises.in_order(segment(html, markup=cut))


def _check_clean(name: str, data: bytes) -> None:
    given = _html(data) if chance_of(data).random() < 0.2 else data
    url = chance_of(data, 1).choice((None, None, "https://x.example/a", "x\udcff", "\n<>", ""))
    cleaned = _cleaner(name).clean(given, url)
    promises.of_cleaned(cleaned)
    promises.of_page(cleaned.page)
    promises.nothing_invented(cleaned.page, cleaned.html)
    promises.of_same(cleaned, _cleaner(name).clean(given, url))


_cleaner = cache(cleaner.load)


@cache
def _labelers() -> dict[str, Any]:
    return {name: kind() for name, kind in LABELERS.items()}


def _check_labelers(data: bytes) -> None:
    cut = chance_of(data).choice((NAMED_BLOCKS, NAMED_BLOCKS, STANDARD))
    html = decode(data).text
    page = segment(html, "x/harbour.example/y", markup=cut)
    for name, labeler in _labelers().items():
        try:
            found = labeler.labeling(page)
            promises.of_labeling(found, page)
            promise(labeler.labeling(segment(html, markup=cut)) == found, "other labels the second time")
        except promises.BrokenError as error:
            raise promises.BrokenError(f"{name}: {error}") from None


def _check_formats(data: bytes) -> None:
    chance = chance_of(data)
    cleaned = _cleaner("blog").clean(data, chance.choice((None, "https://x.example/?a&b", '"\udcff\0\n]]>')), "x\0")
    promises.of_formats(cleaned)
    labels = chance.choices(list(Label)[:5], k=len(cleaned.page))
    promises.of_formats(Cleaned(cleaned.page, labels, reason="x", html=cleaned.html))


# Texts


def _files(folder: str, pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / folder).glob(pattern))]


def _refused(read: Callable[[], Any], *, has_place: bool = True) -> Any:
    """What was read, or None where it was refused as it should be."""
    try:
        return read()
    except VictorError as error:
        is_placed = error.place is not None or str(_FOLDER) in str(error) or "PLACE" in str(error)
        promise(is_placed or not has_place, f"an error without a place: {error}")
        return None


def _read_as_text(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return text.replace("x", "\ud800") if chance_of(data).random() < 0.1 else text


def _check_anno(data: bytes) -> None:
    path = _written("page.anno", data)
    found = _refused(lambda: annotations.read(path))
    if found:
        page, labels, _ = annotations.labeled_page(found, STANDARD)
        promise(len(labels) == len(page), "not one label per block")
        promise(annotations.loads(annotations.dumps(found)) == found, "written, it is read as another")


def _written(name: str, data: bytes) -> Path:
    path = _FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _gold_seeds() -> list[bytes]:
    chance = Random(1)
    marked = "URL: https://x.example/\n<h> Ferry\n<p> It <!-- not --> leaves\n<l> at *seven*\n"
    marks = '# Ferry\n\n> It [leaves](/a "b") ![at](c) `seven`\n\n1. a\n- [x] b\n\n|a|b|\n|-|-|\n|c|d|\n\n'
    marks += "```\ncode\n```\n~~no~~\n"
    return [marked.encode(), marks.encode(), *(pages.page(chance).encode("utf-8", "replace") for _ in range(5))]


def _check_gold(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    gold.likely_format(text)
    for name, segments in gold.GOLD_FORMATS.items():
        found = segments(text)
        promise(all(map(str.strip, (segment.text for segment in found))), f"{name}: a segment without text")
        promise(segments(text) == found, f"{name}: other segments the second time")


def _check_template(data: bytes) -> None:
    found = _refused(lambda: templates.parse(_read_as_text(data), "PLACE", tuple(FEATURES)))
    if found:
        again = templates.parse(str(found), "again", tuple(FEATURES))
        promise(again == found, "written, it is read as another")


def _check_config(data: bytes) -> None:
    path = _written("config.yaml", data)
    found = _refused(lambda: config.load(path))
    if found:
        promise(options.read(config.Config, options.dump(found)) == found, "written, it is read as another")
        _refused(lambda: config.templates_of(found), has_place=False)
        models.columns_of(found).codes(_small_page())
    _refused(lambda: config.labeler(str(path)))


@cache
def _small_page() -> Any:
    return segment((ROOT / "examples" / "news-en.html").read_bytes()[:4_000])


def _config_seeds() -> list[bytes]:
    density = b"labeler:\n  name: density\n  min-words: 5\n"
    merge = b"labeler:\n  name: merge\n  labelers: [bte]\n  weights: [1]\n"
    return [*_files("configs", "*.yaml"), density, merge, b"include: web\nwithout: [block.*]\n"]


def _check_options(data: bytes) -> None:
    """Words of a command line, by lines."""
    name, *words = data.decode("utf-8", "surrogateescape").split("\n")
    _refused(lambda: config.labeler(name, words), has_place=False)


# Folders and files of programs

_SEPARATOR = b"\n=====\n"


def _model_seeds() -> list[bytes]:
    return [_model_seed(ROOT / "models" / "cleaneval")]


def _model_seed(folder: Path) -> bytes:
    """Unpacked, so that what is torn is an array and not its packing."""
    with np.load(folder / models.WEIGHTS) as arrays:
        return (folder / models.CARD).read_bytes() + _SEPARATOR + _npz(dict(arrays))


def _npz(arrays: dict[str, Any]) -> bytes:
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _with_digest(card: bytes, digest: str) -> bytes:
    """A card that speaks of these weights, or they would be refused at once."""
    lines = card.splitlines(keepends=True)
    return b"".join(f"weights: {digest}\n".encode() if line.startswith(b"weights:") else line for line in lines)


def _check_model(data: bytes) -> None:
    card, _, weights = data.partition(_SEPARATOR)
    folder = _written("model/weights.npz", weights).parent
    _written("model/model.yaml", _with_digest(card, _digest(weights)))
    _check_model_at(folder)


def _check_model_at(folder: Path) -> None:
    model = _refused(lambda: models.load(str(folder)))
    if model:
        with np.errstate(all="ignore"):
            promise(len(model.label(_small_page())) == len(_small_page()), "not one label per block")


def _check_weights(data: bytes) -> None:
    """The arrays of a model, each with another shape or type or other values."""
    chance = chance_of(data)
    source = ROOT / "models" / chance.choice(("web", "cleaneval"))
    with np.load(source / models.WEIGHTS) as file:
        arrays = dict(file)
    for _ in range(chance.choice((1, 1, 2))):
        _change_one(chance, arrays)
    weights = _npz(arrays)
    folder = _written("weights/weights.npz", weights).parent
    _written("weights/model.yaml", _with_digest((source / models.CARD).read_bytes(), _digest(weights)))
    _check_model_at(folder)


def _change_one(chance: Random, arrays: dict[str, np.ndarray[Any, Any]]) -> None:
    name = chance.choice(sorted(arrays))
    array = arrays.pop(name)
    if chance.random() < 0.1:
        return
    arrays[name] = chance.choice(_ARRAY_CHANGES)(chance, array)


_ARRAY_CHANGES: tuple[Callable[[Random, Any], Any], ...] = (
    lambda _, array: array[: len(array) // 2] if array.ndim else np.zeros(3),
    lambda _, array: array.reshape(-1),
    lambda _, array: array[..., None],
    lambda _, array: np.zeros((0, *array.shape[1:]), array.dtype),
    lambda chance, array: array.astype(
        chance.choice(("S4", "U4", "f2", "c16", "?") if array.dtype.kind != "U" else ("S40",))
    ),
    lambda chance, array: np.full(array.shape, chance.choice((-1, 7, 1 << 20, -(1 << 40)))),
    lambda chance, array: np.full(array.shape, chance.choice((np.nan, np.inf, -np.inf, 1e300))),
    lambda _, array: np.roll(array, 1),
    lambda _, array: np.asfortranarray(array),
)


def _check_language_model(data: bytes) -> None:
    card, _, ngrams = data.partition(_SEPARATOR)
    _written("lm/ngrams.npz", ngrams)
    folder = _written("lm/lm.yaml", _with_digest(card, _digest(ngrams))).parent
    model = _refused(lambda: folders.load(str(folder)))
    if model:
        with np.errstate(all="ignore"):
            model.surprise(["The ferry leaves at seven.", "", "渡轮"])
        _refused(lambda: Perplexity(str(folder)).labeling(_small_page()), has_place=False)


def _language_model_seeds() -> list[bytes]:
    shape = Shape("words", 2)
    folder = _FOLDER / "lm-seed"
    folders.save(learn(["The ferry leaves at seven.\nNobody waits for the ferry at seven.\n" * 3], shape), folder)
    with np.load(folder / folders.NGRAMS) as arrays:
        ngrams = _npz(dict(arrays))
    return [(folder / folders.CARD).read_bytes() + _SEPARATOR + ngrams]


def _site_seeds() -> list[bytes]:
    counting = sites.Counting(BLOCKS, megabytes=1)
    for number, page in enumerate(_page_seeds()[:20]):
        counting.add(segment(decode(page).text, f"{number}", markup=BLOCKS), "x.example")
    path = _FOLDER / "seed.sites"
    sites.save(counting.sites(), path)
    return [path.read_bytes()]


def _check_site(data: bytes) -> None:
    path = _written("x.sites", data)
    known = _refused(lambda: sites.load(path))
    if known:
        seen = known.on(_small_page(), "x.example").seen
        promise(len(seen.texts) == len(_small_page()), "not one count per block")


_HASH = "0" * 64


def _journal_seeds() -> list[bytes]:
    entries = (
        journal.Fingerprint(12, _HASH),
        journal.Part("00001-0001.txt.gz", 1, 20, {"ok": 18, "empty": 2}, _HASH, _HASH),
        journal.Part("00001-0002.txt.gz", 21, 30, {"ok": 9, "crashed": 1}, _HASH, _HASH),
        journal.End(30, "the file is cut off"),
    )
    names = ("input", "part", "part", "end")
    lines = (json.dumps({name: entry._asdict()}) + "\n" for name, entry in zip(names, entries, strict=True))
    return ["".join(lines).encode(), b'{"folder": "/", "options": {}, "shards": [["a.warc"]]}\n']


def _check_journal(data: bytes) -> None:
    path = _written("run/00001.jsonl", data)
    state = _refused(lambda: journal.state_at(path))
    promise(isinstance(state.records + counted([state]).total(), int), "what is done is no number")
    with journal.Journal(path) as opened:
        promise(opened.state == state, "opened to write, the journal says something else")
        opened.append(journal.Fingerprint(1, _HASH))
    promise(journal.state_at(path).input == journal.Fingerprint(1, _HASH), "what was appended is not read")
    folder = _written("run/run.json", data).parent
    facts = _refused(lambda: plan.read(folder))
    promise(facts is None or isinstance(facts, dict), "a run's facts are none")


def _answers_seeds() -> list[bytes]:
    answer = predictions.Answer("a", *("" for _ in predictions.Answer._fields[1:]))._asdict()
    header = {"victorpy-journal": 1, "base": _HASH, "process": 1, "cursor": 0}
    header |= {"texts": ["a", "b"], "labels": ["p", None]}
    lines = (json.dumps(answer | {"labels": ["p", "other"]}), json.dumps(header), '[0,["h"],1]')
    return [f"{line}\n".encode() for line in lines] + [f"{lines[1]}\n{lines[2]}\n".encode()]


def _check_answers(data: bytes) -> None:
    """What cross-validation and the annotator keep."""
    path = _written("fold-1.jsonl", data)
    _refused(lambda: list(predictions.read_answers(path)))
    journals.read(data)


def _quarantine_seeds() -> list[bytes]:
    record = {
        "id": "a",
        "path": "a.warc, record at byte 0",
        "url": None,
        "charset": "utf-8",
        "status": "crashed",
        "reason": "died",
        "html": "PHA+YQ==",
        "is_file": False,
    }
    others = {"path": "/nowhere", "html": None, "is_file": True, "status": "dropped", "reason": "too large"}
    return ["".join(json.dumps(row) + "\n" for row in (record, record | others, record | {"html": None})).encode()]


def _check_quarantine(data: bytes) -> None:
    path = _written("q.jsonl", data)
    _refused(lambda: quarantine.locations(path))
    for page in _refused(lambda: list(quarantine.pages(path, quarantine.KEPT, LARGEST_PAGE))) or ():
        _check_raw(page)
        if page.data is not None:
            _cleaner("bte").clean(page.data, page.url, page.id, page.charset)


def _check_raw(page: RawPage) -> None:
    promise(page.data is not None or page.problem, f"neither data nor a problem: {page._replace(data=None)}")
    promise(page.data is None or len(page.data) <= LARGEST_PAGE, "more data than was asked for")
    promise(isinstance(page.id, str) and isinstance(page.path, str), "an id or path that is none")
    promise(page.url is None or isinstance(page.url, str), "an address that is none")
    promise(page.charset is None or isinstance(page.charset, str), "an encoding that is none")


def _check_source(name: str, data: bytes) -> None:
    path = str(_written(f"x.{name}", data))
    columns = chance_of(data).choice((COLUMNS, COLUMNS, Columns("content", "address", "name")))
    for page in SOURCES[name].read(path, columns, LARGEST_PAGE):
        if isinstance(page, VictorError):
            promise(page.place, "an error without a place")
        else:
            _check_raw(page)


def _check_records(data: bytes) -> None:
    path = str(_written("x.archive", data))
    for number, record in enumerate(records.records(path)):
        promise(number <= 2 * len(data) + 1, "records without an end")
        if isinstance(record, records.DamageError):
            promise(record.place, "an error without a place")
            continue
        with suppress(records.IncompleteError):
            promise(sum(map(len, record.pieces())), "a record of nothing")


def _source(name: str, seeds: Callable[[], list[bytes]]) -> Target:
    return Target(partial(_check_source, name), seeds, plain)


def _chances(numbers: Iterable[int] = range(8)) -> list[bytes]:
    return [bytes([number]) * 4 for number in numbers]


TARGETS: dict[str, Target] = {
    "decode": Target(_check_decode, _page_seeds),
    "segment": Target(_check_segment, _page_seeds),
    "order": Target(_check_order, _chances, is_chance=True),
    "clean-web": Target(partial(_check_clean, "web"), _page_seeds),
    "clean-cleaneval": Target(partial(_check_clean, "cleaneval"), _page_seeds),
    "labelers": Target(_check_labelers, _page_seeds),
    "formats": Target(_check_formats, _page_seeds),
    "anno": Target(_check_anno, partial(_files, "annotations", "*.anno"), plain),
    "gold": Target(_check_gold, _gold_seeds, plain),
    "answers": Target(_check_answers, _answers_seeds, plain),
    "template": Target(_check_template, partial(_files, "templates", "*.tpl"), plain),
    "config": Target(_check_config, _config_seeds, plain),
    "options": Target(_check_options, lambda: [b"density\nmin-words=5", b"merge\nlabelers=bte,density", b"bte"], plain),
    "model": Target(_check_model, _model_seeds, plain),
    "weights": Target(_check_weights, _chances, is_chance=True),
    "language-model": Target(_check_language_model, _language_model_seeds, plain),
    "site": Target(_check_site, _site_seeds, plain),
    "journal": Target(_check_journal, _journal_seeds, plain),
    "quarantine": Target(_check_quarantine, _quarantine_seeds, plain),
    "warc": _source("warc", archives.warcs),
    "arc": _source("arc", archives.arcs),
    "jsonl": _source("jsonl", archives.tables),
    "parquet": _source("parquet", archives.parquets),
    "records": Target(_check_records, lambda: [*archives.warcs(), *archives.arcs()], plain),
}
