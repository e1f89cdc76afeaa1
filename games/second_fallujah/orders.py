"""Typed orders read in the present position, and guards."""

import re
from collections.abc import Iterable, Sequence

from games.kernel.errors import Ambiguous, GameError, IllegalAction, Unreadable
from games.kernel.notation import find, listed, plain_key
from games.kernel.ruleset import Read
from games.kernel.steps import Action, legal, nearest, notation, question
from games.kernel.table import News, SearchTable, Seat
from games.second_fallujah.advantage import AdvantageWindow
from games.second_fallujah.board import Board, mp_left, place_word
from games.second_fallujah.coalition import Activation, entry_cost, needs_lead
from games.second_fallujah.combat import PlanAttack, may_lead
from games.second_fallujah.insurgent import InsurgentActivation
from games.second_fallujah.macros import VERBS
from games.second_fallujah.priorities import retreat_choice
from games.second_fallujah.reaction import ReactionWindow, ReconWindow
from games.second_fallujah.tables import (
    ADJ,
    ADV_NO,
    ADV_REROLL,
    AREA_NAME,
    AREAS,
    COA,
    COALITION,
    DUG,
    FRESH,
    ID,
    IRAQI,
    LETTER,
    N_COA,
    PLACE_OF,
    PLACES,
    SPENT,
    STACK_LIMIT,
    UNIT,
    UNIT_NAME,
    ZONES,
)
from games.second_fallujah.words import area_words

_IDS = {name.lower(): name for name in ID}
_GENERIC = re.compile(r"^([fcm])([!-]?)@(\w+)$")
_FACE = {"": FRESH, "!": DUG, "-": SPENT}
_AREA_VERBS = ("area", "step", "attack", "fire")
_UNIT_VERBS = ("pick", "join", "unjoin", "lead", "withdraw", "strike", "dig", "undig", "deflead", "keep", "flip")
_ROLLS = {"attack": "att", "att": "att", "defence": "def", "defense": "def", "def": "def", "end": "end", "phase": "end"}


class OrderReader:
    """One atomic text, one position, one seat."""

    def __init__(self, g: Board, seat: Seat, text: str) -> None:
        self.g, self.seat, self.text = g, seat, " ".join(text.lower().split())
        self.options = legal(g, seat)
        self.decision = question(g)
        self.verb, _, self.rest = self.text.partition(" ")
        self.mine = [option for option in self.options if option[0] == self.verb]

    def read(self) -> Read:
        for option in self.options:
            if [str(word).lower() for word in option] == self.text.split():
                return Read(option)
        if self.verb not in VERBS:
            near = nearest(self.text, [notation(option) for option in self.options])
            raise Unreadable(f"{self.text!r} is not an order of Second Fallujah; try {', '.join(near)}.", nearest=near)
        if not self.mine:
            return self._passed_over()
        if self.verb in _UNIT_VERBS:
            return self._unit_order()
        if self.verb == "attack" and self.rest.isdigit() and int(self.rest) in self.g.fought:
            return Read(None, note="that attack is under way already")
        if self.verb in _AREA_VERBS:
            return Read(self._area_order())
        reader = getattr(self, f"_read_{self.verb}", None)
        if reader is None:
            raise self._refused()
        found: Action = reader()
        return Read(found)

    # --- orders by shape ---------------------------------------------------------------------------

    def _unit_order(self) -> Read:
        units = [str(option[1]) for option in self.mine]
        if self.rest in ("all", "all@here") or self.rest.startswith("all@"):
            place = self._place_of(self.rest.partition("@")[2] or "here")
            for name in units:
                if self.rest == "all" or self.g.where[UNIT[name]] == place:
                    return Read((self.verb, name), again=True)
            return Read(None, note="everybody is in already")
        if isinstance(self.decision, Activation | InsurgentActivation | PlanAttack) and self._is_in_already():
            return Read(None, note=f"{self.rest} is in already")
        if self.verb == "deflead" and self.rest == "iraqi":
            units = [name for name in units if UNIT[name] < N_COA and IRAQI[UNIT[name]]]
            return Read(("deflead", units[0])) if units else Read(None, note="no Iraqi unit is tied")
        return Read((self.verb, self._unit(self.rest, units)))

    def _is_in_already(self) -> bool:
        unit = UNIT.get(_IDS.get(self.rest, ""), -1)
        if isinstance(self.decision, PlanAttack):
            return self.verb == "join" and unit in self.decision.force
        return self.verb == "pick" and unit in getattr(self.decision, "picked", ())

    def _area_order(self) -> Action:
        areas = [int(option[1]) for option in self.mine]
        if not self.rest:
            if len(areas) == 1:
                return (self.verb, areas[0])
            raise Ambiguous(
                f"{self.verb} where: {listed([str(area) for area in areas])}?", nearest=list(map(str, areas))
            )
        return (self.verb, self._area(self.rest, areas))

    def _read_zone(self) -> Action:
        word = re.sub(r"\W|zone|entry", "", self.rest).upper()
        return self._must(("zone", word))

    def _read_put(self) -> Action:
        words = self.rest.removeprefix("f ").strip()
        return (self.verb, "F", self._area(words, [int(option[2]) for option in self.mine]))

    _read_unput = _read_put

    def _read_org(self) -> Action:
        place, _, count = self.rest.rpartition(" ")
        if not (place and count.isdigit()):
            place, count = self.rest, ""
        area = self._area(place, sorted({int(option[1]) for option in self.mine}))
        most = max(int(option[2]) for option in self.mine if option[1] == area)
        return self._must(("org", area, int(count) if count else most))

    def _read_r(self) -> Action:
        what, _, rest = self.rest.partition(" ")
        fits = [option for option in self.mine if option[1] == what]
        if not fits:
            raise self._refused()
        name, _, place = rest.partition(" ")
        adjacent = name.endswith("@adj")
        units = list(dict.fromkeys(str(option[2]) for option in fits))
        if adjacent:
            here = self._place_of("here")
            units = [name for name in units if self.g.where[UNIT[name]] != here]
            unit = self._first(units)
        else:
            unit = self._unit(name, units) if name else self._first(units) if len(units) == 1 else self._unit("", units)
        to = [int(option[3]) for option in fits if option[2] == unit and len(option) > 3]
        if what == "dig":
            return ("r", "dig", unit)
        return ("r", what, unit, self._goal(place, to, unit))

    def _goal(self, place: str, to: list[int], unit: str) -> int:
        if place == "there":
            return self._area(str(self._place_of("here")), to)
        if place in ("here", "own"):
            return self._area(str(self.g.where[UNIT[unit]]), to)
        if place == "any" or (not place and len(to) == 1):
            return retreat_choice(self.g, to, SearchTable(0))
        return self._area(place, to)

    def _read_cp(self) -> Action:
        name, _, rest = self.rest.partition(" ")
        outcome, _, place = rest.partition(" ")
        if name == "bot":
            return self._bot_loss()
        fits = [option for option in self.mine if len(option) > 2 and (not outcome or option[2] == outcome)]
        units = list(dict.fromkeys(str(option[1]) for option in fits))
        if name in ("f", "c", "m", "any"):
            units = [unit for unit in units if name == "any" or unit[0].lower() == name]
            unit = self._first(units)
        else:
            unit = self._unit(name, units)
        if outcome != "retreat":
            return self._must(("cp", unit, outcome or "kill"))
        to = [option[3] for option in fits if option[1] == unit]
        if to == ["none"]:
            return ("cp", unit, "retreat", "none")
        return ("cp", unit, "retreat", self._goal(place, [int(area) for area in to], unit))

    def _bot_loss(self) -> Action:
        """`cp bot`: the next point as 15 and 16 would take it."""

        def rank(option: Action) -> tuple[bool, int, int]:
            unit = UNIT[str(option[1])]
            fresh, cadre = self.g.mode[unit], LETTER[unit] == "C"
            place = {
                ("retreat", SPENT): 0 if cadre else 1,
                ("spent", FRESH): 2 if cadre else 3,
                ("kill", SPENT): 7 if cadre else 6,
                ("retreat", FRESH): 9,
                ("kill", DUG): 8,
            }.get((str(option[2]), fresh), 10)
            if LETTER[unit] == "M":
                place = 4
            return unit != getattr(self.decision, "lead", -1), place, unit

        best = min(self.mine, key=rank)
        if best[2] != "retreat" or best[3] == "none":
            return best
        to = [int(option[3]) for option in self.mine if option[:3] == best[:3]]
        return ("cp", best[1], "retreat", retreat_choice(self.g, to, SearchTable(0)))

    def _read_rg(self) -> Action:
        name, _, place = self.rest.partition(" ")
        unit = self._unit(name, list(dict.fromkeys(str(option[1]) for option in self.mine)))
        return ("rg", unit, self._area(place, [int(option[2]) for option in self.mine if option[1] == unit]))

    def _read_adv(self) -> Action:
        words = self.rest.replace("+ 1", "+1").replace("- 1", "-1").split()
        if words[:1] in (["reroll"], ["mulligan"]):
            return self._must(ADV_REROLL)
        if words[:1] in (["no"], ["none"], ["decline"]):
            return ADV_NO
        window = self.decision
        by = next((word for word in words if word in ("+1", "-1")), "")
        roll = next((_ROLLS[word] for word in words if word in _ROLLS), "")
        if by and not roll and isinstance(window, AdvantageWindow):
            mine = "att" if (window.kind == "strike") is (self.seat != COALITION) else "def"
            roll = "end" if window.kind == "phase" else mine
        return self._must(("adv", by, roll))

    # --- things named ------------------------------------------------------------------------------

    def _must(self, action: Action) -> Action:
        if action in self.mine:
            return action
        raise self._refused()

    def _first(self, units: Sequence[str]) -> str:
        if not units:
            raise self._refused()
        return units[0]

    def _unit(self, word: str, units: Sequence[str]) -> str:
        """Exact id, an equal unit, a generic (`F@45`), then a unique part of id or name."""
        g = self.g
        if generic := _GENERIC.match(word):
            letter, face, place = generic[1].upper(), _FACE[generic[2]], self._place_of(generic[3])
            fits = [n for n in units if n[0] == letter and g.where[UNIT[n]] == place and g.mode[UNIT[n]] == face]
            fits = [name for name in fits if UNIT[name] >= N_COA]
            if not fits and self.verb == "cp":
                fits = [n for n in units if UNIT[n] >= N_COA and n[0] == letter and g.where[UNIT[n]] == place]
            if fits:
                return fits[0]
            raise self._refused()
        exact = _IDS.get(word)
        if exact is not None and exact in units:
            return exact
        if exact is not None and UNIT[exact] >= N_COA:
            for name in units:
                if self._equal(UNIT[exact], UNIT[name]):
                    return name
        if exact is not None:
            raise self._why_not_unit(exact)
        try:
            return find(word, units, _unit_names, "unit", key=_unit_key)
        except Ambiguous:
            raise
        except Unreadable as error:
            known = [name for name in ID if _unit_key(word) in map(_unit_key, _unit_names(name))]
            if len(known) == 1:
                raise self._why_not_unit(known[0]) from error
            raise

    def _equal(self, unit: int, other: int) -> bool:
        """3.2: same type, place, face, points and history; such units are interchangeable."""
        g = self.g
        return (
            LETTER[unit] == LETTER[other]
            and g.where[unit] == g.where[other]
            and g.mode[unit] == g.mode[other]
            and mp_left(g, unit) == mp_left(g, other)
            and (unit in g.finished, unit in g.entered) == (other in g.finished, other in g.entered)
        )

    def _area(self, words: str, areas: Sequence[int]) -> int:
        words = words.strip().removeprefix("area ").removeprefix("to ").strip()
        if words == "here":
            words = str(self._place_of("here"))
        if words.isdigit():
            if int(words) in areas:
                return int(words)
            raise self._why_not_area(int(words), areas)
        return find(words, list(areas), lambda area: (AREA_NAME[area],), "area")

    def _place_of(self, word: str) -> int:
        if word == "here":
            return int(getattr(self.decision, "area", 0) or self.g.origin)
        if word.isdigit() and int(word) in AREAS:
            return int(word)
        if word in PLACE_OF and PLACE_OF[word] < PLACES:
            return PLACE_OF[word]
        raise Unreadable(f"There is no place {word}.")

    # --- refusals ----------------------------------------------------------------------------------

    def _passed_over(self) -> Read:
        """An order for something that has just happened by itself is no mistake."""
        g = self.g
        if self.verb in ("pick", "join") and (self.rest.startswith("all") or self._is_in_already()):
            return Read(None, note="everybody is in already")
        picked: tuple[int, ...] = getattr(self.decision, "picked", ())
        if self.verb == "step" and self.rest.isdigit() and picked:
            raise self._why_not_area(int(self.rest), ())
        if self.verb == "drop" and not picked:
            return Read(None)
        if self.verb in ("lead", "roll", "join", "river") and g.fought and not isinstance(self.decision, PlanAttack):
            return Read(None, note="the attack has been rolled already")
        if self.verb == "attack" and self._is_under_way():
            return Read(None, note="that attack is under way already")
        if isinstance(self.decision, PlanAttack) and self._is_planned(self.decision):
            return Read(None, note=f"{self.text} is settled already")
        if self.verb == "stay" and not isinstance(self.decision, ReconWindow):
            return Read(None, note="nobody was asked to withdraw")
        if self.verb == "r" and self.rest == "done" and not isinstance(self.decision, ReactionWindow):
            return Read(None, note="the reaction has ended")
        if self.verb == "cp" and self.rest == "done":
            return Read(None, note="all points are taken")
        if self.verb == "done" and isinstance(self.decision, AdvantageWindow):
            return Read(None, note="the impulse has ended already")
        raise self._refused()

    def _is_under_way(self) -> bool:
        """An attack that was the only thing left to do has begun by itself."""
        areas = {*self.g.fought, self.decision.area if isinstance(self.decision, PlanAttack) else 0}
        return (not self.rest and bool(self.g.fought)) or (self.rest.isdigit() and int(self.rest) in areas)

    def _is_planned(self, plan: PlanAttack) -> bool:
        unit = UNIT.get(_IDS.get(self.rest, ""), -1)
        return (
            (self.verb == "river" and plan.boats)
            or (self.verb == "lead" and unit == plan.leader)
            or (self.verb == "join" and unit in plan.force)
        )

    def _refused(self) -> GameError:
        offered = [notation(option) for option in self.options]
        near = nearest(self.text, offered)
        return IllegalAction(f"{self.text}: not possible now; try {', '.join(near)}.", nearest=near)

    def _why_not_unit(self, name: str) -> GameError:
        g, unit = self.g, UNIT[name]
        at = area_words(place_word(g.where[unit]))
        why = f"{name} is in {at}" if g.where[unit] < PLACES else f"{name} is not on the map"
        if g.where[unit] < PLACES and g.mode[unit] != FRESH:
            why += f", {'Spent' if g.mode[unit] == SPENT else 'Dug In'}"
        near = [notation(option) for option in self.mine]
        return IllegalAction(f"{self.text}: {why}; possible are {listed(near)}.", nearest=near[:9])

    def _why_not_area(self, area: int, areas: Sequence[int]) -> GameError:
        near = [notation(option) for option in self.mine]
        reason = f"area {area} is not possible" if area in AREAS else f"there is no area {area}"
        if self.verb == "step" and area in AREAS:
            reason = self._why_not_step(area)
        near = near or nearest(self.text, [notation(option) for option in self.options])
        return IllegalAction(f"{self.text}: {reason}; possible are {listed(near)}.", nearest=near[:9])

    def _why_not_step(self, area: int) -> str:
        g, picked = self.g, getattr(self.decision, "picked", ())
        at = g.where[picked[0]] if picked else g.origin
        if area not in ADJ[at]:
            return f"area {area} is not adjacent to {place_word(at)}"
        if self.seat != COALITION:
            return f"{area} has no room, costs too much, or is not Free and the units leave a contested area"
        least = min((mp_left(g, unit) for unit in picked), default=0)
        if g.ins[at] and (g.control[area] != COA or g.ins[area]):
            return f"a unit leaving enemies may only go to a Free area, and {area} is not"
        if area in g.fought:
            return f"area {area} has seen its combat and is shut for this impulse"
        if at in ZONES and g.first_area not in (0, area):
            return f"units of a zone enter the same area first, here {g.first_area}"
        if len(g.coa[area]) + len(picked) > STACK_LIMIT:
            return f"area {area} has room for {STACK_LIMIT - len(g.coa[area])} more"
        if entry_cost(g, area) > least:
            return f"entering {area} costs {entry_cost(g, area)} MP and somebody has {least}"
        if needs_lead(g, area) and not any(may_lead(g, unit, area) for unit in picked):
            return f"the first unit into {area} must be able to lead an attack there"
        return f"area {area} cannot be entered"


def _unit_names(name: str) -> Iterable[str]:
    unit = UNIT[name]
    yield name
    if unit < N_COA:
        formation, _, company = name.rpartition("-")
        if formation and company:
            yield f"{company}/{formation}"
        yield UNIT_NAME[unit]


def _unit_key(word: str) -> str:
    return plain_key(word)


# --- guards -------------------------------------------------------------------------------------------

_FUNCTION = re.compile(r"^(alive|fresh|spent|dug|control|empty|contested|unit)\(([^)]+)\)$")
_COMPARED = re.compile(r"^([\w-]+)\s*(<=|>=|!=|<|>|=)\s*(-?\w+)$")
GUARD_WORDS = ("overrun", "won", "lost", "tie", "placed", "empty", "ambush")


def holds(g: Board, condition: str, news: Sequence[News]) -> bool:
    """Whether a guard is true of the position and the last result."""
    text = " ".join(condition.lower().split())
    if text in GUARD_WORDS:
        return _word_holds(g, text, news)
    if called := _FUNCTION.match(text):
        return _function_holds(g, called[1], called[2].strip())
    if compared := _COMPARED.match(text):
        return _fact_holds(g, compared[1], compared[2], compared[3])
    raise Unreadable(
        f"{condition!r} is no condition; use {listed(GUARD_WORDS)}, alive(u), fresh(u), dug(u), control(area), "
        "empty(area), contested(area), or a fact such as impulse>=5."
    )


def _word_holds(g: Board, word: str, news: Sequence[News]) -> bool:
    if word == "overrun":
        return any(piece.key == "overrun" for piece in news) or any(record[0] for record in g.fought.values())
    if word == "placed":
        come = [piece for piece in news if piece.key in ("react-militia", "react-fedayeen")]
        return bool(come) or isinstance(question(g), ReconWindow)
    if word == "ambush":
        return any(record[2] for record in g.entry.values())
    if word == "empty":
        return not any(g.ins[area] for area, _, _ in g.entered.values())
    points = [int(piece.facts["points"]) for piece in news if piece.key == "combat-result"]
    if not points:
        return word == "won" and any(piece.key == "overrun" for piece in news)
    return {"won": points[-1] > 0, "lost": points[-1] < 0, "tie": points[-1] == 0}[word]


def _function_holds(g: Board, name: str, word: str) -> bool:
    if name in ("alive", "fresh", "spent", "dug"):
        known = _IDS.get(word) or find(word, ID, _unit_names, "unit", key=_unit_key)
        unit = UNIT[known]
        on_map = g.where[unit] < PLACES
        return on_map and (name == "alive" or g.mode[unit] == {"fresh": FRESH, "spent": SPENT, "dug": DUG}[name])
    if word.isdigit() and int(word) in AREAS:
        area = int(word)
    else:
        area = find(word, AREAS, lambda place: (AREA_NAME[place],), "area")
    if name == "control":
        return g.control[area] == COA
    if name == "contested":
        return bool(g.coa[area] and g.ins[area])
    return not g.ins[area] if name == "empty" else bool(g.ins[area])


def _fact_holds(g: Board, name: str, relation: str, value: str) -> bool:
    decision = question(g)
    facts = decision.facts(g) if decision else {}
    if name not in facts:
        raise Unreadable(f"There is no fact {name} here; there are {', '.join(facts)}.")
    fact = facts[name]
    if isinstance(fact, str) or not re.fullmatch(r"-?\d+", value):
        return (str(fact) == value) is (relation == "=") if relation in ("=", "!=") else False
    left, right = int(fact), int(value)
    return {
        "<": left < right,
        "<=": left <= right,
        "=": left == right,
        "!=": left != right,
        ">=": left >= right,
        ">": left > right,
    }[relation]
