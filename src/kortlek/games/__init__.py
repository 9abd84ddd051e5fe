"""The games, a folder each, and the modules that several games share."""
