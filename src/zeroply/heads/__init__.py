"""Heads: tokens to answers, in the absolute frame. They alone, with the encodings, know who faces whom."""
