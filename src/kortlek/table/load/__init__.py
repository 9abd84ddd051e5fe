"""Load tests of a server on this machine: many players, what it costs to serve them, and a bare durable echo over the same stack beside it."""
