"""From raw games to corpora on disk to batches of rows."""
