import codecs
import gzip
import io
import random
import tarfile
import zipfile
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victorpy.page.encoding import decode, is_binary

CZECH = "Dědeček šel na trh koupit žluté jablko, ťuhýka a čtyři švestky; později přišla k němu malá vnučka."
FRENCH = "Le garçon a mangé une crêpe à côté de l’école, où les élèves étaient déjà très fatigués."
RUSSIAN = "Сегодня утром почтальон принёс нам два письма и небольшую посылку из деревни."
GREEK = "Το πρωί ο ταχυδρόμος έφερε δύο γράμματα και ένα μικρό δέμα από το χωριό."
CHINESE = "今天早上邮递员给我们送来了两封信和一个从村里寄来的小包裹，大家都很高兴。"
TAIWANESE = "今天早上郵差給我們送來了兩封信和一個從村裡寄來的小包裹，大家都很高興。"
JAPANESE = "けさ郵便屋さんが手紙を二通と、村からの小さな荷物をとどけてくれました。"
KOREAN = "오늘 아침 우체부가 편지 두 통과 마을에서 온 작은 소포를 가져다 주었습니다."
THAI = "เช้านี้บุรุษไปรษณีย์นำจดหมายสองฉบับมาให้เรา"


def page(text: str, head: str = "") -> str:
    return f"<html><head>{head}<title>x</title></head><body><p>{text}</p></body></html>"


def meta(label: str) -> str:
    return f'<meta charset="{label}">'


def test_a_page_that_says_nothing_is_utf_8_if_it_can_be():
    assert decode(page(CZECH).encode())[:4] == (page(CZECH), "utf-8", 0, "utf-8")


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_believed_and_taken_off(codec):
    decoded = decode(page(CZECH).encode(codec), charset="windows-1250")

    assert (decoded.text, decoded.origin) == (page(CZECH), "bom")


def test_big_endian_marks_are_known_too():
    utf_16 = codecs.BOM_UTF16_BE + page(CZECH).encode("utf-16-be")
    utf_32 = codecs.BOM_UTF32_BE + page(CZECH).encode("utf-32-be")

    assert [decode(data).encoding for data in (utf_16, utf_32)] == ["utf-16be", "utf-32be"]
    assert decode(utf_16).text == decode(utf_32).text == page(CZECH)


def test_a_mark_of_utf_8_before_something_else_is_not_believed():
    decoded = decode(codecs.BOM_UTF8 + page(CZECH, meta("windows-1250")).encode("cp1250"))

    assert (decoded.text, decoded.encoding) == (page(CZECH, meta("windows-1250")), "windows-1250")


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="windows-1250">',
        "<META CHARSET=Windows-1250 />",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">',
        "<meta content='text/html;CHARSET = cp1250' http-equiv=content-type>",
        '<meta name="generator"\n content="x"><meta\ncharset=x-cp1250>',
        "<!-- <meta charset=koi8-r> --><meta charset=windows-1250>",
        "<!--><meta charset=windows-1250><!-- -->",
        '<meta name="description" content="charset=koi8-r"><meta charset=windows-1250>',
        "<meta charset=klingon><meta charset=windows-1250>",
        '<?xml version="1.0" encoding="windows-1250"?>',
    ],
)
def test_a_page_says_its_encoding_in_many_ways(declaration):
    html = page(CZECH, declaration)

    assert decode(html.encode("cp1250"))[:4] == (html, "windows-1250", 0, "meta")


def test_what_is_said_from_outside_outweighs_what_the_page_says():
    html = page(RUSSIAN, meta("windows-1251"))

    assert decode(html.encode("koi8-r"), charset="KOI8-R")[:4] == (html, "koi8-r", 0, "given")


def test_the_encoding_of_an_ascii_page_is_what_it_says():
    assert decode(b"<meta charset=shift_jis><p>plain")[1:4] == ("shift_jis", 0, "meta")


@pytest.mark.parametrize(
    ("label", "codec", "text", "name"),
    [
        ("iso-8859-1", "cp1252", FRENCH, "windows-1252"),
        ("latin1", "cp1252", FRENCH, "windows-1252"),
        ("ascii", "cp1252", FRENCH, "windows-1252"),
        ("x-user-defined", "cp1252", FRENCH, "windows-1252"),
        ("gb2312", "gb18030", CHINESE + "镕€", "gbk"),
        ("gbk", "gb18030", CHINESE, "gbk"),
        ("big5", "big5hkscs", TAIWANESE, "big5"),
        ("shift_jis", "cp932", JAPANESE + "①㈱～", "shift_jis"),
        ("x-sjis", "cp932", JAPANESE, "shift_jis"),
        ("euc-jp", "euc_jp", JAPANESE, "euc-jp"),
        ("iso-2022-jp", "iso2022_jp", JAPANESE, "iso-2022-jp"),
        ("euc-kr", "cp949", KOREAN + "똠방각하", "euc-kr"),
        ("ks_c_5601-1987", "cp949", KOREAN, "euc-kr"),
        ("tis-620", "cp874", THAI + "…", "windows-874"),
    ],
)
def test_labels_mean_what_browsers_take_them_for(label, codec, text, name):
    html = page(text, meta(label))

    assert decode(html.encode(codec))[:4] == (html, name, 0, "meta")


@pytest.mark.parametrize("label", ["utf-16", "utf-16be", "unicode"])
def test_a_meta_that_could_be_read_does_not_stand_in_utf_16(label):
    html = page(CZECH, meta(label))

    assert decode(html.encode())[:4] == (html, "utf-8", 0, "meta")


@pytest.mark.parametrize(
    "label", ["utf-7", "unicode_escape", "rot13", "hex", "idna", "punycode", "undefined", "\ud800"]
)
def test_no_label_reaches_a_codec_that_the_web_does_not_know(label):
    tricky = "+AGE- \\u0041 68 xn--bcher-kva"

    assert decode(tricky.encode(), label)[:4] == (tricky, "utf-8", 0, "utf-8")


def test_bytes_without_a_meaning_in_windows_1252_are_controls_as_in_browsers():
    assert decode(b"caf\xe9 \x81", "windows-1252")[:4] == ("café \x81", "windows-1252", 0, "given")


def test_undefined_bytes_elsewhere_are_replaced_and_counted():
    decoded = decode(page(GREEK, meta("windows-1253")).encode("cp1253") + b"\xff\xff")

    assert (decoded.text[-2:], decoded.encoding, decoded.replaced) == ("\ufffd\ufffd", "windows-1253", 2)


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        (b"\xa1\xc1 \xad\xa1 \xad\xea", "euc-jp", "～ ① ㈱"),
        (b'\x1b$B!A -! $"\x1b(B'.replace(b" ", b""), "iso-2022-jp", "～①あ"),
        (b"\xa4\xa4 \xa1\x45 \xa1\xe3", "big5", "中 ‧ ～"),
    ],
    ids=["euc-jp", "iso-2022-jp", "big5"],
)
def test_signs_that_python_knows_otherwise_are_those_of_the_web(data, charset, text):
    assert decode(data, charset)[:3] == (text, charset, 0)


@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1251", "gbk", "euc-kr"])
def test_valid_utf_8_is_utf_8_whatever_it_is_said_to_be(label):
    html = page(CZECH + RUSSIAN + CHINESE, meta(label))

    assert decode(html.encode(), charset=label)[:4] == (html, "utf-8", 0, "utf-8")


def test_utf_8_with_a_few_broken_bytes_stays_utf_8():
    html = page(CZECH * 20, meta("iso-8859-1"))

    decoded = decode(html.encode() + b"<p>caf\xe9 \xff\xfe")

    assert (decoded.encoding, decoded.replaced) == ("utf-8", 3)
    assert decoded.text.startswith(html)


@pytest.mark.parametrize("text", ["a plain page with one dash –", CZECH + " –"], ids=["ascii", "czech"])
def test_a_page_cut_inside_a_character_loses_that_character(text):
    cut = page(text, meta("utf-8")).partition("–")[0].encode() + "–".encode()[:2]

    decoded = decode(cut)

    assert decoded[1:4] == ("utf-8", 1, "meta")
    assert decoded.text.endswith("\ufffd")


@pytest.mark.parametrize(("label", "codec"), [("gbk", "gb18030"), ("shift_jis", "cp932"), ("utf-16", "utf-16-le")])
def test_other_encodings_may_be_cut_as_well(label, codec):
    decoded = decode(page(JAPANESE).encode(codec).partition("た".encode(codec))[0] + "た".encode(codec)[:1], label)

    assert decoded.text == page(JAPANESE).partition("た")[0] + "\ufffd"
    assert decoded.replaced == 1


def test_replacement_characters_that_the_page_has_itself_do_not_count():
    assert decode("caf\ufffd".encode()).replaced == 0
    assert decode("příliš \ufffd žluťoučký".encode() + b"\xff").replaced == 1


def test_a_page_that_wrongly_says_utf_8_is_read_as_what_it_is():
    html = page(FRENCH, meta("utf-8"))

    decoded = decode(html.encode("cp1252"))

    assert (decoded.text, decoded.encoding, decoded.origin) == (html, "windows-1252", "detected")


def test_a_lying_charset_gives_way_to_a_truthful_meta():
    html = page(JAPANESE * 3, meta("shift_jis"))

    decoded = decode(html.encode("cp932"), charset="utf-8")

    assert (decoded.text, decoded.origin) == (html, "meta")


def test_a_lying_single_byte_label_shows_by_its_control_characters():
    html = page(JAPANESE * 3, meta("iso-8859-1"))

    assert decode(html.encode("cp932"))[:4] == (html, "shift_jis", 0, "detected")


def test_iso_8859_2_with_letters_of_windows_is_windows_1250():
    html = page(CZECH, meta("iso-8859-2"))

    assert decode(html.encode("cp1250"))[:4] == (html, "windows-1250", 0, "meta")
    assert decode(html.encode("iso8859-2"))[:4] == (html, "iso-8859-2", 0, "meta")


def test_a_damaged_page_keeps_its_multi_byte_label():
    damaged = page(CHINESE * 20, meta("gb2312")).encode("gb18030").replace(b"<p>", b"<p>" + b"\xff<b>" * 8)

    decoded = decode(damaged)

    assert (decoded.encoding, decoded.replaced) == ("gbk", 8)
    assert CHINESE in decoded.text


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (CZECH, "cp1250", "windows-1250"),
        (FRENCH, "cp1252", "windows-1252"),
        ("It’s “only” © 2004 – plain English…", "cp1252", "windows-1252"),
        ("The café sells NEWTON® and ©Apple, £500 for 3 kg.", "cp1252", "windows-1252"),
        (CZECH, "iso8859-2", "iso-8859-2"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (RUSSIAN, "cp866", "ibm866"),
        (GREEK, "cp1253", "windows-1253"),
        (CHINESE, "gb18030", "gb18030"),
        (TAIWANESE, "big5", "big5"),
        (JAPANESE, "cp932", "shift_jis"),
        (JAPANESE, "euc_jp", "euc-jp"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (KOREAN, "cp949", "euc-kr"),
        (THAI, "cp874", "windows-874"),
        (CZECH, "utf-16-le", "utf-16le"),
        (CHINESE, "utf-16-be", "utf-16be"),
        (CZECH, "utf-32-le", "utf-32le"),
    ],
)
def test_a_page_that_says_nothing_is_known_by_its_bytes(text, codec, name):
    decoded = decode(page(text).encode(codec))

    assert (decoded.text, decoded.replaced, decoded.origin) == (page(text), 0, "detected")
    assert decoded.encoding == name


def test_bytes_that_fit_nothing_are_windows_1252():
    assert decode(b"\xff\x01\xfe\x81\x01")[:4] == ("ÿ\x01þ\x81\x01", "windows-1252", 0, "fallback")


def with_nuls(data: bytes, share: float) -> bytes:
    chance = random.Random(7)
    return b"".join(bytes([byte]) + b"\0" * (chance.random() < share) for byte in data)


@pytest.mark.parametrize("text", [CZECH, RUSSIAN, CHINESE, "plain text"], ids=["czech", "russian", "chinese", "ascii"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data + bytes(3_000),
        lambda data: data + bytes(100_001),
        lambda data: data[:20] + bytes(2_000) + data[20:],
        *(partial(with_nuls, share=share) for share in (0.01, 0.1, 0.9)),
    ],
    ids=["padded", "padded much", "hole", "1 %", "10 %", "90 %"],
)
def test_nuls_in_a_page_are_nothing(text, damage):
    data = damage(page(text).encode())

    assert not is_binary(data)
    assert decode(data)[:3] == (page(text), "utf-8", 0)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-16", "utf-32-le", "utf-32"])
@pytest.mark.parametrize("text", [CZECH, CHINESE, "plain text"], ids=["czech", "chinese", "ascii"])
def test_wide_text_may_be_padded_too(codec, text):
    data = page(text).encode(codec) + bytes(3_000)

    assert not is_binary(data)
    assert decode(data).text.rstrip("\0") == page(text)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("begin", ["<!doctype html><p>", "<p>", "<?xml version='1.0'?><p>"])
def test_wide_text_without_a_mark_is_known_by_its_first_tag(codec, begin):
    html = begin + "渡船七点离开码头" * 1_000

    assert not is_binary(html.encode(codec))
    assert decode(html.encode(codec))[:3] == (html, codec.replace("-le", "le").replace("-be", "be"), 0)


def test_a_few_nuls_do_not_make_a_small_page_utf_16():
    assert decode(b"<p>a \0b \0c \0d \0e, seven boats.").text == "<p>a b c d e, seven boats."


@given(data=st.binary(max_size=200), charset=st.sampled_from([None, "utf-8", "gbk", "euc-jp", "utf-16", "nonsense"]))
def test_any_bytes_become_text_that_can_be_written_out(data, charset):
    decoded = decode(data, charset)

    decoded.text.encode()
    assert 0 <= decoded.replaced <= decoded.text.count("\ufffd")


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "plain text")
    return buffer.getvalue()


def tarred() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo("page.html")
        entry.size = 7
        archive.addfile(entry, io.BytesIO(b"<p>page"))
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a;",
        b"\xff\xd8\xff\xe0 jpeg",
        b"\n%PDF-1.4 and text for a long while",
        gzip.compress(b"<p>page"),
        zipped(),
        b"\x7fELF\x02\x01",
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0\xb8\0\0\0\0\0\0\0@\0\0\0",
        bytes(range(256)) * 8,
        b"\0" * 500,
        b"BM6\0\x0c\0" + bytes(8) + b"\xff\xff\xff\0" * 1_000,
        tarred(),
        b"one\0two\0six\0" * 100,
    ],
    ids=["png", "gif", "jpeg", "pdf", "gzip", "zip", "elf", "exe", "all bytes", "nuls", "bmp", "tar", "strings"],
)
def test_pictures_archives_and_programs_are_binary(data):
    assert is_binary(data)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "gb18030"])
@pytest.mark.parametrize("text", [CZECH, RUSSIAN, CHINESE], ids=["czech", "russian", "chinese"])
def test_text_is_not_binary_however_it_is_encoded(text, codec):
    assert not is_binary(page(text).encode(codec))


@pytest.mark.parametrize(
    "data",
    [b"", b"x", page(CZECH).encode() + b"\0\0\0", page(JAPANESE).encode("iso2022_jp"), "\ufeff".encode(), b"\xe9"],
    ids=["empty", "one letter", "stray NULs", "escapes", "only a mark", "one byte"],
)
def test_odd_text_is_not_binary(data):
    assert not is_binary(data)
