"""Plump: its rules, words, bots and metrics."""
