"""Events, tables and score sheets in words."""
