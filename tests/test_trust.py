"""`python benchmarks/trust.py` tries everything; here its parts are small scripts of our own."""

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def trust(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    trust = import_module("trust")
    monkeypatch.setattr(trust, "BENCHMARKS", tmp_path)
    return trust


def with_parts(trust, monkeypatch, **scripts):
    for name, code in scripts.items():
        (trust.BENCHMARKS / f"{name}.py").write_text(code)
    monkeypatch.setattr(trust, "PARTS", {name: trust.Part(f"{name}.py", f"{name}.py") for name in scripts})


@pytest.mark.process
def test_all_that_scripts_have_counted_stands_in_one_table(trust, monkeypatch, capsys):
    with_parts(
        trust,
        monkeypatch,
        kills="print('pages: 1,200 tried, 0 failed')\nprint('children: 7 tried, 0 failed')",
        disks="import sys\nprint('commands: 312 tried, 0 failed', file=sys.stderr)",
    )

    assert trust.main([]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "| pages | `kills.py` | 1,200 | 0 |",
        "| children | `kills.py` | 7 | 0 |",
        "| commands | `disks.py` | 312 | 0 |",
    ]


@pytest.mark.process
@pytest.mark.parametrize(
    ("code", "row"),
    [
        ("print('pages: 3 tried, 1 failed'); raise SystemExit(1)", "| pages | `kills.py` | 3 | 1 |"),
        ("print('pages: 3 tried, 1 failed')", "| pages | `kills.py` | 3 | 1 |"),
        ("raise SystemExit(3)", "| kills, which ended with status 3 | `kills.py` | 1 | 1 |"),
        ("print('no figures')", "| kills, which counted nothing | `kills.py` | 1 | 1 |"),
    ],
    ids=["failures", "failures and status 0", "no end", "no figures"],
)
def test_the_status_is_1_if_anything_failed(trust, monkeypatch, capsys, code, row):
    with_parts(trust, monkeypatch, kills=code, disks="print('commands: 2 tried, 0 failed')")

    assert trust.main([]) == 1
    said = capsys.readouterr()
    assert row in said.out.splitlines()
    assert "\nkills:\n" in said.err


@pytest.mark.process
def test_a_part_that_has_ended_well_is_not_run_again(trust, monkeypatch, capsys, tmp_path):
    with_parts(trust, monkeypatch, kills="print('pages: 3 tried, 0 failed')", disks="raise SystemExit(1)")
    words = ["--keep", str(tmp_path / "logs")]
    trust.main(words)
    with_parts(trust, monkeypatch, kills="raise SystemExit(1)", disks="print('commands: 2 tried, 0 failed')")

    assert trust.main(words) == 0
    assert "| pages | `kills.py` | 3 | 0 |" in capsys.readouterr().out


def test_the_page_names_scripts_that_are_there_and_no_failure():
    page = (ROOT / "docs/trust.md").read_text("utf-8")
    rows = re.findall(r"^\| [^|]+ \| `([a-z_]+\.py)[^`]*` \| ([\d,]+) \| (\d+) \|$", page, re.MULTILINE)

    assert rows
    assert not [script for script, _, failed in rows if not (ROOT / "benchmarks" / script).is_file() or failed != "0"]


@pytest.mark.slow
def test_each_target_of_fuzzing_takes_its_seed(trust):
    try:
        for target in import_module("fuzzing.targets").TARGETS.values():
            target.check(target.seeds()[0])
    finally:
        import_module("fuzzing.reading").clear()
