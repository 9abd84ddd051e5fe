"""Plots of a study, as SVG in the text colour of the page and narrow enough for a phone; an empty text if there is no data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kortlek.lab.arena.report import INK, SIGNAL, drawn_svg
from kortlek.lab.arena.statistics import Estimate
from kortlek.lab.report.answers import by_name, labels, repeated, surely_changed, wins_of
from kortlek.lab.study.findings import Finding, fair_share
from kortlek.lab.study.study import NTH, Study

Found = list[list[Finding]]
Row = dict[str, Any]
WIDE, LABEL, STEP = 250, 130, 24
"""Width of a plot and of its labels, and height of a row, in pixels: they fit on a phone."""
COLOURS = (SIGNAL, "#d9772b", "#2f9e6e", "#a66bc9", "#d0526a", "#7d8590")
"""Distinguishable from each other and from the background, in light and dark mode."""
PARTS = (("deal_share", "the deal", COLOURS[0]), ("skill_share", "skill", COLOURS[1]), ("rest_share", "the rest", COLOURS[5]))
MOST_CHANGES = 10


def interval_row(value: Estimate) -> Row | None:
    """A value and its interval as columns; None if there is no interval."""
    return None if value.mean is None or value.low is None else {"mean": value.mean, "low": value.low, "high": value.high}


def rows_of(named: Sequence[tuple[str, str, Estimate]], **more: Any) -> list[Row]:
    """Rows of a plot, from panels, labels and values; values without an interval are left out."""
    return [{"panel": panel, "label": label, **known, **more} for panel, label, value in named if (known := interval_row(value))]


def dots(rows: list[Row], title: str, *, form: str = "", line: str = "", least: float = 0.0) -> str:
    """A dot with its interval for every row, with one panel per variant if there are several. ``line`` names the column with the position of a
    dashed line. The axis spans at least the fraction ``least`` of the values shown."""
    import altair

    if not rows:
        return ""
    low, high = min(row["low"] for row in rows), max(row["high"] for row in rows)
    spare = max(0.0, least * abs(low + high) / 2 - (high - low)) / 2
    panels, places = list(dict.fromkeys(row["panel"] for row in rows)), list(dict.fromkeys(row["label"] for row in rows))
    chart = altair.Chart({"values": rows})
    labelled = altair.Axis(labelLimit=LABEL, ticks=False, domain=False, labelPadding=6)
    beside = altair.Y("label:N", sort=places, title=None, axis=labelled if any(places) else None)
    scale = altair.Scale(zero=False, nice=True, domain=[low - spare, high + spare] if spare else altair.Undefined)
    along = altair.X("low:Q", title=title, axis=altair.Axis(tickCount=5, format=form or altair.Undefined), scale=scale)
    whole = chart.mark_rule(strokeWidth=2, color=SIGNAL).encode(y=beside, x=along, x2="high:Q")
    whole += chart.mark_point(filled=True, size=60, color=SIGNAL, opacity=1).encode(y=beside, x="mean:Q")
    if line:
        whole = chart.mark_rule(strokeDash=[4, 3], color=INK).encode(x=f"mean({line}):Q") + whole
    whole = whole.properties(width=WIDE, height={"step": STEP})
    return drawn_svg(stacked_panels(whole, panels))


def stacked_panels(chart: Any, panels: list[str]) -> Any:
    """The chart with one panel per variant below each other, each with its name above; unchanged if there is only one."""
    import altair

    if len(panels) < 2:
        return chart
    above = altair.Header(title=None, labelAnchor="start", labelPadding=4)
    return chart.facet(facet=altair.Facet("panel:N", sort=panels, title=None, header=above), columns=1, spacing=14).resolve_scale(y="independent")


# ---- wins and scores


def by_seat(study: Study, found: Found, name: str, title: str) -> str:
    """A measure by seat or by place in the order of play, with a line at the fair share; empty if it repeats another measure."""
    rows, form = [], ""
    for variant, here, label in zip(study.variants, found, labels(study)):
        fair = fair_share(wins_of(variant, here))
        for at in range(variant.players):
            each = by_name(here, f"{name}_{at}")
            form = "%" if each.measure.is_share else ""
            rows += rows_of([(label, NTH[at] if name.startswith("place") else f"seat {at + 1}", each.value)], fair=fair)
    return "" if f"{name}_" in repeated(study, found) else dots(rows, title, form=form, line="fair" if form else "")


# ---- length of a match, and wins of the stronger player


def by_variant(study: Study, found: Found, name: str, title: str) -> str:
    """One measure, a dot for each variant; empty if all values are equal."""
    rows = rows_of([(label, "", by_name(here, name).value) for here, label in zip(found, labels(study))])
    return dots(rows, title, least=0.1) if len({row[end] for row in rows for end in ("low", "high")}) > 1 else ""


def stronger_wins(study: Study, found: Found) -> str:
    """The win share of the stronger player, with a line at the fair share."""
    rows = []
    for variant, here, label in zip(study.variants, found, labels(study)):
        if variant.weaker:
            won, gain = (by_name(here, name).value for name in ("stronger_wins", "stronger_gain"))
            rows += rows_of([(label, f"{variant.bots[0]} among {variant.weaker}", won)], fair=(won.mean or 0) - (gain.mean or 0))
    return dots(rows, "share of wins", form="%", line="fair")


def skill_and_chance(study: Study, found: Found) -> str:
    """The variance components of a seat's score, as a stacked bar for each variant."""
    import altair

    rows: list[Row] = []
    for variant, here, label in zip(study.variants, found, labels(study)):
        start = 0.0
        for name, part, _ in PARTS if variant.weaker else ():
            value = by_name(here, name).value.mean
            if value is not None and start < 1:
                end = min(1.0, start + value)
                rows.append({"panel": label, "part": part, "start": start, "end": end, "told": f"{value:.0%}" if end - start > 0.08 else ""})
                start = end
    if not rows:
        return ""
    chart = altair.Chart({"values": rows})
    legend = altair.Legend(title=None, orient="top")
    colour = altair.Color("part:N", legend=legend, scale=altair.Scale(domain=[each[1] for each in PARTS], range=[each[2] for each in PARTS]))
    along = altair.X(
        "start:Q", title="of what a seat's score depends on", axis=altair.Axis(format="%", tickCount=5), scale=altair.Scale(domain=[0, 1])
    )
    bars = chart.mark_bar(height=STEP).encode(x=along, x2="end:Q", color=colour)
    told = chart.transform_calculate(middle="(datum.start + datum.end) / 2").mark_text(color=INK, fontSize=13).encode(x="middle:Q", text="told:N")
    whole = (bars + told).properties(width=WIDE + LABEL // 2, height=STEP + 4)
    return drawn_svg(stacked_panels(whole, list(dict.fromkeys(str(row["panel"]) for row in rows))))


# ---- metrics of a game that are numbered


def series(found: Found) -> list[str]:
    """The common prefixes of a game's numbered metrics, if there are three or more: ``kept`` for ``kept_1``, ``kept_2``, ``kept_3``."""
    numbered: dict[str, int] = {}
    for name in dict.fromkeys(each.measure.name for here in found for each in here if interval_row(each.value)):
        if (parted := re.fullmatch(r"(\w+?)_\d+", name)) and not name.startswith(("win_", "score_", "place_")):
            numbered[parted[1]] = numbered.get(parted[1], 0) + 1
    return [name for name, many in numbered.items() if many > 2]


def along_series(study: Study, found: Found, name: str) -> tuple[str, str]:
    """A numbered metric as a line for each variant, and its description."""
    import altair

    rows, about, shares = [], name, True
    for here, label in zip(found, labels(study)):
        for each in here:
            number = re.fullmatch(rf"{name}_(\d+)", each.measure.name)
            if number and (known := interval_row(each.value)):
                rows.append({"panel": label, "number": int(number[1]), **known})
                about, shares = re.sub(rf"\b{number[1]}\b", "so many", each.measure.about), each.measure.is_share
    chart, panels = altair.Chart({"values": rows}), list(dict.fromkeys(str(row["panel"]) for row in rows))
    together = len(panels) <= len(COLOURS)
    along = altair.X("number:Q", title=None, axis=altair.Axis(format="d", tickMinStep=1), scale=altair.Scale(zero=False, nice=False, padding=8))
    up = altair.Axis(tickCount=5, format="%" if shares else altair.Undefined)
    low = altair.Y("low:Q", title=None, axis=up, scale=altair.Scale(zero=False))
    legend = altair.Legend(title=None, orient="top", columns=1, labelLimit=300) if together and len(panels) > 1 else None
    scale = altair.Scale(domain=panels, range=list(COLOURS) if together else [SIGNAL])
    colour = altair.Color("panel:N", sort=panels, legend=legend, scale=scale)
    line = chart.mark_line(strokeWidth=1.5, point={"filled": True, "size": 40, "opacity": 1}).encode(x=along, y="mean:Q", color=colour)
    whole = line + chart.mark_rule(strokeWidth=2).encode(x=along, y=low, y2="high:Q", color=colour)
    whole = whole.properties(width=WIDE + 30, height=170 if together else 80)
    return drawn_svg(whole if together else stacked_panels(whole, panels)), about


# ---- differences between variants


def changes(study: Study, found: Found) -> list[tuple[str, str]]:
    """Significant differences of each variant from the first, with titles: shares in percentage points, numbers in per cent of the first variant."""
    drawn = []
    for is_share, title in ((True, "more or fewer percentage points"), (False, "more or less, in per cent of the first variant")):
        rows = []
        again = repeated(study, found)
        for here, label in list(zip(found, labels(study)))[1:]:
            surest = [each for each in surely_changed(here, again) if each.measure.is_share == is_share][:MOST_CHANGES]
            for each in (each for each in here if each in surest):
                first = by_name(found[0], each.measure.name).value.mean
                if each.against and (is_share or first):
                    rows += rows_of([(label, each.measure.name, scaled(each.against, 100 if is_share or not first else 100 / abs(first)))], nothing=0)
        if svg := dots(rows, title, line="nothing"):
            drawn.append((svg, "Shares" if is_share else "Numbers"))
    return drawn


def scaled(value: Estimate, by: float) -> Estimate:
    """The value and its interval, multiplied by a factor."""
    return Estimate(*(None if each is None else by * each for each in (value.mean, value.low, value.high)))
