"""Evaluation: how good is it, in the terms of the field, with intervals."""
