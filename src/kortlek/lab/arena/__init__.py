"""Comparing the strength of bots."""
