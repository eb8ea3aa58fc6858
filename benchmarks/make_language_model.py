"""Writes language-models/udhr: characters, four at a time, of the Universal Declaration of Human Rights.

    make_language_model.py FOLDER

The folder is langclass/ShortTexts of libexttextcat 3.4.7 (`apt-get source libexttextcat`): CODE.txt, UTF-8.
"""

import sys
from dataclasses import replace
from pathlib import Path

from victorpy.features.language.folders import save
from victorpy.features.language.lm_training import learn
from victorpy.features.language.ngrams import NgramShape

# Scripts of which a page needs more letters than the Declaration has are left out: Chinese, Japanese, Korean.
LANGUAGES = "ar bg cs da de el en es et fa fi fr he hi hr hu id it lt lv nb nl pl pt ro ru sk sl sr-Cyrl sv tr uk vi"
SUMMARY = f"Characters, four at a time; some 11,000 of each language, but a taste of it: {LANGUAGES}"
SOURCE = "Universal Declaration of Human Rights (United Nations), as in libexttextcat 3.4.7, langclass/ShortTexts"
LICENCE = "the Declaration is in the public domain; the collection is in Debian main under BSD-3-Clause"


def declaration(path: Path) -> str:
    """Without what collectors wrote above it."""
    head, line, text = path.read_text("utf-8").partition("\n---\n")
    return text if line else head


def main() -> None:
    folder = Path(sys.argv[1])
    texts = [declaration(folder / f"{language}.txt") for language in LANGUAGES.split()]
    model = learn(texts, NgramShape("characters", 4, min_count=2), source=SOURCE, licence=LICENCE)
    model = replace(model, card=replace(model.card, summary=SUMMARY))
    save(model, Path(__file__).parents[1] / "language-models" / "udhr")
    print(f"{len(texts)} texts, {model.card.data.symbols:,} characters, {sum(model.card.ngrams):,} n-grams")


if __name__ == "__main__":
    main()
