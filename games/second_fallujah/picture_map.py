"""The map of a picture: areas, stacks, last moves and legal targets, drawn from a view alone."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.drawing import Counter, Diamond, Drawing, Layer, Theme, counters, marks, svg
from games.drawing import map as maps
from games.kernel.ruleset import Scene, View
from games.kernel.steps import Action
from games.kernel.table import News
from games.second_fallujah.tables import (
    ADJ,
    AREA_NAME,
    AREAS,
    BOARD,
    CF,
    COALITION,
    COUNTERS,
    INSURGENT,
    KIND,
    MF,
    MOSQUE,
    NATION,
    NO_CF,
    PAREN,
    SCORES,
    TEM,
    UNIT,
)

COUNTER = 42.0  # of a counter, in board units
TIGHT = 0.82  # how far stacks shrink where they would not fit
PHONE_COUNTER = 58.0  # in a crop, so that it is 44 px on a phone

POLYGON = {area["id"]: tuple(map(tuple, area["polygon"][:-1])) for area in BOARD["areas"]}
ZONE_SHAPE = {zone["id"]: zone for zone in BOARD["zones"]}
_DECOR = {part["name"]: part["points"] for part in BOARD["decor"]}
EXTENT: maps.Box = (50, 40, 946, 1236)
_BANKS = len(_DECOR["Euphrates"]) // 2  # the east bank going down, then the west bank coming up
_RIVER = (
    (150, EXTENT[1]),
    *_DECOR["Euphrates"][:_BANKS],
    (160, EXTENT[3]),
    (104, EXTENT[3]),
    *_DECOR["Euphrates"][_BANKS:],
    (95, EXTENT[1]),
)
_SYMBOL = {"mech_infantry": "mech", "special_forces": "sf", "armored_amphibious": "amtrac"}
_NATION = {"marine": "usmc", "army": "army", "iraqi": "iraqi"}
_SIZE = {unit["id"]: unit["size"] for unit in COUNTERS["coalition"]}
_SUPPORT = {unit["id"]: unit["support_effect"]["modifier"] for unit in COUNTERS["coalition"] if unit["support_effect"]}
_FOE = {"F": "fedayeen", "C": "cadre", "M": "militia"}
_FIRST = {"F": ("F1", "F1"), "C": ("C1", "C1"), "M": ("M1", "M1")}


class Piece(NamedTuple):
    """One counter of a view: its id and face."""

    name: str
    face: str


def pieces(view: View, place: str) -> list[Piece]:
    return [Piece(name, face or "fresh") for name, _, face in (w.partition(" ") for w in view["units"].get(place, []))]


def is_foe(name: str) -> bool:
    return UNIT[name] >= len(PAREN)


def counter(piece: Piece, ring: str = "") -> Counter:
    unit, spent = UNIT[piece.name], piece.face == "spent"
    factor = CF[0 if spent else 1][unit]
    if factor == NO_CF:
        left = f"+{_SUPPORT[piece.name]}" if KIND[unit] != "armored_amphibious" else "−1"
    else:
        left = f"({factor})" if PAREN[unit] else str(factor)
    return Counter(
        piece.name,
        _SYMBOL.get(KIND[unit], KIND[unit]),
        _NATION[NATION[unit]],
        left,
        right="" if spent else str(MF[unit]),
        echelon=_SIZE[piece.name],
        spent=spent,
        ring=ring,
    )


def diamonds(foes: Iterable[Piece], chosen: frozenset[str] = frozenset()) -> list[Diamond]:
    """One diamond for each kind and face, best first."""
    counts: dict[tuple[str, str], int] = {}
    lit: set[tuple[str, str]] = set()
    for piece in foes:
        key = (piece.name[0], piece.face)
        counts[key] = counts.get(key, 0) + 1
        if piece.name in chosen:
            lit.add(key)
    order = sorted(counts, key=lambda key: ("FCM".index(key[0]), ("dug", "fresh", "spent").index(key[1])))
    return [
        Diamond(
            _FOE[kind],
            str(CF[0 if face == "spent" else 1][UNIT[_FIRST[kind][0]]]).replace("-", "−"),
            counts[(kind, face)],
            face == "spent",
            face == "dug",
            "choose" if (kind, face) in lit else "",
        )
        for kind, face in order
    ]


@lru_cache(maxsize=512)
def badge_place(ring: maps.Ring, margin: float) -> tuple[float, float]:
    return maps.top_left(ring, margin)


# --- what stands out -------------------------------------------------------------------------------------

_TARGET_VERBS = {"area": 1, "step": 1, "attack": 1, "fire": 1, "org": 1, "put": 2, "unput": 2, "rg": 2}


def target_of(action: Action, view: View) -> int:
    """The area an action is about; 0 when it is about none."""
    verb = str(action[0])
    if verb in _TARGET_VERBS:
        return int(action[_TARGET_VERBS[verb]])
    if verb in ("r", "cp") and len(action) > 3 and isinstance(action[3], int):
        return action[3]
    return unit_place(str(action[1]), view) if len(action) > 1 and str(action[1]) in UNIT else 0


def unit_place(name: str, view: View) -> int:
    for place, words in view["units"].items():
        if place.isdigit() and any(word.split(" ", 1)[0] == name for word in words):
            return int(place)
    return 0


def lit_areas(scene: Scene) -> list[int]:
    """Areas a legal action aims at, not those where a unit merely may be picked."""
    found = []
    for action in scene.legal:
        if str(action[0]) in _TARGET_VERBS or (str(action[0]) in ("r", "cp") and len(action) > 3):
            area = target_of(action, scene.view)
            if area and area not in found:
                found.append(area)
    return found


def lit_units(scene: Scene) -> frozenset[str]:
    verbs = ("pick", "join", "lead", "withdraw", "strike", "dig", "undig", "deflead", "keep", "flip")
    return frozenset(str(action[1]) for action in scene.legal if str(action[0]) in verbs)


def news_areas(recent: Sequence[News]) -> list[int]:
    found: list[int] = []
    for news in recent:
        for key in ("area", "origin", "goal"):
            word = str(news.facts.get(key, ""))
            if word.isdigit() and int(word) in AREAS and int(word) not in found:
                found.append(int(word))
    return found


# --- the map ---------------------------------------------------------------------------------------------


class Map:
    """The map part of a picture in one frame."""

    def __init__(self, d: Drawing, scene: Scene, frame: maps.Frame, size: float) -> None:
        self.d, self.scene, self.view, self.frame, self.size = d, scene, scene.view, frame, size
        self.t: Theme = d.theme
        self.grain = size / 40
        self.held = set(self.view["control"][COALITION])
        self.rings = {area: frame.all(points) for area, points in POLYGON.items()}
        self.shown = [area for area in AREAS if frame.shows(maps.bounds(POLYGON[area]))]
        self.chosen = lit_units(scene)

    def draw(self) -> None:
        self._ground()
        for area in self.shown:
            self._area(area)
        self._front()
        self._zones()
        self._targets()
        self._moves()
        self._ballots()

    def _ground(self) -> None:
        d, t = self.d, self.t
        left, top, right, bottom = self.frame.clip
        d.add(svg.rect(left, top, right - left, bottom - top, 10, t.desert), layer=Layer.DESERT)
        d.add(svg.polygon(self.frame.all(_RIVER), t.water, t.water_edge, 1.5), layer=Layer.WATER)
        road = self.frame.all(_DECOR["Route 10 (Fran)"])
        d.add(maps.road(road, t, 8 * self.grain), layer=Layer.ROADS)
        bridge = self.frame.all(_DECOR["new bridge"])
        d.add(maps.route(bridge[0], bridge[1], t, "bridge", 8 * self.grain), layer=Layer.ROADS)
        d.add(maps.rail(self.frame.all(_DECOR["railway"]), t), layer=Layer.WATER)

    def _area(self, area: int) -> None:
        ours = [piece for piece in pieces(self.view, str(area)) if not is_foe(piece.name)]
        foes = [piece for piece in pieces(self.view, str(area)) if is_foe(piece.name)]
        control = COALITION if area in self.held else INSURGENT
        ring, g = self.rings[area], self.grain
        maps.area(self.d, ring, str(area), TEM[area], control, bool(ours and foes), g, 4.4 * g)
        kind = "mosque" if MOSQUE[area] else "objective" if SCORES[area] else "plain"
        bx, by = badge_place(ring, 15 * g)
        self.d.add(marks.area_badge(kind, str(area), bx, by, 24 * g), layer=Layer.BADGES)
        self.d.add(marks.tem_bars(TEM[area], bx + 17 * g, by + 8 * g, self.t, g), layer=Layer.BADGES)
        below = by + 15 * g
        room = maps.room_at(ring, maps.pole(ring)[0], below + 6 * g)
        ground = self.t.ground(control, TEM[area])[0]
        size = max(9.6, 9.6 * g)
        wide = max(44.0, room - 10 * g)
        name = maps.place_name(self.t, AREA_NAME[area], maps.pole(ring)[0], below + size, wide, size, ground)
        self.d.add(name, layer=Layer.BADGES)
        if ours or foes:
            self._stacks(ring, ours, foes, below + name.count("<text") * size * 1.08 + 3 * g)

    def _stacks(self, ring: maps.Ring, ours: list[Piece], foes: list[Piece], below: float) -> None:
        size = self.size
        chips = [counter(piece, "choose" if piece.name in self.chosen else "") for piece in ours]
        pile = diamonds(foes, self.chosen)
        wide = maps.bounds(ring)[2] - maps.bounds(ring)[0]
        small = size * 44 / 48
        w, h = size, size * 1.2
        if ours and foes:
            beside = wide >= 2.6 * size
            w, h = (2.2 * size, size * 1.2) if beside else (size, size * 2.2)
        elif foes:
            self._pile(ring, pile, small, below)
            return
        x, y, fits = maps.place_for(ring, w, h, below)
        if not fits:
            size *= TIGHT
            x, y, _ = maps.place_for(ring, w * TIGHT, h * TIGHT, below)
        self.d.add(counters.draw_both(chips, pile, x, y, wide, size), layer=Layer.COUNTERS)

    def _pile(self, ring: maps.Ring, pile: list[Diamond], size: float, below: float) -> None:
        """Diamonds in two columns where they fit, else folded into the lead with the total."""
        columns = 2 if len(pile) > 1 else 1
        rows = (min(len(pile), 4) + columns - 1) // columns
        x, y, fits = maps.place_for(ring, size * columns * 0.9, size * rows * 0.9, below)
        if not fits and len(pile) > 1:
            pile, columns = [counters.fold(pile)], 1
            x, y, _ = maps.place_for(ring, size * 0.9, size * 0.9, below)
        self.d.add(counters.draw_pile(pile, x, y, size, columns), layer=Layer.COUNTERS)

    def _front(self) -> None:
        pairs = [(str(a), str(b)) for a in self.shown for b in ADJ[a] if a in self.held and b not in self.held]
        rings = {str(area): ring for area, ring in self.rings.items()}
        stretches = [stretch for found in maps.borders(rings, pairs).values() for stretch in found]
        maps.front_line(self.d, stretches, self.grain)

    def _zones(self) -> None:
        for name, zone in ZONE_SHAPE.items():
            ring = self.frame.all(zone["polygon"][:-1])
            self.d.add(svg.polygon(ring, "none", self.t.quiet, 1.2, "6 5"), layer=Layer.STREETS)
            x, y = self.frame.at(zone["label"])
            self.d.add(
                svg.text(x, y, f"{name} Entry Zone", self.t.quiet, 14 * self.grain, 600, "middle"), layer=Layer.BADGES
            )

    def _targets(self) -> None:
        areas = [area for area in lit_areas(self.scene) if area in self.shown]
        for area in areas:
            ring = list(self.rings[area])
            self.d.add(marks.lit(ring, self.t, len(areas) <= 12, 4 * self.grain), layer=Layer.TARGETS)

    def _middle(self, word: object) -> tuple[float, float] | None:
        text = str(word)
        if text.isdigit() and int(text) in AREAS:
            x, y, _ = maps.pole(self.rings[int(text)])
            return x, y
        return self.frame.at(ZONE_SHAPE[text]["label"]) if text in ZONE_SHAPE else None

    def _moves(self) -> None:
        moves = [news for news in self.scene.recent if news.key in ("enter", "move", "loss-retreat", "react-retreat")]
        for age, news in enumerate(reversed(moves[-4:])):
            origin, goal = ("origin", "area") if news.key in ("enter", "move") else ("area", "goal")
            start, end = self._middle(news.facts[origin]), self._middle(news.facts[goal])
            if start and end:
                tip = maps.toward_border(start, end, self.rings[int(news.facts[goal])], 12 * self.grain)
                arrow = marks.arrow(start, tip, self.t, 6 * self.grain, age=min(age, 1), trim_start=12 * self.grain)
                self.d.add(arrow, layer=Layer.ARROWS)
        for news in self.scene.recent:
            at = self._middle(news.facts.get("area", ""))
            if at and news.key in ("fire-mission", "security-lapse", "strike-roll"):
                self.d.add(marks.burst(at[0], at[1], self.t, 14 * self.grain), layer=Layer.ARROWS)

    def _ballots(self) -> None:
        seen: dict[int, int] = {}
        for action, number in sorted(self.scene.numbers.items(), key=lambda item: item[1]):
            area = target_of(action, self.view)
            if area not in self.shown or seen.get(area, 0) >= 3:
                continue
            at = seen[area] = seen.get(area, 0) + 1
            _, top, right, _ = maps.bounds(self.rings[area])
            x, y = right - 16 * self.grain, top + (6 + 22 * at) * self.grain
            self.d.add(marks.ballot(number, x, y, 19 * self.grain), layer=Layer.BALLOTS)
