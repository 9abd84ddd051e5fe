"""Studies of a game: its variants compared on the same deals."""
