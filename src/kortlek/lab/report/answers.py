"""The results of a study as sentences and tables."""

from __future__ import annotations

import shlex

from kortlek.bots import own_games
from kortlek.bots.levels import by_chance
from kortlek.engine.plain import begin, options_of
from kortlek.game.registry import GAMES
from kortlek.lab.arena.report import Cells
from kortlek.lab.study.findings import Finding, fair_share, stronger
from kortlek.lab.study.skill import NO_SKILL
from kortlek.lab.study.study import NTH, Study, Variant, sides_of
from kortlek.words.columns import spell

MAX_SHOWN = 4
"""The largest number of variants that the progress bar shows one by one."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def options_in_words(variant: Variant) -> str:
    """The options that were set, as on the command line."""
    game = GAMES[variant.game]
    agreed = options_of(game, begin(game, variant.players, dict(variant.options)))
    return ", ".join(f"{name}={spell(agreed[name])}" for name, _ in variant.options) or "usual options"


def title_of(variant: Variant) -> str:
    """A short title of a variant."""
    return f"{variant.players} player{'s' * (variant.players > 1)}, {options_in_words(variant)}, {', '.join(dict.fromkeys(variant.bots))}"


def labels(study: Study) -> list[str]:
    """A label for each variant: only what distinguishes it from the others."""
    first = study.variants[0]
    words = [[f"{each.players} players", *options_in_words(each).split(", ")] for each in study.variants]
    same = set.intersection(*map(set, words)) if len(words) > 1 else set()
    return [", ".join(word for word in each if word not in same) or options_in_words(first) for each in words]


def by_name(found: list[Finding], name: str) -> Finding:
    """A finding by the name of its measure."""
    return next(each for each in found if each.measure.name == name)


def wins_of(variant: Variant, found: list[Finding]) -> list[Finding]:
    """The win shares, by seat."""
    return [by_name(found, f"win_{seat}") for seat in range(variant.players)]


def seats_in_words(variant: Variant, seat: int) -> str:
    """``seat 2 wins``, or ``seats 2 and 4 win`` where they are partners."""
    [side] = [each for each in sides_of(variant) if seat in each]
    *others, last = [str(each + 1) for each in side]
    return f"seats {', '.join(others)} and {last} win" if others else f"seat {last} wins"


def farthest_off(variant: Variant, found: list[Finding]) -> int:
    """The seat whose win share deviates most from the fair share."""
    wins = wins_of(variant, found)
    fair = fair_share(wins)
    return max(range(variant.players), key=lambda seat: abs((wins[seat].value.mean or 0) - fair))


def written(finding: Finding) -> str:
    """``31.9 % ± 0.6`` or ``22.4 ± 0.1``; a dash if nothing was measured."""
    value = finding.value
    if value.mean is None:
        return "–"
    scale, unit = (100, " %") if finding.measure.is_share else (1, "")
    reach = "" if value.low is None else f" ± {digits(scale * value.reach)}"
    return f"{digits(scale * value.mean, scale * value.reach if value.low is not None else None)}{unit}{reach}"


def digits(number: float, reach: float | None = None) -> str:
    """A number with as many decimals as half the width of its interval warrants."""
    size = abs(number if reach is None else reach)
    decimals = 0 if size >= 20 else 1 if size >= 0.5 else 2 if size >= 0.02 else 3 if size > 0 else 1
    return f"{number:.{decimals}f}"


def spelled(number: int) -> str:
    """A small number as a word."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def fairness(variant: Variant, found: list[Finding], matches: int) -> str:
    """The answer in one sentence: the seat that deviates most from the fair share, and whether the deviation may be chance."""
    wins, deviating = wins_of(variant, found), farthest_off(variant, found)
    fair = fair_share(wins)
    value = wins[deviating].value
    players = f"{spelled(variant.players)} player{'s' * (variant.players > 1)}"
    name = f"{GAMES[variant.game].title} with {players} ({options_in_words(variant)}; {matches:,} matches)"
    told = f"{seats_in_words(variant, deviating)} {written(wins[deviating])} (fair: {100 * fair:.1f} %)"
    if value.low is None or value.high is None:
        return f"{name}: {told}; too few matches to tell."
    if value.low <= fair <= value.high:
        return f"{name}: no seat clearly wins more or less than its share; farthest off, {told}."
    return f"{name}: {told}."


def order_sentences(study: Study, found: list[list[Finding]]) -> list[str]:
    """The place in the order of play that deviates most from the fair share, unless seat 1 always begins: one sentence for each variant."""
    lines = []
    for variant, here, label in zip(study.variants, found, labels(study)) if not order_is_by_seat(study, found) else ():
        fair, wins = fair_share(wins_of(variant, here)), [by_name(here, f"place_win_{place}") for place in range(variant.players)]
        off = max(range(variant.players), key=lambda place: abs((wins[place].value.mean or 0) - fair))
        about = f"who comes {NTH[off]} in the order of play of the first round wins {written(wins[off])} (fair: {100 * fair:.1f} %)."
        lines.append(f"{label}: {about}" if len(study.variants) > 1 else about[0].upper() + about[1:])
    return lines


def skill_sentences(study: Study, found: list[list[Finding]]) -> list[str]:
    """What a stronger player gains, and the share of the deal: one sentence for each variant in which skill was measured."""
    lines = []
    for variant, here, label in zip(study.variants, found, labels(study)):
        if variant.weaker and by_name(here, "stronger_wins").value.mean is not None:
            sentence = skill_sentence(variant, here)
            lines.append(f"{label}: {sentence[0].lower()}{sentence[1:]}" if len(study.variants) > 1 else sentence)
    return lines


def skill_sentence(variant: Variant, found: list[Finding]) -> str:
    """``A stronger player (house among easy) wins 34.1 % ± 1.0 where 25.0 % were fair; the deal is 41 % ± 3 and skill 6 % ± 1 of what a seat's score
    depends on (2,500 deals).``"""
    wins, gain, deal, skill = (by_name(found, name) for name in ("stronger_wins", "stronger_gain", "deal_share", "skill_share"))
    fair = (wins.value.mean or 0) - (gain.value.mean or 0)
    told = f"{stronger(variant).capitalize()} ({variant.bots[0]} among {variant.weaker}) wins {written(wins)} where {100 * fair:.1f} % were fair"
    if gain.value.low is None or gain.value.high is None:
        return f"{told}; too few deals to tell ({wins.n:,})."
    doubt = ", which may be chance" if gain.value.low <= 0 <= gain.value.high else ""
    return f"{told}{doubt}; the deal is {written(deal)} and skill {written(skill)} of what a seat's score depends on ({wins.n:,} deals)."


def at_a_glance(study: Study, found: list[list[Finding]]) -> str:
    """The estimate so far, for the progress bar: the win shares of a single variant, or the largest deviation from the fair share of each."""
    if len(found) == 1:
        return " / ".join(written(each) for each in wins_of(study.variants[0], found[0]))
    off = []
    for variant, here in zip(study.variants, found):
        wins = wins_of(variant, here)
        value = wins[farthest_off(variant, here)].value
        off.append((abs((value.mean or 0) - fair_share(wins)), 0.0 if value.low is None else value.reach))
    if len(off) > MAX_SHOWN:
        off = [min(off), max(off)]
    told = [f"{100 * far:.1f} ± {100 * reach:.1f}" for far, reach in off]
    return f"off its share: {' to '.join(told) if len(found) > MAX_SHOWN else ' | '.join(told)} points"


def caveats(study: Study) -> list[str]:
    """Warnings about the bots, such as a house that plays at random."""
    return list(dict.fromkeys(said for variant in study.variants if (said := by_chance(GAMES[variant.game], variant.bots))))


def shift(study: Study, found: list[list[Finding]], at: int) -> list[str]:
    """The most significant differences of a variant from the first, at most six."""
    changed = surely_changed(found[at], repeated(study, found))
    return [f"{each.measure.about}: {difference_written(each)}" for each in changed[:6]]


def surely_changed(found: list[Finding], without: tuple[str, ...] = ()) -> list[Finding]:
    """The significant differences from the first variant, the most significant first. ``without`` has prefixes of measures to leave out."""
    changed = [each for each in found if each.against and each.against.low is not None and not each.against.low <= 0 <= (each.against.high or 0)]
    changed.sort(key=lambda each: -abs((each.against.mean or 0) / max(each.against.reach, 1e-12)) if each.against else 0)
    return [each for each in changed if not each.measure.name.startswith(without)]


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
    """Every measure with a column for each variant, and a column for the difference of each later variant from the first on the same deals."""
    names: dict[str, str] = {}
    for here in found:
        for each in here:
            names.setdefault(each.measure.name, each.measure.about)
    names = {name: about for name, about in names.items() if not name.startswith(repeated(study, found))}
    heads = ["name", "measure"]
    for at, variant in enumerate(study.variants):
        heads += [title_of(variant), *(["more than the first"] if at else [])]
    rows = [heads]
    for name, about in names.items():
        row = [name, about]
        for at, here in enumerate(found):
            finding = next((each for each in here if each.measure.name == name), None)
            row += [written(finding) if finding else "–", *([difference_written(finding) if finding else ""] if at else [])]
        rows.append(row)
    return rows


def order_is_by_seat(study: Study, found: list[list[Finding]]) -> bool:
    """Whether seat 1 always begins, so that the results by order of play equal those by seat."""
    return "place_win_" in repeated(study, found)


def repeated(study: Study, found: list[list[Finding]]) -> tuple[str, ...]:
    """Prefixes of redundant measures: those by order of play if they equal those by seat, and points per round if a match has only one round."""

    def same(one: str, other: str) -> bool:
        named = [(here, f"{one}_{at}", f"{other}_{at}") for variant, here in zip(study.variants, found) for at in range(variant.players)]
        return all(by_name(here, ours).value == by_name(here, theirs).value for here, ours, theirs in named)

    by_seat = same("place_win", "win") and same("place_score", "score")
    return (*(("place_win_", "place_score_") if by_seat else ()), *(("place_points_",) if same("place_points", "place_score") else ()))


def amount(study: Study, found: list[list[Finding]], matches: int) -> str:
    """The number of matches and of deals that were replayed for skill, in words."""
    deals = sorted({each.n for here in found for each in here if each.measure.name == "stronger_wins"})
    many = " or ".join(f"{each:,}" for each in deals)
    again = f" Skill: {many} of their deals, each played again with the stronger bot in every seat in turn, and with other luck." if deals else ""
    order = " Seat 1 always begins: by order of play is by seat." if order_is_by_seat(study, found) else ""
    return f"N = {matches:,} matches{' of each variant, all with the same deals' if len(study.variants) > 1 else ''}.{again}{order}"


def command_line(study: Study, matches: int, vary: list[str], options: list[str]) -> str:
    """The command that reproduces the study."""
    variant = study.variants[0]
    words = ["kortlek", "lab", own_games.typed_name(variant.game)]
    players = dict.fromkeys(str(each.players) for each in study.variants)
    bots = variant.bots if len(set(variant.bots)) > 1 else variant.bots[:1]
    words += ["--players", ",".join(players), "--bots", ",".join(bots), "--skill", variant.weaker or NO_SKILL]
    words += ["--games", str(matches), "--seed", str(study.seed)]
    for each in options:
        words += ["--option", each]
    for each in vary:
        words += ["--vary", each]
    return shlex.join(words)
