"""Every action of the game, made once: the inner loops only look them up."""

from games.card_assault.tables import AMERICAN, FRONTS, GUNS, IDS, A, D, G, P, R, S, T, X
from games.kernel.steps import Action

DONE: Action = ("done",)
FIRE: Action = ("fire",)
END: Action = ("end",)

DISCARD: list[Action] = [("discard", IDS[card]) for card in AMERICAN]
TAKEBACK: list[Action] = [("takeback", IDS[card]) for card in AMERICAN]
LOSE: list[Action] = [("lose", IDS[card]) for card in AMERICAN]
# PUT[card][front]; place 0 is never used.
PUT: list[tuple[Action, ...]] = [
    tuple(("put", IDS[card], number) for number in (0, *FRONTS))
    if card in G or card in A or card in S or card in T
    else ()
    for card in AMERICAN
]
RECON: dict[int, tuple[Action, ...]] = {
    card: tuple(("recon", IDS[card], number) for number in (0, *FRONTS)) for card in R
}
DISARM: dict[tuple[int, int], Action] = {(card, bomb): ("disarm", IDS[card], IDS[bomb]) for card in D for bomb in X}
AIM: dict[tuple[int, int], Action] = {
    (card, position): ("aim", IDS[card], IDS[position]) for card in (*A, *GUNS) for position in P
}
PUT_ON: dict[tuple[int, int], Action] = {
    (card, position): ("put", IDS[card], IDS[position]) for card in T for position in P
}
