"""Trunks: tokens in, tokens out."""
