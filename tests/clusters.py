"""A real ray cluster on this computer, of two nodes with one processor each, and work that kills who does it."""

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
QUICKLY = {"health_check_period_ms": 500, "health_check_failure_threshold": 2}
"""A node that is gone is missed soon."""


@contextmanager
def two_nodes() -> Iterator[Any]:
    """The cluster, with everything that it writes in a folder of its own; nothing of it is left afterwards."""
    path = os.pathsep.join([str(SOURCE), str(Path(__file__).parent)])
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder, patch.dict(os.environ, RAY_TMPDIR=folder, PYTHONPATH=path):
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={**NODE, "_system_config": QUICKLY})
        try:
            cluster.add_node(**NODE)
            yield cluster
        finally:
            cluster.shutdown()


def raylet_of(node: Any) -> int:
    """The process that is a node: it starts the workers, and they die soon after it."""
    return int(node.all_processes["raylet"][0].process.pid)


def kill_worker_once(mark: str, work: Callable[..., Any], *part: Any) -> Any:
    """``work(*part)``, but the first who comes to it is killed."""
    if is_first(mark):
        os.kill(os.getpid(), signal.SIGKILL)
    return work(*part)


def kill_node_once(mark: str, spared: int, work: Callable[..., Any], *part: Any) -> Any:
    """``work(*part)``, but the first who comes to it is killed with the whole node. On the node that is spared nothing is done until that has
    happened, so that some of the work goes to another."""
    if os.getppid() == spared:
        while not Path(mark).exists():
            time.sleep(0.01)
    elif is_first(mark):
        os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)  # a worker would go on for a moment, and its work be done
    return work(*part)


def is_first(mark: str) -> bool:
    """Whether nobody has been here: there is no mark, and now there is."""
    try:
        Path(mark).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
