"""Requirements of a game's design in a TOML file, and whether the game meets them: a test to run after every change of the rules."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kortlek.engine.plain import Refused
from kortlek.lab.study.findings import Finding, fair_share
from kortlek.lab.study.skill import NAMES

MET, BROKEN, OPEN = "met", "broken", "not enough games to tell"
WINS = "wins"
"""The name that stands for the win shares of all seats."""
KNOWN = {"game", "players", "bots", "options", "games", "seed", "require"}


@dataclass(frozen=True)
class Requirement:
    """A measure and its bounds: ``within`` is the largest allowed deviation of the win shares from the fair share, in percentage points; all other
    measures have ``at_least`` and ``at_most``. Shares are in per cent."""

    measure: str
    at_least: float | None = None
    at_most: float | None = None
    within: float | None = None

    def __str__(self) -> str:
        if self.within is not None:
            return f"every seat wins within {self.within:g} points of its share"
        bounds = [f"at least {self.at_least:g}"] if self.at_least is not None else []
        bounds += [f"at most {self.at_most:g}"] if self.at_most is not None else []
        return f"{self.measure} {' and '.join(bounds)}"


@dataclass(frozen=True)
class Verdict:
    """Whether a requirement is met, and the measured value as text."""

    requirement: Requirement
    verdict: str
    found: str


@dataclass(frozen=True)
class Demands:
    """The contents of a requirements file: the game and its options, the bots, the largest number of games, and the requirements."""

    game: str
    players: int | None
    bots: str
    options: list[str]
    games: int
    seed: int
    required: list[Requirement]


def read(path: Path) -> Demands:
    """Read a requirements file. Raises Refused, with the reason, if the file is not valid."""
    try:
        text = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise Refused(f"There is no file {path}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path} cannot be read: {error}.") from error
    if unknown := sorted(set(text) - KNOWN):
        raise Refused(f"{path}: {unknown[0]!r} means nothing here. What may stand there is: {', '.join(sorted(KNOWN))}.")
    required = text.get("require")
    if not isinstance(required, list) or not required:
        raise Refused(f"{path} requires nothing: it needs a [[require]] with a measure and a bound.")
    options = text.get("options", {})
    return Demands(
        game=of_kind(path, text, "game", str),
        players=of_kind(path, text, "players", int, None),
        bots=of_kind(path, text, "bots", str, "house"),
        options=[f"{name}={spelled(value)}" for name, value in of_kind(path, text, "options", dict, options).items()],
        games=of_kind(path, text, "games", int, 100_000),
        seed=of_kind(path, text, "seed", int, 1),
        required=[requirement(path, each) for each in required],
    )


def of_kind(path: Path, text: dict[str, Any], name: str, kind: type, usual: Any = ...) -> Any:
    """The value of a key, or the default ``usual``. Raises Refused if the value has another type, or if a key without a default is missing."""
    value = text.get(name, usual)
    if value is ...:
        raise Refused(f"{path} does not say which {name}.")
    if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
        raise Refused(f"{path}: {name} should be {'a whole number' if kind is int else 'a text' if kind is str else 'a table'}.")
    return value


def spelled(value: object) -> str:
    """The value of an option as on the command line."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def requirement(path: Path, text: Any) -> Requirement:
    """One ``[[require]]`` table as a Requirement."""
    if not isinstance(text, dict) or not isinstance(text.get("measure"), str):
        raise Refused(f"{path}: every [[require]] names a measure.")
    bounds = {name: value for name, value in text.items() if name != "measure"}
    allowed = ("within",) if text["measure"] == WINS else ("at_least", "at_most")
    if (
        not bounds
        or set(bounds) - set(allowed)
        or not all(isinstance(value, int | float) and not isinstance(value, bool) for value in bounds.values())
    ):
        raise Refused(f"{path}: {text['measure']} needs {' or '.join(allowed)} with a number.")
    return Requirement(text["measure"], **{name: float(value) for name, value in bounds.items()})


def judge(required: Requirement, found: list[Finding], path: Path) -> Verdict:
    """Decide whether a requirement is met, broken, or still open."""
    if required.measure == WINS:
        return judge_wins(required, [each for each in found if each.measure.name.startswith("win_")])
    finding = next((each for each in found if each.measure.name == required.measure), None)
    if finding is None:
        known = ", ".join(dict.fromkeys([WINS, *(each.measure.name for each in found), *NAMES]))
        raise Refused(f"{path}: there is no measure {required.measure!r} in this game. Its measures are: {known}.")
    value, scale = finding.value, 100 if finding.measure.is_share else 1
    if value.low is None or value.high is None:
        return Verdict(required, OPEN, "nothing measured")
    low, high = scale * value.low, scale * value.high
    text = f"{finding.measure.name} {scale * (value.mean or 0):.4g} [{low:.4g}, {high:.4g}]"
    return Verdict(required, decided(low, high, required.at_least, required.at_most), text)


def judge_wins(required: Requirement, wins: list[Finding]) -> Verdict:
    """Compare every seat's win share with the fair share."""
    fair = 100 * fair_share(wins)
    verdicts, texts = set(), []
    for seat, each in enumerate(wins):
        if each.value.low is None or each.value.high is None:
            return Verdict(required, OPEN, "nothing measured")
        bound = required.within or 0.0
        verdicts.add(decided(100 * each.value.low, 100 * each.value.high, fair - bound, fair + bound))
        texts.append(f"seat {seat + 1} {100 * (each.value.mean or 0):.1f} ± {100 * each.value.reach:.1f}")
    verdict = BROKEN if BROKEN in verdicts else OPEN if OPEN in verdicts else MET
    return Verdict(required, verdict, f"{', '.join(texts)} (fair: {fair:.1f})")


def decided(low: float, high: float, at_least: float | None, at_most: float | None) -> str:
    """MET if an interval lies within the bounds, BROKEN if outside, OPEN if it crosses one."""
    least, most = float("-inf") if at_least is None else at_least, float("inf") if at_most is None else at_most
    if high < least or low > most:
        return BROKEN
    return MET if least <= low and high <= most else OPEN
