"""Accessibility and layout checks of one screen of the page, in both themes and at every width (axe, target size, overflow, clipped text)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from browsing import DESK, PHONE
from playwright.sync_api import Page

WIDTHS = (360, 390, 820, 1440)
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
# The page has no frames and no external style sheets, so axe need not look for them.
RUN = """rules => axe.run(document, { runOnly: { type: 'tag', values: rules }, resultTypes: ['violations'], iframes: false, preload: false })
  .then((found) => found.violations)"""
SMALLEST = 44
# Everything that can be clicked, and its size: of a card in the hand only the strip that the next card leaves free. Exempt are the slots of Cascade,
# which have buttons beside them that do the same, and the cards of a replay, which cannot be clicked. An input counts with its label.
SMALL = """(smallest) => [...document.querySelectorAll('button, a[href], input, select, textarea, summary, [tabindex="0"]')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('[data-slot], .skip:not(:focus), .filmed .card'))
  .map((each) => {
    const box = (each.matches('input') && each.closest('label') || each).getBoundingClientRect()
    const next = each.dataset.card !== undefined && each.nextElementSibling?.getBoundingClientRect()
    const name = each.ariaLabel || each.innerText || each.labels?.[0]?.innerText || each.id
    return { name, width: next ? Math.min(box.width, next.left - box.left) : box.width, height: box.height }
  })
  .filter(({ width, height }) => Math.min(width, height) < smallest - 0.01)
  .map(({ name, width, height }) => `${name.trim()} is ${width.toFixed(1)} x ${height.toFixed(1)}`)"""
WIDER = """() => {
  const room = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= room) return []
  const out = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > room + 0.5)
  return [`${document.documentElement.scrollWidth} px wide: ${out.slice(0, 3).map((each) => each.className || each.tagName).join(', ')}`]
}"""

# Text that begins at the left edge of the screen, or beyond it, is misplaced: the page cannot be scrolled there.
CUT = """() => [...document.querySelectorAll('body *')]
  .filter((each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.sr, .skip') && each.getBoundingClientRect().left < 4)
  .map((each) => `"${each.textContent.trim()}" begins at the edge of the screen`)"""


# Headings that do not fit are cut off with an ellipsis.
SHORTENED = """() => [...document.querySelectorAll('.bar h1, .bar .t > span')]
  .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1)
  .map((each) => `"${each.textContent.trim()}" is cut off`)"""


def faults(page: Page) -> list[str]:
    """Every fault of the current screen, at all widths."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    found = dict.fromkeys(fault for width in WIDTHS for fault in faults_at(page, width))
    page.emulate_media(color_scheme="light")
    return list(found)


def faults_at(page: Page, width: int) -> Iterator[str]:
    """The faults at one width: targets too small for a thumb, overflow, clipped text; and at the widths of a phone and a desktop what axe
    finds, in both themes."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": width, "height": PHONE[1] if width < 800 else DESK[1]})
    settle(page)
    for fault in [*page.evaluate(SMALL, SMALLEST), *page.evaluate(WIDER), *page.evaluate(CUT), *page.evaluate(SHORTENED)]:
        yield f"{width} px: {fault}"
    if width in (PHONE[0], DESK[0]):
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            settle(page)
            yield from (f"{width} px, {theme}: {describe(violation, node)}" for violation in page.evaluate(RUN, RULES) for node in violation["nodes"])


def settle(page: Page) -> None:
    """Wait until a new size or theme is rendered: two frames, or one second if the browser draws no frames, as it may in the background."""
    page.evaluate("() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 1000) })")


def describe(violation: dict[str, Any], node: dict[str, Any]) -> str:
    """One violation of an axe rule by one element, as text."""
    return f"{violation['id']}: {' '.join(map(str, node['target']))}: {' '.join(node['failureSummary'].split())} {node['html'][:160]}"
