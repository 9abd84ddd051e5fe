"""What follows from a game: states, views, redeals, notation, records, shuffles. No I/O."""
