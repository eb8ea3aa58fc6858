"""The pages that a session labels or reviews, and their .anno files."""

from collections.abc import Sequence
from pathlib import Path

from victorpy.annotation.anno_files import PageTexts, read
from victorpy.annotation.realignment import realigned
from victorpy.annotator.page_queue import QueuedPage, queued_pages
from victorpy.annotator.session import Labels
from victorpy.errors import UsageError
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages


def pages_to_label(paths: Sequence[str], output: str | None) -> list[QueuedPage]:
    """The pages of a folder, or a single page, each with its .anno file."""
    if not 1 <= len(paths) <= 2:
        raise UsageError("expected a page, a page and its .anno file, or a folder of pages")
    source = Path(paths[0])
    if len(paths) == 1 and source.is_dir():
        return queued_pages(source, Path(output) if output else None)
    if len(paths) == 2 and (source.is_dir() or output):
        raise UsageError("name the .anno file of a single page, or a folder with -o", paths[1])
    return [_single(source, paths[1] if len(paths) == 2 else None, output)]


def _single(source: Path, anno: str | None, output: str | None) -> QueuedPage:
    is_annotation = source.suffix in ANNOTATION_SUFFIXES
    if not source.exists() and (is_annotation or not (anno and Path(anno).exists())):
        raise UsageError("no such file or folder", source)
    if is_annotation and not anno and not output:
        return QueuedPage(source.stem, None, source, "open", 0, 0)
    id = find_pages([str(source)])[0].id if source.exists() else source.stem
    beside = Path(output or source.parent, f"{id}.anno")
    if output and output.endswith(ANNOTATION_SUFFIXES):
        beside = Path(output)
    return QueuedPage(id, source, Path(anno) if anno else beside, "open", 0, 0)


def pages_to_review(one: Path, two: Path, output: Path) -> list[QueuedPage]:
    """The pages that two annotators share, each with the file for the chosen labels."""
    if one.is_dir() and two.is_dir():
        return _reviewed_folders(one, two, output)
    for path in (one, two):
        _check_annotation(path)
    return [_single(one, None, str(output))]


def _check_annotation(path: Path) -> None:
    if path.suffix not in ANNOTATION_SUFFIXES:
        raise UsageError("not an .anno file", path)
    if not path.exists():
        raise UsageError("no such file", path)


def _reviewed_folders(one: Path, two: Path, output: Path) -> list[QueuedPage]:
    found = find_pages([str(one)], ANNOTATION_SUFFIXES)
    names = [Path(location.path).relative_to(one) for location in found]
    shared = [name for name in names if (two / name).exists()]
    if not shared:
        raise UsageError(f"no .anno file in this folder has the name of one in {one}", two)
    annos = (
        {entry.anno: entry for entry in queued_pages(output)} if output.is_dir() and any(output.rglob("*.anno")) else {}
    )
    return [
        annos.get(output / name, QueuedPage(str(name.with_suffix("")), None, output / name, "open", 0, 0))._replace(
            source=one / name
        )
        for name in shared
    ]


def labels_of_both(one: Path, two: Path, entry: QueuedPage, page: PageTexts) -> tuple[Labels, Labels]:
    """The labels that each of the two annotators gave the blocks of a page."""
    if one.is_dir() and entry.source:
        two /= entry.source.relative_to(one)
        one = entry.source
    annotations = read(one), read(two)
    left, right = (tuple(realigned(given.texts, given.labels, page.texts)[0]) for given in annotations)
    return left, right
