"""Rummy: its rules, words, bots and metrics."""
