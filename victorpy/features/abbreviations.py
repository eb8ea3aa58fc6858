"""Sentences counted with a list of abbreviations for each language, as the original did for Czech."""

from collections.abc import Mapping

import numpy as np

from victorpy.features.characters import characters
from victorpy.features.sentence_figures import sentence_ends
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Ints

# Without their full stop, in lower case. Abbreviations that often end a sentence are left out: etc., usw., atd.
_LISTS: Mapping[str, str] = {
    "cs": "např tzv tj mj resp popř příp cca č čl obr odst kap sv st tř ul nám tel p pí sl dr ing mgr bc doc prof mudr"
    " judr phdr rndr csc gen plk kpt min max hod kč mil mld zn pozn srov viz str sb vyd",
    "de": "z b bzw d h ca vgl evtl ggf inkl exkl nr bd abb kap abs art bsp sog str tel hr fr dr prof dipl ing st geb"
    " gest jh mio mrd mind max allg bes insb u a o ä usf jan feb apr aug sept okt nov dez",
    "en": "mr mrs ms dr prof st mt sr jr rev hon gen col lt sgt capt gov sen rep pres vs viz cf eg ie al fig figs eq"
    " vol vols ch chap ed eds pp p para sec inc ltd co corp dept univ est approx jan feb mar apr jun jul aug sep"
    " sept oct nov dec ave blvd rd",
    "es": "sr sra srta dr dra prof lic ing gral cap pág págs núm art fig vol ed ej aprox tel av avda ee uu ud uds p a",
    "fr": "m mm mme mlle dr pr me st ste cf p pp art fig vol chap éd env tél av bd no janv févr avr juil sept oct nov"
    " déc ex",
    "it": "sig sigg sigra dott prof ing avv on gen pag pagg fig vol cap art ed es ca tel p dr n",
    "nl": "dhr mevr mw dr drs ir prof mr ing bijv bv blz nr art fig o a d w z m n t v h ca evt incl excl tel st jl",
    "pl": "np tzn tzw m in p pp pan ul al pl nr str rys tab art ust pkt por red wyd dr inż mgr prof hab św ks gen płk"
    " kpt tys mln mld godz ok proc tel r w",
    "pt": "sr sra srta dr dra prof eng gen cap pág págs núm n art fig vol ed ex aprox tel av p",
    "ru": "т е д п г гг в вв ул пр пл стр рис табл см ср напр проф акад им св руб коп тыс млн млрд тел чел м км",
}
ABBREVIATIONS: Mapping[str, frozenset[str]] = {language: frozenset(words.split()) for language, words in _LISTS.items()}

# No abbreviation is longer.
_LONGEST = 12
_CLOSERS = "\"'”’)]»"


def language_of_page(page: Page) -> str:
    """The language that the page declares; English without one."""
    declared = next(filter(None, page.attributes["lang"]), None) or page.metadata.language or "en"
    return declared.lower().partition("-")[0].partition("_")[0]


@once_per_page
def sentences_without_abbreviations(page: Page) -> Ints:
    """The sentences of each block; the full stop of an abbreviation ends none unless it ends the block."""
    known = ABBREVIATIONS.get(language_of_page(page), frozenset())
    text = f"\n{page.text}\n"
    ends = [end for end in sentence_ends(page).tolist() if not _is_abbreviation(text, end, known)]
    found: Ints = np.bincount(np.searchsorted(characters(page).ends, ends, side="right"), minlength=len(page))
    return found[: len(page)]


def _is_abbreviation(text: str, end: int, known: frozenset[str]) -> bool:
    if text[end] != "." or text[end + 1 : end + 4].lstrip(_CLOSERS)[:1] in {"\n", ""}:
        return False
    word = text[max(0, end - _LONGEST) : end].replace("\n", " ").rpartition(" ")[2]
    last = word.rpartition(".")[2].strip("([\"'“„«").lower()
    # A letter alone is an initial, or the part of an abbreviation such as z. B.
    return (len(last) == 1 and last.isalpha()) or last in known
