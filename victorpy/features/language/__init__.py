"""N-gram language models over words or characters, trained on clean text: they give the perplexity of other text."""

SHIPPED = "udhr"
