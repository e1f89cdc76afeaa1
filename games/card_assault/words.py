"""Prompts, descriptions, odds and news as English sentences."""

from games.card_assault.board import (
    Board,
    american_attack,
    defending,
    front,
    front_of,
    planned,
    targets,
    unseen,
)
from games.card_assault.tables import CARD, FORCE, HAND_LIMIT, KIND, X, rank
from games.card_assault.victory import ENDINGS
from games.card_assault.view import phase_of
from games.kernel.steps import Action, question
from games.kernel.table import News

PHASE_ASKS = {
    "recon": "scout a front with a recon card, or go on",
    "disarm": "disarm an explosive, or go on",
    "strike": "send support against what lies face up, or go on",
    "artillery": "aim armor at positions, or go on",
    "assault": "place cards below a front and fire, or go on",
}
RULE = {"discard": "2", "recon": "4", "disarm": "5", "aim": "7", "lose": "Standard combat", "end": "Victory"}
RULE_OF_PHASE = {"resource": "2", "recon": "4", "disarm": "5", "strike": "6", "artillery": "7", "assault": "8"}


def card_name(card: int) -> str:
    kind = KIND[card]
    return kind.name if kind.force is None else f"{kind.name} {kind.force}"


def names(card_ids: str) -> str:
    """`A.humvee.1 G.infantry.2` -> `Humvee 1 and Infantry 4`."""
    words = [card_name(CARD[card_id]) for card_id in card_ids.split()]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nothing"


def prompt(g: Board) -> str:
    phase = phase_of(g)
    decision = question(g)
    if decision is None:
        return "The game is over."
    if type(decision).__name__ == "ChooseLoss":
        facts = decision.facts(g)
        return f"Turn {g.turn}: the explosion of {facts['e']} at front {facts['front']} takes one unit; which is lost?"
    if phase == "resource":
        over = len(g.hand) - HAND_LIMIT
        if over > 0:
            return f"Turn {g.turn}, resource phase: discard {over} card{'s' if over > 1 else ''}, down to six."
        return f"Turn {g.turn}, resource phase: the insurgent deck is empty; go on, or end the game."
    ask = PHASE_ASKS[phase]
    if g.plan:
        ask = "put more cards, take one back, or fire"
    return f"Turn {g.turn}, {phase} phase: {ask}."


def describe(g: Board, action: Action) -> str:
    verb = action[0]
    name = card_name(CARD[str(action[1])]) if len(action) > 1 else ""
    if verb == "done":
        return "Go on with the turn" if phase_of(g) == "resource" else f"End the {phase_of(g)} phase"
    if verb == "end":
        return "End the game now; cards left on the fronts score nothing"
    if verb == "fire":
        return "Fire: resolve " + ", ".join(
            f"front {target}" if target <= 3 else f"{card_name(target)} on front {front_of(g, target)}"
            for target in targets(g)
        )
    if verb in ("put", "aim"):
        where = f"front {action[2]}" if isinstance(action[2], int) else card_name(CARD[action[2]])
        return f"{'Put' if verb == 'put' else 'Aim'} {name} {'on' if verb == 'put' else 'at'} {where}"
    if verb == "recon":
        return f"Scout front {action[2]} with {name}"
    if verb == "disarm":
        bomb = CARD[str(action[2])]
        return f"Disarm {card_name(bomb)} on front {front_of(g, bomb)} with {name}"
    return f"{ {'discard': 'Discard', 'takeback': 'Take back', 'lose': 'Lose'}[str(verb)] } {name}"


def cite(g: Board, action: Action) -> str:
    return RULE.get(str(action[0])) or RULE_OF_PHASE.get(phase_of(g), "")


def odds(g: Board, action: Action) -> str:
    """Chances where they are exact: dice of 1 to 4, and comparisons that the unseen cards cannot turn."""
    verb, phase = action[0], phase_of(g)
    if verb in ("recon", "disarm"):
        return "67 %"
    if g.dice_combat:
        return ""
    if verb == "fire":
        return "; ".join(_odds_at(g, phase, target, planned(g, target)) for target in targets(g))
    if verb not in ("put", "aim"):
        return ""
    target = action[2] if isinstance(action[2], int) else CARD[action[2]]
    return _odds_at(g, phase, target, [*planned(g, target), CARD[str(action[1])]])


def _odds_at(g: Board, phase: str, target: int, ours_cards: list[int]) -> str:
    """How an attack with these cards stands against what is seen and what may be hidden."""
    ours = american_attack(ours_cards)
    number = front_of(g, target)
    if phase == "artillery":
        return f"{ours} v {FORCE[target]}" + (", explosives first" if _may_explode(g, number) else "")
    cards = front(g, number)
    shown = defending(cards)
    if phase == "strike":
        return f"{ours} v {shown}: {'wins' if beats(g, ours, shown) else 'no'}"
    hidden = sum(1 for card in cards if card < 0)
    if not hidden:
        end = "wins" if beats(g, ours, shown) else "no"
        return f"{ours} v {shown}: {end}" + (
            " unless explosives bite" if end == "wins" and _may_explode(g, number) else ""
        )
    most = worst_defence(g, number)
    if beats(g, ours, most) and not _may_explode(g, number):
        return f"{ours} v at most {most}: wins"
    return f"{ours} v {shown} to {most}, {hidden} hidden"


def beats(g: Board, attack: int, defence: int) -> bool:
    return attack > defence or (attack == defence and g.ties == "american")


def worst_defence(g: Board, number: int) -> int:
    """The most that the hidden cards of a front can make of its defence."""
    shown = [card for card in front(g, number) if card >= 0]
    hidden = len(front(g, number)) - len(shown)
    pool = unseen(g)
    men = sorted((card for card in pool if KIND[card].type == "I"), key=lambda card: -FORCE[card])
    tactics = [card for card in pool if KIND[card].type == "N"]
    places = sorted((card for card in pool if KIND[card].type == "P"), key=lambda card: -FORCE[card])
    return max(
        defending([*shown, *men[:a], *tactics[:b], *places[: hidden - a - b]])
        for a in range(hidden + 1)
        for b in range(hidden + 1 - a)
    )


def _may_explode(g: Board, number: int) -> bool:
    cards = front(g, number)
    hidden = any(card < 0 for card in cards)
    return any(card >= X.start for card in cards) or (hidden and any(card >= X.start for card in unseen(g)))


# --- news ----------------------------------------------------------------------------------------------


def _dice(facts: dict[str, int | str]) -> str:
    if not facts["dice"]:
        return ""
    ours, theirs = str(facts["dice"]).split()
    return f" (dice: Americans {ours}, insurgents {theirs})"


def narrate(news: News) -> str:
    facts = news.facts
    return _SENTENCES[news.key](facts)


def _reinforced(f: dict[str, int | str]) -> str:
    if not f["cards"]:
        return "No American card is left to draw."
    return f"You draw {names(str(f['cards']))}; {f['left']} left in your deck."


def _explosives(f: dict[str, int | str]) -> str:
    pairs = zip(str(f["bombs"]).split(), str(f["dice"]).split(), strict=True)
    rolls = ", ".join(f"{card_name(CARD[bomb])} rolls {die}" for bomb, die in pairs)
    if not f["exploded"]:
        return f"Explosives at front {f['front']}: {rolls}; nothing explodes."
    return f"Explosives at front {f['front']}: {rolls}; an explosion of {f['force']}."


def _recon(f: dict[str, int | str]) -> str:
    start = f"{names(str(f['card']))} over front {f['front']}, die {f['die']}: "
    return start + (f"{names(str(f['cards']))} turned up." if f["cards"] else "nothing is seen.")


def _disarm(f: dict[str, int | str]) -> str:
    result = "disarmed" if int(f["die"]) <= 4 else "it stays"
    return f"{names(str(f['card']))} at {names(str(f['bomb']))} on front {f['front']}, die {f['die']}: {result}."


def _values(f: dict[str, int | str]) -> str:
    return f"{f['attack']} against {f['defence']}{_dice(f)}"


def _strike(f: dict[str, int | str]) -> str:
    result = f"{names(str(f['gone']))} removed" if f["won"] else "no effect"
    return f"Strike on front {f['front']} with {names(str(f['cards']))}, {_values(f)}: {result}."


def _artillery(f: dict[str, int | str]) -> str:
    result = "it falls" if f["won"] else "it stands"
    return f"{names(str(f['cards']))} fire at {names(str(f['target']))} on front {f['front']}, {_values(f)}: {result}."


def _answer(f: dict[str, int | str]) -> str:
    result = "the guns are lost" if f["won"] else "the guns get away"
    return f"Insurgents at front {f['front']} answer, {_values(f)}: {result}."


def _assault(f: dict[str, int | str]) -> str:
    start = f"Assault on front {f['front']} with {names(str(f['cards']))}, {_values(f)}: "
    if not f["won"]:
        return start + "not won."
    return start + (f"won; {names(str(f['captured']))} captured." if f["captured"] else "won.")


def _fire(f: dict[str, int | str]) -> str:
    result = f"{names(str(f['lost']))} lost" if f["lost"] else "no loss"
    return f"Insurgent fire at front {f['front']}, {_values(f)}: {result}."


def _over(f: dict[str, int | str]) -> str:
    return f"{ENDINGS[str(f['how'])]} {f['score']} victory points: {rank(int(f['score']))}."


_SENTENCES = {
    "turn": lambda f: f"Turn {f['turn']} begins.",
    "reshuffled": lambda f: f"The {f['cards']} cards of the American discard are shuffled into a new deck.",
    "reinforced": _reinforced,
    "discarded": lambda f: f"{names(str(f['card']))} is discarded.",
    "laid-down": lambda f: f"A card is laid face down at front {f['front']}.",
    "laid-up": lambda f: f"{names(str(f['card']))} comes to front {f['front']}.",
    "overflow": lambda f: f"Front {f['front']} is full: {names(str(f['card']))} is discarded.",
    "recon": _recon,
    "disarm": _disarm,
    "turned-up": lambda f: f"Front {f['front']} is turned up: {names(str(f['cards']))}.",
    "explosives": _explosives,
    "blown-up": lambda f: f"{names(str(f['card']))} is lost to the explosion at front {f['front']}.",
    "strike": _strike,
    "artillery": _artillery,
    "answer": _answer,
    "assault": _assault,
    "fire": _fire,
    "over": _over,
}
