"""Heads: tokens and streams to named outputs, in the absolute frame or from the mover's view. They alone,
with the encodings, know who faces whom."""
