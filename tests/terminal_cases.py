"""Every command, pages and names that give a terminal orders, and a terminal that keeps what it gets."""

import os
import pty
import re
import threading

from archives import answer, packed, warc
from small_pages import LETTERS, SENTENCES, article

from victorpy.annotation.anno_files import annotation_of, write
from victorpy.page.segment import segment

# Sets the title of a terminal, clears its screen in C1, and turns the rest of its line round.
ORDERS = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\x7f\x08"
# Bytes that are no UTF-8 are read as surrogates; those of C1 give orders to a terminal in Latin-1.
RAW = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\udc80-\udc9f]")
# A bar of progress inside another moves the cursor.
UP = "\x1b[A"


def name_with(orders):
    return f"a{orders}b"


def hostile_page(number, orders):
    html, letters = article(number)
    references = "".join(f"&#{ord(sign)};" for sign in orders)
    title = f"<title>{orders}Part {number}{references}</title><meta name=author content='{references}'>"
    return html.replace("<head>", f"<head>{title}").replace("<h1>", f"<h1>{orders}{references}"), letters


def write_hostile_files(folder, config, orders=ORDERS):
    """Files of all kinds, each with orders in its name and in its text."""
    hostile, text = name_with(orders), re.sub("[\n\r\udc80-\udcff]", "", orders)
    for place in ("pages", "texts", "annotations", "other", "lines"):
        folder.joinpath(place).mkdir()
    for number in range(3):
        html, letters = hostile_page(number, text)
        name = f"{hostile}-{number}"
        folder.joinpath("pages", f"{name}.html").write_text(html)
        folder.joinpath("texts", f"{name}.txt").write_text(f"<p> {SENTENCES[number]} {text} nowhere{text}\n")
        page = segment(html, f"{name_with(text)}-{number}", f"https://harbour-{number}.example/{text}")
        for place in ("annotations", "other"):
            labels = [LETTERS[letter] for letter in letters]
            annotation = annotation_of(page, html, labels[:: 1 if place == "other" else -1], f"me{text}")
            write(annotation, folder / place / f"{name}.anno")
        folder.joinpath("lines", f"{name}.jsonl").write_text(
            f'{{"id": "{number}", "text": "{SENTENCES[number]}", "status": "ok", "x": "\\u009b\\u202e"}}\n'
        )
    answered = answer(hostile_page(1, text)[0].encode())
    folder.joinpath(f"{hostile}.warc.gz").write_bytes(packed([warc(1, answered)], ".gz"))
    folder.joinpath(f"{hostile}.txt").write_text(f"{' '.join(SENTENCES)} {text}\n" * 20)
    folder.joinpath(f"{hostile}.yaml").write_text(f"include: {config}\n{'x' * 9}\x85: 'y'\n")


CASES = {
    "clean": ["pages -m MODEL -f cleaneval", "pages -m MODEL -f jsonl -j 1", "ARCHIVE -m MODEL -f warc"],
    "metadata": ["pages", "pages --table --evidence"],
    "run": ["pages -m MODEL -o NAME-run", "ARCHIVE -m MODEL -o NAME-run2 --log-json"],
    "verify": ["NAME-run"],
    "retry": ["NAME.jsonl -m MODEL"],
    "import": ["pages texts -o NAME-anno"],
    "train": ["annotations -c SMALL -m ./NAME-model", "annotations -c NAME.yaml -m m"],
    "tune": ["annotations -c SMALL --folds 2 --set crf.c2=0,1 --trials 1 -j 1"],
    "learn labeler": ["fiasco --on annotations -o -"],
    "learn rules": ["NAME.txt -o NAME-rules.txt"],
    "learn site": ["pages -o NAME-site.npz"],
    "learn votes": ["bte everything --on annotations"],
    "evaluate": ["bte --on annotations --worst 2", "texts ./texts --gold texts --on pages"],
    "xval": ["annotations -c SMALL --folds 2 -j 1"],
    "ablate": ["annotations -c SMALL --folds 2 --only position -j 1"],
    "agree": ["annotations other"],
    "explain": ["MODEL", "PAGE -m MODEL --block 4"],
    "features": ["PAGE -c SMALL", "PAGE -c SMALL --csv"],
    "dedup": ["lines"],
    "group-by-host": ["ARCHIVE -o NAME-hosts"],
    "convert": ["annotations", "annotations -f jsonl", "annotations -f vertical"],
    "lm train": ["NAME.txt -o ./NAME-lm"],
    "lm score": ["NAME.txt", "NAME.txt --csv", "PAGE --clean"],
    "perplexity": ["NAME.txt", "PAGE -f jsonl"],
    "report": ["pages -m MODEL -o NAME-report.html"],
    "doctor": [""],
    "completion": ["bash"],
}
# These go on until somebody ends them; tests of their own look at what they write.
WITHOUT_END = {"annotate", "serve", "mcp"}


def words_of(name, case, places):
    """The words of a command, with the names of files in their places."""
    hostile = places["NAME"]
    return [*name.split(), *(places.get(word, word.replace("NAME", hostile)) for word in case.split())]


def places_of(model, config, orders=ORDERS):
    hostile = name_with(orders)
    files = {"ARCHIVE": f"{hostile}.warc.gz", "PAGE": f"pages/{hostile}-1.html"}
    return {"MODEL": str(model), "SMALL": str(config), "NAME": hostile} | files


# Words that are wrong for most commands.
WRONG_WORDS = {"file": "NAME.html", "option": "--NAME", "many": "NAME NAME NAME"}
# What must be there before a command is tried.
BEFORE = {
    "verify": "run -q pages -m MODEL -o NAME-run",
    "retry": "clean -q pages -m MODEL --max-bytes 9 --quarantine NAME.jsonl",
}


class Pty:
    """A terminal of which all that it gets is kept."""

    END = b"the end of the test"

    def __init__(self):
        self.master, self.slave = pty.openpty()
        self._shown = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        while not self._shown.endswith(self.END):
            self._shown += os.read(self.master, 1 << 16)

    def end(self):
        os.write(self.slave, self.END)
        self._reader.join(20)
        os.close(self.slave)
        os.close(self.master)
        return self._shown.removesuffix(self.END).decode()
