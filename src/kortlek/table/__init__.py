"""People and bots at one table: the table itself without a network, its log, and the server around it."""
