"""``make trust``: measure what docs/trust.md promises."""
