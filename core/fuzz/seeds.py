"""Writes what fuzzing begins with into core/fuzz/corpus: our own pages, and files of arrays.

python core/fuzz/seeds.py
"""

import io
import math
import re
import struct
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
ROOT = FUZZ.parents[1]
# As the command in docs/fuzzing.md says: longer inputs would be cut.
LONGEST = 20_000
PAGE_TARGETS = ("blocks", "tree")
# What an input of the target tokenizer begins with: the model, and for some whether CDATA is known.
MODELS = (0, 1, 2, 3, 4, 5, 128, 133)
# More blocks than the core computes figures of at once.
MANY_BLOCKS = b"<p>a" * 3200
# Charsets that the pages are written in as well, for the targets that take bytes.
CHARSETS = ("gb18030", "iso-2022-jp", "shift_jis", "windows-1250", "windows-1251", "utf-16-le", "utf-16-be")
# Of the small network: how many numbers it hands on from block to block, and within a layer.
WIDE, INNER = 4, 3
# Files of arrays: a network, arrays of all kinds, and some that are refused.
NETWORK = ROOT / "core/tests/network_golden.npz"
ARRAYS = ("network_stored.npz", "network_deflated.npz", "network_refused.npz")


def pages() -> list[bytes]:
    """Whole pages as they are stored, some of them in old charsets."""
    return [*examples(), *annotated(), *cases()]


def examples() -> Iterator[bytes]:
    return (path.read_bytes() for path in sorted((ROOT / "examples").glob("*.html")))


def annotated() -> Iterator[bytes]:
    for path in sorted((ROOT / "annotations").glob("*.anno")):
        yield path.read_bytes().partition(b"\n#html\n")[2]


def cases() -> Iterator[bytes]:
    for path in sorted((ROOT / "tests/cases").glob("*.case")):
        yield path.read_bytes().removeprefix(b"=== page\n").partition(b"\n===")[0]


def parts(page: bytes) -> Iterator[bytes]:
    """A thousand bytes from some places on, each beginning at a tag: short inputs are tried more often."""
    starts = [match.start() for match in re.finditer(b"<", page)]
    for start in starts[:: max(1, len(starts) // 4)]:
        yield page[start : start + 1000]


def encoded(page: bytes) -> Iterator[bytes]:
    text = page.decode("utf-8", "ignore")[:2000]
    return (text.encode(charset, "ignore") for charset in CHARSETS)


def small_network() -> dict[str, bytes]:
    """One with arrays of every name: two figures, a piece of one's range, two words of names and two of text."""
    inputs = 2 + 1 + (2 + 2) + 2
    return {
        "features": texts("x", "y"),
        "means": singles(2),
        "scales": singles(2),
        "pieces": texts("y"),
        "piece-middles": singles(1),
        "piece-scales": singles(1),
        "words": texts("post", "nav"),
        "near": singles(2, 2),
        "whole": singles(2, 2),
        "text-words": texts("the", "boats"),
        "short": singles(2, 2),
        "enter": singles(inputs, WIDE),
        "enter-bias": singles(WIDE),
        "spread": singles(WIDE, WIDE),
        "spread-bias": singles(WIDE),
        "0-around": singles(3, WIDE, INNER),
        "0-page": singles(2, WIDE, INNER),
        "0-bias": singles(INNER),
        "0-back": singles(INNER, WIDE),
        "0-back-bias": singles(WIDE),
        "leave": singles(WIDE, 5),
        "leave-bias": singles(5),
    }


def singles(*shape: int) -> bytes:
    numbers = (number % 7 / 4 - 0.7 for number in range(math.prod(shape)))
    return npy("<f4", shape, b"".join(struct.pack("<f", number) for number in numbers))


def texts(*words: str) -> bytes:
    longest = max(map(len, words))
    return npy(f"<U{longest}", (len(words),), "".join(word.ljust(longest, "\0") for word in words).encode("utf-32-le"))


def npy(kind: str, shape: tuple[int, ...], content: bytes) -> bytes:
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


def arrays_of(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {Path(name).stem.removeprefix("network-"): archive.read(name) for name in archive.namelist()}


def listed(arrays: dict[str, bytes], names: list[str]) -> bytes:
    """Arrays as the target npz lists them."""
    lines = (struct.pack("<BH", names.index(name), len(array)) + array for name, array in arrays.items())
    return b"A" + b"".join(lines)


def known_names() -> list[str]:
    """The names of arrays in the order in which the target numbers them."""
    target = (FUZZ / "fuzz_targets/npz.rs").read_text("utf-8")
    table = re.search(r"const NAMES: .*?= \[(.*?)\];", target, re.DOTALL)
    assert table, "the target npz has a table of names"
    return re.findall(r'"([^"]+)"', table[1])


def prefixed(path: Path) -> bytes:
    """The same arrays with names that the target reads."""
    result = io.BytesIO()
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as other:
        for name in archive.namelist():
            other.writestr("network-" + name, archive.read(name))
    return result.getvalue()


def write(target: str, seeds: Iterable[bytes]) -> None:
    folder = FUZZ / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        (folder / f"seed-{number:04}").write_bytes(seed[:LONGEST])


def main() -> None:
    whole = pages()
    texts = [MANY_BLOCKS, *whole, *(part for page in whole for part in parts(page))]
    for target in PAGE_TARGETS:
        write(target, texts)
    for target in ("labels", "sniff"):
        write(target, [*texts, *(other for page in whole for other in encoded(page))])
    write("tokenizer", (bytes([MODELS[number % len(MODELS)]]) + page for number, page in enumerate(texts)))
    files = [NETWORK.read_bytes(), *(prefixed(ROOT / "core/tests" / name) for name in ARRAYS)]
    networks = [listed(arrays, known_names()) for arrays in (small_network(), arrays_of(NETWORK))]
    write("npz", [*networks, *files])


if __name__ == "__main__":
    main()
