"""N-gram language models over words or characters: how far a text surprises somebody who has read clean text only."""

SHIPPED = "udhr"
