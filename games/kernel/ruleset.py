"""What each rules package offers, as `RULES`: the one object every other room looks a game up by."""

import functools
import operator
import random
import re
import types
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from games.kernel.errors import BadSetup, GameError, Unreadable
from games.kernel.notation import plain_key
from games.kernel.reference import Chart, Form
from games.kernel.steps import Action, Decision, State, Step, legal, nearest, notation, question
from games.kernel.table import News, Seat, SeededTable, Table
from games.kernel.ways import ways

Value = int | str | bool
View = dict[str, Any]


class Option(msgspec.Struct, frozen=True):
    """One choice made when a match is opened."""

    key: str
    words: str
    choices: tuple[Value, ...]
    default: Value
    default_for_bots: bool = True


class Setup(msgspec.Struct, frozen=True):
    """What a match is opened with. Everything that shapes the rules is in `options`."""

    options: dict[str, Value] = {}


class BotInfo(msgspec.Struct, frozen=True):
    """A computer player that may hold a seat of this game."""

    key: str
    words: str
    seats: tuple[Seat, ...] = ()  # empty: any seat
    options: dict[str, Value] = {}  # options this choice of bot switches on
    in_rules: bool = False  # True: the ruleset itself plays the seat (a printed solitaire enemy)


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended."""

    winner: Seat | None  # None: a draw, or a solitaire result without a winner
    result: str  # the printed level of victory
    score: dict[str, int]
    words: str


class Scene(msgspec.Struct, frozen=True):
    """What a picture is drawn from: a view, and what should stand out in it."""

    view: View
    seat: Seat | None
    legal: tuple[Action, ...] = ()  # lit as possible targets
    numbers: dict[Action, int] = {}  # ballot numbers printed on their targets
    recent: tuple[News, ...] = ()  # drawn as arrows and bursts
    theme: str = "light"  # or "dark"
    crop: bool = False  # only the area of action, for phones and mails
    heading: str = ""  # beside the title
    corner: str = ""  # upper right: `match 9, entry 61`


class Bundle(msgspec.Struct, frozen=True):
    """A ready-made answer of several orders, proposed under a letter."""

    orders: tuple[str, ...]
    words: str = ""


class Read(msgspec.Struct, frozen=True):
    """What one order text means now."""

    action: Action | None  # None: passed over, because it repeats what has already happened by itself
    again: bool = False  # True: the text has more to give after this action (`to assault`)
    note: str = ""


class Before(msgspec.Struct, frozen=True):
    """The order of the same message that came before: its text and the `context` it was played in."""

    text: str
    where: str


class Ruleset:
    """The contract; subclasses override what their rulebook needs and keep the rest."""

    key: ClassVar[str]
    title: ClassVar[str]
    tag: ClassVar[str]  # two letters for subjects: SF, PF, CF, CA
    version: ClassVar[int] = 1  # raised when an old ledger would replay differently
    state: ClassVar[type[State]]
    steps: ClassVar[tuple[type[Step], ...]]  # every step class of the package, for loading
    options: ClassVar[tuple[Option, ...]] = ()
    bots: ClassVar[tuple[BotInfo, ...]] = ()
    verbs: ClassVar[tuple[str, ...]] = ()  # every verb and shorthand a person may type

    # --- opening -----------------------------------------------------------------------------------

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        """Seats that people or bots must fill, in order of play."""
        raise NotImplementedError

    def start(self, setup: Setup, table: Table) -> State:
        """The opening state, settled at its first question."""
        raise NotImplementedError

    def setup(self, options: Mapping[str, Any] | None = None) -> Setup:
        """Options checked and completed with their defaults."""
        known = {option.key: option for option in self.options}
        chosen: dict[str, Value] = {option.key: option.default for option in self.options}
        for key, value in (options or {}).items():
            option = known.get(key)
            if option is None:
                raise BadSetup(f"{self.title} has no option {key!r}; it has {', '.join(sorted(known)) or 'none'}.")
            for choice in option.choices:
                if type(choice) is type(value) and choice == value:
                    break
            else:
                offered = ", ".join(map(str, option.choices))
                raise BadSetup(f"Option {key} cannot be {value!r}; choose one of {offered}.")
            chosen[key] = value
        return Setup(chosen)

    # --- looking -----------------------------------------------------------------------------------

    def view(self, g: Any, seat: Seat | None) -> View:
        """All that a seat may know, as JSON; None is a spectator. Nothing else ever leaves for a seat."""
        raise NotImplementedError

    def outcome(self, g: Any) -> Outcome | None:
        """None while the game goes on."""
        raise NotImplementedError

    def prompt(self, g: Any, seat: Seat) -> str:
        """What is asked of this seat, in one sentence."""
        decision = question(g)
        return type(decision).__name__ if decision else "The game is over."

    def describe(self, g: Any, seat: Seat, action: Action) -> str:
        """The action in words, as a person would say it."""
        return self.say(g, action)

    def cite(self, g: Any, action: Action) -> str:
        """The rule number behind an action of the present decision."""
        return ""

    def narrate(self, news: News) -> str:
        """One piece of news as a sentence."""
        facts = ", ".join(f"{key} {value}" for key, value in news.facts.items())
        return f"{news.key}: {facts}" if facts else news.key

    def odds(self, g: Any, seat: Seat, action: Action) -> str:
        """The chance of an action in a few words (`80 %`), where the rules give one; from the view alone."""
        return ""

    def text_board(self, view: View, seat: Seat | None) -> str:
        """The position as plain text of at most 72 columns, from the view alone."""
        raise NotImplementedError

    def picture(self, scene: "Scene") -> str:
        """The position as SVG, from the view alone."""
        raise NotImplementedError

    def picture_alt(self, scene: "Scene") -> str:
        """What the picture says, in words, for those who do not see it."""
        return self.text_board(scene.view, scene.seat)

    def chart(self) -> Chart:
        """Places, which of them touch, and every piece: printed facts for programs, the same for all matches."""
        return Chart()

    def forms(self) -> tuple[Form, ...]:
        """How every verb is written, with what it does."""
        return tuple(Form(verb, verb, "") for verb in self.verbs)

    def seat_name(self, seat: Seat) -> str:
        return seat.replace("_", " ").capitalize()

    def place_of(self, news: News) -> str:
        """The place a piece of news belongs to, as the board prints it; empty when it has none."""
        return next((str(news.facts[key]) for key in _PLACE_FACTS if news.facts.get(key)), "")

    def look(self, view: View, seat: Seat | None, place: str) -> list[str]:
        """One place in words, from the view alone. Raises Unreadable when nothing has that name.

        The default gives the paragraphs of the text board that name it; rulesets say more.
        """
        found = [part for part in _paragraphs(self.text_board(view, seat)) if _names(part, place)]
        if not found:
            raise Unreadable(f"Nothing in the position is called {place}.")
        return found

    def relies(self, view: View, seat: Seat, action: Action) -> Any:
        """The part of a seat's view that an action reads: its places, units and tracks.

        Orders written for an older position are played only if this part is still the same. The default
        is the whole view: where a ruleset does not say what an action reads, any change counts.
        """
        return view

    def alike(self, view: View) -> dict[str, str]:
        """Things that may stand for one another -> a word they share: two Fresh Fedayeen of one area."""
        return {}

    def template(self, g: Any, seat: Seat) -> str:
        """A usual answer with blanks (`____`) to fill in; empty where the list of options says enough."""
        return ""

    piecewise: ClassVar[frozenset[str]] = frozenset()  # questions asked piece by piece whose whole answers are few

    def bundles(self, g: Any, seat: Seat) -> list[Bundle]:
        """Ready-made answers of several orders, from what the seat may know."""
        if type(question(g)).__name__ not in self.piecewise:
            return []
        return [Bundle(tuple(self.say(g, action) for action in way)) for way in ways(self, g, seat)]

    # --- orders ------------------------------------------------------------------------------------

    def say(self, g: Any, action: Action) -> str:
        """The canonical line of an action."""
        return notation(action)

    def expand(self, text: str) -> list[str]:
        """One typed order as the atomic order texts it stands for, without looking at the game.

        `go 1/8-A+TK-A 24>26` is two picks and two steps. Each text is read when its turn comes.
        """
        return [text]

    def read(self, g: Any, seat: Seat, text: str) -> Read:
        """One atomic order text in the present position. Raises Unreadable or Ambiguous.

        The default knows the canonical notation in any case and spacing; rulesets add names and parts.
        """
        options = legal(g, seat)
        action = self.match(text, options)
        if action is not None:
            return Read(action)
        offered = [notation(option) for option in options]
        near = nearest(text, offered)
        verb = text.split(" ", 1)[0].lower() if text.strip() else ""
        if verb not in {known.lower() for known in self.verbs} and verb not in {
            line.split()[0].lower() for line in offered
        }:
            raise Unreadable(f"{text!r} is not an order of {self.title}; try {', '.join(near)}.", nearest=near)
        raise GameError(f"{text}: not possible now; try {', '.join(near)}.", code="illegal-action", nearest=near)

    def read_after(self, g: Any, seat: Seat, text: str, before: Before | None) -> Read:
        """As `read`, knowing the order before it in the same message; None for the first.

        For games where an order belongs to what its neighbour was about: a `done` after a phase that has
        closed by itself must not close the next one.
        """
        return self.read(g, seat, text)

    def context(self, g: Any) -> str:
        """What is open now, in a word that changes when it closes; handed back to `read_after`."""
        return ""

    @staticmethod
    def match(text: str, options: Sequence[Action]) -> Action | None:
        """The option whose canonical line equals `text` in any case and spacing."""
        wanted = text.lower().split()
        for option in options:
            if [str(word).lower() for word in option] == wanted:
                return option
        return None

    def holds(self, g: Any, seat: Seat, condition: str, news: Sequence[News]) -> bool:
        """Whether a guard (`if overrun`, `stop if pinned`) is true of the view and the last result."""
        raise Unreadable(f"{self.title} knows no condition {condition!r}.")

    # --- standing orders ---------------------------------------------------------------------------

    decisions: ClassVar[dict[str, str]] = {}  # the word a player uses -> class name of the Decision
    # The facts a condition may read, by the same word; a decision that is not listed is not checked.
    standing_facts: ClassVar[dict[str, frozenset[str]]] = {}
    standing_defaults: ClassVar[dict[Seat, tuple[str, ...]]] = {}  # offered to a seat when it joins

    def turn_of(self, g: Any) -> int | None:
        """The number of the turn, where a game counts them: standing orders may end with one."""
        turn = getattr(g, "turn", None)
        return turn if isinstance(turn, int) else None

    def standing_sugar(self, text: str) -> list[str] | None:
        """A game's own short form (`adv never`) as general rules (`on advantage do adv no`), or None."""
        return None

    def gone(self, g: Any, seat: Seat, text: str) -> str:
        """A thing named in an order text that has left the game for good, as the seat can see; empty when none has.

        Where things come back (Militia to their pool) they are not gone.
        """
        return ""

    # --- search, positions -------------------------------------------------------------------------

    def imagine(self, g: Any, seat: Seat | None, table: Table) -> State:
        """A state this seat cannot tell from `g`: the unknown dealt afresh. For search and leak tests."""
        return g.clone()  # type: ignore[no-any-return]

    def position(self, g: Any) -> dict[str, Any]:
        """The state in the ruleset's own words; feeding it to `from_position` gives an equal state."""
        return msgspec.json.decode(dump(g))  # type: ignore[no-any-return]

    def from_position(self, position: Mapping[str, Any], setup: Setup) -> State:
        """The state a position file describes, settled or not as its `todo` says."""
        return load(self, msgspec.json.encode(position))

    def check_data(self) -> list[str]:
        """What is wrong with the package's data files, one sentence each; empty when all is well."""
        return []


_PLACE_FACTS = ("area", "place", "at", "front", "zone", "space")


def _paragraphs(text: str) -> list[str]:
    """Lines with those that hang under them."""
    found: list[str] = []
    for line in text.splitlines():
        if found and line[:2].isspace() and found[-1].strip():
            found[-1] += f" {line.strip()}"
        else:
            found.append(line)
    return [part.strip() for part in found if part.strip()]


def _names(text: str, place: str) -> bool:
    words = " ".join(plain_words(text))
    return f" {' '.join(plain_words(place))} " in f" {words} "


def plain_words(text: str) -> list[str]:
    """Words of letters, digits and the signs ids are made of, lower case."""
    return re.findall(r"[a-z0-9][a-z0-9./'#@-]*[a-z0-9']|[a-z0-9]", text.lower())


def dump(g: State) -> bytes:
    """Canonical JSON of a state: sorted keys, no spaces."""
    return msgspec.json.encode(msgspec.to_builtins(g, str_keys=True), order="sorted")


_STEP_TYPES: dict[tuple[type[Step], ...], Any] = {}


def load(rules: Ruleset, raw: bytes) -> State:
    """The state `dump` wrote."""
    try:
        plain = msgspec.json.decode(raw)
        steps = _STEP_TYPES.get(rules.steps)
        if steps is None:
            union = functools.reduce(operator.or_, rules.steps)  # type: ignore[arg-type]
            steps = _STEP_TYPES[rules.steps] = types.GenericAlias(list, (union,))
        todo = msgspec.convert(plain.pop("todo"), steps, str_keys=True)
        return msgspec.convert({**plain, "todo": todo}, rules.state, str_keys=True)
    except (msgspec.DecodeError, msgspec.ValidationError, AttributeError, KeyError, TypeError) as error:
        raise BadSetup(f"That is not a position of {rules.title}: {error}.") from error


def fresh(rules: Ruleset, seed: int = 0, options: Mapping[str, Any] | None = None) -> State:
    """A new game on an ordinary table, for tests and play-outs."""
    return rules.start(rules.setup(options), SeededTable(random.Random(seed)))


__all__ = [
    "Action",
    "Before",
    "BotInfo",
    "Bundle",
    "Decision",
    "Option",
    "Outcome",
    "Read",
    "Ruleset",
    "Scene",
    "Setup",
    "State",
    "Value",
    "View",
    "dump",
    "fresh",
    "load",
    "plain_key",
]
