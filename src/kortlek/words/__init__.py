"""Events, tables and score sheets as text."""
