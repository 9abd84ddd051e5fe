"""Tables for people and bots: the table state without a network, its log, and the server around both."""
