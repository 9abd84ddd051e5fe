"""Answers in words and pictures."""
