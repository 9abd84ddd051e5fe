title = {{title}}
about = Climb the stairs with higher and higher cards, and be rid of yours first.

ask-play = Which card do you play?
event-play = { $who } { VERB($you, "play", "plays") } { $card }
field-top = To beat

refuse-begin = You begin, so you have to play a card.
refuse-low = { $card } is not higher than { $top }.
refuse-not-held = You do not have { $card }.

bot-house = plays the lowest card that is allowed
reason-small-steps = small steps leave the high cards for later
reason-nothing-higher = nothing in the hand is higher
