"""Engines tell what positions are worth. All but the choice of positions runs on numpy alone."""
