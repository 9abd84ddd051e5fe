"""compose.yaml: its parts are started as processes, with the commands and settings that it gives, and played through nginx while owners die."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import several
import yaml
from nginx import MISSING, find_nginx
from serving import Server, free_port, wait_for
from stores import Database

pytest_plugins = ["stores"]
ROOT = Path(__file__).parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVERS = ("one", "two", "three")


class Composed(Server):
    """A server of compose.yaml as a process: its command and its environment, with addresses of this machine."""

    def __init__(self, name: str, data: Path, database: str) -> None:
        super().__init__(data)
        service = COMPOSE["services"][name]
        given = {key: str(value) for key, value in service["environment"].items()}
        assert given["KORTLEK_ADVERTISE"] == f"http://{name}:{given['KORTLEK_PORT']}"
        here = {"KORTLEK_HOST": "127.0.0.1", "KORTLEK_PORT": str(self.port), "KORTLEK_ADVERTISE": self.url, "KORTLEK_DATABASE": database}
        assert here.keys() <= given.keys()
        self._environment = given | here | {"KORTLEK_DATA": str(data), "KORTLEK_BOTS": "1", "FORWARDED_ALLOW_IPS": "127.0.0.1"}
        self._command = [sys.executable, "-m", "kortlek", *service["command"]]

    def command(self) -> list[str]:
        return self._command


@contextmanager
def proxied(folder: Path, servers: list[Composed]) -> Iterator[str]:
    """nginx with deploy/nginx.conf, on a port of its own, before these servers; its address."""
    path = find_nginx()
    if path is None:
        pytest.skip(MISSING)
    text, port = (ROOT / "deploy" / "nginx.conf").read_text(), free_port()
    for name, server in zip(SERVERS, servers):
        text, many = re.subn(rf"\bserver {name}:8642\b", f"server 127.0.0.1:{server.port}", text)
        assert many == 1
    text, many = re.subn(r"\blisten 8080;", f"listen 127.0.0.1:{port};", text)
    assert many == 1
    folder.mkdir()
    (folder / "nginx.conf").write_text(f"daemon off; pid {folder}/pid; error_log stderr;\n{text}".replace("http {", "http { access_log off;"))
    with (folder / "log").open("w") as log:
        running = subprocess.Popen([path, "-p", str(folder), "-c", str(folder / "nginx.conf")], stdout=log, stderr=log)
    try:
        door = Server(folder)
        door.port, door.url, door.process = port, f"http://127.0.0.1:{port}", running  # type: ignore[assignment]
        wait_for(door.answers, "the proxy")
        yield door.url
    finally:
        running.terminate()
        running.wait()


def test_compose_names_files_that_are_there() -> None:
    services = COMPOSE["services"]
    assert set(services) == {"database", *SERVERS, "proxy"}
    assert [volume.partition(":")[0] for volume in services["proxy"]["volumes"]] == ["./deploy/nginx.conf"]
    assert services["proxy"]["ports"] == ["8080:8080"], "only the proxy can be reached from outside"
    assert all("ports" not in services[name] for name in ("database", *SERVERS))


def test_people_play_through_the_proxy_while_owners_are_killed(postgres: Any, tmp_path: Path) -> None:
    database = Database(postgres)
    servers = [Composed(name, tmp_path / name, database.url) for name in SERVERS]
    with several.all_started(servers), proxied(tmp_path / "nginx", servers) as door:
        outcome = asyncio.run(several.evening(database.url, door, servers, tables=4, kills=2, seed=2))
    assert outcome.wrong == [] and len(outcome.pauses) == 2 and outcome.acknowledged > 50
