"""Honest measurements: each with its size and a 95 % interval."""
