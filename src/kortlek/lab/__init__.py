"""The laboratory: what bots are worth, measured so that anybody can measure it again."""
