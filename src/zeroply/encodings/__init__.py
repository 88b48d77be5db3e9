"""Encodings: rows to named streams. Pure, without parameters and without a thought of legality."""
