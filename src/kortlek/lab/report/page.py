"""The report of a study as a self-contained HTML page: the answer, the plots, the tables, and the command that reproduces it."""

from __future__ import annotations

from html import escape

from kortlek.game.registry import GAMES
from kortlek.lab.arena.report import STYLE, as_table
from kortlek.lab.report import plots
from kortlek.lab.report.answers import amount, caveats, fairness, labels, order_sentences, shift, skill_sentences, table
from kortlek.lab.study.findings import Finding
from kortlek.lab.study.study import Study

LAYOUT = """
div.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21em), 1fr)); gap: 1.5em 1em; align-items: start; }
figure { margin: 0; } figcaption { font-weight: bold; margin-bottom: .3em; } dt { font-weight: bold; } dd { margin: 0 0 .5em 1em; }
td { vertical-align: top; } td:first-child { min-width: 10em; max-width: 24em; } td:not(:first-child) { white-space: nowrap; }
small { display: block; }
"""
WORDS = (
    ("fairness", "how near each seat's share of the wins is to a fair one: a quarter with four players, a half with two teams, draws set aside."),
    ("order", "how far a stronger player decides her fate: what she wins above a fair share, of all there is above it; 0 is chance, 1 is always."),
    ("convergence", "how late a match is decided: the part of it after which the winner led for good."),
    ("spread", "how far the players are apart: points between the first and the last at the end."),
    ("drama", "how often the winner comes from behind: rounds, but the last, after which she did not lead."),
    ("security", "how safe a lead is: matches that are won by who led halfway."),
    (
        "the deal",
        "what a seat's scores in two matches with the same cards, other neighbours and other luck have in common: their covariance, of the variance.",
    ),
    ("skill", "how much of the variance of a seat's score comes from whether the stronger bot or a weaker one sits there."),
    ("the rest", "what is left of that variance: the luck of the bots, and what comes of it when these cards and those players meet."),
)
"""Definitions of the terms of the report, some of which come from research on card games."""


def page(study: Study, found: list[list[Finding]], matches: int, command: str) -> str:
    """The whole report as HTML."""
    game = GAMES[study.variants[0].game]
    sentences = [fairness(variant, each, matches) for variant, each in zip(study.variants, found)]
    sentences += [*order_sentences(study, found), *skill_sentences(study, found)]
    said = "".join(f'<p class="answer">{unbroken(sentence)}</p>\n' for sentence in sentences)
    said += "".join(f"<p>{escape(caveat)}</p>\n" for caveat in caveats(study))
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(game.title)} in the lab</title><style>{STYLE}{LAYOUT}</style></head>
<body>
<h1>{escape(game.title)} in the lab</h1>
{said}<p>{escape(amount(study, found, matches))} Lines are 95 % intervals.</p>
{figures(study, found)}{what_changes(study, found)}<h2>Everything measured</h2>
<p>Means with 95 % intervals.</p>
{as_table(table(study, found), defined=True)}
<h2>What the words mean</h2>
<dl>{"".join(f"<dt>{escape(word)}</dt><dd>{escape(meaning)}</dd>" for word, meaning in WORDS)}</dl>
<h2>The same again</h2>
<pre>{escape(command)}</pre>
</body>
</html>
"""


def unbroken(text: str) -> str:
    """Escaped text with non-breaking spaces, so that a number and its interval stay on one line."""
    return escape(text).replace(" %", "&nbsp;%").replace(" ± ", "&nbsp;±&nbsp;")


def figures(study: Study, found: list[list[Finding]]) -> str:
    """All plots that have data, as a grid."""
    drawn = [
        ("Who wins (dashed: a fair share)", plots.by_seat(study, found, "win", "share of wins")),
        ("Who wins, by order of play in the first round", plots.by_seat(study, found, "place_win", "share of wins")),
        ("What each seat scores", plots.by_seat(study, found, "score", "score at the end")),
        ("Points in a round, by order of play", plots.by_seat(study, found, "place_points", "points in a round")),
        ("A stronger player (dashed: a fair share)", plots.stronger_wins(study, found)),
        ("Skill against chance", plots.skill_and_chance(study, found)),
        ("How long a match takes", plots.by_variant(study, found, "minutes", "minutes")),
        ("How many choices it has", plots.by_variant(study, found, "choices", "choices in a match")),
    ]
    for name in plots.series(found):
        svg, about = plots.along_series(study, found, name)
        drawn.append((about[0].upper() + about[1:], svg))
    return "<h2>In pictures</h2>\n" + gallery([(title, svg) for title, svg in drawn if svg])


def what_changes(study: Study, found: list[list[Finding]]) -> str:
    """How each variant differs from the first, in sentences and plots; empty if none does."""
    told = ""
    for at, label in list(enumerate(labels(study)))[1:]:
        if lines := shift(study, found, at):
            told += f"<h3>{escape(label)}</h3><ul>" + "".join(f"<li>{unbroken(line)}</li>" for line in lines) + "</ul>\n"
    if not told:
        return ""
    drawn = gallery([(title, svg) for svg, title in plots.changes(study, found)])
    about = f"<p>Against the first variant ({escape(labels(study)[0])}), on the same deals; only what is more than chance.</p>"
    return f"<h2>What changes</h2>\n{about}{drawn}{told}"


def gallery(drawn: list[tuple[str, str]]) -> str:
    """Plots with their titles, as HTML."""
    made = "".join(f'<figure><figcaption>{escape(title)}</figcaption><div class="wide">{svg}</div></figure>\n' for title, svg in drawn)
    return f'<div class="plots">\n{made}</div>\n'
