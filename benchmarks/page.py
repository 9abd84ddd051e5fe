"""``PYTHONPATH=tests python benchmarks/page.py``: the performance of the page in a real browser, on this machine. One person plays Up and Down
against three bots without delay, match after match without a reload, with animations. It measures

* the time from the click on "Play ..." until a frame with the card in the trick is drawn, which does not wait for the server;
* the time from the same click until the server acknowledges the choice as stored;
* long tasks (over 50 ms) of the browser during play;
* memory after each match, after garbage collection: the heap without compiled code, which grows with the running time, and the number of DOM nodes.

It has no pass or fail: the figures are printed, and with ``--markdown FILE`` written to a file."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from browsing import DESK, PHONE, Person, browsing
from playwright.sync_api import CDPSession
from serving import serving, wait_for

from kortlek import __version__

MATCHES = 10
GOAL = 50
"""The goal in milliseconds, from click to card."""
WATCH = """
window.shown = []
window.long = []
window.missed = []
let waiting = null
let clicked = 0
window.answered = []
const asked = new Set()
window.WebSocket = class extends WebSocket {
  constructor(...where) {
    super(...where)
    this.addEventListener('message', ({ data }) => {
      const told = JSON.parse(data)
      if (asked.delete(told.done ?? told.id)) window.answered.push(performance.now() - clicked)
    })
  }
  send(text) {
    const message = JSON.parse(text)
    if (message.do === 'choose' && clicked) asked.add(message.id)
    super.send(text)
  }
}
new PerformanceObserver((list) => window.long.push(...list.getEntries().map((each) => each.duration))).observe({ type: 'longtask', buffered: true })
addEventListener('click', (event) => {
  const card = /^Play\\s+(.+)/.exec(event.target.closest?.('.prompt .btn.primary')?.innerText ?? '')?.[1]
  clicked = card ? event.timeStamp : 0
  if (!card) return
  const lies = () => [...document.querySelectorAll('.trick .played :is(img, [role=img])')].some((each) => (each.ariaLabel ?? each.alt) === card)
  // A card that has not come when the next one is played was never shown: the same card in a later deal is another one.
  if (waiting) waiting()
  const watcher = new MutationObserver(() => {
    if (!lies()) return
    watcher.disconnect()
    waiting = null
    requestAnimationFrame(() => {
      const drawn = new MessageChannel()
      drawn.port1.onmessage = () => window.shown.push(performance.now() - event.timeStamp)
      drawn.port2.postMessage('')
    })
  })
  waiting = () => { watcher.disconnect(); window.missed.push(card) }
  watcher.observe(document.body, { subtree: true, childList: true, attributes: true })
}, true)
"""


def swept(session: CDPSession) -> tuple[float, int]:
    """The size of the heap in megabytes, without compiled code, and the number of DOM nodes, after garbage collection."""
    parts: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda part: parts.append(part["chunk"]))
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    heap = json.loads("".join(parts))
    fields, kinds = heap["snapshot"]["meta"]["node_fields"], heap["snapshot"]["meta"]["node_types"][0]
    every, kind, size = len(fields), fields.index("type"), fields.index("self_size")
    nodes = heap["nodes"]
    used = sum(nodes[at + size] for at in range(0, len(nodes), every) if kinds[nodes[at + kind]] != "code")
    return used / 1e6, int(session.send("Memory.getDOMCounters")["nodes"])


def measure(size: tuple[int, int], matches: int, data: Path) -> dict[str, Any]:
    """Play ``matches`` matches on a screen of this size."""
    with serving(data) as server, browsing() as browser:
        ann = Person(browser, "Ann", server.url, size, still=False, options={"largest_round": 3})
        ann.context.add_init_script(WATCH)
        ann.play_now("Up and Down")
        loading: list[float] = ann.page.evaluate("() => window.long.splice(0)")
        memory, long = [], []
        for number in range(matches):
            while not ann.is_done:
                if not ann.act():
                    ann.page.wait_for_timeout(5)
            long += ann.page.evaluate("() => window.long.splice(0)")
            memory.append(swept(ann.context.new_cdp_session(ann.page)))
            ann.page.evaluate("() => window.long.splice(0)")  # taking the heap snapshot is a long task itself
            if number < matches - 1:
                ann.page.get_by_role("button", name="Play again").click()
                wait_for(lambda: not ann.is_done, "the next match")
        clicks, answers, missed = ann.page.evaluate("() => [window.shown, window.answered, window.missed]")
        return {"clicks": clicks, "answers": answers, "long": long, "missed": missed, "loading": loading, "memory": memory}


def quantile(values: list[float], share: float) -> float:
    """The value at this quantile."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def report(found: dict[str, dict[str, Any]]) -> Iterator[str]:
    """The figures as a table in Markdown."""
    yield f"Kortlek {__version__}, {platform.machine()}, {os.cpu_count()} cores; Chromium, no graphics card; Up and Down to rounds of 3, house bots."
    yield ""
    yield "| | " + " | ".join(found) + " | goal |"
    yield "|---|" + "---|" * (len(found) + 1)
    rows: dict[str, tuple[Callable[[dict[str, Any]], str], str]] = {
        "cards played": (lambda each: str(len(each["clicks"])), ""),
        "never seen in the trick": (lambda each: str(len(each["missed"])), "0"),
        "click to card shown, median": (lambda each: f"{statistics.median(each['clicks']):.0f} ms", f"≤ {GOAL} ms"),
        "click to card shown, 99 of 100": (lambda each: f"{quantile(each['clicks'], 0.99):.0f} ms", ""),
        "click to the server's answer, median": (lambda each: f"{statistics.median(each['answers']):.0f} ms", ""),
        "click to the server's answer, 99 of 100": (lambda each: f"{quantile(each['answers'], 0.99):.0f} ms", ""),
        "tasks over 50 ms while playing": (lambda each: str(len(each["long"])), "0"),
        "the longest of them": (lambda each: f"{max(each['long'], default=0):.0f} ms", ""),
        "tasks over 50 ms while loading": (lambda each: str(len(each["loading"])), ""),
        "memory after each match, MB": (lambda each: " ".join(f"{size:.1f}" for size, _ in each["memory"]), "the same"),
        "nodes after each match": (lambda each: " ".join(str(nodes) for _, nodes in each["memory"]), "the same"),
    }
    for name, (tell, goal) in rows.items():
        yield f"| {name} | " + " | ".join(tell(each) for each in found.values()) + f" | {goal} |"


def main() -> None:
    """Measure on a phone-sized and a desktop-sized screen, and print the table."""
    parser = argparse.ArgumentParser(description="How fast the page is in a real browser.")
    parser.add_argument("--matches", type=int, default=MATCHES, help="how many matches are played on each device")
    parser.add_argument("--markdown", type=Path, help="a file to write the table to")
    asked = parser.parse_args()
    found = {}
    for name, size in (("phone", PHONE), ("desk", DESK)):
        with tempfile.TemporaryDirectory() as data:
            found[name] = measure(size, asked.matches, Path(data))
    text = "\n".join(report(found)) + "\n"
    print(text)
    if asked.markdown:
        asked.markdown.write_text(f"# How fast the page is\n\n{text}\nMeasured by `benchmarks/page.py`.\n", encoding="utf-8")


if __name__ == "__main__":
    main()
