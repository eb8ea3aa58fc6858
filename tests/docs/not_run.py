"""What README and docs show and the tests do not run, with the reason: page by page, how the step begins."""

from doc_pages import Block

TERMINAL = "asks for a terminal; tests/annotator/test_terminal.py runs it"
EXTERNAL = "needs a program or a library that victorpy does not install"
MINUTES = "takes minutes; the tests of the command run it on small data"
ERROR = "shows an error; tests/cli/commands/test_clean_selectors.py has it"
NETWORK = "fetches pages; tests/cli/commands/test_clean_urls.py fetches some from a server of its own"
SERVER = "serves until Ctrl-C; tests/serve runs it"
SAMPLE = "is run on all our pages by tests/docs/test_sample_outputs.py"
CLUSTER = "needs a cluster of machines, or what its scheduler sets"

NOT_RUN = {
    "README.md": {"victor annotate ": TERMINAL},
    "annotate.md": {"victor annotate ": TERMINAL},
    "blog.md": {"victor annotate ": TERMINAL},
    "crawl.md": {"victor run ": CLUSTER},
    "datatrove.md": {"from ": EXTERNAL},
    "experiments.md": {"victor xval annotations/ --curve --sizes": SAMPLE},
    "integrations.md": {"from llama_index": EXTERNAL},
    "keep-more-or-less.md": {"victor clean pages/ -f jsonl | jq": EXTERNAL},
    "label-and-train.md": {"victor annotate ": TERMINAL},
    "ray.md": {"import ": EXTERNAL},
    "selectors.md": {
        "victor clean examples/news-en.html --drop 'p >'": ERROR,
        "victor clean page.html --rules bad-rules.yaml": ERROR,
    },
    "rendering.md": {"victor clean https://": NETWORK, "victor clean saved/ --render": EXTERNAL},
    "spark.md": {"from ": EXTERNAL},
    "web-annotate.md": {"victor serve": SERVER},
    "urls.md": {
        "victor clean https://": NETWORK,
        "victor clean --from-file addresses.txt": NETWORK,
        "victor clean all.warc.gz": NETWORK,
        "victor metadata https://": NETWORK,
    },
}


def reason(step: Block) -> str:
    """Why a step is not run; empty where it is."""
    reasons = NOT_RUN.get(step.page.name, {})
    return next((reasons[begin] for begin in reasons if step.code.removeprefix("$ ").startswith(begin)), "")
