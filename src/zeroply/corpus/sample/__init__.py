"""Rows drawn from a corpus: which, in what order, with what labels, and in batches."""
