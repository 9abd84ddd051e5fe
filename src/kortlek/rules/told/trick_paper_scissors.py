"""How TrickPaperScissors is told: refusals, the table in words, its declaration."""

from typing import Any

from kortlek.cards import NOTHING, cards_of, lowest, rank_of, say
from kortlek.rules.counted.trick_paper_scissors import COUNTS
from kortlek.rules.game import Game, Names, Pack, Picture, Sheet, by_name, choice, highest_scores
from kortlek.rules.told import tricks
from kortlek.rules.trick_paper_scissors import CARDS, PLAY, SUITS, VALUES, TrickPaperScissors, apply, deal, gather, legal, start, trumps


def why_not(s: TrickPaperScissors, choice: int) -> str:
    """Why a choice is not allowed, for the player whose turn it is."""
    if s.phase == PLAY:
        return tricks.why_not(s, choice, CARDS)
    return f"The value of {SUITS[s.trump]} is {s.value[s.trump]} and moves at most one step on the ladder -1, 1, 2."


def picture(s: TrickPaperScissors, names: Names) -> list[str]:
    """The deal, the values, everyone's points in each suit, and what lies on the table."""
    lines = [f"Deal {min(s.round + 1, s.deals)} of {s.deals}, dealer: {tricks.dealer(s, names)}", f"Values: {by_name(SUITS, s.value)}"]
    points = zip(s.rock, s.paper, s.scissors, strict=True)
    lines.append("Points in rock, paper and scissors: " + by_name(names, (f"{rock} {paper} {scissors}" for rock, paper, scissors in points)))
    if s.discard:
        lines.append(f"Set aside: {say(s.discard, CARDS)}")
    trump = "" if s.led == NOTHING else f"; {SUITS[s.led]} led, {SUITS[s.trump]} is trump"
    return [*lines, f"Trick: {tricks.on_the_table(s, names, CARDS)}{trump}"]


def drawn(s: TrickPaperScissors, seat: int) -> dict[str, Any]:
    """What is on the cards: the stars of each rank and which suit trumps which. Beside them the ladder of values, everyone's points in each
    suit with what they are worth now, and of the trick the lowest card of the suit led, whose stars it is about."""
    points = [list(each) for each in zip(s.rock, s.paper, s.scissors, strict=True)][: s.players]
    low = lowest(s.trick & cards_of(s.led)) if s.led != NOTHING else NOTHING
    return {
        "suits": list(SUITS),
        "stars": list(s.stars),
        "trumped_by": [trumps(suit) for suit in range(len(SUITS))],
        "ladder": list(VALUES),
        "points": points,
        "worth": [sum(many * value for many, value in zip(each, s.value, strict=True)) for each in points],
        "lowest": {"seat": s.table.index(low), "stars": s.stars[rank_of(low)]} if low != NOTHING else None,
    }


TRICK_PAPER_SCISSORS = Game(
    name="trick_paper_scissors",
    title="TrickPaperScissors",
    version=1,
    about="The lead decides the trump by rock, paper, scissors.",
    layout={
        "kind": "tricks",
        "trick": "table",
        "last": "last",
        "leader": "leader",
        "took": "leader",
        "dealer": "dealer",
        "led": "led",
        "winning": "winning",
        "values": "value",
        "deck": "stars",
    },
    players=range(3, 5),
    pack=Pack(CARDS),
    state=TrickPaperScissors,
    choices=(
        choice("play", "plays", "Which card do you play?", CARDS),
        choice("value", "sets the value of the trump suit to", "What shall the value of the trump suit be?", VALUES),
    ),
    counts=COUNTS,
    start=start,
    gather=gather,
    deal=deal,
    legal=legal,
    apply=apply,
    winners=highest_scores,
    why_not=why_not,
    sheet=Sheet("Deal", lambda s: str(s.round), lambda s, seat: str(s.result[seat])),
    swing=20,
    house_variants={3: "a house variant: twelve cards each"},
    picture=Picture(picture, tricks.last_trick(CARDS), drawn=drawn),
)
