"""Slow, plain second implementations of the games, written from the rules alone."""
