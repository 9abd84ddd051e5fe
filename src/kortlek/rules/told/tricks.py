"""How trick-taking games are told: refusals and the table in words."""

from collections.abc import Callable

from kortlek.cards import NOTHING, Card, bit, say
from kortlek.rules.game import Names, by_name
from kortlek.rules.tricks import Tricks, follow_suit


def why_not(s: Tricks, card: Card, names: tuple[str, ...]) -> str:
    """Why a card may not be played, for the player whose turn it is."""
    reason = "You must follow suit" if s.hand[s.turn] & bit(card) else f"You do not hold {names[card]}"
    return f"{reason}: play one of {say(follow_suit(s), names)}."


def dealer(s: Tricks, names: Names) -> str:
    """Who deals."""
    return names[s.dealer] if s.dealer >= 0 else "drawn by lot"


def why_not_bid(s: Tricks, number: int, bid: str, trick: str) -> str:
    """Why a number may not be bid, with the game's own words for a bid and a trick."""
    if number <= s.cards:
        return f"The {bid}s may not add up to {s.cards}, the number of {trick}s, so you cannot {bid} {number}."
    return f"There is only 1 {trick} in this round." if s.cards == 1 else f"There are only {s.cards} {trick}s in this round."


def all_bids(s: Tricks, names: Names, bids: list[int]) -> str:
    """The bids so far, and how many of the round's tricks they add up to."""
    spoken = ["" if bid == NOTHING else bid for bid in bids[: s.players]]
    return f"{by_name(names, spoken)}; {sum(bid for bid in bids if bid != NOTHING)} of {s.cards}" if any(bid != "" for bid in spoken) else "none yet"


def on_the_table(s: Tricks, names: Names, cards: tuple[str, ...]) -> str:
    """The cards of the trick, in the order in which they were played."""
    order = [(s.leader + after) % s.players for after in range(s.players)]
    return ", ".join(f"{names[seat]} {cards[s.table[seat]]}" for seat in order if s.table[seat] != NOTHING) or "nothing yet"


def last_trick(cards: tuple[str, ...]) -> Callable[[Tricks, Names], str]:
    """How the trick before this one is told."""

    def told(s: Tricks, names: Names) -> str:
        if s.last[0] == NOTHING:
            return ""
        return f"Last trick: {by_name(names, [cards[card] for card in s.last[: s.players]])}; taken by {names[s.leader]}"

    return told
