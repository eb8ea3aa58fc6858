import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from victorpy.errors import UsageError, VictorError
from victorpy.features.buckets import Bucketing
from victorpy.foundation.resources import available, find
from victorpy.foundation.yaml_options import dump, read
from victorpy.models.config import Config, labeler, load, read_text
from victorpy.models.learning_options import CRFOptions
from victorpy.page.markup import BLOCKS, Markup

SHIPPED = ("cleaneval", "exp-1", "exp-2", "exp-3")

MINIMAL = """\
buckets:
  position: {scale: 4}
features: [position]
template: cleaneval
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VICTORPY_HOME", raising=False)
    return tmp_path


def write(path: str | Path, text: str) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def complaint(text: str) -> str:
    with pytest.raises(VictorError) as caught:
        read_text(text, "x.yaml")
    return str(caught.value)


# The shipped configs


@pytest.mark.parametrize("name", SHIPPED)
def test_a_dumped_config_reads_back_equal(name):
    config = load(name)

    assert read_text(dump(config), "model.yaml") == config


@pytest.mark.parametrize("name", SHIPPED)
def test_a_dump_does_not_change_by_being_read_and_dumped_again(name):
    text = dump(load(name))

    assert dump(read_text(text, "model.yaml")) == text


def test_the_markup_written_out_in_base_is_what_python_has_as_defaults():
    assert load("cleaneval").markup == Markup()


def test_cleaneval_uses_every_feature_that_base_has_buckets_for():
    config = load("cleaneval")

    assert sorted(config.used_features) == sorted(config.buckets)


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("exp-1", set()),
        (
            "exp-2",
            {"div-group.word-ratio", "td-group.word-ratio", "token.num-abs", "token.mix-abs", "token.other-abs"},
        ),
    ],
)
def test_the_experiments_lack_features_of_cleaneval(name, missing):
    assert set(load("cleaneval").used_features) - set(load(name).used_features) == missing


def test_exp_3_lacks_two_more_features_than_exp_2():
    missing = set(load("exp-2").used_features) - set(load("exp-3").used_features)

    assert missing == {"regexp.url", "document.word-count"}


@pytest.mark.parametrize(
    ("name", "method"), [("cleaneval", "expected-f1"), ("exp-1", "likeliest"), ("exp-3", "likeliest")]
)
def test_the_experiments_judge_each_block_and_the_shipped_config_the_page(name, method):
    assert load(name).decoding.method == method


def test_a_config_that_adds_nothing_to_base_is_whole(folder):
    write("configs/mine.yaml", "include: base\n")

    assert load("mine").used_features == load("cleaneval").used_features


# Its expressions


def number(name: str, text: str) -> int:
    """Which of the expressions is found first."""
    found = (place for place, expression in enumerate(REGEXP[name], start=1) if re.search(expression, text))
    return next(found, 0)


REGEXP = load("cleaneval").regexp

FOUND = [
    ("url", "see http://example.org/a", 1),
    ("url", "HTTPS://EXAMPLE.ORG", 1),
    ("url", "www.example.org", 2),
    ("url", "write to jane.doe+news@mail.example.co.uk today", 3),
    ("url", "it is on example.com now", 4),
    ("date", "posted 2008-05-06", 1),
    ("date", "2008/5/6", 1),
    ("date", "2008. 5. 6.", 1),
    ("date", "06.05.2008", 1),
    ("date", "6. 5. 2008", 1),
    ("date", "06.05.08", 1),
    ("date", "5/6/2008", 1),
    ("date", "6 May", 2),
    ("date", "6th of June 2008", 2),
    ("date", "06-Sep-08", 2),
    ("date", "6. März 2008", 2),
    ("date", "1er août", 2),
    ("date", "6 de mayo de 2008", 2),
    ("date", "6. září 2008", 2),
    ("date", "6 мая 2008 г.", 2),
    ("date", "2008年5月6日", 2),
    ("date", "5月6日", 2),
    ("date", "2008년 5월 6일", 2),
    ("date", "May 6, 2008", 3),
    ("date", "SEPT. 6TH", 0),
    ("date", "Sept. 6th", 3),
    ("date", "JULY 2008", 3),
    ("time", "at 17:30", 1),
    ("time", "5 pm", 1),
    ("time", "5:30 p.m.", 1),
    ("time", "17 Uhr", 1),
    ("time", "17h30", 1),
    ("time", "17 hod.", 1),
    ("time", "17時30分", 1),
    ("time", "17点30分", 1),
    ("time", "오후 5시 30분", 1),
]

NOT_FOUND = [
    ("url", "and so on.It ended"),
    ("url", "@home"),
    ("date", "version 1.2.3 or 10.10.10.10"),
    ("date", "3 marbles"),
    ("date", "He may 6"),
    ("date", "call 555-12-3456"),
    ("time", "it was 3:2, or 1:100"),
    ("time", "5 amps"),
]


@pytest.mark.parametrize(("name", "text", "expected"), FOUND)
def test_expressions_find(name, text, expected):
    assert number(name, text) == expected


@pytest.mark.parametrize(("name", "text"), NOT_FOUND)
def test_expressions_pass_over(name, text):
    assert number(name, text) == 0


def test_no_expression_finds_anything_across_lines():
    texts = [text for _, text, _ in FOUND]
    cut = [f"{text[:place]}\n{text[place:]}" for text in texts for place in range(1, len(text))]
    page = "\n\n".join(cut)

    found = [match for group in REGEXP.values() for each in group for match in re.finditer(each, page)]

    assert found
    assert not [match for match in found if "\n" in match.group()]


# Including


def test_sections_merge_key_by_key_and_lists_are_replaced(folder):
    write("my/base.yaml", MINIMAL + "crf: {c1: 2, c2: 3}\nmarkup: {class-bold: [b, strong], class-list: [li]}\n")
    write("my/conf.yaml", "include: base.yaml\ncrf: {c2: 4}\nmarkup: {class-bold: [b]}\n")

    config = load("my/conf.yaml")

    assert config.crf == CRFOptions(c1=2, c2=4)
    assert config.markup == Markup(class_bold=("b",), class_list=("li",))


def test_buckets_are_replaced_as_a_whole_because_values_and_scale_exclude_each_other():
    config = read_text("include: cleaneval\nbuckets: {position: {values: [0, 0.5]}}", "x.yaml")

    assert config.buckets["position"] == Bucketing(values=(0, 0.5))
    assert config.buckets["char.num-rel"] == Bucketing(scale=10)


def test_the_last_of_several_includes_wins(folder):
    write("one.yaml", MINIMAL + "crf: {c1: 1, c2: 1}\n")
    write("two.yaml", "crf: {c2: 2}\n")

    assert read_text("include: [one.yaml, two.yaml]", "x.yaml").crf == CRFOptions(c1=1, c2=2)


def test_a_config_may_build_on_the_shipped_one_of_its_own_name(folder):
    write("configs/cleaneval.yaml", "include: cleaneval\ncrf: {c2: 7}\n")

    assert load("cleaneval").crf.c2 == 7


def test_includes_in_a_circle_are_refused(folder):
    write("configs/a.yaml", "include: b\n")
    write("configs/b.yaml", "\ninclude: a\n")

    with pytest.raises(VictorError, match=r"configs/b\.yaml:2: include: includes itself: a\.yaml → b\.yaml → a\.yaml"):
        load("a")


def test_an_error_names_the_included_file_it_is_in(folder):
    write("my/base.yaml", MINIMAL + "crf:\n  c3: 1\n")
    write("my/conf.yaml", "include: base.yaml\n")

    with pytest.raises(VictorError, match=r"^my/base\.yaml:6: crf\.c3: no such option"):
        load("my/conf.yaml")


def test_an_empty_file_may_be_included(folder):
    write("empty.yaml", "# nothing yet\n")

    assert read_text("include: empty.yaml\n" + MINIMAL, "x.yaml") == read_text(MINIMAL, "x.yaml")


# What is refused, and how

WRONG = {
    "an unknown option": (
        "markup:\n  tag-delet: []",
        "x.yaml:3: markup.tag-delet: no such option; did you mean 'tag-delete'?",
    ),
    "an underscore": (
        "crf: {max_iterations: 3}",
        "x.yaml:2: crf.max_iterations: no such option; did you mean 'max-iterations'?",
    ),
    "an option of a section": (
        "tag-delete: []",
        "x.yaml:2: tag-delete: no such option; did you mean 'markup.tag-delete'?",
    ),
    "nothing alike": (
        "crf: {speed: 3}",
        "x.yaml:2: crf.speed: no such option (known: algorithm, c1, c2, max-iterations, min-freq)",
    ),
    "a word for a number": ("crf:\n  c2: high", "x.yaml:3: crf.c2: expected a number, got 'high'"),
    "a quoted number": ("crf: {c2: '1'}", "x.yaml:2: crf.c2: expected a number, got the text '1'"),
    "not a number": ("crf: {c2: nan}", "x.yaml:2: crf.c2: expected a number, got 'nan'"),
    "too many iterations": (
        "crf: {max-iterations: 1" + 999 * "0" + "}",
        "x.yaml:2: crf.max-iterations: expected a whole number, got '1" + 59 * "0" + "…'",
    ),
    "half an iteration": (
        "crf: {max-iterations: 2.5}",
        "x.yaml:2: crf.max-iterations: expected a whole number, got '2.5'",
    ),
    "a word for a truth": (
        "markup: {keep-noscript: maybe}",
        "x.yaml:2: markup.keep-noscript: expected true or false, got 'maybe'",
    ),
    "a list that calls itself a flag": (
        "markup: {keep-noscript: !!bool [yes]}",
        "x.yaml:2: markup.keep-noscript: expected true or false, got a list",
    ),
    "a word for a list": ("markup: {class-bold: b}", "x.yaml:2: markup.class-bold: expected a list, got 'b'"),
    "a list for a word": ("template: [a]", "x.yaml:2: template: expected a text, got a list"),
    "a gap in a list": ("without:\n  - bullet\n  -", "x.yaml:4: without: expected a text, got nothing"),
    "an empty section": ("crf:", "x.yaml:2: crf: expected options, got nothing"),
    "none of the choices": (
        "markup: {mode: blok}",
        "x.yaml:2: markup.mode: expected one of victor, block, line, got 'blok'; did you mean 'block'?",
    ),
    "the same option twice": ("crf: {c1: 1}\ncrf: {c2: 1}", "x.yaml:3: crf: given before, on line 2"),
    "no regular expression": (
        "regexp:\n  url:\n  - a\n  - (b",
        "x.yaml:5: regexp.url: not a regular expression: missing ), unterminated subpattern at position 0",
    ),
    "expressions nobody uses": (
        "regexp:\n  ulr: [a]",
        "x.yaml:3: regexp.ulr: no buckets for 'regexp.ulr'; did you mean 'url'?",
    ),
    "no such feature": (
        "features:\n- bullet\n- positoin",
        "x.yaml:4: features: no buckets for 'positoin'; did you mean 'position'?",
    ),
    "no such field": (
        "labels: [titel]",
        "x.yaml:2: labels: expected one of title, date, author, comment, got 'titel'; did you mean 'title'?",
    ),
    "a field twice": ("labels: [date, date]", "x.yaml:2: labels: 'date' is listed twice"),
    "a feature twice": ("features: [bullet,\n bullet]", "x.yaml:3: features: 'bullet' is listed twice"),
    "nothing to switch off": (
        "without: [tokn.num-abs]",
        "x.yaml:2: without: 'tokn.num-abs' matches no feature; did you mean 'token.num-abs'?",
    ),
    "no feature that is piecewise": (
        "network: {features: [position], piecewise: [positoin]}",
        "x.yaml:2: network.piecewise: 'positoin' matches no feature; did you mean 'position'?",
    ),
    "boosted trees": (
        "scorer: {learner: trees, trees: 5}",
        "x.yaml:2: scorer.learner: victorpy no longer has boosted trees: train again with"
        " 'network: {enabled: true, features: [...]}', or use victorpy 0.1",
    ),
    "values that go down": (
        "buckets:\n  bullet:\n    values: [2, 1]",
        "x.yaml:4: buckets.bullet: expected ascending values, got [2.0, 1.0]",
    ),
    "neither values nor scale": (
        "buckets: {bullet: {}}",
        "x.yaml:2: buckets.bullet: expected either 'values' or 'scale'",
    ),
}


@pytest.mark.parametrize(("text", "expected"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_placed_and_the_right_name_suggested(text, expected):
    assert complaint(f"include: cleaneval\n{text}\n") == expected


@pytest.mark.parametrize(
    ("text", "place"),
    [("template: x\ncrf: c1: 1\n", "x.yaml:2: "), ("a: 1\n---\nb: 2\n", "x.yaml:2: "), ("a: \x01\n", "x.yaml: ")],
    ids=["syntax", "two documents", "control character"],
)
def test_what_is_not_yaml_is_placed(text, place):
    assert complaint(text).startswith(f"{place}not valid YAML: ")


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_what_nests_too_deep_does_not_end_the_process(opening):
    assert complaint(opening * 30_000) == "x.yaml: not valid YAML: nests too deep"


def test_aliases_that_stand_for_millions_are_refused():
    doubled = "".join(f"  a{number}: *x\n" for number in range(1_000))

    assert complaint(f"regexp:\n  url: &x [{'b, ' * 5_000}]\n{doubled}") == (
        "x.yaml: its aliases (*) expand to more than 100,000 values"
    )


@pytest.mark.parametrize("text", ["".join(f"k{n}: 1\n" for n in range(60_000)), f"features: [{'1,' * 120_000}]"])
def test_more_values_than_a_config_can_need_are_refused_at_once(text):
    assert re.fullmatch(r"x\.yaml:\d+: more than 100,000 names and values", complaint(text))


@pytest.mark.parametrize(
    ("secret", "found"),
    [
        ("root:hunter2:0:0\nadmin:hunter3:0:0\n", "is not a config: it has no option of one"),
        ("- hunter2\n", "is not a config: it has no option of one"),
        ("hunter2: 1\n", "is not a config: it has no option of one"),
        ("{[a]: hunter2}\n", "is not a config: it has no option of one"),
        ("a: b\nc: *hunter2\n", "is not valid YAML: see its line 2"),
        ("hunter2\0", "is not valid YAML"),
    ],
)
def test_an_included_file_that_is_no_config_is_not_quoted(folder, secret, found):
    write("secret.txt", secret)

    assert complaint("\ninclude: ./secret.txt") == f"x.yaml:2: include: secret.txt {found}"


def test_a_long_text_is_quoted_in_part():
    message = complaint(f"include: cleaneval\ncrf: {'word ' * 1_000}")

    assert "expected options, got 'word word" in message
    assert len(message) < 200


def test_half_of_a_surrogate_pair_in_an_option_is_told():
    with pytest.raises(VictorError, match="not valid YAML: half of a surrogate pair"):
        labeler("bte", ["a=\udcff"])


def test_a_name_that_is_too_long_for_a_file_is_that_of_none():
    name = "x" * 5_000

    assert complaint(f"include: {name}").startswith(f"x.yaml:1: include: no config '{name[:400]}")
    assert complaint(f"include: {name}.yaml").endswith(f"{name[:400]}.yaml: no such config")
    assert len(complaint(f"include: {name}.yaml")) < 1_100


@pytest.mark.parametrize("expression", ["(" * 3_000 + ")" * 3_000, "a{99999999999999999999}"], ids=["deep", "often"])
def test_an_expression_that_is_too_much_for_python_is_placed(expression):
    message = complaint(f"include: cleaneval\nregexp: {{url: ['{expression}']}}")

    assert message.startswith("x.yaml:2: regexp.url: not a regular expression: ")


def test_a_missing_include_says_which_there_are():
    message = complaint("\ninclude: bse\n")

    assert message.startswith("x.yaml:2: include: no config 'bse' (known: base, blog, cleaneval, exp-1,")
    assert message.endswith("; did you mean 'base'?")


def test_a_missing_path_is_placed_where_it_is_included():
    assert complaint("include: gone.yaml") == "x.yaml:1: include: gone.yaml: no such config"


def test_a_config_without_features_is_refused():
    assert complaint("buckets: {}\ntemplate: x\n") == "x.yaml:1: features: missing"


def test_a_missing_template_is_placed(folder):
    write("my.yaml", MINIMAL.replace("cleaneval", "cleanevl"))

    with pytest.raises(
        VictorError, match=r"^my\.yaml:4: template: no template 'cleanevl'.*did you mean 'cleaneval'\?$"
    ):
        load("my.yaml")


def test_the_path_of_a_template_begins_at_the_config_that_names_it(folder):
    write("my/own.tpl", "position[0]\n")
    write("my/base.yaml", MINIMAL.replace("cleaneval", "own.tpl"))
    write("your/conf.yaml", "include: ../my/base.yaml\n")

    assert Path(load("your/conf.yaml").template).resolve() == folder / "my" / "own.tpl"


def test_a_file_that_is_not_utf8_is_refused(folder):
    Path("x.yaml").write_bytes(b"template: \xe9\n")

    with pytest.raises(VictorError, match=r"^x\.yaml: is not UTF-8: byte 10 is 0xe9"):
        load("x.yaml")


def test_a_change_in_python_is_checked_like_one_in_a_file():
    with pytest.raises(VictorError, match=r"^without: 'bulet' matches no feature; did you mean 'bullet'\?"):
        replace(load("cleaneval"), without=("bulet",))


# The traps of YAML 1.1


@pytest.mark.parametrize("word", ["no", "off", "y", "2008", "1e3", "1:30", "2008-05-06"])
def test_a_text_is_taken_as_it_stands(word):
    config = read_text(f"include: cleaneval\nmarkup: {{class-bold: [{word}]}}", "x.yaml")

    assert config.markup.class_bold == (word,)
    assert read_text(dump(config), "x.yaml") == config


@pytest.mark.parametrize(("text", "value"), [("1e-3", 0.001), ("2", 2.0), ("1_0", 10.0), ("-.5", -0.5), ("1e-9", 1e-9)])
def test_a_number_is_what_python_takes_for_one(text, value):
    config = read_text(f"include: cleaneval\ndecoding: {{bias: {text}}}", "x.yaml")

    assert config.decoding.bias == value
    assert read_text(dump(config), "x.yaml") == config


@pytest.mark.parametrize(("text", "value"), [("true", True), ("off", False), ("No", False)])
def test_a_truth_may_be_any_of_yamls(text, value):
    assert read_text(f"include: cleaneval\nmarkup: {{keep-noscript: {text}}}", "x.yaml").markup.keep_noscript is value


# Features switched off


def test_patterns_switch_off_all_features_they_match():
    config = read_text("include: cleaneval\nwithout: ['token.*-abs', bullet]", "x.yaml")

    assert "token.num-abs" not in config.used_features
    assert "bullet" not in config.used_features
    assert "token.num-rel" in config.used_features


def test_features_in_use_keep_their_order():
    config = read_text("include: cleaneval\nfeatures: [position, bullet, split.p]\nwithout: [bullet]", "x.yaml")

    assert config.used_features == ("position", "split.p")


# Finding by name


def test_the_working_directory_comes_before_home_and_both_before_the_shipped(folder, monkeypatch):
    monkeypatch.setenv("VICTORPY_HOME", "home")
    shipped = find("configs", "cleaneval")

    at_home = write("home/configs/cleaneval.yaml", MINIMAL)
    assert find("configs", "cleaneval") == at_home

    here = write("configs/cleaneval.yaml", MINIMAL)
    assert find("configs", "cleaneval") == here
    assert available("configs")["cleaneval"] == here
    assert shipped not in {at_home, here}


def test_a_model_is_a_folder_with_a_card(folder):
    write("models/mine/model.yaml", "format: 1\n")
    write("models/notes/README", "")

    assert find("models", "mine") == Path("models/mine")
    assert "notes" not in available("models")


@pytest.mark.parametrize("name", ["./own.yaml", "own.yaml"])
def test_what_holds_a_separator_or_the_suffix_is_a_path(folder, name):
    write("own.yaml", MINIMAL)

    assert find("configs", name) == Path("own.yaml")


def test_a_file_beside_is_not_found_by_name_but_the_way_to_it_is_told(folder):
    write("some/model.yaml", "format: 1\n")

    with pytest.raises(UsageError, match=r"no model 'some'.*; as a path, write '\./some'"):
        find("models", "some")


def test_a_path_that_leads_nowhere_is_wrong_usage(folder):
    with pytest.raises(UsageError, match=r"^my/conf\.yaml: no such config$"):
        load("my/conf.yaml")


# Model cards


@dataclass(frozen=True)
class Larger:
    """A file that holds a config among other things."""

    pages: int
    templates: str
    config: Config


def test_a_config_travels_in_a_larger_file():
    card = Larger(58, "position[0]\nB\n", load("exp-3"))

    assert "templates: |\n  position[0]\n  B\n" in dump(card)
    assert read(Larger, dump(card), "model.yaml") == card


def test_a_wrong_option_in_a_larger_file_names_the_line():
    text = dump(Larger(58, "B", load("cleaneval"))).replace("  c2: 30", "  c2: high")
    line = text.splitlines().index("    c2: high") + 1

    with pytest.raises(VictorError, match=rf"^model\.yaml:{line}: config\.crf\.c2: expected a number, got 'high'$"):
        read(Larger, text, "model.yaml")


def test_configs_are_equal_by_what_they_say():
    assert isinstance(load("cleaneval"), Config)
    assert load("cleaneval") == load("cleaneval")
    assert load("cleaneval") != load("exp-1")


def test_labelers_that_need_no_training_cut_no_lines_and_else_cut_pages_as_web_does():
    assert load("web").markup == replace(BLOCKS, mode="line")
