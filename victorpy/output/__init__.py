"""What cleaning gives, and the formats and files it is written to."""
