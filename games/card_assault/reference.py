"""Card Assault for programs: three fronts, every card, and the orders."""

from games.card_assault.tables import FRONTS, IDS, KIND, TYPE_WORDS
from games.kernel.reference import Chart, Piece, Place, forms

FORMS = forms(
    ("discard <card>", "Throw a card of the hand away."),
    ("recon <card> <front>", "Send a recon card to look at the next face-down card of a front."),
    ("disarm <card> <explosive>", "Let a disarming card try an explosive."),
    ("put <card> <front or position>", "Plan a card for the assault or the strike of a front or position."),
    ("aim <card> <position>", "Aim artillery at a position."),
    ("takeback <card>", "Take a planned card back into the hand."),
    ("fire", "Resolve what has been planned."),
    ("lose <card>", "Choose which unit is lost."),
    ("done", "Close this phase."),
    ("end", "End the game, where the option allows it."),
    ("~put <card> <card> .. <front> fire", "Several cards on one target."),
    ("~strike <cards> <front>", "A whole strike phase."),
    ("~artillery <card> <position>", "A whole artillery phase."),
    ("~assault <cards> <front>, <cards> <front>", "A whole assault phase."),
    ("~to <phase>", "done until that phase opens."),
    ("~turn: <phases>", "A whole turn in one line."),
)


def chart() -> Chart:
    return Chart(
        places=tuple(Place(str(front), f"Front {front}", "front") for front in FRONTS),
        pieces=tuple(
            Piece(
                card,
                kind.name,
                kind.deck,
                TYPE_WORDS[kind.type],
                {} if kind.force is None else {"force": kind.force},
            )
            for card, kind in zip(IDS, KIND, strict=True)
        ),
    )
