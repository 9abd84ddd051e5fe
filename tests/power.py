"""A server whose power fails: what it did not sync to the disk is lost. A library in C (disk.c), loaded into the server, keeps a copy of the store's
files as they are on the disk; after the server was killed, its files are replaced by them."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forking import Forked, running

SECTOR = 512
"""The bytes that a disk writes as a whole."""
FILES = ("tables.db", "tables.db-wal")


def library(folder: Path) -> Path:
    """Compile the library."""
    built = folder / "disk.so"
    source = Path(__file__).parent / "disk.c"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(built), str(source), "-ldl", "-lpthread"], check=True)
    return built


class Powered(Forked):
    """A Forked server for which ``kill`` is a power failure. Each time, either nothing that was not synced is on the disk, or a random half of its
    sectors: a disk writes in any order."""

    def __init__(self, data: Path, plant: str = "", seed: int = 1) -> None:
        self.disk = data / "disk"
        self.disk.mkdir(parents=True)
        super().__init__(data, plant, environment={"LD_PRELOAD": str(library(data)), "DISK": str(self.disk)})
        self._chance, self.lost = random.Random(seed), 0
        """The number of sectors that were written and not synced when the power failed."""

    def kill(self) -> None:
        super().kill()
        share = self._chance.choice((0.0, 0.5))
        for name in FILES:
            written, synced = self.data / name, self.disk / name
            before = written.read_bytes() if written.exists() else b""
            left = self.after_loss(before, synced.read_bytes() if synced.exists() else b"", share)
            for path in (written, synced):
                path.write_bytes(left) if left else path.unlink(missing_ok=True)
        (self.data / "tables.db-shm").unlink(missing_ok=True)

    def after_loss(self, written: bytes, synced: bytes, share: float) -> bytes:
        """The content of a file after the power failure, if this share of what was not synced is there nevertheless."""
        left = bytearray(synced)
        for at in range(0, len(written), SECTOR):
            sector = written[at : at + SECTOR]
            if sector != synced[at : at + SECTOR]:
                self.lost += 1
                if self._chance.random() < share:
                    left.extend(bytes(max(0, at - len(left))))
                    left[at : at + len(sector)] = sector
        return bytes(left)


@contextmanager
def powered(data: Path, plant: str = "", seed: int = 1) -> Iterator[Powered]:
    """A server that loses its power when it is killed; ended at the end of the block."""
    server = Powered(data, plant, seed)
    with running(server):
        yield server
