"""The games, each a folder; what several of them share lies beside the folders."""
