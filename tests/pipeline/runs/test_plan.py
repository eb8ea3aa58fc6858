import json

from victorpy.pipeline.runs.plan import read


def test_the_old_name_of_the_filter_by_site_is_read_as_its_new_one(tmp_path):
    run = {"folder": "/", "options": {}, "filters": [{"by": "SeenFilter(share=0.1)"}]}
    tmp_path.joinpath("run.json").write_text(json.dumps(run))

    assert read(tmp_path)["filters"] == [{"by": "SiteFilter(share=0.1)"}]
