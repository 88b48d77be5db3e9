"""Where people and other programs meet a player: text at this border, numbers behind it."""
