"""S12: honest players beside flooding, slow and reconnecting clients."""

from __future__ import annotations

import flood
from trust.row import Found, Row, Run

SECONDS = {"small": 5.0, "full": 20.0, "planted": 5.0}


def s12(run: Run) -> Found:
    """What honest players notice of a flood."""
    quiet, flooded, answered = flood.measure(run.data, SECONDS[run.size], run.plant("unlimited"))
    ratio = flooded.bots_p50 / max(quiet.bots_p50, 1.0)
    wrong = [f"p99 is {flooded.p99:.1f} ms"] if flooded.p99 > flood.GOAL_P99 else []
    wrong += [f"bots need {ratio:.1f} times as long"] if ratio > flood.GOAL_RATIO else []
    figures = {"p99 ms": flooded.p99, "without a flood ms": quiet.p99, "bots take times as long": ratio}
    return Found(wrong, {"hostile requests": sum(answered.values()), "seconds": int(SECONDS[run.size])}, figures)


ROWS = (
    Row(
        "S12",
        f"honest choices beside {flood.FLOODING} flooding, {flood.SLOW} slow, {flood.RECONNECTING} reconnecting clients; the bots' answers",
        "p99 50 ms; within 2 times",
        s12,
        {"seconds": 20},
        "the limits taken out",
    ),
)
