"""The laboratory: reproducible measurements of bots and of games."""
