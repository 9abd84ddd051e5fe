"""How Plump is told: refusals, the table in words, its declaration."""

from kortlek.cards import FRENCH, say
from kortlek.rules.counted.plump import COUNTS
from kortlek.rules.game import Game, Names, Pack, Picture, Sheet, by_name, choice, highest_scores
from kortlek.rules.plump import BID, MOST_TICKS, PLAY, Plump, apply, deal, gather, legal, rounds, start
from kortlek.rules.told import tricks


def why_not(s: Plump, choice: int) -> str:
    """Why a choice is not allowed, for the player whose turn it is."""
    return tricks.why_not(s, choice, FRENCH) if s.phase == PLAY else tricks.why_not_bid(s, choice, "bid", "tick")


def picture(s: Plump, names: Names) -> list[str]:
    """The round, the bids, the ticks taken, and what lies on the table or is held to the foreheads."""
    lines = [
        f"Round {min(s.round + 1, rounds(s))} of {rounds(s)}, ticks: {s.cards}, dealer: {tricks.dealer(s, names)}",
        f"Bids: {tricks.all_bids(s, names, s.bid)}",
    ]
    if s.cards == 1:
        return [*lines, f"Foreheads: {by_name(names, map(say, s.forehead))}"]
    return lines if s.phase == BID else [*lines, f"Taken: {by_name(names, s.taken)}", f"Trick: {tricks.on_the_table(s, names, FRENCH)}"]


PLUMP = Game(
    name="plump",
    title="Plump",
    version=1,
    about="Promise how many ticks you will take, then take exactly that many.",
    layout={
        "kind": "tricks",
        "wish": "bid",
        "taken": "taken",
        "trick": "table",
        "last": "last",
        "leader": "leader",
        "took": "leader",
        "dealer": "dealer",
        "led": "led",
        "winning": "winning",
        "open": "forehead",
    },
    players=range(2, 11),
    pack=Pack(FRENCH),
    state=Plump,
    choices=(
        choice("bid", "bids", "How many ticks will you take?", range(MOST_TICKS + 1)),
        choice("play", "plays", "Which card do you play?", FRENCH),
    ),
    counts=COUNTS,
    start=start,
    gather=gather,
    deal=deal,
    legal=legal,
    apply=apply,
    winners=highest_scores,
    why_not=why_not,
    sheet=Sheet("Ticks", lambda s: str(s.cards), lambda s, seat: str(s.points[seat]) if s.points[seat] else "🌑"),
    swing=20,
    picture=Picture(picture, tricks.last_trick(FRENCH)),
    kept=lambda s, seat: s.taken[seat] == s.bid[seat],
)
