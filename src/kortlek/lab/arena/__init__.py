"""Which bot is stronger."""
