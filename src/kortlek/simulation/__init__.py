"""Many matches: engines, executors, checkpoints."""
