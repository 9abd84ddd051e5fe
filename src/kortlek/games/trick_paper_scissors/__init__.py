"""TrickPaperScissors: its rules, words, bots and metrics."""
