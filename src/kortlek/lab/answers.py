"""What a study found, in words and as a page that needs nothing but itself."""

from __future__ import annotations

import shlex
from html import escape

from kortlek.bots import own
from kortlek.bots.levels import by_chance
from kortlek.lab.findings import Finding
from kortlek.lab.report import INK, SIGNAL, STYLE, Cells, as_table, drawn_svg
from kortlek.lab.study import Study, Variant
from kortlek.play.telling import spell
from kortlek.play.plain import begin, options_of
from kortlek.rules import GAMES

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def options_in_words(variant: Variant) -> str:
    """The options that were asked for, as on the command line."""
    game = GAMES[variant.game]
    agreed = options_of(game, begin(game, variant.players, dict(variant.options)))
    return ", ".join(f"{name}={spell(agreed[name])}" for name, _ in variant.options) or "usual options"


def title_of(variant: Variant) -> str:
    """A variant in a few words."""
    return f"{variant.players} players, {options_in_words(variant)}, {', '.join(dict.fromkeys(variant.bots))}"


def by_name(found: list[Finding], name: str) -> Finding:
    """A finding by the name of its measure."""
    return next(each for each in found if each.measure.name == name)


def wins_of(variant: Variant, found: list[Finding]) -> list[Finding]:
    """The win shares, by seat."""
    return [by_name(found, f"win_{seat}") for seat in range(variant.players)]


def written(finding: Finding) -> str:
    """``31.9 % ± 0.6`` or ``22.4 ± 0.1``; a dash where there is nothing to measure."""
    value = finding.value
    if value.mean is None:
        return "–"
    scale, unit = (100, " %") if finding.measure.is_share else (1, "")
    reach = "" if value.low is None else f" ± {digits(scale * value.reach)}"
    return f"{digits(scale * value.mean, scale * value.reach if value.low is not None else None)}{unit}{reach}"


def digits(number: float, reach: float | None = None) -> str:
    """A number with as many decimals as its interval warrants: two at most where it is wide."""
    size = abs(number if reach is None else reach)
    decimals = 0 if size >= 20 else 1 if size >= 0.5 else 2 if size >= 0.02 else 3 if size > 0 else 1
    return f"{number:.{decimals}f}"


def fairness(variant: Variant, found: list[Finding], matches: int) -> str:
    """The answer in one sentence: which seat wins most above or below its share, and whether that may be chance."""
    fair = (1 - (by_name(found, "draws").value.mean or 0)) / variant.players
    wins = wins_of(variant, found)
    deviating = max(range(variant.players), key=lambda seat: abs((wins[seat].value.mean or 0) - fair))
    value = wins[deviating].value
    name = f"{GAMES[variant.game].title} with {NUMBERS[variant.players]} players ({options_in_words(variant)}; {matches:,} matches)"
    told = f"seat {deviating + 1} wins {written(wins[deviating])} (fair: {100 * fair:.1f} %)"
    if value.low is None or value.high is None:
        return f"{name}: {told}; too few matches to tell."
    if value.low <= fair <= value.high:
        return f"{name}: no seat clearly wins more or less than its share; farthest off, {told}."
    return f"{name}: {told}."


def caveats(study: Study) -> list[str]:
    """What has to be said about the bots on whose play the answers rest."""
    return list(dict.fromkeys(said for variant in study.variants if (said := by_chance(GAMES[variant.game], variant.bots))))


def shift(variant: Variant, found: list[Finding]) -> list[str]:
    """How a variant differs from the first one: of what differs beyond chance the largest, a few."""
    changed = [each for each in found if each.against and each.against.low is not None and not each.against.low <= 0 <= (each.against.high or 0)]
    changed.sort(key=lambda each: -abs((each.against.mean or 0) / max(each.against.reach, 1e-12)) if each.against else 0)
    return [f"{each.measure.about}: {difference_written(each)}" for each in changed[:6]]


def difference_written(finding: Finding) -> str:
    """``+1.2 ± 0.3``."""
    against = finding.against
    if against is None or against.mean is None:
        return ""
    scale = 100 if finding.measure.is_share else 1
    reach = scale * against.reach if against.low is not None else 0.0
    sign = "+" if against.mean >= 0 else "−"
    return f"{sign}{digits(abs(scale * against.mean), reach)} ± {digits(reach)}{' points' if finding.measure.is_share else ''}"


def table(study: Study, found: list[list[Finding]]) -> Cells:
    """Every measure, a column for each variant; of later ones also the difference from the first on the same deals."""
    names: dict[str, str] = {}
    for here in found:
        for each in here:
            names.setdefault(each.measure.name, each.measure.about)
    heads = ["measure"]
    for at, variant in enumerate(study.variants):
        heads += [title_of(variant), *(["more than the first"] if at else [])]
    rows = [heads]
    for name, about in names.items():
        row = [about]
        for at, here in enumerate(found):
            finding = next((each for each in here if each.measure.name == name), None)
            row += [written(finding) if finding else "–", *([difference_written(finding) if finding else ""] if at else [])]
        rows.append(row)
    return rows


def command_line(study: Study, matches: int, vary: list[str], options: list[str]) -> str:
    """The command that gives the same again."""
    variant = study.variants[0]
    words = ["kortlek", "lab", own.typed_name(variant.game)]
    words += ["--players", str(variant.players), "--bots", ",".join(variant.bots), "--games", str(matches)]
    words += ["--seed", str(study.seed)]
    for each in options:
        words += ["--option", each]
    for each in vary:
        words += ["--vary", each]
    return shlex.join(words)


def plot_wins(study: Study, found: list[list[Finding]]) -> str:
    """Win shares by seat with their intervals, a panel for each variant, as SVG that takes its ink from the page."""
    import altair

    rows = []
    for variant, each in zip(study.variants, found):
        for seat, finding in enumerate(wins_of(variant, each)):
            value = finding.value
            rows.append({"variant": options_in_words(variant), "seat": f"seat {seat + 1}", "mean": value.mean, "low": value.low, "high": value.high})
    fair = 1 / study.variants[0].players
    seats = altair.Y("seat:N", title=None)
    chart = altair.Chart({"values": rows})
    share = altair.X("low:Q", title="share of wins", axis=altair.Axis(format="%"), scale=altair.Scale(zero=False))
    reach = chart.mark_rule(strokeWidth=2, color=SIGNAL).encode(y=seats, x=share, x2="high:Q")
    dots = chart.mark_point(filled=True, size=70, color=SIGNAL, opacity=1).encode(y=seats, x="mean:Q")
    line = chart.transform_calculate(fair=str(fair)).mark_rule(strokeDash=[4, 3], color=INK).encode(x="fair:Q")
    whole = (
        (line + reach + dots)
        .properties(width=520, height={"step": 30})
        .facet(row=altair.Row("variant:N", title=None, header=altair.Header(labelAngle=0, labelAlign="left", labelColor=INK, labelLimit=260)))
    )
    return drawn_svg(whole)


def page(study: Study, found: list[list[Finding]], matches: int, command: str) -> str:
    """The whole report: the answer, the plots, the tables, and how to get the same again."""
    game = GAMES[study.variants[0].game]
    said = "".join(f'<p class="answer">{escape(fairness(variant, each, matches))}</p>\n' for variant, each in zip(study.variants, found))
    said += "".join(f"<p>{escape(caveat)}</p>\n" for caveat in caveats(study))
    changes = ""
    for variant, each in zip(study.variants[1:], found[1:]):
        if lines := shift(variant, each):
            changes += f"<h3>{escape(options_in_words(variant))}</h3><ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>\n"
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(game.title)} in the lab</title><style>{STYLE}</style></head>
<body>
<h1>{escape(game.title)} in the lab</h1>
{said}<h2>Who wins</h2>
<div class="wide">{plot_wins(study, found)}</div>
{"<h2>What changes</h2><p>Against the first variant, on the same deals; only what is more than chance.</p>" + changes if changes else ""}
<h2>Everything measured</h2>
<p>Means of {matches:,} matches of each variant with 95 % intervals. All variants were played with the same deals.</p>
{as_table(table(study, found))}
<h2>The same again</h2>
<pre>{escape(command)}</pre>
</body>
</html>
"""
