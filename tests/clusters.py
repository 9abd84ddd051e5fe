"""A real ray cluster on this machine (two nodes with one processor each), and tasks that kill their worker or node."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from running import SOURCE

NODE = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
FAST_HEALTH_CHECK = {"health_check_period_ms": 500, "health_check_failure_threshold": 2}
"""Detect a dead node quickly."""


@contextmanager
def two_nodes() -> Iterator[Any]:
    """The cluster, which keeps its files in a temporary folder; shut down at the end of the block."""
    path = os.pathsep.join([str(SOURCE), str(Path(__file__).parent)])
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder, patch.dict(os.environ, RAY_TMPDIR=folder, PYTHONPATH=path):
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={**NODE, "_system_config": FAST_HEALTH_CHECK})
        try:
            cluster.add_node(**NODE)
            yield cluster
        finally:
            cluster.shutdown()


def raylet_of(node: Any) -> int:
    """The raylet process of a node. It starts the workers, which die soon after it."""
    return int(node.all_processes["raylet"][0].process.pid)


def kill_worker_once(mark: str, work: Callable[..., Any], *part: Any) -> Any:
    """Run ``work(*part)``, but kill the first worker that gets here."""
    if is_first(mark):
        os.kill(os.getpid(), signal.SIGKILL)
    return work(*part)


def kill_node_once(mark: str, spared: int, work: Callable[..., Any], *part: Any) -> Any:
    """Run ``work(*part)``, but kill the first worker that gets here together with its node. The spared node waits until that has happened, so that
    the dead node is sure to have had some of the work."""
    if os.getppid() == spared:
        while not Path(mark).exists():
            time.sleep(0.01)
    elif is_first(mark):
        os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)  # otherwise the worker would live long enough to finish its part
    return work(*part)


def is_first(mark: str) -> bool:
    """Whether the mark file did not exist; create it."""
    try:
        Path(mark).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
