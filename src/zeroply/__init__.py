"""Transformers that play chess and xiangqi at a glance: one look at the board, one move, no search."""

__version__ = "0.1.0"
