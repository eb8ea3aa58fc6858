"""The commands of `victor`, in the groups of its help, and the old names of those that were renamed."""

from typing import NamedTuple


class Command(NamedTuple):
    """A line of the help, and the module in cli/commands, which has `arguments(parser)` and `run(options)`."""

    module: str
    summary: str


GROUPS = {
    "Clean": {
        "clean": Command("clean", "print the content of web pages"),
        "metadata": Command("show_metadata", "print title, authors, date and other facts of pages"),
        "run": Command("run", "clean many pages into a folder; resumable after a crash"),
        "verify": Command("verify", "check the files of a run and clean a sample again"),
        "retry": Command("retry", "clean the failed pages again"),
    },
    "Make a model": {
        "annotate": Command("annotate", "label the blocks of pages in the terminal"),
        "import": Command("import_", "make annotated pages from pages and their clean texts"),
        "train": Command("train", "train a model on annotated pages, or adapt one to them"),
        "tune": Command("tune", "search for better settings of a config or a labeler"),
        "learn labeler": Command("learn_labeler", "teach a learned labeler such as 'fiasco' from annotated pages"),
        "learn rules": Command("learn_rules", "learn the function words of a language for the labeler 'rules'"),
        "learn site": Command("learn_site", "count the texts that the pages of a site share, for clean --site"),
        "learn votes": Command("learn_votes", "learn weights for several labelers that vote"),
    },
    "Measure": {
        "evaluate": Command("evaluate", "score one system, or compare several"),
        "xval": Command("xval", "cross-validate a config on annotated pages"),
        "ablate": Command("ablate", "measure what each feature is worth"),
        "agree": Command("agree", "measure how far two annotators agree"),
    },
    "Understand": {
        "explain": Command("explain", "show what a model has learned, or why a block has its label"),
        "report": Command("report_pages", "write an HTML report: what is kept of pages, and why"),
        "features": Command("show_features", "show the features of the blocks of a page"),
    },
    "Serve": {
        "serve": Command("start_server", "try, annotate and review pages in a browser; clean pages over HTTP"),
        "mcp": Command("serve_mcp", "let language models clean pages, urls and files (MCP)"),
    },
    "Corpus tools": {
        "dedup": Command("dedup", "remove duplicate pages and passages"),
        "group-by-host": Command("group_by_host", "sort the records of web archives by host"),
        "convert": Command("convert", "print annotated pages in another format"),
        "lm train": Command("lm_train", "train a language model on clean text"),
        "lm score": Command("lm_score", "print the perplexity of pages and texts"),
        "perplexity": Command("drop_sentences", "drop improbable sentences from texts and pages"),
    },
    "Setup": {
        "doctor": Command("doctor", "check the installation, and load every model and config"),
        "completion": Command("completion", "print a script that completes commands and options in a shell"),
    },
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}

# Names of the version before, which the next version drops. `compare` has its own options.
RENAMED = {
    "compare": "evaluate",
    "inspect": "explain",
    "merge": "learn votes",
    "rules learn": "learn rules",
    "site learn": "learn site",
}
OLD_COMMANDS = {"compare": Command("compare", "compare several systems")}

# Commands that report their progress without --verbose.
LONG = {"train", "lm train"}
