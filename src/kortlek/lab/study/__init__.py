"""Whether a game is fair: variants of it on the same deals."""
