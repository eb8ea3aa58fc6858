"""The REST interface."""

import json
import re

import pytest
from jsonschema_rs import Draft202012Validator

PAGE = "<title>Part 1</title><h1>Ferry times</h1><p>The ferry leaves at seven, long before the island is awake.</p>"
TEXT = "Ferry times\nThe ferry leaves at seven, long before the island is awake.\n"
HTML = {"content-type": "text/html; charset=utf-8"}


def cleaned(client, **fields):
    return client.post("/api/clean", json={"html": PAGE, **fields})


def test_a_page_as_json_is_cleaned(small):
    found = cleaned(small, url="https://harbour.example/", id="one").json()

    assert (found["id"], found["url"], found["status"]) == ("one", "https://harbour.example/", "ok")
    assert found["text"] == TEXT
    assert found["markdown"].startswith("# Ferry times\n")
    assert found["metadata"]["title"] == "Part 1"
    assert [block["label"] for block in found["blocks"]] == ["h", "p"]


def test_a_page_as_bytes_is_cleaned_with_options_in_the_address(small):
    found = small.post("/api/clean?formats=text,metadata&id=one", content=PAGE.encode(), headers=HTML).json()

    assert found["text"] == TEXT
    assert "markdown" not in found


def test_bytes_are_decoded_as_their_content_type_says(small):
    page = "<p>Ветер принёс дождь с холмов, и дети вернулись домой раньше обычного.".encode("cp1251")

    kind = {"content-type": "text/html; charset=cp1251"}
    found = small.post("/api/clean?labeler=everything", content=page, headers=kind)

    assert found.json()["text"].startswith("Ветер")


def test_a_plain_text_is_a_page_with_a_block_for_each_line(small):
    found = small.post("/api/clean", json={"text": "one < two\nthree", "labeler": "everything"}).json()

    assert found["text"] == "one < two\nthree\n"


def test_formats_are_those_that_are_asked_for(small):
    found = cleaned(small, formats=["cleaneval", "tei", "page", "outline", "passages"]).json()

    assert found["cleaneval"].startswith("<h> Ferry times")
    assert "<TEI" in found["tei"]
    assert "<victor-block n=0>Ferry times</victor-block>" in found["page"]
    assert [node["type"] for node in found["outline"]] == ["heading", "paragraph"]
    assert [passage["label"] for passage in found["passages"]] == ["h", "p"]


def test_selectors_override_labels(small):
    assert cleaned(small, drop=["h1"]).json()["text"] == TEXT.partition("\n")[2]


def test_several_selectors_in_the_address_are_several(small):
    found = small.post("/api/clean?drop=h1&drop=p,div&formats=text", content=PAGE, headers=HTML).json()

    assert found["status"] == "empty"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"scop": "page"}, "scop: no such field .* did you mean 'scope'"),
        ({"scope": "pages"}, "scope: expected one of auto, page.* did you mean 'page'"),
        ({"scope": "article"}, "scope.* takes only 'auto'"),
        ({"bias": "high"}, "bias: expected a number from -100 to 100, got 'high'"),
        ({"threshold": 2}, "threshold: expected a number from 0 to 1, got 2"),
        ({"formats": ["pdf"]}, "formats: expected .* got 'pdf'"),
        ({"keep": ["p >"]}, "keep: "),
        ({"keep": 7}, "keep: expected a list of texts, got 7"),
        ({"model": "nowhere"}, "model: no model 'nowhere'"),
        ({"model": "../models/web"}, "model: expected the name of a model, got a path"),
        ({"labeler": "magic"}, "labeler: no labeler 'magic'"),
        ({"labeler": "bte", "bias": 1}, "labeler: a labeler has no model"),
        ({"labeler": "site"}, "needs many pages of a site"),
        ({"text": "both"}, "expected either 'html' or 'text'"),
        ({"all_blocks": "perhaps"}, "all_blocks: expected true or false"),
    ],
    ids=str,
)
def test_a_wrong_request_is_told_what_is_wrong(small, fields, message):
    answer = cleaned(small, **fields)

    assert answer.status_code == 400
    assert re.search(message, answer.json()["error"])


@pytest.mark.parametrize("field", [b'"model": "\\ud800"', b'"\\ud800": 1', b'"keep": ["\\ud800["]'])
def test_half_a_surrogate_pair_may_stand_in_the_message(small, field):
    body = b'{"html": "<p>x", ' + field + b"}"
    answer = small.post("/api/clean", content=body, headers={"content-type": "application/json"})

    assert answer.status_code == 400
    assert "\ud800" in answer.json()["error"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b"\xff", b"[" * 100_000], ids=lambda body: str(body[:9]))
def test_what_is_no_json_object_is_refused(small, body):
    answer = small.post("/api/clean", content=body, headers={"content-type": "application/json"})

    assert answer.status_code == 400
    assert answer.json()["error"]


def test_a_page_that_is_too_large_is_refused(app, model):
    client = app(model=str(model), max_bytes=1_000)

    assert client.post("/api/clean", content=b"x" * 1_001, headers=HTML).status_code == 413
    assert client.post("/api/clean", json={"html": "x" * 1_001}).status_code == 413
    assert client.post("/api/clean", content=(b"x" * 500 for _ in range(3)), headers=HTML).status_code == 413
    assert client.post("/api/clean", content=b"x" * 1_000, headers=HTML).status_code == 200


def test_an_empty_page_has_its_outcome(small):
    found = small.post("/api/clean", content=b"", headers=HTML).json()

    assert (found["status"], found["reason"]) == ("empty", "the page is empty")


def test_a_page_that_is_no_text_has_its_outcome(small):
    found = small.post("/api/clean", content=b"\x89PNG\r\n\x1a\n" + bytes(100), headers=HTML).json()

    assert found["status"] == "undecodable"
    assert "text" not in found


def test_a_list_of_pages_has_a_result_for_each(small):
    pages = [{"html": PAGE, "id": "one"}, {"html": 7, "id": "two"}, "three", {"html": PAGE, "formats": ["markdown"]}]

    results = small.post("/api/batch", json={"pages": pages, "formats": ["text"]}).json()["results"]

    assert [result["status"] for result in results] == ["ok", "refused", "refused", "ok"]
    assert results[0]["text"] == TEXT
    assert results[1]["reason"] == "html: expected a text, got int"
    assert "markdown" in results[3]


def test_a_stream_of_lines_has_a_result_for_each_in_order(small):
    lines = [json.dumps({"html": PAGE, "id": str(number)}) for number in range(40)]
    lines[7] = "not json"

    answer = small.post(
        "/api/batch?formats=text", content="\n".join(lines), headers={"content-type": "application/x-ndjson"}
    )
    results = list(map(json.loads, answer.text.splitlines()))

    assert answer.headers["content-type"] == "application/x-ndjson"
    assert [result["status"] for result in results] == ["ok"] * 7 + ["refused"] + ["ok"] * 32
    assert [result["id"] for result in results if result["status"] == "ok"] == [str(n) for n in range(40) if n != 7]


@pytest.mark.parametrize("address", ["/api/batch", "/api/batch?scope=nonsense"])
def test_options_that_are_wrong_for_all_pages_refuse_the_whole_request(small, address):
    given = {"pages": []} if "?" in address else {"pages": [], "all_blocks": {}}

    assert small.post(address, json=given).status_code == 400


def test_a_block_is_explained(small):
    answer = small.post("/api/explain", json={"html": PAGE, "block": 1})
    found = answer.json()

    assert (found["label"], found["text"]) == ("p", TEXT.splitlines()[1])
    assert {row["label"] for row in found["tables"]["labels"]} == {"p", "h", "l", "c", "other"}
    assert found["tables"]["weights"][0]["template"]


@pytest.mark.slow
def test_changes_that_would_make_it_another_label_are_told_on_request(small):
    found = small.post("/api/explain", json={"html": PAGE, "block": 1, "tables": ["flips"]}).json()

    assert [*found["tables"]] == ["flips"]


def test_the_number_of_a_block_may_stand_in_the_address(small):
    assert small.post("/api/explain?block=1", content=PAGE, headers=HTML).json()["label"] == "p"


@pytest.mark.parametrize("tables", ["nonsense", 7, [7]])
def test_a_table_that_is_not_there_is_an_error(small, tables):
    assert small.post("/api/explain", json={"html": PAGE, "tables": tables}).status_code == 400


@pytest.mark.parametrize("block", [-1, 99, "one", True, 1.5])
def test_a_block_that_is_not_there_is_an_error(small, block):
    assert small.post("/api/explain", json={"html": PAGE, "block": block}).status_code == 400


@pytest.mark.parametrize("name", ["clean", "explain", "perplexity"])
def test_a_request_without_a_page_is_refused(small, name):
    answer = small.post(f"/api/{name}")

    assert (answer.status_code, answer.json()["error"]) == (400, "expected a page: the body is empty")


@pytest.mark.parametrize("name", ["explain", "perplexity"])
def test_nothing_is_explained_of_a_page_that_is_no_text(small, name):
    found = small.post(f"/api/{name}", content=bytes(range(256)) * 8, headers=HTML).json()

    assert (found["status"], found["reason"]) == ("undecodable", "not a text: binary data")


def test_each_sentence_has_its_perplexity(small):
    found = small.post("/api/perplexity", json={"html": f"{PAGE}<p>Xq zzkj wqqq vfjk! The bridge is open."}).json()

    by_text = {one["text"]: one["perplexity"] for one in found["sentences"]}
    assert by_text["Xq zzkj wqqq vfjk!"] > found["limit"] > by_text["The bridge is open."]


def test_forms_learn_what_there_is_to_choose_from(small):
    found = small.get("/api/choices").json()

    assert "web" in found["models"]
    assert "article" in found["scopes"]
    assert "bte" in found["labelers"]
    assert "site" not in found["labelers"]


def test_metrics_count_requests_and_pages(small):
    cleaned(small)
    cleaned(small, scope="nonsense")
    text = small.get("/metrics").text

    assert 'victor_requests_total{code="400"} 1' in text
    assert 'victor_pages_total{status="ok"} 1' in text
    assert "victor_page_seconds_count 1" in text


def test_results_are_as_the_description_says(small):
    described = small.get("/openapi.json").json()
    result = {**described["components"]["schemas"]["Result"], "components": described["components"]}
    formats = described["components"]["schemas"]["PageRequest"]["properties"]["formats"]["anyOf"][0]["items"]["enum"]

    Draft202012Validator(result).validate(cleaned(small, formats=formats).json())


def test_the_description_names_all_paths(small):
    described = small.get("/openapi.json").json()

    assert {"/api/clean", "/api/batch", "/health", "/metrics"} <= described["paths"].keys()
