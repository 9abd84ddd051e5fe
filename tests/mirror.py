"""What a client knows of a table: it applies snapshots and steps as docs/protocol.md describes, and uses nothing else of the server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]


def merge(value: Any, patch: Any) -> Any:
    """Apply a patch as docs/protocol.md describes it."""
    if not isinstance(patch, dict) or not isinstance(value, dict | list):
        return patch
    changed: Any = value.copy()
    for name, change in patch.items():
        at = int(name) if isinstance(value, list) else name
        changed[at] = merge(value[at] if isinstance(value, list) else value.get(at), change)
    return changed


@dataclass
class Mirror:
    """The table and the views of a client, made from the frames that it was sent."""

    person: int = -1
    seq: int = -1
    table: Message = field(default_factory=dict)
    views: dict[int, Message] = field(default_factory=dict)

    def hear(self, frame: Message) -> Iterator[Message]:
        """Apply a frame. Yield what follows from it: the ``news`` of each entry with its number, the ``show`` of the whole table from each viewpoint,
        and ``done``. Other messages are yielded as they are. A step that is known already is ignored."""
        if frame["type"] == "welcome":
            self.person = frame["person"]
        if frame["type"] not in ("snapshot", "step"):
            yield frame
            return
        if frame["type"] == "snapshot":
            self.table, self.views = frame["table"], {view["seat"]: {"match": None, "sheet": None, **view} for view in frame["views"]}
        elif frame["since"] != self.seq and frame["seq"] <= self.seq:
            return
        else:
            assert frame["since"] == self.seq, f"a step after {frame['since']} does not follow {self.seq}"
            self.table = merge(self.table, frame.get("table", {}))
            for view in frame["views"]:
                self.views[view["seat"]] = merge(self.views[view["seat"]], view)
        self.seq = frame["seq"]
        told = {view["seat"]: view.get("news", []) for view in frame["views"]}
        for seat, news in told.items():
            for number, each in enumerate(news, frame["seq"] - len(news) + 1):
                blank = {"kind": "happened", "by": -1, "events": [], "message": None, "text": ""}
                yield {"type": "news", "seat": seat, "seq": number, "at": frame["at"], **blank, **each}
        yield from self.shows(frame["at"])
        if frame.get("done"):
            yield {"type": "done", "id": frame["done"], "seq": frame["seq"]}

    def shows(self, at: int) -> Iterator[Message]:
        """The whole table from each viewpoint, in one object each."""
        yours = [seat for seat in self.views if seat >= 0]
        for seat, view in self.views.items():
            about = {"seat": seat, "seq": self.seq, "at": at, "yours": yours, "owner": self.person == self.table["owner"] != -1}
            yield {"type": "show", **self.table, **about, "match": view["match"], "sheet": view["sheet"]}
