"""How the games are told. The rule books need nothing of this."""
