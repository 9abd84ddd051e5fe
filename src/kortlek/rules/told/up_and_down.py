"""How Up and Down is told: refusals, the table in words, its declaration."""

from kortlek.cards import FRENCH, say
from kortlek.rules.counted.up_and_down import COUNTS
from kortlek.rules.game import Game, Names, Pack, Picture, Sheet, by_name, choice, highest_scores
from kortlek.rules.told import tricks
from kortlek.rules.up_and_down import BET, PLAY, UpAndDown, apply, deal, gather, largest, legal, start


def why_not(s: UpAndDown, choice: int) -> str:
    """Why a choice is not allowed, for the player whose turn it is."""
    return tricks.why_not(s, choice, FRENCH) if s.phase == PLAY else tricks.why_not_bid(s, choice, "bet", "hand")


def picture(s: UpAndDown, names: Names) -> list[str]:
    """The round, the mesa, the bets, the hands won, and what lies on the table."""
    lines = [f"Round {min(s.round + 1, 2 * s.N - 1)} of {2 * s.N - 1}, hands: {s.cards}, first to bet: {names[s.first]}", f"Mesa: {say(s.mesa)}"]
    lines.append(f"Bets: {tricks.all_bids(s, names, s.bet)}")
    return lines if s.phase == BET else [*lines, f"Won: {by_name(names, s.taken)}", f"On the table: {tricks.on_the_table(s, names, FRENCH)}"]


UP_AND_DOWN = Game(
    name="up_and_down",
    title="Up and Down",
    version=1,
    about="Bet how many hands you will win; a mesa card makes the trumps.",
    layout={
        "kind": "tricks",
        "wish": "bet",
        "taken": "taken",
        "trick": "table",
        "last": "last",
        "leader": "leader",
        "took": "leader",
        "led": "led",
        "winning": "winning",
        "mesa": "mesa",
        "trump": "trump",
    },
    players=range(2, 11),
    pack=Pack(FRENCH),
    state=UpAndDown,
    choices=(
        choice("bet", "bets", "How many hands will you win?", range(largest(2) + 1)),
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
    sheet=Sheet("Hands", lambda s: str(s.cards), lambda s, seat: f"{s.points[seat]} ({s.taken[seat]} of {s.bet[seat]})"),
    swing=20,
    picture=Picture(picture, tricks.last_trick(FRENCH)),
    kept=lambda s, seat: s.taken[seat] == s.bet[seat],
)
