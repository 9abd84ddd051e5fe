"""Up and Down: its rules, words, bots and metrics."""
