"""The board as a picture, drawn from a view alone: map, stacks, tracks, last moves, legal targets, battle."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from games.drawing import Counter, Diamond, Drawing, Layer, Theme, counters, marks, panels, svg, theme
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
    LAST_TURN,
    MF,
    MOSQUE,
    NATION,
    NO_CF,
    PAREN,
    SCORES,
    TEM,
    UNIT,
)
from games.second_fallujah.words import DAYS, narrate, side_words

WIDTH, HEIGHT = 1200, 1204
MAP: maps.Box = (20, 58, 888, 1184)
SIDE = 904  # left edge of the column of panels
COLUMN = 276
CROP_WIDTH, CROP_HEIGHT = 480, 480
COUNTER = 42.0  # of a counter, in board units
TIGHT = 0.82  # how far stacks shrink where they would not fit
PHONE_COUNTER = 58.0  # in a crop, so that it is 44 px on a phone

_POLYGON = {area["id"]: tuple(map(tuple, area["polygon"][:-1])) for area in BOARD["areas"]}
_ZONE = {zone["id"]: zone for zone in BOARD["zones"]}
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
        self.rings = {area: frame.all(points) for area, points in _POLYGON.items()}
        self.shown = [area for area in AREAS if frame.shows(maps.bounds(_POLYGON[area]))]
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
        for name, zone in _ZONE.items():
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
        return self.frame.at(_ZONE[text]["label"]) if text in _ZONE else None

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


# --- the papers beside it --------------------------------------------------------------------------------


def _tracks(t: Theme, view: View, y: float) -> tuple[str, float]:
    x, w, parts = SIDE + 14, COLUMN - 28, view["score"]
    out = panels.panel(t, SIDE, y, COLUMN, 300, "Day and tracks")
    out += panels.track(t, x, y + 34, w, [str(7 + turn) for turn in range(1, LAST_TURN + 1)], view["turn"] - 1)
    out += svg.text(x, y + 78, f"November 2004 · turn {view['turn']} of {LAST_TURN}", t.quiet, 12, 400)
    out += svg.text(x, y + 100, "Impulse", t.ink, 13, 500)
    colour = t.coalition if view["side"] == COALITION else t.ink
    impulses = [str(number) for number in range(13)]
    now = min(view["impulse"], 12) if view["phase"] == "action" else -1
    out += panels.track(t, x, y + 107, w, impulses, now, 20, 11, colour)
    out += svg.text(x, y + 142, _phase_words(view), t.quiet, 12, 400)
    held = len(view["control"][COALITION])
    bars = (
        ("Insurgent VP", str(parts["total"]), parts["total"] / 120, t.ink),
        ("Political Backlash", str(parts["backlash"]), parts["backlash"] / 40, t.last),
        ("Areas held by the Coalition", f"{held} / {len(AREAS)}", held / len(AREAS), t.coalition),
    )
    for at, (label, figure, share, shade) in enumerate(bars):
        out += panels.bar(t, x, y + 166 + at * 30, w, label, figure, share, shade)
    advantage = view["advantage"]
    state = "ready" if advantage["available"] else "used"
    ours = advantage["owner"] == COALITION
    out += svg.text(x, y + 262, "Advantage", t.ink, 13, 500)
    fill, on = (t.coalition, t.on_coalition) if ours else ("#26262A", "#F7F2E6")
    words = f"{'Coalition' if ours else 'Insurgent'}, {state}"
    out += panels.pill(x + w, y + 258, words, fill, on, 12, anchor="end")
    out += svg.text(
        x,
        y + 286,
        f"Militia pool {view['militia_pool']} · Fedayeen {parts['fedayeen']} · Cadres {parts['cadres'] // 2}",
        t.quiet,
        12,
        400,
    )
    return out, y + 312


def _phase_words(view: View) -> str:
    if view["phase"] != "action":
        return {"regroup": "Regroup Phase", "reset": "Reset Phase", "setup": "set-up", "over": "the battle is over"}[
            view["phase"]
        ]
    low = view["impulse"] - 1
    if low < 2:
        return f"{side_words(view['side'])} to act; no roll ends the day yet"
    chance = sum(1 for a in range(1, 7) for b in range(1, 7) if a + b <= low) / 36
    return f"2–{low} on the first attack roll ends the day ({chance:.0%})".replace("%", " %")


def _battle(t: Theme, recent: Sequence[News], y: float) -> tuple[str, float]:
    rolls = [news for news in recent if news.key in ("combat-roll", "strike-roll")]
    if not rolls:
        return "", y
    roll = rolls[-1].facts
    area = int(roll["area"])
    after = list(recent)[list(recent).index(rolls[-1]) :]
    result = next((news for news in after if news.key in ("combat-result", "strike-result")), None)
    attack = next((n for n in recent if n.key == "attack" and n.facts["area"] == area), None)
    dice = next((news.facts for news in after if news.key == "reroll"), roll)
    strike = rolls[-1].key == "strike-roll"
    ours, foe = (roll["defender"], roll["unit"]) if strike else (attack and attack.facts["leader"], roll["defender"])
    left, right = SIDE + 44, SIDE + COLUMN - 40
    words = "; ".join(
        narrate(news).rstrip(".") for news in after if news.key.startswith(("loss", "overrun", "backlash"))
    )
    a1, a2, d1, d2 = (int(dice[key]) for key in ("a1", "a2", "d1", "d2"))
    totals = (result.facts["ot"], result.facts["dt"]) if result else ("", "")
    fight = panels.Battle(
        f"Battle · {area} {AREA_NAME[area]}",
        counters.draw_counter(counter(Piece(str(ours), "fresh")), left, y + 58, 46) if ours else "",
        counters.draw_diamond(diamonds([Piece(str(foe), str(roll.get("face", "fresh")))])[0], right, y + 58, 42),
        f"defence {roll['dv']}" if strike else f"attack {roll['ov']}",
        f"{roll['ov']} attack".replace("-", "−") if strike else f"{roll['dv']} defence",
        str(attack.facts["parts"]).replace("-", "−") if attack and not strike else "",
        (d1, d2) if strike else (a1, a2),
        (a1, a2) if strike else (d1, d2),
        str(totals[strike]),
        str(totals[not strike]),
        _short_result(result) if result else "",
        words,
    )
    return panels.battle_inset(t, SIDE, y, COLUMN, fight), y + 216


def _short_result(news: News) -> str:
    if news.key == "strike-result":
        return "The attack succeeds" if news.facts["won"] == "yes" else "The attack fails"
    points = int(news.facts["points"])
    if points > 0:
        return f"Insurgents take {points} casualty point{'s' if points > 1 else ''}"
    return "No effect" if news.facts["kind"] == "fire" else "Attack stalls" if points == 0 else "Attack repulsed"


def _off_map(t: Theme, view: View, y: float) -> tuple[str, float]:
    out = panels.panel(t, SIDE, y, COLUMN, 112, "Off the map")
    for at, zone in enumerate(("NW", "NE")):
        x = SIDE + 40 + at * 132
        units = pieces(view, zone)
        if units:
            out += counters.draw_stack([counter(piece) for piece in units][:8], x, y + 58, 42, pips=False)
        out += svg.text(x + 32, y + 54, f"{zone} zone", t.ink, 13, 600)
        out += svg.text(x + 32, y + 70, f"{len(units)} unit{'s' if len(units) != 1 else ''}", t.quiet, 12, 400)
    out += svg.text(SIDE + 14, y + 102, f"Riverine {view['riverine']}", t.quiet, 12, 400)
    return out, y + 124


def _legend(d: Drawing, y: float) -> tuple[str, float]:
    t = d.theme
    out = panels.panel(t, SIDE, y, COLUMN, 146, "Reading the map")
    line = svg.line(((-14, 0), (14, 0)), t.case, 6.4) + svg.line(((-14, 0), (14, 0)), t.coalition, 4.6)
    entries = (
        (panels.swatch(t.held[1][0], d.pattern("dots")), "Coalition"),
        (panels.swatch(t.insurgent[1][0], d.pattern("hatch")), "insurgent"),
        (panels.swatch(t.insurgent[2][0], d.pattern("stripes"), t.last, "4 3"), "contested"),
        (panels.choose_swatch(t), "you may choose"),
        (line, "front line"),
        (marks.arrow((-14, 5), (14, -4), t, 4), "last move"),
        (marks.area_badge("mosque", "7", 0, 0, 18), "mosque"),
        (marks.area_badge("objective", "7", 0, 0, 18), "objective"),
    )
    return out + panels.legend(t, SIDE + 10, y + 44, COLUMN - 20, entries), y + 158


def _events(t: Theme, recent: Sequence[News], y: float) -> str:
    if not recent or y > HEIGHT - 90:
        return ""
    height = HEIGHT - 20 - y
    out = panels.panel(t, SIDE, y, COLUMN, height, "Last events")
    rows = int((height - 44) // 22)
    events = [("", "", narrate(news)) for news in reversed(recent[-rows:])]
    return out + panels.event_list(t, SIDE + 14, y + 44, COLUMN - 28, events, 22, 12)


# --- pictures --------------------------------------------------------------------------------------------


def draw(scene: Scene) -> str:
    """The whole board, or the area of action when the scene asks for a crop."""
    return _cropped(scene) if scene.crop else _whole(scene)


def _heading(scene: Scene) -> str:
    view = scene.view
    if scene.heading:
        return scene.heading
    if view["phase"] == "action":
        return f"{DAYS[view['turn']]}, impulse {view['impulse']}, {side_words(view['side'])} to act"
    return f"{DAYS[view['turn']]}, {_phase_words(view)}"


def _whole(scene: Scene) -> str:
    t = theme(scene.theme)
    d = Drawing(WIDTH, HEIGHT, t, "Second Fallujah")
    frame = maps.whole(EXTENT, MAP)
    Map(d, scene, frame, COUNTER * frame.scale).draw()
    d.add(panels.header(t, WIDTH, "Second Fallujah", _heading(scene), scene.corner), layer=Layer.PANELS)
    piece, y = _tracks(t, scene.view, 58)
    d.add(piece, layer=Layer.PANELS)
    makers: tuple[Any, ...] = (
        lambda at: _battle(t, scene.recent, at),
        lambda at: _off_map(t, scene.view, at),
        lambda at: _legend(d, at),
    )
    for make in makers:
        piece, y = make(y)
        d.add(piece, layer=Layer.PANELS)
    d.add(_events(t, scene.recent, y), layer=Layer.PANELS)
    return d.svg()


def _cropped(scene: Scene) -> str:
    t = theme(scene.theme)
    d = Drawing(CROP_WIDTH, CROP_HEIGHT, t, "Second Fallujah")
    fight = _scene_of_action(scene)
    boxes = [maps.bounds(_POLYGON[area]) for area in fight]
    targets = [maps.bounds(_POLYGON[area]) for area in lit_areas(scene)]
    smallest = PHONE_COUNTER / COUNTER
    frame = maps.crop(boxes, targets, (0, 0, CROP_WIDTH, CROP_HEIGHT), EXTENT, smallest, 1.15 * smallest, 70)
    Map(d, scene, frame, PHONE_COUNTER).draw()
    return d.svg()


def _scene_of_action(scene: Scene) -> list[int]:
    """The activated area and what has happened since; without one, the last events."""
    activated = scene.view["activated"]
    starts = [at for at, news in enumerate(scene.recent) if news.key == "activate"]
    since = scene.recent[starts[-1] :] if starts and activated else scene.recent[-6:]
    fight = news_areas(since)
    if activated.isdigit() and int(activated) not in fight:
        fight.append(int(activated))
    if activated in _ZONE and not fight:
        fight = list(_ZONE[activated]["adjacent"])
    return fight


def alt_words(scene: Scene) -> str:
    """What the picture says, in a few sentences."""
    view = scene.view
    parts = view["score"]
    told = " ".join(narrate(news) for news in scene.recent[-3:])
    lit = lit_areas(scene)
    choose = f" You may choose {', '.join(map(str, lit[:12]))}." if lit else ""
    return (
        f"Second Fallujah, {_heading(scene)}. {parts['total']} victory points, Backlash {parts['backlash']}, "
        f"the Coalition holds {len(view['control'][COALITION])} of {len(AREAS)} areas.{choose} {told}"
    ).strip()
