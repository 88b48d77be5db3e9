"""A game in the terminal."""
