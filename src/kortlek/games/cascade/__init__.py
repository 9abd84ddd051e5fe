"""Cascade: its rules, words, bots and metrics."""
