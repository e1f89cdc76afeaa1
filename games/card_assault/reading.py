"""9.1. Reading orders: cards by id, by part of a name, by initials, several in one order."""

import re
from collections.abc import Callable, Iterable, Sequence

from games.card_assault.artillery import ArtilleryPhase
from games.card_assault.assault import AssaultPhase
from games.card_assault.board import Board
from games.card_assault.recon import DisarmPhase, ReconPhase
from games.card_assault.strike import StrikePhase
from games.card_assault.tables import CARD, CARD_IN_ANY_CASE, FIRST_INSURGENT, IDS, KIND, Kind
from games.card_assault.view import phase_of
from games.card_assault.words import card_name
from games.kernel.errors import Ambiguous, GameError, IllegalAction, Unreadable
from games.kernel.notation import listed, tidy
from games.kernel.ruleset import Before, Read, Ruleset
from games.kernel.steps import Action, Step, legal, nearest, notation
from games.kernel.table import News, SearchTable

ATOMIC = ("discard", "recon", "disarm", "put", "aim", "takeback", "fire", "done", "end", "lose", "to")
SHORT = {"strike", "artillery", "assault"}  # a whole phase in one order
VERBS = (*ATOMIC, *sorted(SHORT), "turn", "turn:")
PHASES: dict[str, Step | None] = {
    "recon": ReconPhase(),
    "disarm": DisarmPhase(),
    "strike": StrikePhase(),
    "artillery": ArtilleryPhase(),
    "assault": AssaultPhase(),
    "end": None,
}
ORDER = ("resource", *PHASES)
SUGAR = {
    "lose lowest": ["on lose do lose lowest"],
    "autopass": ["on phase if acts = 0 do done"],
}


# --- names ---------------------------------------------------------------------------------------------


def _parts(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def fits(kind: Kind, words: Sequence[str]) -> int:
    """How well words name a kind of card: 3 exactly, 2 its initials or a run of them, 1 a part, 0 not at all."""
    if not words:
        return 0
    name, key = _parts(kind.name), _parts(kind.key)
    joined = "".join(words)
    if joined in ("".join(name), "".join(key)):
        return 3
    initials = "".join(word[0] for word in name)
    if len(words) == 1 and len(joined) > 1 and joined in initials:
        return 2
    for run in (name, key):
        for start in range(len(run) - len(words) + 1):
            if all(whole.startswith(part) for whole, part in zip(run[start:], words, strict=False)):
                return 1
    return 1 if len(words) == 1 and len(joined) > 2 and joined in "".join(name) else 0


_KINDS: dict[str, Kind] = {kind.key: kind for kind in KIND}


class Ref:
    """A card as typed: an id, or words with an optional copy number."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.card = CARD_IN_ANY_CASE.get(text.lower())
        body, dot, copy = text.rpartition(".")
        self.copy = int(copy) if dot and copy.isdigit() else 0
        body = body if self.copy else text
        letter = re.match(r"^([a-z])\.(?=.)", body, re.IGNORECASE)
        self.type = letter[1].upper() if letter else ""
        self.words = _parts(body[2:] if letter else body)

    def matches(self, kind: Kind) -> int:
        return 0 if self.type and kind.type != self.type else fits(kind, self.words)

    @property
    def is_known(self) -> bool:
        return self.card is not None or any(self.matches(kind) for kind in _KINDS.values())

    @property
    def is_insurgent(self) -> bool:
        """Whether only insurgent cards have this name."""
        if self.card is not None:
            return self.card >= FIRST_INSURGENT
        best = max(map(self.matches, _KINDS.values()))
        return best > 0 and all(kind.deck == "insurgent" for kind in _KINDS.values() if self.matches(kind) == best)

    def among(self, cards: Iterable[int], what: str) -> int:
        """The card meant among those that can be taken; the first copy when no number was given."""
        pool = sorted(set(cards))
        if self.card is not None and self.card in pool:
            return self.card
        graded = [(self.matches(KIND[card]), card) for card in pool if self.card is None]
        best = max((grade for grade, _ in graded), default=0)
        hits = [card for grade, card in graded if grade == best and grade > 0]
        kinds = list(dict.fromkeys(KIND[card].key for card in hits))
        if len(kinds) > 1:
            names = [card_name(next(card for card in hits if KIND[card].key == key)) for key in kinds]
            raise Ambiguous(f"{self.text} could be {listed(names)}; which card do you mean?", nearest=names[:9])
        if self.copy:
            hits = [card for card in hits if IDS[card].endswith(f".{self.copy}")]
        if hits:
            return hits[0]
        names = [IDS[card] for card in pool]
        if not self.is_known:
            raise Unreadable(f"There is no card {self.text}; {what} {listed(names)}.", nearest=names[:9])
        raise IllegalAction(f"{self.text} cannot be taken here; {what} {listed(names)}.", nearest=names[:9])


def group(words: Sequence[str]) -> list[str]:
    """Loose words as card references and numbers: the longest run of words that is part of one name wins."""
    refs: list[str] = []
    at = 0
    while at < len(words):
        for stop in range(len(words), at, -1):
            run = words[at:stop]
            if len(run) == 1 or (not any(word.isdigit() or "." in word for word in run[:-1]) and _one_name(run)):
                refs.append("_".join(run))
                at = stop
                break
    merged: list[str] = []
    for place, ref in enumerate(refs):
        copy = ref.isdigit() and place + 1 < len(refs) and refs[place + 1].isdigit() and merged
        if copy and not merged[-1].isdigit() and "." not in merged[-1]:
            merged[-1] += f".{ref}"
        else:
            merged.append(ref)
    return merged


def _one_name(run: Sequence[str]) -> bool:
    if run[-1].isdigit():
        return False
    ref = Ref("_".join(run))
    return any(ref.matches(kind) for kind in _KINDS.values())


def words_of(text: str) -> list[str]:
    plain = tidy(text).replace("+", " ").replace(",", " ").replace(":", " ").lower()
    words = [word for word in plain.split() if word not in ("front", "at", "on", "with", "and", "the", "against")]
    return [word[1:] if re.fullmatch(r"[f#][123]", word) else word for word in words]


# --- expanding -----------------------------------------------------------------------------------------


def expand(text: str) -> list[str]:
    """One typed order as atomic ones: `put rct stryker small 1 fire` is three puts and a fire."""
    words = words_of(text)
    if words and words[0] == "turn":
        words = words[1:]
    if not words:
        return []
    verb, rest = words[0], words[1:]
    if verb in SHORT:
        orders = _groups("aim" if verb == "artillery" else "put", rest)
        closing = [] if orders and orders[-1] == "fire" else ["fire"]
        return [f"to {verb}", *orders, *closing] if rest else [f"to {verb}"]
    if verb in ("put", "aim", "recon", "disarm") and rest:
        return _groups(verb, rest)
    if verb in ("discard", "takeback", "lose") and rest:
        return [f"{verb} {ref}" for ref in group(rest)]
    return [" ".join(words)]


def _groups(verb: str, words: list[str]) -> list[str]:
    """Cards up to a target, again and again, and a closing word."""
    closing = [words[-1]] if words and words[-1] in ("fire", "done") else []
    orders: list[str] = []
    waiting: list[str] = []
    for ref in group(words[: len(words) - len(closing)]):
        is_target = ref.isdigit() or (waiting and verb != "recon" and Ref(ref).is_insurgent)
        if is_target and waiting:
            orders.extend(f"{_verb_for(verb, card)} {card} {ref}" for card in waiting)
            waiting = []
        else:
            waiting.append(ref)
    orders.extend(f"{verb} {card}" for card in waiting)
    return [*orders, *closing]


def _verb_for(verb: str, card: str) -> str:
    """In `artillery abrams coordination pillbox` armor aims and tactics are put."""
    ref = Ref(card)
    kinds = [kind for kind in _KINDS.values() if ref.matches(kind)]
    tactics = KIND[ref.card].type == "T" if ref.card is not None else bool(kinds) and all(k.type == "T" for k in kinds)
    return "put" if verb == "aim" and tactics else verb


# --- reading -------------------------------------------------------------------------------------------


def context(g: Board) -> str:
    return f"{g.turn} {phase_of(g)}"


def read(g: Board, seat: str, text: str, before: Before | None) -> Read:
    options = legal(g, seat)
    exact = Ruleset.match(text, options)
    words = words_of(text)
    verb = words[0] if words else ""
    if before is not None:
        passed = _belongs_to_the_past(g, text, words, options, before)
        if passed:
            return Read(None, note=passed)
    if exact is not None:
        return Read(exact)
    if verb == "to":
        return _read_to(g, words[1:], options)
    if verb == "end" and words[1:] in ([], ["game"]) and ("end",) in options:
        return Read(("end",))
    if verb not in ATOMIC:
        near = nearest(text, [notation(option) for option in options])
        raise Unreadable(f"{text!r} is not an order of Card Assault; try {listed(near)}.", nearest=near)
    return Read(_read_cards(g, text, words, options))


def _belongs_to_the_past(g: Board, text: str, words: list[str], options: list[Action], before: Before) -> str:
    """Why an order is passed over: it was about a phase or a target that is gone already; empty if not."""
    verb = words[0] if words else ""
    phase = before.where.split()[-1]
    closed = before.where != context(g)
    last = before.text.split()[0].lower() if before.text.split() else ""
    if verb == "done" and closed and last not in ("done", "to"):
        return f"the {phase} phase had closed by itself"
    if words == ["to", "end"] and before.where.split()[0] != str(g.turn):
        return "the turn had ended"
    if verb in ("recon", "disarm") and last == verb:
        if closed:
            return f"the {verb} phase had closed by itself"
        if words_of(before.text)[-1] == words[-1] and not _is_readable(g, text, words, options):
            return f"nothing is left to {verb} there"
    return ""


def _is_readable(g: Board, text: str, words: list[str], options: list[Action]) -> bool:
    try:
        _read_cards(g, text, words, options)
    except GameError:
        return False
    return True


def opens(g: Board, phase: str) -> bool:
    """Whether a phase of this turn would open if every one before it were passed."""
    step = PHASES[phase]
    if step is None:
        return True
    trial = g.clone()
    trial.todo.clear()
    step.run(trial, SearchTable(0))
    return bool(trial.todo)


def _read_to(g: Board, words: list[str], options: list[Action]) -> Read:
    """`to <phase>`: `done` until that phase is open."""
    wanted = next((phase for phase in PHASES if words and phase.startswith(words[0]) and len(words) == 1), "")
    now = phase_of(g)
    if not wanted:
        raise Unreadable(f"to {' '.join(words)}: there is no such phase; there are {listed(list(PHASES))}.")
    if wanted == now:
        return Read(None, note=f"the {now} phase is open")
    if ORDER.index(wanted) < ORDER.index(now):
        raise IllegalAction(f"to {wanted}: that phase is over this turn; it is the {now} phase.")
    if not opens(g, wanted):
        raise IllegalAction(f"to {wanted}: there will be no {wanted} phase this turn, as nothing can be done in it.")
    if ("done",) not in options:
        near = [notation(option) for option in options]
        raise IllegalAction(f"to {wanted}: the {now} phase cannot be passed now; try {listed(near)}.", nearest=near[:5])
    return Read(("done",), again=True)


def _read_cards(g: Board, text: str, words: list[str], options: list[Action]) -> Action:
    verb, refs = words[0], group(words[1:])
    fitting = [option for option in options if option[0] == verb]
    if not fitting:
        near = nearest(text, [notation(option) for option in options])
        raise IllegalAction(
            f"{text}: not possible in the {phase_of(g) or 'present'} phase; try {listed(near)}.", nearest=near
        )
    if verb == "lose" and refs == ["lowest"]:
        return fitting[0]
    length = len(fitting[0]) - 1
    if len(refs) != length:
        need = ("nothing more", "a card", "a card and a target")[length]
        raise Unreadable(
            f"{text}: {verb} takes {need}, such as {notation(fitting[0])}.", nearest=[notation(fitting[0])]
        )
    if not refs:
        return fitting[0]
    card = Ref(refs[0]).among((CARD[str(option[1])] for option in fitting), f"{verb} takes")
    if length == 1:
        return (verb, IDS[card])
    return _with_target(text, refs[1], [option for option in fitting if option[1] == IDS[card]])


def _with_target(text: str, ref: str, fitting: list[Action]) -> Action:
    if isinstance(fitting[0][2], int):
        for option in fitting:
            if str(option[2]) == ref:
                return option
        near = [notation(option) for option in fitting]
        raise IllegalAction(f"{text}: not on front {ref}; try {listed(near)}.", nearest=near)
    target = Ref(ref).among((CARD[str(option[2])] for option in fitting), "it may be")
    return next(option for option in fitting if option[2] == IDS[target])


# --- guards --------------------------------------------------------------------------------------------


def _last(news: Sequence[News], keys: tuple[str, ...], fact: str) -> object:
    return next((item.facts.get(fact) for item in reversed(news) if item.key in keys), None)


_WORDS: dict[str, Callable[[Sequence[News]], bool]] = {
    "won": lambda news: _last(news, ("assault", "strike", "artillery"), "won") is True,
    "lost": lambda news: _last(news, ("assault", "strike", "artillery"), "won") is False,
    "hit": lambda news: int(str(_last(news, ("recon", "disarm"), "die") or 9)) <= 4,
    "miss": lambda news: int(str(_last(news, ("recon", "disarm"), "die") or 0)) > 4,
    "captured": lambda news: bool(_last(news, ("assault",), "captured")),
}


def holds(g: Board, condition: str, news: Sequence[News]) -> bool:
    """`if won`, `unless hit`, `if empty(2)`, `stop if miss`."""
    word = condition.lower().strip()
    if word in _WORDS:
        return _WORDS[word](news)
    if found := re.fullmatch(r"empty\(\s*([123])\s*\)", word):
        return not g.fronts[int(found[1]) - 1]
    if found := re.fullmatch(r"(vp|turn|hand|deck)\s*(<=|>=|!=|<|>|=)\s*(-?\d+)", word):
        from games.card_assault.board import score
        from games.kernel.orders import COMPARE

        facts = {"vp": score(g), "turn": g.turn, "hand": len(g.hand), "deck": len(g.i_deck)}
        return COMPARE[found[2]](facts[found[1]], int(found[3]))
    known = f"{listed([*_WORDS])}, empty(1), or vp, turn, hand, deck with a number"
    raise Unreadable(f"Card Assault knows no condition {condition!r}; it knows {known}.")
